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

    fn timer(self) -> Option<Timer> {
        let until = self.until?;
        Some(Timer {
            limit: self.limit,
            sleep: Box::pin(sleep_until(until)),
        })
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
    // A participant that panicked is not polled again; what it shares with others is its own affair. The timer may
    // panic as well, in a runtime without a clock.
    let started = catch_unwind(AssertUnwindSafe(|| {
        (budget.and_then(Budget::timer), participant.ask(question))
    }));
    let (mut timer, mut asked) = match started {
        Ok((timer, future)) => (timer, Some(future)),
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
        Ok(HookResponse::Deny { .. }) | Err(HookFailure::OutOfBudget { .. })
    )
}

fn panicked(panic: &(dyn Any + Send)) -> Answer {
    let message = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    HookFailure::Panicked(message.unwrap_or_else(|| "with something that is no text".into())).into()
}
