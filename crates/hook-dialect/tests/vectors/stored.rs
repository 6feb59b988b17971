//! The files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// A folder of recordings.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests chooses the recordings"
)]
pub(crate) fn folder(name: &str) -> PathBuf {
    let chosen = std::env::var_os("HOOKCHAIN_VECTORS").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    chosen.unwrap_or(own).join(name)
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
