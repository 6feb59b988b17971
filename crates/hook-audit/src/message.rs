//! What the consulting task hands over to the writer.
//!
//! A message shares what is large with the consultation, so that handing over costs a few small copies. Digests, masking
//! and encoding are the writer's work.

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use hook_contract::{HookOutcome, HookRequest, Json};
use hook_runner::{Asked, Consultation, Context, Exit, Identity, Part, Settled, Step};
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
    pub(crate) request: Arc<HookRequest>,
    pub(crate) turn: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Invoked {
    pub(crate) at: SystemTime,
    pub(crate) who: Identity,
    pub(crate) pass: u8,
    pub(crate) request: Arc<HookRequest>,
}

#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) at: SystemTime,
    pub(crate) who: Identity,
    pub(crate) pass: u8,
    pub(crate) decision: RecordedDecision,
    pub(crate) failure: Option<RecordedFailure>,
    pub(crate) reason: Option<String>,
    pub(crate) exit: Option<Exit>,
    pub(crate) stderr_summary: Option<String>,
    pub(crate) took: Duration,
    pub(crate) queued: Duration,
    pub(crate) bytes_sent: usize,
    pub(crate) bytes_received: usize,
    pub(crate) changed: Vec<String>,
    pub(crate) hooks: Vec<HookAnswered>,
    pub(crate) in_background: usize,
}

/// What one hook said behind a participant that speaks for several.
#[derive(Debug)]
pub(crate) struct HookAnswered {
    pub(crate) command: String,
    pub(crate) origin: String,
    pub(crate) decision: Option<&'static str>,
    pub(crate) reason: Option<String>,
    pub(crate) failure: Option<String>,
    pub(crate) exit: Option<Exit>,
    pub(crate) stderr_summary: Option<String>,
    pub(crate) took: Duration,
    pub(crate) queued: Duration,
}

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) at: SystemTime,
    pub(crate) until: Instant,
    /// Nothing when the consultation was dropped.
    pub(crate) result: Option<Concluded>,
}

/// Whether the caller of the runtime asks a person where the runtime has none to ask.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HandsAsksOn(pub(crate) bool);

/// What came of a consultation.
#[derive(Debug)]
pub(crate) struct Concluded {
    pub(crate) outcome: HookOutcome,
    pub(crate) asked: Option<Asked>,
    /// Whether the caller of the runtime puts the question to a person.
    pub(crate) is_handed_on: bool,
    pub(crate) context_bytes: usize,
    /// The words for the model; none where records hold digests only.
    pub(crate) context: Vec<Context>,
}

impl Answered {
    pub(crate) fn of(step: &Step, at: SystemTime, level: Capture, stderr_chars: usize) -> Self {
        let failure = step.failure.as_ref().map(|failure| {
            let message = match level {
                Capture::Full => failure.to_string(),
                // What a broken redactor printed is often what it was to take out, and an error of a remote service may
                // quote a credential.
                Capture::Digests | Capture::Redacted => failure.for_model(),
            };
            RecordedFailure::new(failure.kind(), message, step.on_failure)
        });
        let hooks = step.parts.iter();
        Self {
            at,
            who: step.who.clone(),
            pass: step.pass,
            decision: RecordedDecision::of(step.decision, step.stops),
            failure,
            reason: step.reason.clone(),
            exit: step.exit,
            stderr_summary: summary(step.stderr.as_deref(), stderr_chars),
            took: step.took,
            queued: step.queued,
            bytes_sent: step.bytes_sent,
            bytes_received: step.bytes_received,
            changed: step.changed.clone(),
            hooks: hooks
                .map(|part| HookAnswered::of(part, stderr_chars))
                .collect(),
            in_background: step.in_background,
        }
    }

    fn weight(&self) -> usize {
        let failure = self.failure.as_ref().map(|failure| &failure.message);
        let said = [failure, self.reason.as_ref(), self.stderr_summary.as_ref()];
        let changed = self.changed.iter().map(|name| name.len() + 24);
        let hooks = self.hooks.iter().map(HookAnswered::weight);
        said.map(length).iter().sum::<usize>() + changed.sum::<usize>() + hooks.sum::<usize>()
    }
}

impl HookAnswered {
    fn of(part: &Part, stderr_chars: usize) -> Self {
        Self {
            command: part.command.clone(),
            origin: part.origin.clone(),
            decision: part.decision,
            reason: part.reason.clone(),
            failure: part.failure.clone(),
            exit: part.exit,
            stderr_summary: summary(part.stderr.as_deref(), stderr_chars),
            took: part.took,
            queued: part.queued,
        }
    }

    fn weight(&self) -> usize {
        let said = [&self.reason, &self.failure, &self.stderr_summary];
        let said = said.map(|text| length(text.as_ref()));
        BARE / 2 + self.command.len() + self.origin.len() + said.iter().sum::<usize>()
    }
}

fn summary(stderr: Option<&str>, stderr_chars: usize) -> Option<String> {
    stderr.and_then(|stderr| stderr_summary(stderr, stderr_chars))
}

impl Concluded {
    /// With `hands_asks_on` a question that no person answered is the caller's.
    pub(crate) fn of(result: &Consultation, level: Capture, hands_asks_on: HandsAsksOn) -> Self {
        let is_open = |asked: &Asked| matches!(asked.settled, Settled::Unanswered(_));
        Self {
            outcome: result.outcome.clone(),
            asked: result.asked.clone(),
            is_handed_on: hands_asks_on.0 && result.asked.as_ref().is_some_and(is_open),
            context_bytes: context_bytes(&result.context),
            context: match level {
                Capture::Digests => Vec::new(),
                Capture::Redacted | Capture::Full => result.context.clone(),
            },
        }
    }

    fn weight(&self) -> usize {
        let asked = self.asked.as_ref().map_or(0, |asked| {
            let reasons = asked.by.iter().map(|asker| length(asker.reason.as_ref()));
            reasons.sum::<usize>() + outcome_weight(&asked.then)
        });
        outcome_weight(&self.outcome) + asked + context_bytes(&self.context)
    }
}

fn context_bytes(context: &[Context]) -> usize {
    context.iter().map(|context| context.text.len()).sum()
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
                let extensions = begun.request.extensions.as_ref();
                request_weight(&begun.request) + extensions.map_or(0, weight)
            }
            Self::Invoked(invoked) => request_weight(&invoked.request),
            Self::Answered(answered) => answered.weight(),
            Self::Ended(ended) => ended.result.as_ref().map_or(0, Concluded::weight),
            Self::Cut => 0,
        }
    }
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}

fn outcome_weight(outcome: &HookOutcome) -> usize {
    match outcome {
        HookOutcome::Modify { input, .. } => weight(input),
        HookOutcome::Replace { output, .. } => weight(output),
        HookOutcome::Deny(reason) => reason.len(),
        HookOutcome::Allow => 0,
    }
}

/// What is asked about. What else a request holds, it shares with the first one.
fn request_weight(request: &HookRequest) -> usize {
    weight(&request.input) + request.output.as_ref().map_or(0, weight)
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

#[cfg(test)]
mod tests;
