//! How many servers a user has.

use std::{
    fs::{File, OpenOptions},
    io,
    sync::mpsc,
    thread,
    time::Duration,
};

use rustix::fs::{FlockOperation, flock};

use super::{
    error::ServeError,
    place::{self, LOCK, Place},
    process,
    record::Record,
    seat,
    state::State,
};

/// As many servers as a user has. A workspace that is left alone is not to keep its workers, and an agent that
/// is started in ever new environments is not to fill the memory.
const MAX_SERVERS: usize = 4;

/// How long one that is asked to end may take for it. Its workers have a second.
const ENDING: Duration = Duration::from_secs(5);

/// Another server.
struct Other {
    lock: File,
    record: Option<Record>,
}

/// Ends the oldest of the others until there is room for one more, and removes what dead ones have left.
pub(super) fn make(place: &Place) -> Result<(), ServeError> {
    let state = &place.state;
    let failed = |source| ServeError::Listen {
        path: state.shown(""),
        source,
    };
    // One after the other: otherwise each of two would count the other among those that are too many.
    let folder = state.again().map_err(failed)?;
    flock(&folder, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
    let mut others = others(state, &place.lock()).map_err(failed)?;
    // One that has left no record yet is only beginning.
    others.sort_by_key(|other| {
        let since = other.record.as_ref().map(|record| record.since);
        since.unwrap_or(u64::MAX)
    });
    let mut too_many = (others.len() + 1).saturating_sub(MAX_SERVERS);
    for other in others {
        if too_many == 0 {
            break;
        }
        if other.ends() {
            too_many -= 1;
        }
    }
    if too_many == 0 {
        Ok(())
    } else {
        Err(ServeError::TooMany { most: MAX_SERVERS })
    }
}

/// The servers that have a lock, but the one with this one.
fn others(state: &State, own: &str) -> io::Result<Vec<Other>> {
    let mut others = Vec::new();
    for file in state.files()? {
        let Some(name) = file.strip_suffix(LOCK).filter(|_| file != own) else {
            continue;
        };
        let mut options = OpenOptions::new();
        // It may have ended since the folder was read.
        let Ok(lock) = state.open(&file, options.read(true)) else {
            continue;
        };
        if seat::held(&lock)? {
            clear(state, name, &lock);
        } else {
            let record = Record::read(state, &place::record(name)).ok().flatten();
            others.push(Other { lock, record });
        }
    }
    Ok(others)
}

/// Removes what a dead server has left; its lock is held.
fn clear(state: &State, name: &str, lock: &File) {
    let file = place::lock(name);
    if let Ok(own) = lock.metadata()
        && state.is(&file, &own)
    {
        for left in [place::socket(name), place::record(name), file] {
            let _gone_or_left = state.remove(&left);
        }
    }
}

impl Other {
    /// Ends it; whether it has ended in time.
    fn ends(self) -> bool {
        let Some(record) = self.record else {
            return false;
        };
        if process::end(record.pid, record.started, &record.program).is_err() {
            return false;
        }
        // Its lock is free when it has ended. A thread that waits for longer ends with this process.
        let (ended, heard) = mpsc::channel();
        let wait = move || {
            let _heard_or_not = ended.send(flock(&self.lock, FlockOperation::LockExclusive));
        };
        let waits = thread::Builder::new().name("room".into()).spawn(wait);
        waits.is_ok() && matches!(heard.recv_timeout(ENDING), Ok(Ok(())))
    }
}
