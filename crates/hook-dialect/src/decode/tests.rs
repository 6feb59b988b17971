//! What answers mean, and that any bytes have a meaning.

use proptest::prelude::*;

use super::*;
use crate::{Dialect, FailurePolicy, Verdict, merge};

mod asks;
mod at_home;

fn decode(profile: Profile, event: &str, exit: i32, stdout: &str, stderr: &str) -> HookOutput {
    let (out, err) = (stdout.as_bytes(), stderr.as_bytes());
    decode_output(Exit::Code(exit), out, err, Some(event), profile)
}

fn claude(event: &str, exit: i32, stdout: &str) -> HookOutput {
    decode(Dialect::CLAUDE.strict(), event, exit, stdout, "")
}

fn codex(event: &str, exit: i32, stdout: &str) -> HookOutput {
    decode(Dialect::CODEX.strict(), event, exit, stdout, "")
}

fn ignored(output: &HookOutput) -> Vec<String> {
    output.ignored.iter().map(ToString::to_string).collect()
}

#[test]
fn an_answer_that_is_lost_in_a_text_clears_nothing() {
    let ask = "checked {a}\n{\"hookSpecificOutput\": {\n\"permissionDecision\": \"ask\"}}";
    for (stdout, failure) in [
        (
            r#"{"hookSpecificOutput":{"hookEventName":"Pre"#,
            Failure::CutOff,
        ),
        ("{", Failure::CutOff),
        (ask, Failure::AskedInText),
    ] {
        let profile = Dialect::CLAUDE.guarded();
        let output = decode(profile, "PreToolUse", 0, stdout, "");
        assert!(failure.could_not_answer());
        assert_eq!(output.failure, Some(failure), "{stdout}");
        assert_eq!(claude("PreToolUse", 0, stdout).failure, None, "{stdout}");
    }
    let guarded = |event, stdout| decode(Dialect::CLAUDE.guarded(), event, 0, stdout, "");
    let prompt = guarded("UserPromptSubmit", r#"{"hookSpecificOutput":"#);
    assert_eq!(prompt.additional_context, None);
    assert_eq!(prompt.failure, Some(Failure::CutOff));
    for text in ["{a} checked", "{\"level\":\"info\"}\nchecked", "ask: no"] {
        assert_eq!(guarded("PreToolUse", text).failure, None, "{text}");
    }
    let codex = decode(Dialect::CODEX.guarded(), "PreToolUse", 0, ask, "");
    assert_eq!(codex.failure, Some(Failure::AskedInText));
}

#[test]
fn a_refusal_beside_the_word_that_the_hook_goes_on_in_the_background_counts() {
    for stdout in [
        r#"{"async": true, "decision": "block", "reason": "r"}"#,
        "{\n\"async\": true,\n\"decision\": \"block\", \"reason\": \"r\"}",
    ] {
        assert!(claude("PreToolUse", 0, stdout).detached);
        let output = decode(Dialect::CLAUDE.guarded(), "PreToolUse", 0, stdout, "");
        assert!(output.refuses() && !output.detached, "{stdout}");
        assert_eq!(output.reason.as_deref(), Some("r"));
    }
}

#[test]
fn any_status_but_0_keeps_a_worktree_as_it_is() {
    for event in ["WorktreeCreate", "WorktreeRemove"] {
        for profile in [Dialect::CLAUDE.strict(), Dialect::CLAUDE.guarded()] {
            for status in [1, 2, 127] {
                let output = decode(profile, event, status, "", "no space");
                assert!(output.refuses(), "{event} {status}");
                assert_eq!(output.reason.as_deref(), Some("no space"));
            }
            assert!(!decode(profile, event, 0, "/tree", "").refuses());
        }
    }
}

#[test]
fn a_refusal_is_heard_beside_braces_and_line_breaks_of_others() {
    let pretty = "checking {a}\n{\n  \"decision\": \"block\",\n  \"reason\": \"r\"\n}\n";
    let raw = "{\"decision\": \"block\", \"reason\": \"r\", \"more\": \"a\nb\"}";
    for profile in [Dialect::CLAUDE.guarded(), Dialect::CODEX.guarded()] {
        for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
            for stdout in [pretty, raw] {
                let output = decode(profile, event, 0, stdout, "");
                assert!(output.refuses(), "{event} {stdout}");
                assert_eq!(output.reason.as_deref(), Some("r"));
            }
        }
    }
}

#[test]
fn everything_that_has_no_effect_is_listed_with_the_reason() {
    let stdout = r#"{"zzz": 1, "reason": "r", "reason": "s", "suppressOutput": true, "terminalSequence": "x",
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "deny", "additionalContext": "c",
        "classifierContext": "d"}}"#;
    let output = claude("PostToolUse", 0, stdout);
    assert_eq!(output.additional_context.as_deref(), Some("c"));
    assert_eq!(
        ignored(&output),
        [
            "`zzz` was ignored: there is no such field",
            "`reason` was ignored: the key stands there again, and the last one counts",
            "`permissionDecision` was ignored: there is no such field",
            "`terminalSequence` was ignored: it has no effect on this event",
            "`classifierContext` was ignored: it has no effect on this event",
        ]
    );
    let output = claude("SessionEnd", 0, r#"{"systemMessage":"m","continue":false}"#);
    assert_eq!(
        ignored(&output),
        [
            "`systemMessage` was ignored: it has no effect on this event",
            "`continue` was ignored: it has no effect on this event",
        ]
    );
    let output = codex("SessionEnd", 0, "text");
    assert_eq!(
        ignored(&output),
        ["`stdout` was ignored: it has no effect on this event"]
    );
    let output = codex("PreToolUse", 1, "text");
    let overruled = "`stdout` was ignored: another field or the exit status decides";
    assert_eq!(ignored(&output), [overruled]);
    let output = codex(
        "PreToolUse",
        0,
        r#"{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse",
            "permissionDecision":"allow","updatedInput":{}}}"#,
    );
    assert_eq!(output.decision, Some(Decision::Allow));
    let overruled = "`decision` was ignored: another field or the exit status decides";
    assert_eq!(ignored(&output), [overruled]);
}

#[test]
fn failures_say_what_to_write() {
    #[track_caller]
    fn check(output: &HookOutput, says: &str) {
        let failure = output.failure.as_ref().expect("a failure");
        assert_eq!(failure.to_string(), says);
        assert_eq!(output.decision, None);
    }
    check(
        &claude("PreToolUse", 0, r#"{"decision":"deny"}"#),
        "`decision` says `deny`, which is none of its words; it must be `approve` or `block`",
    );
    check(
        &claude("PreToolUse", 0, r#"{"systemMessage":5}"#),
        "`systemMessage` is a number; it must be a string",
    );
    check(
        &claude("PreToolUse", 0, "{oops}"),
        "the output looks like JSON and is not: key must be a string at line 1 column 2; print one JSON object and \
         nothing else",
    );
    check(
        &claude(
            "PermissionRequest",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest"}}"#,
        ),
        "`decision` is missing; add it",
    );
    check(
        &claude(
            "PreToolUse",
            0,
            r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#,
        ),
        "`hookEventName` must name the event, because the whole answer is void otherwise",
    );
    check(
        &codex("PreToolUse", 0, "[1]"),
        "the output is an array; print one JSON object",
    );
    check(
        &codex("Stop", 0, "text"),
        "the output is plain text; print JSON or nothing",
    );
    check(
        &codex("PreToolUse", 0, r#"{"hello":1}"#),
        "there is no field `hello`; leave it out, because it makes the whole answer void",
    );
    check(
        &codex("PreToolUse", 2, ""),
        "exit status 2 without a reason on standard error does not count; say why there",
    );
    check(
        &claude(
            "PreToolUse",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":1,"a":2}}}"#,
        ),
        "`updatedInput` cannot be used: the key \"a\" stands twice in one object at line 1, column 8; print a value that \
         every parser reads alike",
    );
}

#[test]
fn a_hook_that_goes_on_in_the_background_decides_nothing() {
    for stdout in [
        r#"{"async": true}"#,
        r#"{"async": true, "decision": "approve"}"#,
        "{\"async\":true}\n{\"decision\":\"block\"}",
    ] {
        for profile in [Dialect::CLAUDE.strict(), Dialect::CLAUDE.guarded()] {
            let output = decode(profile, "PreToolUse", 0, stdout, "");
            assert!(output.detached, "{stdout}");
            assert_eq!(output.decision, None, "{stdout}");
        }
    }
    assert!(!claude("PreToolUse", 0, r#"{"async": false}"#).detached);
}

#[test]
fn lines_that_say_nothing_to_the_agent_are_a_log() {
    let output = claude("UserPromptSubmit", 0, "{\"level\":1}\n{\"level\":2}");
    assert_eq!(
        output.additional_context.as_deref(),
        Some("{\"level\":1}\n{\"level\":2}")
    );
    let output = claude(
        "UserPromptSubmit",
        0,
        "{\"level\":1}\n{\"decision\":\"block\"}",
    );
    assert!(output.failure.is_some());
}

#[test]
fn exit_status_two_refuses_whatever_stands_beside_it() {
    let allow = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",
        "updatedInput":{"command":"ls"}}}"#;
    for stdout in [allow, "{oops}", "text", ""] {
        let output = decode(Dialect::CLAUDE.strict(), "PreToolUse", 2, stdout, " why \n");
        assert_eq!(
            output.decision.map(Decision::refuses),
            Some(true),
            "{stdout}"
        );
        // Standard error is the reason as it was printed.
        assert_eq!(output.reason.as_deref(), Some(" why \n"), "{stdout}");
        assert_eq!(
            (output.updated_input, output.failure),
            (None, None),
            "{stdout}"
        );
    }
    let deny = r#"{"decision":"block","reason":"r"}"#;
    let output = decode(Dialect::CLAUDE.strict(), "PreToolUse", 2, deny, "why");
    assert_eq!(output.reason.as_deref(), Some("r"));
}

#[test]
fn what_a_guard_refused_by_accident_is_refused_in_a_guarded_profile() {
    for (dialect, event, exit, stdout, stderr) in [
        (Dialect::CLAUDE, "PermissionRequest", 2, "", "no"),
        (
            Dialect::CLAUDE,
            "PermissionRequest",
            0,
            r#"{"decision":"block","reason":"no"}"#,
            "",
        ),
        (
            Dialect::CLAUDE,
            "PreToolUse",
            0,
            r#"{"permissionDecision":"deny","reason":"no"}"#,
            "",
        ),
        (
            Dialect::CLAUDE,
            "PreToolUse",
            0,
            "log\n{\"decision\":\"block\",\"reason\":\"no\"}",
            "",
        ),
        (Dialect::CODEX, "PreToolUse", 2, "", ""),
        (
            Dialect::CODEX,
            "PreToolUse",
            143,
            r#"{"decision":"block","reason":"no"}"#,
            "",
        ),
        (
            Dialect::CODEX,
            "UserPromptSubmit",
            0,
            r#"{"decision":"deny"}"#,
            "",
        ),
    ] {
        let strict = decode(dialect.strict(), event, exit, stdout, stderr);
        assert!(!strict.refuses(), "{dialect} {stdout}");
        let guarded = decode(dialect.guarded(), event, exit, stdout, stderr);
        assert!(guarded.refuses(), "{dialect} {stdout}");
    }
    let lone =
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}"#;
    let output = decode(Dialect::CODEX.guarded(), "PreToolUse", 0, lone, "");
    assert_eq!(
        output.reason.as_deref(),
        Some(
            "a hook changed the input of this call without saying `permissionDecision: allow`, and Codex would run the \
             original; it does not run"
        )
    );
}

/// What both dialects make of it before a call, where they are not followed to the letter.
#[track_caller]
fn guarded_before(stdout: &str) -> [HookOutput; 2] {
    Dialect::ALL.map(|dialect| {
        let output = decode(dialect.guarded(), "PreToolUse", 0, stdout, "");
        let event = dialect.event("PreToolUse").expect("an event");
        output.settled(event, FailurePolicy::Unwritten, dialect.guarded())
    })
}

#[test]
fn a_sloppy_allow_is_no_objection() {
    for stdout in [
        r#"{"permissionDecision":"allow"}"#,
        r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"allow"}}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":null}}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":null}}"#,
        r#"{"decision":"allow"}"#,
        r#"{"decision":"approve","reason":7}"#,
        "log\n{\"decision\":\"approve\"}",
    ] {
        for output in guarded_before(stdout) {
            assert!(
                !output.refuses() && output.updated_input.is_none(),
                "{stdout}"
            );
        }
    }
}

#[test]
fn a_rewrite_that_is_not_heard_is_a_denial() {
    let specific = |rest: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow",{rest}}}}}"#
        )
    };
    for stdout in [
        r#"{"permissionDecision":"allow","updatedInput":{"command":"ls"}}"#.to_owned(),
        r#"{"hookSpecificOutput":{"permissionDecision":"allow","updated_input":{"command":"ls"}}}"#
            .to_owned(),
        format!(
            "welcome\n{}",
            specific(r#""updatedInput":{"command":"ls"}"#)
        ),
        format!("{} bye", specific(r#""updatedInput":{"command":"ls"}"#)),
        format!("{}\n{{}}", specific(r#""updatedInput":{"command":"ls"}"#)),
        specific(r#""updatedInput":{"command":"ls"},}"#),
    ] {
        for output in guarded_before(&stdout) {
            assert!(
                output.refuses() && output.updated_input.is_none(),
                "{stdout}"
            );
        }
    }
    // Codex takes any value.
    for value in [r#"["ls"]"#, r#""ls""#, "7"] {
        let stdout = specific(&format!(r#""updatedInput":{value}"#));
        let [claude, _codex] = guarded_before(&stdout);
        assert!(claude.refuses(), "{stdout}");
    }
}

#[test]
fn a_refusal_in_the_words_of_another_agent_is_one_before_a_call() {
    for stdout in [
        r#"{"permission":"deny","user_message":"not on a Friday"}"#,
        r#"{"block":true,"reason":"not on a Friday"}"#,
        r#"{"cancel":true,"message":"not on a Friday"}"#,
        r#"{"action":"block","reason":"not on a Friday"}"#,
        r#"{"allow":false,"reason":"not on a Friday"}"#,
        r#"{"ok":false,"reason":"not on a Friday"}"#,
        r#"{"approved":false,"reason":"not on a Friday"}"#,
        r#"{"status":"denied","reason":"not on a Friday"}"#,
        r#"{"outcome":"deny","reason":"not on a Friday"}"#,
        r#"{"decision":"reject","reason":"not on a Friday"}"#,
        "log\n{\"allow\": false, \"reason\": \"not on a Friday\"",
        "{'ok': False, 'reason': 'not on a Friday'}",
    ] {
        for output in guarded_before(stdout) {
            assert!(output.refuses(), "{stdout}");
            assert_eq!(
                output.reason.as_deref(),
                Some("not on a Friday"),
                "{stdout}"
            );
        }
        for dialect in Dialect::ALL {
            let strict = decode(dialect.strict(), "PreToolUse", 0, stdout, "");
            assert!(!strict.refuses(), "{dialect} {stdout}");
            // After the call it may be what a linter prints.
            let after = decode(dialect.guarded(), "PostToolUse", 0, stdout, "");
            assert!(!after.refuses(), "{dialect} {stdout}");
        }
    }
    for stdout in [
        r#"{"ok":true,"status":"fine","block":false}"#,
        r#"{"action":"log"}"#,
        r#"{"errors":{"ok":false}}"#,
    ] {
        let [claude, _codex] = guarded_before(stdout);
        assert!(!claude.refuses(), "{stdout}");
    }
}

/// Bytes near answers.
fn stdout() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "\n",
        " ",
        "\u{feff}",
        "null",
        "true",
        "false",
        "1",
        "1e999",
        r"\ud800",
        "\"continue\"",
        "\"stopReason\"",
        "\"decision\"",
        "\"reason\"",
        "\"block\"",
        "\"approve\"",
        "\"deny\"",
        "\"allow\"",
        "\"ask\"",
        "\"defer\"",
        "\"hookSpecificOutput\"",
        "\"hookEventName\"",
        "\"PreToolUse\"",
        "\"PermissionRequest\"",
        "\"permissionDecision\"",
        "\"permissionDecisionReason\"",
        "\"updatedInput\"",
        "\"additionalContext\"",
        "\"systemMessage\"",
        "\"behavior\"",
        "\"async\"",
        r#"{"decision":"block","reason":"r"}"#,
        r#"{"continue":false}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{}}}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#,
    ]);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..60),
        prop::collection::vec(word, 0..12).prop_map(|words| words.concat().into_bytes()),
    ]
}

fn exit() -> impl Strategy<Value = Exit> {
    prop_oneof![
        prop::sample::select(vec![0, 0, 0, 1, 2, 126, -1]).prop_map(Exit::Code),
        Just(Exit::Signal(9)),
        Just(Exit::Unknown),
    ]
}

fn event() -> impl Strategy<Value = Option<&'static str>> {
    let rows = [Dialect::CLAUDE, Dialect::CODEX].map(|dialect| dialect.events.iter());
    let names: Vec<_> = rows
        .into_iter()
        .flatten()
        .map(|row| Some(row.name))
        .collect();
    prop::sample::select(
        [
            names,
            vec![None, Some("PreToolUse"), Some("nonsense"), Some("")],
        ]
        .concat(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_have_a_meaning_and_a_guarded_profile_never_lets_more_pass(
        exit in exit(), stdout in stdout(), stderr in stdout(), event in event(),
    ) {
        for dialect in [Dialect::CLAUDE, Dialect::CODEX, Dialect::SHARED] {
            let decode = |profile| decode_output(exit, &stdout, &stderr, event, profile);
            let (strict, guarded) = (decode(dialect.strict()), decode(dialect.guarded()));
            prop_assert_eq!(&strict.stdout, &guarded.stdout);
            let row = event.map_or(&dialect.other, |event| dialect.event_or_other(event));
            let settled = |output: &HookOutput, profile| {
                output.clone().settled(row, FailurePolicy::Unwritten, profile)
            };
            let outputs = [settled(&strict, dialect.strict()), settled(&guarded, dialect.guarded())];
            let strongest = outputs.iter().map(|output| Verdict::from(output.decision)).max();
            prop_assert_eq!(Some(merge(&outputs).decision), strongest);
            let (strict, verdict) = (Verdict::from(strict.decision), Verdict::from(guarded.decision));
            let stops = matches!(verdict, Verdict::Ask | Verdict::Deny);
            prop_assert!(verdict == strict || stops && verdict > strict, "{:?} {:?}", strict, guarded);
        }
    }
}
