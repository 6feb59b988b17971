//! What is wrong in an agent's settings, and where.

pub(super) mod codes;
mod report;
mod words;

use std::{fmt, path::PathBuf};

use hook_contract::shown;
use hook_source::Diagnostic;

pub(super) use self::report::Report;
pub(super) use self::words::*;

/// Something that is wrong, or odd, in an agent's settings.
///
/// Shown as `path:line:column: where: what; what to write`, and what the agent does about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    pub path: PathBuf,
    /// What it is and where. Its subject is the part of the settings (`PreToolUse[0].hooks[1]`), and its note what the agent
    /// itself does about it (`Claude Code leaves the hook out`), where that is worth telling.
    pub what: Diagnostic,
}

/// What costs no hook its answer, and can wait for a look at the settings.
const CAN_WAIT: [&str; 3] = [codes::NOTE, codes::MILLISECONDS, codes::FOREIGN_TOOL];

impl Finding {
    /// Whether the operator has to hear of it when calls are made as well, and not only when the settings are looked at.
    #[must_use]
    pub fn at_calls(&self) -> bool {
        !CAN_WAIT.contains(&self.what.code)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown::line(&self.path.to_string_lossy());
        write!(f, "{path}:{}", self.what)
    }
}

/// What the agent itself does about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtHome {
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
    /// It switches the hooks of other files off, too.
    SwitchesAllOff,
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
            Self::SwitchesAllOff => "switches those off as well",
            Self::Refuses => "does not start",
        })
    }
}
