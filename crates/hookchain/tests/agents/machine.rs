//! A machine with a workspace and a home, and the command on it.

use std::{
    ffi::OsString,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A workspace `my ws` (with a blank in its path) beside a home.
pub(crate) struct Machine {
    folder: TempDir,
    variables: Vec<(&'static str, String)>,
}

/// What a run of the command left; its texts name the folder of the machine nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Where Claude Code has the settings of a project.
pub(crate) const CLAUDE: &str = "my ws/.claude/settings.json";

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self {
            folder: tempfile::tempdir().expect("a folder"),
            variables: Vec::new(),
        };
        for folder in ["my ws", "home"] {
            machine.folder(folder);
        }
        machine
    }

    /// With these hooks in the project's settings of Claude Code: the content of `hooks`.
    pub(crate) fn with_claude(hooks: &str) -> Self {
        let machine = Self::new();
        machine.file(CLAUDE, &format!("{{\"hooks\": {hooks}}}\n"));
        machine
    }

    /// With one hook of Claude Code at an event: a line for a shell.
    pub(crate) fn with_line(event: &str, line: &str) -> Self {
        let command = serde_json::Value::from(line);
        Self::with_claude(&format!(
            r#"{{"{event}": [{{"hooks": [{{"type": "command", "command": {command}}}]}}]}}"#
        ))
    }

    pub(crate) fn with_variable(mut self, name: &'static str, value: &str) -> Self {
        let folder = self.folder.path().to_str().expect("UTF-8");
        self.variables.push((name, value.replace("/place", folder)));
        self
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        // The directory for temporary files may be behind a link.
        let folder = fs::canonicalize(self.folder.path()).expect("a folder");
        folder.join(relative)
    }

    fn folder(&self, relative: &str) {
        let path = self.path(relative);
        fs::create_dir_all(&path).expect("a folder");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
    }

    pub(crate) fn file(&self, relative: &str, text: &str) {
        self.with_mode(relative, text, 0o644);
    }

    pub(crate) fn program(&self, relative: &str, text: &str) {
        self.with_mode(relative, text, 0o755);
    }

    fn with_mode(&self, relative: &str, text: &str, mode: u32) {
        let path = self.path(relative);
        let mut folder = PathBuf::new();
        for part in std::path::Path::new(relative).parent().expect("a folder") {
            folder.push(part);
            self.folder(folder.to_str().expect("UTF-8"));
        }
        fs::write(&path, text).expect("a file");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("a file")
    }

    pub(crate) fn has(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// Runs a command about the workspace, with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Ran {
        let mut child = self.command(args).spawn().expect("started");
        let mut pipe = child.stdin.take().expect("piped");
        // A command that does not read is no failure of the writer, and what is written here fits a pipe.
        let _unread = pipe.write_all(stdin.as_bytes());
        drop(pipe);
        let output = child.wait_with_output().expect("ended");
        Ran {
            status: output.status.code(),
            stdout: self.shown(output.stdout),
            stderr: self.shown(output.stderr),
        }
    }

    fn shown(&self, text: Vec<u8>) -> String {
        let folder = self.path("x").display().to_string();
        let text = String::from_utf8(text).expect("UTF-8");
        text.replace(folder.trim_end_matches('x'), "/place/")
    }

    /// The command in the directory beside the workspace.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program(env!("CARGO_BIN_EXE_hookchain"));
        command
            .args(args)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", search_path())
            .envs(self.variables.iter().cloned())
            .current_dir(self.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Puts a call of `Bash` to the hooks of Claude Code in the workspace alone.
    pub(crate) fn bash(&self, line: &str, args: &[&str]) -> Ran {
        let input = serde_json::json!({ "command": line }).to_string();
        let call = ["consult", "--workspace", "my ws", "--workspace-only"];
        let hooks = ["--hooks", "claude", "--tool", "Bash", "--input", &input];
        self.run(&[&call[..], &hooks[..], args].concat())
    }

    /// Fires an event of Claude Code in the workspace alone.
    pub(crate) fn fire(&self, event: &str, args: &[&str]) -> Ran {
        self.fire_with(event, args, "")
    }

    pub(crate) fn fire_with(&self, event: &str, args: &[&str], stdin: &str) -> Ran {
        let fire = ["fire", event, "--workspace", "my ws", "--workspace-only"];
        self.run_with(&[&fire[..], &["--hooks", "claude"], args].concat(), stdin)
    }
}

/// The text with the times that differ between two runs left out.
macro_rules! assert_reads {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r" \(queued \d+\.\d+ m?s\)", ""),
            (r"\d+\.\d+ m?s", "[time]"),
            (r#""(queued_ms|took_ms)":\d+\.\d+"#, "\"$1\":\"[time]\""),
            (r#""(bytes_sent|bytes_received)":\d+"#, "\"$1\":\"[size]\""),
        ]}, {
            insta::assert_snapshot!($text);
        });
    };
}
pub(crate) use assert_reads;

/// A line of JSON over several lines.
pub(crate) fn over_lines(json: &str) -> String {
    json.replace("},{", "},\n{").replace(",\"", ",\n  \"")
}

#[expect(
    clippy::disallowed_methods,
    reason = "where the interpreters of the hooks are"
)]
fn search_path() -> OsString {
    std::env::var_os("PATH").expect("a PATH")
}

#[expect(clippy::disallowed_methods, reason = "the program under test")]
fn program(name: &str) -> Command {
    Command::new(name)
}
