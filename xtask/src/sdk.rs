//! The loops for authors of hooks in Python and in Node: their own tests, and their types.

use std::{path::PathBuf, process::Command};

use crate::{
    Result,
    command::{in_root, on_build_server, root, shown, succeed, target},
    tool::{installed, installed_by_npm, starts},
};

const PYTHON: &str = "sdk/python";
const NODE: &str = "sdk/node";
const MYPY: &str = "mypy==2.4.1";
const TYPESCRIPT: &str = "typescript@5.9.3";

/// Whether they ran; each needs its interpreter, and nothing else.
pub(crate) fn tests() -> Result<bool> {
    let mut python = in_root("python3");
    python.args(["-W", "error", "-m", "unittest", "discover"]);
    python
        .args(["-s", "tests", "-t", "."])
        .env("PYTHONPATH", "src")
        .current_dir(root().join(PYTHON));
    let mut node = in_root("node");
    node.arg("--test").current_dir(root().join(NODE));
    let mut ran = true;
    for mut tests in [python, node] {
        ran &= if starts(in_root(tests.get_program()).arg("--version")) {
            succeed(&mut tests)?;
            true
        } else {
            skipped(&format!("{} is not installed", shown(&tests)))?
        };
    }
    Ok(ran)
}

/// Whether both type checkers ran; they are installed below the directory that cargo builds in.
pub(crate) fn types() -> Result<bool> {
    let python = match mypy() {
        Some(mypy) => {
            succeed(Command::new(mypy).current_dir(root().join(PYTHON)))?;
            true
        }
        None => skipped(&format!("{MYPY} could not be installed"))?,
    };
    let node = match typescript() {
        Some(compiler) => {
            let mut check = in_root("node");
            succeed(check.arg(compiler).args(["--project", NODE]))?;
            true
        }
        None => skipped(&format!("{TYPESCRIPT} could not be installed"))?,
    };
    Ok(python && node)
}

/// The type checker for Python, in a virtual environment of its own.
fn mypy() -> Option<PathBuf> {
    let directory = target().join("mypy-venv");
    let python = directory.join("bin/python");
    installed(&directory, MYPY, || {
        let mut create = in_root("python3");
        let created = starts(create.args(["-m", "venv", "--clear"]).arg(&directory));
        let mut install = in_root(&python);
        install.args(["-m", "pip", "install", "--quiet"]);
        created && starts(install.args(["--disable-pip-version-check", MYPY]))
    })
    .then(|| directory.join("bin/mypy"))
}

fn typescript() -> Option<PathBuf> {
    let directory = target().join("typescript");
    installed_by_npm(&directory, TYPESCRIPT)
        .then(|| directory.join("node_modules/typescript/bin/tsc"))
}

/// Nothing may be left out on a build server.
fn skipped(message: &str) -> Result<bool> {
    if on_build_server() {
        return Err(message.into());
    }
    println!("skipped: {message}");
    Ok(false)
}
