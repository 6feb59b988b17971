//! Whose chain is asked about whose calls, and when.

use std::sync::{Arc, Mutex, PoisonError};

use hook_mentra::{ExecutionHookRegistration, MentraHooks};
use hookchain_tests::Workspace;
use mentra::{
    ContentBlock, Runtime, RuntimePolicy,
    runtime::{FileRuntimeStore, SessionOptions, VolatileRuntimeStore},
    test::{MockRuntime, MockToolCall},
};
use serde_json::json;

use crate::{
    model::CallsShell,
    probe::Probe,
    scene::{
        Shown, agent, chain, config, model_calling, refused, results, say, take_turn, turn,
        workspace,
    },
};

fn denying(reason: &str) -> Workspace {
    let answer = format!(r#"{{"decision":"deny","reason":"{reason}"}}"#);
    workspace(&[("guard", "", &say(&answer))])
}

fn denied(reason: &str) -> Vec<Shown> {
    vec![refused(&format!("denied by hook 'guard': {reason}"))]
}

fn ran() -> Vec<Shown> {
    vec![Shown::text("ran")]
}

/// A runtime with the tool `shell`, whose model calls it once in each of so many turns.
fn runtime(turns: usize) -> MockRuntime {
    let call = [("shell", json!({}))];
    let mut model = model_calling(&call);
    for _turn in 1..turns {
        model = turn(model, &call);
    }
    let mock = model.build().expect("a runtime");
    mock.runtime().register_tool(Probe::new("shell"));
    mock
}

#[tokio::test]
async fn two_workspaces_on_one_runtime_have_each_their_own_hooks() {
    let (one, other) = (denying("not in one"), denying("not in the other"));
    let mock = runtime(3);
    let _one = chain(&one).register_for(mock.runtime(), "one");
    let _other = chain(&other).register_for(mock.runtime(), "other");
    let mut in_one = agent(&mock, one.path(), Some("one"));
    let mut in_other = agent(&mock, other.path(), Some("other"));
    let mut nowhere = agent(&mock, one.path(), None);
    assert_eq!(take_turn(&mut in_one).await, denied("not in one"));
    assert_eq!(take_turn(&mut in_other).await, denied("not in the other"));
    assert_eq!(take_turn(&mut nowhere).await, ran());
}

#[tokio::test]
async fn a_session_is_guarded_by_the_chain_of_its_audience() {
    let workspace = denying("not in a session");
    let mock = runtime(1);
    let _guarded = chain(&workspace).register_for(mock.runtime(), "one");
    let options = SessionOptions {
        config: config(workspace.path()),
        tool_audience: Some("one".into()),
        ..SessionOptions::default()
    };
    let session = mock
        .runtime()
        .create_session_with_options("session", mock.model(), options);
    let mut session = session.expect("a session");
    let said = session.append_turn(vec![ContentBlock::text("go on")]).await;
    assert_eq!(said.expect("a turn").text(), "done");
    assert_eq!(results(session.history()), denied("not in a session"));
}

#[tokio::test]
async fn an_agent_that_an_agent_starts_is_guarded_by_the_same_chain() {
    let answer = say(r#"{"decision":"deny","reason":"not below either"}"#);
    let workspace = workspace(&[("guard", r#""tools":["shell"]"#, &answer)]);
    let mock = MockRuntime::builder()
        .tool_calls([MockToolCall::new("task", json!({"prompt": "run it"}))])
        .tool_calls([MockToolCall::new("shell", json!({"command": "echo >made"}))])
        .text("the subagent is done")
        .text("done")
        .with_policy(RuntimePolicy::permissive())
        .build()
        .expect("a runtime");
    let tool = Probe::new("shell");
    mock.runtime().register_tool(tool.clone());
    let _guarded = chain(&workspace).register_for(mock.runtime(), "one");
    let mut parent = agent(&mock, workspace.path(), Some("one"));
    let shown = take_turn(&mut parent).await;
    assert_eq!(shown, [Shown::text("the subagent is done")]);
    assert!(tool.seen().is_empty());
}

#[tokio::test]
async fn an_agent_that_comes_back_is_guarded_when_it_is_given_its_audience_again() {
    let workspace = denying("not again");
    let store = workspace.above().join("store");
    let mut id: Option<String> = None;
    for (audience, expected) in [
        (Some("one"), denied("not again")),
        (Some("one"), denied("not again")),
        (None, ran()),
    ] {
        let mock = model_calling(&[("shell", json!({}))])
            .with_store(FileRuntimeStore::new(&store))
            .build()
            .expect("a runtime");
        mock.runtime().register_tool(Probe::new("shell"));
        let _guarded = chain(&workspace).register_for(mock.runtime(), "one");
        let mut agent = match (&id, audience) {
            (None, audience) => agent(&mock, workspace.path(), audience),
            (Some(id), None) => mock.runtime().resume_agent(id).expect("the agent"),
            (Some(id), Some(audience)) => mock
                .runtime()
                .resume_agent_for_audience(id, audience.into())
                .expect("the agent"),
        };
        assert_eq!(take_turn(&mut agent).await, expected);
        id = Some(agent.id().to_owned());
    }
}

#[tokio::test]
async fn hooks_come_and_go_while_agents_live() {
    let workspace = denying("not now");
    let mock = runtime(5);
    let mut agent = agent(&mock, workspace.path(), Some("one"));
    assert_eq!(take_turn(&mut agent).await, ran());
    let everybody = chain(&workspace).register(mock.runtime());
    assert_eq!(take_turn(&mut agent).await, denied("not now"));
    drop(everybody);
    assert_eq!(take_turn(&mut agent).await, ran());
    let audience = chain(&workspace).register_for(mock.runtime(), "one");
    assert_eq!(take_turn(&mut agent).await, denied("not now"));
    assert!(audience.unregister());
    assert_eq!(take_turn(&mut agent).await, ran());
}

#[tokio::test]
async fn a_shared_chain_is_asked_once_and_stays_for_its_last_holder() {
    let marks = "read -r question\necho once >>asked\necho '{\"decision\":\"allow\"}'";
    let workspace = workspace(&[("marks", "", marks)]);
    let mock = runtime(3);
    let hooks = chain(&workspace);
    let mut agent = agent(&mock, workspace.path(), Some("one"));
    let first = hooks.share_for(mock.runtime(), "one").expect("the first");
    let second = hooks
        .clone()
        .share_for(mock.runtime(), "one")
        .expect("more");
    assert_eq!(take_turn(&mut agent).await, ran());
    assert_eq!(workspace.lines("asked"), ["once"]);
    drop(first);
    assert_eq!(take_turn(&mut agent).await, ran());
    assert_eq!(workspace.lines("asked"), ["once", "once"]);

    let stranger = chain(&workspace).share_for(mock.runtime(), "one");
    let conflict = stranger.expect_err("another chain under the same name");
    assert_eq!(conflict.key(), "hookchain: one");
    let of_another_name = chain(&workspace).with_name("more");
    drop(
        of_another_name
            .share_for(mock.runtime(), "one")
            .expect("room"),
    );

    drop(second);
    assert_eq!(take_turn(&mut agent).await, ran());
    assert_eq!(workspace.lines("asked"), ["once", "once"]);
}

/// A registration that a tool can take off or put on.
type Held = Arc<Mutex<Option<ExecutionHookRegistration>>>;

fn lock(held: &Held) -> std::sync::MutexGuard<'_, Option<ExecutionHookRegistration>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[tokio::test]
async fn a_call_keeps_its_chain_when_that_is_taken_off_while_the_tool_runs() {
    let answer = say(r#"{"decision":"replace","output":"gone"}"#);
    let workspace = workspace(&[("redact", r#""event":"post_tool_use""#, &answer)]);
    let call = [("shell", json!({}))];
    let mock = turn(model_calling(&call), &call)
        .build()
        .expect("a runtime");
    let held: Held = Arc::default();
    let taken = Arc::clone(&held);
    let tool = Probe::new("shell").doing(move || drop(lock(&taken).take()));
    mock.runtime().register_tool(tool);
    *lock(&held) = Some(chain(&workspace).register(mock.runtime()));
    let mut agent = agent(&mock, workspace.path(), None);
    assert_eq!(take_turn(&mut agent).await, [Shown::text("gone")]);
    assert_eq!(take_turn(&mut agent).await, ran());
}

#[tokio::test]
async fn a_chain_that_comes_while_a_tool_runs_is_asked_from_the_next_call_on() {
    let answer = say(r#"{"decision":"replace","output":"gone"}"#);
    let workspace = workspace(&[("redact", r#""event":"post_tool_use""#, &answer)]);
    let call = [("shell", json!({}))];
    let mock = turn(model_calling(&call), &call)
        .build()
        .expect("a runtime");
    let mock = Arc::new(mock);
    let held: Held = Arc::default();
    let (keeper, hooks, on) = (Arc::clone(&held), chain(&workspace), Arc::downgrade(&mock));
    let tool = Probe::new("shell").doing(move || {
        let Some(mock) = on.upgrade() else { return };
        lock(&keeper).get_or_insert_with(|| hooks.register(mock.runtime()));
    });
    mock.runtime().register_tool(tool);
    let mut agent = agent(&mock, workspace.path(), None);
    assert_eq!(take_turn(&mut agent).await, ran());
    assert_eq!(take_turn(&mut agent).await, [Shown::text("gone")]);
}

#[tokio::test]
async fn hooks_put_on_with_the_builder_hold_for_everybody_and_are_asked_first() {
    let (host, workspace) = (denying("not on this host"), denying("not here"));
    let of_host: MentraHooks = chain(&host).for_any_directory();
    let builder = Runtime::empty_builder()
        .with_store(VolatileRuntimeStore::new())
        .with_provider_instance(CallsShell)
        .with_tool(Probe::new("shell"));
    let guarded = of_host.install(builder).build().expect("a runtime");
    let _workspace = chain(&workspace).register_for(&guarded, "one");
    for audience in [None, Some("one")] {
        let config = config(workspace.path());
        let agent = match audience {
            None => guarded.spawn_with_config("agent", CallsShell::info(), config),
            Some(audience) => guarded.spawn_with_config_for_audience(
                "agent",
                CallsShell::info(),
                config,
                audience.into(),
            ),
        };
        let shown = take_turn(&mut agent.expect("an agent")).await;
        assert_eq!(shown, denied("not on this host"));
    }
}
