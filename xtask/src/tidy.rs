//! What no compiler checks.
//!
//! Each check gives problems as lines for a person: where, what, and what to do.

mod decisions;
mod layers;
mod links;
mod packages;
mod sizes;
mod wording;

use std::fs;

use crate::{
    Result,
    command::{git, output, root},
};

/// Looks at the whole tree; everything that is wrong is said at once.
pub(crate) fn run() -> Result {
    let files = tracked()?;
    let problems = [
        sizes::check(&files),
        decisions::check(&files),
        links::check(&files),
        wording::check(&files),
        packages::check(&files),
        changelog(&files),
        layers::check()?,
    ]
    .concat();
    if problems.is_empty() {
        println!("tidy: {} files", files.len());
        return Ok(());
    }
    Err(format!("tidy:\n{}", problems.join("\n")).into())
}

/// A text file under version control.
struct Tracked {
    /// Relative to the workspace, with `/`.
    path: String,
    text: String,
}

impl Tracked {
    fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    fn is_document(&self) -> bool {
        self.has_extension("md")
    }

    fn has_extension(&self, extension: &str) -> bool {
        self.path
            .rsplit_once('.')
            .is_some_and(|(_, found)| found == extension)
    }

    /// The lines, counted from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}

/// Every text file that is tracked or could be, so that a file is looked at before it is added.
fn tracked() -> Result<Vec<Tracked>> {
    let paths = output(git().args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    ]))?;
    let read = |path: &str| {
        // A file that was deleted and not yet removed from the index, or that is no text, is of no concern.
        let text = fs::read_to_string(root().join(path)).ok()?;
        Some(Tracked {
            path: path.to_owned(),
            text,
        })
    };
    let paths = paths.split('\0').filter(|path| !path.is_empty());
    Ok(paths.filter_map(read).collect())
}

fn changelog(files: &[Tracked]) -> Vec<String> {
    let has_room = |file: &Tracked| {
        file.path == "CHANGELOG.md" && file.text.lines().any(|line| line == "## [Unreleased]")
    };
    if files.iter().any(has_room) {
        return Vec::new();
    }
    vec!["CHANGELOG.md: it must exist and have a section `## [Unreleased]`".into()]
}
