//! A directory of record files that several processes append to at once.
//!
//! One file for each day in UTC, divided into parts when it grows ([`FileName`]). Nothing is ever renamed and nothing that
//! was written is changed, so that a process which has not noticed a new part yet does no harm: its lines stand at the
//! end of the part before.
//!
//! Lines are added whole: one write to a file opened for appending, under an advisory lock, many lines at a time. The lock
//! is waited for a second at most; a process that was stopped while it held it must not stop all others, and a single
//! write is whole on every local file system. What a process that was killed left unfinished gets a line end from the next
//! writer, so that it spoils no other line.

mod chain;
mod error;
mod file;
mod lines;
mod lock;
mod name;
mod retention;

use std::{
    fs, io,
    path::PathBuf,
    time::{Duration, Instant},
};

use self::{
    chain::Chain,
    file::{Appended, Current},
    lock::Lock,
};
pub(crate) use self::{chain::previous, lines::Lines, name::files};
pub use self::{
    error::{StoreError, StoreErrorKind},
    name::FileName,
    retention::Retention,
};
use crate::Date;

/// How much is written at once, at least one line. More would keep others waiting.
const CHUNK_BYTES: usize = 256 * 1024;

/// How often a file may turn out to be full or gone before an attempt to write is given up.
const ATTEMPTS: usize = 16;

/// When what was written is known to be on the disk, and not only in the system's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyncPolicy {
    /// When the system gets to it. A crash of the process loses nothing that was written; a crash of the machine may lose
    /// the last half minute.
    #[default]
    Never,
    /// After a write, when the last time is that long ago, and at the end.
    Every(Duration),
    /// After every write.
    Always,
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) directory: PathBuf,
    pub(crate) max_file_bytes: u64,
    pub(crate) retention: Retention,
    pub(crate) sync: SyncPolicy,
    pub(crate) is_chained: bool,
}

#[derive(Debug)]
pub(crate) struct Store {
    settings: Settings,
    current: Option<Current>,
    chain: Chain,
    /// The time of the last synchronisation, and whether anything was written since.
    synced: Option<Instant>,
    is_dirty: bool,
    /// What went wrong beside writing.
    trouble: Option<StoreError>,
}

impl Store {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            chain: Chain::new(settings.directory.clone()),
            settings,
            current: None,
            synced: None,
            is_dirty: false,
            trouble: None,
        }
    }

    /// Makes the directory, so that it is there from the start. It is not made again when it vanishes: what is then in its
    /// place may be a disk that is not mounted.
    pub(crate) fn make_directory(&self) -> Result<(), StoreError> {
        let directory = &self.settings.directory;
        let made = file::make_directory(directory);
        made.map_err(|source| StoreError::new(StoreErrorKind::Directory, directory, source))
    }

    /// Appends every line and takes it out of `lines`; those that are left could not be written.
    pub(crate) fn append(&mut self, lines: &mut Lines, today: Date) -> Result<(), StoreError> {
        while !lines.is_empty() {
            let (count, result) = self.append_some(lines, today);
            lines.take_out(count);
            if let Err(error) = result {
                // Perhaps another file can be written.
                self.current = None;
                return Err(error);
            }
        }
        self.sync_if_due()
    }

    /// What went wrong beside writing since the last time this was asked.
    pub(crate) fn trouble(&mut self) -> Option<StoreError> {
        self.trouble.take()
    }

    /// Whether today's file can be opened for appending.
    pub(crate) fn check(&mut self, today: Date) -> Result<(), StoreError> {
        self.make_directory()?;
        self.current = Some(self.open_latest(today)?);
        Ok(())
    }

    /// Appends the first lines; says how many are written.
    fn append_some(&mut self, lines: &Lines, today: Date) -> (usize, Result<(), StoreError>) {
        let _alone = match self
            .settings
            .is_chained
            .then(|| self.chain.lock())
            .transpose()
        {
            Ok(lock) => lock,
            Err(error) => return (0, Err(error)),
        };
        for _ in 0..ATTEMPTS {
            match self.try_append(lines, today) {
                Ok(Some(appended)) => {
                    self.is_dirty |= appended.lines > 0;
                    let path = self.path();
                    let result = appended.result;
                    return (
                        appended.lines,
                        result
                            .map_err(|error| StoreError::new(StoreErrorKind::Write, &path, error)),
                    );
                }
                Ok(None) => {}
                Err(error) => return (0, Err(error)),
            }
        }
        let source = io::Error::other("the files were replaced again and again");
        (
            0,
            Err(StoreError::new(StoreErrorKind::Open, &self.path(), source)),
        )
    }

    /// Nothing when another file has to be tried.
    fn try_append(&mut self, lines: &Lines, today: Date) -> Result<Option<Appended>, StoreError> {
        let current = match self.current.take() {
            Some(current) if current.name.date >= today && !self.settings.is_chained => current,
            // In a chain, the line before stands in the last file, whoever made it.
            Some(current) if self.settings.is_chained && self.chain.is_last(&current, today)? => {
                current
            }
            _ => self.open_latest(today)?,
        };
        let current = self.current.insert(current);
        let failed = |kind| {
            let path = current.path.clone();
            move |source| StoreError::new(kind, &path, source)
        };
        let lock = Lock::take(&current.file).map_err(failed(StoreErrorKind::Lock))?;
        let Some(size) = current.size().map_err(failed(StoreErrorKind::Open))? else {
            drop(lock);
            self.current = None;
            return Ok(None);
        };
        let most = file::most_bytes(self.settings.max_file_bytes, lock.is_held());
        // Half of it, where something is added to each line.
        let share = most >> u32::from(self.settings.is_chained);
        let chunk = lines.first(CHUNK_BYTES.min(usize::try_from(share).unwrap_or(usize::MAX)));
        let chained = if self.settings.is_chained {
            let last = self.chain.last(current, size)?;
            Some(chain::linked(chunk.lines(), last))
        } else {
            None
        };
        let bytes = chained.as_ref().map_or(chunk.bytes, |linked| &linked.bytes);
        // One more, for the end of a line that was cut off.
        let is_full = size > 0 && size.saturating_add(bytes.len() as u64 + 1) > most;
        let next = current.name.next();
        if is_full || self.settings.directory.join(next.to_string()).exists() {
            // While the lock is held: whoever gets it next finds that there is a next part, and adds nothing to this one.
            let next = Self::open(&self.settings, next, &mut self.trouble)?;
            drop(lock);
            self.current = Some(next);
            return Ok(None);
        }
        let appended = current.append(bytes, size, lock.is_held());
        match chained {
            Some(linked) if appended.result.is_ok() => {
                self.chain
                    .remember(current, size + appended.bytes, linked.last);
            }
            _ => self.chain.forget(),
        }
        Ok(Some(appended))
    }

    /// The last part of that day, or of a later one if somebody's clock is ahead and the order of lines matters.
    fn open_latest(&mut self, today: Date) -> Result<Current, StoreError> {
        let directory = &self.settings.directory;
        let names = files(directory)
            .map_err(|source| StoreError::new(StoreErrorKind::Directory, directory, source))?;
        let is_candidate = |name: &&FileName| {
            name.date == today || (self.settings.is_chained && name.date > today)
        };
        let latest = names.iter().rev().find(is_candidate).copied();
        let name = latest.unwrap_or_else(|| FileName::first(today));
        Self::open(&self.settings, name, &mut self.trouble)
    }

    fn open(
        settings: &Settings,
        name: FileName,
        trouble: &mut Option<StoreError>,
    ) -> Result<Current, StoreError> {
        let directory = &settings.directory;
        let path = directory.join(name.to_string());
        let (current, is_new) = Current::open(name, path.clone())
            .map_err(|source| StoreError::new(StoreErrorKind::Open, &path, source))?;
        if is_new {
            let pruned = settings.retention.prune(directory, name);
            let synced = match settings.sync {
                SyncPolicy::Never => Ok(()),
                SyncPolicy::Every(_) | SyncPolicy::Always => {
                    fs::File::open(directory).and_then(|directory| directory.sync_all())
                }
            };
            let synced =
                synced.map_err(|error| StoreError::new(StoreErrorKind::Sync, directory, error));
            *trouble = pruned.and(synced).err().or(trouble.take());
        }
        Ok(current)
    }

    fn sync_if_due(&mut self) -> Result<(), StoreError> {
        let is_due = match self.settings.sync {
            SyncPolicy::Never => false,
            SyncPolicy::Always => true,
            SyncPolicy::Every(time) => self.synced.is_none_or(|synced| synced.elapsed() >= time),
        };
        if is_due { self.sync() } else { Ok(()) }
    }

    /// Makes sure that what was written is on the disk, where that was asked for at all.
    pub(crate) fn sync(&mut self) -> Result<(), StoreError> {
        if self.settings.sync == SyncPolicy::Never || !self.is_dirty {
            return Ok(());
        }
        if let Some(current) = &self.current {
            let failed = |source| StoreError::new(StoreErrorKind::Sync, &current.path, source);
            current.file.sync_data().map_err(failed)?;
        }
        self.synced = Some(Instant::now());
        self.is_dirty = false;
        Ok(())
    }

    fn path(&self) -> PathBuf {
        let current = self.current.as_ref();
        current
            .map_or(&self.settings.directory, |current| &current.path)
            .clone()
    }
}

#[cfg(test)]
mod tests;
