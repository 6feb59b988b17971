//! Hooks that could not answer.

use std::time::Duration;

use hook_dialect::{Dialect, FailurePolicy};
use hook_runner::{HookOutcome, NoteKind};

use crate::kit::{Place, after, bash, before, chain, handler};

const PRE: &str = "PreToolUse";

fn place(line: &str) -> Place {
    Place::of(Dialect::CLAUDE).with(PRE, line)
}

#[tokio::test]
async fn a_guard_that_could_not_answer_has_cleared_nothing_unless_the_agent_is_followed_to_the_letter()
 {
    for line in [
        "./no-such-guard.sh",
        "exit 126",
        "kill -9 $$",
        "echo '{\"permissionDecision\": oops}'",
        "head -c 70000000 /dev/zero",
    ] {
        let place = place(line);
        let guarded = before(&place.hooks(), &place, "ls").await;
        assert!(matches!(guarded.outcome, HookOutcome::Deny(_)), "{line}");
        assert_eq!(guarded.notes.len(), 1, "{line}: {:?}", guarded.notes);
        assert!(guarded.notes[0].text.contains("failed"), "{line}");
        let strict = before(&place.strict(), &place, "ls").await;
        assert_eq!(strict.outcome, HookOutcome::Allow, "{line}");
        assert_eq!(strict.notes[0].kind, NoteKind::Remark, "{line}");
    }
}

#[tokio::test]
async fn a_guard_that_takes_too_long_is_killed_and_denies() {
    let slow = handler("sleep 600").with_timeout(Duration::from_millis(50));
    let place = Place::of(Dialect::CLAUDE).with_handler(PRE, None, slow);
    let consultation = before(&place.hooks(), &place, "ls").await;
    let HookOutcome::Deny(reason) = consultation.outcome else {
        panic!("{:?}", consultation.outcome)
    };
    assert!(reason.contains("took too long"), "{reason}");
}

#[tokio::test]
async fn an_exit_status_of_the_hooks_own_is_its_way_to_say_go_on() {
    let place = place("echo 'Traceback' >&2; exit 1");
    let hooks = place.hooks();
    let (runner, reports) = chain(&hooks, &place);
    assert_eq!(runner.decide(&bash("ls")).await, HookOutcome::Allow);
    let reports = reports.all();
    assert_eq!(reports.len(), 1);
    assert_eq!(
        reports[0],
        "dialect 'claude': `echo 'Traceback' >&2; exit 1` (project hooks.json:1) failed: it ended with exit status 1; end \
         with 0 to answer and with 2 to refuse; it was passed over; it printed on stderr:\nTraceback"
    );
}

#[tokio::test]
async fn what_somebody_wrote_down_about_a_failure_counts() {
    for (policy, line, denies) in [
        (FailurePolicy::Allow, "./no-such-guard.sh", false),
        (FailurePolicy::Block, "exit 1", true),
        (FailurePolicy::Deny, "exit 1", false),
    ] {
        let handler = handler(line).with_on_failure(policy);
        let place = Place::of(Dialect::CLAUDE).with_handler(PRE, None, handler);
        let outcome = before(&place.hooks(), &place, "ls").await.outcome;
        assert_eq!(
            matches!(outcome, HookOutcome::Deny(_)),
            denies,
            "{policy:?}"
        );
    }
}

#[tokio::test]
async fn after_a_call_a_failure_lets_the_result_stand() {
    let place = Place::of(Dialect::CLAUDE).with("PostToolUse", "./no-such-hook.sh");
    let consultation = after(&place.hooks(), &place, "built", false).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(consultation.notes.len(), 1);
}

#[tokio::test]
async fn a_lone_rewrite_of_codex_does_not_run_the_original() {
    let line = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"x"}}}'"#;
    let place = Place::of(Dialect::CODEX).with(PRE, line);
    let guarded = before(&place.hooks(), &place, "ls").await.outcome;
    assert!(matches!(guarded, HookOutcome::Deny(_)), "{guarded:?}");
    let strict = before(&place.strict(), &place, "ls").await.outcome;
    assert_eq!(strict, HookOutcome::Allow);
}

#[tokio::test]
async fn something_that_holds_the_output_open_costs_the_answer_only_where_it_does_at_home() {
    let line = "sleep 600 & echo 'no' >&2; exit 2";
    let codex = Place::of(Dialect::CODEX);
    let short = handler(line).with_timeout(Duration::from_millis(300));
    let codex = codex.with_handler(PRE, None, short);
    let guarded = before(&codex.hooks(), &codex, "ls").await;
    assert!(matches!(&guarded.outcome, HookOutcome::Deny(reason) if reason.contains("no (from")));
    assert!(guarded.notes[0].text.contains("held its output open"));
    let strict = before(&codex.strict(), &codex, "ls").await;
    assert_eq!(strict.outcome, HookOutcome::Allow);
    assert!(strict.notes[0].text.contains("longer than its timeout"));
}

#[tokio::test]
async fn a_hook_that_does_not_read_and_a_call_of_any_size_are_no_trouble() {
    let place = place("exit 0").with(PRE, "cat | wc -c > \"$MARKS/size\"");
    let command = "x".repeat(1 << 20);
    let outcome = before(&place.hooks(), &place, &command).await.outcome;
    assert_eq!(outcome, HookOutcome::Allow);
    let size = std::fs::read_to_string(place.mark("size")).expect("asked");
    assert!(size.trim().parse::<usize>().expect("a number") > 1 << 20);
}
