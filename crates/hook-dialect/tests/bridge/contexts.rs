//! Words for the model beside each outcome, as each agent hears them.

use hook_contract::{Answer as Said, HookEvent};
use hook_dialect::{
    HookOutput,
    bridge::{Answer, Asked, Attendance, Bridge, BridgeRow, ContextPlace},
};
use serde_json::json;

use crate::{
    kit::{Speaker, Streams, consulted, heard, question},
    recorded::each_call,
};

const TOLD: &str = "interceptor 'lint': two warnings\n\ninterceptor 'style': use tabs";

/// A chain that tells the model two things and decides this.
fn telling(says: Said) -> Vec<Speaker> {
    vec![
        Speaker::named("lint", Said::allow().with_context("two warnings")),
        Speaker::named("style", says.with_context("use tabs")),
    ]
}

fn asked(bridge: &'static Bridge, event: &str, tool: &str) -> Asked {
    let payload = json!({
        "session_id": "s", "turn_id": "7", "hook_event_name": event, "tool_name": tool,
        "tool_input": {"command": "make"}, "tool_use_id": "t", "error": "Exit code 1", "permission_mode": "default",
        "tool_response": {"stdout": "token", "stderr": "", "interrupted": false, "isImage": false},
    });
    question(bridge, &payload.to_string()).with_attendance(Attendance::Attended)
}

/// What the agent hears when the chain tells the model something and decides this.
fn hears(bridge: &'static Bridge, event: &str, tool: &str, says: Said) -> HookOutput {
    let asked = asked(bridge, event, tool);
    let answer = asked.answer(&consulted(&asked, telling(says)));
    let heard = heard(bridge, event, &answer, Streams::Both);
    assert_eq!(heard.failure, None, "{event}: {answer:?}");
    heard
}

#[test]
fn claude_code_hears_it_in_its_own_field_beside_everything() {
    let decided = [
        ("PreToolUse", "Bash", Said::allow()),
        ("PreToolUse", "Bash", Said::deny("no")),
        ("PreToolUse", "Bash", Said::ask("sure?")),
        ("PreToolUse", "Bash", Said::modify(json!({"command": "x"}))),
        ("PostToolUse", "Bash", Said::allow()),
        ("PostToolUse", "Bash", Said::deny("no")),
        ("PostToolUse", "Bash", Said::ask("sure?")),
        ("PostToolUse", "Bash", Said::replace(json!("x"))),
        ("PostToolUse", "Write", Said::deny("no")),
        ("PostToolUse", "Write", Said::replace(json!("x"))),
        ("PostToolUseFailure", "Bash", Said::allow()),
        ("PostToolUseFailure", "Bash", Said::deny("no")),
        ("PostToolUseFailure", "Bash", Said::replace(json!("x"))),
    ];
    for (event, tool, says) in decided {
        let heard = hears(Bridge::CLAUDE, event, tool, says.clone());
        let name = format!("{event} of {tool}: {says:?}");
        assert_eq!(heard.additional_context.as_deref(), Some(TOLD), "{name}");
        let reason = heard.reason.unwrap_or_default();
        assert!(!reason.contains("two warnings"), "{name}: {reason}");
    }
}

#[test]
fn codex_hears_it_in_its_own_field_and_at_the_end_of_a_refusal() {
    let decided = [
        ("PreToolUse", Said::allow(), true),
        ("PreToolUse", Said::modify(json!({"command": "x"})), true),
        ("PreToolUse", Said::deny("no"), false),
        ("PreToolUse", Said::ask("sure?"), false),
        ("PostToolUse", Said::allow(), true),
        ("PostToolUse", Said::replace(json!("x")), true),
        ("PostToolUse", Said::deny("no"), false),
        ("PostToolUse", Said::ask("sure?"), false),
        ("PermissionRequest", Said::deny("no"), false),
        ("PermissionRequest", Said::ask("sure?"), false),
    ];
    for (event, says, in_its_field) in decided {
        let heard = hears(Bridge::CODEX, event, "Bash", says.clone());
        let name = format!("{event}: {says:?}");
        if in_its_field {
            assert_eq!(heard.additional_context.as_deref(), Some(TOLD), "{name}");
        } else {
            assert_eq!(
                (heard.refuses(), heard.additional_context),
                (true, None),
                "{name}"
            );
            let reason = heard.reason.expect("a reason");
            assert!(reason.ends_with(&format!("\n\n{TOLD}")), "{name}: {reason}");
        }
    }
}

#[test]
fn where_no_words_for_the_model_have_a_place_an_allow_stays_silent() {
    for (bridge, event) in [
        (Bridge::CODEX, "PermissionRequest"),
        (Bridge::CLAUDE, "PreSkillShellCommand"),
    ] {
        let asked = asked(bridge, event, "Bash");
        let answer = asked.answer(&consulted(&asked, telling(Said::allow())));
        let stdout = String::new();
        assert_eq!(answer, Answer::Nothing { stdout }, "{event}");
        let answer = asked.answer(&consulted(&asked, telling(Said::deny("no"))));
        let heard = heard(bridge, event, &answer, Streams::Both);
        assert!(heard.refuses() && heard.failure.is_none(), "{heard:?}");
        let reason = heard.reason.expect("a reason");
        assert!(reason.ends_with(TOLD), "{reason}");
    }
}

#[test]
fn an_allow_with_words_for_the_model_gives_no_permission() {
    for bridge in Bridge::ALL {
        let heard = hears(bridge, "PreToolUse", "Bash", Said::allow());
        assert_eq!((heard.decision, heard.updated_input), (None, None));
    }
}

#[test]
fn the_mark_of_a_failure_stands_before_the_words_for_the_model() {
    let marked = Said::replace(json!("x")).with_is_error(true);
    let heard = hears(Bridge::CLAUDE, "PostToolUse", "Bash", marked);
    let expected = format!("a hook marked this result as a failure\n\n{TOLD}");
    assert_eq!(heard.additional_context, Some(expected));
}

#[test]
fn at_every_recorded_call_it_is_heard_where_the_row_says_and_changes_no_decision() {
    each_call(|name, bridge, _, asked| {
        let row = bridge.row(asked.event_name()).expect("a row");
        let other = match asked.event() {
            HookEvent::PreToolUse => Said::modify(json!({"command": "x"})),
            _ => Said::replace(json!("x")),
        };
        for says in [Said::allow(), Said::deny("why"), other] {
            let speaks = Speaker::named("style", says.clone());
            let plain = asked.answer(&consulted(asked, [speaks]));
            let telling = asked.answer(&consulted(asked, telling(says.clone())));
            let name = format!("{name}: {says:?}");
            compare(row, &name, |streams| {
                let heard_of = |answer| heard(bridge, row.event, answer, streams);
                (heard_of(&plain), heard_of(&telling))
            });
        }
    });
}

/// Compares what is heard of an answer with what is heard of the same one with words for the model.
fn compare(row: &BridgeRow, name: &str, heard: impl Fn(Streams) -> (HookOutput, HookOutput)) {
    for streams in [Streams::Both, Streams::NoStderr, Streams::NoStdout] {
        let (plain, telling) = heard(streams);
        let name = format!("{name}, {streams:?}");
        assert_eq!(telling.failure, None, "{name}");
        assert_eq!(plain.decision, telling.decision, "{name}");
        assert_eq!(plain.updated_input, telling.updated_input, "{name}");
        assert_eq!(
            plain.updated_tool_output, telling.updated_tool_output,
            "{name}"
        );
        let reason = telling.reason.unwrap_or_default();
        let as_before = plain.reason.unwrap_or_default();
        assert!(reason.starts_with(&as_before), "{name}: {reason}");
        let beside = telling.additional_context.unwrap_or_default();
        let is_said = (beside.ends_with(TOLD), reason.ends_with(TOLD));
        let has_no_place = row.context == ContextPlace::InRefusals || streams == Streams::NoStdout;
        match is_said {
            (true, true) => panic!("{name}: said twice"),
            (false, false) => assert!(has_no_place, "{name}: not said"),
            (true, false) | (false, true) => {}
        }
    }
}
