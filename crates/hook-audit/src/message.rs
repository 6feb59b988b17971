//! What the consulting task hands over to the writer.
//!
//! A message shares what is large with the consultation, so that handing over costs a few small copies. Digests, masking
//! and encoding are the writer's work.

use std::time::{Instant, SystemTime};

use hook_contract::{HookOutcome, HookRequest, Json};
use hook_runner::{Exit, Identity, Step};
use serde_json::Value;

use crate::{Capture, RecordedDecision, RecordedFailure, stderr_summary};

/// Something that happened in a consultation.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) consultation: u64,
    pub(crate) what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    Begun(Box<Begun>),
    Invoked(Box<Invoked>),
    Answered(Box<Answered>),
    Ended(Box<Ended>),
    /// What else was said of the consultation is lost; the writer must not wait for it.
    Cut,
}

#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) since: Instant,
    pub(crate) request: HookRequest,
    pub(crate) turn: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Invoked {
    pub(crate) at: SystemTime,
    pub(crate) who: Identity,
    pub(crate) input: Json,
    pub(crate) output: Option<Json>,
}

#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) at: SystemTime,
    pub(crate) who: Identity,
    pub(crate) decision: RecordedDecision,
    pub(crate) failure: Option<RecordedFailure>,
    pub(crate) reason: Option<String>,
    pub(crate) exit: Option<Exit>,
    pub(crate) stderr_summary: Option<String>,
    pub(crate) took: std::time::Duration,
    pub(crate) queued: std::time::Duration,
    pub(crate) bytes_sent: usize,
    pub(crate) bytes_received: usize,
    pub(crate) changed: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) at: SystemTime,
    pub(crate) until: Instant,
    /// Nothing when the consultation was dropped.
    pub(crate) outcome: Option<HookOutcome>,
}

impl Answered {
    pub(crate) fn of(step: &Step, at: SystemTime, level: Capture, stderr_chars: usize) -> Self {
        let failure = step.failure.as_ref().map(|failure| {
            let message = match level {
                Capture::Full => failure.to_string(),
                // What a broken redactor printed is often what it was to take out.
                Capture::Digests | Capture::Redacted => failure.for_model(),
            };
            RecordedFailure::new(failure.kind(), message, step.on_failure)
        });
        Self {
            at,
            who: step.who.clone(),
            decision: RecordedDecision::of(step.decision, step.stops),
            failure,
            reason: step.reason.clone(),
            exit: step.exit,
            stderr_summary: step
                .stderr
                .as_ref()
                .and_then(|stderr| stderr_summary(stderr, stderr_chars)),
            took: step.took,
            queued: step.queued,
            bytes_sent: step.bytes_sent,
            bytes_received: step.bytes_received,
            changed: step.changed.clone(),
        }
    }
}

/// What a message weighs beside what it shares with others.
const BARE: usize = 512;

impl What {
    /// Whether a line comes of it.
    pub(crate) fn makes_a_record(&self) -> bool {
        match self {
            Self::Invoked(_) | Self::Answered(_) | Self::Ended(_) => true,
            Self::Begun(_) | Self::Cut => false,
        }
    }

    /// About how many bytes of memory it keeps.
    pub(crate) fn weight(&self) -> usize {
        BARE + match self {
            Self::Begun(begun) => {
                let request = &begun.request;
                weight(&request.input) + request.output.as_ref().map_or(0, weight)
            }
            Self::Invoked(invoked) => {
                weight(&invoked.input) + invoked.output.as_ref().map_or(0, weight)
            }
            Self::Answered(answered) => {
                let changed = answered.changed.iter().map(|name| name.len() + 24);
                answered.reason.as_ref().map_or(0, String::len) + changed.sum::<usize>()
            }
            Self::Ended(ended) => match &ended.outcome {
                Some(HookOutcome::Modify { input, .. }) => weight(input),
                Some(HookOutcome::Replace { output, .. }) => weight(output),
                Some(HookOutcome::Deny(reason)) => reason.len(),
                Some(HookOutcome::Allow) | None => 0,
            },
            Self::Cut => 0,
        }
    }
}

/// About how many bytes a value keeps. Its text is not made for that: on the consulting task nobody may want it.
fn weight(value: &Json) -> usize {
    if value.is_exact() {
        value.text().len()
    } else {
        weight_of(value.value())
    }
}

fn weight_of(value: &Value) -> usize {
    const NODE: usize = 32;
    NODE + match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(weight_of).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| name.len() + NODE + weight_of(value))
            .sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
