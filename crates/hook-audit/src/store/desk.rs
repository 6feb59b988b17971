//! Opening files, and what is told beside.

use std::{
    collections::{BTreeSet, VecDeque},
    fs, io,
    path::Path,
};

use super::{
    ATTEMPTS, FileName, Settings, StoreError, StoreErrorKind, SyncPolicy,
    file::{Current, OpenError, foreign},
};

/// How much is kept until it is told; more of the same would say nothing new.
const MOST_TROUBLE: usize = 16;

/// What went wrong beside writing, and of which files that was said already.
#[derive(Debug, Default)]
pub(super) struct Desk {
    trouble: VecDeque<StoreError>,
    told: BTreeSet<FileName>,
}

/// A part of a day that follows another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) name: FileName,
    pub(super) is_there: bool,
}

/// Why a file cannot be written to.
#[derive(Debug)]
pub(super) enum Refused {
    /// It was made by no recorder of this user, which is told; another file will do.
    Foreign,
    /// Any other reason.
    Failed(StoreError),
}

impl Desk {
    /// The next thing that went wrong and was not said yet.
    pub(super) fn trouble(&mut self) -> Option<StoreError> {
        self.trouble.pop_front()
    }

    fn tell(&mut self, error: StoreError) {
        if self.trouble.len() < MOST_TROUBLE {
            self.trouble.push_back(error);
        }
    }

    /// Tells of a file, once.
    fn tell_of(&mut self, name: FileName, kind: StoreErrorKind, path: &Path, source: io::Error) {
        if self.told.len() < MOST_TROUBLE && self.told.insert(name) {
            self.tell(StoreError::new(kind, path, source));
        }
    }

    /// Tells of a file that no recorder made, by its name.
    pub(super) fn tell_of_stray(&mut self, directory: &Path, name: FileName) {
        let path = directory.join(name.to_string());
        let why =
            io::Error::other("its name is later than tomorrow, or past the last part of a day");
        self.tell_of(name, StoreErrorKind::Stray, &path, why);
    }

    /// The part that follows in a day, past those that no recorder of this user made, which is told. Nothing after the last.
    pub(super) fn next_part(&mut self, settings: &Settings, name: FileName) -> Option<Next> {
        let mut name = name;
        for _ in 0..ATTEMPTS {
            name = name.next()?;
            let path = settings.directory.join(name.to_string());
            let there = fs::symlink_metadata(&path).ok();
            let is_there = there.is_some();
            let Some(why) = there.as_ref().and_then(foreign) else {
                return Some(Next { name, is_there });
            };
            self.tell_of(name, StoreErrorKind::Foreign, &path, why);
        }
        None
    }

    /// Opens a file, makes it if there is none, and then removes what is too old.
    pub(super) fn open(&mut self, settings: &Settings, name: FileName) -> Result<Current, Refused> {
        let directory = &settings.directory;
        let path = directory.join(name.to_string());
        let (current, is_new) = match Current::open(name, path.clone()) {
            Ok(opened) => opened,
            Err(OpenError::Foreign(why)) => {
                self.tell_of(name, StoreErrorKind::Foreign, &path, why);
                return Err(Refused::Foreign);
            }
            Err(OpenError::Failed(source)) => {
                let error = StoreError::new(StoreErrorKind::Open, &path, source);
                return Err(Refused::Failed(error));
            }
        };
        if is_new {
            self.keep_house(settings, name);
        }
        Ok(current)
    }

    fn keep_house(&mut self, settings: &Settings, name: FileName) {
        let directory = &settings.directory;
        let synced = match settings.sync {
            SyncPolicy::Never => Ok(()),
            SyncPolicy::Every(_) | SyncPolicy::Always => {
                fs::File::open(directory).and_then(|directory| directory.sync_all())
            }
        };
        if let Err(error) = settings.retention.prune(directory, name) {
            self.tell(error);
        }
        if let Err(error) = synced {
            self.tell(StoreError::new(StoreErrorKind::Sync, directory, error));
        }
    }
}
