//! What goes on while a person is asked.

use std::time::Duration;

use hook_contract::{HookCall, HookMode, HookSpec};
use tokio::sync::Notify;

use super::*;
use crate::testing::call;

#[tokio::test(start_paused = true)]
async fn the_time_of_a_person_counts_towards_no_budget() {
    let slow = Person::new(|_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(Approval::granted())
        })
    });
    let runner = runner_of([says("deploys", Answer::ask("this deploys"))])
        .with_approver(slow)
        .with_budget(Duration::from_millis(50));
    let (runner, reports) = Reports::built(runner);
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    assert_eq!(reports.all(), Vec::<String>::new());
}

/// Asks a person about each call, once as a program for each question and once as a worker.
fn asks(mode: HookMode) -> HookSpec {
    let script = r#"while read -r call; do echo '{"decision":"ask","reason":"why"}'; done"#;
    HookSpec::new("asks", ["sh", "-c", script])
        .with_mode(mode)
        .with_timeout(Duration::from_secs(60))
}

/// Agrees to each call at once, except to the first, which waits for this.
fn agrees_to_the_first_at_last(until: &Arc<Notify>) -> Person {
    let until = Arc::clone(until);
    Person::new(move |request| {
        let until = Arc::clone(&until);
        if request.call.tool_call_id == "call-1" {
            Box::pin(async move {
                until.notified().await;
                Ok(Approval::granted())
            })
        } else {
            Box::pin(ready(Ok(Approval::granted())))
        }
    })
}

#[tokio::test]
async fn no_place_of_a_program_and_no_worker_is_held_while_a_person_is_asked() {
    for mode in HookMode::ALL {
        let second_is_done = Arc::new(Notify::new());
        let person = agrees_to_the_first_at_last(&second_is_done);
        let directory = tempfile::tempdir().expect("a directory");
        let runner = HookRunner::builder(directory.path())
            .with_hooks([asks(mode)])
            .with_max_programs(1)
            .with_approver(person.clone());
        let (runner, reports) = Reports::built(runner);
        let first = call("{}");
        let second = HookCall::new("agent-1", "shell", "call-2", "{}");
        let answer_second = async {
            let outcome = runner.decide(&second).await;
            second_is_done.notify_one();
            outcome
        };
        // The second is put when the first waits for its person, and the first goes on when the second is through.
        let (first, second) = tokio::time::timeout(Duration::from_secs(30), async {
            tokio::join!(biased; runner.decide(&first), answer_second)
        })
        .await
        .expect("neither waits for the other's program");
        assert_eq!((first, second), (HookOutcome::Allow, HookOutcome::Allow));
        assert_eq!(person.asked().len(), 2);
        assert_eq!(reports.all(), Vec::<String>::new());
        runner.shutdown().await;
    }
}
