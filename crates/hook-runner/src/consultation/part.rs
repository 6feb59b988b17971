//! A single hook behind a participant that speaks for several.

use std::time::Duration;

use serde::Serialize;

use super::json::{exit_code, millis_of, signal};
use crate::process::Exit;

/// What one hook said behind a participant that speaks for several, such as all hooks of another agent.
///
/// ```
/// use hook_contract::Answer;
/// use hook_runner::{Part, Reply};
///
/// let mut part = Part::new("./lint.sh", ".claude/settings.json");
/// part.decision = Some("block");
/// part.refuses = true;
/// let reply = Reply::new(Ok(Answer::deny("two warnings"))).with_parts(vec![part], 0);
/// assert_eq!(reply.parts[0].command, "./lint.sh");
/// assert!(reply.parts[0].refuses);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// What asks it, on one line.
    pub command: String,
    /// Where it is declared.
    pub origin: String,
    /// What it decided, in its own vocabulary.
    pub decision: Option<&'static str>,
    /// The reason that it gave.
    pub reason: Option<String>,
    /// Why it gave no answer, where it gave none.
    pub failure: Option<String>,
    /// What of its answer was ignored, and why.
    pub ignored: Vec<String>,
    /// Whether it wants another input or another result.
    pub rewrites: bool,
    /// Whether its decision is a refusal.
    pub refuses: bool,
    /// Whether its decision leaves it to a person.
    pub asks: bool,
    /// How its program ended, where it did by itself.
    pub exit: Option<Exit>,
    /// What it printed as errors, trimmed; nothing when it is blank.
    pub stderr: Option<String>,
    /// How long it waited for its turn.
    pub queued: Duration,
    /// How long it took after that.
    pub took: Duration,
    /// Bytes that it was told.
    pub bytes_sent: usize,
    /// Bytes that it printed.
    pub bytes_received: usize,
}

impl Part {
    /// A hook that is asked so and declared there, and had no objection.
    #[must_use]
    pub fn new(command: impl Into<String>, origin: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            origin: origin.into(),
            decision: None,
            reason: None,
            failure: None,
            ignored: Vec::new(),
            rewrites: false,
            refuses: false,
            asks: false,
            exit: None,
            stderr: None,
            queued: Duration::ZERO,
            took: Duration::ZERO,
            bytes_sent: 0,
            bytes_received: 0,
        }
    }
}

/// As in docs/consult-json.md.
#[derive(Serialize)]
struct Line<'a> {
    command: &'a str,
    origin: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ignored: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'a str>,
    queued_ms: f64,
    took_ms: f64,
    bytes_sent: usize,
    bytes_received: usize,
}

impl Serialize for Part {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Line {
            command: &self.command,
            origin: &self.origin,
            decision: self.decision,
            reason: self.reason.as_deref(),
            failure: self.failure.as_deref(),
            ignored: &self.ignored,
            exit_code: exit_code(self.exit),
            signal: signal(self.exit),
            stderr: self.stderr.as_deref(),
            queued_ms: millis_of(self.queued),
            took_ms: millis_of(self.took),
            bytes_sent: self.bytes_sent,
            bytes_received: self.bytes_received,
        }
        .serialize(serializer)
    }
}
