//! What a question means for the hooks, whoever asks them: the bridge itself, or a server for it.

use std::{cell::RefCell, future::Future};

use hook_contract::{HookOutcome, HookRequest};
use hook_dialect::bridge::{Answer, Asked};
use hook_runner::HookRunner;

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

/// What the chain reports about participants that broke, kept apart for each call.
pub(crate) struct Told;

tokio::task_local! {
    static TOLD: RefCell<Vec<String>>;
}

impl Told {
    /// The reporter of a chain. Outside of a call nobody listens.
    pub(crate) fn tell(text: &str) {
        let _nobody_listens = TOLD.try_with(|told| told.borrow_mut().push(text.to_owned()));
    }

    /// What comes of a consultation, and what was reported in it.
    pub(crate) async fn hearing<T>(consultation: impl Future<Output = T>) -> (T, Vec<String>) {
        TOLD.scope(RefCell::default(), async {
            let outcome = consultation.await;
            (outcome, TOLD.with(RefCell::take))
        })
        .await
    }
}
