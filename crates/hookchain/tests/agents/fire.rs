//! `fire`: the other events.

use crate::machine::{Machine, assert_reads, over_lines};

fn stop() -> Machine {
    Machine::with_claude(
        r#"{
  "Stop": [{"hooks": [
    {"type": "command", "command": "echo 'run the tests first' >&2; exit 2"},
    {"type": "command", "command": "echo '{\"decision\":\"block\",\"reason\":\"the log is empty\",\"systemMessage\":\"not yet\"}'"},
    {"type": "command", "command": "echo '{\"decision\":}'"}
  ]}]
}"#,
    )
}

const ACTIVE: [&str; 2] = ["--fact", "stop_hook_active:=false"];

#[test]
fn a_person_reads_what_each_said_and_what_it_comes_to() {
    let ran = stop().fire("Stop", &[&ACTIVE[..], &["--format", "human"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(3), ""));
    assert_reads!(ran.stdout);
}

#[test]
fn a_program_reads_the_merged_outcome_and_on_request_who_said_what() {
    let ran = stop().fire("Stop", &ACTIVE);
    assert_eq!(ran.status, Some(3));
    assert_eq!(
        ran.stdout,
        "{\"agent\":\"claude\",\"event\":\"Stop\",\"decision\":\"deny\",\"reason\":\"run the tests first\\n\\nthe log is \
         empty\",\"stop\":false,\"additional_context\":[],\"system_messages\":[\"not yet\"],\"asked\":3,\"failed\":1,\
         \"in_background\":0}\n"
    );
    assert!(
        ran.stderr
            .contains("settings.json:5) failed: the output looks like JSON and is not"),
        "{ran:?}"
    );
    let ran = stop().fire("Stop", &[&ACTIVE[..], &["--trail"]].concat());
    assert_reads!(over_lines(&ran.stdout));
}

#[test]
fn the_status_says_whether_something_stands_in_the_way() {
    let answer = |text: &str| format!("echo '{text}'");
    let specific = |event: &str, rest: &str| {
        answer(&format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}",{rest}}}}}"#
        ))
    };
    let prompt = &["--fact", "prompt=hi"][..];
    let tool = &["--fact", "tool_name=Bash", "--fact", "tool_input:={}"][..];
    let call = &[tool, &["--fact", "tool_use_id=1"]].concat()[..];
    for (event, line, facts, status) in [
        ("UserPromptSubmit", "echo a holiday".to_owned(), prompt, 0),
        ("UserPromptSubmit", "exit 2".to_owned(), prompt, 3),
        ("UserPromptSubmit", "exit 1".to_owned(), prompt, 0),
        ("UserPromptSubmit", "kill -9 $$".to_owned(), prompt, 3),
        (
            "UserPromptSubmit",
            answer(r#"{"continue":false}"#),
            prompt,
            3,
        ),
        ("Stop", answer(r#"{"continue":false}"#), &ACTIVE[..], 0),
        ("Stop", answer(r#"{"decision":"approve"}"#), &ACTIVE[..], 0),
        // An ask counts wherever a denial does, and no person can be asked here.
        (
            "PreToolUse",
            specific(
                "PreToolUse",
                r#""permissionDecision":"ask","permissionDecision":"allow""#,
            ),
            call,
            3,
        ),
        (
            "PreToolUse",
            answer(r#"{"permissionDecision":"ask"}"#),
            call,
            3,
        ),
        (
            "PreToolUse",
            answer(r#"{"async":true,"permissionDecision":"ask"}"#),
            call,
            3,
        ),
        (
            "PreToolUse",
            specific("PreToolUse", r#""permissionDecision":"allow""#),
            call,
            0,
        ),
        (
            "PermissionRequest",
            specific("PermissionRequest", r#""decision":{"behavior":"allow"}"#),
            tool,
            0,
        ),
        (
            "PermissionRequest",
            specific("PermissionRequest", r#""decision":{"behavior":"deny"}"#),
            tool,
            3,
        ),
    ] {
        let ran = Machine::with_line(event, &line).fire(event, facts);
        assert_eq!(ran.status, Some(status), "{event} {line}: {ran:?}");
    }
}

#[test]
fn nobody_is_asked_where_nobody_is_declared() {
    let ran = Machine::new().fire(
        "SessionEnd",
        &["--fact", "reason=other", "--format", "human"],
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_reads!(ran.stdout);
    let ran = Machine::new().fire("SessionEnd", &["--fact", "reason=other"]);
    assert!(ran.stdout.contains("\"asked\":0"), "{ran:?}");
}

#[test]
fn the_hooks_of_codex_are_fired_with_its_own_payload() {
    let machine = Machine::new().with_variable("CODEX_HOME", "/place/codex");
    machine.file(
        "codex/hooks.json",
        r#"{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"cat > asked; echo a branch of ada"}]}]}}"#,
    );
    let fire = [
        "fire",
        "SessionStart",
        "--workspace",
        "my ws",
        "--hooks",
        "codex",
        "--fact",
        "source=startup",
    ];
    // What nobody has trusted is not asked.
    let ran = machine.run(&fire);
    assert_eq!((ran.status, machine.has("my ws/asked")), (Some(0), false));
    let report = machine.run(&["check", "my ws", "--hooks", "codex", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    let why = report["not_run"][0]["why"].as_str().expect("a reason");
    let (_, hash) = why.split_once("trusted_hash = \"").expect("the hash");
    let (hash, _) = hash.split_once('"').expect("its end");
    let key = format!(
        "{}:session_start:0:0",
        machine.path("codex/hooks.json").display()
    );
    machine.file(
        "codex/config.toml",
        &format!("[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"\n"),
    );
    let ran = machine.run(&fire);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.stdout
            .contains(r#""additional_context":["a branch of ada"]"#),
        "{ran:?}"
    );
    let told: serde_json::Value = serde_json::from_str(&machine.read("my ws/asked")).expect("JSON");
    assert_eq!(told["source"], "startup");
    assert_eq!(told["hook_event_name"], "SessionStart");
}

#[test]
fn the_documented_example_has_the_fields_there_are() {
    let page = include_str!("../../../../docs/fire-json.md");
    let example = page
        .split("```json\n")
        .nth(2)
        .and_then(|block| block.split("```").next())
        .expect("an example");
    let example: serde_json::Value = serde_json::from_str(example).expect("JSON");
    let ran = stop().fire("Stop", &[&ACTIVE[..], &["--trail"]].concat());
    let fired: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let keys = |value: &serde_json::Value| {
        let object = value.as_object().expect("an object");
        object
            .keys()
            .cloned()
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(keys(&example), keys(&fired));
    let trail = |value: &serde_json::Value| {
        let trail = value["trail"].as_array().expect("a list").iter();
        trail
            .flat_map(keys)
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(trail(&example), trail(&fired));
}
