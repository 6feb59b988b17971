//! Why settings were not changed, or could not be looked at.

use std::{
    io,
    path::{Path, PathBuf},
};

use hook_dialect::config::DialectConfigError;
use hook_source::FileError;
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
    /// It is no file that is to be changed, for another reason.
    #[error("{0}; nothing was written")]
    File(FileError),
    /// It has several names.
    #[error("{} is one file with {names} names (hard links), and would be parted from the others; nothing was written, make it a file of its own or a symbolic link", .path.display())]
    Names { path: PathBuf, names: u64 },
    /// Something that it has cannot be given to the new file.
    #[error("{}: {what} cannot be kept, so nothing was written; run the same command as the owner of the file", .path.display())]
    Kept {
        path: PathBuf,
        what: String,
        source: io::Error,
    },
    /// There are too many copies.
    #[error("{} and all copies before it are there, and none is overwritten; remove those that are not needed, nothing was written", .path.display())]
    Copies { path: PathBuf },
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

impl SettingsError {
    /// Why a file of settings is not read.
    pub(super) fn of_file(path: &Path, error: FileError) -> Self {
        let path = path.to_owned();
        match error {
            FileError::Read { source, .. } => Self::Read { path, source },
            FileError::NotAFile { .. } => Self::NoFile { path },
            FileError::DanglingLink { .. } => Self::Dangling { path },
            FileError::NotText { .. } => Self::NotUtf8 { path },
            other @ (FileError::TooLarge { .. } | FileError::Outside { .. } | _) => {
                Self::File(other)
            }
        }
    }
}
