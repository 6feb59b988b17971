//! Asking a participant such that a panic in it is an answer, and so is running out of time.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hook_contract::{Approval, ApprovalRequest, Approver, Decision};
use tokio::time::Instant;

use crate::{HookFailure, Participant, Question, Reply, alarm::Alarm};

/// Until when a whole consultation may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: Duration,
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

    /// What an answer is worth nothing for, once the time is over.
    fn spent(self) -> Option<Reply> {
        let is_over = self.until.is_some_and(|until| Instant::now() >= until);
        is_over.then(|| self.failure().into())
    }

    const fn failure(self) -> HookFailure {
        HookFailure::OutOfBudget { budget: self.limit }
    }

    /// Nothing for a budget that never ends.
    pub(crate) fn left(self) -> Option<Duration> {
        let until = self.until?;
        Some(until.saturating_duration_since(Instant::now()))
    }
}

/// What bounds one question: the consultation's budget, and the participant's own time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) budget: Option<Budget>,
    pub(crate) timeout: Option<Duration>,
}

/// The bound that ends first, once the participant has to be waited for.
enum Watchdog {
    /// It has not been waited for yet.
    Unset,
    /// Nothing bounds it.
    Unbounded,
    Set(Alarm, fn(Bounds) -> Option<HookFailure>),
}

impl Watchdog {
    fn start(bounds: Bounds) -> Self {
        let left = bounds.budget.and_then(Budget::left);
        let (time, why): (_, fn(Bounds) -> Option<HookFailure>) = match (left, bounds.timeout) {
            (Some(left), Some(timeout)) if timeout < left => (timeout, timed_out),
            (Some(left), _) => (left, out_of_budget),
            (None, Some(timeout)) => (timeout, timed_out),
            (None, None) => return Self::Unbounded,
        };
        Alarm::after(time).map_or(Self::Unbounded, |alarm| Self::Set(alarm, why))
    }

    /// The failure, once the time is over.
    fn poll(&mut self, bounds: Bounds, cx: &mut Context<'_>) -> Poll<Reply> {
        if let Self::Unset = self {
            *self = Self::start(bounds);
        }
        let Self::Set(alarm, why) = self else {
            return Poll::Pending;
        };
        match (alarm.poll(cx), why(bounds)) {
            (Poll::Ready(()), Some(failure)) => Poll::Ready(failure.into()),
            _ => Poll::Pending,
        }
    }
}

fn timed_out(bounds: Bounds) -> Option<HookFailure> {
    let timeout = bounds.timeout?;
    Some(HookFailure::Unanswered { timeout })
}

fn out_of_budget(bounds: Bounds) -> Option<HookFailure> {
    bounds.budget.map(Budget::failure)
}

/// Asks, and leaves what it heard in `heard`; a panic becomes a failure, and so does the end of the time.
///
/// Without a task of its own, so that dropping the consultation drops the participant's future too. The timer is made
/// when the participant has to be waited for, so that an answer that comes at once costs none. A reply is large: it is
/// put where it stays, and not handed from one to the next.
pub(crate) async fn ask(
    participant: &dyn Participant,
    question: &Question,
    bounds: Bounds,
    heard: &mut Option<Reply>,
) {
    let budget = bounds.budget;
    if let Some(spent) = budget.and_then(Budget::spent) {
        *heard = Some(spent);
        return;
    }
    let mut watchdog = Watchdog::Unset;
    // A participant that panicked is not polled again; what it shares with others is its own affair.
    let started = catch_unwind(AssertUnwindSafe(|| participant.ask(question)));
    let mut asked = match started {
        Ok(future) => future,
        Err(panic) => {
            *heard = Some(panicked(panic.as_ref()));
            return;
        }
    };
    std::future::poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| {
            let polled = match asked.as_mut().poll(cx) {
                Poll::Pending => watchdog.poll(bounds, cx),
                answered @ Poll::Ready(_) => answered,
            };
            polled.map(|reply| *heard = Some(reply))
        }));
        polled.unwrap_or_else(|panic| {
            *heard = Some(panicked(panic.as_ref()));
            Poll::Ready(())
        })
    })
    .await;
    // A participant that blocks the thread past the budget is answered for by the clock, not by the timer. A denial ends
    // the chain all the same, and says more.
    if let Some(spent) = budget.and_then(Budget::spent)
        && said(heard.as_ref()) != Decision::Deny
    {
        *heard = Some(spent);
    }
    // What is left of the future may panic as well when it is dropped.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(asked))) {
        // A denial and an ask are not for `on_failure` to overrule.
        let stands = match said(heard.as_ref()) {
            Decision::Deny => Some("panicked when its work was dropped; the denial stands"),
            Decision::Ask => Some("panicked when its work was dropped; the ask stands"),
            Decision::Allow | Decision::Modify | Decision::Replace | _ => None,
        };
        *heard = Some(match (heard.take(), stands) {
            (Some(reply), Some(stands)) => reply.with_note(stands),
            _ => panicked(panic.as_ref()),
        });
    }
}

/// What a reply amounts to as far as it cannot be overruled; a failure that can is no objection.
fn said(reply: Option<&Reply>) -> Decision {
    match reply.map(|reply| &reply.answer) {
        Some(Ok(answer)) => answer.decision(),
        Some(Err(HookFailure::OutOfBudget { .. })) => Decision::Deny,
        Some(Err(_)) | None => Decision::Allow,
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Reply {
    HookFailure::Panicked(words_of(panic)).into()
}

/// The reply of a participant that was waited for in vain: none.
pub(crate) fn unheard() -> Reply {
    HookFailure::Panicked("without a word".into()).into()
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    message.unwrap_or_else(|| "with something that is no text".into())
}

/// Why no person answered.
#[derive(Debug)]
pub(crate) struct Unapproved {
    /// For the operator.
    pub(crate) report: String,
    /// For the model: nothing that the approver said by accident.
    pub(crate) why: String,
}

/// Asks for a person's agreement; whatever is not an answer in time is none.
pub(crate) async fn approve(
    approver: &dyn Approver,
    request: &ApprovalRequest,
    timeout: Duration,
) -> Result<Approval, Unapproved> {
    let failed = |report: String| Unapproved {
        report,
        why: "the host's way to ask one failed".into(),
    };
    match in_time(|| approver.approve(request), timeout).await {
        Ok(Ok(approval)) => Ok(approval),
        Ok(Err(error)) => Err(failed(format!("the approver failed: {error}"))),
        Err(Missed::Panicked(words)) => Err(failed(format!("the approver panicked: {words}"))),
        Err(Missed::Late) => Err(Unapproved {
            report: format!("the approver did not answer within {} s", seconds(timeout)),
            why: format!("none answered within {} s", seconds(timeout)),
        }),
    }
}

/// Ends what a participant keeps running.
///
/// # Errors
///
/// What the operator reads when it did not do so in time.
pub(crate) async fn close(participant: &dyn Participant, timeout: Duration) -> Result<(), String> {
    let closed = in_time(|| participant.close(), timeout).await;
    closed.map_err(|missed| match missed {
        Missed::Panicked(words) => format!("panicked when it was closed: {words}"),
        Missed::Late => format!("was not closed within {} s", seconds(timeout)),
    })
}

/// Why there is no answer of code that was called.
enum Missed {
    Panicked(String),
    Late,
}

/// What third-party code answers within the time. An answer that comes after it is none, also where the code blocked the
/// thread meanwhile.
async fn in_time<'a, T>(
    start: impl FnOnce() -> Pin<Box<dyn Future<Output = T> + Send + 'a>>,
    timeout: Duration,
) -> Result<T, Missed> {
    let panicked = |panic: Box<dyn Any + Send>| Missed::Panicked(words_of(panic.as_ref()));
    let until = Instant::now().checked_add(timeout);
    let mut running = catch_unwind(AssertUnwindSafe(start)).map_err(panicked)?;
    let mut alarm = None;
    let answer = std::future::poll_fn(|cx| {
        match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(cx))) {
            Err(panic) => return Poll::Ready(Err(panicked(panic))),
            Ok(Poll::Ready(answer)) => {
                let is_late = until.is_some_and(|until| Instant::now() >= until);
                return Poll::Ready(if is_late {
                    Err(Missed::Late)
                } else {
                    Ok(answer)
                });
            }
            Ok(Poll::Pending) => {}
        }
        match alarm.get_or_insert_with(|| Alarm::after(timeout)) {
            Some(alarm) => alarm.poll(cx).map(|()| Err(Missed::Late)),
            None => Poll::Pending,
        }
    })
    .await;
    // What is left of it may panic as well when it is dropped.
    catch_unwind(AssertUnwindSafe(|| drop(running))).map_err(panicked)?;
    answer
}

/// To the millisecond: 600, or 0.25.
fn seconds(time: Duration) -> f64 {
    let whole = Duration::from_secs(time.as_secs());
    (whole + Duration::from_millis(time.subsec_millis().into())).as_secs_f64()
}

#[cfg(test)]
mod tests;
