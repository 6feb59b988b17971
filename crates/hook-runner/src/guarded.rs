//! Asking a participant such that a panic in it is an answer, and so is running out of time.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    task::Poll,
    time::Duration,
};

use tokio::time::Instant;

use crate::{Answer, HookFailure, Participant, Question};

/// Until when a whole consultation may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) limit: Duration,
    until: Option<Instant>,
}

impl Budget {
    /// Starts now. One that is too long for the clock never ends.
    pub(crate) fn start(limit: Duration) -> Self {
        Self {
            limit,
            until: Instant::now().checked_add(limit),
        }
    }
}

/// Asks; a panic becomes a failure, and so does the end of the budget.
pub(crate) async fn ask(
    participant: &dyn Participant,
    question: &Question,
    budget: Option<Budget>,
) -> Answer {
    let answer = catching(participant, question);
    let Some((budget, until)) = budget.and_then(|budget| Some((budget, budget.until?))) else {
        return answer.await;
    };
    match tokio::time::timeout_at(until, answer).await {
        Ok(answer) => answer,
        Err(_elapsed) => HookFailure::OutOfBudget {
            budget: budget.limit,
        }
        .into(),
    }
}

/// Without a task of its own, so that dropping the consultation drops the participant's future too.
async fn catching(participant: &dyn Participant, question: &Question) -> Answer {
    // A participant that panicked is not polled again; what it shares with others is its own affair.
    let mut asked = match catch_unwind(AssertUnwindSafe(|| participant.ask(question))) {
        Ok(future) => Some(future),
        Err(panic) => return panicked(panic.as_ref()),
    };
    let answer = std::future::poll_fn(|cx| match &mut asked {
        None => Poll::Pending,
        Some(future) => match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(panic) => Poll::Ready(panicked(panic.as_ref())),
        },
    })
    .await;
    // What is left of the future may panic as well when it is dropped.
    match catch_unwind(AssertUnwindSafe(|| drop(asked.take()))) {
        Ok(()) => answer,
        Err(panic) => panicked(panic.as_ref()),
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Answer {
    let message = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    HookFailure::Panicked(message.unwrap_or_else(|| "with something that is no text".into())).into()
}
