//! Hooks that ask a person and hooks that tell the model something, in each agent: the bridge by itself and a resident chain
//! answer the same bytes.

use std::fs;

use hook_contract::Json;
use hook_dialect::Decision;
use serde_json::{Value, json};

use crate::{
    desk::{Desk, Ran, after, answered, before, result},
    resident::server::{Residence, Server},
};

/// What Claude Code says of the person before it, in the environment of its hooks.
const ATTENDED: &str = "CLAUDE_CODE_SESSION_ATTENDED";

/// A hook that says what it is told to, at one event.
fn saying(event: &str) -> Desk {
    let script = "cat >/dev/null; echo $PPID >ppid; cat answer.json";
    Desk::with_hook(event, "", script)
}

/// The bridge by itself and with a server.
struct Both<'a> {
    desk: &'a Desk,
    residence: &'a Residence<'a>,
    server: Server<'a>,
}

impl<'a> Both<'a> {
    fn of(desk: &'a Desk, residence: &'a Residence<'a>) -> Self {
        Self {
            desk,
            residence,
            server: residence.serve(&[]),
        }
    }

    /// What the agent gets when its hook says this.
    #[track_caller]
    fn hears(&self, (agent, attended): (&str, Option<&str>), payload: &Value, says: &Value) -> Ran {
        self.desk.write("ws/answer.json", &says.to_string());
        let asked = |args: &[&str]| {
            let mut command = self.residence.command(args);
            if let Some(attended) = attended {
                command.env(ATTENDED, attended);
            }
            let ran = answered(command, payload.to_string().as_bytes());
            let parent = self.desk.read("ws/ppid");
            fs::remove_file(self.desk.path().join("ws/ppid")).expect("removed");
            (ran, parent.trim_end().to_owned())
        };
        let (here, by_itself) = asked(&["bridge", agent]);
        let (there, by_server) = asked(&["bridge", agent, "--connect"]);
        let name = format!("{agent} {attended:?} {payload} {says}");
        assert_eq!(by_server, self.server.id(), "{name}");
        assert_ne!(by_itself, self.server.id(), "{name}");
        assert_eq!(here, there, "{name}");
        there
    }

    fn end(self) {
        assert_eq!(self.server.end("TERM"), Some(0));
    }
}

fn before_in(mode: &str) -> Value {
    let mut payload = before("make deploy");
    payload["permission_mode"] = json!(mode);
    payload
}

const BY_HAND: &str = "a person can run it by hand: make deploy";
const ASKED: &str = "hook 'guard': to production";

#[test]
fn claude_code_is_given_the_ask_in_every_mode_in_which_it_was_seen_to_stop_the_call() {
    let desk = saying("pre_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let ask = json!({"decision": "ask", "reason": "to production"});
    for mode in [
        "default",
        "acceptEdits",
        "auto",
        "dontAsk",
        "plan",
        "bypassPermissions",
    ] {
        for (attended, expected) in [
            ("1", ASKED.to_owned()),
            (
                "0",
                format!("{ASKED}\nif no person is asked here, {BY_HAND}"),
            ),
        ] {
            let ran = both.hears(("claude", Some(attended)), &before_in(mode), &ask);
            assert_eq!(
                (ran.status, &*ran.stderr),
                (Some(0), ""),
                "{mode} {attended}"
            );
            let heard = ran.heard("claude", "PreToolUse");
            assert_eq!(heard.decision, Some(Decision::Ask), "{mode} {attended}");
            assert_eq!(
                heard.reason.as_deref(),
                Some(&*expected),
                "{mode} {attended}"
            );
        }
    }
    both.end();
}

#[test]
fn in_a_mode_that_was_not_seen_and_in_codex_the_call_is_denied_with_how_to_run_it_by_hand() {
    let desk = saying("pre_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let ask = json!({"decision": "ask", "reason": "to production"});
    let mut without_mode = before("make deploy");
    let members = without_mode.as_object_mut().expect("an object");
    members.remove("permission_mode");
    let mut permission = before_in("default");
    permission["hook_event_name"] = json!("PermissionRequest");
    for (agent, payload) in [
        (("claude", None), before_in("default")),
        (("claude", Some("yes")), before_in("default")),
        (("claude", Some("1")), before_in("newMode")),
        (("claude", Some("1")), without_mode),
        (("codex", None), before_in("default")),
        (("codex", Some("1")), before_in("default")),
        (("codex", None), before_in("bypassPermissions")),
        (("codex", Some("1")), permission),
    ] {
        let ran = both.hears(agent, &payload, &ask);
        assert_eq!(ran.status, Some(2), "{agent:?} {payload}");
        let event = payload["hook_event_name"].as_str().expect("an event");
        let heard = ran.heard(agent.0, event);
        assert!(heard.refuses(), "{agent:?} {payload}: {heard:?}");
        let expected = format!(
            "the call was not made, because a person has to agree, and none can be asked here (asked by {ASKED}); {BY_HAND}"
        );
        assert_eq!(
            heard.reason.as_deref(),
            Some(&*expected),
            "{agent:?} {payload}"
        );
        assert_eq!(ran.stderr, format!("{expected}\n"));
    }
    both.end();
}

#[test]
fn a_rewrite_that_is_asked_about_is_what_the_person_sees_and_runs() {
    let desk = saying("pre_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let input = json!({"command": "make dry-run"});
    let ask = json!({"decision": "ask", "reason": "to production", "input": input});
    let ran = both.hears(("claude", Some("0")), &before_in("plan"), &ask);
    let heard = ran.heard("claude", "PreToolUse");
    assert_eq!(heard.decision, Some(Decision::Ask));
    assert_eq!(heard.updated_input.as_ref().map(Json::value), Some(&input));
    let reason = heard.reason.expect("a reason");
    assert!(
        reason.ends_with("a person can run it by hand: make dry-run"),
        "{reason}"
    );
    let ran = both.hears(("codex", None), &before_in("default"), &ask);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr
            .ends_with("a person can run it by hand: make dry-run\n"),
        "{ran:?}"
    );
    both.end();
}

#[test]
fn after_a_call_an_ask_withholds_the_result_where_that_can_be_done() {
    let desk = saying("post_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let ask = json!({"decision": "ask", "reason": "secrets?"});
    let reason = "a person has to agree to this result before it is used, and none can be asked here (asked by hook \
                  'guard': secrets?)";
    for agent in ["claude", "codex"] {
        let payload = after("env", &result(agent, "token: abc"));
        let ran = both.hears((agent, Some("1")), &payload, &ask);
        let heard = ran.heard(agent, "PostToolUse");
        assert_eq!(
            (heard.refuses(), heard.reason.as_deref()),
            (true, Some(reason))
        );
        assert!(!ran.stdout.contains("abc"), "{ran:?}");
        if agent == "claude" {
            let output = heard.updated_tool_output.expect("another result");
            assert_eq!(
                output["stdout"],
                format!("[a hook withheld this result: {reason}]")
            );
        }
    }
    let mut payload = after("env", &json!({"type": "create", "content": "abc"}));
    payload["tool_name"] = json!("Write");
    let ran = both.hears(("claude", Some("1")), &payload, &ask);
    let told =
        "Claude Code cannot withhold this result of Write, and you may have seen it; do not use it";
    assert_eq!(
        (ran.status, ran.stderr),
        (Some(2), format!("{reason}\n{told}\n"))
    );
    both.end();
}

#[test]
fn the_model_is_told_beside_each_outcome_before_a_call() {
    let desk = saying("pre_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let told = "hook 'guard': use tabs";
    for says in [
        json!({"decision": "allow"}),
        json!({"decision": "deny", "reason": "no"}),
        json!({"decision": "ask", "reason": "sure?"}),
        json!({"decision": "modify", "input": {"command": "x"}}),
    ] {
        let mut says = says;
        says["context"] = json!("use tabs");
        let claude = both.hears(("claude", Some("1")), &before_in("default"), &says);
        let heard = claude.heard("claude", "PreToolUse");
        assert_eq!(heard.failure, None, "{says}");
        assert_eq!(heard.additional_context.as_deref(), Some(told), "{says}");
        let codex = both.hears(("codex", None), &before_in("default"), &says);
        let heard = codex.heard("codex", "PreToolUse");
        assert_eq!(heard.failure, None, "{says}");
        if heard.refuses() {
            let reason = heard.reason.expect("a reason");
            assert!(reason.ends_with(&format!("\n\n{told}")), "{says}: {reason}");
            assert_eq!(codex.stderr, format!("{reason}\n"), "{says}");
        } else {
            assert_eq!(heard.additional_context.as_deref(), Some(told), "{says}");
        }
    }
    both.end();
}

#[test]
fn the_model_is_told_beside_each_outcome_after_a_call() {
    let desk = saying("post_tool_use");
    let residence = Residence::new(&desk);
    let both = Both::of(&desk, &residence);
    let told = "hook 'guard': two warnings";
    for says in [
        json!({"decision": "allow"}),
        json!({"decision": "deny", "reason": "no"}),
        json!({"decision": "ask", "reason": "sure?"}),
        json!({"decision": "replace", "output": "***"}),
    ] {
        let mut says = says;
        says["context"] = json!("two warnings");
        let payload = after("make", &result("claude", "built"));
        let heard = both.hears(("claude", Some("0")), &payload, &says);
        let heard = heard.heard("claude", "PostToolUse");
        assert_eq!(heard.failure, None, "{says}");
        assert_eq!(heard.additional_context.as_deref(), Some(told), "{says}");
        let payload = after("make", &result("codex", "built"));
        let ran = both.hears(("codex", None), &payload, &says);
        let heard = ran.heard("codex", "PostToolUse");
        assert_eq!(heard.failure, None, "{says}");
        // With exit status 2 Codex hears the reason alone.
        if ran.status == Some(2) {
            let reason = heard.reason.expect("a reason");
            assert!(reason.ends_with(&format!("\n\n{told}")), "{says}: {reason}");
        } else {
            assert_eq!(heard.additional_context.as_deref(), Some(told), "{says}");
        }
    }
    both.end();
}

#[test]
fn the_environment_of_the_server_says_nothing_about_the_person_before_the_agent() {
    let desk = saying("pre_tool_use");
    let residence = Residence::new(&desk);
    let server = residence.serve_in(&[(ATTENDED, "1")]);
    desk.write(
        "ws/answer.json",
        r#"{"decision":"ask","reason":"to production"}"#,
    );
    let ran = residence.bridge("claude", before_in("default").to_string().as_bytes());
    let parent = desk.read("ws/ppid");
    assert_eq!(parent.trim_end(), server.id());
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.ends_with(&format!("{BY_HAND}\n")), "{ran:?}");
    assert_eq!(server.end("TERM"), Some(0));
}
