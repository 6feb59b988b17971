//! What a question means for the hooks, whoever asks them: the bridge itself, or a server for it.

use hook_contract::{HookOutcome, HookRequest};
use hook_dialect::bridge::{Answer, Asked};
use hook_runner::{Consultation, HookRunner};

/// What is known before a hook was asked.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// Nobody is to be asked.
    Answered(Answer),
    /// This is.
    Request(Box<HookRequest>),
}

impl Prepared {
    pub(crate) fn of(asked: &Asked, runner: &HookRunner) -> Self {
        // Most calls are of tools that nobody guards.
        if !runner.asks(asked.event(), asked.tool_name()) {
            return Self::Answered(asked.answer(&HookOutcome::Allow, &[]));
        }
        match asked.request(runner.workspace()) {
            Ok(request) => Self::Request(Box::new(request)),
            Err(unreadable) => {
                let outcome = HookOutcome::Deny(unreadable.to_string());
                Self::Answered(asked.answer(&outcome, &[]))
            }
        }
    }
}

/// What the user is told of a consultation: participants that broke, and what is odd about answers.
pub(crate) fn told(consultation: &Consultation) -> Vec<String> {
    consultation.reports().map(ToString::to_string).collect()
}
