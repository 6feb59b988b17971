//! The record of a consultation that ended.

use hook_contract::HookEvent;
use serde::{Deserialize, Serialize};

use super::{RecordedOutcome, is_zero};
use crate::{Captured, Timestamp};

/// A consultation ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConsultationEnded {
    /// When, in UTC.
    pub at: Timestamp,
    /// Which one.
    pub consultation: String,
    /// The turn of the agent, where the runtime says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub turn: Option<String>,
    /// The point in the call's life: `pre_tool_use` or `post_tool_use`.
    pub point: HookEvent,
    /// The root directory of the agent's run.
    pub workspace: String,
    /// The name of the tool.
    pub tool_name: String,
    /// The runtime's identifier of the call.
    pub tool_call_id: String,
    /// Which agent makes the call.
    pub agent_id: String,
    /// The input of the call as it came in.
    pub input: Captured,
    /// The result as it came in; only after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Captured"))]
    pub output: Option<Captured>,
    /// Whether the tool reported a failure; only after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    pub is_error: Option<bool>,
    /// What became of the call.
    pub outcome: RecordedOutcome,
    /// Why, in the words the runtime was given. Absent for an allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub reason: Option<String>,
    /// The new input of a `modify`, or the new result of a `replace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Captured"))]
    pub rewrite: Option<Captured>,
    /// Whether the model is told that the tool failed; only with a `replace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    pub rewrite_is_error: Option<bool>,
    /// What came of asking a person. Absent when no participant asked for a person's agreement, and when one denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "RecordedApproval"))]
    pub approval: Option<RecordedApproval>,
    /// How many bytes of words for the model were to be delivered beside the outcome. Absent when there were none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub context_bytes: u64,
    /// Those words, in order. Absent when records keep digests only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<RecordedContext>,
    /// How many questions were put to participants.
    pub asked: u64,
    /// How long the runtime waited, in milliseconds.
    pub duration_ms: f64,
}

/// What came of asking a person to agree to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordedApproval {
    /// The names of the participants that asked for it, in order; their reasons stand in their records.
    pub by: Vec<String>,
    /// What comes of the call when a person agrees: `allow`, `modify` or `replace`.
    pub then: RecordedOutcome,
    /// The new input or the new result that the person was asked about. Absent where there was none, and after a yes, when it
    /// is the `rewrite` of the consultation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Captured"))]
    pub rewrite: Option<Captured>,
    /// Whether the model would have been told that the tool failed; only with a new result in `rewrite`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    pub rewrite_is_error: Option<bool>,
    /// What the person said.
    pub settled: RecordedSettled,
    /// Whether the person agreed to the same call for the rest of the session. Absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
}

/// What came of asking a person, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordedSettled {
    /// The person agreed.
    Granted,
    /// The person did not agree, and the call was denied.
    Refused,
    /// No person answered, and the call was denied.
    Unanswered,
    /// The question was handed on to the caller of the runtime; what a person said to it is not recorded.
    HandedOn,
}

impl RecordedSettled {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Refused => "refused",
            Self::Unanswered => "unanswered",
            Self::HandedOn => "handed_on",
        }
    }
}

/// Words of one participant for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordedContext {
    /// The participant that said them.
    pub handler_id: String,
    /// The words; with secrets masked, unless everything is captured.
    pub text: String,
}
