//! `explain` with hooks of other agents.

use crate::machine::{Machine, Ran, assert_reads, over_lines};

fn machine() -> Machine {
    let machine = Machine::with_claude(
        r#"{
  "PreToolUse": [
    {"matcher": "Bash", "hooks": [
      {"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh", "timeout": 3},
      {"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"},
      {"type": "command", "command": "./gone.sh", "onFailure": "continue", "if": "Bash(git *)"},
      {"type": "command", "command": "touch log", "async": true},
      {"type": "command", "command": "exit 2", "if": "Bash(rm *)"},
      {"type": "prompt", "prompt": "Is $ARGUMENTS safe?"}
    ]},
    {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "exit 2"}]}
  ],
  "Stop": [{"hooks": [{"type": "command", "command": "echo done"}]}]
}"#,
    );
    machine.program("my ws/.claude/hooks/guard.sh", "#!/bin/sh\ntouch asked\n");
    machine.file(
        "my ws/.codex/hooks.json",
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "touch asked"}]}]}}"#,
    );
    machine
}

fn explain(machine: &Machine, args: &[&str]) -> Ran {
    let explain = [
        "explain",
        "--workspace",
        "my ws",
        "--workspace-only",
        "--hooks",
        "native,claude,codex",
    ];
    let call = ["--tool", "Bash", "--input", r#"{"command":"git push"}"#];
    let ran = machine.run(&[&explain[..], &call[..], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(!machine.has("my ws/asked") && !machine.has("my ws/log"));
    ran
}

#[test]
fn each_hook_is_told_of_and_those_that_are_not_asked_with_the_reason() {
    assert_reads!(explain(&machine(), &[]).stdout);
}

#[test]
fn the_same_for_programs() {
    let ran = explain(&machine(), &["--format", "json"]);
    assert_reads!(over_lines(&ran.stdout));
}

#[test]
fn a_call_that_can_be_read_in_two_ways_is_denied_before_they_are_asked() {
    let machine = machine();
    let call = r#"{"tool":"Bash","input":{"command":"a","command":"b"}}"#;
    let args = [
        "explain",
        "--workspace",
        "my ws",
        "--workspace-only",
        "--hooks",
        "claude",
    ];
    let ran = machine.run_with(&args, call);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stdout
            .contains("denied before anybody is asked: the input can be read as two"),
        "{ran:?}"
    );
    assert!(!ran.stdout.contains("would read this line"), "{ran:?}");
}

#[test]
fn settings_that_are_wrong_are_drawn() {
    let machine = Machine::with_claude(r#"{"PreToolUse": [{"hooks": "guard.sh"}]}"#);
    let args = [
        "explain",
        "--workspace",
        "my ws",
        "--workspace-only",
        "--hooks",
        "claude",
    ];
    let ran = machine.run(&[&args[..], &["--tool", "Bash", "--input", "{}"]].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr.contains("my ws/.claude/settings.json:1:"),
        "{ran:?}"
    );
}
