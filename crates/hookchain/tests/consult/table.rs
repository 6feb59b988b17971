//! The table of `tests/drivers`, through the command. mentra's adapter goes through the same one.

use std::{fs, path::PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::workspace::{Workspace, run};

/// One line; the values as they were written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    call: Box<RawValue>,
    outcome: Box<RawValue>,
}

#[test]
fn the_command_answers_as_the_table_says() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/drivers");
    let directory = fs::canonicalize(directory).expect("a directory");
    let table: PathBuf = directory.join("table.jsonl");
    let rows: Vec<Row> = fs::read_to_string(table)
        .expect("the table")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    let beside = Workspace::empty();
    let calls: Vec<_> = rows.iter().map(|row| row.call.get()).collect();
    let calls = beside.file("calls.jsonl", &calls.join("\n"));
    let directory = directory.to_str().expect("UTF-8");
    let args = ["consult", "--workspace", directory, "--each-line", "--call"];
    let ran = run(&[&args[..], &[&calls]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let printed = ran.stdout.replace(directory, "[workspace]");
    let printed: Vec<_> = printed.lines().collect();
    let expected: Vec<_> = rows.iter().map(|row| row.outcome.get()).collect();
    assert_eq!(printed, expected);
}
