//! What a server leaves for bridges to know it by.

use std::{
    fmt::{self, Write as _},
    fs::OpenOptions,
    io::{self, Read, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{
    error::ServeError,
    identity::Identity,
    process,
    state::{self, State},
};

/// Which process the server is, and the secret by which it proves so. The server writes it before it listens, into a file
/// that its user alone can read.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// Its process id.
    pub(crate) pid: u32,
    /// When the process began, as the system counts; nothing where it does not say.
    pub(super) started: Option<u64>,
    /// When it was written, in nanoseconds since 1970.
    pub(super) since: u64,
    /// The program that the process runs ([`Identity::program`]).
    pub(super) program: String,
    /// Its limits ([`Identity::limits`]).
    pub(super) limits: String,
    secret: Secret,
}

/// 32 random bytes, which are never sent and never shown.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Secret([u8; 32]);

/// More than any record has.
const MAX_BYTES: u64 = 4096;

impl Record {
    /// The record of this process.
    pub(crate) fn new(identity: &Identity) -> io::Result<Self> {
        let pid = std::process::id();
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.map_or(0, |since| since.as_nanos());
        Ok(Self {
            pid,
            started: process::started(pid),
            since: u64::try_from(since).unwrap_or(u64::MAX),
            program: identity.program().to_owned(),
            limits: identity.limits().to_owned(),
            secret: Secret::new()?,
        })
    }

    /// By what the server proves that it has written this.
    pub(crate) const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Puts it under that name: whole, or not at all.
    pub(super) fn write(&self, state: &State, file: &str) -> io::Result<()> {
        let new = format!("{file}.new");
        state.remove(&new)?;
        let mut options = OpenOptions::new();
        let mut written = state.open(&new, options.write(true).create_new(true))?;
        written.write_all(&serde_json::to_vec(self)?)?;
        std::fs::rename(state.at(&new), state.at(file))
    }

    /// Reads it, unless there is none. It counts only in a file that the user alone can read and write.
    pub(super) fn read(state: &State, file: &str) -> Result<Option<Self>, ServeError> {
        let path = state.shown(file);
        let failed = |source| ServeError::Record {
            path: path.clone(),
            source,
        };
        // A pipe is not opened: it is looked at before.
        let Some(found) = state.look(file)? else {
            return Ok(None);
        };
        state::own(&path, &found, found.is_file(), 0o077)?;
        let opened = match state.open(file, OpenOptions::new().read(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(failed)?,
        };
        let found = opened.metadata().map_err(failed)?;
        state::own(&path, &found, found.is_file(), 0o077)?;
        let mut text = Vec::new();
        let read = opened.take(MAX_BYTES).read_to_end(&mut text);
        read.map_err(failed)?;
        let record = serde_json::from_slice(&text);
        record.map(Some).map_err(|error| failed(error.into()))
    }
}

impl Secret {
    fn new() -> io::Result<Self> {
        random().map(Self)
    }

    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// 32 bytes as they come from the system.
pub(super) fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        secret.0.iter().fold(Self::new(), |mut text, byte| {
            let _never_fails = write!(text, "{byte:02x}");
            text
        })
    }
}

impl TryFrom<String> for Secret {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let wrong = "a secret has 64 digits of base 16";
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong);
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            let digits = text.get(2 * index..2 * index + 2).ok_or(wrong)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_digit| wrong)?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_64_digits_and_is_not_shown() {
        let secret = Secret::new().expect("random");
        let text = String::from(secret.clone());
        assert_eq!(text.len(), 64);
        assert_eq!(format!("{secret:?}"), "Secret(..)");
        let again = Secret::try_from(text.clone()).expect("the same");
        assert_eq!(again.bytes(), secret.bytes());
        assert_ne!(Secret::new().expect("random").bytes(), secret.bytes());
        let short = text.get(1..).expect("ASCII").to_owned();
        for wrong in [
            "",
            &short,
            &"g".repeat(64),
            &"é".repeat(32),
            &format!("{text}00"),
        ] {
            assert!(Secret::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
