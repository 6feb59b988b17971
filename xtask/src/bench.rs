//! The table of `docs/performance.md`, measured on this machine.

use crate::{
    Result,
    command::{cargo, succeed},
};

const OPTIONS: [&str; 5] = ["--quick", "--programs", "--workers", "--bridge", "--peer"];

/// Builds the benchmark with optimisation and runs it; `--peer` also measures the crate basis.
pub(crate) fn run(options: &[&str]) -> Result {
    let unknown = options.iter().find(|option| !OPTIONS.contains(option));
    if let Some(unknown) = unknown {
        let known = OPTIONS.join(", ");
        return Err(format!("`{unknown}` is no option of bench; there are {known}").into());
    }
    // What agents start: the table looks for it beside itself.
    let mut command = cargo();
    succeed(command.args(["build", "--quiet", "--release", "--package", "hookchain"]))?;
    let mut table = cargo();
    table.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "hookchain-bench",
        "--bin",
        "table",
    ]);
    if options.contains(&"--peer") {
        table.args(["--features", "peer"]);
    }
    table.arg("--");
    succeed(table.args(options.iter().filter(|option| **option != "--peer")))
}
