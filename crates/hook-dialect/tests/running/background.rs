//! Hooks that nobody waits for.

use std::time::Duration;

use hook_dialect::{
    Dialect, Fact, Facts, Verdict,
    config::Background,
    run::{DialectHooks, Fired},
};

use crate::kit::{Place, handler, says, waits_for};

const PROMPT: &str = "UserPromptSubmit";

async fn fire(hooks: &DialectHooks) -> Fired {
    let facts = Facts::new().with(Fact::Prompt, "go");
    hooks.fire(PROMPT, &facts).await.expect("known")
}

/// A hook in the background that runs until something is there, and then says something.
fn waiting(background: Background, rest: &str) -> Place {
    let line = format!("echo $$ > \"$MARKS/pid\"; {}; {rest}", waits_for("go"));
    let handler = handler(&line).with_background(background);
    Place::of(Dialect::CLAUDE).with_handler(PROMPT, None, handler)
}

/// Whether the program with the number in this file is there; it is waited for until it has written it.
async fn is_running(place: &Place) -> bool {
    while !place.has_written("pid") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    place.is_running("pid")
}

#[tokio::test]
async fn it_is_not_waited_for_and_decides_nothing_but_is_heard_later() {
    let block = r#"echo '{"decision":"block","reason":"late","systemMessage":"done"}'"#;
    let place = waiting(Background::Always, block);
    let hooks = place.hooks();
    let fired = fire(&hooks).await;
    assert_eq!((fired.in_background, fired.runs.len()), (1, 0));
    assert_eq!(fired.outcome.decision, Verdict::None);
    assert!(hooks.ended_in_background().is_empty());
    assert_eq!(hooks.running_in_background(), 1);
    std::fs::write(place.mark("go"), "").expect("a file");
    hooks.finish_background().await;
    assert_eq!(hooks.running_in_background(), 0);
    let late = hooks.ended_in_background();
    assert_eq!(late.len(), 1);
    assert_eq!(late[0].run.output.system_message.as_deref(), Some("done"));
    assert!(!late[0].wakes);
    assert!(hooks.ended_in_background().is_empty(), "it is told once");
}

#[tokio::test]
async fn one_that_may_wake_the_model_does_with_exit_status_2() {
    for (rest, wakes) in [("echo wake >&2; exit 2", true), ("exit 0", false)] {
        let place = waiting(Background::WakesTheModel, rest);
        std::fs::write(place.mark("go"), "").expect("a file");
        let hooks = place.hooks();
        fire(&hooks).await;
        hooks.finish_background().await;
        assert_eq!(hooks.ended_in_background()[0].wakes, wakes, "{rest}");
    }
}

#[tokio::test]
async fn nothing_is_left_after_draining() {
    let place = waiting(Background::Always, "true");
    let hooks = place.hooks();
    fire(&hooks).await;
    assert!(is_running(&place).await);
    hooks.drain().await;
    assert!(!is_running(&place).await);
    assert!(hooks.ended_in_background().is_empty());
}

#[tokio::test]
async fn nothing_is_left_when_the_hooks_are_dropped() {
    let place = waiting(Background::Always, "true");
    let hooks = place.hooks();
    fire(&hooks).await;
    assert!(is_running(&place).await);
    drop(hooks);
    while is_running(&place).await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_hook_can_say_itself_that_it_goes_on_in_the_background() {
    let context = says(PROMPT, r#""additionalContext":"too late""#);
    let line = format!("echo '{{\"async\":true}}'; {}; {context}", waits_for("go"));
    let place = Place::of(Dialect::CLAUDE)
        .with(PROMPT, &line)
        .with(PROMPT, "echo prompt");
    let hooks = place.hooks();
    let fired = fire(&hooks).await;
    assert_eq!((fired.in_background, fired.runs.len()), (1, 1));
    assert_eq!(fired.outcome.additional_context, ["prompt"]);
    std::fs::write(place.mark("go"), "").expect("a file");
    hooks.finish_background().await;
    assert!(hooks.ended_in_background()[0].run.output.detached);
}

#[tokio::test]
async fn dropping_an_event_ends_the_hooks_that_are_waited_for() {
    let line = "echo $$ > \"$MARKS/pid\"; exec sleep 600";
    let place = Place::of(Dialect::CLAUDE).with(PROMPT, line);
    let hooks = place.hooks();
    let fired = tokio::select! {
        fired = fire(&hooks) => Some(fired),
        running = is_running(&place) => {
            assert!(running);
            None
        }
    };
    assert!(fired.is_none());
    assert!(!is_running(&place).await);
}
