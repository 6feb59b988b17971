//! Around tool calls.

use hook_config::HookSpec;
use hook_dialect::{Dialect, IfRule, RuleBase};
use hook_runner::{HookOutcome, HookRunner, NoteKind};
use serde_json::{Value, json};

use crate::kit::{Place, after, bash, before, handler, says, waits_for};

const PRE: &str = "PreToolUse";
const POST: &str = "PostToolUse";

fn claude() -> Place {
    Place::of(Dialect::CLAUDE)
}

fn denied(outcome: &HookOutcome) -> &str {
    let HookOutcome::Deny(reason) = outcome else {
        panic!("{outcome:?}")
    };
    reason
}

#[tokio::test]
async fn a_denial_says_why_and_whose_it_is() {
    let place = claude().with(PRE, "echo 'no force-push' >&2; exit 2");
    let consultation = before(&place.hooks(), &place, "git push -f").await;
    assert_eq!(
        denied(&consultation.outcome),
        "denied by dialect 'claude': no force-push (from hook `echo 'no force-push' >&2; exit 2`)"
    );
    let silent = claude().with(PRE, "exit 2");
    let consultation = before(&silent.hooks(), &silent, "ls").await;
    let expected = "denied by dialect 'claude': hook `exit 2` gave no reason";
    assert_eq!(denied(&consultation.outcome), expected);
}

#[tokio::test]
async fn all_hooks_run_at_once_and_each_sees_the_original() {
    let meets = |own: &str, other: &str, command: &str| {
        let rewrite = says(
            PRE,
            &format!(r#""permissionDecision":"allow","updatedInput":{{"command":"{command}"}}"#),
        );
        format!("cat > \"$MARKS/{own}\"; {}; {rewrite}", waits_for(other))
    };
    let place = claude()
        .with(PRE, &meets("one", "two", "first"))
        .with(PRE, &meets("two", "one", "second"));
    let consultation = before(&place.hooks(), &place, "original").await;
    // The last one written down counts.
    let HookOutcome::Modify { input, reason } = consultation.outcome else {
        panic!("{:?}", consultation.outcome)
    };
    assert_eq!(input.text(), r#"{"command":"second"}"#);
    assert!(
        reason
            .expect("a reason")
            .starts_with("dialect 'claude': `cat > ")
    );
    for name in ["one", "two"] {
        let told = std::fs::read_to_string(place.mark(name)).expect("what it was told");
        assert!(
            told.contains(r#""tool_input":{"command":"original"}"#),
            "{told}"
        );
        assert!(told.ends_with("\"tool_use_id\":\"call-1\"}\n"), "{told}");
    }
}

#[tokio::test]
async fn to_the_letter_the_rewrite_of_whoever_finishes_last_counts() {
    let rewrite = |command: &str| {
        says(
            PRE,
            &format!(r#""permissionDecision":"allow","updatedInput":{{"command":"{command}"}}"#),
        )
    };
    // The hook that is written down first is done when the other one has been seen to end.
    let line = "until [ -s \"$MARKS/pid\" ] && ! kill -0 $(cat \"$MARKS/pid\"); do sleep 0.01; done 2>/dev/null";
    let place = claude()
        .with(PRE, &format!("{line}; {}", rewrite("first")))
        .with(
            PRE,
            &format!("echo $$ > \"$MARKS/pid\"; {}", rewrite("second")),
        );
    for (hooks, expected) in [(place.strict(), "first"), (place.hooks(), "second")] {
        std::fs::remove_file(place.mark("pid")).unwrap_or_default();
        let HookOutcome::Modify { input, .. } = before(&hooks, &place, "x").await.outcome else {
            panic!("no rewrite")
        };
        assert_eq!(input["command"], expected);
    }
}

#[tokio::test]
async fn native_hooks_are_asked_first_unless_somebody_wants_it_otherwise() {
    let place = claude().with(PRE, "touch \"$MARKS/asked\"");
    let native = HookSpec::new(
        "native",
        [
            "/bin/sh",
            "-c",
            r#"echo '{"decision":"deny","reason":"no"}'"#,
        ],
    );
    let last = HookRunner::builder(place.path())
        .with_hooks([native.clone()])
        .with_last_participant(place.hooks())
        .build()
        .expect("built");
    let first = HookRunner::builder(place.path())
        .with_hooks([native])
        .with_participant(place.hooks())
        .build()
        .expect("built");
    let expected = HookOutcome::deny("denied by hook 'native': no");
    assert_eq!(last.decide(&bash("ls")).await, expected);
    assert!(!place.mark("asked").exists());
    assert_eq!(first.decide(&bash("ls")).await, expected);
    assert!(place.mark("asked").exists());
}

#[tokio::test]
async fn only_hooks_that_are_concerned_are_asked() {
    let rule = IfRule::parse("Bash(git push *)", RuleBase::default()).expect("a rule");
    let place = claude()
        .with_handler(PRE, Some("Write|Edit"), handler("echo matched >&2; exit 2"))
        .with_handler(
            PRE,
            Some("Bash"),
            handler("echo ruled >&2; exit 2").with_rule(rule),
        );
    let hooks = place.hooks();
    assert_eq!(
        before(&hooks, &place, "ls").await.outcome,
        HookOutcome::Allow
    );
    let pushed = before(&hooks, &place, "git push origin").await;
    assert!(denied(&pushed.outcome).contains("ruled"));
    let (runner, _) = crate::kit::chain(&hooks, &place);
    assert!(!runner.asks(hook_runner::HookEvent::PreToolUse, "Read"));
    assert!(!runner.asks(hook_runner::HookEvent::PostToolUse, "Bash"));
}

#[tokio::test]
async fn a_tool_has_the_name_that_the_agent_has_for_it() {
    let place = claude().with_handler(PRE, Some("Bash"), handler("cat > \"$MARKS/told\""));
    let hooks = place.builder().with_tool_name("shell", "Bash").build();
    let (runner, _) = crate::kit::chain(&hooks, &place);
    let call = hook_runner::HookCall::new("a", "shell", "c", r#"{"n":1.50}"#);
    assert_eq!(runner.decide(&call).await, HookOutcome::Allow);
    let told = std::fs::read_to_string(place.mark("told")).expect("asked");
    assert!(
        told.contains(r#""tool_name":"Bash","tool_input":{"n":1.50}"#),
        "{told}"
    );
}

#[tokio::test]
async fn what_is_said_beside_a_decision_comes_with_the_consultation() {
    let place = claude()
        .with(PRE, &says(PRE, r#""additionalContext":"use tabs""#))
        .with(
            PRE,
            r#"echo '{"systemMessage":"checked","continue":false,"stopReason":"enough"}'"#,
        );
    let consultation = before(&place.hooks(), &place, "ls").await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    let context: Vec<_> = consultation
        .context
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(context, ["dialect 'claude': use tabs"]);
    let notes: Vec<_> = consultation
        .notes
        .iter()
        .map(|note| (note.kind, &*note.text))
        .collect();
    let expected = [(NoteKind::Message, "checked"), (NoteKind::Stop, "enough")];
    assert_eq!(notes, expected);
    assert_eq!(consultation.trail[0].who.to_string(), "dialect 'claude'");
    assert!(consultation.trail[0].bytes_sent > 0);
    assert!(consultation.trail[0].stops);
}

#[tokio::test]
async fn a_context_stands_beside_every_decision() {
    let context = r#""additionalContext":"use tabs""#;
    for (word, rest) in [
        (r#""permissionDecision":"allow""#, ""),
        (r#""permissionDecision":"allow""#, r#","updatedInput":{}"#),
        (
            r#""permissionDecision":"deny""#,
            r#","permissionDecisionReason":"no""#,
        ),
        (
            r#""permissionDecision":"ask""#,
            r#","permissionDecisionReason":"sure?""#,
        ),
    ] {
        let place = claude().with(PRE, &says(PRE, &format!("{word}{rest},{context}")));
        let consultation = before(&place.hooks(), &place, "ls").await;
        let told: Vec<_> = consultation
            .context
            .iter()
            .map(|context| &*context.text)
            .collect();
        assert_eq!(told, ["use tabs"], "{word}{rest}");
    }
    let place = claude().with(POST, &says(POST, context));
    let consultation = after(&place.hooks(), &place, "built", false).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(consultation.context[0].text, "use tabs");
}

fn replaced(outcome: &HookOutcome) -> (Value, bool) {
    let HookOutcome::Replace {
        output, is_error, ..
    } = outcome
    else {
        panic!("{outcome:?}")
    };
    (output.value().clone(), *is_error)
}

#[tokio::test]
async fn after_a_call_each_agent_has_its_own_way_to_object() {
    let line = r#"echo '{"decision":"block","reason":"run the linter"}'"#;
    let place = claude().with(POST, line);
    let outcome = after(&place.hooks(), &place, "built", false).await.outcome;
    let from = "(from hook `echo '{\"decision\":\"block\",\"reason\":\"run the linter\"}'`)";
    let expected = format!("built\n\nrun the linter {from}");
    assert_eq!(replaced(&outcome), (json!(expected), false));
    let structured = after(&place.hooks(), &place, json!({"a": 1}), false)
        .await
        .outcome;
    let expected = format!("{{\"a\":1}}\n\nrun the linter {from}");
    assert_eq!(replaced(&structured), (json!(expected), false));

    let codex = Place::of(Dialect::CODEX).with(POST, line);
    let outcome = after(&codex.hooks(), &codex, "built", true).await.outcome;
    assert_eq!(
        replaced(&outcome),
        (json!(format!("run the linter {from}")), true)
    );
}

#[tokio::test]
async fn a_result_is_replaced_where_the_agent_replaces_it() {
    let place = claude().with(POST, &says(POST, r#""updatedToolOutput":{"stdout":"***"}"#));
    let outcome = after(&place.hooks(), &place, json!({"stdout": "secret"}), false)
        .await
        .outcome;
    assert_eq!(replaced(&outcome), (json!({"stdout": "***"}), false));
    // Only results of MCP tools are replaced so.
    let of_mcp = claude().with(POST, &says(POST, r#""updatedMCPToolOutput":"***""#));
    let outcome = after(&of_mcp.hooks(), &of_mcp, "secret", false)
        .await
        .outcome;
    assert_eq!(outcome, HookOutcome::Allow);
}

#[tokio::test]
async fn a_call_that_failed_is_an_event_of_its_own_where_the_agent_has_one() {
    let place = claude()
        .with(POST, "touch \"$MARKS/succeeded\"")
        .with("PostToolUseFailure", "cat > \"$MARKS/failed\"");
    after(&place.hooks(), &place, "Exit code 3", true).await;
    let told = std::fs::read_to_string(place.mark("failed")).expect("asked");
    assert!(told.contains(r#""error":"Exit code 3""#), "{told}");
    assert!(!place.mark("succeeded").exists());
    let codex = Place::of(Dialect::CODEX).with(POST, "cat > \"$MARKS/told\"");
    after(&codex.hooks(), &codex, "Exit code 3", true).await;
    let told = std::fs::read_to_string(codex.mark("told")).expect("asked");
    assert!(told.contains(r#""tool_response":"Exit code 3""#), "{told}");
}
