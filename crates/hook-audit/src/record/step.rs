//! The records of one question and of its answer.

use hook_contract::HookEvent;
use serde::{Deserialize, Serialize};

use super::{RecordedDecision, RecordedFailure, is_zero};
use crate::{Captured, Timestamp};

/// A participant is about to be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HookInvoked {
    /// When, in UTC.
    pub at: Timestamp,
    /// The consultation this belongs to; unlike that of any other process or time.
    pub consultation: String,
    /// The turn of the agent, where the runtime says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub turn: Option<String>,
    /// The point in the call's life: `pre_tool_use` or `post_tool_use`.
    pub point: HookEvent,
    /// The vocabulary in which the participant is asked: `native`, or the agent whose hook it is.
    pub dialect: String,
    /// The participant, by a name that stays the same wherever it is declared in its file, and whatever it is called.
    pub handler_id: String,
    /// The pass in which it is asked: 1 when all are asked in order, 2 or more when it is asked again about the form of the
    /// call that a participant of lower rank left. Absent when it is 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub pass: u8,
    /// How it is reached: `interceptor`, `hook`, and so on.
    pub kind: String,
    /// What it is called. Need not be unique.
    pub name: String,
    /// Where it was declared: `host`, or `supplied`, `global` or `workspace` with the file and line.
    pub origin: String,
    /// What chooses the tools it is asked about. Absent when it is asked about every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub matcher: Option<String>,
    /// The name of the tool.
    pub tool_name: String,
    /// The runtime's identifier of the call.
    pub tool_call_id: String,
    /// Which agent makes the call.
    pub agent_id: String,
    /// The input as those before left it. Its value is absent where it is still the call's own, which stands in the
    /// record of the consultation, and where it stands in an earlier question.
    pub input: Captured,
    /// The result as those before left it; only after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Captured"))]
    pub output: Option<Captured>,
}

/// A participant answered, or failed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HookResult {
    /// When, in UTC.
    pub at: Timestamp,
    /// The consultation this belongs to.
    pub consultation: String,
    /// The participant.
    pub handler_id: String,
    /// The `pass` of the question that this answers. Absent when it is 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub pass: u8,
    /// What it decided; `stop` when it decided nothing and asked the agent to halt; otherwise `pass`.
    pub decision: RecordedDecision,
    /// Why it decided nothing, where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "RecordedFailure"))]
    pub failure: Option<RecordedFailure>,
    /// The reason it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub reason: Option<String>,
    /// The exit status of its program, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "i32"))]
    pub exit_code: Option<i32>,
    /// The signal that ended its program, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "i32"))]
    pub signal: Option<i32>,
    /// The beginning of what its program printed as errors. Absent when that is blank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub stderr_summary: Option<String>,
    /// How long it took, in milliseconds, from the question to the answer.
    pub duration_ms: f64,
    /// How long the question waited for its turn before that, in milliseconds.
    pub queued_ms: f64,
    /// Bytes sent to it.
    #[serde(default)]
    pub bytes_sent: u64,
    /// Bytes of its answer.
    #[serde(default)]
    pub bytes_received: u64,
    /// The top-level fields that a rewrite added, removed or changed. Absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The single hooks behind it, where it speaks for several, such as all hooks of another agent. Absent when there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<RecordedHook>,
    /// How many more of them run on in the background, unheard. Absent when none does.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub in_background: u64,
}

impl HookResult {
    /// Whether this answers that question: it is of the same consultation, participant and pass.
    ///
    /// A participant that is declared twice is asked twice, and both questions fit both answers. Answers come in the order
    /// of their questions, so an answer belongs to the first question that it answers and that has none.
    #[must_use]
    pub fn answers(&self, question: &HookInvoked) -> bool {
        self.pass == question.pass
            && self.handler_id == question.handler_id
            && self.consultation == question.consultation
    }
}

/// What one hook said behind a participant that speaks for several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordedHook {
    /// What asks it, on one line; with secrets masked, unless everything is captured.
    pub command: String,
    /// Where it is declared.
    pub origin: String,
    /// What it decided, in the words of its own agent. Absent when it decided nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub decision: Option<String>,
    /// The reason it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub reason: Option<String>,
    /// Why it gave no answer that counts, where it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub failure: Option<String>,
    /// The exit status of its program, where it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "i32"))]
    pub exit_code: Option<i32>,
    /// The signal that ended its program, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "i32"))]
    pub signal: Option<i32>,
    /// The beginning of what its program printed as errors. Absent when that is blank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub stderr_summary: Option<String>,
    /// How long it took, in milliseconds, from the question to the answer.
    pub duration_ms: f64,
    /// How long the question waited for its turn before that, in milliseconds.
    pub queued_ms: f64,
}

/// The first pass, which is not written.
const FIRST: u8 = 1;

const fn first() -> u8 {
    FIRST
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
const fn is_first(pass: &u8) -> bool {
    *pass == FIRST
}
