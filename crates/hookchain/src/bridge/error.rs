//! Why a question of an agent could not be judged.

use std::{io, path::PathBuf};

use hook_config::HookConfigError;
use hook_dialect::bridge::PayloadFault;
use hook_runner::BuildError;
use thiserror::Error;

use crate::command_error::with_causes;

/// Why a question of an agent could not be judged. The call is blocked, whatever it is.
#[derive(Debug, Error)]
pub(crate) enum BridgeError {
    /// Standard input broke.
    #[error("what the agent sent cannot be read: {0}")]
    Stdin(io::Error),
    /// It is nothing that is known.
    #[error(transparent)]
    Payload(#[from] PayloadFault),
    /// There is no such workspace.
    #[error("{} is no directory that can be reached, and the hooks of the workspace are looked for from there", .path.display())]
    NoDirectory { path: PathBuf },
    /// There is more than one.
    #[error(
        "{} and {} both hold hooks for what is done here, and only one workspace can be asked; say which with --workspace in the agent's settings",
        .outer.display(),
        .inner.display()
    )]
    TwoWorkspaces { outer: PathBuf, inner: PathBuf },
    /// The hooks files cannot be used.
    #[error("{}", .0.each().iter().map(|error| with_causes(error)).collect::<Vec<_>>().join("\n"))]
    Config(HookConfigError),
    /// A declared hook cannot be asked by this program.
    #[error(transparent)]
    Build(BuildError),
    /// The process could not be set up.
    #[error("the hooks cannot be started: {0}")]
    Setup(io::Error),
    /// Somebody wants the process to end.
    #[error("a signal ({0}) ended it before the hooks had answered")]
    Signal(u8),
    /// Something of our own.
    #[error("it broke inside: {0}; that is a mistake in hookchain, please report it")]
    Panic(String),
    /// Everything together took too long.
    #[error("there was no answer within {0} s")]
    Late(u64),
}

impl BridgeError {
    /// What the agent is told.
    pub(crate) fn reason(&self) -> String {
        format!("hookchain cannot judge this, and so it is blocked: {self}")
    }
}
