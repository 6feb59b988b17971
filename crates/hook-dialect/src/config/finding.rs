//! What is wrong in an agent's settings, and where.

mod help;
mod kind;
mod report;

use std::{fmt, ops::Range, path::PathBuf};

use hook_contract::{json::Position, shown};
use hook_source::Shown;

pub use self::kind::FindingKind;
pub(super) use self::report::Report;

/// Something that is wrong, or odd, in an agent's settings.
///
/// Shown as `path:line:column: where: what; what to write`, and what the agent does about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    pub path: PathBuf,
    /// Line and column of the first character.
    pub position: Position,
    /// The bytes of the text that are meant.
    pub span: Range<usize>,
    /// Which part of the settings it is in: `PreToolUse[0].hooks[1]`.
    pub at: Option<String>,
    /// What it is.
    pub kind: FindingKind,
    /// Whether it keeps the settings from being used.
    pub severity: Severity,
    /// The name of the agent.
    pub agent: &'static str,
    /// What the agent itself does about it.
    pub at_home: AtHome,
}

impl Finding {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        self.kind.help()
    }

    /// What the agent itself does about it, where that is worth telling: `Claude Code leaves the hook out`.
    #[must_use]
    pub fn at_home(&self) -> Option<String> {
        let at_home = self.at_home.as_str()?;
        Some(format!("{} {at_home}", self.agent))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.position;
        let path = shown::line(&self.path.to_string_lossy());
        write!(f, "{path}:{line}:{column}: ")?;
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        if let Some(at) = &self.at {
            write!(f, "{}: ", Shown(at))?;
        }
        write!(f, "{}; {}", self.kind, self.help())?;
        match self.at_home() {
            Some(at_home) => write!(f, " ({at_home})"),
            None => Ok(()),
        }
    }
}

/// Whether a finding keeps settings from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever shows findings must tell them apart"
)]
pub enum Severity {
    /// It does: somebody may count on what is wrong there.
    Problem,
    /// It is allowed, and probably not meant.
    Warning,
}

/// What the agent itself does about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AtHome {
    /// Nothing worth telling.
    Nothing,
    /// It uses none of the file.
    DropsFile,
    /// It uses none of the group.
    DropsGroup,
    /// It does not use the handler.
    DropsHandler,
    /// It never asks the hook.
    NeverAsks,
    /// It goes on without the field.
    Ignores,
    /// It uses what stands last.
    TakesLast,
    /// It does not start.
    Refuses,
}

impl AtHome {
    const fn as_str(self) -> Option<&'static str> {
        Some(match self {
            Self::Nothing => return None,
            Self::DropsFile => "uses nothing of the file",
            Self::DropsGroup => "leaves the group out",
            Self::DropsHandler => "leaves the hook out",
            Self::NeverAsks => "never asks the hook",
            Self::Ignores => "ignores it",
            Self::TakesLast => "takes the last one",
            Self::Refuses => "does not start",
        })
    }
}
