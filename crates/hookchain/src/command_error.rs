//! Why a command could not do what it was asked.

use std::{error::Error, io, path::PathBuf};

use hook_audit::{ReadError, VerifyError};
use hook_config::HookConfigError;
use hook_dialect::{PayloadError, config::DialectConfigError};
use hook_runner::BuildError;
use thiserror::Error as ThisError;

use crate::{
    bridge::SettingsError,
    handed::{Wrong, located},
    init::InitError,
    serve::ServeError,
    test::{CopyError, FindError},
};

/// Why a command could not do what it was asked. Nothing was decided.
#[derive(Debug, ThisError)]
pub(crate) enum CommandError {
    /// The arguments are wrong in a way that their declaration cannot say.
    #[error(transparent)]
    Usage(Box<clap::Error>),
    /// The declared hooks cannot be used. No hook was asked.
    #[error(transparent)]
    Config(#[from] HookConfigError),
    /// A declared hook cannot be asked by this program. No hook was asked.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The settings of an agent cannot be used. No hook was asked.
    #[error(transparent)]
    Settings(#[from] DialectConfigError),
    /// Facts could not be read from their source.
    #[error("cannot read the facts from {from}: {source}")]
    ReadFacts { from: String, source: io::Error },
    /// What was read are no facts.
    #[error("{}", located(.error, .from, 1))]
    Facts { from: String, error: Wrong },
    /// Hooks would have to be told something that is not known. No hook was asked.
    #[error(transparent)]
    Untold(#[from] PayloadError),
    /// A call could not be read from its source.
    #[error("cannot read the call from {from}: {source}")]
    Read { from: String, source: io::Error },
    /// What was read is no call.
    #[error("{}", located(.error, .from, 1))]
    Call { from: String, error: Wrong },
    /// The result could not be written.
    #[error("cannot write the result: {0}")]
    Write(io::Error),
    /// A file could not be written.
    #[error("cannot write {}", .path.display())]
    WriteFile { path: PathBuf, source: io::Error },
    /// There are no cases to run.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The workspace cannot be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// A first hook could not be written; the hint says what to do instead.
    #[error("{}", with_causes(.error))]
    Init {
        error: InitError,
        hint: Option<String>,
    },
    /// An agent's settings could not be changed or read.
    #[error(transparent)]
    AgentSettings(#[from] SettingsError),
    /// A resident chain cannot serve.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// Records could not be read.
    #[error("cannot read records")]
    Records(#[source] ReadError),
    /// The chain of records could not be looked at.
    #[error("cannot verify records")]
    Verify(#[source] VerifyError),
    /// The process could not be set up.
    #[error("cannot start: {0}")]
    Setup(io::Error),
}

impl CommandError {
    /// What the operator is told, if there is anything to tell.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            // Whoever closed the other end knows.
            Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            // Lines that begin with a place, as editors and other tools read them.
            Self::Config(error) => {
                let errors = error.each().iter().map(|error| with_causes(error));
                Some(errors.collect::<Vec<_>>().join("\n"))
            }
            Self::Settings(error) => {
                let errors = error.each().iter().map(|error| with_causes(error));
                Some(errors.collect::<Vec<_>>().join("\n"))
            }
            Self::Call { .. } | Self::Facts { .. } | Self::Find(FindError::Invalid(_)) => {
                Some(self.to_string())
            }
            Self::Init {
                hint: Some(hint), ..
            } => Some(format!("error: {self}\n{hint}")),
            Self::AgentSettings(_)
            | Self::Records(_)
            | Self::Verify(_)
            | Self::Find(_)
            | Self::Copy(_)
            | Self::WriteFile { .. }
            | Self::Init { .. } => Some(format!("error: {}", with_causes(self))),
            Self::Usage(_)
            | Self::Read { .. }
            | Self::ReadFacts { .. }
            | Self::Write(_)
            | Self::Build(_)
            | Self::Serve(_)
            | Self::Setup(_) => Some(format!("error: {self}")),
            Self::Untold(_) => Some(format!(
                "error: {self} (with --fact, or in what --facts reads)"
            )),
        }
    }
}

/// The error and what it was caused by.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
