//! A file is put in the place of another, and no update of another program is lost in between.
//!
//! Looking and then renaming leaves a moment in which another program's update is thrown away. So the two files change
//! places in one step of the system, what came out is looked at, and when it is not what was expected, it goes back in.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read as _},
    os::{
        fd::{AsFd as _, AsRawFd as _, OwnedFd},
        unix::fs::MetadataExt as _,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags, RenameFlags},
    io::Errno,
};

/// A name in a folder, which stays the same folder whatever its path leads to later.
#[derive(Debug)]
pub(super) struct Seat<'a> {
    pub(super) folder: &'a OwnedFd,
    pub(super) name: &'a OsStr,
}

/// How a swap ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Swapped {
    /// What was expected has come out.
    Done,
    /// Another program has changed the file; it is as that program left it.
    Changed,
}

/// Between which steps another program may act; for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Looked,
    Exchanged,
    Compared,
    PutBack,
}

/// How often an update is put back. Each time takes another program that writes in the same moment.
const ROUNDS: usize = 1000;

/// How a file is held open that is not read.
#[cfg(target_os = "linux")]
const HELD: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const HELD: OFlags = OFlags::NONBLOCK;

/// Which file it is. It is held open, because the number of a file that is gone is given to the next one.
#[derive(Debug)]
struct Identity {
    number: (u64, u64),
    _held: File,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Seat<'_> {
    /// Puts the file of that name in the seat, and what was in the seat under that name.
    ///
    /// # Errors
    ///
    /// When the system does not do it; the seat is as it was.
    pub(super) fn exchange(
        &self,
        staged: &OsStr,
        expected: &[u8],
        between: &mut dyn FnMut(Step),
    ) -> io::Result<Swapped> {
        if !self.holds(self.name, expected) {
            return Ok(Swapped::Changed);
        }
        between(Step::Looked);
        let mut put = self.identity(staged)?;
        match self.rename(staged, self.name, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Swapped::Changed),
            // A file system that cannot: the best there is.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                return self.replace(staged, expected);
            }
            Err(error) => return Err(error.into()),
        }
        between(Step::Exchanged);
        let as_expected = self.holds(staged, expected);
        between(Step::Compared);
        if as_expected {
            return Ok(Swapped::Done);
        }
        for _round in 0..ROUNDS {
            let back = self.identity(staged)?;
            match self.rename(staged, self.name, RenameFlags::EXCHANGE) {
                Ok(()) => {}
                Err(Errno::NOENT) => {
                    self.restore(staged)?;
                    return Ok(Swapped::Changed);
                }
                Err(error) => return Err(error.into()),
            }
            between(Step::PutBack);
            // What is taken out now must be what was put in last. Otherwise it is a later update, and goes back in turn.
            if self.identity(staged)? == put {
                return Ok(Swapped::Changed);
            }
            put = back;
        }
        Ok(Swapped::Changed)
    }

    /// Puts the file of that name in the seat, which is empty.
    ///
    /// # Errors
    ///
    /// When the system does not do it.
    pub(super) fn fill(&self, staged: &OsStr) -> io::Result<Swapped> {
        match self.rename(staged, self.name, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(Swapped::Done),
            Err(Errno::EXIST) => Ok(Swapped::Changed),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let linked = rustix::fs::linkat(
                    self.folder,
                    staged,
                    self.folder,
                    self.name,
                    AtFlags::empty(),
                );
                match linked {
                    Ok(()) => self.remove(staged).map(|()| Swapped::Done),
                    Err(Errno::EXIST) => Ok(Swapped::Changed),
                    Err(error) => Err(error.into()),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Empties the seat. What was in it has that name afterwards, where it was as expected.
    ///
    /// # Errors
    ///
    /// When the system does not do it; the seat is as it was.
    pub(super) fn empty(
        &self,
        aside: &OsStr,
        expected: &[u8],
        between: &mut dyn FnMut(Step),
    ) -> io::Result<Swapped> {
        match rustix::fs::renameat(self.folder, self.name, self.folder, aside) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Swapped::Changed),
            Err(error) => return Err(error.into()),
        }
        between(Step::Exchanged);
        let as_expected = self.holds(aside, expected);
        between(Step::Compared);
        if as_expected {
            return Ok(Swapped::Done);
        }
        self.restore(aside)?;
        Ok(Swapped::Changed)
    }

    /// Puts the file of one name in the place of another.
    pub(super) fn replace_by(&self, name: &OsStr, by: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(self.folder, by, self.folder, name)?)
    }

    /// Whether there is no such file, or it holds exactly these bytes.
    pub(super) fn holds_or_is_gone(&self, name: &OsStr, bytes: &[u8]) -> bool {
        let found = rustix::fs::statat(self.folder, name, AtFlags::SYMLINK_NOFOLLOW);
        matches!(found, Err(Errno::NOENT)) || self.holds(name, bytes)
    }

    /// Takes a name in the folder away.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self.folder, name, AtFlags::empty())?)
    }

    /// Puts a file back in the seat that is empty. When another one is there by now, that one is newer.
    fn restore(&self, aside: &OsStr) -> io::Result<()> {
        match self.fill(aside)? {
            Swapped::Done => Ok(()),
            Swapped::Changed => self.remove(aside),
        }
    }

    /// As well as it can be done without an exchange.
    fn replace(&self, staged: &OsStr, expected: &[u8]) -> io::Result<Swapped> {
        if !self.holds(self.name, expected) {
            return Ok(Swapped::Changed);
        }
        rustix::fs::renameat(self.folder, staged, self.folder, self.name)?;
        Ok(Swapped::Done)
    }

    fn rename(&self, from: &OsStr, to: &OsStr, flags: RenameFlags) -> rustix::io::Result<()> {
        rustix::fs::renameat_with(self.folder, from, self.folder, to, flags)
    }

    fn identity(&self, name: &OsStr) -> io::Result<Identity> {
        let flags = HELD | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let held = File::from(rustix::fs::openat(self.folder, name, flags, Mode::empty())?);
        let metadata = held.metadata()?;
        Ok(Identity {
            number: (metadata.dev(), metadata.ino()),
            _held: held,
        })
    }

    /// Whether a regular file of that name holds exactly these bytes.
    fn holds(&self, name: &OsStr, bytes: &[u8]) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::openat(self.folder, name, flags, Mode::empty()) else {
            return false;
        };
        let regular = rustix::fs::fstat(file.as_fd())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
        let mut found = Vec::new();
        let limit = bytes.len() as u64 + 1;
        regular && File::from(file).take(limit).read_to_end(&mut found).is_ok() && found == bytes
    }
}

/// The path by which this process reaches an open folder; where the system has none, the one that it was opened by.
pub(super) fn path_of(folder: &OwnedFd, opened_by: &Path) -> PathBuf {
    if cfg!(target_os = "linux") {
        format!("/proc/self/fd/{}", folder.as_raw_fd()).into()
    } else {
        opened_by.to_owned()
    }
}

/// Opens a folder, for what is done in it.
pub(super) fn folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests;
