//! What is as it is at home where the agent is followed to the letter, and the stricter thing elsewhere.

use hook_dialect::{Dialect, Failure, FailurePolicy, Verdict, run::DialectHooks};
use hook_runner::{HookOutcome, NoteKind};

use crate::kit::{Place, after, before, handler, says};

const PRE: &str = "PreToolUse";
const STOP: &str = r#"cat >/dev/null; echo '{"continue":false,"stopReason":"R-stop"}'"#;

fn claude(line: &str) -> Place {
    Place::of(Dialect::CLAUDE).with(PRE, line)
}

async fn denial(hooks: &DialectHooks, place: &Place) -> String {
    let outcome = before(hooks, place, "ls").await.outcome;
    let HookOutcome::Deny(reason) = outcome else {
        panic!("{outcome:?}")
    };
    reason
}

#[tokio::test]
async fn a_stop_beside_a_denial_ends_the_turn_and_only_its_own_reason_is_told() {
    let denies = r#""permissionDecision":"deny","permissionDecisionReason":"R-deny""#;
    let both = format!(
        r#"cat >/dev/null; echo '{{"continue":false,"stopReason":"R-stop","hookSpecificOutput":{{"hookEventName":"PreToolUse",{denies}}}}}'"#
    );
    for place in [
        claude(&both),
        claude(&says(PRE, denies)).with(PRE, STOP),
        claude(STOP).with(PRE, "echo R-deny >&2; exit 2"),
    ] {
        let strict = place.strict();
        let told = denial(&strict, &place).await;
        assert!(told.contains(": R-stop (from hook"), "{told}");
        let consultation = before(&strict, &place, "ls").await;
        let stops = |note: &hook_runner::Note| note.kind == NoteKind::Stop && note.text == "R-stop";
        assert!(consultation.notes.iter().any(stops));
        // The guard's reason stands where the agent is not followed to the letter, and the turn ends as well.
        let told = denial(&place.hooks(), &place).await;
        assert!(told.contains(": R-deny (from hook"), "{told}");
        let guarded = before(&place.hooks(), &place, "ls").await;
        assert!(guarded.notes.iter().any(stops));
    }
}

#[tokio::test]
async fn a_stop_beside_an_ask_changes_nothing_about_the_ask() {
    let asks = r#""permissionDecision":"ask","permissionDecisionReason":"R-ask""#;
    let place = claude(&says(PRE, asks)).with(PRE, STOP);
    let facts = hook_dialect::Facts::new()
        .with(hook_dialect::Fact::ToolName, "Bash")
        .with(hook_dialect::Fact::ToolInput, serde_json::json!({}))
        .with(hook_dialect::Fact::ToolUseId, "1");
    let fired = place.strict().fire(PRE, &facts).await.expect("known");
    assert_eq!(fired.outcome.decision, Verdict::Ask);
    assert_eq!(fired.outcome.reason.as_deref(), Some("R-ask"));
}

#[tokio::test]
async fn an_empty_command_cannot_be_started_and_one_of_blanks_does_nothing() {
    for (line, fails) in [("", true), (" ", false)] {
        let place = claude(line);
        let facts = hook_dialect::Facts::new()
            .with(hook_dialect::Fact::ToolName, "Bash")
            .with(hook_dialect::Fact::ToolInput, serde_json::json!({}))
            .with(hook_dialect::Fact::ToolUseId, "1");
        let fired = place.strict().fire(PRE, &facts).await.expect("known");
        let failure = fired.runs[0].output.failure.as_ref();
        let failed = matches!(failure, Some(Failure::NotStarted { .. }));
        assert_eq!(failed, fails, "{line:?}: {failure:?}");
        assert_eq!(fired.outcome.decision, Verdict::None, "{line:?}");
    }
    let denied = claude("");
    assert!(!denial(&denied.hooks(), &denied).await.is_empty());
    let blocks = handler("").with_on_failure(FailurePolicy::Block);
    let blocks = Place::of(Dialect::CLAUDE).with_handler(PRE, None, blocks);
    assert!(
        denial(&blocks.strict(), &blocks)
            .await
            .contains("could not be started")
    );
}

#[tokio::test]
async fn twenty_mebibytes_are_read_where_the_agent_is_followed_to_the_letter() {
    let long = "printf '{\"decision\":\"block\",\"reason\":\"R\",\"systemMessage\":\"'; \
                head -c 20971520 /dev/zero | tr '\\0' x; printf '\"}'";
    for dialect in Dialect::ALL {
        let place = Place::of(dialect).with("PostToolUse", long);
        let strict = after(&place.strict(), &place, "result", false).await;
        let HookOutcome::Replace { output, .. } = &strict.outcome else {
            panic!("{dialect}: not replaced");
        };
        assert!(output.text().contains("R (from hook"), "{dialect}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn streams_that_are_sockets_at_home_cannot_be_opened_by_a_path() {
    for (line, reason) in [
        (
            "cat /dev/stdin >/dev/null || exit 1; echo R >&2; exit 2",
            "R",
        ),
        (
            "cat >/dev/null; echo R > /dev/stderr || exit 1; exit 2",
            "R",
        ),
        (
            "cat >/dev/null; echo '{\"decision\":\"block\",\"reason\":\"R\"}' > /dev/stdout || exit 1",
            "R",
        ),
    ] {
        let place = claude(line);
        let strict = before(&place.strict(), &place, "ls").await;
        assert_eq!(strict.outcome, HookOutcome::Allow, "{line}");
        assert!(
            denial(&place.hooks(), &place).await.contains(reason),
            "{line}"
        );
        let codex = Place::of(Dialect::CODEX).with(PRE, line);
        assert!(
            denial(&codex.strict(), &codex).await.contains(reason),
            "{line}"
        );
    }
}
