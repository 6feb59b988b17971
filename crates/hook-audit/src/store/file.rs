//! The file that is appended to.

use std::{
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::OFlags,
    process::{Resource, geteuid, getrlimit},
};

use super::FileName;

/// Records may hold what agents were given to read: they are their owner's.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// How far a limit on the size of files is kept away from where others may write at the same time.
const MARGIN: u64 = 1 << 20;

/// A file that is open for appending.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) name: FileName,
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Which file it is, whatever its name: device and number.
    identity: (u64, u64),
}

/// Why a file is not open.
#[derive(Debug)]
pub(super) enum OpenError {
    /// What stands there was made by no recorder of this user: another one is to be used.
    Foreign(io::Error),
    /// Any other reason.
    Failed(io::Error),
}

/// Why what is there was made by no recorder of this user, if so. Another user that put it there, or can change it, could read what is
/// recorded, or write records of their own.
pub(super) fn foreign(there: &Metadata) -> Option<io::Error> {
    const OTHERS_WRITE: u32 = 0o022;
    let mode = there.mode();
    if !there.is_file() {
        Some(io::Error::other("it is not a regular file"))
    } else if there.uid() != geteuid().as_raw() {
        Some(io::Error::other("it belongs to another user"))
    } else if mode & OTHERS_WRITE != 0 {
        let mode = mode & 0o7777;
        Some(io::Error::other(format!(
            "others may write to it (mode {mode:04o})"
        )))
    } else {
        None
    }
}

/// What became of a write.
#[derive(Debug)]
pub(super) struct Appended {
    /// How many lines are written whole.
    pub(super) lines: usize,
    /// How far the file has grown.
    pub(super) bytes: u64,
    pub(super) result: io::Result<()>,
}

pub(super) fn make_directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(DIRECTORY_MODE)
        .create(directory)
}

/// How large a file may become. Above the limit of the process the system would send it a signal that ends it.
pub(super) fn most_bytes(wanted: u64, is_locked: bool) -> u64 {
    match getrlimit(Resource::Fsize).current {
        None => wanted,
        Some(limit) if is_locked => wanted.min(limit),
        Some(limit) => wanted.min(limit.saturating_sub(MARGIN)),
    }
}

impl Current {
    /// Opens the file, and makes it if there is none; says whether it did.
    pub(super) fn open(name: FileName, path: PathBuf) -> Result<(Self, bool), OpenError> {
        let mut options = OpenOptions::new();
        // No link that was planted, and no pipe that would be waited for.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options
            .append(true)
            .read(true)
            .mode(FILE_MODE)
            .custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
        let (file, is_new) = match options.clone().create_new(true).open(&path) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Why a file of another user, or a link, cannot be opened does not matter.
                let there = fs::symlink_metadata(&path).map_err(OpenError::Failed)?;
                foreign(&there).map_or(Ok(()), |why| Err(OpenError::Foreign(why)))?;
                (options.open(&path).map_err(OpenError::Failed)?, false)
            }
            Err(error) => return Err(OpenError::Failed(error)),
        };
        // What was looked at may have been replaced since.
        let metadata = file.metadata().map_err(OpenError::Failed)?;
        foreign(&metadata).map_or(Ok(()), |why| Err(OpenError::Foreign(why)))?;
        let current = Self {
            name,
            path,
            file,
            identity: (metadata.dev(), metadata.ino()),
        };
        Ok((current, is_new))
    }

    /// The size; nothing when another file or none stands at the path by now, or the file is not its owner's alone any more.
    pub(super) fn size(&self) -> io::Result<Option<u64>> {
        match fs::symlink_metadata(&self.path) {
            Ok(there)
                if (there.dev(), there.ino()) == self.identity && foreign(&there).is_none() =>
            {
                Ok(Some(there.len()))
            }
            Ok(_other) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds whole lines after what is there, which is `size` bytes.
    pub(super) fn append(&self, bytes: &[u8], size: u64, is_locked: bool) -> Appended {
        if size == 0 && bytes.len() as u64 > most_bytes(u64::MAX, is_locked) {
            return Appended {
                lines: 0,
                bytes: 0,
                result: Err(io::ErrorKind::FileTooLarge.into()),
            };
        }
        let mend = match self.is_torn(size) {
            Ok(true) => self.write(b"\n"),
            Ok(false) => (0, Ok(())),
            Err(error) => (0, Err(error)),
        };
        let (mended, Ok(())) = mend else {
            return Appended {
                lines: 0,
                bytes: mend.0 as u64,
                result: mend.1,
            };
        };
        let (written, result) = self.write(bytes);
        let whole = bytes.get(..written).unwrap_or_default();
        let whole = memchr::memrchr(b'\n', whole).map_or(0, |last| last + 1);
        let end = size + (mended + whole) as u64;
        if whole < written && is_locked {
            // What is left of the last line is of use to nobody. If it cannot be taken back, readers skip it.
            let _taken_back = self.file.set_len(end);
        }
        Appended {
            lines: memchr::memchr_iter(b'\n', bytes.get(..whole).unwrap_or_default()).count(),
            bytes: (mended + whole) as u64,
            result,
        }
    }

    /// Whether the last line has no end: whoever wrote it was killed.
    fn is_torn(&self, size: u64) -> io::Result<bool> {
        let Some(last) = size.checked_sub(1) else {
            return Ok(false);
        };
        let mut byte = [b'\n'];
        self.file.read_at(&mut byte, last)?;
        Ok(byte != [b'\n'])
    }

    /// One write; further ones only for what the system did not take at once.
    fn write(&self, bytes: &[u8]) -> (usize, io::Result<()>) {
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            match (&self.file).write(rest) {
                Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (written, Err(error)),
            }
        }
        (written, Ok(()))
    }
}
