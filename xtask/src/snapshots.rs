//! Snapshots: none waits to be looked at, and accepting them is a deliberate act.

use std::{fs, path::Path};

use crate::{
    Result,
    command::{cargo, root, succeed},
};

/// Tells the snapshot library what to do with a difference.
pub(crate) const UPDATE: &str = "INSTA_UPDATE";

/// Whether no changed snapshot lies about that nobody accepted or refused.
pub(crate) fn check() -> Result {
    let mut pending = Vec::new();
    collect_pending(&root(), &mut pending)?;
    if pending.is_empty() {
        println!("snapshots: none is pending");
        return Ok(());
    }
    Err(format!(
        "these snapshots changed and were neither accepted nor refused; run `cargo xtask bless` and read what it \
         changes, or delete them:\n{}",
        pending.join("\n")
    )
    .into())
}

/// Runs the tests such that every snapshot becomes what they say.
pub(crate) fn accept() -> Result {
    succeed(
        cargo()
            .args(["test", "--workspace", "--all-targets"])
            .env(UPDATE, "always"),
    )
}

fn collect_pending(directory: &Path, pending: &mut Vec<String>) -> Result {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.starts_with('.') {
                collect_pending(&entry.path(), pending)?;
            }
        } else if name.ends_with(".snap.new") || name.ends_with(".pending-snap") {
            pending.push(entry.path().display().to_string());
        }
    }
    Ok(())
}
