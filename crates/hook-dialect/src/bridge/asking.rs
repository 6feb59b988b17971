//! What an agent makes of an ask, mode by mode.

use std::ffi::OsString;

use super::{Bridge, BridgeRow};

/// A mode of an agent in which an ask stops the call until it is answered. In a mode without a row the bridge denies.
///
/// Every row was seen with the agent itself: `tests/e2e/asking.json` has what came of each, and a test compares the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AskRow {
    /// Whether the agent says that a person sits before it.
    pub attendance: Attendance,
    /// The `permission_mode` of the payload.
    pub permission_mode: &'static str,
    /// Who is asked.
    pub asks: Asks,
    /// Whether another input beside the ask is what the question shows and what runs after a yes.
    pub takes_input: bool,
}

/// Whether a person sits before an agent, as its hooks can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the bridge has a word for each")]
pub enum Attendance {
    /// The agent runs in a terminal with a person.
    Attended,
    /// The agent runs by itself, or in another program that may ask a person and may not.
    Unattended,
    /// The agent does not say.
    #[default]
    Unknown,
}

/// Who is asked in a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Asks {
    /// The person before the agent, who reads the reason.
    Person,
    /// The program in which the agent runs, or the tool that answers for a person there. Where there is neither, the agent
    /// refuses the call, and the model reads the reason, which therefore says how a person runs it by hand.
    HostIfAny,
}

/// The variable by which an agent tells its hooks whether a person sits before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttendanceVariable {
    /// The name.
    pub name: &'static str,
    /// The value where a person does.
    pub attended: &'static str,
    /// The value everywhere else.
    pub unattended: &'static str,
}

impl Attendance {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Attended, Self::Unattended, Self::Unknown];

    /// The word for it, which [`named`](Self::named) reads.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Attended => "attended",
            Self::Unattended => "unattended",
            Self::Unknown => "unknown",
        }
    }

    /// The one with that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|this| this.as_str() == word)
    }
}

impl Bridge {
    /// Whether a person sits before the agent, by the environment in which it starts its hooks.
    ///
    /// ```
    /// use hook_dialect::bridge::{Attendance, Bridge};
    ///
    /// let environment = |name: &str| (name == "CLAUDE_CODE_SESSION_ATTENDED").then(|| "1".into());
    /// assert_eq!(Bridge::CLAUDE.attendance(environment), Attendance::Attended);
    /// assert_eq!(Bridge::CODEX.attendance(environment), Attendance::Unknown);
    /// ```
    #[must_use]
    pub fn attendance(&self, environment: impl FnOnce(&str) -> Option<OsString>) -> Attendance {
        let Some(variable) = &self.attendance else {
            return Attendance::Unknown;
        };
        match environment(variable.name) {
            Some(value) if value == variable.attended => Attendance::Attended,
            Some(value) if value == variable.unattended => Attendance::Unattended,
            Some(_) | None => Attendance::Unknown,
        }
    }
}

impl BridgeRow {
    /// What an ask comes to in a mode; nothing where the bridge has to deny.
    #[must_use]
    pub fn ask_in(&self, attendance: Attendance, permission_mode: Option<&str>) -> Option<&AskRow> {
        self.asks.iter().find(|row| {
            row.attendance == attendance && Some(row.permission_mode) == permission_mode
        })
    }
}
