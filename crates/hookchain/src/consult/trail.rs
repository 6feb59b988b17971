//! Who was asked and what each said, as JSON (docs/consult-json.md).

use std::time::Duration;

use hook_config::OnFailure;
use hook_dialect::run::HookRun;
use hook_runner::{Exit, HookFailure, Note, Step, WorkerLife};
use serde::Serialize;

use super::Judged;
use crate::agents::{Asking, RunLine, Spoken};

/// The kind of participant that all hooks of another agent are together.
pub(super) const DIALECT: &str = "dialect";

/// What one participant said.
#[derive(Debug, Serialize)]
pub(crate) struct StepLine<'a> {
    kind: &'a str,
    name: &'a str,
    origin: String,
    event: &'static str,
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
    hooks: Option<Vec<RunLine<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_background: Option<usize>,
}

/// Why there was no decision.
#[derive(Debug, Serialize)]
struct FailureLine {
    kind: &'static str,
    message: String,
}

/// How far a kept process has come.
#[derive(Debug, Serialize)]
struct WorkerLine {
    age_ms: f64,
    answered: u64,
}

/// What a participant or its transport had to say beyond its decision.
#[derive(Debug, Serialize)]
pub(crate) struct NoteLine<'a> {
    kind: &'a str,
    name: &'a str,
    note: &'static str,
    text: &'a str,
}

/// Every step, each with what the single hooks behind it said.
pub(super) fn steps(judged: &Judged) -> Vec<StepLine<'_>> {
    let with_runs = |step| {
        let mut line = StepLine::from(step);
        if let Some((runs, in_background)) = runs_of(step, judged) {
            line.hooks = Some(runs.iter().map(RunLine::from).collect());
            line.in_background = Some(in_background).filter(|count| *count > 0);
        }
        line
    };
    judged.trail.iter().map(with_runs).collect()
}

/// What the single hooks behind a step said, and how many run on in the background; nothing where there are none.
pub(super) fn runs_of<'j>(step: &Step, judged: &'j Judged) -> Option<(&'j [HookRun], usize)> {
    let mut spoken = judged.spoken.iter();
    spoken.find_map(|spoken| match spoken {
        Spoken::Runs {
            agent,
            runs,
            in_background,
        } if is_of(step, agent) => Some((&**runs, *in_background)),
        Spoken::Runs { .. } | Spoken::Asks(_) => None,
    })
}

/// Whether a step is that of an agent's hooks.
fn is_of(step: &Step, agent: &str) -> bool {
    step.who.kind() == DIALECT && step.who.name() == agent
}

/// Everything there is to be said beside the decisions: that somebody is to be asked, and then the notes.
pub(super) fn notes(judged: &Judged) -> Vec<NoteLine<'_>> {
    let asking = asking(judged).map(NoteLine::from);
    asking
        .chain(judged.notes.iter().map(NoteLine::from))
        .collect()
}

/// The wishes that somebody be asked.
pub(super) fn asking(judged: &Judged) -> impl Iterator<Item = &Asking> {
    judged.spoken.iter().filter_map(|spoken| match spoken {
        Spoken::Asks(asking) => Some(asking),
        Spoken::Runs { .. } => None,
    })
}

impl<'a> From<&'a Step> for StepLine<'a> {
    fn from(step: &'a Step) -> Self {
        let (exit_code, signal) = match step.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            Some(Exit::Unknown | _) | None => (None, None),
        };
        let failure = step.failure.as_ref();
        Self {
            kind: step.who.kind(),
            name: step.who.name(),
            origin: step.who.origin().to_string(),
            event: step.event.as_str(),
            decision: step.decision.as_str(),
            reason: step.reason.as_deref(),
            failure: failure.map(FailureLine::from),
            // What would have happened is of no use where nothing failed.
            on_failure: failure.map(|_| on_failure(step.on_failure)),
            exit_code,
            signal,
            stderr: step.stderr.as_deref(),
            queued_ms: millis(step.queued),
            took_ms: millis(step.took),
            worker: step.worker.map(WorkerLine::from),
            bytes_sent: step.bytes_sent,
            bytes_received: step.bytes_received,
            changed: &step.changed,
            hooks: None,
            in_background: None,
        }
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
            age_ms: millis(life.age),
            answered: life.answered,
        }
    }
}

impl<'a> From<&'a Note> for NoteLine<'a> {
    fn from(note: &'a Note) -> Self {
        Self {
            kind: note.who.kind(),
            name: note.who.name(),
            note: note.kind.as_str(),
            text: &note.text,
        }
    }
}

impl<'a> From<&'a Asking> for NoteLine<'a> {
    fn from(asking: &'a Asking) -> Self {
        Self {
            kind: DIALECT,
            name: asking.agent,
            note: asking.word(),
            text: asking.text(),
        }
    }
}

/// The word in hooks files.
pub(super) const fn on_failure(on_failure: OnFailure) -> &'static str {
    match on_failure {
        OnFailure::Deny => "deny",
        OnFailure::Allow => "allow",
    }
}

/// Milliseconds with microseconds behind the point.
pub(crate) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
