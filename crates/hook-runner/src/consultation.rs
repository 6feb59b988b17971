//! What came out of a consultation, and who said what.

use std::{fmt, time::Duration};

use hook_contract::{HookEvent, HookOutcome, OnFailure};

use crate::{HookFailure, Identity, process::Exit};

/// One call put through the chain: the outcome, and how it came about.
#[derive(Debug)]
#[non_exhaustive]
pub struct Consultation {
    /// What the runtime does.
    pub outcome: HookOutcome,
    /// One step for each participant that was asked, in the order in which they were asked.
    pub trail: Vec<Step>,
    /// What participants have to say beyond their decision; each names who said it.
    pub notes: Vec<Note>,
}

/// What one participant said when it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Step {
    /// Who was asked.
    pub who: Identity,
    /// At which event.
    pub event: HookEvent,
    /// What was decided.
    pub decision: Decision,
    /// The reason that was given.
    pub reason: Option<String>,
    /// Why there was no decision, where there was none.
    pub failure: Option<HookFailure>,
    /// What a failure means for this participant.
    pub on_failure: OnFailure,
    /// Whether it asked the runtime to end the turn after this call.
    pub stops: bool,
    /// How the program ended, where there was one.
    pub exit: Option<Exit>,
    /// What the program printed as errors: the first and the last 2 KiB, trimmed.
    pub stderr: Option<String>,
    /// How long the question waited for its turn, before it was put.
    pub queued: Duration,
    /// How long the participant took, from the question to the answer, on a monotonic clock.
    pub took: Duration,
    /// The process that was asked, where it is one that is kept.
    pub worker: Option<WorkerLife>,
    /// Bytes sent to the participant.
    pub bytes_sent: usize,
    /// Bytes of its answer.
    pub bytes_received: usize,
    /// The top-level fields that a rewrite added, removed or changed, in alphabetical order. Empty
    /// for a rewrite of something that is not an object.
    pub changed: Vec<String>,
}

/// How far a kept process has come in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerLife {
    /// How long ago it was started.
    pub age: Duration,
    /// How many questions it has answered, this one included.
    pub answered: u64,
}

/// What one participant decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// No objection.
    Allow,
    /// The call does not happen, or its result is withheld.
    Deny,
    /// Another input.
    Modify,
    /// Another result.
    Replace,
    /// No decision; see [`Step::failure`].
    Failed,
}

impl Decision {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Modify => "modify",
            Self::Replace => "replace",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something a participant or its transport has to say beyond its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Who said it, or about whom it is.
    pub who: Identity,
    /// Whom it is for.
    pub kind: NoteKind,
    /// What.
    pub text: String,
}

/// Whom a note is for, and what the embedder does with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an embedder must act on each")]
pub enum NoteKind {
    /// For the operator or the participant's author; it was reported.
    #[default]
    Remark,
    /// For the model, beside the result of the call.
    Context,
    /// For the user.
    Message,
    /// For the runtime: the turn ends after this call, and the text says why. It may be empty.
    Stop,
}

impl NoteKind {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Remark => "remark",
            Self::Context => "context",
            Self::Message => "message",
            Self::Stop => "stop",
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.who, self.text)
    }
}
