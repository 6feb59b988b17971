//! The JSON Schemas in `schemas/`: written from the types, and never broken once released.

mod compat;

use std::{fs, path::PathBuf};

use hookchain::documents::{Document, all};
use serde_json::Value;
use similar::TextDiff;

use crate::{
    Result,
    command::{git, output, root},
};

/// How to mend a schema that is out of date.
const REMEDY: &str = "run `cargo xtask schema` and commit what it changes";

fn path(document: &Document) -> PathBuf {
    root().join("schemas").join(document.file)
}

/// Writes every schema.
pub(crate) fn write() -> Result {
    fs::create_dir_all(root().join("schemas"))?;
    for document in all() {
        let text = document.text();
        if fs::read_to_string(path(&document)).is_ok_and(|committed| committed == text) {
            println!("schemas/{} is up to date", document.file);
        } else {
            fs::write(path(&document), text)?;
            println!("schemas/{} is rewritten", document.file);
        }
    }
    Ok(())
}

/// Whether every committed schema is what the types say, and compatible with the newest release.
pub(crate) fn check() -> Result {
    let mut problems = Vec::new();
    for document in all() {
        let committed = fs::read_to_string(path(&document)).unwrap_or_default();
        let fresh = document.text();
        if committed == fresh {
            continue;
        }
        let name = document.file;
        let diff = TextDiff::from_lines(&committed, &fresh);
        let mut diff = diff.unified_diff();
        let diff = diff.header(&format!("schemas/{name}"), "as the types say");
        problems.push(format!(
            "schemas/{name} is out of date; {REMEDY}\n{}",
            diff.to_string().trim_end()
        ));
    }
    problems.extend(breaking_changes()?);
    if problems.is_empty() {
        println!("schemas: up to date");
        return Ok(());
    }
    Err(problems.join("\n\n").into())
}

/// What a reader or writer of the newest release's schemas could no longer rely on.
fn breaking_changes() -> Result<Vec<String>> {
    let tags = output(git().args(["tag", "--merged", "HEAD", "--sort=-version:refname"]))?;
    let Some(tag) = tags.lines().next() else {
        println!("schemas: there is no tag yet, so there is no release to be compatible with");
        return Ok(Vec::new());
    };
    let mut problems = Vec::new();
    for document in all() {
        let name = document.file;
        let Ok(released) = output(git().args(["show", &format!("{tag}:schemas/{name}")])) else {
            println!("schemas: {name} is newer than the release {tag}");
            continue;
        };
        let released: Value = serde_json::from_str(&released)
            .map_err(|error| format!("schemas/{name} in {tag} is not JSON: {error}"))?;
        let broken = compat::breaking_changes(&released, &document.value());
        problems.extend(broken.into_iter().map(|change| {
            format!(
                "schemas/{name} breaks who relies on {tag}: {change}; keep version 1 as it was released and make \
                 this change in a version 2 (ADR 0004)"
            )
        }));
    }
    if problems.is_empty() {
        println!("schemas: compatible with {tag}");
    }
    Ok(problems)
}
