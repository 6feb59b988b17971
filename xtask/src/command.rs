//! Running other programs: cargo, git, python.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Result;

/// The directory of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The directory cargo builds in.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that started this.
pub(crate) fn cargo() -> Command {
    in_root(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub(crate) fn git() -> Command {
    in_root("git")
}

/// Any program, in the directory of the workspace.
pub(crate) fn in_root(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Whether cargo has this subcommand.
pub(crate) fn has_subcommand(name: &str) -> bool {
    let asked = cargo().args([name, "--version"]).output();
    asked.is_ok_and(|output| output.status.success())
}

/// Whether this is a build server, where nothing may be skipped.
pub(crate) fn on_build_server() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// Runs it with its output on this terminal.
pub(crate) fn succeed(command: &mut Command) -> Result {
    let status = command
        .status()
        .map_err(|error| format!("could not start {}: {error}", shown(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} ended with {status}", shown(command)).into())
}

/// Runs it and gives what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .map_err(|error| format!("could not start {}: {error}", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let status = output.status;
    Err(format!("{} ended with {status}\n{errors}", shown(command)).into())
}

/// The command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let words = [program.file_name().unwrap_or(program.as_os_str())];
    let words = words.into_iter().chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}
