//! Guards that guard less than they seem to, and what the operator is told of them.

use crate::machine::{CLAUDE, Machine, Ran};

fn check(machine: &Machine, kinds: &str) -> Ran {
    let check = ["check", "my ws", "--workspace-only", "--hooks", kinds];
    machine.run(&check)
}

/// What is said where a call is made and where the settings are looked at.
fn said(event: &str, line: &str) -> (Ran, Ran) {
    let machine = Machine::with_line(event, line);
    let call = if event == "PreToolUse" {
        machine.bash("ls", &[])
    } else {
        machine.fire(event, &[])
    };
    (call, check(&machine, "claude"))
}

#[track_caller]
fn both_say(line: &str, parts: &[&str]) {
    let (call, check) = said("PreToolUse", line);
    for part in parts {
        assert!(call.stderr.contains(part), "{line}: {part}: {call:?}");
        let page = check.stdout.split_whitespace().collect::<Vec<_>>();
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.join(" ").contains(&part), "{line}: {part}: {check:?}");
    }
}

#[track_caller]
fn neither_says(line: &str) {
    let (call, check) = said("PreToolUse", line);
    assert_eq!(call.stderr, "", "{line}");
    assert!(
        check.stdout.contains("nothing is wrong"),
        "{line}: {check:?}"
    );
}

#[test]
fn a_variable_that_no_agent_sets_is_told_with_what_to_read_instead() {
    both_say(
        "echo \"$CLAUDE_TOOL_INPUT\" | grep -q curl && exit 2; exit 0",
        &[
            "`CLAUDE_TOOL_INPUT` is set by no version of Claude Code",
            "jq -r .tool_input",
        ],
    );
    both_say(
        "bash -c 'test \"$TOOL_NAME\" = Write && exit 2; exit 0'",
        &["`TOOL_NAME`", "jq -r .tool_name"],
    );
    both_say(
        "for f in ${CLAUDE_FILE_PATHS}; do [ \"$f\" = .env ] && exit 2; done; exit 0",
        &["`CLAUDE_FILE_PATHS`", "jq -r .tool_input.file_path"],
    );
    both_say(
        "python3 -c \"import os, sys; sys.exit(2 if 'rm' in os.environ.get('CODEX_COMMAND') or '' else 0)\" 2>&-; exit 0",
        &["`CODEX_COMMAND`", "jq -r .tool_input.command"],
    );
}

#[test]
fn a_variable_with_a_value_is_no_finding() {
    for line in [
        "CLAUDE_TOOL_INPUT=$(cat); test -n \"$CLAUDE_TOOL_INPUT\"",
        "echo \"${CLAUDE_TOOL_INPUT:-none}\" >/dev/null",
        "for TOOL_NAME in a b; do : \"$TOOL_NAME\"; done",
        "read -r TOOL_INPUT; : \"$TOOL_INPUT\"",
        "test -d \"$CLAUDE_PROJECT_DIR\"",
        "test -z \"$CLAUDE_CODE_REMOTE\"",
        ": '$CLAUDE_TOOL_INPUT'",
    ] {
        neither_says(line);
    }
    let machine = Machine::with_line("PreToolUse", "test -n \"$TOOL_POLICY\"")
        .with_variable("TOOL_POLICY", "strict");
    assert_eq!(machine.bash("ls", &[]).stderr, "");
    machine.file(
        CLAUDE,
        r#"{"env": {"TOOL_LEVEL": "1"}, "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "test -n \"$TOOL_LEVEL\""}]}]}}"#,
    );
    assert_eq!(machine.bash("ls", &[]).stderr, "");
}

#[test]
fn the_script_of_a_hook_is_looked_at_as_well() {
    let machine = Machine::with_line("PreToolUse", "\"$CLAUDE_PROJECT_DIR\"/guard.sh");
    machine.program(
        "my ws/guard.sh",
        "#!/bin/sh\ncase $CLAUDE_TOOL_INPUT in *push*) exit 2;; esac\nif [[ $1 ]]; then :; fi 2>/dev/null\n",
    );
    let ran = machine.bash("ls", &[]);
    assert!(
        ran.stderr
            .contains("`CLAUDE_TOOL_INPUT` is set by no version"),
        "{ran:?}"
    );
    let page = check(&machine, "claude").stdout;
    assert!(
        page.contains("warning[unset_variable]") && page.contains("warning[no_word_of_sh]"),
        "{page}"
    );
}

#[test]
fn a_script_in_a_longer_line_is_looked_at_with_what_the_line_gives_it() {
    let stderr = |line: &str| {
        let machine = Machine::with_line("PreToolUse", line);
        machine.program(
            "my ws/tools/guard.sh",
            "#!/bin/sh\ncase $TOOL_INPUT in *push*) exit 2;; esac\n",
        );
        machine.bash("ls", &[]).stderr
    };
    for line in [
        "cd . && ./tools/guard.sh || exit 2",
        "cat | bash \"$CLAUDE_PROJECT_DIR/tools/guard.sh\"",
    ] {
        assert!(
            stderr(line).contains("`TOOL_INPUT` is set by no version"),
            "{line}"
        );
    }
    assert_eq!(
        stderr("TOOL_INPUT=$(cat); export TOOL_INPUT; ./tools/guard.sh"),
        ""
    );
}

#[test]
fn explain_says_so_as_well() {
    let machine = Machine::with_line("PreToolUse", "test -n \"$CLAUDE_TOOL_NAME\"");
    let explain = [
        "explain",
        "--workspace",
        "my ws",
        "--workspace-only",
        "--hooks",
        "claude",
    ];
    let ran = machine.run(&[&explain[..], &["--tool", "Bash", "--input", "{}"]].concat());
    assert!(
        ran.stderr
            .contains("`CLAUDE_TOOL_NAME` is set by no version"),
        "{ran:?}"
    );
}

#[test]
fn a_variable_of_plugins_is_empty_in_settings() {
    both_say(
        "sh \"${CLAUDE_PLUGIN_ROOT}/hooks/deny.sh\" 2>/dev/null; exit 0",
        &[
            "`CLAUDE_PLUGIN_ROOT` is set for hooks of plugins alone",
            "$CLAUDE_PROJECT_DIR",
        ],
    );
    both_say(
        "cat \"$CLAUDE_PLUGIN_DATA/list\" 2>/dev/null; exit 0",
        &["`CLAUDE_PLUGIN_DATA` is set for hooks of plugins alone"],
    );
    let machine = Machine::with_claude(
        r#"{"PreToolUse": [{"hooks": [{"type": "command", "command": "true", "args": ["${CLAUDE_PLUGIN_ROOT}/x.py"]}]}]}"#,
    );
    let ran = machine.bash("ls", &[]);
    assert!(
        ran.stderr.contains("`CLAUDE_PLUGIN_ROOT` is set"),
        "{ran:?}"
    );
}

#[test]
fn words_that_sh_does_not_have_are_told_where_sh_reads_them() {
    for (line, word, instead) in [
        ("[[ -n x ]] && exit 2; exit 0", "`[[`", "`case`"),
        ("[ a == b ]; exit 0", "`==`", "write `=`"),
        (
            "source ./policy 2>/dev/null; exit 0",
            "`source`",
            "`. ./file`",
        ),
        ("x=${PWD//a/b}; exit 0", "`${x/a/b}`", "`sed`"),
    ] {
        let page = said("PreToolUse", line).1.stdout;
        assert!(
            page.contains("warning[no_word_of_sh]")
                && page.contains(word)
                && page.contains(instead),
            "{line}: {page}"
        );
    }
    neither_says("bash -c '[[ a == a ]] && exit 0'");
    neither_says("test a = a && echo '[[' >/dev/null");
}

#[test]
fn a_timeout_in_milliseconds_is_told() {
    let timeout = |seconds: &str| {
        let machine = Machine::with_claude(&format!(
            r#"{{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "exit 0", "timeout": {seconds}}}]}}]}}"#
        ));
        assert_eq!(machine.bash("ls", &[]).stderr, "", "{seconds}");
        check(&machine, "claude").stdout
    };
    assert!(timeout("5000").contains("write 5 if 5000 ms are meant"));
    assert!(timeout("1500").contains("warning[milliseconds]"));
    assert!(timeout("60000").contains("write 60 if"));
    for seconds in ["5", "600", "1800", "3600", "0.5"] {
        assert!(timeout(seconds).contains("nothing is wrong"), "{seconds}");
    }
}

#[test]
fn a_matcher_with_the_tools_of_another_agent_is_told() {
    let page = |kinds: &str, file: &str, matcher: &str| {
        let machine = Machine::new();
        machine.file(
            file,
            &format!(
                r#"{{"hooks": {{"PreToolUse": [{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "exit 0"}}]}}]}}}}"#
            ),
        );
        check(&machine, kinds).stdout
    };
    for (matcher, own) in [
        ("run_shell_command", "`Bash`"),
        ("write_file|Read", "`Write`"),
        ("apply_patch", "`Edit|Write`"),
    ] {
        let page = page("claude", CLAUDE, matcher);
        assert!(
            page.contains("warning[foreign_tool]") && page.contains(own),
            "{page}"
        );
    }
    assert!(page("claude", CLAUDE, "Bash|shell").contains("nothing is wrong"));
    let page = page("codex", "my ws/.codex/hooks.json", "Read|Grep");
    assert!(
        page.contains("warning[foreign_tool]") && page.contains("`Bash`"),
        "{page}"
    );
}

#[test]
fn the_name_of_a_withheld_variable_is_told() {
    let ran = |line: &str| {
        let machine = Machine::with_line("PreToolUse", line)
            .with_variable("POLICY_TOKEN", "t-1")
            .with_variable("SCAN_PASSWORD", "p-1");
        machine.file("my ws/ask.py", "import os\nos.environ[\"SCAN_PASSWORD\"]\n");
        machine.bash("ls", &[])
    };
    for (line, name) in [
        (
            "test -z \"$POLICY_TOKEN\" && exit 0; exit 2",
            "`POLICY_TOKEN`",
        ),
        (
            "[ -n \"$(printenv SCAN_PASSWORD)\" ] && exit 2; exit 0",
            "`SCAN_PASSWORD`",
        ),
        ("python3 ask.py", "`SCAN_PASSWORD`"),
        (
            "[ -n \"${POLICY_TOKEN:-}\" ] || exit 0; exit 2",
            "`POLICY_TOKEN`",
        ),
        (
            "echo \"${POLICY_TOKEN:-none}\" >/dev/null",
            "`POLICY_TOKEN`",
        ),
    ] {
        let ran = ran(line);
        assert!(
            ran.stderr
                .contains(&format!("{name} looks like a credential and is withheld")),
            "{ran:?}"
        );
        assert!(
            !ran.stderr.contains("t-1") && !ran.stderr.contains("p-1"),
            "{ran:?}"
        );
    }
    for line in [
        "POLICY_TOKEN=x; test -n \"$POLICY_TOKEN\"",
        ": '$POLICY_TOKEN'",
    ] {
        assert_eq!(ran(line).stderr, "", "{line}");
    }
}
