//! Questions that wait for their turn among the programs.

use hook_contract::HookMode;

use super::*;
use crate::{DEFAULT_QUEUE_TIMEOUT, HookFailure, testing::before};

/// Answers when the file `go` is there, and says that it was asked by the file `asked`.
fn waits(name: &str) -> HookSpec {
    let script = "read -r call; touch asked; until [ -e go ]; do sleep 0.01; done; echo '{\"decision\":\"allow\"}'";
    HookSpec::new(name, ["sh", "-c", script]).with_timeout(Duration::from_secs(60))
}

/// What becomes of a question for which there is no place, and of the one that has it.
async fn two_at_once(builder: HookRunnerBuilder, directory: &Path) -> [Consultation; 2] {
    let runner = builder
        .with_queue_timeout(Duration::from_millis(50))
        .with_reporter(|_| ());
    let runner = runner.build().expect("a runner");
    let first = runner.consult(before("{}"));
    let second = async {
        while !directory.join("asked").exists() {
            tokio::task::yield_now().await;
        }
        let consultation = runner.consult(before("{}")).await;
        std::fs::write(directory.join("go"), "").expect("a file");
        consultation
    };
    let (first, second) = tokio::join!(first, second);
    runner.shutdown().await;
    [first, second]
}

#[tokio::test]
async fn a_question_that_waits_too_long_for_a_place_fails_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let builder = HookRunner::builder(directory.path())
        .with_hooks([waits("slow")])
        .with_max_programs(1);
    let [first, second] = two_at_once(builder, directory.path()).await;
    assert_eq!(first.outcome, HookOutcome::Allow, "it had its place");
    assert_eq!(
        second.outcome,
        HookOutcome::deny(
            "denied, because hook 'slow' was not asked: no place became free within 50 ms"
        )
    );
    let step = &second.trail[0];
    let failure = step.failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Queue);
    assert_eq!(
        failure.to_string(),
        "was not asked: no place became free within 50 ms, because every program that may run at once was running; \
         raise the number of programs, or lower what they cost"
    );
    assert!(step.queued >= Duration::from_millis(50), "{step:?}");
    assert_eq!(step.bytes_sent, 0);
}

#[tokio::test]
async fn a_question_that_waits_too_long_for_a_workers_process_fails_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let worker = waits("slow").with_mode(HookMode::Worker);
    let builder = HookRunner::builder(directory.path())
        .with_hooks([worker])
        .with_max_programs(8);
    let [first, second] = two_at_once(builder, directory.path()).await;
    assert_eq!(first.outcome, HookOutcome::Allow, "it had the process");
    let step = &second.trail[0];
    assert!(matches!(
        step.failure,
        Some(HookFailure::NoPlace { waited }) if waited == Duration::from_millis(50)
    ));
    assert!(step.queued >= Duration::from_millis(50), "{step:?}");
    assert!(matches!(second.outcome, HookOutcome::Deny(_)));
}

#[tokio::test]
async fn a_worker_waits_for_a_process_and_a_place_no_longer_than_for_one() {
    // The one place of the runner is another hook's, so the worker has its process and waits for the place.
    let directory = tempfile::tempdir().expect("a directory");
    let other = waits("other").with_tools(["shell"]);
    let worker = HookSpec::new("worker", ["cat"])
        .with_mode(HookMode::Worker)
        .with_tools(["edit"]);
    let runner = HookRunner::builder(directory.path())
        .with_hooks([other, worker])
        .with_max_programs(1)
        .with_queue_timeout(Duration::from_millis(50))
        .with_reporter(|_| ())
        .build()
        .expect("a runner");
    let first = runner.consult(before("{}"));
    let second = async {
        while !directory.path().join("asked").exists() {
            tokio::task::yield_now().await;
        }
        let edit = HookCall::new("agent-1", "edit", "call-2", "{}");
        let outcome = runner.decide(&edit).await;
        std::fs::write(directory.path().join("go"), "").expect("a file");
        outcome
    };
    let (_first, second) = tokio::join!(first, second);
    assert_eq!(
        second,
        HookOutcome::deny(
            "denied, because worker 'worker' was not asked: no place became free within 50 ms"
        )
    );
}

#[tokio::test]
async fn an_observer_that_gets_no_turn_is_passed_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let observer = waits("observer").with_on_failure(hook_contract::OnFailure::Allow);
    let builder = HookRunner::builder(directory.path())
        .with_hooks([observer])
        .with_max_programs(1);
    let [_, second] = two_at_once(builder, directory.path()).await;
    assert_eq!(second.outcome, HookOutcome::Allow);
    assert_eq!(second.trail[0].word(), "failed");
}

#[test]
fn half_a_minute_is_waited_unless_set() {
    assert_eq!(DEFAULT_QUEUE_TIMEOUT, Duration::from_secs(30));
}
