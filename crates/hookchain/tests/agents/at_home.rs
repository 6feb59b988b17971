//! Hooks of other agents, followed to the letter.

use crate::machine::{CLAUDE, Machine, Ran};

fn at_home(machine: &Machine, agent: &str, workspace: &str, tool: &str, input: &str) -> Ran {
    let call = ["consult", "--as-at-home", "--hooks", agent];
    let about = ["--workspace", workspace, "--tool", tool, "--input", input];
    machine.run(&[&call[..], &about[..]].concat())
}

/// Hooks of a file that refuse with this reason.
fn refusing(reason: &str) -> String {
    format!(
        r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "echo {reason} >&2; exit 2"}}]}}]}}}}"#
    )
}

#[test]
fn settings_of_a_folder_above_are_not_read_below_it() {
    let machine = Machine::new();
    machine.file(CLAUDE, &refusing("R-above"));
    machine.file("my ws/.git/HEAD", "ref: refs/heads/main\n");
    machine.file("my ws/sub/main.rs", "");
    let asked = at_home(&machine, "claude", "my ws", "Bash", "{}");
    assert_eq!(asked.status, Some(3), "{asked:?}");
    let below = at_home(&machine, "claude", "my ws/sub", "Bash", "{}");
    assert_eq!(
        (below.status, &*below.stdout),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
}

#[test]
fn a_rule_with_a_path_from_the_root_holds_for_that_path_alone() {
    let machine = Machine::new();
    let inside = machine.path("my ws/src");
    let settings = serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [{
        "type": "command", "command": "exit 2", "if": format!("Write(/{}/**)", inside.display()),
    }]}]}});
    machine.file(CLAUDE, &settings.to_string());
    for (path, status) in [
        (inside.join("a.ts").display().to_string(), 3),
        ("src/a.ts".to_owned(), 3),
        ("/src/a.ts".to_owned(), 0),
        ("a.ts".to_owned(), 0),
    ] {
        let input = serde_json::json!({"file_path": path, "content": "x"}).to_string();
        let ran = at_home(&machine, "claude", "my ws", "Write", &input);
        assert_eq!(ran.status, Some(status), "{path}: {ran:?}");
    }
}

#[test]
fn a_list_of_blocks_is_the_result_of_a_server_as_it_stands() {
    let blocks = r#"[{"type":"text","text":"O-new"}]"#;
    for field in ["updatedToolOutput", "updatedMCPToolOutput"] {
        let answer = format!(
            r#"echo '{{"hookSpecificOutput": {{"hookEventName": "PostToolUse", "{field}": {blocks}}}}}'"#
        );
        let machine = Machine::with_line("PostToolUse", &answer);
        let after = ["--event", "post_tool_use", "--output", "\"old\""];
        let call = ["consult", "--as-at-home", "--hooks", "claude"];
        let about = [
            "--workspace",
            "my ws",
            "--tool",
            "mcp__srv__note",
            "--input",
            "{}",
        ];
        let ran = machine.run(&[&call[..], &about[..], &after[..]].concat());
        let start = format!("{{\"outcome\":\"replace\",\"output\":{blocks},");
        assert!(ran.stdout.starts_with(&start), "{field}: {ran:?}");
    }
}

/// What Codex remembers of the hook in the project, once it is trusted.
fn hash_told(explained: &str) -> &str {
    let start = explained.find("sha256:").expect("a hash");
    let rest = explained.get(start..).unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

#[test]
fn hooks_of_a_project_that_is_trusted_in_codex_are_asked_once_they_are_trusted_themselves() {
    let machine = Machine::new();
    let project = machine.path("my ws").display().to_string();
    let file = format!("{project}/.codex/hooks.json");
    machine.file("my ws/.codex/hooks.json", &refusing("R-project"));
    let trusted = format!("[projects.{project:?}]\ntrust_level = \"trusted\"\n");
    let asked = |settings: &str| {
        machine.file("home/.codex/config.toml", settings);
        at_home(&machine, "codex", "my ws", "Bash", "{\"command\": \"ls\"}")
    };
    assert_eq!(asked("").status, Some(0));
    assert_eq!(asked(&trusted).status, Some(0));
    let question = ["--tool", "Bash", "--input", "{}"];
    let explain = ["explain", "--hooks", "codex", "--workspace", "my ws"];
    let told = machine.run(&[&explain[..], &question[..]].concat());
    let hash = hash_told(&told.stdout);
    let state = format!("[hooks.state.\"{file}:pre_tool_use:0:0\"]\ntrusted_hash = \"{hash}\"\n");
    let ran = asked(&format!("{trusted}{state}"));
    assert_eq!(ran.status, Some(3), "{ran:?} {told:?}");
    assert!(ran.stdout.contains("R-project"), "{ran:?}");
    assert_eq!(
        asked(&state).status,
        Some(0),
        "the project itself is not trusted"
    );
    machine.file(
        "my ws/.codex/hooks.json",
        &format!("\u{feff}{}", refusing("R-project")),
    );
    let marked = asked(&format!("{trusted}{state}"));
    assert_eq!(marked.status, Some(0), "{marked:?}");
}

#[test]
fn the_reason_of_a_stop_is_the_only_one() {
    let machine = Machine::with_line(
        "PreToolUse",
        r#"echo '{"continue": false, "stopReason": "R-stop", "decision": "block", "reason": "R-deny"}'"#,
    );
    let ran = machine.bash("ls", &["--as-at-home", "--trail"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let start = r#"{"outcome":"deny","reason":"denied by dialect 'claude': R-stop (from hook"#;
    assert!(ran.stdout.starts_with(start), "{ran:?}");
    let note = r#""note":"stop","text":"R-stop""#;
    assert!(ran.stdout.contains(note), "{ran:?}");
}
