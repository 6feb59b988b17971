//! What hooks say beside their answers, and the operator has to hear.

use crate::machine::{CLAUDE, Machine, Ran};

fn after_line(line: &str) -> Ran {
    Machine::with_line("PreToolUse", line).bash("git push", &[])
}

#[test]
fn a_shells_own_errors_are_told_although_the_hook_ended_well() {
    for (line, words) in [
        ("[[ -n a ]] && exit 2; exit 0", "[[: not found"),
        (
            "grep -q push || exit 0; jq-is-missing -e .x >/dev/null && exit 2; exit 0",
            "jq-is-missing: not found",
        ),
        (
            "bash -c 'no-such-tool && exit 2; exit 0'",
            "no-such-tool: command not found",
        ),
        (
            "bash -c 'x=a; echo ${x!}' >/dev/null; exit 0",
            "bad substitution",
        ),
    ] {
        let ran = after_line(line);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(
            ran.stderr
                .contains("ended with 0, although a shell could not do"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn what_a_program_prints_on_the_side_is_not_told() {
    for line in [
        "echo 'no rule was not found' >&2",
        "echo 'looked: 3 rules, none unexpected' >&2; exit 0",
    ] {
        assert_eq!(after_line(line).stderr, "", "{line}");
    }
}

#[test]
fn the_line_ends_of_a_script_are_told_with_what_came_of_them() {
    let script = "#!/bin/bash\r\nwhile read -r line; do\r\n  exit 2\r\ndone\r\n";
    let told = |line: &str| {
        let machine = Machine::with_line("PreToolUse", line);
        machine.file("my ws/.claude/look.sh", script);
        let check = ["check", "my ws", "--workspace-only", "--hooks", "claude"];
        (machine.bash("ls", &[]), machine.run(&check))
    };
    for line in [
        "bash \"$CLAUDE_PROJECT_DIR\"/.claude/look.sh",
        "sh -e .claude/look.sh",
        "/usr/bin/env bash .claude/look.sh",
    ] {
        let (ran, page) = told(line);
        assert!(
            ran.stderr.contains("line 2 of /place/my ws/")
                && ran.stderr.contains("carriage return"),
            "{line}: {ran:?}"
        );
        assert!(
            page.stdout.contains("error[carriage_return]"),
            "{line}: {page:?}"
        );
    }
    let (ran, page) = told("cd .claude && bash \"$CLAUDE_PROJECT_DIR\"/.claude/look.sh || exit 2");
    assert!(ran.stderr.contains("carriage return"), "{ran:?}");
    assert!(page.stdout.contains("error[carriage_return]"), "{page:?}");
    // What no program alone is: the shell's own words show it.
    let (ran, _) = told("printf 'exit 0\\r\\n' | bash; exit 2");
    assert!(ran.stderr.contains("carriage return"), "{ran:?}");
    // Python takes both.
    let machine = Machine::with_line("PreToolUse", "python3 .claude/look.py");
    machine.file("my ws/.claude/look.py", "import sys\r\nsys.exit(2)\r\n");
    let ran = machine.bash("ls", &[]);
    assert!(!ran.stderr.contains("carriage return"), "{ran:?}");
}

#[test]
fn a_native_script_with_such_line_ends_says_so_as_well() {
    for command in [
        r#"["bash", "guard.sh"]"#,
        r#"["sh", "-e", "guard.sh"]"#,
        r#"["/usr/bin/env", "bash", "guard.sh"]"#,
    ] {
        let machine = Machine::new();
        machine.file(
            "my ws/.basis/hooks.json",
            &format!(r#"{{"schema": 1, "hooks": [{{"name": "guard", "command": {command}}}]}}"#),
        );
        machine.file("my ws/guard.sh", "if true; then\r\n  exit 0\r\nfi\r\n");
        let ran = machine.run(&[
            "consult",
            "--workspace",
            "my ws",
            "--workspace-only",
            "--tool",
            "Bash",
            "--input",
            "{}",
        ]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(
            ran.stderr
                .contains("line 1 of /place/my ws/guard.sh ends in a carriage return"),
            "{ran:?}"
        );
        let page = machine.run(&["check", "my ws", "--workspace-only"]).stdout;
        assert!(page.contains("error[carriage_return]"), "{page}");
    }
}

fn rewrites(first: &str, second: &str) -> Ran {
    let says = |command: &str| {
        let json = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","updatedInput":{{"command":"{command}"}}}}}}"#
        );
        format!("#!/bin/sh\necho '{json}'\n")
    };
    let machine = Machine::new();
    machine.file(
        CLAUDE,
        r#"{"hooks": {"PreToolUse": [{"hooks": [
            {"type": "command", "command": "./careful"},
            {"type": "command", "command": "./loud"}]}]}}"#,
    );
    machine.program("my ws/careful", &says(first));
    machine.program("my ws/loud", &says(second));
    machine.bash("apply", &["--trail"])
}

#[test]
fn a_rewrite_that_another_one_replaces_is_told() {
    let ran = rewrites("apply --check", "apply --verbose");
    assert!(ran.stdout.contains("apply --verbose"), "{ran:?}");
    assert!(
        ran.stderr.contains("`./careful` (project my ws/.claude/settings.json:2) rewrote as well, and its rewrite is lost"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("that of `./loud` (project"), "{ran:?}");
    assert!(ran.stdout.contains(r#""reason":"`./loud`""#), "{ran:?}");
    let same = rewrites("apply --check", "apply --check");
    assert_eq!(same.stderr, "");
}
