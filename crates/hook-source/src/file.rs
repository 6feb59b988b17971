//! Reading a file that a person wrote: what is checked is what is read.

mod error;
#[cfg(not(unix))]
#[path = "file/other.rs"]
mod system;
#[cfg(unix)]
#[path = "file/unix.rs"]
mod system;

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

pub use self::{error::FileError, system::FileId};

/// How large a file may be when nothing else is said: 1 MiB.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Reads files of one sort with the care that a guard's own file deserves.
///
/// Only "not found" means that there is no file: a link to nothing, a directory in the file's place and a folder that cannot
/// be searched are errors. What is opened is a regular file or nothing, without waiting for a writer, and all checks are made
/// on the open file, so that no other one can be put in its place between the check and the reading.
///
/// ```
/// use hook_source::FileReader;
///
/// let folder = tempfile::tempdir()?;
/// let reader = FileReader::new("a list").with_limit(10);
/// let path = folder.path().join("list.json");
/// assert!(reader.read(&path)?.is_none());
/// std::fs::write(&path, "\u{feff}[1, 2]")?;
/// assert_eq!(reader.read(&path)?.map(|file| file.text), Some("[1, 2]".into()));
/// std::fs::write(&path, "[1, 2, 3, 4]")?;
/// let error = reader.read(&path).expect_err("too large");
/// assert_eq!(error.code(), "too_large");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileReader {
    wanted: &'static str,
    limit: u64,
    within: Option<PathBuf>,
    follows_link: bool,
}

/// The text of a file, and which file it is.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileText {
    /// What is in it, without a byte order mark in front.
    pub text: String,
    /// Whether a byte order mark stood in front.
    pub has_mark: bool,
    /// Which file it is, whatever path led to it.
    pub id: FileId,
}

/// A file that was opened; nothing of it has been read.
#[derive(Debug)]
pub struct Opened<'r> {
    file: File,
    path: &'r Path,
    id: FileId,
    limit: u64,
}

impl FileReader {
    /// For files that messages call by these words, with their article: `a hooks file`.
    #[must_use]
    pub const fn new(wanted: &'static str) -> Self {
        Self {
            wanted,
            limit: MAX_FILE_BYTES,
            within: None,
            follows_link: true,
        }
    }

    /// The same, for files of at most so many bytes.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The same, for files whose path without symbolic links lies inside this folder.
    #[must_use]
    pub fn within(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            within: Some(folder.into()),
            ..self
        }
    }

    /// The same, for files that are what they are called: a symbolic link in the file's place is no file. Links on the way
    /// to it are followed.
    #[must_use]
    pub const fn without_link(mut self) -> Self {
        self.follows_link = false;
        self
    }

    /// Reads the file, or says that there is none.
    ///
    /// # Errors
    ///
    /// When the file cannot be read as text within the limit, and when the system does not say whether it exists.
    pub fn read(&self, path: &Path) -> Result<Option<FileText>, FileError> {
        let Some(opened) = self.open(path)? else {
            return Ok(None);
        };
        let Opened {
            file,
            path,
            id,
            limit,
        } = opened;
        let (text, has_mark) = text(file, path, limit)?;
        Ok(Some(FileText { text, has_mark, id }))
    }

    /// Opens the file, or says that there is none.
    ///
    /// "Not found" means that there is none only when no link on the way leads nowhere and no file stands in a directory's
    /// place.
    ///
    /// # Errors
    ///
    /// When something exists that is no regular file, and when the system does not say whether there is a file.
    pub fn open<'r>(&self, path: &'r Path) -> Result<Option<Opened<'r>>, FileError> {
        let failed = |source| FileError::read(path, source);
        // A device does something when it is opened, and a pipe tells the other end: neither is for the reader to find out.
        let metadata = if self.follows_link {
            fs::metadata(path)
        } else {
            fs::symlink_metadata(path)
        };
        if let Ok(metadata) = metadata
            && !metadata.is_file()
        {
            return Err(self.not_a_file(path, &metadata));
        }
        let file = match system::open(path, self.follows_link) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return absent(path, error).map(|()| None);
            }
            Err(error) => {
                return Err(failed(error));
            }
        };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(self.not_a_file(path, &metadata));
        }
        let id = system::id(path, &metadata).map_err(failed)?;
        self.must_lie_inside(path, &id)?;
        let limit = self.limit;
        Ok(Some(Opened {
            file,
            path,
            id,
            limit,
        }))
    }

    /// Says nothing when the path leads to something inside the folder, if one was asked for.
    ///
    /// # Errors
    ///
    /// [`FileError::Outside`] when it leads elsewhere, and when the system does not say where it leads.
    pub fn lies_inside(&self, path: &Path) -> Result<(), FileError> {
        let Some(folder) = &self.within else {
            return Ok(());
        };
        let real =
            |path: &Path| fs::canonicalize(path).map_err(|source| FileError::read(path, source));
        if real(path)?.starts_with(real(folder)?) {
            return Ok(());
        }
        Err(FileError::Outside {
            path: path.to_owned(),
            folder: folder.clone(),
        })
    }

    fn not_a_file(&self, path: &Path, metadata: &fs::Metadata) -> FileError {
        let found = if metadata.is_dir() {
            "a directory"
        } else if metadata.is_symlink() {
            "a symbolic link"
        } else {
            system::special(metadata.file_type())
        };
        FileError::NotAFile {
            path: path.to_owned(),
            found,
            wanted: self.wanted,
        }
    }

    /// Whether the file that was opened is inside the folder, if that is asked for.
    fn must_lie_inside(&self, path: &Path, opened: &FileId) -> Result<(), FileError> {
        let Some(folder) = &self.within else {
            return Ok(());
        };
        let failed = |source| FileError::read(path, source);
        let inside = fs::canonicalize(folder).map_err(failed)?;
        let real = fs::canonicalize(path).map_err(failed)?;
        let metadata = fs::metadata(&real).map_err(failed)?;
        // The path may lead elsewhere by now; only what it leads to now is known to lie where.
        let is_opened = system::id(&real, &metadata).map_err(failed)? == *opened;
        if real.starts_with(&inside) && is_opened {
            return Ok(());
        }
        Err(FileError::Outside {
            path: path.to_owned(),
            folder: folder.clone(),
        })
    }
}

/// Whether a file that was not found is really not there.
fn absent(path: &Path, error: io::Error) -> Result<(), FileError> {
    for ancestor in path.ancestors() {
        let metadata = match fs::symlink_metadata(ancestor) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(source) => return Err(FileError::read(path, source)),
        };
        // The nearest thing that exists. A directory simply does not hold the rest of the path.
        if fs::metadata(ancestor).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(());
        }
        return Err(if metadata.is_symlink() {
            let (path, link) = (path.to_owned(), ancestor.to_owned());
            FileError::DanglingLink { path, link }
        } else {
            FileError::read(path, error)
        });
    }
    Ok(())
}

impl Opened<'_> {
    /// Which file it is, whatever path led to it.
    #[must_use]
    pub const fn id(&self) -> &FileId {
        &self.id
    }

    /// The open file, for what the system knows of it: owner, mode, attributes.
    #[must_use]
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Its bytes as they are, a byte order mark included.
    ///
    /// ```
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("list.json");
    /// std::fs::write(&path, "\u{feff}[]")?;
    /// let opened = hook_source::FileReader::new("a list").open(&path)?.expect("a file");
    /// assert_eq!(opened.file().metadata()?.len(), 5);
    /// assert_eq!(opened.bytes()?, b"\xef\xbb\xbf[]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When reading fails, and when there is more than the limit.
    pub fn bytes(self) -> Result<Vec<u8>, FileError> {
        bytes(self.file, self.path, self.limit)
    }

    /// The file itself, a regular one, from its first byte.
    #[must_use]
    pub fn into_file(self) -> File {
        self.file
    }

    /// Which file it is, and its text without a byte order mark in front.
    ///
    /// # Errors
    ///
    /// In the second place: when reading fails, when there is more than the limit, and when it is no UTF-8.
    pub fn read(self) -> (FileId, Result<String, FileError>) {
        let read = text(self.file, self.path, self.limit);
        (self.id, read.map(|(text, _has_mark)| text))
    }
}

fn bytes(file: File, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    if let Err(source) = file.take(limit.saturating_add(1)).read_to_end(&mut bytes) {
        return Err(FileError::read(path, source));
    }
    if bytes.len() as u64 > limit {
        let path = path.to_owned();
        return Err(FileError::TooLarge { path, limit });
    }
    Ok(bytes)
}

/// The text, and whether a byte order mark stood in front of it.
fn text(file: File, path: &Path, limit: u64) -> Result<(String, bool), FileError> {
    let mut bytes = bytes(file, path, limit)?;
    let has_mark = bytes.starts_with(b"\xef\xbb\xbf");
    if has_mark {
        bytes.drain(..3);
    }
    let text = String::from_utf8(bytes);
    text.map(|text| (text, has_mark)).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let span = start..start + char::REPLACEMENT_CHARACTER.len_utf8();
        let path = path.to_owned();
        FileError::NotText { path, text, span }
    })
}

#[cfg(test)]
mod tests;
