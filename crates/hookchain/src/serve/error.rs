//! Why a resident chain cannot serve.

use std::{io, path::PathBuf};

use thiserror::Error;

/// Why a resident chain cannot serve. Bridges decide by themselves then.
#[derive(Debug, Error)]
pub(crate) enum ServeError {
    /// The workspace cannot be named.
    #[error("the workspace {} cannot be reached: {source}", .path.display())]
    Workspace { path: PathBuf, source: io::Error },
    /// The program cannot be recognised again.
    #[error(
        "this program cannot be looked at, and so nobody could tell it from another version: {0}"
    )]
    Program(io::Error),
    /// It would count as a hook.
    #[error(
        "HOOKCHAIN_DEPTH is set: a hook cannot start a resident chain, because what it starts would count as started by the hook"
    )]
    WithinHook,
    /// Something is in the way to where it would listen.
    #[error("{} is not safe to listen in: {flaw}; move it away, and try again", .path.display())]
    Unsafe { path: PathBuf, flaw: &'static str },
    /// A command of an agent could put something else in the place of the folder.
    #[error(
        "the folder for resident chains leads through {}, where {why}, and so others than the user could answer there; name another one with XDG_STATE_HOME",
        .through.display()
    )]
    Through { through: PathBuf, why: &'static str },
    /// It would be another folder for each working directory.
    #[error(
        "the folder for resident chains is below {}, which is no absolute path; name one with XDG_STATE_HOME",
        .path.display()
    )]
    Relative { path: PathBuf },
    /// There is no folder of the user.
    #[error(
        "the user has no folder that is there; name one for resident chains with XDG_STATE_HOME"
    )]
    NoHome,
    /// Nothing proves who listens.
    #[error("the record of a resident chain, {}, cannot be used: {source}; end the chain, or remove what it has left", .path.display())]
    Record { path: PathBuf, source: io::Error },
    /// There is one.
    #[error("another resident chain serves this workspace already; its process id is in {}", .lock.display())]
    Taken { lock: PathBuf },
    /// The others do not end.
    #[error(
        "there are {most} resident chains of this user already, and none of them ends; end one with `kill`"
    )]
    TooMany { most: usize },
    /// The system refuses.
    #[error("cannot listen on {}: {source}", .path.display())]
    Listen { path: PathBuf, source: io::Error },
}
