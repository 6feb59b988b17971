//! Closing a runner, and what waits for it.

use std::{
    fs,
    future::ready,
    path::Path,
    task::{Context, Waker},
    time::Duration,
};

use hook_contract::{Answer, HookCall, HookMode, HookOutcome, HookSpec, Subject, async_trait};
use serde_json::json;

use super::*;
use crate::{
    HookRunner, Identity, Question, Reply,
    testing::{Mine, Reports, WORKSPACE, before, call, policy},
};

fn closed() -> HookOutcome {
    HookOutcome::deny(
        "denied, because the hooks of this host are closed: no hook can be asked any more",
    )
}

fn is_pending<F: Future + ?Sized>(future: std::pin::Pin<&mut F>) -> bool {
    future
        .poll(&mut Context::from_waker(Waker::noop()))
        .is_pending()
}

#[tokio::test]
async fn a_closed_runner_denies_every_call_also_one_that_concerns_no_hook() {
    let agrees = Mine::saying(policy("agrees"), |_| Answer::allow());
    let asked = HookRunner::builder(WORKSPACE).with_participant(agrees);
    for runner in [asked, HookRunner::builder(WORKSPACE)] {
        let (runner, _) = Reports::built(runner);
        assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
        let clone = runner.clone();
        runner.close().await;
        for runner in [&runner, &clone] {
            assert_eq!(runner.decide(&call("{}")).await, closed());
            let review = runner.review(&call("{}"), json!(1), false).await;
            assert_eq!(review, closed());
            let consultation = runner.consult(before("{}")).await;
            assert_eq!(consultation.outcome, closed());
            assert!(consultation.trail.is_empty());
        }
        assert_eq!(
            runner.with_env("A", "1").decide(&call("{}")).await,
            closed(),
            "its participants were told to end"
        );
    }
}

#[tokio::test]
async fn what_is_being_decided_is_decided_first() {
    let go = Arc::new(Notify::new());
    let waits = Arc::clone(&go);
    let slow = Mine::new(policy("slow"), move |_| {
        let waits = Arc::clone(&waits);
        Box::pin(async move {
            waits.notified().await;
            Reply::new(Ok(Answer::deny("no")))
        })
    });
    let (runner, _) = Reports::built(HookRunner::builder(WORKSPACE).with_participant(slow));
    let asked = call("{}");
    let mut decide = Box::pin(runner.decide(&asked));
    assert!(is_pending(decide.as_mut()));
    let mut first = Box::pin(runner.close());
    let mut second = Box::pin(runner.close());
    assert!(is_pending(first.as_mut()) && is_pending(second.as_mut()));
    assert_eq!(
        runner.decide(&asked).await,
        closed(),
        "later ones are denied"
    );
    go.notify_one();
    let denied = HookOutcome::deny("denied by policy 'slow': no");
    assert_eq!(decide.await, denied);
    first.await;
    second.await;
    runner.close().await;
}

#[tokio::test]
async fn a_consultation_that_is_dropped_is_not_waited_for() {
    let hangs = Mine::new(policy("hangs"), |_| Box::pin(std::future::pending()));
    let (runner, _) = Reports::built(HookRunner::builder(WORKSPACE).with_participant(hangs));
    let asked = call("{}");
    let mut decide = Box::pin(runner.decide(&asked));
    assert!(is_pending(decide.as_mut()));
    let close = runner.close();
    let (closes, ()) = tokio::join!(
        tokio::time::timeout(Duration::from_secs(30), close),
        async { drop(decide) }
    );
    closes.expect("nothing runs any more");
}

#[tokio::test]
async fn a_close_that_is_dropped_leaves_the_runner_closed() {
    let hangs = Mine::new(policy("hangs"), |_| Box::pin(std::future::pending()));
    let (runner, _) = Reports::built(HookRunner::builder(WORKSPACE).with_participant(hangs));
    let asked = call("{}");
    let mut decide = Box::pin(runner.decide(&asked));
    assert!(is_pending(decide.as_mut()));
    let mut close = Box::pin(runner.close());
    assert!(is_pending(close.as_mut()));
    drop(close);
    assert_eq!(runner.decide(&asked).await, closed());
}

#[tokio::test]
async fn participants_are_closed_once_after_the_last_question() {
    /// Counts how often it was closed.
    struct Counts(Identity, Arc<AtomicUsize>);

    #[async_trait]
    impl Participant for Counts {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, _subject: &Subject<'_>) -> bool {
            true
        }

        async fn ask(&self, _question: &Question) -> Reply {
            assert_eq!(self.1.load(Ordering::SeqCst), 0, "asked after its end");
            ready(Reply::new(Ok(Answer::allow()))).await
        }

        async fn close(&self) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }

    let count = Arc::new(AtomicUsize::new(0));
    let counts = Counts(policy("counts"), Arc::clone(&count));
    let (runner, _) = Reports::built(HookRunner::builder(WORKSPACE).with_participant(counts));
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    tokio::join!(runner.close(), runner.close());
    runner.close().await;
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_participant_that_does_not_end_is_reported_and_left() {
    struct Stays(Identity);

    #[async_trait]
    impl Participant for Stays {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, _subject: &Subject<'_>) -> bool {
            true
        }

        async fn ask(&self, _question: &Question) -> Reply {
            Reply::new(Ok(Answer::allow()))
        }

        async fn close(&self) {
            std::future::pending::<()>().await;
        }
    }

    let stays = HookRunner::builder(WORKSPACE).with_participant(Stays(policy("stays")));
    let (runner, reports) = Reports::built(stays);
    let since = tokio::time::Instant::now();
    runner.close().await;
    assert_eq!(since.elapsed(), CLOSE_TIMEOUT);
    assert_eq!(reports.all(), ["policy 'stays' was not closed within 5 s"]);
}

/// Whether a process has this directory as its working directory.
fn is_anybodys_home(directory: &Path) -> bool {
    let directory = directory.canonicalize().expect("a directory");
    let processes = fs::read_dir("/proc").expect("processes");
    processes
        .filter_map(Result::ok)
        .any(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == directory))
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_of_a_worker_outlives_a_runner_that_is_closed() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = "while read -r call; do echo '{\"decision\":\"allow\"}'; done; exec sleep 600";
    let worker = HookSpec::new("stays", ["sh", "-c", script]).with_mode(HookMode::Worker);
    let runner = HookRunner::builder(directory.path())
        .with_hooks([worker])
        .with_workers(2);
    let (runner, reports) = Reports::built(runner);
    runner.warm_up().await;
    assert!(is_anybodys_home(directory.path()), "it would be seen");
    let calls = [1, 2, 3].map(|n| HookCall::new("agent-1", "shell", format!("call-{n}"), "{}"));
    let [a, b, c] = &calls;
    let (a, b, c, ()) = tokio::join!(
        biased;
        runner.decide(a),
        runner.decide(b),
        runner.decide(c),
        runner.close()
    );
    assert_eq!(
        [a, b, c],
        [const { HookOutcome::Allow }; 3],
        "those that were asked"
    );
    assert!(!is_anybodys_home(directory.path()));
    assert_eq!(runner.decide(&call("{}")).await, closed());
    runner.close().await;
    runner.warm_up().await;
    assert!(!is_anybodys_home(directory.path()), "none is started again");
    assert_eq!(reports.all(), Vec::<String>::new());
}
