//! Being the only one that listens.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
};

use rustix::fs::{FlockOperation, flock};
use tokio::net::UnixListener;

use super::{
    error::ServeError,
    identity::Identity,
    place::Place,
    record::{Record, Secret},
    room,
};

/// The right to listen, and the socket. What it put into the folder is gone with it.
#[derive(Debug)]
pub(super) struct Seat {
    place: Place,
    listener: UnixListener,
    socket: Metadata,
    record: Metadata,
    secret: Secret,
    lock: File,
}

impl Seat {
    /// Takes it, unless another process has it: of any number that try at once one succeeds. The oldest of the user's other
    /// servers ends for it when there are too many.
    ///
    /// Must be called where tokio's runtime is.
    pub(super) fn take(place: Place, identity: &Identity) -> Result<Self, ServeError> {
        let lock = locked(&place)?;
        room::make(&place)?;
        let (state, socket, record) = (&place.state, place.socket(), place.record());
        let failed = |source| ServeError::Listen {
            path: state.shown(&socket),
            source,
        };
        // With the lock in hand, what is there belongs to one that has died.
        state.remove(&socket).map_err(failed)?;
        let proof = Record::new(identity).map_err(failed)?;
        proof.write(state, &record).map_err(failed)?;
        let record = state.at(&record).symlink_metadata().map_err(failed)?;
        let address = state.at(&socket);
        let listener = UnixListener::bind(&address).map_err(failed)?;
        // Until here the folder has kept everybody else out.
        fs::set_permissions(&address, Permissions::from_mode(0o600)).map_err(failed)?;
        let socket = address.symlink_metadata().map_err(failed)?;
        Ok(Self {
            listener,
            socket,
            record,
            secret: proof.secret().clone(),
            lock,
            place,
        })
    }

    pub(super) fn listener(&self) -> &UnixListener {
        &self.listener
    }

    pub(super) fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Where it listens, as a person is told it.
    pub(super) fn shown(&self) -> PathBuf {
        self.place.state.shown(&self.place.socket())
    }

    /// From here on nobody finds it.
    pub(super) fn leave(&self) {
        let state = &self.place.state;
        state.remove_own(&self.place.socket(), &self.socket);
        state.remove_own(&self.place.record(), &self.record);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
        // Before the lock is let go, so that whoever gets it next sees that this file is not the one to hold.
        if let Ok(own) = self.lock.metadata() {
            self.place.state.remove_own(&self.place.lock(), &own);
        }
    }
}

/// The file that says who listens, locked, with the process's id in it.
fn locked(place: &Place) -> Result<File, ServeError> {
    let (state, file) = (&place.state, place.lock());
    let path = || state.shown(&file);
    let failed = |source| ServeError::Listen {
        path: path(),
        source,
    };
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut lock = state.open(&file, &mut options).map_err(failed)?;
        if !held(&lock).map_err(failed)? {
            return Err(ServeError::Taken { lock: path() });
        }
        let own = lock.metadata().map_err(failed)?;
        if state.is(&file, &own) {
            lock.set_len(0).map_err(failed)?;
            writeln!(lock, "{}", std::process::id()).map_err(failed)?;
            return Ok(lock);
        }
        // The one before has removed it between the two.
    }
}

/// Takes the lock, unless another process has it.
pub(super) fn held(lock: &File) -> io::Result<bool> {
    match flock(lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
