//! A workspace with hooks, and an agent that asks about it.

use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use hook_dialect::{Exit, HookOutput, bridge::Bridge, decode_output};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A workspace `ws` with a repository, beside a home.
pub(crate) struct Desk {
    directory: TempDir,
}

/// What a run left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["ws/.git", "home"] {
            fs::create_dir_all(directory.path().join(name)).expect("made");
        }
        Self { directory }
    }

    /// With one hook for everything at this event: a shell script.
    pub(crate) fn with_hook(event: &str, fields: &str, script: &str) -> Self {
        let desk = Self::new();
        desk.write("ws/guard.sh", &format!("#!/bin/sh\n{script}\n"));
        let path = desk.path().join("ws/guard.sh");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
        desk.write(
            "ws/.basis/hooks.json",
            &format!(
                r#"{{"schema":1,"hooks":[{{"name":"guard","command":["./guard.sh"],"event":"{event}"{fields}}}]}}"#
            ),
        );
        desk
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("its path")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The command with these arguments.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_hookchain"));
        command.args(args);
        command
    }

    /// Any program, in the workspace, as a child of an agent.
    #[expect(
        clippy::disallowed_methods,
        reason = "the program under test, and the shell of an agent"
    )]
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut path = OsString::from(env!("CARGO_BIN_EXE_hookchain"));
        path = PathBuf::from(path).parent().expect("a directory").into();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(name);
        command
            .env_clear()
            .env("HOME", self.path().join("home"))
            .env("PATH", path)
            .env("CLAUDE_PROJECT_DIR", self.path().join("ws"))
            .current_dir(self.path().join("ws"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the command without input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(args).output().expect("started"))
    }

    /// Asks as this agent.
    pub(crate) fn ask(&self, agent: &str, payload: &Value) -> Ran {
        self.ask_with(&["bridge", agent], &payload.to_string())
    }

    pub(crate) fn ask_with(&self, args: &[&str], payload: &str) -> Ran {
        answered(self.command(args), payload.as_bytes())
    }
}

/// Writes the question to the program, which has to read it, and waits for its end.
pub(crate) fn answered(command: Command, payload: &[u8]) -> Ran {
    let (ran, written) = asked(command, payload);
    written.expect("read by the program");
    ran
}

/// Writes the question to the program, which may be gone before it has read it, and waits for its end.
pub(crate) fn asked(mut command: Command, payload: &[u8]) -> (Ran, io::Result<()>) {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("its input");
    let written = stdin.write_all(payload);
    drop(stdin);
    (ran(child.wait_with_output().expect("its end")), written)
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A call of the shell before it runs, as both agents send it.
pub(crate) fn before(command: &str) -> Value {
    json!({
        "session_id": "s1", "turn_id": "7", "transcript_path": null, "cwd": "/repo", "hook_event_name": "PreToolUse",
        "model": "m", "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": "t1",
    })
}

/// Its result.
pub(crate) fn after(command: &str, result: &Value) -> Value {
    let mut payload = before(command);
    payload["hook_event_name"] = json!("PostToolUse");
    payload["tool_response"] = result.clone();
    payload
}

/// A result of the shell as each agent has it.
pub(crate) fn result(agent: &str, text: &str) -> Value {
    match agent {
        "claude" => json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false}),
        _ => json!(text),
    }
}

impl Ran {
    /// What the agent makes of it, by its own rules.
    #[track_caller]
    pub(crate) fn heard(&self, agent: &str, event: &str) -> HookOutput {
        let dialect = Bridge::named(agent).expect("an agent").dialect;
        let exit = self.status.map_or(Exit::Unknown, Exit::Code);
        let (stdout, stderr) = (self.stdout.as_bytes(), self.stderr.as_bytes());
        decode_output(exit, stdout, stderr, Some(event), dialect.strict())
    }
}
