//! Files on Unix.

use std::{
    fs::{File, FileType, Metadata, OpenOptions},
    io,
    os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

/// Device and inode: the file itself, whatever paths lead to it.
#[derive(Debug, PartialEq, Eq)]
pub struct FileId(u64, u64);

/// Opens for reading. A FIFO must not make the reader wait for a writer, nor a terminal become this
/// process's own.
pub(super) fn open(path: &Path, follows_link: bool) -> io::Result<File> {
    let not_through_link = if follows_link { 0 } else { libc::O_NOFOLLOW };
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | not_through_link)
        .open(path)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature as on other systems"
)]
pub(super) fn id(_path: &Path, metadata: &Metadata) -> io::Result<FileId> {
    Ok(FileId(metadata.dev(), metadata.ino()))
}

/// What a file is that is neither a regular file nor a directory.
pub(super) fn special(file_type: FileType) -> &'static str {
    if file_type.is_fifo() {
        "a named pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
