mod again;
mod again_told;
mod approver;
mod asks;
mod contexts;
mod waiting;

use std::{
    future::ready,
    pin::Pin,
    sync::{Arc, Mutex},
};

use hook_contract::{Answer, Approval, ApprovalRequest, Approver, InterceptorError};

use super::*;
use crate::{
    HookRunner, HookRunnerBuilder, Settled,
    testing::{Mine, Reports, WORKSPACE, before, policy},
};

type Approving = Pin<Box<dyn Future<Output = Result<Approval, InterceptorError>> + Send>>;

/// An approver that does what a function says, and keeps what it was asked.
#[derive(Clone)]
struct Person {
    asked: Arc<Mutex<Vec<ApprovalRequest>>>,
    how: Arc<dyn Fn(&ApprovalRequest) -> Approving + Send + Sync>,
}

impl Person {
    fn new(how: impl Fn(&ApprovalRequest) -> Approving + Send + Sync + 'static) -> Self {
        Self {
            asked: Arc::default(),
            how: Arc::new(how),
        }
    }

    /// One that says this at once.
    fn saying(approval: Approval) -> Self {
        Self::new(move |_| Box::pin(ready(Ok(approval.clone()))))
    }

    fn asked(&self) -> Vec<ApprovalRequest> {
        self.asked.lock().expect("a lock").clone()
    }
}

impl Approver for Person {
    fn approve<'life0, 'life1, 'async_trait>(
        &'life0 self,
        request: &'life1 ApprovalRequest,
    ) -> Pin<Box<dyn Future<Output = Result<Approval, InterceptorError>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        self.asked.lock().expect("a lock").push(request.clone());
        (self.how)(request)
    }
}

/// `policy 'name'` that answers so.
fn says(name: &str, answer: Answer) -> Mine {
    Mine::saying(policy(name), move |_| answer.clone())
}

/// A runner of these, without an approver.
fn runner_of(participants: impl IntoIterator<Item = Mine>) -> HookRunnerBuilder {
    let runner = HookRunner::builder(WORKSPACE);
    let add = |runner: HookRunnerBuilder, one| runner.with_participant(one);
    participants.into_iter().fold(runner, add)
}

/// What comes of a call that these are asked about, and this person after them.
async fn consult_with(
    person: &Person,
    request: HookRequest,
    participants: impl IntoIterator<Item = Mine>,
) -> Consultation {
    let runner = runner_of(participants).with_approver(person.clone());
    Reports::built(runner).0.consult(request).await
}

fn words(consultation: &Consultation) -> Vec<(&str, &str)> {
    let steps = consultation.trail.iter();
    steps.map(|step| (step.who.name(), step.word())).collect()
}

fn settled(consultation: &Consultation) -> &Settled {
    &consultation.asked.as_ref().expect("it was asked").settled
}
