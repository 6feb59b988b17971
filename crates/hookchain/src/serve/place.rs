//! The files of one server.

use std::{io, os::unix::fs::FileTypeExt, path::PathBuf};

use super::{
    error::ServeError,
    identity::Identity,
    record::Record,
    state::{self, State},
};

/// A socket, the record of the server that listens on it, and the file whose lock makes it the only one, in the folder of
/// the user's servers.
#[derive(Debug)]
pub(crate) struct Place {
    pub(super) state: State,
    name: String,
}

impl Place {
    /// The place of this server, if there are any.
    pub(crate) fn find(identity: &Identity) -> Result<Option<Self>, ServeError> {
        let state = State::find(identity.workspace())?;
        Ok(state.map(|state| Self::of(state, identity.name())))
    }

    /// The place of this server, which is made unless it is there.
    pub(super) fn make(identity: &Identity) -> Result<Self, ServeError> {
        let state = State::make(identity.workspace())?;
        Ok(Self::of(state, identity.name()))
    }

    fn of(state: State, name: &str) -> Self {
        let name = name.to_owned();
        Self { state, name }
    }

    pub(super) fn socket(&self) -> String {
        socket(&self.name)
    }

    pub(super) fn record(&self) -> String {
        record(&self.name)
    }

    pub(super) fn lock(&self) -> String {
        lock(&self.name)
    }

    /// By which path the socket is reached.
    pub(crate) fn address(&self) -> PathBuf {
        self.state.at(&self.socket())
    }

    /// The record of the server that listens there, if one does.
    pub(crate) fn look(&self) -> Result<Option<Record>, ServeError> {
        let before = Record::read(&self.state, &self.record())?;
        let Some(found) = self.state.look(&self.socket())? else {
            return Ok(None);
        };
        let path = self.state.shown(&self.socket());
        state::own(&path, &found, found.file_type().is_socket(), 0o077)?;
        // A server that has begun or ended between the two has left the record, or has taken the socket with it.
        let record = match before {
            Some(record) => Some(record),
            None => Record::read(&self.state, &self.record())?,
        };
        match record {
            Some(record) => Ok(Some(record)),
            None if self.state.look(&self.socket())?.is_none() => Ok(None),
            None => Err(ServeError::Record {
                path: self.state.shown(&self.record()),
                source: io::ErrorKind::NotFound.into(),
            }),
        }
    }
}

pub(super) fn socket(name: &str) -> String {
    format!("{name}.sock")
}

pub(super) fn record(name: &str) -> String {
    format!("{name}.record")
}

pub(super) fn lock(name: &str) -> String {
    format!("{name}{LOCK}")
}

/// How the name of a file ends whose lock a server has.
pub(super) const LOCK: &str = ".lock";
