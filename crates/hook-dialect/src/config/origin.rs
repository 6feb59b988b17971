//! Where a hook is declared.

use std::{fmt, path::PathBuf};

use hook_contract::shown;

/// The line of the file that declares a hook.
///
/// Shown as scope, path and line: `project /repo/.claude/settings.json:7`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// Whose file it is.
    pub scope: Scope,
    /// The file, as it was looked for.
    pub path: PathBuf,
    /// The line on which the handler begins, from 1.
    pub line: usize,
}

impl Origin {
    /// A line of a file.
    #[must_use]
    pub const fn new(scope: Scope, path: PathBuf, line: usize) -> Self {
        Self { scope, path, line }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, path, line } = self;
        let path = shown::line(&path.to_string_lossy());
        write!(f, "{scope} {path}:{line}")
    }
}

/// Whose file it is, in the order in which hooks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// What an organisation has put on the machine: `managed-settings.json`, `requirements.toml`.
    Managed,
    /// What the machine's administrator offers as a default: Codex's system folder.
    System,
    /// The user's own.
    User,
    /// The project's, shared by everybody who works on it.
    Project,
    /// The user's own in this project: `settings.local.json`.
    Local,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] = [
        Self::Managed,
        Self::System,
        Self::User,
        Self::Project,
        Self::Local,
    ];

    /// Whether what a file of this scope says about other files' hooks reaches hooks of the other scope: it does where the
    /// other one ranks no higher. Both scopes of a project have one rank, because both files lie in what came with it.
    #[must_use]
    pub const fn reaches(self, hooks: Self) -> bool {
        self.rank() >= hooks.rank()
    }

    const fn rank(self) -> u8 {
        match self {
            Self::Managed => 3,
            Self::System => 2,
            Self::User => 1,
            Self::Project | Self::Local => 0,
        }
    }

    /// The name in messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::System => "system",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
