//! A workspace and a home, and the command in an environment of its own.

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A `PATH` with what hooks of the tests are written in, the same on every machine.
pub(crate) const SEARCH_PATH: &str = "/usr/bin:/bin";

/// Files of a case that say how to run it.
const OF_THE_CASE: [&str; 6] = [
    "README.md",
    "call.json",
    "expect.json",
    "report.snap",
    "setup.json",
    "setup.sh",
];

/// A workspace `ws` in a directory of its own, beside a `home` without a global hooks file.
pub(crate) struct Place {
    directory: TempDir,
    variables: Vec<(&'static str, String)>,
}

/// What a run of the command left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// Without hooks.
    pub(crate) fn new() -> Self {
        let place = Self {
            directory: tempfile::tempdir().expect("a directory"),
            variables: vec![("PATH", SEARCH_PATH.into())],
        };
        // Whatever the umask is: who may write to what is looked at.
        for directory in ["ws", "ws/.basis", "ws/.basis/hooks", "home"] {
            place.directory(directory, 0o755);
        }
        let home = place.path("home").display().to_string();
        place.with_variable("HOME", home)
    }

    /// With the workspace's hooks file.
    pub(crate) fn with_hooks_file(text: &str) -> Self {
        let place = Self::new();
        place.file("ws/.basis/hooks.json", text, 0o644);
        place
    }

    /// With a case of `tests/`, prepared as its page says.
    pub(crate) fn of_case(case: &Path) -> Self {
        let place = Self::new();
        for entry in fs::read_dir(case).expect("a case") {
            let path = entry.expect("a file").path();
            let name = path.file_name().and_then(OsStr::to_str).expect("a name");
            if OF_THE_CASE.contains(&name) {
                continue;
            }
            let to = if name == "hooks.json" {
                "ws/.basis/hooks.json".to_owned()
            } else {
                format!("ws/.basis/hooks/{name}")
            };
            let mode = path.metadata().expect("a file").permissions().mode() & 0o111;
            place.file(&to, fs::read(&path).expect("a file"), 0o644 | mode);
        }
        let setup = case.join("setup.sh");
        if setup.exists() {
            let mut bash = command("bash");
            bash.arg("-c").arg("umask 022; . \"$0\"").arg(setup);
            let status = bash.current_dir(place.path("ws")).status();
            assert!(status.expect("bash").success(), "{}", case.display());
        }
        place
    }

    pub(crate) fn with_variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// With interpreters that some machines have elsewhere, or not at all. Nothing runs them.
    pub(crate) fn with_interpreters(self) -> Self {
        self.directory("bin", 0o755);
        for name in ["bash", "python3"] {
            self.file(&format!("bin/{name}"), "#!/bin/sh\n", 0o755);
        }
        let bin = self.path("bin").display().to_string();
        self.with_variable("PATH", format!("{bin}:{SEARCH_PATH}"))
    }

    /// What is at this path from the directory of the place. The directory for temporary files may be behind a link.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        let directory = fs::canonicalize(self.directory.path()).expect("a directory");
        directory.join(relative)
    }

    pub(crate) fn directory(&self, relative: &str, mode: u32) {
        fs::create_dir_all(self.path(relative)).expect("a directory");
        self.mode(relative, mode);
    }

    pub(crate) fn file(&self, relative: &str, text: impl AsRef<[u8]>, mode: u32) {
        fs::write(self.path(relative), text).expect("a file");
        self.mode(relative, mode);
    }

    fn mode(&self, relative: &str, mode: u32) {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.path(relative), mode).expect("a mode");
    }

    /// Runs the command in the directory of the place, with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    /// Runs the command in the directory of the place; what it prints names the directory nowhere.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Ran {
        let mut command = command(env!("CARGO_BIN_EXE_hookchain"));
        command
            .args(args)
            .env_clear()
            .envs(self.variables.iter().cloned())
            .current_dir(self.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("started");
        let mut pipe = child.stdin.take().expect("piped");
        // A command that does not read is no failure of the writer, and what is written here fits a pipe.
        let _unread = pipe.write_all(stdin.as_bytes());
        drop(pipe);
        let output = child.wait_with_output().expect("ended");
        let directory = self.path("x").display().to_string();
        let directory = directory.trim_end_matches('x');
        let text = |bytes| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(directory, "/place/")
        };
        Ran {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// The directories below `tests/` in the root of the repository, in order.
pub(crate) fn cases(below: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests"));
    let entries = fs::read_dir(root.join(below)).expect("the cases");
    let mut cases: Vec<_> = entries
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    cases
}

pub(crate) fn name(case: &Path) -> &str {
    case.file_name().and_then(OsStr::to_str).expect("a name")
}

/// The codes of what a report in JSON lists, in its order.
pub(crate) fn codes(json: &str) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let found = report["diagnostics"].as_array().expect("an array");
    found
        .iter()
        .map(|found| found["code"].as_str().expect("a word").to_owned())
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the program under test, and the shell that prepares a case"
)]
fn command(name: &str) -> Command {
    Command::new(name)
}
