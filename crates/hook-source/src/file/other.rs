//! Files on systems without inodes.

use std::{
    fs::{File, FileType, Metadata},
    io,
    path::{Path, PathBuf},
};

/// The path with every link resolved.
#[derive(Debug, PartialEq, Eq)]
pub struct FileId(PathBuf);

pub(super) fn open(path: &Path, _follows_link: bool) -> io::Result<File> {
    File::open(path)
}

pub(super) fn id(path: &Path, _metadata: &Metadata) -> io::Result<FileId> {
    path.canonicalize().map(FileId)
}

/// What a file is that is neither a regular file nor a directory.
pub(super) fn special(_file_type: FileType) -> &'static str {
    "something else"
}
