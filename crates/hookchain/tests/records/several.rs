//! A desk whose hooks ask a person, tell the model, are asked again, and speak for several.

use crate::desk::{Desk, Ran};

/// The operator's own hook: it judges the form that would run, and tells the model of what it knows.
const JUDGE: &str = r#"#!/bin/sh
read -r request
case $request in
*deploy*) printf '%s' '{"decision":"allow","context":"the release\nis TOKEN=hunter2"}' ;;
*) echo '{"decision":"allow"}' ;;
esac
"#;

/// The hook of the workspace: a person has to agree to a deployment, and to another form of it.
const RELEASES: &str = r#"#!/bin/sh
read -r request
case $request in
*deploy*) echo '{"decision":"ask","input":{"command":"make -n deploy"},"reason":"to production"}' ;;
*publish*) echo '{"decision":"ask","reason":"for everyone"}' ;;
*) echo '{"decision":"allow"}' ;;
esac
"#;

/// Two hooks of Claude Code that are waited for, and one that is not.
const CLAUDE: &str = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
{"type": "command", "command": "grep -q push && echo 'push without --force' >&2 && exit 2; exit 0"},
{"type": "command", "command": "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}'"},
{"type": "command", "command": "cat > /dev/null", "async": true}
]}]}}"#;

const RELEASE_HOOKS: &str = r#"{"schema":1,"hooks":[
{"name":"releases","command":["./.basis/releases.sh"],"tools":["Bash"]}
]}"#;

const JUDGE_HOOKS: &str = r#"{"schema":1,"hooks":[
{"name":"judge","command":["./judge.sh"],"tools":["Bash"]}
]}"#;

/// Runs a program on a terminal of its own, on which a word is typed when it asks.
const TERMINAL: &str = include_str!("../terminal.py");

/// Which hooks are asked.
pub(crate) const SOURCES: [&str; 2] = ["--hooks", "native,claude"];

impl Desk {
    /// With the operator's hook, the workspace's and those of another agent.
    pub(crate) fn of_several() -> Self {
        let desk = Self::new();
        desk.program("home/.config/basis/judge.sh", JUDGE);
        desk.program("ws/.basis/releases.sh", RELEASES);
        desk.write("ws/.basis/hooks.json", RELEASE_HOOKS);
        desk.write("home/.config/basis/hooks.json", JUDGE_HOOKS);
        desk.write("ws/.claude/settings.json", CLAUDE);
        desk
    }

    /// Records one command of the agent.
    #[track_caller]
    pub(crate) fn record_command(&self, command: &str, options: &[&str]) {
        let call = serde_json::json!({"tool_name": "Bash", "input": {"command": command}});
        self.record(&format!("{call}\n"), &[&SOURCES[..], options].concat());
    }

    /// Records one command of the agent that a person is asked about, and says this to.
    #[track_caller]
    pub(crate) fn record_asked(&self, command: &str, said: &str, options: &[&str]) {
        let input = serde_json::json!({"command": command}).to_string();
        let words = ["consult", "--workspace", "ws", "--on-ask", "prompt"];
        let call = ["--tool", "Bash", "--input", &input, "--record", "records"];
        let program = env!("CARGO_BIN_EXE_hookchain");
        let words = [
            &["-c", TERMINAL, said, "", program],
            &words[..],
            &call,
            &SOURCES,
            options,
        ];
        let Ran { status, stdout, .. } = self.run_program("python3", &words.concat(), "");
        let expected = if said == "y" { 0 } else { 3 };
        assert_eq!(status, Some(expected), "{stdout}");
        assert!(stdout.contains("[y/N]"), "{stdout}");
    }
}
