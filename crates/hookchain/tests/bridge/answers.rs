//! What hooks decide, and what the agents make of it.

use hook_contract::Json;
use serde_json::json;

use crate::desk::{Desk, after, before, result};

const AGENTS: [&str; 2] = ["claude", "codex"];

#[test]
fn an_allow_says_nothing_so_that_permissions_stay_the_agents_own() {
    let desk = Desk::with_hook("pre_tool_use", "", r#"echo '{"decision":"allow"}'"#);
    for agent in AGENTS {
        let ran = desk.ask(agent, &before("ls"));
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (Some(0), "", ""),
            "{agent}"
        );
    }
}

#[test]
fn a_deny_is_heard_with_its_reason() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"no force-push"}'"#,
    );
    for agent in AGENTS {
        let ran = desk.ask(agent, &before("git push --force"));
        assert_eq!(ran.status, Some(2), "{agent}");
        let heard = ran.heard(agent, "PreToolUse");
        assert!(heard.refuses(), "{agent}: {ran:?}");
        assert_eq!(
            heard.reason.as_deref(),
            Some("denied by hook 'guard': no force-push"),
            "{agent}"
        );
        assert_eq!(ran.stderr, "denied by hook 'guard': no force-push\n");
    }
}

/// Whatever a hook says, a terminal shows it and does nothing else.
#[test]
fn nothing_that_a_terminal_obeys_is_on_standard_error() {
    for (event, ended) in [("pre_tool_use", "allow"), ("pre_tool_use", "deny")] {
        let script = r#"printf '\033]0;x\007\033[2J' >&2; printf '{"decision":"deny","reason":"\\u001b[2J\\u009b1m\\u0007\\r\\u202ewell\\nnext"}'; exit 1"#;
        let script = if ended == "deny" {
            script.replace("; exit 1", "")
        } else {
            script.to_owned()
        };
        let desk = Desk::with_hook(event, "", &script);
        for agent in AGENTS {
            let ran = desk.ask(agent, &before("ls"));
            assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
            let obeyed = |c: char| c != '\n' && !hook_contract::shown::is_harmless(c);
            assert!(!ran.stderr.contains(obeyed), "{agent}: {ran:?}");
            assert!(
                !ran.stdout.contains(['\u{1b}', '\u{7}', '\r']),
                "{agent}: {ran:?}"
            );
        }
    }
}

#[test]
fn the_hook_is_asked_what_the_agent_asked() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"cat > asked.json; echo '{"decision":"allow"}'"#,
    );
    let mut payload = before("caf\u{e9}");
    payload["agent_id"] = json!("sub-1");
    for agent in AGENTS {
        assert_eq!(desk.ask(agent, &payload).status, Some(0));
        let asked: serde_json::Value =
            serde_json::from_str(&desk.read("ws/asked.json")).expect("JSON");
        assert_eq!(
            asked,
            json!({
                "hook_schema": 1, "event": "pre_tool_use", "workspace": desk.path().join("ws"), "agent_id": "sub-1",
                "tool_call_id": "t1", "tool_name": "Bash", "input": {"command": "caf\u{e9}"},
            }),
            "{agent}"
        );
    }
}

#[test]
fn a_modify_changes_what_runs_and_gives_no_permission() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"modify","input":{"command":"git push"},"reason":"dropped --force"}'"#,
    );
    for agent in AGENTS {
        let ran = desk.ask(agent, &before("git push --force"));
        let heard = ran.heard(agent, "PreToolUse");
        assert!(
            ran.status == Some(0) && !heard.refuses() && heard.failure.is_none(),
            "{agent}: {ran:?}"
        );
        let input = heard.updated_input.as_ref().map(Json::value);
        assert_eq!(input, Some(&json!({"command": "git push"})), "{agent}");
    }
    let claude = desk
        .ask("claude", &before("x"))
        .heard("claude", "PreToolUse");
    assert_eq!(claude.decision, None);
}

#[test]
fn a_replace_takes_the_place_of_the_result() {
    let desk = Desk::with_hook(
        "post_tool_use",
        "",
        r#"echo '{"decision":"replace","output":"token: ***"}'"#,
    );
    let claude = desk.ask("claude", &after("env", &result("claude", "token: abc")));
    let heard = claude.heard("claude", "PostToolUse");
    assert_eq!(
        heard.updated_tool_output.as_ref().map(Json::value),
        Some(&result("claude", "token: ***"))
    );
    let codex = desk.ask("codex", &after("env", &result("codex", "token: abc")));
    let heard = codex.heard("codex", "PostToolUse");
    assert!(heard.refuses());
    assert_eq!(heard.reason.as_deref(), Some("token: ***"));
}

#[test]
fn a_deny_after_the_call_withholds_the_result() {
    let desk = Desk::with_hook(
        "post_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"secrets"}'"#,
    );
    let reason = "denied by hook 'guard': secrets";
    let claude = desk.ask("claude", &after("env", &result("claude", "token: abc")));
    assert!(!claude.stdout.contains("abc"), "{claude:?}");
    let heard = claude.heard("claude", "PostToolUse");
    assert!(heard.refuses());
    assert_eq!(heard.reason.as_deref(), Some(reason));
    assert!(heard.updated_tool_output.is_some());
    let codex = desk.ask("codex", &after("env", &result("codex", "token: abc")));
    let heard = codex.heard("codex", "PostToolUse");
    assert_eq!(
        (heard.refuses(), heard.reason.as_deref()),
        (true, Some(reason))
    );
}

#[test]
fn a_failed_call_of_claude_code_is_judged_as_a_result_that_failed() {
    let desk = Desk::with_hook(
        "post_tool_use",
        "",
        r#"cat > asked.json; echo '{"decision":"deny","reason":"secrets"}'"#,
    );
    let mut payload = before("false");
    payload["hook_event_name"] = json!("PostToolUseFailure");
    payload["error"] = json!("Exit code 1\ntoken: abc");
    let ran = desk.ask("claude", &payload);
    let heard = ran.heard("claude", "PostToolUseFailure");
    assert!(heard.refuses());
    assert_eq!(
        heard.reason.as_deref(),
        Some(
            "denied by hook 'guard': secrets\nClaude Code cannot withhold this result of Bash, and you may have seen it; \
             do not use it"
        )
    );
    let asked = desk.read("ws/asked.json");
    assert!(
        asked.contains(r#""output":"Exit code 1\ntoken: abc","is_error":true"#),
        "{asked}"
    );
}

#[test]
fn a_request_for_permission_of_codex_is_refused_or_left_to_its_user() {
    let mut payload = before("curl example.org");
    payload["hook_event_name"] = json!("PermissionRequest");
    payload["tool_input"]["description"] = json!("needs the network");
    payload
        .as_object_mut()
        .expect("an object")
        .remove("tool_use_id");
    let denies = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"no network"}'"#,
    );
    let heard = denies
        .ask("codex", &payload)
        .heard("codex", "PermissionRequest");
    assert_eq!(
        (heard.refuses(), heard.reason.as_deref()),
        (true, Some("denied by hook 'guard': no network"))
    );
    let allows = Desk::with_hook("pre_tool_use", "", r#"echo '{"decision":"allow"}'"#);
    let ran = allows.ask("codex", &payload);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
    // Claude Code asked before the call was put to anybody.
    let ran = denies.ask("claude", &payload);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", "")
    );
}

#[test]
fn other_events_and_tools_that_nobody_guards_start_nothing() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        r#","tools":["Write"]"#,
        "touch started; exit 1",
    );
    for agent in AGENTS {
        for event in ["SessionStart", "Stop", "UserPromptSubmit"] {
            let ran = desk.ask(agent, &json!({"hook_event_name": event, "session_id": "s"}));
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
                (Some(0), "", ""),
                "{agent}"
            );
        }
        let ran = desk.ask(agent, &before("ls"));
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""), "{agent}");
    }
    assert!(!desk.path().join("ws/started").exists());
}

#[test]
fn a_hook_that_broke_and_was_passed_over_is_told_to_the_user() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        r#","on_failure":"allow""#,
        "echo oops >&2; exit 9",
    );
    for agent in AGENTS {
        let ran = desk.ask(agent, &before("ls"));
        let heard = ran.heard(agent, "PreToolUse");
        assert_eq!(
            (ran.status, heard.decision, heard.failure.clone()),
            (Some(0), None, None),
            "{agent}: {ran:?}"
        );
        let told = heard.system_message.expect("a word for the user");
        assert!(
            told.contains("'guard'") && told.contains("status 9"),
            "{told}"
        );
    }
}

#[test]
fn a_call_of_a_megabyte_goes_through() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"cat >/dev/null; echo '{"decision":"deny","reason":"long"}'"#,
    );
    let ran = desk.ask("codex", &before(&"x".repeat(1 << 20)));
    assert_eq!(ran.status, Some(2));
}

#[test]
fn the_hooks_of_the_project_are_asked_wherever_in_it_the_agent_was_started() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"here"}'"#,
    );
    desk.write("ws/a/b/file", "");
    let below = desk.path().join("ws/a/b");
    for agent in AGENTS {
        let mut command = desk.command(&["bridge", agent]);
        command
            .current_dir(&below)
            .env("CLAUDE_PROJECT_DIR", &below);
        let ran = crate::desk::answered(command, before("ls").to_string().as_bytes());
        assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
    }
    let elsewhere = desk.path().join("home");
    let mut command = desk.command(&["bridge", "codex", "--workspace", "../ws"]);
    command.current_dir(elsewhere);
    let ran = crate::desk::answered(command, before("ls").to_string().as_bytes());
    assert_eq!(ran.status, Some(2), "{ran:?}");
}
