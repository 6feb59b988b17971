//! Reading a hooks file: what is checked is what is read.

#[cfg(not(unix))]
#[path = "read/other.rs"]
mod system;
#[cfg(unix)]
#[path = "read/unix.rs"]
mod system;

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

use crate::{HookConfigError, Problem, ProblemKind, file::MAX_FILE_BYTES, problem::Place};
use hook_contract::json::Position;

pub use self::system::FileId;

/// The text of a file, and which file it is.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileText {
    /// What is in it, without a byte order mark in front.
    pub text: String,
    /// Which file it is, whatever path led to it.
    pub id: FileId,
}

/// Reads a file, or says that there is none.
///
/// Only "not found" means that there is none: a link to nothing, a directory in the file's place and a folder that
/// cannot be searched are errors.
///
/// # Errors
///
/// When the file exists, or nobody can say whether it does, and it cannot be read as text of at most
/// [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES).
pub fn read_file(path: &Path) -> Result<Option<FileText>, HookConfigError> {
    let Some(opened) = open(path)? else {
        return Ok(None);
    };
    let (id, text) = opened.read();
    Ok(Some(FileText { text: text?, id }))
}

/// A file that was opened; nothing of it has been read.
pub(crate) struct Opened<'p> {
    file: File,
    path: &'p Path,
    id: FileId,
}

/// Opens the file, or says that there is none.
///
/// Only "not found" means that there is none, and only when no link on the way leads nowhere and no
/// file stands in a directory's place.
pub(crate) fn open(path: &Path) -> Result<Option<Opened<'_>>, HookConfigError> {
    let failed = |source| HookConfigError::Read {
        path: path.to_owned(),
        source,
    };
    let file = match system::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return absent(path, error),
        Err(error) => {
            // A socket cannot be opened at all, and a directory not on every system. Which of the two it is reads
            // better than what opening it said.
            return Err(match fs::metadata(path) {
                Ok(metadata) if !metadata.is_file() => not_a_file(path, &metadata),
                _ => failed(error),
            });
        }
    };
    // Of the open file, so that nobody can put another one in its place between the check and the reading.
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file(path, &metadata));
    }
    let id = system::id(path, &metadata).map_err(failed)?;
    Ok(Some(Opened { file, path, id }))
}

fn not_a_file(path: &Path, metadata: &fs::Metadata) -> HookConfigError {
    let found = if metadata.is_dir() {
        "a directory"
    } else {
        system::special(metadata.file_type())
    };
    HookConfigError::NotAFile {
        path: path.to_owned(),
        found,
    }
}

/// Whether a file that was not found is really not there.
fn absent<'p>(path: &Path, error: io::Error) -> Result<Option<Opened<'p>>, HookConfigError> {
    for ancestor in path.ancestors() {
        let metadata = match fs::symlink_metadata(ancestor) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(source) => {
                let path = path.to_owned();
                return Err(HookConfigError::Read { path, source });
            }
        };
        // The nearest thing that exists. A directory simply does not hold the rest of the path.
        if fs::metadata(ancestor).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(None);
        }
        let path = path.to_owned();
        return Err(if metadata.is_symlink() {
            let link = ancestor.to_owned();
            HookConfigError::DanglingLink { path, link }
        } else {
            HookConfigError::Read {
                path,
                source: error,
            }
        });
    }
    Ok(None)
}

impl Opened<'_> {
    /// Which file it is, whatever path led to it.
    pub(crate) const fn id(&self) -> &FileId {
        &self.id
    }

    /// Which file it is, and its text without a byte order mark in front.
    pub(crate) fn read(self) -> (FileId, Result<String, HookConfigError>) {
        (self.id, read(self.file, self.path))
    }
}

fn read(file: File, path: &Path) -> Result<String, HookConfigError> {
    let mut bytes = Vec::new();
    let path = path.to_owned();
    if let Err(source) = file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes) {
        return Err(HookConfigError::Read { path, source });
    }
    if bytes.len() > MAX_FILE_BYTES {
        return Err(HookConfigError::TooLarge { path });
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let place = Place {
            position: Position::at(&text, start),
            span: start..start + char::REPLACEMENT_CHARACTER.len_utf8(),
            entry: None,
            hook: None,
        };
        HookConfigError::Invalid {
            path,
            problems: vec![Problem::new(place, ProblemKind::NotUtf8)],
            warnings: Vec::new(),
            text,
        }
    })
}
