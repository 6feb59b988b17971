//! A chain of lines: each carries the digest of the one before.
//!
//! The chain goes through all files of a directory in the order of their names. A link is a line that ends with the digest
//! of the link before; what follows it and is none, because whoever wrote it was killed, belongs to it, so that the next
//! link speaks for that as well. To add one, the last must be known, so writers take turns under one lock for the whole
//! directory, and read what others added since.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, OFlags, flock};

use super::{
    FileName, StoreError, StoreErrorKind,
    file::{Current, foreign},
    lock::Lock,
    name::files,
};
use crate::{Date, Digest, reader::open};

const LOCK_NAME: &str = ".chain.lock";

/// How much of a file is read at once, from its end.
const BLOCK: u64 = 64 * 1024;

#[derive(Debug)]
pub(super) struct Chain {
    directory: PathBuf,
    /// The end of the chain as this process left it.
    end: Option<End>,
}

#[derive(Debug)]
struct End {
    name: FileName,
    size: u64,
    last: Digest,
}

/// Lines with the digest of the one before in each.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) bytes: Vec<u8>,
    /// The digest of the last one.
    pub(super) last: Digest,
}

/// Holds the directory's lock.
#[derive(Debug)]
pub(super) struct Alone {
    file: File,
}

impl Chain {
    pub(super) fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            end: None,
        }
    }

    /// Waits until nobody else adds to the chain. Without the lock nothing may be added.
    pub(super) fn lock(&self) -> Result<Alone, StoreError> {
        let path = self.directory.join(LOCK_NAME);
        let failed = |kind| {
            let path = path.clone();
            move |source| StoreError::new(kind, &path, source)
        };
        // As the record files: no link that somebody planted, and no pipe that would be waited for.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .mode(0o600)
            .custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
            .open(&path)
            .map_err(failed(StoreErrorKind::Open))?;
        let is_file = file
            .metadata()
            .map_err(failed(StoreErrorKind::Open))?
            .is_file();
        if !is_file {
            return Err(failed(StoreErrorKind::Open)(io::Error::other(
                "it is not a regular file",
            )));
        }
        let lock = Lock::take(&file).map_err(failed(StoreErrorKind::Lock))?;
        if !lock.is_held() {
            return Err(failed(StoreErrorKind::Lock)(io::ErrorKind::TimedOut.into()));
        }
        lock.keep();
        Ok(Alone { file })
    }

    /// Whether the chain ends in that file.
    pub(super) fn is_last(&self, current: &Current, today: Date) -> Result<bool, StoreError> {
        let names = self.files()?;
        // What no recorder made is not of the chain.
        let is_of_chain = |name: &&FileName| name.is_likely(today) && !self.is_foreign(**name);
        let last = names.iter().rev().find(is_of_chain);
        Ok(current.name.date >= today && last == Some(&current.name))
    }

    /// The digest of the last link of the chain, which ends in this file or begins with it.
    pub(super) fn last(&self, current: &Current, size: u64) -> Result<Digest, StoreError> {
        if let Some(end) = &self.end
            && end.name == current.name
            && end.size == size
        {
            return Ok(end.last);
        }
        let failed = |path: &Path, source| StoreError::new(StoreErrorKind::Read, path, source);
        let last = last_link(&current.file, size);
        if let Some(line) = last.map_err(|error| failed(&current.path, error))? {
            return Ok(Digest::of(&line));
        }
        for name in self
            .files()?
            .iter()
            .rev()
            .filter(|name| **name < current.name)
        {
            // A link, or what others may write to, speaks for nothing.
            if self.is_foreign(*name) {
                continue;
            }
            let path = self.directory.join(name.to_string());
            let last = open(&path).and_then(|file| last_link(&file, file.metadata()?.len()));
            if let Some(line) = last.map_err(|error| failed(&path, error))? {
                return Ok(Digest::of(&line));
            }
        }
        Ok(Digest::NONE)
    }

    pub(super) fn remember(&mut self, current: &Current, size: u64, last: Digest) {
        self.end = Some(End {
            name: current.name,
            size,
            last,
        });
    }

    pub(super) fn forget(&mut self) {
        self.end = None;
    }

    fn is_foreign(&self, name: FileName) -> bool {
        let there = fs::symlink_metadata(self.directory.join(name.to_string()));
        there.is_ok_and(|there| foreign(&there).is_some())
    }

    fn files(&self) -> Result<Vec<FileName>, StoreError> {
        files(&self.directory)
            .map_err(|source| StoreError::new(StoreErrorKind::Directory, &self.directory, source))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        // Closing the file, which comes next, does the same.
        let _unlocked = flock(&self.file, FlockOperation::Unlock);
    }
}

/// The lines with the digest of the one before added to each, as its last member.
pub(super) fn linked<'a>(lines: impl Iterator<Item = &'a [u8]>, mut last: Digest) -> Linked {
    let mut bytes = Vec::new();
    for line in lines {
        let start = bytes.len();
        bytes.extend_from_slice(line.strip_suffix(b"}\n").unwrap_or(line));
        bytes.extend_from_slice(format!(",\"prev\":\"{last}\"}}").as_bytes());
        last = Digest::of(bytes.get(start..).unwrap_or_default());
        bytes.push(b'\n');
    }
    Linked { bytes, last }
}

/// The digest that a line carries of the link before, if it is a link.
pub(crate) fn previous(line: &[u8]) -> Option<Digest> {
    let before_end = line.strip_suffix(b"\"}")?;
    let (rest, digits) = before_end.split_at_checked(before_end.len().checked_sub(64)?)?;
    rest.ends_with(b",\"prev\":\"").then_some(())?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The last link of a file that has one, with what follows it, without the line end.
fn last_link(file: &File, size: u64) -> io::Result<Option<Vec<u8>>> {
    let mut start = size;
    let mut tail = Vec::new();
    while start > 0 {
        let from = start.saturating_sub(BLOCK);
        let mut block = vec![0; usize::try_from(start - from).unwrap_or(usize::MAX)];
        file.read_exact_at(&mut block, from)?;
        block.append(&mut tail);
        (tail, start) = (block, from);
        if let Some(link) = last_link_in(&tail, start == 0) {
            return Ok(Some(link.to_vec()));
        }
    }
    Ok(None)
}

/// The same of bytes, which begin at the beginning of a line or somewhere in one.
fn last_link_in(bytes: &[u8], at_beginning: bool) -> Option<&[u8]> {
    let end = bytes.iter().rposition(|byte| *byte != b'\n')? + 1;
    let mut line_end = end;
    loop {
        let before = bytes.get(..line_end)?;
        let line_start = memchr::memrchr(b'\n', before).map(|found| found + 1);
        if line_start.is_none() && !at_beginning {
            return None;
        }
        let line_start = line_start.unwrap_or(0);
        if previous(before.get(line_start..)?).is_some() {
            return bytes.get(line_start..end);
        }
        line_end = line_start.checked_sub(1)?;
    }
}
