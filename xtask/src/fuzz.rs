//! The fuzz targets, where cargo-fuzz is installed.

use std::fs;

use crate::{
    Result,
    command::{cargo, has_subcommand, root, succeed},
};

/// How long a target runs unless it is said.
const SECONDS: &str = "60";

/// How large an input is at most, in bytes: more than any seed, and small enough for many a second.
const MAX_INPUT: u32 = 8192;

/// Runs one target, or each.
pub(crate) fn run(options: &[&str]) -> Result {
    let (names, seconds) = match options {
        [] => (targets()?, SECONDS),
        ["--seconds", seconds] => (targets()?, *seconds),
        [name] => (vec![(*name).to_owned()], SECONDS),
        [name, "--seconds", seconds] | ["--seconds", seconds, name] => {
            (vec![(*name).to_owned()], *seconds)
        }
        _ => return Err("usage: cargo xtask fuzz [TARGET] [--seconds N]".into()),
    };
    let seconds: u32 = seconds
        .parse()
        .map_err(|_error| format!("`{seconds}` is no number of seconds"))?;
    if !has_subcommand("fuzz") {
        return Err(
            "cargo-fuzz is not installed; `cargo install cargo-fuzz --locked` does, and needs a C++ compiler".into(),
        );
    }
    for name in names {
        println!("=== {name}, {seconds} s");
        fuzz(&name, seconds)?;
    }
    Ok(())
}

/// What is found is added to `fuzz/corpus`, which is not under version control; `fuzz/seeds` is.
fn fuzz(name: &str, seconds: u32) -> Result {
    let corpus = format!("fuzz/corpus/{name}");
    fs::create_dir_all(root().join(&corpus))?;
    let mut fuzz = cargo();
    // The instrumentation needs flags that a stable compiler takes only when it is told so.
    fuzz.env("RUSTC_BOOTSTRAP", "1");
    fuzz.args(["fuzz", "run", name, &corpus, &format!("fuzz/seeds/{name}")]);
    fuzz.args(["--", "-print_final_stats=1", "-dict=fuzz/words.dict"]);
    fuzz.arg(format!("-max_len={MAX_INPUT}"));
    succeed(fuzz.arg(format!("-max_total_time={seconds}")))
}

/// The targets there are, in alphabetical order.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("fuzz/targets"))? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .and_then(|stem| stem.to_str().map(str::to_owned)),
        );
    }
    names.sort();
    Ok(names)
}
