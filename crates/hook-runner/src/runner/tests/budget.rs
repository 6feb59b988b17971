use std::{
    future::{pending, ready},
    time::{Duration, Instant},
};

use hook_contract::Answer;

use super::*;
use crate::{Reply, testing::mine};

#[tokio::test]
async fn a_consultation_past_its_budget_is_denied_whatever_on_failure_says() {
    let runner = mine(|| Box::pin(pending()))
        .with_budget(Duration::from_millis(20))
        .build()
        .expect("a runner");
    let outcome = runner.decide(&call("{}")).await;
    assert_eq!(
        outcome,
        HookOutcome::deny(
            "denied, because policy 'remote' had not answered when the budget of the whole consultation, 20 ms, was \
             used up"
        )
    );
    let unbounded = mine(|| Box::pin(ready(Reply::new(Ok(Answer::allow())))))
        .with_budget(Duration::MAX)
        .build()
        .expect("a runner");
    assert_eq!(unbounded.decide(&call("{}")).await, HookOutcome::Allow);
}

#[tokio::test]
async fn an_answer_after_the_budget_counts_only_if_it_is_a_denial() {
    const BUDGET: Duration = Duration::from_millis(20);
    /// An answer without waiting, and too late.
    fn late(response: Answer) -> std::pin::Pin<Box<dyn Future<Output = Reply> + Send>> {
        let over = Instant::now() + BUDGET;
        while Instant::now() < over {
            std::thread::yield_now();
        }
        Box::pin(ready(Reply::new(Ok(response))))
    }

    let out_of_budget = HookOutcome::deny(
        "denied, because policy 'remote' had not answered when the budget of the whole consultation, 20 ms, was used up",
    );
    let allows = mine(|| late(Answer::allow())).with_budget(BUDGET);
    assert_eq!(
        allows.build().expect("a runner").decide(&call("{}")).await,
        out_of_budget
    );
    let denies = mine(|| late(Answer::deny("no"))).with_budget(BUDGET);
    assert_eq!(
        denies.build().expect("a runner").decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'remote': no")
    );
    let unasked = mine(|| panic!("no participant is asked")).with_budget(Duration::ZERO);
    let consultation = unasked
        .build()
        .expect("a runner")
        .consult(HookRequest::from_call(
            HookEvent::PreToolUse,
            Path::new("/ws"),
            &call("{}"),
        ))
        .await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Budget);
    assert!(matches!(consultation.outcome, HookOutcome::Deny(_)));
}

#[test]
fn a_budget_is_kept_in_a_runtime_without_a_clock() {
    let no_clock = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let agrees = mine(|| Box::pin(ready(Reply::new(Ok(Answer::allow())))))
        .with_budget(Duration::from_secs(60))
        .build()
        .expect("a runner");
    assert_eq!(
        no_clock.block_on(agrees.decide(&call("{}"))),
        HookOutcome::Allow
    );
    let hangs = mine(|| Box::pin(pending())).with_budget(Duration::from_millis(20));
    let (hangs, reports) = Reports::built(hangs);
    let said = "policy 'remote' had not answered when the budget of the whole consultation, 20 ms, was used up";
    assert_eq!(
        no_clock.block_on(hangs.decide(&call("{}"))),
        HookOutcome::deny(format!("denied, because {said}"))
    );
    assert_eq!(reports.all(), [format!("{said}; the call was denied")]);
}
