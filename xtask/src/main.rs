//! The workspace's own tasks. `cargo xtask` alone lists them.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for people at a terminal"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "the bans are for the libraries; this starts cargo and git and reads their environment"
)]

mod bench;
mod ci;
mod command;
mod demo;
mod deny;
mod dialects;
mod e2e;
mod fuzz;
mod python;
mod schema;
mod sdk;
mod snapshots;
mod soak;
mod tidy;
mod tool;
mod workspace;

use std::{error::Error, process::ExitCode};

/// What a task comes to. The error is for a person: it says what to do.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
usage: cargo xtask <task>

  ci               every gate, as CI runs it
  check            schema --check, dialects --check, snapshots and tidy: what needs no build of the workspace
  dialects [--check]
                   write the book's page for each agent whose hooks run here, or say whether they are up to date
  schema [--check] write the JSON Schemas, or say whether they are up to date and compatible
  bless            write the JSON Schemas and those pages, and accept every changed snapshot; read the diff afterwards
  tidy             what no compiler checks: file sizes, layers, decision records, links, wording
  sdk              the tests and the types of the loops for hooks in Python and in Node
  e2e [claude | codex] [--only TEXT] [--show]
                   Claude Code, Codex or both, guarded by the bridge, against a scripted model; where their packages can
                   be installed
  bench [--quick] [--programs|--workers|--bridge] [--peer]
                   the table of docs/performance.md on this machine, or its rows about one thing; with --peer also the
                   crate basis
  soak [--consults N] [--seed S] [--at-once K] [--only I]
                   random consultations against a model of the chain, with optimisation
  fuzz [TARGET] [--seconds N]
                   one fuzz target or each of them, a minute unless it is said, where cargo-fuzz is installed
  deny             licences, bans, advisories and sources of the dependencies, where cargo-deny is installed";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["ci"] => ci::run(),
        ["check"] => check(),
        ["dialects"] => dialects::write(),
        ["dialects", "--check"] => dialects::check(),
        ["schema"] => schema::write(),
        ["schema", "--check"] => schema::check(),
        ["bless"] => dialects::write()
            .and_then(|()| schema::write())
            .and_then(|()| snapshots::accept()),
        ["tidy"] => tidy::run(),
        ["sdk"] => sdk::tests().and_then(|_ran| sdk::types()).map(|_ran| ()),
        ["e2e", options @ ..] => e2e::run(options),
        ["bench", options @ ..] => bench::run(options),
        ["soak", options @ ..] => soak::run(options),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["deny"] => deny::run().map(|_ran| ()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// All of it is said at once, not only the first.
fn check() -> Result {
    let parts = [
        schema::check(),
        dialects::check(),
        snapshots::check(),
        tidy::run(),
    ];
    let problems: Vec<String> = parts
        .into_iter()
        .filter_map(|part| part.err().map(|error| error.to_string()))
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(problems.join("\n").into())
}
