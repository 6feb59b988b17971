//! Prints the table of `docs/performance.md`: every row of spec 08, measured on this machine.
//!
//! usage: `table [--quick] [--programs] [--workers] [--bridge]` (a tenth of the rounds, to see that it runs; only the rows
//! about programs that are started; only those about workers; only those about the bridge, for which the command must
//! have been built beside this program)

use std::process::ExitCode;

use hookchain_bench::{allocations::Counting, programs::Programs};

mod bridge;
mod in_process;
mod peer;
mod processes;
mod records;
mod row;
mod workers;

use row::Row;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

fn main() -> ExitCode {
    let has = |option: &str| std::env::args().any(|argument| argument == option);
    match measure(if has("--quick") { 30 } else { 300 }, &has) {
        Ok(rows) => show(&rows),
        Err(error) => {
            report(&format!("the benchmark could not be run: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(rounds: usize, has: &dyn Fn(&str) -> bool) -> std::io::Result<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    let programs = Programs::build(directory.path())?;
    if has("--programs") {
        return processes::rows(&programs, rounds, "");
    }
    if has("--workers") {
        return workers::rows(&programs, rounds);
    }
    if has("--bridge") {
        return bridge::rows(&programs, rounds);
    }
    let mut rows = in_process::rows(rounds)?;
    rows.push(in_process::memory(&programs)?);
    rows.extend(records::rows(rounds)?);
    rows.extend(processes::rows(&programs, rounds, "")?);
    rows.extend(processes::at_once(&programs, rounds)?);
    rows.extend(workers::rows(&programs, rounds)?);
    rows.extend(bridge::rows(&programs, rounds)?);
    let ballast = processes::hold(1 << 30);
    rows.extend(processes::rows(&programs, rounds, ", 1 GiB held")?);
    drop(ballast);
    Ok(rows)
}

fn show(rows: &[Row]) -> ExitCode {
    report("| what | must be | measured | peer |\n|---|---|---|---|");
    for row in rows {
        report(&row.to_string());
    }
    let missed = rows.iter().filter(|row| !row.holds).count();
    report(&format!(
        "\n{} rows, {missed} missed (marked with !)",
        rows.len()
    ));
    ExitCode::SUCCESS
}

#[expect(clippy::print_stdout, reason = "the table is what this program is for")]
fn report(text: &str) {
    println!("{text}");
}
