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
    /// Somebody else could listen there.
    #[error("{} is not safe to listen in: {flaw}; move it away, and try again", .path.display())]
    Unsafe { path: PathBuf, flaw: &'static str },
    /// There is one.
    #[error("another resident chain serves this workspace already; its process id is in {}", .lock.display())]
    Taken { lock: PathBuf },
    /// The system refuses.
    #[error("cannot listen on {}: {source}", .path.display())]
    Listen { path: PathBuf, source: io::Error },
}
