//! What is allowed in a hooks file, and probably not what its author wants.

use std::{fmt, path::PathBuf};

use hook_source::Shown;
use thiserror::Error;

use crate::problem::Place;

/// Something in a hooks file that is allowed and probably not meant.
///
/// Shown as `line:column: warning: hook: what is odd; what to do`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: WarningKind,
}

impl Warning {
    pub(crate) const fn new(place: Place, kind: WarningKind) -> Self {
        Self { place, kind }
    }

    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        self.kind.help()
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, help) = (&self.kind, self.help());
        write!(f, "{}{kind}; {help}", self.place.prefix("warning: "))
    }
}

/// A [`Warning`] and the file it is about.
///
/// Shown as `path:line:column: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookConfigWarning {
    /// The file.
    pub path: PathBuf,
    /// What is odd in it.
    pub warning: Warning,
}

impl fmt::Display for HookConfigWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.warning)
    }
}

/// What can be odd in a hooks file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// A field that this version does not know, and that is no misspelling of one it knows.
    #[error("the field `{}` is not known and has no effect", Shown(.field))]
    #[non_exhaustive]
    UnknownField {
        /// The field.
        field: String,
    },
    /// `tools` is an empty list, so the hook is never asked.
    #[error("`tools` is empty, so this hook is never asked")]
    NeverAsked,
    /// An entry of `tools` that can hardly be the exact name of a tool: a pattern, a list, or nothing.
    #[error("`{}` is compared as it stands and is hardly the name of a tool", Shown(.tool))]
    #[non_exhaustive]
    PatternInTools {
        /// The entry.
        tool: String,
    },
    /// The same tool stands twice in one list.
    #[error("the tool `{}` is listed twice", Shown(.tool))]
    #[non_exhaustive]
    DuplicateTool {
        /// The tool.
        tool: String,
    },
    /// An entry that says exactly what an earlier entry says; it is asked all the same.
    #[error("this entry is the same as hooks[{first}], so the hook is asked twice")]
    #[non_exhaustive]
    DuplicateHook {
        /// The earlier entry, from 0.
        first: usize,
    },
    /// There are more warnings than are listed.
    #[error("{count} more warnings")]
    #[non_exhaustive]
    More {
        /// How many are not listed.
        count: usize,
    },
}

impl WarningKind {
    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "remove it, or use a version that knows it",
            Self::NeverAsked => "list tools, or leave the field out for every tool",
            Self::PatternInTools { .. } => {
                "list each tool by its exact name, or leave the field out for every tool"
            }
            Self::DuplicateTool { .. } | Self::DuplicateHook { .. } => "remove one of the two",
            Self::More { .. } => "look at those above first",
        }
    }
}
