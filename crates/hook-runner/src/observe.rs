//! `tracing` spans and events of a consultation, under stable names (docs/embedding.md).
//!
//! | name | kind | fields |
//! |---|---|---|
//! | `hookchain.consult` | span | `event`, `tool_name`, `tool_call_id`, `agent_id`; at the end `asked`, `outcome` |
//! | `hookchain.ask` | span in it | `kind`, `name`, `origin`, `dialect`, `event`, `pass`; at the end `decision`, `failure` |
//! | `hookchain.step` | event in that | `kind`, `name`, `origin`, `event`, `decision`, `failure`, `took_us`, `queued_us`, `worker_age_us`, `worker_answered`, `bytes_sent`, `bytes_received` |
//!
//! No field holds an input, an output, a reason, or what a program printed: those are for a recorder, which can mask them.
//!
//! Without the feature `tracing` this module does nothing.

use std::{future::Future, sync::Arc};

use hook_contract::{HookEvent, HookRequest};

use crate::{Consultation, Identity, Step};

/// Whether steps are told to anybody here.
pub(crate) const IS_ON: bool = cfg!(feature = "tracing");

#[cfg(feature = "tracing")]
pub(crate) async fn spanned<F: Future<Output = Consultation>>(
    request: Arc<HookRequest>,
    consult: impl FnOnce(Arc<HookRequest>) -> F,
) -> Consultation {
    use tracing::{Instrument, field, info_span};

    let span = info_span!(
        "hookchain.consult",
        event = request.event.as_str(),
        tool_name = request.tool_name,
        tool_call_id = request.tool_call_id,
        agent_id = request.agent_id,
        asked = field::Empty,
        outcome = field::Empty,
    );
    let mut open = Open(Some(span.clone()));
    let consultation = consult(request).instrument(span.clone()).await;
    open.0 = None;
    span.record("asked", consultation.trail.len());
    span.record("outcome", outcome(&consultation));
    consultation
}

/// A consultation whose end is told, also when it is dropped.
#[cfg(feature = "tracing")]
struct Open(Option<tracing::Span>);

#[cfg(feature = "tracing")]
impl Drop for Open {
    fn drop(&mut self) {
        if let Some(span) = &self.0 {
            span.record("outcome", "abandoned");
        }
    }
}

#[cfg(feature = "tracing")]
fn outcome(consultation: &Consultation) -> &'static str {
    consultation.outcome.decision().as_str()
}

/// The span of one question.
#[cfg(feature = "tracing")]
#[derive(Debug)]
pub(crate) struct Asking(tracing::Span);

#[cfg(feature = "tracing")]
impl Asking {
    pub(crate) fn new(who: &Identity, event: HookEvent, pass: u8) -> Self {
        use tracing::field;

        Self(tracing::info_span!(
            "hookchain.ask",
            kind = who.kind(),
            name = who.name(),
            origin = %who.origin(),
            dialect = who.dialect(),
            event = event.as_str(),
            pass,
            decision = field::Empty,
            failure = field::Empty,
        ))
    }

    /// Asks within the span.
    pub(crate) fn within<F: Future>(&self, ask: F) -> impl Future<Output = F::Output> {
        tracing::Instrument::instrument(ask, self.0.clone())
    }

    /// Tells what came of it, and ends the span.
    pub(crate) fn answered(self, step: &Step) {
        let micros =
            |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let failure = step.failure.as_ref().map(|failure| failure.kind().as_str());
        self.0.record("decision", step.word());
        if let Some(failure) = failure {
            self.0.record("failure", failure);
        }
        self.0.in_scope(|| {
            tracing::info!(
                name: "hookchain.step",
                kind = %step.who.kind(),
                name = step.who.name(),
                origin = %step.who.origin(),
                event = step.event.as_str(),
                decision = step.word(),
                failure,
                took_us = micros(step.took),
                queued_us = micros(step.queued),
                worker_age_us = step.worker.map(|worker| micros(worker.age)),
                worker_answered = step.worker.map(|worker| worker.answered),
                bytes_sent = step.bytes_sent,
                bytes_received = step.bytes_received,
            );
        });
    }
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn spanned<F: Future<Output = Consultation>>(
    request: Arc<HookRequest>,
    consult: impl FnOnce(Arc<HookRequest>) -> F,
) -> F {
    consult(request)
}

/// The span of one question, which nobody is told of.
#[cfg(not(feature = "tracing"))]
#[derive(Debug)]
pub(crate) struct Asking;

#[cfg(not(feature = "tracing"))]
impl Asking {
    pub(crate) fn new(_who: &Identity, _event: HookEvent, _pass: u8) -> Self {
        Self
    }

    #[expect(
        clippy::unused_self,
        reason = "there is something to do with the feature `tracing`"
    )]
    pub(crate) fn within<F: Future>(&self, ask: F) -> F {
        ask
    }

    #[expect(
        clippy::unused_self,
        reason = "there is something to do with the feature `tracing`"
    )]
    pub(crate) fn answered(self, _step: &Step) {}
}

#[cfg(feature = "tracing")]
#[cfg(test)]
mod tests;
