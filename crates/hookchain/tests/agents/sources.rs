//! Where settings are found, and what of the surroundings reaches hooks.

use crate::machine::{Machine, Ran};

/// The settings of somebody with one hook at every prompt: a line for a shell.
fn settings(line: &str) -> String {
    let command = serde_json::Value::from(line);
    format!(
        r#"{{"hooks":{{"UserPromptSubmit":[{{"hooks":[{{"type":"command","command":{command}}}]}}]}}}}"#
    )
}

fn prompt(machine: &Machine, args: &[&str]) -> Ran {
    let fire = [
        "fire",
        "UserPromptSubmit",
        "--workspace",
        "my ws",
        "--fact",
        "prompt=hi",
    ];
    machine.run(&[&fire[..], args].concat())
}

#[track_caller]
fn contexts(ran: &Ran) -> Vec<String> {
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let fired: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let contexts = fired["additional_context"].as_array().expect("a list");
    contexts
        .iter()
        .map(|context| context.as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn the_users_settings_count_unless_the_workspace_alone_is_asked_for() {
    let machine = Machine::new();
    machine.file("home/.claude/settings.json", &settings("echo the user"));
    machine.file("my ws/.claude/settings.json", &settings("echo the project"));
    machine.file(
        "my ws/.claude/settings.local.json",
        &settings("echo locally"),
    );
    let all = prompt(&machine, &["--hooks", "claude"]);
    assert_eq!(contexts(&all), ["the user", "the project", "locally"]);
    let own = prompt(&machine, &["--hooks", "claude", "--workspace-only"]);
    assert_eq!(contexts(&own), ["the project", "locally"]);
}

#[test]
fn the_agents_own_variable_says_where_the_users_settings_are() {
    let machine = Machine::new().with_variable("CLAUDE_CONFIG_DIR", "/place/elsewhere");
    machine.file("home/.claude/settings.json", &settings("echo at home"));
    machine.file("elsewhere/settings.json", &settings("echo elsewhere"));
    assert_eq!(
        contexts(&prompt(&machine, &["--hooks", "claude"])),
        ["elsewhere"]
    );
}

#[test]
fn variables_of_the_settings_reach_hooks_and_credentials_of_the_host_do_not() {
    let machine = Machine::new()
        .with_variable("GITHUB_TOKEN", "secret")
        .with_variable("EDITOR", "vi");
    let line = r#"echo "$TEAM $LEVEL [$GITHUB_TOKEN] $EDITOR ${CLAUDE_PROJECT_DIR##*/}""#;
    let command = serde_json::Value::from(line);
    machine.file(
        "my ws/.claude/settings.json",
        &format!(
            r#"{{"env":{{"TEAM":"blue","LEVEL":"1"}},"hooks":{{"UserPromptSubmit":[{{"hooks":[{{"type":"command","command":{command}}}]}}]}}}}"#
        ),
    );
    machine.file(
        "my ws/.claude/settings.local.json",
        r#"{"env":{"LEVEL":"2"}}"#,
    );
    let ran = prompt(&machine, &["--hooks", "claude"]);
    assert!(
        ran.stderr.starts_with(
            "project my ws/.claude/settings.json:1: UserPromptSubmit: `GITHUB_TOKEN` looks like a credential and is withheld"
        ),
        "{ran:?}"
    );
    let ran = Ran {
        stderr: String::new(),
        ..ran
    };
    assert_eq!(contexts(&ran), ["blue 2 [] vi my ws"]);
}

#[test]
fn a_command_without_a_shell_finds_the_project_in_its_program_and_its_arguments() {
    let machine = Machine::with_claude(
        r#"{"UserPromptSubmit": [{"hooks": [{
            "type": "command",
            "command": "${CLAUDE_PROJECT_DIR}/say",
            "args": ["<${CLAUDE_PROJECT_DIR}>", "$HOME", "a  b"]
        }]}]}"#,
    );
    machine.program("my ws/say", "#!/bin/sh\nprintf '%s|' \"$@\"\n");
    let ran = prompt(&machine, &["--hooks", "claude", "--workspace-only"]);
    let said = contexts(&ran);
    assert_eq!(said, ["</place/my ws>|$HOME|a  b|"]);
}

#[test]
fn a_hook_of_codex_is_asked_once_it_is_trusted_as_the_report_says() {
    let machine = Machine::new().with_variable("CODEX_HOME", "/place/codex");
    machine.file(
        "codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo no >&2; exit 2"}]}]}}"#,
    );
    let call = [
        "consult",
        "--workspace",
        "my ws",
        "--hooks",
        "codex",
        "--tool",
        "shell",
        "--input",
        "{}",
    ];
    let ran = machine.run(&call);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );

    let report = machine.run(&["check", "my ws", "--hooks", "codex", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    let why = report["not_run"][0]["why"].as_str().expect("a reason");
    let (_, advice) = why.split_once("or write ").expect("what to write");
    let (line, rest) = advice.split_once(" under ").expect("where");
    let (table, _) = rest.split_once(" in the user's").expect("in which file");
    let folder = machine.path("").display().to_string();
    let table = table.replace("/place/", &folder);
    machine.file("codex/config.toml", &format!("{table}\n{line}\n"));

    let ran = machine.run(&call);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.stdout.contains("denied by dialect 'codex': no"),
        "{ran:?}"
    );
    let ran = machine.run(&[&call[..], &["--workspace-only"]].concat());
    assert_eq!(ran.status, Some(0));
}
