//! Being the only one that listens.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
};

use rustix::fs::{FlockOperation, OFlags, flock};
use tokio::net::UnixListener;

use super::{
    error::ServeError,
    place::{self, Place},
};

/// The right to listen, and the socket. What it put into the directory is gone with it.
#[derive(Debug)]
pub(super) struct Seat {
    place: Place,
    listener: UnixListener,
    socket: Metadata,
    lock: File,
}

impl Seat {
    /// Takes it, unless somebody has it: of any number that try at once one succeeds.
    ///
    /// Must be called where tokio's runtime is.
    pub(super) fn take(place: &Place) -> Result<Self, ServeError> {
        place.make()?;
        let lock = locked(place)?;
        let failed = |source| ServeError::Listen {
            path: place.socket().to_owned(),
            source,
        };
        // With the lock in hand, what is there belongs to one that has died.
        match fs::remove_file(place.socket()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(place.socket()).map_err(failed)?;
        // Until here the directory has kept everybody else out.
        fs::set_permissions(place.socket(), Permissions::from_mode(0o600)).map_err(failed)?;
        let socket = place.socket().symlink_metadata().map_err(failed)?;
        Ok(Self {
            place: place.clone(),
            listener,
            socket,
            lock,
        })
    }

    pub(super) fn listener(&self) -> &UnixListener {
        &self.listener
    }

    /// From here on nobody finds it.
    pub(super) fn leave(&self) {
        place::remove(self.place.socket(), &self.socket);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
        // Before the lock is let go, so that whoever gets it next sees that this file is not the one to hold.
        if let Ok(own) = self.lock.metadata() {
            place::remove(self.place.lock(), &own);
        }
    }
}

/// The file that says who listens, locked, with the process's id in it.
fn locked(place: &Place) -> Result<File, ServeError> {
    let path = place.lock();
    let failed = |source| ServeError::Listen {
        path: path.to_owned(),
        source,
    };
    let no_follow = OFlags::NOFOLLOW.bits().cast_signed();
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.mode(0o600).custom_flags(no_follow);
        let mut lock = options.open(path).map_err(failed)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(ServeError::Taken {
                    lock: path.to_owned(),
                });
            }
            Err(error) => return Err(failed(error.into())),
        }
        let own = lock.metadata().map_err(failed)?;
        let found = path.symlink_metadata();
        if found.is_ok_and(|found| place::is_same(&found, &own)) {
            lock.set_len(0).map_err(failed)?;
            writeln!(lock, "{}", std::process::id()).map_err(failed)?;
            return Ok(lock);
        }
        // The one before has removed it between the two.
    }
}
