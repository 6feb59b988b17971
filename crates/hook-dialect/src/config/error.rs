//! Why the agents' files cannot be used.

use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use hook_contract::shown;
use hook_source::{FileError, Severity};
use thiserror::Error;

use super::finding::Finding;

/// Why the agents' files cannot be used. Never to be taken for "no hooks".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DialectConfigError {
    /// The workspace is not a directory. Check the path.
    #[error("the workspace {} is not a directory that can be read; check the path", shown::line(&.path.to_string_lossy()))]
    #[non_exhaustive]
    Workspace {
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The environment names the agent's folder of the user by a relative path, so that a workspace would say what the user
    /// declares. Set an absolute path.
    #[error("{variable} leads to {} for the user's settings, which is not an absolute path; set an absolute one, or unset it", shown::line(&.path.to_string_lossy()))]
    #[non_exhaustive]
    RelativeUserFolder {
        /// The variable.
        variable: &'static str,
        /// Where it leads.
        path: PathBuf,
    },
    /// The environment names the agent's folder of the user, and no folder is there. Correct the variable, or unset it.
    #[error("{variable} names {} for the user's settings, and that is no folder that can be looked into; make it, correct {variable}, or unset it", shown::line(&.path.to_string_lossy()))]
    #[non_exhaustive]
    NamedUserFolder {
        /// The variable.
        variable: &'static str,
        /// What it names.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing says where the agent's settings of the user are. Set `HOME`, or the agent's own variable.
    #[error(
        "cannot tell where the user's settings are: neither {variable} nor HOME names a folder that is there, and the system has noted none for this account; set HOME or {variable}"
    )]
    #[non_exhaustive]
    NoUserFolder {
        /// The agent's own variable.
        variable: &'static str,
    },
    /// A file exists and cannot be read as text, or nobody can say whether it exists.
    #[error(transparent)]
    Unreadable(FileError),
    /// A folder cannot be listed.
    #[error("{} cannot be listed; correct its permissions", shown::line(&.path.to_string_lossy()))]
    #[non_exhaustive]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file was read and is wrong. Correct every problem; each is shown on a line of its own.
    #[error("{}", problem_lines(.findings))]
    #[non_exhaustive]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What was read; the spans of the findings refer to it.
        text: String,
        /// What is wrong and what is odd, in the order of the text; at least one problem.
        findings: Vec<Finding>,
    },
    /// Several of the above, each shown on lines of its own.
    #[error("{}", several_lines(.0))]
    #[non_exhaustive]
    Several(Vec<DialectConfigError>),
}

impl DialectConfigError {
    /// The single errors: those of [`DialectConfigError::Several`], or this one.
    #[must_use]
    pub fn each(&self) -> &[Self] {
        if let Self::Several(errors) = self {
            errors
        } else {
            std::slice::from_ref(self)
        }
    }

    /// The file or folder this is about. Several errors are about no single one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Workspace { path, .. }
            | Self::RelativeUserFolder { path, .. }
            | Self::NamedUserFolder { path, .. }
            | Self::Folder { path, .. }
            | Self::Invalid { path, .. } => Some(path),
            Self::Unreadable(error) => Some(error.path()),
            Self::NoUserFolder { .. } | Self::Several(_) => None,
        }
    }

    /// One word for the kind, which does not change with the message.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Workspace { .. } => "workspace",
            Self::RelativeUserFolder { .. } => "relative_user_folder",
            Self::NamedUserFolder { .. } => "named_user_folder",
            Self::NoUserFolder { .. } => "no_user_folder",
            Self::Unreadable(error) => error.code(),
            Self::Folder { .. } => "folder",
            Self::Invalid { .. } => "invalid",
            Self::Several(_) => "several",
        }
    }

    /// One error out of however many there are; nothing when there are none.
    pub(super) fn of(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() > 1 {
            return Some(Self::Several(errors));
        }
        errors.pop()
    }
}

fn problem_lines(findings: &[Finding]) -> String {
    let problems = findings
        .iter()
        .filter(|finding| finding.what.severity == Severity::Error);
    problems
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The errors one below the other, each with its causes: `source` has room for one cause only.
fn several_lines(errors: &[DialectConfigError]) -> String {
    let mut lines = String::new();
    for error in errors {
        let start = if lines.is_empty() { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _infallible = write!(lines, "{start}{error}");
        if let Some(cause) = std::error::Error::source(error) {
            let _infallible = write!(lines, ": {cause}");
        }
    }
    lines
}
