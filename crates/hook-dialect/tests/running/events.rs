//! Every other event.

use hook_dialect::{
    Dialect, Fact, Facts, FailurePolicy, PayloadError, Verdict, config::Background,
    dialect::EventRow,
};

use crate::kit::{Place, handler, says};

const PROMPT: &str = "UserPromptSubmit";

fn claude() -> Place {
    Place::of(Dialect::CLAUDE)
}

#[tokio::test]
async fn an_event_is_told_and_answered() {
    let place = claude()
        .with(PROMPT, "cat > \"$MARKS/told\"; echo 'it is Monday'")
        .with(PROMPT, r#"echo '{"systemMessage":"heard"}'"#);
    let hooks = place
        .builder()
        .with_fact(Fact::TranscriptPath, "/t.jsonl")
        .build();
    let facts = Facts::new()
        .with(Fact::SessionId, "s1")
        .with(Fact::Prompt, "go \"on\"");
    let fired = hooks.fire(PROMPT, &facts).await.expect("known");
    assert_eq!(fired.outcome.decision, Verdict::None);
    assert_eq!(fired.outcome.additional_context, ["it is Monday"]);
    assert_eq!(fired.outcome.system_messages, ["heard"]);
    assert_eq!((fired.runs.len(), fired.in_background), (2, 0));
    let told = std::fs::read_to_string(place.mark("told")).expect("asked");
    let expected = format!(
        "{{\"session_id\":\"s1\",\"transcript_path\":\"/t.jsonl\",\"cwd\":\"{}\",\"permission_mode\":\"default\",\
         \"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"go \\\"on\\\"\"}}\n",
        place.path().display()
    );
    assert_eq!(told, expected);
}

/// Something for everything that hooks of an event are told; where they are is known without it.
fn everything(event: &EventRow) -> Facts {
    let told = event.payload.iter().map(|field| field.fact);
    told.filter(|fact| *fact != Fact::Cwd)
        .fold(Facts::new(), |facts, fact| facts.with(fact, fact.name()))
}

#[tokio::test]
async fn every_event_of_every_agent_can_be_fired() {
    for dialect in Dialect::ALL {
        for event in dialect.events {
            let place = Place::of(dialect).with(event.name, "cat > \"$MARKS/told\"");
            let facts = everything(event);
            let hooks = place.hooks();
            assert!(hooks.asks(event.name, &facts), "{dialect} {}", event.name);
            let fired = hooks.fire(event.name, &facts).await.expect("known");
            assert_eq!(fired.runs.len(), 1, "{dialect} {}", event.name);
            assert_eq!(fired.outcome.failures, [], "{dialect} {}", event.name);
            let told = std::fs::read_to_string(place.mark("told")).expect("asked");
            let name = format!("\"hook_event_name\":\"{}\"", event.name);
            assert!(told.contains(&name), "{told}");
        }
    }
}

#[tokio::test]
async fn a_hook_is_asked_about_what_its_matcher_is_about() {
    let place = claude()
        .with_handler("SessionStart", Some("resume"), handler("echo resumed"))
        .with_handler(
            "SessionStart",
            Some("startup|clear"),
            handler("echo started"),
        );
    let hooks = place.hooks();
    for (source, expected) in [
        ("startup", vec!["started"]),
        ("resume", vec!["resumed"]),
        ("fork", vec![]),
    ] {
        let facts = Facts::new().with(Fact::Source, source);
        let fired = hooks.fire("SessionStart", &facts).await.expect("known");
        assert_eq!(fired.outcome.additional_context, expected, "{source}");
    }
}

#[tokio::test]
async fn the_end_of_a_turn_can_be_put_off() {
    let place = claude().with(
        "Stop",
        r#"echo '{"decision":"block","reason":"tests fail"}'"#,
    );
    let facts = Facts::new().with(Fact::StopHookActive, false);
    let fired = place.hooks().fire("Stop", &facts).await.expect("known");
    assert_eq!(fired.outcome.decision, Verdict::Deny);
    assert_eq!(fired.outcome.reason.as_deref(), Some("tests fail"));
}

#[tokio::test]
async fn what_cannot_be_asked_is_an_error_and_nobody_is_asked() {
    let place = claude().with(PROMPT, "touch \"$MARKS/asked\"");
    let hooks = place.hooks();
    let unknown = hooks.fire("UserPromptSubmitted", &Facts::new()).await;
    assert!(matches!(unknown, Err(PayloadError::NoEvent { .. })));
    let untold = hooks.fire(PROMPT, &Facts::new()).await;
    let fact = Fact::Prompt;
    assert!(matches!(untold, Err(PayloadError::Missing { fact: missing, .. }) if missing == fact));
    assert!(!place.mark("asked").exists());
    // Nobody is told anything, so nothing is missing.
    let nobody = hooks
        .fire("Stop", &Facts::new())
        .await
        .expect("nothing to do");
    assert!(nobody.runs.is_empty());
}

#[tokio::test]
async fn the_same_hook_is_asked_once_and_its_strictest_copy_counts() {
    let line = "echo x >> \"$MARKS/runs\"; exit 9";
    let blocks = handler(line).with_on_failure(FailurePolicy::Block);
    let place = claude()
        .with(PROMPT, line)
        .with_handler(PROMPT, None, blocks)
        .with_the_last_a_copy();
    let facts = Facts::new().with(Fact::Prompt, "go");
    let fired = place.hooks().fire(PROMPT, &facts).await.expect("known");
    assert_eq!(fired.runs.len(), 1);
    assert_eq!(
        std::fs::read_to_string(place.mark("runs")).expect("ran"),
        "x\n"
    );
    assert_eq!(fired.outcome.decision, Verdict::Deny);
    // Two commands are two hooks, whatever somebody says.
    let two = claude()
        .with(PROMPT, "echo one")
        .with(PROMPT, "echo two")
        .with_the_last_a_copy();
    let fired = two.hooks().fire(PROMPT, &facts).await.expect("known");
    assert_eq!(fired.outcome.additional_context, ["one", "two"]);
}

#[tokio::test]
async fn of_what_copies_say_about_failures_the_strictest_counts_whichever_is_first() {
    let facts = Facts::new().with(Fact::Prompt, "go");
    let policies = [
        FailurePolicy::Allow,
        FailurePolicy::Unwritten,
        FailurePolicy::Deny,
        FailurePolicy::Block,
    ];
    for (rank, one) in policies.into_iter().enumerate() {
        for (other_rank, other) in policies.into_iter().enumerate() {
            // A hook that cannot be started.
            let line = "exit 127";
            let place = claude()
                .with_handler(PROMPT, None, handler(line).with_on_failure(one))
                .with_handler(PROMPT, None, handler(line).with_on_failure(other))
                .with_the_last_a_copy();
            let fired = place.hooks().fire(PROMPT, &facts).await.expect("known");
            let refused = fired.outcome.decision == Verdict::Deny;
            assert_eq!(refused, rank.max(other_rank) > 0, "{one:?}, {other:?}");
            let fired = place.strict().fire(PROMPT, &facts).await.expect("known");
            let refused = fired.outcome.decision == Verdict::Deny;
            assert_eq!(refused, rank.max(other_rank) > 1, "{one:?}, {other:?}");
        }
    }
}

#[tokio::test]
async fn a_hook_that_nobody_waits_for_is_no_copy_of_one_that_decides() {
    let line = "echo no >&2; exit 2";
    let in_background = handler(line).with_background(Background::Always);
    // Both have the number that a hook is made with.
    let place = claude()
        .with_handler(PROMPT, None, in_background)
        .with(PROMPT, line)
        .with_the_last_a_copy();
    let facts = Facts::new().with(Fact::Prompt, "go");
    let hooks = place.hooks();
    let fired = hooks.fire(PROMPT, &facts).await.expect("known");
    assert_eq!((fired.runs.len(), fired.in_background), (1, 1));
    assert_eq!(fired.outcome.decision, Verdict::Deny);
    hooks.finish_background().await;
}

#[tokio::test]
async fn where_the_first_decision_counts_nobody_waits_for_the_rest() {
    let allow = says("PermissionRequest", r#""decision":{"behavior":"allow"}"#);
    let place = claude()
        .with(
            "PermissionRequest",
            "echo $$ > \"$MARKS/pid\"; exec sleep 600",
        )
        .with(
            "PermissionRequest",
            &format!("{}; {allow}", crate::kit::waits_for("pid")),
        );
    let facts = Facts::new()
        .with(Fact::ToolName, "Bash")
        .with(Fact::ToolInput, serde_json::json!({}));
    let fired = place
        .strict()
        .fire("PermissionRequest", &facts)
        .await
        .expect("known");
    assert_eq!(fired.outcome.decision, Verdict::Allow);
    assert_eq!(fired.runs.len(), 1);
    assert!(!place.is_running("pid"));
}
