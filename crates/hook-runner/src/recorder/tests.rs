use std::{
    future::pending,
    path::PathBuf,
    sync::Mutex,
    task::{Context, Waker},
};

use hook_contract::{
    HookCall, HookEvent, HookOrigin, HookOutcome, HookSpec, Interceptor, InterceptorError,
    async_trait,
};
use serde_json::json;

use super::*;
use crate::HookRunner;

/// What a recorder was told, one line each.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Told {
    fn all(&self) -> Vec<String> {
        self.0.lock().expect("a lock").clone()
    }

    fn add(&self, line: String) {
        self.0.lock().expect("a lock").push(line);
    }
}

impl Recorder for Told {
    fn record(&self, event: Recorded<'_>) {
        self.add(match event {
            Recorded::Begun { request, .. } => {
                format!("begun: {} {}", request.event, request.input)
            }
            Recorded::Invoked { who, .. } => format!("invoked: {who}"),
            Recorded::Answered { step, .. } => {
                let stops = if step.stops { ", and stops" } else { "" };
                format!("answered: {}{stops}", step.word())
            }
            Recorded::Concluded { result, .. } => format!("concluded: {}", result.trail.len()),
            Recorded::Abandoned { .. } => "abandoned".into(),
        });
    }
}

/// An interceptor that never answers about the tool `slow`, and agrees to everything else.
struct Slow;

#[async_trait]
impl Interceptor for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        if call.tool_name == "slow" {
            pending::<()>().await;
        }
        Ok(HookOutcome::Allow)
    }
}

fn call(tool: &str) -> HookCall {
    HookCall::new("agent-1", tool, "call-1", "{}")
}

#[tokio::test]
async fn every_consultation_begins_and_ends_exactly_once() {
    let told = Arc::new(Told::default());
    let runner = HookRunner::new("/ws", vec![])
        .with_interceptor(Slow)
        .with_recorder(Arc::clone(&told));
    runner.decide(&call("quick")).await;
    let told_at_the_end = [
        "begun: pre_tool_use {}",
        "invoked: interceptor 'slow'",
        "answered: allow",
        "concluded: 1",
    ];
    assert_eq!(told.all(), told_at_the_end);
}

#[test]
fn a_consultation_that_is_dropped_is_abandoned() {
    let told = Arc::new(Told::default());
    let runner = HookRunner::new("/ws", vec![])
        .with_interceptor(Slow)
        .with_recorder(Arc::clone(&told));
    let slow = call("slow");
    let mut asking = Box::pin(runner.decide(&slow));
    let polled = asking
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    drop(asking);
    let told_until_the_drop = [
        "begun: pre_tool_use {}",
        "invoked: interceptor 'slow'",
        "abandoned",
    ];
    assert_eq!(told.all(), told_until_the_drop);
}

#[tokio::test]
async fn a_call_that_concerns_nobody_is_told_of_too() {
    let told = Arc::new(Told::default());
    let runner = HookRunner::new("/ws", vec![]).with_recorder(Arc::clone(&told));
    assert_eq!(runner.decide(&call("any")).await, HookOutcome::Allow);
    let outcome = runner.review(&call("any"), json!("text"), false).await;
    assert_eq!(outcome, HookOutcome::Allow);
    let told_of_both = [
        "begun: pre_tool_use {}",
        "concluded: 0",
        "begun: post_tool_use {}",
        "concluded: 0",
    ];
    assert_eq!(told.all(), told_of_both);
}

#[test]
fn an_identity_knows_how_it_was_declared() {
    let origin = HookOrigin::WorkspaceFile {
        path: PathBuf::from("/ws/.basis/hooks.json"),
        line: 3,
        column: 1,
    };
    let spec = HookSpec::new("guard", ["python3", "guard.py"])
        .with_tools(["shell", "write_file"])
        .with_event(HookEvent::PreToolUse)
        .with_origin(origin);
    let runner = HookRunner::new("/ws", vec![spec]);
    let who = runner.participants()[0].identity();
    assert_eq!(who.to_string(), "hook 'guard'");
    assert_eq!(
        who.origin().to_string(),
        "workspace /ws/.basis/hooks.json:3"
    );
    assert_eq!(who.matcher(), Some("shell|write_file"));
    assert_eq!(who.command(), ["python3", "guard.py"]);
    assert_eq!(who.dialect(), "native");
    let other = who.clone().with_dialect("codex");
    assert_eq!((other.dialect(), who.dialect()), ("codex", "native"));
}
