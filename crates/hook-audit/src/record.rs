//! What stands in one line of a record file.
//!
//! Two records for each question that is put to a participant, `hook/invoked` and `hook/result`, and one `consultation` at
//! the end. The two are paired by `consultation`, `handler_id` and `pass` ([`HookResult::answers`]); where one participant is
//! declared twice, and so asked twice, by their order as well. An `invoked` without its `result` was not answered: the
//! consultation was dropped, or the process ended.

mod consultation;
mod error;
mod step;
mod words;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use self::{
    consultation::{ConsultationEnded, RecordedApproval, RecordedContext, RecordedSettled},
    error::{RecordError, RecordErrorKind},
    step::{HookInvoked, HookResult, RecordedHook},
    words::{RecordedDecision, RecordedFailure, RecordedOnFailure, RecordedOutcome},
};
use crate::Timestamp;

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

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
pub(crate) const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Milliseconds with microseconds behind the point.
pub(crate) fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests;
