//! The advisory lock of a record file.

use std::{
    fs::File,
    io,
    thread::park_timeout,
    time::{Duration, Instant},
};

use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};

/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_secs(1);
const FIRST_WAIT: Duration = Duration::from_micros(200);
const LONGEST_WAIT: Duration = Duration::from_millis(10);

/// A lock until it is dropped, or the knowledge that there is none.
#[derive(Debug)]
pub(super) struct Lock<'a> {
    held: Option<&'a File>,
}

impl<'a> Lock<'a> {
    /// Waits for the lock for a second. Without it a single write is whole as well, on every local file system.
    pub(super) fn take(file: &'a File) -> io::Result<Self> {
        let until = Instant::now() + PATIENCE;
        let mut wait = FIRST_WAIT;
        loop {
            match flock(file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { held: Some(file) }),
                Err(Errno::WOULDBLOCK) if Instant::now() < until => {
                    park_timeout(wait);
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
                Err(Errno::INTR) => {}
                // A file system without locks, or a process that was stopped.
                Err(Errno::WOULDBLOCK | Errno::NOTSUP | Errno::NOLCK | Errno::NOSYS) => {
                    return Ok(Self { held: None });
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(super) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Leaves the lock to whoever has the file; it ends when the file is closed.
    pub(super) fn keep(mut self) {
        self.held = None;
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        if let Some(file) = self.held {
            // It cannot fail for a lock that is held; if it could, closing the file would do it.
            let _unlocked = flock(file, FlockOperation::Unlock);
        }
    }
}
