//! An ask is heard wherever a denial is.

use super::*;

/// What hooks print that mean one word and say it in a way that their agent does not hear.
const ENVELOPES: [&str; 13] = [
    r#"{"hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"WORD","permissionDecision":"allow","permissionDecisionReason":"r"}}"#,
    r#"{"hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"WORD","permissionDecisionReason":"r"},
        "hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"allow"}}"#,
    r#"{"permissionDecision":"WORD","reason":"r"}"#,
    r#"{"hookSpecificOutput":{"hookEventName":"EVENT","permission_decision":"WORD","reason":"r"}}"#,
    r#"{"hookSpecificOutput":{"hookEventName":"EVENT","PermissionDecision":"WORD","reason":"r"}}"#,
    r#"{"hookSpecificOutput":{"hookEventName":"EVENT","decision":"WORD","reason":"r"}}"#,
    r#"{"hookspecificoutput":{"hookEventName":"EVENT","permissionDecision":"WORD","permissionDecisionReason":"r"}}"#,
    r#"{"permissionDecision":"WORD","reason":"r","hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"allow"}}"#,
    r#"{"decision":"approve","permissionDecision":"WORD","reason":"r"}"#,
    r#"{"async":true,"hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"WORD","permissionDecisionReason":"r"}}"#,
    r#"{"hookSpecificOutput":{"permissionDecision":"WORD","permissionDecisionReason":"r"}}"#,
    r#"{"decision":"WORD","reason":"r"}"#,
    r#"{"systemMessage":5,"hookSpecificOutput":{"hookEventName":"EVENT","permissionDecision":"WORD","permissionDecisionReason":"r"}}"#,
];

const POLICIES: [FailurePolicy; 3] = [
    FailurePolicy::Unwritten,
    FailurePolicy::Allow,
    FailurePolicy::Deny,
];

fn settled(
    dialect: &'static Dialect,
    event: &str,
    exit: i32,
    stdout: &str,
    policy: FailurePolicy,
) -> HookOutput {
    let profile = dialect.guarded();
    let row = dialect.event(event).expect("an event");
    decode(profile, event, exit, stdout, "").settled(row, policy, profile)
}

/// Whether an answer refuses and whether it asks, with the same reason, whatever the policy and with either status.
#[track_caller]
fn check(dialect: &'static Dialect, event: &str, stdout: &str, (refuses, asks): (bool, bool)) {
    for policy in POLICIES {
        for exit in [0, 1] {
            let output = settled(dialect, event, exit, stdout, policy);
            let what = format!("{dialect} {event} {exit} {policy:?} {stdout}");
            let said = (output.refuses(), output.asks(), output.detached);
            assert_eq!(said, (refuses, asks, false), "{what}");
            assert_eq!(output.reason.as_deref(), Some("r"), "{what}");
        }
    }
}

#[test]
fn an_ask_is_heard_wherever_a_denial_is() {
    for event in ["PreToolUse", "PermissionRequest"] {
        for envelope in ENVELOPES.map(|envelope| envelope.replace("EVENT", event)) {
            let says = |word| envelope.replace("WORD", word);
            for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
                check(dialect, event, &says("deny"), (true, false));
                check(dialect, event, &says("ask"), (false, true));
                check(dialect, event, &says("Ask"), (false, true));
                check(dialect, event, &says("defer"), (false, true));
            }
        }
    }
}

#[test]
fn an_ask_without_a_reason_is_an_ask() {
    for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
        let stdout = r#"{"permissionDecision":"ask"}"#;
        let output = settled(dialect, "PreToolUse", 0, stdout, FailurePolicy::Unwritten);
        assert_eq!(
            (output.decision, output.reason),
            (Some(Decision::Ask), None)
        );
    }
}

#[test]
fn an_ask_in_a_text_or_where_none_can_be_put_is_never_an_allow() {
    let ask = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}"#;
    let log = format!("{{\"level\":1}}\n{ask}");
    let around = format!("checked\n{ask}");
    let list = format!("[{ask}]");
    let cut = ask.strip_suffix("\"}}").expect("its end");
    for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
        for (event, stdout, failure) in [
            ("PreToolUse", &*log, Failure::AskedInText),
            ("PreToolUse", &around, Failure::AskedInText),
            ("PreToolUse", &list, Failure::AskedInText),
            ("PreToolUse", cut, Failure::AskedInText),
            ("UserPromptSubmit", &around, Failure::AskedInText),
            ("UserPromptSubmit", ask, Failure::CannotAsk),
            (
                "UserPromptSubmit",
                r#"{"decision":"ask"}"#,
                Failure::CannotAsk,
            ),
        ] {
            for policy in POLICIES {
                let output = settled(dialect, event, 0, stdout, policy);
                let what = format!("{dialect} {event} {policy:?} {stdout}");
                assert_eq!(output.decision, Some(Decision::Block), "{what}");
                assert_eq!(output.failure.as_ref(), Some(&failure), "{what}");
                assert_eq!(output.additional_context, None, "{what}");
                let reason = output.reason.expect("a reason");
                assert!(reason.contains("a person's agreement"), "{what}: {reason}");
            }
        }
    }
}

#[test]
fn a_denial_is_heard_before_an_ask() {
    for stdout in [
        r#"{"permissionDecision":"ask","decision":"block","reason":"r"}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecision":"ask",
            "permissionDecisionReason":"r"}}"#,
        "{\"decision\":\"ask\"}\n{\"decision\":\"deny\",\"reason\":\"r\"}",
    ] {
        for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
            let output = settled(dialect, "PreToolUse", 0, stdout, FailurePolicy::Allow);
            assert!(output.refuses(), "{dialect} {stdout}");
        }
    }
    let ask = r#"{"permissionDecision":"ask"}"#;
    for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
        assert!(settled(dialect, "PreToolUse", 2, ask, FailurePolicy::Allow).refuses());
    }
}

#[test]
fn an_ask_is_lost_where_the_agent_is_followed_to_the_letter() {
    for envelope in ENVELOPES {
        let stdout = envelope
            .replace("EVENT", "PreToolUse")
            .replace("WORD", "ask");
        for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
            let output = decode(dialect.strict(), "PreToolUse", 0, &stdout, "");
            assert!(!output.refuses() && !output.asks(), "{dialect} {stdout}");
        }
    }
}

#[test]
fn a_program_that_is_killed_or_whose_settings_block_denies_whatever_it_asked() {
    let ask = r#"{"decision":"ask","reason":"r"}"#;
    let profile = Dialect::CLAUDE.guarded();
    let row = profile.dialect.event("PreToolUse").expect("an event");
    let killed = decode_output(
        Exit::Signal(9),
        ask.as_bytes(),
        b"",
        Some(row.name),
        profile,
    );
    assert!(killed.asks());
    assert!(
        killed
            .settled(row, FailurePolicy::Unwritten, profile)
            .refuses()
    );
    let blocks = settled(Dialect::CLAUDE, "PreToolUse", 0, ask, FailurePolicy::Block);
    assert_eq!(blocks.decision, Some(Decision::Block));
}

#[test]
fn after_a_call_an_ask_has_no_effect() {
    for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
        let stdout = r#"{"permissionDecision":"ask"}"#;
        let output = settled(dialect, "PostToolUse", 0, stdout, FailurePolicy::Unwritten);
        assert_eq!(output.decision, None, "{dialect}");
    }
}
