//! What stands in one line of a record file.
//!
//! Two records for each participant that was asked, `hook/invoked` and `hook/result`, and one `consultation` at the end.
//! The two are paired by `consultation` and `handler_id`; where one participant is declared twice, and so asked twice,
//! by their order as well. An `invoked` without its `result` was not answered: the consultation was dropped, or the
//! process ended.

mod error;
mod words;

use std::borrow::Cow;

use hook_contract::HookEvent;
use serde::{Deserialize, Serialize};

pub use self::{
    error::{RecordError, RecordErrorKind},
    words::{RecordedDecision, RecordedFailure, RecordedOnFailure, RecordedOutcome},
};
use crate::{Captured, Timestamp};

/// The version of the shape of a record.
pub const HOOK_RECORD_VERSION: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum Record {
    /// A participant is about to be asked.
    #[serde(rename = "hook/invoked")]
    Invoked(HookInvoked),
    /// A participant answered, or failed to.
    #[serde(rename = "hook/result")]
    Result(HookResult),
    /// A consultation ended: the call as it came in, and what became of it.
    #[serde(rename = "consultation")]
    Consultation(ConsultationEnded),
    /// Records are missing here.
    #[serde(rename = "lost")]
    Lost(RecordsLost),
}

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
}

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
    /// How many participants were asked.
    pub asked: u64,
    /// How long the runtime waited, in milliseconds.
    pub duration_ms: f64,
}

/// Records are missing here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordsLost {
    /// When that was written down, in UTC.
    pub at: Timestamp,
    /// The recording process, as the beginning of its consultations has it.
    pub recorder: String,
    /// How many records were lost since it last wrote such a line.
    pub records: u64,
}

/// What every line begins with.
#[derive(Deserialize)]
struct Head<'a> {
    hook_record: u32,
    #[serde(borrow, rename = "type")]
    record_type: Cow<'a, str>,
}

impl Record {
    /// Reads one line. Fields that this version does not know are left out.
    ///
    /// # Errors
    ///
    /// When the line is not a record, is one of another version, or of a type that this version does not know.
    pub fn parse(line: &str) -> Result<Self, RecordError> {
        let head: Head<'_> = serde_json::from_str(line).map_err(RecordError::shape)?;
        if head.hook_record != HOOK_RECORD_VERSION {
            let found = head.hook_record;
            return Err(RecordErrorKind::Version { found }.into());
        }
        match head.record_type.as_ref() {
            "hook/invoked" => serde_json::from_str(line).map(Self::Invoked),
            "hook/result" => serde_json::from_str(line).map(Self::Result),
            "consultation" => serde_json::from_str(line).map(Self::Consultation),
            "lost" => serde_json::from_str(line).map(Self::Lost),
            other => {
                let found = other.chars().take(64).collect();
                return Err(RecordErrorKind::Type { found }.into());
            }
        }
        .map_err(RecordError::shape)
    }

    /// When it was recorded.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Invoked(record) => record.at,
            Self::Result(record) => record.at,
            Self::Consultation(record) => record.at,
            Self::Lost(record) => record.at,
        }
    }

    /// The consultation it belongs to.
    #[must_use]
    pub fn consultation(&self) -> Option<&str> {
        match self {
            Self::Invoked(record) => Some(&record.consultation),
            Self::Result(record) => Some(&record.consultation),
            Self::Consultation(record) => Some(&record.consultation),
            Self::Lost(_) => None,
        }
    }

    /// Adds the record to `line` as one JSON object, without a line end.
    #[expect(clippy::expect_used, reason = "a record is made of text and numbers")]
    pub(crate) fn write(&self, line: &mut Vec<u8>) {
        line.extend_from_slice(b"{\"hook_record\":1");
        let brace = line.len();
        serde_json::to_writer(&mut *line, self).expect("a vector takes everything");
        // The object goes on.
        if let Some(brace) = line.get_mut(brace) {
            *brace = b',';
        }
    }

    /// The record as one line of JSON, without the line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = Vec::new();
        self.write(&mut line);
        String::from_utf8_lossy(&line).into_owned()
    }
}

/// Milliseconds with microseconds behind the point.
pub(crate) fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests;
