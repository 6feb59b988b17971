//! Hooks that nobody waits for, and a command that ends.

use crate::machine::Machine;

fn in_the_background(line: &str) -> Machine {
    let command = serde_json::Value::from(line);
    Machine::with_claude(&format!(
        r#"{{"PreToolUse": [{{"hooks": [{{"type": "command", "command": {command}, "async": true}}]}}]}}"#
    ))
}

#[test]
fn what_they_say_is_told_when_they_end() {
    let machine = in_the_background("cat > asked; echo '{\"systemMessage\":\"logged\\u001b\"}'");
    let ran = machine.bash("ls", &["--trail"]);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stdout.starts_with(r#"{"outcome":"allow","trail":[{"#),
        "{ran:?}"
    );
    assert!(
        ran.stdout.contains(r#""hooks":[],"in_background":1"#),
        "{ran:?}"
    );
    let said =
        "(project my ws/.claude/settings.json:1), in the background: for the user: logged\\u{1b}\n";
    assert!(ran.stderr.ends_with(said), "{ran:?}");
    assert!(
        machine
            .read("my ws/asked")
            .contains("\"tool_name\":\"Bash\"")
    );
}

#[test]
fn they_are_ended_with_the_command_when_they_do_not_end() {
    let machine = in_the_background("echo $$ > pid; exec sleep 600");
    let ran = machine.bash("ls", &[]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
    assert_eq!(
        ran.stderr,
        "1 hook in the background had not ended after 5 s and ended with this command\n"
    );
    let pid = machine.read("my ws/pid");
    let process = std::path::Path::new("/proc").join(pid.trim());
    assert!(!process.exists() || !cfg!(target_os = "linux"));
}

#[test]
fn a_refusal_that_comes_too_late_is_told() {
    for (line, words) in [
        (
            "echo 'never on a Friday' >&2; exit 2",
            "it refused, which comes too late: never on a Friday",
        ),
        (
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not now"}}'"#,
            "it refused, which comes too late: not now",
        ),
        (
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}'"#,
            "it asked for a person's agreement, which comes too late: sure?",
        ),
    ] {
        let machine = in_the_background(line);
        let ran = machine.bash("ls", &[]);
        assert_eq!(
            (ran.status, &*ran.stdout),
            (Some(0), "{\"outcome\":\"allow\"}\n")
        );
        assert!(ran.stderr.contains(words), "{ran:?}");
        let page = machine
            .run(&["check", "my ws", "--workspace-only", "--hooks", "claude"])
            .stdout;
        assert!(page.contains("warning[background_guard]"), "{page}");
    }
    let page = in_the_background("cat >> calls.log").run(&[
        "check",
        "my ws",
        "--workspace-only",
        "--hooks",
        "claude",
    ]);
    assert!(page.stdout.contains("nothing is wrong"), "{page:?}");
}

#[test]
fn so_is_that_of_a_hook_that_went_into_the_background_by_itself() {
    for said in [
        "echo 'not on main' >&2; exit 2",
        "echo '{\"decision\":\"block\",\"reason\":\"not on main\"}'",
    ] {
        let machine =
            Machine::with_line("PreToolUse", &format!("echo '{{\"async\":true}}'; {said}"));
        let ran = machine.bash("ls", &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(
            ran.stderr.contains("which comes too late: not on main"),
            "{ran:?}"
        );
    }
}
