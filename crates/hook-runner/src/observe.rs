//! `tracing` spans and events of a consultation, under stable names.
//!
//! | name | kind | fields |
//! |---|---|---|
//! | `hookchain.consult` | span | `event`, `tool_name`, `tool_call_id`, `agent_id`, then `outcome` |
//! | `hookchain.step` | event | `kind`, `name`, `origin`, `event`, `decision`, `failure`, `took_us`, `queued_us`, `worker_age_us`, `worker_answered`, `bytes_sent`, `bytes_received` |
//!
//! Without the feature `tracing` this module does nothing.

use std::future::Future;

use hook_contract::HookRequest;

use crate::{Consultation, Step};

/// Whether steps are told to anybody here.
pub(crate) const IS_ON: bool = cfg!(feature = "tracing");

#[cfg(feature = "tracing")]
pub(crate) async fn spanned<F: Future<Output = Consultation>>(
    request: HookRequest,
    consult: impl FnOnce(HookRequest) -> F,
) -> Consultation {
    use tracing::{Instrument, field, info_span};

    let span = info_span!(
        "hookchain.consult",
        event = request.event.as_str(),
        tool_name = request.tool_name,
        tool_call_id = request.tool_call_id,
        agent_id = request.agent_id,
        outcome = field::Empty,
    );
    let consultation = consult(request).instrument(span.clone()).await;
    span.record("outcome", outcome(&consultation));
    consultation
}

#[cfg(feature = "tracing")]
fn outcome(consultation: &Consultation) -> &'static str {
    use hook_contract::HookOutcome;
    match consultation.outcome {
        HookOutcome::Allow => "allow",
        HookOutcome::Deny(_) => "deny",
        HookOutcome::Modify { .. } => "modify",
        HookOutcome::Replace { .. } => "replace",
    }
}

#[cfg(feature = "tracing")]
pub(crate) fn answered(step: &Step) {
    let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(
        name: "hookchain.step",
        kind = %step.who.kind(),
        name = step.who.name(),
        origin = %step.who.origin(),
        event = step.event.as_str(),
        decision = step.decision.as_str(),
        failure = step.failure.as_ref().map(|failure| failure.kind().as_str()),
        took_us = micros(step.took),
        queued_us = micros(step.queued),
        worker_age_us = step.worker.map(|worker| micros(worker.age)),
        worker_answered = step.worker.map(|worker| worker.answered),
        bytes_sent = step.bytes_sent,
        bytes_received = step.bytes_received,
    );
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn spanned<F: Future<Output = Consultation>>(
    request: HookRequest,
    consult: impl FnOnce(HookRequest) -> F,
) -> F {
    consult(request)
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn answered(_step: &Step) {}
