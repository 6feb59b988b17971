//! The files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::agent::LeftOut;

/// Whether the recordings are the workspace's own.
pub(crate) fn is_own() -> bool {
    chosen().is_none()
}

/// A folder of recordings.
pub(crate) fn folder(name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    chosen().unwrap_or(own).join(name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests chooses the recordings"
)]
fn chosen() -> Option<PathBuf> {
    std::env::var_os("HOOKCHAIN_VECTORS").map(PathBuf::from)
}

pub(crate) fn read(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a file that is a list of them.
pub(crate) fn rows(folder_name: &str, file: &str) -> Vec<Value> {
    match read(&folder(folder_name).join(file)) {
        Value::Array(rows) => rows,
        Value::Object(mut file) => match file.remove("cases") {
            Some(Value::Array(rows)) => rows,
            _ => panic!("{file:?} has no cases"),
        },
        _ => panic!("{file} is no list"),
    }
}

/// Fails with everything that differs, and says how much was compared.
#[track_caller]
pub(crate) fn all_agree(what: &str, compared: usize, differences: &[String]) {
    println!("{what}: {compared} compared");
    assert!(
        differences.is_empty(),
        "{what}: {} of {compared} differ\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared > 0, "{what}: nothing was compared");
}

/// The rows that are compared: those about these events, less what is left out. What is left out is counted by its reason;
/// of the workspace's own recordings it is less than one in ten, and every reason is one of a row that is there.
pub(crate) fn compared<'r>(
    what: &str,
    rows: &'r [Value],
    events: &[&str],
    reasons: &[LeftOut],
) -> Vec<&'r Value> {
    let is_played = |row: &Value| events.iter().any(|event| row["event"] == *event);
    let why = |row: &Value| reasons.iter().find(|(_, holds)| holds(row));
    let compared = rows
        .iter()
        .filter(|row| is_played(row) && why(row).is_none());
    let compared: Vec<&Value> = compared.collect();
    for (reason, holds) in reasons {
        let left_out = rows.iter().filter(|row| holds(row)).map(|row| &row["id"]);
        let left_out: Vec<_> = left_out.collect();
        println!(
            "{what}: {} left out, {reason}: {left_out:?}",
            left_out.len()
        );
        let is_there = !left_out.is_empty();
        assert!(
            is_there || !is_own(),
            "{what}: no row is left out because {reason}"
        );
    }
    let left_out = rows.len() - compared.len();
    println!("{what}: {left_out} of {} left out", rows.len());
    let few = left_out * 10 < rows.len();
    assert!(
        few || !is_own(),
        "{what}: {left_out} of {} are left out",
        rows.len()
    );
    compared
}
