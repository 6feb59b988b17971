//! Why settings were not changed, or could not be looked at.

use std::{io, path::PathBuf};

use hook_dialect::config::DialectConfigError;
use thiserror::Error;

/// Why an agent's settings were not changed, or could not be looked at.
#[derive(Debug, Error)]
pub(crate) enum SettingsError {
    /// Nobody knows where the user's settings are.
    #[error("the settings of the user are not found: neither {variable} nor HOME is set")]
    NoHome { variable: &'static str },
    /// The project is not there.
    #[error("{} is no directory that can be reached; name the root of the project with --workspace", .path.display())]
    NoProject { path: PathBuf },
    /// A link that leads nowhere.
    #[error("{} is a symbolic link to a file that is not there; nothing was written", .path.display())]
    Dangling { path: PathBuf },
    /// Something else than a file.
    #[error("{} is no regular file; nothing was written", .path.display())]
    NoFile { path: PathBuf },
    /// It cannot be read.
    #[error("cannot read {}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    /// It is no text.
    #[error("{} is not UTF-8; nothing was written", .path.display())]
    NotUtf8 { path: PathBuf },
    /// The agent could not read it.
    #[error("{}: {agent} cannot read this file and ignores it with everything in it: {message}; repair it first, nothing was written", .path.display())]
    Syntax {
        path: PathBuf,
        agent: &'static str,
        message: String,
    },
    /// What should hold the entries is something else.
    #[error("{}: `{member}` is not {wanted}, and {agent} ignores the file for it; repair it first, nothing was written", .path.display())]
    Shape {
        path: PathBuf,
        agent: &'static str,
        member: String,
        wanted: &'static str,
    },
    /// The tables cannot be added to.
    #[error("{}: `hooks` is written on one line there, to which nothing can be added without changing it; write it as tables of its own, nothing was written", .path.display())]
    Inline { path: PathBuf },
    /// The change would have touched something else.
    #[error("{}: the change would touch more than the bridge's own lines; nothing was written, make it by hand as --dry-run shows it for an empty file", .path.display())]
    TouchesMore { path: PathBuf },
    /// Somebody else wrote at the same time.
    #[error("{} was changed by somebody else meanwhile; nothing was written, try again", .path.display())]
    Changed { path: PathBuf },
    /// It cannot be written.
    #[error("cannot write {}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    /// This program has another name.
    #[error(
        "this program is {name}, and its entry is found again by the name hookchain; give one with --program"
    )]
    Program { name: String },
    /// The agent's settings are wrong somewhere.
    #[error("{0}")]
    Agent(DialectConfigError),
}
