//! How the process ends.

use std::process::ExitCode;

/// The exit status of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It is done; for a call: it may happen, as it is or rewritten.
    Done,
    /// Something is wrong: a hooks file, a call, reading or writing.
    Trouble,
    /// The arguments are wrong.
    WrongUsage,
    /// The call was denied.
    Denied,
    /// A person has to agree to the call, and the caller asks one.
    Asked,
    /// An agent's call is blocked, in the way in which agents are told.
    Blocked,
    /// This signal ended it.
    Signalled(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Trouble => 1,
            Status::WrongUsage | Status::Blocked => 2,
            Status::Denied => 3,
            Status::Asked => 4,
            // What a shell reports of a program that died of the signal.
            Status::Signalled(signal) => 128_u8.saturating_add(signal),
        })
    }
}
