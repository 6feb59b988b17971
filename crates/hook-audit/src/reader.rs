//! Reading records back: line by line, however many there are.

mod verify;

use std::{
    collections::VecDeque,
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;
use thiserror::Error;

pub use self::verify::{Break, Verified, VerifyError, verify};
use crate::{Date, FileName, Record, RecordError, RecordErrorKind, store::files};

/// The longest line that is read. A longer one is passed over.
const MAX_LINE_BYTES: usize = 64 << 20;
const BUFFER_BYTES: usize = 256 * 1024;

/// Reads the records of a directory, from the oldest file to the newest, in constant memory.
///
/// A line that was cut off, because whoever wrote it was killed, is an item of its own and no end: see [`Line::record`].
///
/// ```
/// use hook_audit::{Reader, Record};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let mut reader = Reader::open(directory)?;
/// let mut denied = 0;
/// while let Some(line) = reader.next_line()? {
///     match line.record() {
///         Ok(Record::Consultation(ended)) if ended.outcome.as_str() == "deny" => denied += 1,
///         Ok(_) => {}
///         Err(error) => eprintln!("{}: {error}", line.place()),
///     }
/// }
/// # assert_eq!(denied, 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Reader {
    directory: PathBuf,
    /// The one file that is read in place of a directory, until it is begun.
    single: Option<PathBuf>,
    since: Option<Date>,
    /// Files that are not begun.
    ahead: VecDeque<FileName>,
    current: Option<Current>,
    /// The last one that was begun.
    last: Option<FileName>,
    /// Whether the end of the last file is waited at.
    follows: bool,
    line: Vec<u8>,
}

#[derive(Debug)]
struct Current {
    path: PathBuf,
    file: BufReader<File>,
    number: u64,
    /// What is read of the line at hand is not all of it yet.
    is_partial: bool,
    /// The line at hand is longer than any that is read.
    is_too_long: bool,
}

/// How far reading a line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Whole,
    TooLong,
    EndOfFile,
}

/// One line of a record file.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    bytes: &'a [u8],
    place: Place<'a>,
    progress: Progress,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The file.
    pub path: &'a Path,
    /// The line in it, from 1.
    pub number: u64,
}

/// Records could not be read.
///
/// See whether the path is the directory that records are written to, and whether this user may read it.
#[derive(Debug, Error)]
#[error("could not read `{}`; it must be a directory of records, or one of its files, that this user may read", .path.display())]
#[non_exhaustive]
pub struct ReadError {
    /// Where.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl ReadError {
    fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self { path, source }
    }
}

impl Reader {
    /// Reads what is in the directory. Where the path is that of a file, whatever its name, reads that file alone.
    ///
    /// # Errors
    ///
    /// When the directory cannot be listed.
    pub fn open(directory: impl Into<PathBuf>) -> Result<Self, ReadError> {
        let directory = directory.into();
        let is_file = fs::metadata(&directory).is_ok_and(|metadata| metadata.is_file());
        let names = if is_file {
            Vec::new()
        } else {
            files(&directory).map_err(|source| ReadError::new(&directory, source))?
        };
        Ok(Self {
            single: is_file.then(|| directory.clone()),
            directory,
            since: None,
            ahead: names.into(),
            current: None,
            last: None,
            follows: false,
            line: Vec::new(),
        })
    }

    /// Leaves out the files of days before this one. One file that is read alone stays, whatever its name says.
    #[must_use]
    pub fn since(mut self, date: Date) -> Self {
        self.ahead.retain(|name| name.date >= date);
        self.since = Some(date);
        self
    }

    /// At the end, waits for more: [`next_line`](Self::next_line) gives nothing when there is no whole line yet, and may
    /// be called again.
    #[must_use]
    pub fn following(mut self) -> Self {
        self.follows = true;
        self
    }

    /// The next line; nothing at the end. Empty lines are passed over.
    ///
    /// # Errors
    ///
    /// When a file cannot be read. The next call goes on with the file after it.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        let progress = self.advance()?;
        let line = progress.zip(self.current.as_ref());
        Ok(line.map(|(progress, current)| Line {
            bytes: &self.line,
            place: Place {
                path: &current.path,
                number: current.number,
            },
            progress,
        }))
    }

    /// Reads the next line that is not empty; nothing at the end.
    fn advance(&mut self) -> Result<Option<Progress>, ReadError> {
        loop {
            if self.current.is_none() && !self.begin()? {
                return Ok(None);
            }
            let Some(current) = &mut self.current else {
                return Ok(None);
            };
            if !std::mem::take(&mut current.is_partial) {
                self.line.clear();
            }
            let progress = match current.read(&mut self.line) {
                Ok(progress) => progress,
                Err(source) => return Err(self.give_up(source)),
            };
            let is_empty = self.line.is_empty();
            let is_end = progress == Progress::EndOfFile;
            current.number += u64::from(!is_end);
            match (is_end, is_empty) {
                (false, true) => continue,
                (false, false) => return Ok(Some(progress)),
                (true, _) => {}
            }
            if self.waits()? {
                return Ok(None);
            }
            if is_empty {
                self.current = None;
                continue;
            }
            // The line was cut off. After it there is nothing, as the next call finds.
            if let Some(current) = &mut self.current {
                current.number += 1;
            }
            return Ok(Some(progress));
        }
    }

    /// Leaves the file at hand, which cannot be read.
    fn give_up(&mut self, source: io::Error) -> ReadError {
        let current = self.current.take();
        let path = current.map_or_else(|| self.directory.clone(), |current| current.path);
        ReadError { path, source }
    }

    /// Opens the next file that there is; says whether there is one.
    fn begin(&mut self) -> Result<bool, ReadError> {
        if let Some(path) = self.single.take() {
            let file = open(&path).map_err(|source| ReadError::new(&path, source))?;
            self.current = Some(Current::new(path, file));
            return Ok(true);
        }
        self.look_ahead()?;
        while let Some(name) = self.ahead.pop_front() {
            let path = self.directory.join(name.to_string());
            match open(&path) {
                Ok(file) => {
                    self.current = Some(Current::new(path, file));
                    self.last = Some(name);
                    return Ok(true);
                }
                // Removed since it was listed: it became too old.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ReadError::new(&path, error)),
            }
        }
        Ok(false)
    }

    /// Whether more may come to the file at hand, whose end was reached.
    fn waits(&mut self) -> Result<bool, ReadError> {
        // Files that were listed before the end was reached were begun when nothing came here any more.
        if !self.follows || !self.ahead.is_empty() {
            return Ok(false);
        }
        self.look_ahead()?;
        if let Some(current) = &mut self.current {
            current.is_partial = !self.line.is_empty();
        }
        Ok(true)
    }

    /// Looks for files that were begun since.
    fn look_ahead(&mut self) -> Result<(), ReadError> {
        if !self.follows || !self.ahead.is_empty() || self.directory.is_file() {
            return Ok(());
        }
        let names = files(&self.directory);
        let names = names.map_err(|source| ReadError::new(&self.directory, source))?;
        let last = self.last;
        let is_new = |name: &FileName| {
            last.is_none_or(|last| *name > last)
                && self.since.is_none_or(|since| name.date >= since)
        };
        self.ahead = names.into_iter().filter(is_new).collect();
        Ok(())
    }
}

/// Opens a file, and nothing else: whoever opened a pipe that somebody put in its place would wait for ever.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}

impl Current {
    fn new(path: PathBuf, file: File) -> Self {
        Self {
            path,
            file: BufReader::with_capacity(BUFFER_BYTES, file),
            number: 0,
            is_partial: false,
            is_too_long: false,
        }
    }

    fn whole(&mut self) -> Progress {
        if std::mem::take(&mut self.is_too_long) {
            Progress::TooLong
        } else {
            Progress::Whole
        }
    }

    /// Reads on until the end of the line, which is not kept.
    fn read(&mut self, line: &mut Vec<u8>) -> io::Result<Progress> {
        loop {
            let buffer = match self.file.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                return Ok(Progress::EndOfFile);
            }
            let end = memchr::memchr(b'\n', buffer);
            let read = end.unwrap_or(buffer.len());
            if !self.is_too_long {
                line.extend_from_slice(buffer.get(..read).unwrap_or_default());
            }
            self.file.consume(end.map_or(read, |end| end + 1));
            if line.len() > MAX_LINE_BYTES {
                line.clear();
                line.extend_from_slice(b"\xff");
                line.shrink_to_fit();
                self.is_too_long = true;
            }
            if end.is_some() {
                return Ok(self.whole());
            }
        }
    }
}

impl<'a> Line<'a> {
    /// The line without its end.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place<'a> {
        self.place
    }

    /// Whether the line has its end. One that has none was cut off, or is being written.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.progress == Progress::Whole
    }

    /// The record in it.
    ///
    /// # Errors
    ///
    /// When there is none that this version can read. The next line is none the worse for it.
    pub fn record(&self) -> Result<Record, RecordError> {
        if self.progress == Progress::TooLong {
            return Err(RecordErrorKind::TooLong.into());
        }
        let text = std::str::from_utf8(self.bytes).map_err(RecordErrorKind::NotText)?;
        Record::parse(text)
    }
}

/// As a compiler says it: `hooks-2026-11-30.0001.jsonl:7`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.number)
    }
}

#[cfg(test)]
mod tests;
