//! Running the recorded programs: one after the other, as far as their output is what matters.

use std::{
    io::Write,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::Path,
    process::{Command, Output, Stdio},
    sync::{Mutex, PoisonError},
};

use hook_dialect::Exit;

/// A program that is being written cannot be started, and a child of another thread holds the file open until it runs
/// something of its own. So nothing is written while something is started.
static WRITING_OR_STARTING: Mutex<()> = Mutex::new(());

/// How a program ended, and what it printed.
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(crate) output: Output,
}

/// Writes a program; the recorded mode decides whether it can be run.
pub(crate) fn write(path: &Path, content: &str, mode: u32) {
    let _alone = WRITING_OR_STARTING
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    std::fs::write(path, content).expect("a program");
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("a mode");
}

/// Runs a command line in a shell.
#[expect(
    clippy::disallowed_methods,
    reason = "these tests are about what programs print; how they are started is tested where it is done"
)]
pub(crate) fn run(shell: &str, line: &str, repo: &Path, stdin: &[u8]) -> Ran {
    let alone = WRITING_OR_STARTING
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let mut child = Command::new(shell)
        .args(["-c", line])
        .current_dir(repo)
        .env("CLAUDE_PROJECT_DIR", repo)
        .env("ORACLE_REC", repo)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    drop(alone);
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that does not read is none of our business.
    drop(pipe.write_all(stdin));
    drop(pipe);
    let output = child.wait_with_output().expect("an end");
    let exit = match (output.status.code(), output.status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    };
    Ran { exit, output }
}
