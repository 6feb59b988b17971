//! What an interceptor says of itself, and what becomes of it in the chain.

use std::{
    future::pending,
    sync::{Mutex, atomic::AtomicUsize},
    time::Duration,
};

use hook_contract::{Answer, HookCall, HookEvent, HookOutcome, HookRequest, InterceptorError};
use serde_json::json;

use super::*;
use crate::{
    FailureKind, HookRunner, HookRunnerBuilder, NoteKind,
    testing::{Reports, WORKSPACE, before, call},
};

/// An interceptor that says of itself what the test says.
struct Own {
    subjects: fn(&Subject<'_>) -> bool,
    on_failure: OnFailure,
    timeout: Option<Duration>,
    answer: fn() -> Option<Result<Answer, InterceptorError>>,
}

/// Asked about everything, and never answers.
const HANGS: Own = Own {
    subjects: |_| true,
    on_failure: OnFailure::Deny,
    timeout: None,
    answer: || None,
};

#[async_trait]
impl Interceptor for Own {
    fn name(&self) -> &str {
        "own"
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        (self.subjects)(subject)
    }

    fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }

    async fn answer(&self, _call: &HookRequest) -> Result<Answer, InterceptorError> {
        match (self.answer)() {
            Some(answer) => answer,
            None => pending().await,
        }
    }
}

fn builder() -> HookRunnerBuilder {
    HookRunner::builder(WORKSPACE)
}

#[tokio::test]
async fn an_interceptor_is_asked_about_what_it_applies_to() {
    let shell_only = Own {
        subjects: |subject| subject.event == HookEvent::PreToolUse && subject.tool_name == "shell",
        answer: || Some(Ok(Answer::deny("no"))),
        ..HANGS
    };
    let (runner, _) = Reports::built(builder().with_interceptor(shell_only));
    let denied = HookOutcome::deny("denied by interceptor 'own': no");
    assert_eq!(runner.decide(&call("{}")).await, denied);
    assert!(runner.asks(HookEvent::PreToolUse, "shell"));
    let other = HookCall::new("agent-1", "Shell", "call-1", "{}");
    assert_eq!(runner.decide(&other).await, HookOutcome::Allow);
    let after = runner.review(&other, json!(1), false);
    assert_eq!(after.await, HookOutcome::Allow);
    assert!(!runner.asks(HookEvent::PostToolUse, "shell"));
}

#[tokio::test]
async fn an_interceptor_that_says_nothing_of_itself_is_asked_about_both_tool_events() {
    struct Counts(Arc<AtomicUsize>);

    #[async_trait]
    impl Interceptor for Counts {
        fn name(&self) -> &str {
            "counts"
        }

        async fn intercept(&self, _: &HookRequest) -> Result<HookOutcome, InterceptorError> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(HookOutcome::Allow)
        }

        async fn review(&self, _: &HookRequest) -> Result<HookOutcome, InterceptorError> {
            self.0.fetch_add(10, std::sync::atomic::Ordering::Relaxed);
            Ok(HookOutcome::Allow)
        }
    }

    let count = Arc::new(AtomicUsize::new(0));
    let counts = Counts(Arc::clone(&count));
    let (runner, _) = Reports::built(builder().with_interceptor(counts));
    runner.decide(&call("{}")).await;
    runner.review(&call("{}"), json!(1), false).await;
    assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 11);
}

#[tokio::test]
async fn the_failure_of_an_interceptor_means_what_it_says() {
    for on_failure in OnFailure::ALL {
        let fails = Own {
            on_failure,
            answer: || Some(Err("unreachable".into())),
            ..HANGS
        };
        let (runner, reports) = Reports::built(builder().with_interceptor(fails));
        let outcome = runner.decide(&call("{}")).await;
        let (expected, meaning) = match on_failure {
            OnFailure::Allow => (
                HookOutcome::Allow,
                "it was passed over (on_failure is allow)",
            ),
            OnFailure::Deny => (
                HookOutcome::deny("denied, because interceptor 'own' could not answer"),
                "the call was denied",
            ),
        };
        assert_eq!(outcome, expected);
        let report = format!("interceptor 'own' answered with an error: unreachable; {meaning}");
        assert_eq!(reports.all(), [report]);
    }
}

#[tokio::test]
async fn the_error_text_of_an_interceptor_goes_to_the_operator_alone() {
    let fails = Own {
        answer: || Some(Err("https://policy/?token=hunter2: 500".into())),
        ..HANGS
    };
    let (runner, reports) = Reports::built(builder().with_interceptor(fails));
    let consultation = runner.consult(before("{}")).await;
    let reason = consultation.outcome.reason().expect("a denial");
    assert!(!reason.contains("hunter2"), "the model reads {reason}");
    assert!(reports.all()[0].contains("hunter2"));
    let [note] = &consultation.notes[..] else {
        panic!("one note")
    };
    assert_eq!((note.kind, note.is_report()), (NoteKind::Failure, true));
    assert!(note.text.contains("hunter2"), "the operator reads it");
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Error);
}

/// How long it took until an interceptor that hangs was cut, if it was within a day.
async fn cut_after(runner: HookRunnerBuilder) -> Option<Duration> {
    let (runner, _) = Reports::built(runner);
    let since = tokio::time::Instant::now();
    let asked = call("{}");
    let day = Duration::from_secs(24 * 60 * 60);
    let decided = tokio::time::timeout(day, runner.decide(&asked)).await;
    let outcome = decided.ok()?;
    assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
    Some(since.elapsed())
}

#[tokio::test(start_paused = true)]
async fn an_interceptor_has_the_hosts_time_unless_it_says_otherwise() {
    let own = |timeout| Own { timeout, ..HANGS };
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let of_host = builder().with_interceptor(own(None));
    assert_eq!(cut_after(of_host.clone()).await, seconds(5), "unless set");
    let set = of_host
        .clone()
        .with_interceptor_timeout(Duration::from_secs(2));
    assert_eq!(cut_after(set).await, seconds(2));
    let off = of_host.without_interceptor_timeout();
    assert_eq!(cut_after(off).await, None, "as long as it wants");
    let own_time = builder().with_interceptor(own(seconds(9)));
    assert_eq!(cut_after(own_time.clone()).await, seconds(9));
    let own_time = own_time.without_interceptor_timeout();
    assert_eq!(cut_after(own_time).await, seconds(9), "its own is kept");
}

#[tokio::test(start_paused = true)]
async fn an_answer_within_the_time_counts() {
    struct Slow(Arc<Mutex<Vec<&'static str>>>);

    #[async_trait]
    impl Interceptor for Slow {
        fn name(&self) -> &str {
            "slow"
        }

        async fn intercept(&self, _: &HookRequest) -> Result<HookOutcome, InterceptorError> {
            tokio::time::sleep(Duration::from_millis(4999)).await;
            self.0.lock().expect("a lock").push("woke");
            Ok(HookOutcome::deny("no"))
        }
    }

    let log = Arc::default();
    let slow = Slow(Arc::clone(&log));
    let (runner, _) = Reports::built(builder().with_interceptor(slow));
    let outcome = runner.decide(&call("{}")).await;
    assert_eq!(
        outcome,
        HookOutcome::deny("denied by interceptor 'slow': no")
    );
    assert_eq!(*log.lock().expect("a lock"), ["woke"]);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_names_the_interceptor_and_its_time() {
    let (runner, reports) = Reports::built(builder().with_interceptor(HANGS));
    let consultation = runner.consult(before("{}")).await;
    let said = "interceptor 'own' did not answer within 5000 ms";
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny(format!("denied, because {said}"))
    );
    assert_eq!(reports.all(), [format!("{said}; the call was denied")]);
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Timeout);
}
