//! The table of `docs/performance.md`, measured on this machine.

use crate::{
    Result,
    command::{cargo, succeed},
};

/// Builds the benchmark with optimisation and runs it; `--peer` also measures the crate basis.
pub(crate) fn run(options: &[&str]) -> Result {
    if let Some(unknown) = options
        .iter()
        .find(|option| !matches!(**option, "--quick" | "--workers" | "--bridge" | "--peer"))
    {
        return Err(format!(
            "`{unknown}` is no option of bench; there are --quick, --workers, --bridge and --peer"
        )
        .into());
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
