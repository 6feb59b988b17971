//! A workspace in a directory of its own, and the command in an environment of its own.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A workspace `ws`, beside a home without a hooks file and a directory for temporary files.
pub(crate) struct Desk {
    directory: TempDir,
}

/// What a run of the command left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// Without hooks and cases.
    pub(crate) fn empty() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["ws", "home", "tmp"] {
            fs::create_dir(directory.path().join(name)).expect("made");
        }
        Self { directory }
    }

    /// With one hook, which is asked about `shell` before the call: a shell script.
    pub(crate) fn with_hook(script: &str) -> Self {
        let desk = Self::empty();
        desk.hook(r#""tools":["shell"]"#, script);
        desk
    }

    /// Declares one hook with these further fields.
    pub(crate) fn hook(&self, fields: &str, script: &str) {
        self.program(".basis/guard.sh", &format!("#!/bin/sh\n{script}\n"));
        let hooks = format!(
            r#"{{"schema":1,"hooks":[
{{"name":"guard","command":["./.basis/guard.sh"],{fields}}}]}}"#
        );
        self.write(".basis/hooks.json", &hooks);
    }

    /// Writes a case file with these cases, a line each.
    pub(crate) fn cases(&self, name: &str, cases: &[&str]) {
        let text = format!("{{\"schema\":1,\"cases\":[\n{}\n]}}\n", cases.join(",\n"));
        self.write(&format!(".basis/tests/{name}.hooktest.json"), &text);
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn program(&self, path: &str, text: &str) {
        self.write(path, text);
        fs::set_permissions(self.path().join(path), fs::Permissions::from_mode(0o755))
            .expect("its mode");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).expect("a file")
    }

    /// The root of the workspace.
    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("ws")
    }

    /// The directory for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// Where the user's own hooks file is.
    pub(crate) fn global(&self) -> PathBuf {
        self.directory.path().join("home/.config/basis/hooks.json")
    }

    /// What is left in the directory for temporary files.
    pub(crate) fn leftovers(&self) -> Vec<OsString> {
        let entries = fs::read_dir(self.temporary()).expect("a directory");
        entries
            .map(|entry| entry.expect("an entry").file_name())
            .collect()
    }

    /// Runs the command in the workspace.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(&mut self.command(args))
    }

    /// Runs `test`, one case at a time; nothing of it may be left behind.
    #[track_caller]
    pub(crate) fn test(&self, args: &[&str]) -> Ran {
        let ran = self.run(&[&["test", "--jobs", "1"], args].concat());
        assert_eq!(self.leftovers(), Vec::<OsString>::new(), "{ran:?}");
        ran
    }

    /// The command in the workspace.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program(env!("CARGO_BIN_EXE_hookchain"));
        command
            .env_clear()
            .env("HOME", self.directory.path().join("home"))
            .env("TMPDIR", self.temporary())
            .env("PATH", search_path())
            .current_dir(self.path())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a line as somebody types it, where `hookchain` is the command.
    pub(crate) fn type_in(&self, line: &str) -> Ran {
        let mut path = OsString::from(binary().parent().expect("a directory"));
        path.push(":");
        path.push(search_path());
        let mut command = program("sh");
        command
            .env_clear()
            .env("HOME", self.directory.path().join("home"))
            .env("TMPDIR", self.temporary())
            .env("PATH", path)
            .current_dir(self.path())
            .args(["-c", line]);
        finish(&mut command)
    }
}

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hookchain"))
}

/// Runs the command with these arguments only.
pub(crate) fn run(args: &[&str]) -> Ran {
    Desk::empty().run(args)
}

/// Text with the times that differ between two runs left out.
pub(crate) fn timeless(text: &str) -> String {
    let mut timeless = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end = number
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        let unit = [" ms", " s"]
            .into_iter()
            .find(|unit| after.starts_with(unit) && number.contains('.'));
        if let Some(unit) = unit {
            timeless.push_str(before.trim_end_matches(' '));
            timeless.push_str(" [time]");
            rest = after.split_at(unit.len()).1;
        } else {
            timeless.push_str(before);
            timeless.push_str(number);
            rest = after;
        }
    }
    timeless + rest
}

fn finish(command: &mut Command) -> Ran {
    let output = command.output().expect("started");
    Ran {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Where the hooks' interpreters are.
#[expect(
    clippy::disallowed_methods,
    reason = "the one variable that is handed on"
)]
fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

/// Any other program of the tests' own.
#[expect(
    clippy::disallowed_methods,
    reason = "the program under test, and what the tests need beside it"
)]
pub(crate) fn program(name: &str) -> Command {
    Command::new(name)
}
