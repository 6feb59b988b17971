//! Why records could not be written.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Records could not be written.
///
/// The writer keeps them and tries again by itself; mend what the text says.
#[derive(Debug, Error)]
#[error("{kind} `{}`{}", .path.display(), advice(*.kind, .source))]
#[non_exhaustive]
pub struct StoreError {
    /// What was tried.
    pub kind: StoreErrorKind,
    /// Where.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// What could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The directory could not be made or listed.
    #[error("could not use the directory")]
    Directory,
    /// A file could not be opened for appending.
    #[error("could not open")]
    Open,
    /// Somebody else holds the lock.
    #[error("could not lock")]
    Lock,
    /// A file could not be written.
    #[error("could not write to")]
    Write,
    /// What was written may not be on the disk.
    #[error("could not synchronise")]
    Sync,
    /// The end of a chain of lines could not be read.
    #[error("could not read the last line of")]
    Read,
    /// A file that no recorder of this user made stands where records would go: a link, a file of another user, or one that
    /// others may write to. Records go to another file; move this one away.
    #[error("records do not go to")]
    Foreign,
    /// The name of a file is later than tomorrow, or past the last part of a day, so that no recorder made it. It is passed
    /// over; move it away.
    #[error("passed over")]
    Stray,
    /// A file that is too old, or one too many, could not be removed.
    #[error("could not remove")]
    Remove,
}

impl StoreError {
    pub(crate) fn new(kind: StoreErrorKind, path: &Path, source: io::Error) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            source,
        }
    }

    /// Whether a line as long as the one at hand can never be written.
    pub(crate) fn is_about_size(&self) -> bool {
        self.source.kind() == io::ErrorKind::FileTooLarge
    }
}

fn advice(kind: StoreErrorKind, source: &io::Error) -> &'static str {
    match (source.kind(), kind) {
        (_, StoreErrorKind::Foreign) => {
            ", and to another file instead; it was made by no recorder of this user: find out by what, and move it away"
        }
        (_, StoreErrorKind::Stray) => {
            ", which no recorder made; find out by what it was made, and move it away"
        }
        (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded, _) => {
            "; the disk is full: free some space, or keep fewer days of records"
        }
        (io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied, _) => {
            "; give this user the right to write there, or record somewhere else"
        }
        (io::ErrorKind::NotFound, _) => {
            "; the directory is gone: make it, or mount what it is on, and recording goes on by itself"
        }
        (io::ErrorKind::NotADirectory, _) => "; it must be a directory",
        (io::ErrorKind::FileTooLarge, _) => {
            "; a limit of the process or of the file system on the size of files was reached: raise it"
        }
        (_, StoreErrorKind::Lock) => {
            "; another process holds its lock for longer than a second: see whether it is stopped"
        }
        (_, StoreErrorKind::Open) => "; it must be a regular file, and no link",
        _ => "; see whether the disk is well",
    }
}
