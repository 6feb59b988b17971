//! A hook that asks for kinds of tools or for facts: this command knows neither, so that every way to ask its hooks fails
//! closed.

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// A hooks file whose second hook has this field. Both hooks leave a mark when they are started, and allow.
fn hooks(field: &str) -> String {
    let command =
        r#"["/bin/sh", "-c", "touch \"$0\"; echo '{\"decision\":\"allow\"}'", "started"]"#;
    format!(
        r#"{{
  "schema": 1,
  "hooks": [
    {{ "name": "first", "command": {command} }},
    {{ "name": "guard", {field}, "command": {command} }}
  ]
}}
"#
    )
}

/// The fields, and what is said of each at the place of its name.
const FIELDS: [(&str, &str); 3] = [
    (
        r#""kinds": ["shell"]"#,
        "hooks.json:5:24: hook `guard`: this host does not know the kinds of its tools, and `kinds` asks for them; remove \
         `kinds` and list each tool by its exact name in `tools`, or use a host that knows the kinds",
    ),
    (
        r#""kinds": ["shell"], "tools": ["Bash"]"#,
        "hooks.json:5:24: hook `guard`: this host does not know the kinds of its tools, and `kinds` asks for them; remove \
         `kinds` and list each tool by its exact name in `tools`, or use a host that knows the kinds",
    ),
    (
        r#""facts": true"#,
        "hooks.json:5:24: hook `guard`: this host knows no facts about calls, and `facts` asks for them; remove `facts` and \
         let the hook read `tool_name` and `input`, or use a host that knows facts",
    ),
];

const CALL: [&str; 4] = ["--tool", "Read", "--input", "{}"];

/// The question of an agent, of a tool that has another name and another kind than the entry.
fn payload(event: &str) -> Value {
    let mut payload = json!({
        "session_id": "s1", "turn_id": "7", "transcript_path": null, "cwd": "/repo", "hook_event_name": event, "model": "m",
        "permission_mode": "default", "tool_name": "Read", "tool_input": {"file_path": "a"}, "tool_use_id": "t1",
    });
    if event == "PostToolUse" {
        payload["tool_response"] = json!("secret");
    }
    payload
}

#[track_caller]
fn nothing_was_started(place: &Place) {
    assert!(!place.path("ws/started").exists());
    assert!(!place.path("started").exists());
}

/// Ended with trouble, with the diagnostic on standard error and no outcome on standard output.
#[track_caller]
fn failed(ran: &Ran, said: &str) {
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn check_shows_the_field_and_fails() {
    for (field, said) in FIELDS {
        let place = Place::with_hooks_file(&hooks(field));
        let ran = place.run(&["check", "ws"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
        let ran = place.run(&["check", "ws", "--format", "json"]);
        assert_eq!(ran.status, Some(1));
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let [found] = &**report["diagnostics"].as_array().expect("an array") else {
            panic!("{report}");
        };
        assert_eq!(
            [&found["code"], &found["severity"], &found["hook"]],
            ["needs_tool_knowledge", "error", "guard"]
        );
        assert_eq!([&found["line"], &found["column"]], [5, 24]);
        let remedy = found["help"].as_str().expect("a remedy");
        assert!(said.ends_with(remedy), "{remedy}");
        nothing_was_started(&place);
    }
}

#[test]
fn consult_has_no_outcome_and_asks_no_hook() {
    for (field, said) in FIELDS {
        let place = Place::with_hooks_file(&hooks(field));
        for more in [&CALL[..], &[&CALL[..], &["--trail"]].concat()] {
            failed(
                &place.run(&[&["consult", "--workspace", "ws"], more].concat()),
                said,
            );
        }
        let line = "{\"tool_name\":\"Read\",\"input\":{}}\n";
        let each = ["consult", "--workspace", "ws", "--each-line"];
        failed(&place.run_with(&each, line), said);
        nothing_was_started(&place);
    }
}

#[test]
fn the_operators_own_file_is_held_to_the_same() {
    for (field, said) in FIELDS {
        let place = Place::with_hooks_file(r#"{"schema": 1}"#);
        place.directory("home/.config/basis", 0o755);
        place.file("home/.config/basis/hooks.json", hooks(field), 0o644);
        failed(
            &place.run(&[&["consult", "--workspace", "ws"], &CALL[..]].concat()),
            said,
        );
        assert_eq!(place.run(&["check", "ws"]).status, Some(1));
        nothing_was_started(&place);
    }
}

#[test]
fn the_bridge_refuses_the_call_and_the_result() {
    for (field, said) in FIELDS {
        let place = Place::with_hooks_file(&hooks(field));
        for agent in ["claude", "codex"] {
            let bridge = ["bridge", agent, "--workspace", "ws"];
            let ran = place.run_with(&bridge, &payload("PreToolUse").to_string());
            // An agent blocks the call for status 2.
            assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
            let start = "hookchain cannot judge this, and so it is blocked: ";
            assert!(ran.stderr.starts_with(start), "{agent}: {ran:?}");
            assert!(ran.stderr.contains(said), "{agent}: {ran:?}");
            let ran = place.run_with(&bridge, &payload("PostToolUse").to_string());
            let shown = format!("{}{}", ran.stdout, ran.stderr).replace("\\\"", "\"");
            assert!(shown.contains(said), "{agent}: {ran:?}");
            assert!(!shown.contains("secret"), "{agent}: {ran:?}");
        }
        nothing_was_started(&place);
    }
}

#[test]
fn no_other_command_asks_or_explains_such_a_chain() {
    let place = Place::with_hooks_file(r#"{"schema": 1}"#);
    let consult = ["consult", "--workspace", "ws"];
    let record = ["--record", "records", "--record-capture", "full"];
    let recorded = place.run(&[&consult[..], &CALL, &record].concat());
    assert_eq!(recorded.status, Some(0), "{recorded:?}");
    let case = r#"{"schema": 1, "cases": [{"name": "n", "call": {"tool_name": "Read", "input": {}}, "expect": {"outcome": "allow"}}]}"#;
    place.directory("ws/.basis/tests", 0o755);
    place.file("ws/.basis/tests/a.hooktest.json", case, 0o644);
    for (field, said) in FIELDS {
        place.file("ws/.basis/hooks.json", hooks(field), 0o644);
        failed(&place.run(&["test", "--workspace", "ws"]), said);
        failed(
            &place.run(&["replay", "records", "--workspace", "ws"]),
            said,
        );
        // It draws what is wrong, and explains nothing.
        let ran = place.run(&[&["explain", "--workspace", "ws"], &CALL[..]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        assert!(
            ran.stderr.contains("error[needs_tool_knowledge]"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("ws/.basis/hooks.json:5:24"), "{ran:?}");
        nothing_was_started(&place);
    }
}
