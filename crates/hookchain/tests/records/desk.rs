//! A workspace with two hooks, a directory of records, and the command.

use std::{
    env, fs,
    io::{ErrorKind, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// Denies what says `stop`, fails at what says `break`, and takes out what says `secret`.
const GUARD: &str = r#"#!/bin/sh
read -r request
case $request in
*stop*) echo '{"decision":"deny","reason":"TOKEN=hunter2 says stop"}' ;;
*break*) echo 'password: hunter2' >&2; exit 7 ;;
*secret*) echo '{"decision":"modify","input":{"command":"true"},"reason":"a secret"}' ;;
*) echo '{"decision":"allow"}' ;;
esac
"#;

const HOOKS: &str = r#"{"schema":1,"hooks":[
{"name":"guard","command":["./.basis/guard.sh"],"tools":["shell"]},
{"name":"watch","command":["./.basis/guard.sh"],"on_failure":"allow"}
]}"#;

/// The calls, one per line.
pub(crate) const CALLS: &str = r#"{"tool_name":"shell","input":{"command":"ls"}}
{"tool_name":"shell","input":{"command":"stop"}}
{"tool_name":"read_file","input":{"path":"break"}}
{"tool_name":"shell","input":{"command":"secret"}}
"#;

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
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let basis = directory.path().join("ws/.basis");
        fs::create_dir_all(&basis).expect("a workspace");
        fs::create_dir(directory.path().join("home")).expect("a home");
        fs::write(basis.join("hooks.json"), HOOKS).expect("a hooks file");
        fs::write(basis.join("guard.sh"), GUARD).expect("a hook");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(basis.join("guard.sh"), mode).expect("its mode");
        Self { directory }
    }

    /// With the calls recorded.
    pub(crate) fn recorded(options: &[&str]) -> Self {
        let desk = Self::new();
        desk.record(CALLS, options);
        desk
    }

    #[track_caller]
    pub(crate) fn record(&self, calls: &str, options: &[&str]) {
        let mut words = vec![
            "consult",
            "--workspace",
            "ws",
            "--each-line",
            "--record",
            "records",
        ];
        words.extend(options);
        let ran = self.run_with(&words, calls);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.lines().count(), calls.lines().count());
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.run_with(words, "")
    }

    pub(crate) fn run_with(&self, words: &[&str], stdin: &str) -> Ran {
        self.run_program(env!("CARGO_BIN_EXE_hookchain"), words, stdin)
    }

    /// Runs another program than the command.
    pub(crate) fn run_program(&self, program: &str, words: &[&str], stdin: &str) -> Ran {
        let mut child = self.start_program(program, words);
        let mut pipe = child.stdin.take().expect("piped");
        if let Err(error) = pipe.write_all(stdin.as_bytes()) {
            // One that cannot begin ends without reading.
            assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
        }
        drop(pipe);
        let output = child.wait_with_output().expect("an end");
        let text = |bytes| self.redacted(&String::from_utf8(bytes).expect("UTF-8"));
        Ran {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.start_program(env!("CARGO_BIN_EXE_hookchain"), words)
    }

    fn start_program(&self, program: &str, words: &[&str]) -> Child {
        #[expect(clippy::disallowed_methods, reason = "the command is what is tested")]
        let mut command = Command::new(program);
        #[expect(clippy::disallowed_methods, reason = "the hooks are shell scripts")]
        let path = env::var_os("PATH").unwrap_or_default();
        command
            .env_clear()
            .env("HOME", self.directory.path().join("home"))
            .env("PATH", path)
            .current_dir(self.directory.path())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("started")
    }

    /// Another policy from now on: the program of both hooks, with one text in place of another.
    pub(crate) fn change_guard(&self, from: &str, to: &str) {
        self.change("ws/.basis/guard.sh", from, to);
    }

    /// Another file from now on, with one text in place of another.
    #[track_caller]
    pub(crate) fn change(&self, name: &str, from: &str, to: &str) {
        replace(&self.path(name), from, to);
    }

    /// Other records from now on: the recorded lines with one text in place of another.
    #[track_caller]
    pub(crate) fn change_records(&self, from: &str, to: &str) {
        replace(&self.file(), from, to);
    }

    /// A file below the desk, with the directories that lead to it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("written");
    }

    /// The same, as a program.
    pub(crate) fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), mode).expect("its mode");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The one record file.
    pub(crate) fn file(&self) -> PathBuf {
        let entries = fs::read_dir(self.directory.path().join("records")).expect("records");
        let mut paths = entries.map(|entry| entry.expect("an entry").path());
        let is_records = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl");
        paths.find(is_records).expect("a file")
    }

    /// What is in it.
    pub(crate) fn text(&self) -> String {
        self.redacted(&fs::read_to_string(self.file()).expect("records"))
    }

    fn redacted(&self, text: &str) -> String {
        text.replace(&self.directory.path().display().to_string(), "[desk]")
    }
}

#[track_caller]
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).expect("written");
}

/// What differs from run to run, for snapshots.
pub(crate) const FILTERS: [(&str, &str); 9] = [
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z", "(moment)"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", "(moment)"),
    (r"\d{4}-\d\d-\d\d", "(day)"),
    (r" *\d+(\.\d)? (us|ms|%)", " (number)"),
    (r"[0-9a-f]{12}-\d+", "(consultation)"),
    (
        r#""(duration_ms|queued_ms|p50|p95|p99|max|total|wait_ms|share)":[\d.]+"#,
        r#""$1":(number)"#,
    ),
    (r#""bytes_sent":\d+"#, r#""bytes_sent":(number)"#),
    (r"[0-9a-f]{64}", "(digest)"),
    (
        r#""handler_id":"[0-9a-f]{16}""#,
        r#""handler_id":"(handler)""#,
    ),
];
