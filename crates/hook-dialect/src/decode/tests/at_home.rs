//! What the agents make of answers that seldom occur.

use super::*;

#[test]
fn a_block_beside_an_allow_counts_and_its_reason_is_the_only_one() {
    let answer = |word: &str, block: &str| {
        format!(
            r#"{{{block}, "hookSpecificOutput": {{"hookEventName": "PreToolUse", "permissionDecision": "{word}",
                "permissionDecisionReason": "R-inner"}}}}"#
        )
    };
    let with_reason = r#""decision": "block", "reason": "R-block""#;
    for profile in [Dialect::CLAUDE.strict(), Dialect::CLAUDE.guarded()] {
        for word in ["allow", "ask"] {
            let told = |block| {
                let output = decode(profile, "PreToolUse", 0, &answer(word, block), "");
                assert_eq!(output.decision, Some(Decision::Block), "{word}");
                output.reason
            };
            assert_eq!(told(with_reason).as_deref(), Some("R-block"));
            assert_eq!(told(r#""decision": "block""#), None);
        }
        let denied = decode(profile, "PreToolUse", 0, &answer("deny", with_reason), "");
        assert_eq!(denied.reason.as_deref(), Some("R-inner"));
    }
    let output = claude("PreToolUse", 0, &answer("allow", with_reason));
    assert_eq!(
        ignored(&output),
        [
            "`permissionDecision` was ignored: another field or the exit status decides",
            "`permissionDecisionReason` was ignored: another field or the exit status decides",
        ]
    );
}

#[test]
fn half_of_a_surrogate_pair_makes_an_answer_void_for_codex_alone() {
    let deny = |reason: &str| {
        format!(
            r#"{{"hookSpecificOutput": {{"hookEventName": "PreToolUse", "permissionDecision": "deny",
                "permissionDecisionReason": "{reason}"}}}}"#
        )
    };
    let half = deny(r"R \ud800 end");
    let output = codex("PreToolUse", 0, &half);
    assert_eq!(output.decision, None);
    assert!(matches!(output.failure, Some(Failure::NotJson { .. })));
    let whole = codex("PreToolUse", 0, &deny(r"R \ud83d\ude00 end"));
    assert_eq!(whole.reason.as_deref(), Some("R 😀 end"));
    let claude = claude("PreToolUse", 0, &half);
    assert_eq!(claude.reason.as_deref(), Some("R \u{fffd} end"));
    let guarded = decode(Dialect::CODEX.guarded(), "PreToolUse", 0, &half, "");
    assert!(guarded.refuses());
}

#[test]
fn reasons_keep_the_white_space_around_them_where_the_agent_keeps_it() {
    let stderr = "line 1\n\n  line 2\n\n\n";
    let printed = |profile| {
        let output = decode(profile, "PreToolUse", 2, "", stderr);
        output.reason.expect("a reason")
    };
    assert_eq!(printed(Dialect::CLAUDE.strict()), stderr);
    for profile in [
        Dialect::CLAUDE.guarded(),
        Dialect::CODEX.strict(),
        Dialect::CODEX.guarded(),
    ] {
        assert_eq!(printed(profile), stderr.trim());
    }
    let blank = decode(Dialect::CLAUDE.strict(), "PreToolUse", 2, "", " \n");
    assert_eq!((blank.refuses(), blank.reason), (true, None));

    let block = r#"{"decision": "block", "reason": " padded \n"}"#;
    for (event, reason) in [
        ("PreToolUse", "padded"),
        ("PostToolUse", " padded \n"),
        ("UserPromptSubmit", " padded \n"),
        ("Stop", "padded"),
    ] {
        assert_eq!(codex(event, 0, block).reason.as_deref(), Some(reason));
        let of_claude = claude(event, 0, block);
        assert_eq!(of_claude.reason.as_deref(), Some(" padded \n"), "{event}");
    }
    let stopped = codex("PostToolUse", 0, r#"{"continue": false, "reason": " r "}"#);
    assert_eq!(stopped.reason.as_deref(), Some("r"));
}

#[test]
fn codex_knows_an_approve_before_a_call_alone() {
    let approve = r#"{"decision": "approve", "systemMessage": "m"}"#;
    let before = codex("PreToolUse", 0, approve);
    assert_eq!(before.failure, Some(Failure::Refused(Refused::Approve)));
    for event in ["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] {
        let output = codex(event, 0, approve);
        let is_word = matches!(output.failure, Some(Failure::UnknownWord { field, .. }) if field == "decision");
        assert!(is_word, "{event}: {:?}", output.failure);
        assert_eq!(output.system_message, None, "{event}");
        let of_claude = claude(event, 0, approve);
        assert_eq!(of_claude.failure, None, "{event}");
    }
    // Agreeing is no objection, also in an answer that is void.
    let profile = Dialect::CODEX.guarded();
    let prompt = decode(profile, "UserPromptSubmit", 0, approve, "");
    assert!(matches!(prompt.failure, Some(Failure::VoidAllow { .. })));
}
