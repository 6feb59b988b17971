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
mod desk;
mod error;
mod file;
mod lines;
mod lock;
mod name;
mod retention;

use std::{
    io,
    path::PathBuf,
    time::{Duration, Instant},
};

use self::{
    chain::Chain,
    desk::{Desk, Refused},
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
    desk: Desk,
}

impl Store {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            chain: Chain::new(settings.directory.clone()),
            settings,
            current: None,
            synced: None,
            is_dirty: false,
            desk: Desk::default(),
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
        self.desk.trouble()
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
        // After the last part of a day there is none, and the last one grows.
        let next = self.desk.next_part(&self.settings, current.name);
        if let Some(next) = next.filter(|next| is_full || next.is_there) {
            // While the lock is held: whoever gets it next finds that there is a next part, and adds nothing to this one.
            let opened = self.desk.open(&self.settings, next.name);
            drop(lock);
            self.current = match opened {
                Ok(next) => Some(next),
                Err(Refused::Foreign) => Some(self.open_latest(today)?),
                Err(Refused::Failed(error)) => return Err(error),
            };
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

    /// The last part of that day, or of the next one if a clock is ahead and the order of lines matters. What stands there and
    /// was made by no recorder of this user is passed over.
    fn open_latest(&mut self, today: Date) -> Result<Current, StoreError> {
        let directory = &self.settings.directory;
        let names = files(directory)
            .map_err(|source| StoreError::new(StoreErrorKind::Directory, directory, source))?;
        for stray in names.iter().filter(|name| !name.is_likely(today)) {
            self.desk.tell_of_stray(directory, *stray);
        }
        let is_candidate = |name: &&FileName| {
            let is_of_chain = self.settings.is_chained && name.date > today;
            name.is_likely(today) && (name.date == today || is_of_chain)
        };
        let mut candidates = names.iter().rev().filter(is_candidate).copied();
        let latest = candidates.next().unwrap_or_else(|| FileName::first(today));
        let free = || FileName::last_free(latest.date, &names);
        // Behind what is not ours, and where there is nothing behind it, before it.
        let names = [latest].into_iter().chain(latest.next());
        let names = names
            .chain(candidates.take(ATTEMPTS))
            .chain(std::iter::once_with(free).flatten());
        for name in names {
            match self.desk.open(&self.settings, name) {
                Ok(current) => return Ok(current),
                Err(Refused::Failed(error)) => return Err(error),
                Err(Refused::Foreign) => {}
            }
        }
        let source = io::Error::other("others put files where records would go, again and again");
        Err(StoreError::new(StoreErrorKind::Open, directory, source))
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
