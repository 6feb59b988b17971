//! What each single hook said, in the step of the participant that speaks for all of them.

use hook_dialect::{
    Dialect,
    config::{Background, Scope},
};
use hook_runner::{Exit, HookEvent, HookRequest, HookRunner, Part};

use crate::kit::{Place, bash, before, handler, says};

const PRE: &str = "PreToolUse";

#[tokio::test]
async fn every_hook_that_was_waited_for_is_a_part_in_configured_order() {
    let rewrite = says(
        PRE,
        r#""permissionDecision":"allow","updatedInput":{"command":"x"}"#,
    );
    let ask = says(
        PRE,
        r#""permissionDecision":"ask","permissionDecisionReason":"sure?""#,
    );
    let place = Place::of(Dialect::CLAUDE)
        .with_in(Scope::User, PRE, &rewrite)
        .with(PRE, &ask)
        .with(PRE, "echo no >&2; exit 2")
        .with(PRE, "echo odd >&2; exit 7")
        .with(
            PRE,
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","sessionTitle":1}}'"#,
        )
        .with(PRE, "exit 0")
        .with_handler(
            PRE,
            None,
            handler("exit 0").with_background(Background::Always),
        );
    let hooks = place.hooks();
    let consultation = before(&hooks, &place, "ls").await;
    hooks.finish_background().await;
    let [step] = &*consultation.trail else {
        panic!("{:?}", consultation.trail)
    };
    assert_eq!(step.in_background, 1);
    let [rewrites, asks, refuses, fails, ignored, silent] = &*step.parts else {
        panic!("{:?}", step.parts)
    };

    assert_eq!(rewrites.origin, "user hooks.json:1");
    assert_eq!(
        (rewrites.decision, rewrites.rewrites),
        (Some("allow"), true)
    );
    assert!(!rewrites.refuses && !rewrites.asks);
    assert!(rewrites.bytes_sent > 0 && rewrites.bytes_received > 0);

    assert_eq!(asks.origin, "project hooks.json:2");
    assert_eq!(
        (asks.decision, asks.reason.as_deref()),
        (Some("ask"), Some("sure?"))
    );
    assert!(asks.asks && !asks.refuses && !asks.rewrites);

    assert_eq!(refuses.command, "echo no >&2; exit 2");
    assert_eq!(
        (refuses.reason.as_deref(), refuses.exit),
        (Some("no"), Some(Exit::Code(2)))
    );
    assert!(refuses.refuses);

    let failure = fails.failure.as_deref().expect("a failure");
    assert!(failure.contains("exit status 7"), "{failure}");
    assert_eq!(
        (fails.decision, fails.stderr.as_deref()),
        (None, Some("odd"))
    );

    assert_eq!(ignored.ignored.len(), 1, "{ignored:?}");
    assert!(ignored.ignored[0].contains("sessionTitle"), "{ignored:?}");

    let mut expected = Part::new("exit 0", "project hooks.json:6");
    expected.exit = Some(Exit::Code(0));
    expected.bytes_sent = silent.bytes_sent;
    expected.queued = silent.queued;
    expected.took = silent.took;
    assert_eq!(*silent, expected);
}

#[tokio::test]
async fn calls_at_once_keep_their_parts_apart() {
    let line =
        r#"command=$(sed 's/.*"command":"\([a-z]*\)".*/\1/'); echo "no $command" >&2; exit 2"#;
    let place = Place::of(Dialect::CLAUDE).with(PRE, line);
    let runner = HookRunner::builder(place.path())
        .with_last_participant(place.hooks())
        .build()
        .expect("built");
    let consult = |command: &str| {
        let request = HookRequest::from_call(HookEvent::PreToolUse, place.path(), &bash(command));
        runner.consult(request)
    };
    let (one, two, three) = tokio::join!(consult("one"), consult("two"), consult("three"));
    for (consultation, name) in [(one, "one"), (two, "two"), (three, "three")] {
        let reason = consultation.trail[0].parts[0].reason.as_deref();
        assert_eq!(reason, Some(&*format!("no {name}")));
    }
}
