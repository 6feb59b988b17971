//! A workspace with hooks, and the command in an environment of its own.

use std::{
    ffi::OsString,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use tempfile::TempDir;

/// A workspace in a directory of its own, beside a home without a global hooks file.
pub(crate) struct Workspace {
    directory: TempDir,
}

/// What a run of the command left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workspace {
    /// Without hooks.
    pub(crate) fn empty() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(directory.path().join("ws/.basis")).expect("a workspace");
        fs::create_dir(directory.path().join("home")).expect("a home");
        Self { directory }
    }

    /// With one hook for each entry: its name, further fields of its declaration, and its shell script.
    pub(crate) fn with_hooks(hooks: &[(&str, &str, &str)]) -> Self {
        let workspace = Self::empty();
        let mut entries = Vec::new();
        for (number, (name, fields, script)) in hooks.iter().enumerate() {
            let program = format!(".basis/{number}.sh");
            let path = workspace.path().join(&program);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
            let comma = if fields.is_empty() { "" } else { "," };
            entries.push(format!(
                r#"{{"name":"{name}","command":["./{program}"]{comma}{fields}}}"#
            ));
        }
        workspace.hooks_file(&format!(
            "{{\"schema\":1,\"hooks\":[\n{}\n]}}",
            entries.join(",\n")
        ));
        workspace
    }

    /// With one hook that prints this.
    pub(crate) fn answering(event: &str, answer: &str) -> Self {
        let script = format!("read -r request\ncat <<'EOF'\n{answer}\nEOF");
        Self::with_hooks(&[("guard", &format!(r#""event":"{event}""#), &script)])
    }

    pub(crate) fn hooks_file(&self, text: &str) {
        fs::write(self.path().join(".basis/hooks.json"), text).expect("a hooks file");
    }

    /// The root of the workspace.
    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("ws")
    }

    /// A file beside the workspace.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.directory.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// The operator's own hooks file, with this in it beside its version. Gives the folder that it is in.
    pub(crate) fn operators(&self, rest: &str) -> PathBuf {
        let folder = self.directory.path().join("home/.config/basis");
        fs::create_dir_all(&folder).expect("a folder");
        let text = format!(r#"{{"schema":1,{rest}}}"#);
        fs::write(folder.join("hooks.json"), text).expect("a hooks file");
        folder
    }

    /// Runs `consult` in this workspace, with nothing on standard input.
    pub(crate) fn consult(&self, args: &[&str]) -> Ran {
        self.consult_with(args, "")
    }

    /// Runs `consult` in this workspace.
    pub(crate) fn consult_with(&self, args: &[&str], stdin: &str) -> Ran {
        finish(self.start(args), stdin)
    }

    /// Puts one call on the standard input of `consult`.
    pub(crate) fn call(&self, call: &str) -> Ran {
        self.consult_with(&[], call)
    }

    /// Starts `consult` in this workspace, all three streams piped.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().expect("started")
    }

    /// `consult` in this workspace, all three streams piped.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = hookchain(self.directory.path());
        command
            .args(["consult", "--workspace"])
            .arg(self.path())
            .args(args);
        command
    }

    /// The text with what differs between two runs replaced.
    pub(crate) fn redacted(&self, text: &str) -> String {
        text.replace(self.path().to_str().expect("UTF-8"), "[workspace]")
    }
}

/// Runs the command with these arguments only.
pub(crate) fn run(args: &[&str]) -> Ran {
    let workspace = Workspace::empty();
    let mut command = hookchain(workspace.directory.path());
    finish(command.args(args).spawn().expect("started"), "")
}

/// Writes to the command's standard input, and waits for it.
pub(crate) fn finish(mut child: Child, stdin: &str) -> Ran {
    let mut pipe = child.stdin.take().expect("piped");
    let stdin = stdin.to_owned();
    // A command that does not read to the end is no failure of the writer.
    let writer = thread::spawn(move || pipe.write_all(stdin.as_bytes()).is_ok());
    let output = child.wait_with_output().expect("ended");
    writer.join().expect("no panic");
    Ran {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The command in an environment in which no hooks file of the person who runs the tests is found.
fn hookchain(directory: &Path) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_hookchain"));
    command
        .env_clear()
        .env("HOME", directory.join("home"))
        .envs(search_path())
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Where the hooks' interpreters are.
#[expect(
    clippy::disallowed_methods,
    reason = "the one variable that is handed on"
)]
fn search_path() -> Option<(&'static str, OsString)> {
    std::env::var_os("PATH").map(|path| ("PATH", path))
}

/// Any other program of the tests' own.
#[expect(
    clippy::disallowed_methods,
    reason = "the program under test, and what the tests need beside it"
)]
pub(crate) fn program(name: &str) -> Command {
    Command::new(name)
}
