mod budget;
mod failing;
mod queue;
mod telling;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hook_contract::{Decision, HookOrigin};
use serde_json::json;

use super::*;
use crate::{
    FailureKind,
    interceptor::InProcess,
    testing::{Reports, With, call},
};

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
    // It has run, because a host need not ask before it.
    let call = call(r#"{"command":"ls","command":"rm -rf /"}"#);
    let HookOutcome::Deny(reason) = runner.review(&call, json!("gone"), false).await else {
        panic!("a denial")
    };
    let withheld = "the result is withheld before any hook was asked: the input can be read as two";
    assert!(reason.starts_with(withheld), "{reason}");
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
        [
            ("first", Some(Decision::Modify)),
            ("second", Some(Decision::Deny))
        ]
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

#[test]
fn who_is_to_be_asked_last_is_asked_after_every_hook() {
    let last = |name| InProcess::new(With(name, |_: &HookRequest| Ok(HookOutcome::Allow)));
    let runner = HookRunner::builder("/ws")
        .with_last_participant(last("last"))
        .with_hooks([HookSpec::new("hook", ["true"])])
        .with_last_participant(last("very last"))
        .with_participant(last("first"))
        .build()
        .expect("a runner");
    let names: Vec<_> = runner
        .participants()
        .iter()
        .map(|who| who.identity().name())
        .collect();
    assert_eq!(names, ["first", "hook", "last", "very last"]);
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
        .build()
        .expect("a runner");
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
