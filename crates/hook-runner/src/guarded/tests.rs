//! A participant that never answers, in every kind of runtime.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use hook_contract::{Answer, HookOutcome, OnFailure};
use tokio::runtime::Builder;

use super::*;
use crate::{
    HookRunner, HookRunnerBuilder, TimeLimit,
    alarm::tests::block_on,
    testing::{Mine, Reports, WORKSPACE, call, policy},
};

const SHORT: Duration = Duration::from_millis(20);

/// Counts how often it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A runner with a participant that never answers and that the chain bounds, and how often its work was dropped.
fn hanging() -> (HookRunnerBuilder, Arc<AtomicUsize>) {
    let dropped = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&dropped);
    let hangs = Mine::new(policy("hangs"), move |_| {
        let work = Counted(Arc::clone(&counter));
        Box::pin(async move {
            let _work = work;
            pending().await
        })
    });
    let hangs = hangs.with_limit(TimeLimit::OfHost);
    let runner = HookRunner::builder(WORKSPACE).with_participant(hangs);
    (runner.with_interceptor_timeout(SHORT), dropped)
}

/// The participant is cut, by this way to run a future.
#[track_caller]
fn check(run: impl FnOnce(Pin<&mut dyn Future<Output = HookOutcome>>) -> HookOutcome) {
    let (runner, dropped) = hanging();
    let (runner, reports) = Reports::built(runner);
    let asked = call("{}");
    let outcome = run(std::pin::pin!(runner.decide(&asked)));
    let said = "policy 'hangs' did not answer within 20 ms";
    assert_eq!(
        outcome,
        HookOutcome::deny(format!("denied, because {said}"))
    );
    assert_eq!(reports.all(), [format!("{said}; the call was denied")]);
    assert_eq!(dropped.load(Ordering::Relaxed), 1, "its work is dropped");
}

#[test]
fn one_that_never_answers_is_cut_in_a_runtime_with_several_threads() {
    let runtime = Builder::new_multi_thread().enable_all().build();
    check(|decide| runtime.expect("a runtime").block_on(decide));
}

#[test]
fn one_that_never_answers_is_cut_in_a_runtime_with_one_thread() {
    let runtime = Builder::new_current_thread().enable_all().build();
    check(|decide| runtime.expect("a runtime").block_on(decide));
}

#[test]
fn one_that_never_answers_is_cut_in_a_runtime_without_the_time_driver() {
    let runtime = Builder::new_current_thread().build();
    check(|decide| runtime.expect("a runtime").block_on(decide));
    let runtime = Builder::new_multi_thread().enable_io().build();
    check(|decide| runtime.expect("a runtime").block_on(decide));
}

#[test]
fn one_that_never_answers_is_cut_without_a_runtime() {
    check(|decide| block_on(decide));
}

#[test]
fn one_that_never_answers_is_cut_at_once_by_a_paused_clock() {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build();
    check(|decide| runtime.expect("a runtime").block_on(decide));
}

#[test]
fn a_budget_is_kept_without_a_runtime() {
    let (runner, dropped) = hanging();
    let runner = runner.without_interceptor_timeout().with_budget(SHORT);
    let (runner, _) = Reports::built(runner);
    let outcome = block_on(runner.decide(&call("{}")));
    let reason = "denied, because policy 'hangs' had not answered when the budget of the whole consultation, 20 ms, was \
                  used up";
    assert_eq!(outcome, HookOutcome::deny(reason));
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn of_two_bounds_the_first_to_end_is_named() {
    for (budget, timeout, words) in [
        (10, 20, "the budget of the whole consultation, 10 ms"),
        (20, 10, "did not answer within 10 ms"),
    ] {
        let (runner, _) = hanging();
        let runner = runner
            .with_budget(Duration::from_millis(budget))
            .with_interceptor_timeout(Duration::from_millis(timeout));
        let outcome = Reports::built(runner).0.decide(&call("{}")).await;
        let reason = outcome.reason().expect("a denial");
        assert!(reason.contains(words), "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_means_what_a_failure_means_and_a_budget_does_not() {
    let observer = |runner: HookRunnerBuilder| {
        let hangs = Mine::new(policy("observer"), |_| Box::pin(pending()));
        let hangs = hangs.with_on_failure(OnFailure::Allow);
        runner.with_participant(hangs.with_limit(TimeLimit::After(SHORT)))
    };
    let runner = observer(HookRunner::builder(WORKSPACE));
    let (runner, reports) = Reports::built(runner);
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    let report =
        "policy 'observer' did not answer within 20 ms; it was passed over (on_failure is allow)";
    assert_eq!(reports.all(), [report]);

    let budget = HookRunner::builder(WORKSPACE).with_budget(Duration::from_millis(10));
    let (runner, _) = Reports::built(observer(budget));
    let outcome = runner.decide(&call("{}")).await;
    assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn a_participant_with_a_deadline_of_its_own_is_raced_by_no_timer() {
    let slow = Mine::new(policy("slow"), |_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            Reply::new(Ok(Answer::allow()))
        })
    });
    let runner = HookRunner::builder(WORKSPACE).with_participant(slow);
    let (runner, _) = Reports::built(runner);
    let since = Instant::now();
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    assert_eq!(since.elapsed().as_secs(), 3600);
}
