//! Asking a participant such that a panic in it is an answer, and so is running out of time.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hook_wire::HookResponse;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::{Answer, HookFailure, Participant, Question, process};

/// Until when a whole consultation may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: Duration,
    until: Option<Instant>,
}

/// A budget that ends.
struct Timer {
    limit: Duration,
    sleep: Pin<Box<Sleep>>,
}

impl Budget {
    /// Starts now. One that is too long for the clock never ends.
    pub(crate) fn start(limit: Duration) -> Self {
        Self {
            limit,
            until: Instant::now().checked_add(limit),
        }
    }

    /// What an answer is worth nothing for, once the time is over.
    fn spent(self) -> Option<Answer> {
        let is_over = self.until.is_some_and(|until| Instant::now() >= until);
        let budget = self.limit;
        is_over.then(|| HookFailure::OutOfBudget { budget }.into())
    }

    /// The end of the budget; a failure in a runtime that keeps no time.
    fn timer(self) -> Result<Option<Timer>, HookFailure> {
        let Some(until) = self.until else {
            return Ok(None);
        };
        let limit = self.limit;
        match catch_unwind(|| Box::pin(sleep_until(until))) {
            Ok(sleep) => Ok(Some(Timer { limit, sleep })),
            Err(_panic) => Err(HookFailure::BudgetUnkept { budget: limit }),
        }
    }
}

/// Asks; a panic becomes a failure, and so does the end of the budget.
///
/// Without a task of its own, so that dropping the consultation drops the participant's future too.
pub(crate) async fn ask(
    participant: &dyn Participant,
    question: &Question,
    budget: Option<Budget>,
) -> Answer {
    if let Some(spent) = budget.and_then(Budget::spent) {
        return spent;
    }
    let mut timer = match budget.map_or(Ok(None), Budget::timer) {
        Ok(timer) => timer,
        Err(unkept) => return unkept.into(),
    };
    // A participant that panicked is not polled again; what it shares with others is its own affair.
    let started = catch_unwind(AssertUnwindSafe(|| participant.ask(question)));
    let mut asked = match started {
        Ok(future) => Some(future),
        Err(panic) => return panicked(panic.as_ref()),
    };
    let answer = std::future::poll_fn(|cx| {
        let Some(future) = &mut asked else {
            return Poll::Pending;
        };
        let polled = catch_unwind(AssertUnwindSafe(|| match future.as_mut().poll(cx) {
            Poll::Pending => poll_budget(&mut timer, cx),
            answered @ Poll::Ready(_) => answered,
        }));
        polled.unwrap_or_else(|panic| Poll::Ready(panicked(panic.as_ref())))
    })
    .await;
    // Whoever blocks the thread past the budget is answered for by the clock, not by the timer. A denial ends the
    // chain all the same, and says more.
    let answer = match budget.and_then(Budget::spent) {
        Some(spent) if !is_denial(&answer) => spent,
        _ => answer,
    };
    // What is left of the future may panic as well when it is dropped.
    match catch_unwind(AssertUnwindSafe(|| drop(asked.take()))) {
        Ok(()) => answer,
        // Neither is for `on_failure` to overrule.
        Err(_panic) if is_denial(&answer) => {
            answer.with_note("panicked when its work was dropped; the denial stands")
        }
        Err(panic) => panicked(panic.as_ref()),
    }
}

/// The failure, once the budget is used up.
fn poll_budget(timer: &mut Option<Timer>, cx: &mut Context<'_>) -> Poll<Answer> {
    let Some(Timer { limit, sleep }) = timer else {
        return Poll::Pending;
    };
    let budget = *limit;
    process::poll_time(sleep.as_mut(), cx).map(|()| HookFailure::OutOfBudget { budget }.into())
}

fn is_denial(answer: &Answer) -> bool {
    matches!(
        answer.response,
        Ok(HookResponse::Deny { .. })
            | Err(HookFailure::OutOfBudget { .. } | HookFailure::BudgetUnkept { .. })
    )
}

fn panicked(panic: &(dyn Any + Send)) -> Answer {
    let message = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    HookFailure::Panicked(message.unwrap_or_else(|| "with something that is no text".into())).into()
}
