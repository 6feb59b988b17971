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
            let unasked = Consultation::of(HookOutcome::Allow);
            return Self::Answered(asked.answer(&unasked));
        }
        match asked.request(runner.workspace()) {
            Ok(request) => Self::Request(Box::new(request)),
            Err(unreadable) => Self::Answered(asked.refusal(unreadable.to_string())),
        }
    }
}
