//! A consultation as JSON, in one shape for every program that reads one (docs/consult-json.md).

use std::time::Duration;

use hook_contract::HookOutcome;
use serde::{Serialize, Serializer};

use super::{Asked, Consultation, Context, Note, NoteKind, Part, Step, WorkerLife};
use crate::{HookFailure, process::Exit};

#[derive(Serialize)]
struct ConsultationLine<'a> {
    #[serde(flatten)]
    outcome: &'a HookOutcome,
    trail: &'a [Step],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'a Note>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    context: &'a [Context],
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<&'a Asked>,
}

impl Serialize for Consultation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A failure stands in its step already.
        let notes = self.notes.iter();
        let notes = notes
            .filter(|note| note.kind != NoteKind::Failure)
            .collect();
        ConsultationLine {
            outcome: &self.outcome,
            trail: &self.trail,
            notes,
            context: &self.context,
            asked: self.asked.as_ref(),
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct StepLine<'a> {
    kind: &'a str,
    name: &'a str,
    origin: String,
    event: &'static str,
    #[serde(skip_serializing_if = "is_first")]
    pass: u8,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'a str>,
    queued_ms: f64,
    took_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<WorkerLine>,
    bytes_sent: usize,
    bytes_received: usize,
    changed: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks: Option<&'a [Part]>,
    #[serde(skip_serializing_if = "is_zero")]
    in_background: usize,
}

#[derive(Serialize)]
struct FailureLine {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct WorkerLine {
    age_ms: f64,
    answered: u64,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let failure = self.failure.as_ref();
        StepLine {
            kind: self.who.kind(),
            name: self.who.name(),
            origin: self.who.origin().to_string(),
            event: self.event.as_str(),
            pass: self.pass,
            decision: self.word(),
            reason: self.reason.as_deref(),
            failure: failure.map(FailureLine::from),
            // What would have happened is of no use where nothing failed.
            on_failure: failure.map(|_| self.on_failure.as_str()),
            exit_code: exit_code(self.exit),
            signal: signal(self.exit),
            stderr: self.stderr.as_deref(),
            queued_ms: millis_of(self.queued),
            took_ms: millis_of(self.took),
            worker: self.worker.map(WorkerLine::from),
            bytes_sent: self.bytes_sent,
            bytes_received: self.bytes_received,
            changed: &self.changed,
            hooks: self.speaks_for_several().then_some(&*self.parts),
            in_background: self.in_background,
        }
        .serialize(serializer)
    }
}

impl Step {
    /// Whether the participant speaks for hooks of another vocabulary, each with an origin of its own.
    fn speaks_for_several(&self) -> bool {
        !self.parts.is_empty() || self.in_background > 0
    }
}

impl From<&HookFailure> for FailureLine {
    fn from(failure: &HookFailure) -> Self {
        Self {
            kind: failure.kind().as_str(),
            message: failure.to_string(),
        }
    }
}

impl From<WorkerLife> for WorkerLine {
    fn from(life: WorkerLife) -> Self {
        Self {
            age_ms: millis_of(life.age),
            answered: life.answered,
        }
    }
}

#[derive(Serialize)]
struct NoteLine<'a> {
    kind: &'a str,
    name: &'a str,
    note: &'static str,
    text: &'a str,
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NoteLine {
            kind: self.who.kind(),
            name: self.who.name(),
            note: self.kind.as_str(),
            text: &self.text,
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct ContextLine<'a> {
    kind: &'a str,
    name: &'a str,
    text: &'a str,
}

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ContextLine {
            kind: self.who.kind(),
            name: self.who.name(),
            text: &self.text,
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct AskedLine<'a> {
    by: &'a [hook_contract::Asker],
    then: &'a HookOutcome,
    settled: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

impl Serialize for Asked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let why = match &self.settled {
            super::Settled::Granted { .. } => None,
            super::Settled::Refused(reason) => reason.as_deref(),
            super::Settled::Unanswered(why) => Some(why.as_str()),
        };
        AskedLine {
            by: &self.by,
            then: &self.then,
            settled: self.settled.as_str(),
            why,
        }
        .serialize(serializer)
    }
}

pub(super) const fn exit_code(exit: Option<Exit>) -> Option<i32> {
    match exit {
        Some(Exit::Code(code)) => Some(code),
        Some(Exit::Signal(_) | Exit::Unknown) | None => None,
    }
}

pub(super) const fn signal(exit: Option<Exit>) -> Option<i32> {
    match exit {
        Some(Exit::Signal(signal)) => Some(signal),
        Some(Exit::Code(_) | Exit::Unknown) | None => None,
    }
}

/// Milliseconds with microseconds behind the point.
pub(super) fn millis_of(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_first(pass: &u8) -> bool {
    *pass == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
