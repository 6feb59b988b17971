use std::{
    future::{pending, ready},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::Poll,
    time::{Duration, Instant},
};

use hook_contract::{
    HookCall, HookEvent, HookOrigin, HookOutcome, HookRequest, HookSpec, Interceptor,
    InterceptorError, OnFailure, async_trait,
};
use hook_wire::HookResponse;
use serde_json::json;

use super::*;
use crate::{
    Answer, Decision, FailureKind, HookFailure, Identity, NoteKind, Origin, Question, Step,
    interceptor::InProcess,
};

/// An interceptor that does what a function says.
struct With<F>(&'static str, F);

#[async_trait]
impl<F> Interceptor for With<F>
where
    F: Fn(&HookRequest) -> Result<HookOutcome, InterceptorError> + Send + Sync,
{
    fn name(&self) -> &str {
        self.0
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(call)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(result)
    }
}

fn call(input_json: &str) -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", input_json)
}

/// What a runner reported.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<String>>>);

impl Reports {
    fn of(runner: HookRunner) -> (HookRunner, Self) {
        let reports = Self::default();
        let sink = reports.clone();
        let runner = runner
            .with_reporter(move |message| sink.0.lock().expect("a lock").push(message.into()));
        (runner, reports)
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().expect("a lock").clone()
    }
}

#[tokio::test]
async fn a_runner_without_participants_allows_everything() {
    let runner = HookRunner::new("/ws", vec![]);
    assert!(runner.is_empty());
    assert_eq!(
        runner.decide(&call(r#"{"a":1,"a":2}"#)).await,
        HookOutcome::Allow
    );
    assert_eq!(
        runner.review(&call("{}"), json!(1), true).await,
        HookOutcome::Allow
    );
}

#[tokio::test]
async fn an_input_with_two_readings_is_denied_before_anybody_is_asked() {
    let runner = HookRunner::new("/ws", vec![])
        .with_interceptor(With("never", |_: &HookRequest| panic!("nobody is asked")));
    let outcome = runner
        .decide(&call(r#"{"command":"ls","command":"rm -rf /"}"#))
        .await;
    assert_eq!(
        outcome,
        HookOutcome::deny(
            "denied before any hook was asked: the input can be read as two different calls (the key \"command\" \
             stands twice in one object at line 1, column 17)"
        )
    );
}

#[tokio::test]
async fn interceptors_are_asked_in_the_order_of_registration_and_the_first_deny_ends_it() {
    let (runner, reports) = Reports::of(
        HookRunner::new("/ws", vec![])
            .with_interceptor(With("first", |_: &HookRequest| {
                Ok(HookOutcome::modify(json!({"n": 1})))
            }))
            .with_interceptor(With("second", |call: &HookRequest| {
                assert_eq!(call.input["n"], 1, "it sees the rewrite");
                Ok(HookOutcome::deny("no"))
            }))
            .with_interceptor(With("third", |_: &HookRequest| {
                panic!("nobody is asked after a deny")
            })),
    );
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let consultation = runner.consult(request).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by interceptor 'second': no")
    );
    let trail: Vec<_> = consultation
        .trail
        .iter()
        .map(|step| (step.who.name(), step.decision))
        .collect();
    assert_eq!(
        trail,
        [("first", Decision::Modify), ("second", Decision::Deny)]
    );
    assert_eq!(reports.all(), Vec::<String>::new());
}

#[tokio::test]
async fn who_is_not_concerned_is_not_asked() {
    let nowhere = |name: &str| HookSpec::new(name, ["./nowhere"]);
    let hooks = vec![
        nowhere("other-tool").with_tools(["edit"]),
        nowhere("other-event").with_event(HookEvent::PostToolUse),
    ];
    let (runner, reports) = Reports::of(HookRunner::new("/ws", hooks));
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    assert_eq!(reports.all(), Vec::<String>::new());
}

#[tokio::test]
async fn an_interceptor_that_fails_or_panics_denies_and_is_reported() {
    let failing = With("vault", |_: &HookRequest| Err("unreachable".into()));
    let panicking = With("vault", |_: &HookRequest| panic!("lost {}", "it"));
    let expected = [
        (
            "answered with an error: unreachable",
            "answered with an error: unreachable",
        ),
        ("panicked", "panicked: lost it"),
    ];
    let runners = [
        HookRunner::new("/ws", vec![]).with_interceptor(failing),
        HookRunner::new("/ws", vec![]).with_interceptor(panicking),
    ];
    for (runner, (told, said)) in runners.into_iter().zip(expected) {
        let (runner, reports) = Reports::of(runner);
        let outcome = runner.decide(&call("{}")).await;
        assert_eq!(
            outcome,
            HookOutcome::deny(format!("denied, because interceptor 'vault' {told}"))
        );
        assert_eq!(
            reports.all(),
            [format!("interceptor 'vault' {said}; the call was denied")]
        );
    }
}

/// Answers with the future that the test makes.
struct Mine {
    identity: Identity,
    how: fn() -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>,
}

impl Participant for Mine {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, _event: HookEvent, _tool_name: &str) -> bool {
        true
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Allow
    }

    fn ask<'life0, 'life1, 'async_trait>(
        &'life0 self,
        _question: &'life1 Question,
    ) -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        (self.how)()
    }
}

fn mine(how: fn() -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>) -> HookRunnerBuilder {
    let identity = Identity::new("policy", "remote", Origin::Host);
    HookRunner::builder("/ws").with_participant(Mine { identity, how })
}

/// Panics when it is dropped.
struct Armed(fn() -> Poll<Answer>);

impl Drop for Armed {
    fn drop(&mut self) {
        panic!("on drop");
    }
}

impl Future for Armed {
    type Output = Answer;

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Answer> {
        (self.0)()
    }
}

#[tokio::test]
async fn a_panic_after_a_denial_or_the_end_of_the_budget_lets_nothing_through() {
    let denies = mine(|| {
        Box::pin(Armed(|| {
            Poll::Ready(Answer::new(Ok(HookResponse::deny("no"))))
        }))
    });
    let (runner, reports) = Reports::of(denies.build());
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'remote': no")
    );
    assert_eq!(
        reports.all(),
        ["policy 'remote': panicked when its work was dropped; the denial stands"]
    );

    let hangs = mine(|| Box::pin(Armed(|| Poll::Pending))).with_budget(Duration::from_millis(20));
    let outcome = hangs.build().decide(&call("{}")).await;
    assert!(matches!(&outcome, HookOutcome::Deny(reason) if reason.contains("20 ms")));
}

#[tokio::test]
async fn a_panic_anywhere_in_a_participant_is_a_failure_of_it() {
    let builders = [
        mine(|| panic!("at once")),
        mine(|| Box::pin(async { panic!("later") })),
        mine(|| {
            Box::pin(Armed(|| {
                Poll::Ready(Answer::new(Ok(HookResponse::allow())))
            }))
        }),
    ];
    for builder in builders {
        let (runner, reports) = Reports::of(builder.build());
        assert_eq!(
            runner.decide(&call("{}")).await,
            HookOutcome::Allow,
            "its on_failure is allow"
        );
        let [report] = &reports.all()[..] else {
            panic!("one report")
        };
        assert!(report.starts_with("policy 'remote' panicked: "), "{report}");
        assert!(
            report.ends_with("; it was passed over (on_failure is allow)"),
            "{report}"
        );
    }
}

#[tokio::test]
async fn a_participant_that_panics_about_whom_it_concerns_is_asked() {
    struct Unsure(Identity);

    #[async_trait]
    impl Participant for Unsure {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, _event: HookEvent, _tool_name: &str) -> bool {
            panic!("no idea")
        }

        async fn ask(&self, _question: &Question) -> Answer {
            Answer::new(Ok(HookResponse::deny("no")))
        }
    }

    let unsure = Unsure(Identity::new("policy", "unsure", Origin::Host));
    let runner = HookRunner::builder("/ws").with_participant(unsure).build();
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'unsure': no")
    );
}

#[tokio::test]
async fn a_consultation_past_its_budget_is_denied_whatever_on_failure_says() {
    let runner = mine(|| Box::pin(pending()))
        .with_budget(Duration::from_millis(20))
        .build();
    let outcome = runner.decide(&call("{}")).await;
    assert_eq!(
        outcome,
        HookOutcome::deny(
            "denied, because policy 'remote' had not answered when the budget of the whole consultation, 20 ms, was \
             used up"
        )
    );
    let unbounded = mine(|| Box::pin(ready(Answer::new(Ok(HookResponse::allow())))))
        .with_budget(Duration::MAX)
        .build();
    assert_eq!(unbounded.decide(&call("{}")).await, HookOutcome::Allow);
}

#[tokio::test]
async fn an_answer_after_the_budget_counts_only_if_it_is_a_denial() {
    const BUDGET: Duration = Duration::from_millis(20);
    /// An answer without waiting, and too late.
    fn late(response: HookResponse) -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send>> {
        let over = Instant::now() + BUDGET;
        while Instant::now() < over {
            std::thread::yield_now();
        }
        Box::pin(ready(Answer::new(Ok(response))))
    }

    let out_of_budget = HookOutcome::deny(
        "denied, because policy 'remote' had not answered when the budget of the whole consultation, 20 ms, was used up",
    );
    let allows = mine(|| late(HookResponse::allow())).with_budget(BUDGET);
    assert_eq!(allows.build().decide(&call("{}")).await, out_of_budget);
    let denies = mine(|| late(HookResponse::deny("no"))).with_budget(BUDGET);
    assert_eq!(
        denies.build().decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'remote': no")
    );
    let nobody = mine(|| panic!("nobody is asked")).with_budget(Duration::ZERO);
    let consultation = nobody
        .build()
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
fn a_budget_that_nobody_can_keep_denies() {
    let runner = mine(|| panic!("nobody is asked")).with_budget(Duration::from_secs(60));
    let (runner, reports) = Reports::of(runner.build());
    let no_clock = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let said = "policy 'remote' was not asked: the consultation's budget of 60000 ms needs a runtime with a clock; \
                build it with `enable_time`";
    assert_eq!(
        no_clock.block_on(runner.decide(&call("{}"))),
        HookOutcome::deny(format!("denied, because {said}"))
    );
    assert_eq!(reports.all(), [format!("{said}; the call was denied")]);
}

#[tokio::test]
async fn a_note_reaches_the_operator_and_the_embedder() {
    let (runner, reports) = Reports::of(
        mine(|| {
            Box::pin(ready(
                Answer::new(Ok(HookResponse::allow())).with_note("adds some context"),
            ))
        })
        .build(),
    );
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let consultation = runner.consult(request).await;
    assert_eq!(
        consultation.notes[0].to_string(),
        "policy 'remote': adds some context"
    );
    assert_eq!(reports.all(), ["policy 'remote': adds some context"]);
}

#[tokio::test]
async fn what_is_to_be_delivered_reaches_the_embedder_and_no_report() {
    let (runner, reports) = Reports::of(
        mine(|| {
            let answer = Answer::new(Ok(HookResponse::Deny { reason: None }))
                .with_delivery(NoteKind::Context, "for the model")
                .with_delivery(NoteKind::Stop, "")
                .with_delivery(NoteKind::Remark, "odd");
            Box::pin(ready(answer))
        })
        .build(),
    );
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let Consultation { notes, trail, .. } = runner.consult(request).await;
    assert!(trail[0].stops, "it asked for the end of the turn");
    let notes: Vec<_> = notes.iter().map(|note| (note.kind, &*note.text)).collect();
    let expected = [
        (NoteKind::Context, "for the model"),
        (NoteKind::Stop, ""),
        (NoteKind::Remark, "odd"),
    ];
    assert_eq!(notes, expected);
    assert_eq!(reports.all(), ["policy 'remote': odd"]);
}

#[test]
fn who_is_to_be_asked_last_is_asked_after_every_hook() {
    let last = |name| InProcess::new(With(name, |_: &HookRequest| Ok(HookOutcome::Allow)));
    let runner = HookRunner::builder("/ws")
        .with_last_participant(last("last"))
        .with_hooks([HookSpec::new("hook", ["true"])])
        .with_last_participant(last("very last"))
        .with_participant(last("first"))
        .build();
    let names: Vec<_> = runner
        .participants()
        .iter()
        .map(|who| who.identity().name())
        .collect();
    assert_eq!(names, ["first", "hook", "last", "very last"]);
}

#[tokio::test]
async fn a_reporter_or_recorder_that_panics_changes_nothing() {
    struct Broken;
    impl Recorder for Broken {
        fn invoked(&self, _: u64, _: &Identity, _: &HookRequest) {
            panic!("recorder");
        }
        fn answered(&self, _: u64, _: &HookRequest, _: &Step) {
            panic!("recorder");
        }
        fn concluded(&self, _: u64, _: &Consultation) {
            panic!("recorder");
        }
    }
    let runner = mine(|| {
        Box::pin(ready(Answer::from(HookFailure::Transport(
            "is down".into(),
        ))))
    })
    .with_reporter(|_| panic!("reporter"))
    .with_recorder(Broken)
    .build();
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
}

#[tokio::test]
async fn a_recorder_hears_of_every_step_as_it_was_asked() {
    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);
    impl Recorder for Seen {
        fn invoked(&self, _: u64, who: &Identity, request: &HookRequest) {
            self.0
                .lock()
                .expect("a lock")
                .push(format!("{who} is asked {}", request.input));
        }
        fn answered(&self, _: u64, asked: &HookRequest, step: &Step) {
            let seen = format!("{} on {}: {}", step.who, asked.input, step.decision);
            self.0.lock().expect("a lock").push(seen);
        }
        fn concluded(&self, _: u64, concluded: &Consultation) {
            let seen = format!("{} steps", concluded.trail.len());
            self.0.lock().expect("a lock").push(seen);
        }
    }
    let seen = Arc::new(Seen::default());
    let runner = HookRunner::new("/ws", vec![])
        .with_interceptor(With("a", |_: &HookRequest| {
            Ok(HookOutcome::modify(json!({"n": 2})))
        }))
        .with_interceptor(With("b", |_: &HookRequest| Ok(HookOutcome::Allow)))
        .with_recorder(Arc::clone(&seen));
    runner.decide(&call(r#"{"n":1}"#)).await;
    assert_eq!(
        *seen.0.lock().expect("a lock"),
        [
            r#"interceptor 'a' is asked {"n":1}"#,
            r#"interceptor 'a' on {"n":1}: modify"#,
            r#"interceptor 'b' is asked {"n":2}"#,
            r#"interceptor 'b' on {"n":2}: allow"#,
            "2 steps",
        ]
    );
}

#[tokio::test]
async fn steps_are_timed_by_the_clock_that_was_given() {
    let ticks = AtomicU64::new(0);
    let start = Instant::now();
    let runner = HookRunner::builder("/ws")
        .with_interceptor(With("a", |_: &HookRequest| Ok(HookOutcome::Allow)))
        .with_clock(move || start + Duration::from_secs(ticks.fetch_add(1, Ordering::Relaxed)))
        .build();
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let consultation = runner.consult(request).await;
    assert_eq!(consultation.trail[0].took, Duration::from_secs(1));
}

#[tokio::test]
async fn a_request_is_encoded_once_until_somebody_rewrites_it() {
    /// Remembers where the encoding it was given stands, and rewrites when asked to.
    struct Reader {
        identity: Identity,
        seen: Arc<Mutex<Vec<usize>>>,
        rewrites: bool,
    }

    #[async_trait]
    impl Participant for Reader {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn applies_to(&self, _event: HookEvent, _tool_name: &str) -> bool {
            true
        }

        async fn ask(&self, question: &Question) -> Answer {
            let line = question.encoded().expect("a path in UTF-8");
            self.seen
                .lock()
                .expect("a lock")
                .push(std::ptr::from_ref(line) as usize);
            Answer::new(Ok(if self.rewrites {
                HookResponse::modify(json!({"n": 2}))
            } else {
                HookResponse::allow()
            }))
        }
    }

    let seen = Arc::new(Mutex::new(Vec::new()));
    let reader = |rewrites| Reader {
        identity: Identity::new("policy", "reader", Origin::Host),
        seen: Arc::clone(&seen),
        rewrites,
    };
    let mut builder = HookRunner::builder("/ws");
    for rewrites in [false, false, true, false, false] {
        builder = builder.with_participant(reader(rewrites));
    }
    builder.build().decide(&call(r#"{"n":1}"#)).await;
    let seen = seen.lock().expect("a lock");
    let (before, after) = seen.split_at(3);
    assert_eq!(before, [seen[0]; 3], "one encoding before the rewrite");
    assert_eq!(after, [seen[3]; 2], "and one after it");
}

#[test]
fn the_nearer_a_declaration_is_to_the_workspace_the_later_it_is_asked() {
    let hook = |name: &str, origin| HookSpec::new(name, ["/bin/true"]).with_origin(origin);
    let workspace = || HookOrigin::WorkspaceFile {
        path: "w".into(),
        line: 1,
        column: 1,
    };
    let global = || HookOrigin::GlobalFile {
        path: "g".into(),
        line: 1,
        column: 1,
    };
    let hooks = vec![
        hook("w1", workspace()),
        hook("g1", global()),
        hook("s1", HookOrigin::Supplied),
        hook("w2", workspace()),
        hook("s2", HookOrigin::Supplied),
    ];
    let runner = HookRunner::new("/ws", hooks)
        .with_interceptor(With("i", |_: &HookRequest| Ok(HookOutcome::Allow)));
    let names: Vec<_> = runner
        .participants()
        .iter()
        .map(|who| who.identity().name())
        .collect();
    assert_eq!(names, ["i", "s1", "s2", "g1", "w1", "w2"]);
}

#[tokio::test]
async fn at_most_so_many_programs_run_at_once_and_waiting_is_not_the_hooks_time() {
    let workspace = tempfile::tempdir().expect("a directory");
    let running = Arc::new(AtomicUsize::new(0));
    let hook = HookSpec::new(
        "slow",
        ["sh", "-c", r#"sleep 0.2; echo '{"decision":"allow"}'"#],
    );
    let runner = HookRunner::builder(workspace.path())
        .with_hooks([hook])
        .with_max_programs(1)
        .build();
    let ask = || async {
        running.fetch_add(1, Ordering::Relaxed);
        let request = HookRequest::from_call(HookEvent::PreToolUse, workspace.path(), &call("{}"));
        runner.consult(request).await
    };
    let (first, second) = tokio::join!(ask(), ask());
    assert_eq!(
        (first.outcome, second.outcome),
        (HookOutcome::Allow, HookOutcome::Allow)
    );
    assert_eq!(first.trail[0].queued, Duration::ZERO);
    assert!(second.trail[0].queued > Duration::ZERO);
}

#[tokio::test]
async fn a_workspace_that_has_no_json_form_denies() {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"/ws-\xff"));
    let runner = HookRunner::new(path, vec![HookSpec::new("guard", ["/bin/true"])]);
    let request = HookRequest::from_call(HookEvent::PreToolUse, path, &call("{}"));
    let consultation = runner.with_reporter(|_| {}).consult(request).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Request);
    assert!(matches!(consultation.outcome, HookOutcome::Deny(_)));
}

#[test]
fn a_runner_is_shared_and_shown() {
    fn shared<T: Send + Sync + Clone>(value: T) -> T {
        value.clone()
    }
    let runner = shared(HookRunner::new("/ws", vec![HookSpec::new("guard", ["g"])]));
    assert_eq!(
        format!("{runner:?}"),
        r#"HookRunner { workspace: "/ws", participants: ["hook 'guard'"], .. }"#
    );
}
