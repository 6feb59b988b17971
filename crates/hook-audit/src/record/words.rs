//! The words in which a record says what was decided.

use hook_contract::{Decision, OnFailure};
use hook_runner::FailureKind;
use serde::{Deserialize, Serialize};

/// What a participant decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordedDecision {
    /// No objection.
    Allow,
    /// The call does not happen, or its result is withheld.
    Deny,
    /// A person has to agree.
    Ask,
    /// Another input.
    Modify,
    /// Another result.
    Replace,
    /// It decided nothing, and asked the agent to halt.
    Stop,
    /// It decided nothing.
    Pass,
}

impl RecordedDecision {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Modify => "modify",
            Self::Replace => "replace",
            Self::Stop => "stop",
            Self::Pass => "pass",
        }
    }
}

impl RecordedDecision {
    /// The word for what a participant decided, which also asked the agent to halt or did not. A participant that failed
    /// decided nothing; what that meant for the call stands beside the word.
    pub(crate) const fn of(decision: Option<Decision>, stops: bool) -> Self {
        match decision {
            // A participant that asks for a halt and objects to nothing has decided nothing about the call.
            Some(Decision::Allow) | None if stops => Self::Stop,
            Some(Decision::Allow) => Self::Allow,
            Some(Decision::Deny) => Self::Deny,
            Some(Decision::Ask) => Self::Ask,
            Some(Decision::Modify) => Self::Modify,
            Some(Decision::Replace) => Self::Replace,
            Some(_) | None => Self::Pass,
        }
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordedOutcome {
    /// It happens, or is seen, as it stands.
    Allow,
    /// It does not happen, or its result is withheld.
    Deny,
    /// The tool runs with another input.
    Modify,
    /// The model sees another result.
    Replace,
    /// A person has to agree, and the caller of the runtime asks one: what came of the call is not recorded.
    Ask,
    /// Nobody knows: the runtime dropped the consultation before its end.
    Abandoned,
}

impl RecordedOutcome {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Modify => "modify",
            Self::Replace => "replace",
            Self::Ask => "ask",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Why a participant decided nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordedFailure {
    /// The kind of failure, one word: `timeout`, `exit`, `not_an_answer`, and so on. There may be new ones.
    pub kind: String,
    /// What happened, in words. What the participant printed by accident, and the words of its own error, are in it only
    /// when everything is captured.
    pub message: String,
    /// What it meant for the call: `deny`, or `allow` when the participant was passed over.
    pub on_failure: RecordedOnFailure,
}

/// What a failure meant for the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a call is denied or it is not")]
pub enum RecordedOnFailure {
    /// The call was denied.
    Deny,
    /// The participant was passed over.
    Allow,
}

impl RecordedFailure {
    pub(crate) fn new(kind: FailureKind, message: String, on_failure: OnFailure) -> Self {
        Self {
            kind: kind.as_str().to_owned(),
            message,
            on_failure: match on_failure {
                OnFailure::Deny => RecordedOnFailure::Deny,
                OnFailure::Allow => RecordedOnFailure::Allow,
            },
        }
    }
}
