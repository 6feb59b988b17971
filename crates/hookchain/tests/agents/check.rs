//! `check` with the settings of other agents.

use crate::machine::{Machine, Ran, assert_reads, over_lines};

fn check(machine: &Machine, args: &[&str]) -> Ran {
    let check = [
        "check",
        "my ws",
        "--workspace-only",
        "--hooks",
        "native,claude,codex",
    ];
    machine.run(&[&check[..], args].concat())
}

/// Wrong in both agents' files, in ways that the agents would not speak of.
fn wrong() -> Machine {
    let machine = Machine::with_claude(
        r#"{
  "PreToolUse": [
    {"matcher": "Bash(", "hooks": [{"type": "command", "command": "guard"}]},
    {"matchers": "Bash", "hooks": [{"type": "command", "command": "x", "timeout": "\u001b[2J"}]}
  ],
  "PreToolUsed": []
}"#,
    );
    machine.file(
        "my ws/.codex/hooks.json",
        "{\"hooks\": {}, \"version\": 1, \"hooks\": {}}\n",
    );
    machine.file(
        "my ws/.claude/settings.local.json",
        r#"{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "./gone.sh"}]}]}}"#,
    );
    machine
}

#[test]
fn everything_that_is_wrong_is_drawn_at_once() {
    let ran = check(&wrong(), &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
    assert_reads!(ran.stdout);
}

#[test]
fn the_same_for_programs() {
    let ran = check(&wrong(), &["--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_reads!(over_lines(&ran.stdout));
}

#[test]
fn what_is_not_asked_here_is_listed_and_is_no_mistake() {
    let machine = Machine::with_claude(
        r#"{
  "PreToolUse": [{"hooks": [
    {"type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR\"/guard.py"},
    {"type": "prompt", "prompt": "Is\n$ARGUMENTS safe?"}
  ]}]
}"#,
    );
    machine.file("my ws/guard.py", "");
    machine.file(
        "my ws/.claude/settings.local.json",
        r#"{"disableAllHooks": true}"#,
    );
    let ran = check(&machine, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_reads!(ran.stdout);
    assert_eq!(check(&machine, &["--strict"]), ran);
}

#[test]
fn a_program_that_is_not_there_is_found_before_it_is_asked() {
    let machine = Machine::with_claude(
        r#"{
  "PreToolUse": [{"hooks": [
    {"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/gone.sh"},
    {"type": "command", "command": "./plain.sh", "args": []},
    {"type": "command", "command": "$CLAUDE_PROJECT_DIR/unquoted.sh"},
    {"type": "command", "command": "cd sub && ./not-looked-at.sh"}
  ]}]
}"#,
    );
    machine.file("my ws/plain.sh", "#!/bin/sh\n");
    machine.program("my ws/unquoted.sh", "#!/bin/sh\n");
    let ran = check(&machine, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_reads!(ran.stdout);
}
