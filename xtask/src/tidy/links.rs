//! Links from one document to another file of the repository.

use std::path::Path;

use super::Tracked;
use crate::command::root;

pub(super) fn check(files: &[Tracked]) -> Vec<String> {
    let documents = files.iter().filter(|file| file.is_document());
    documents.flat_map(broken_links).collect()
}

fn broken_links(file: &Tracked) -> Vec<String> {
    let directory = root().join(Path::new(&file.path).parent().unwrap_or(Path::new("")));
    let mut problems = Vec::new();
    for (line, text) in file.lines() {
        for target in targets(text) {
            let path = target.split('#').next().unwrap_or_default();
            let is_elsewhere = target.contains("://") || target.starts_with("mailto:");
            if !is_elsewhere && !path.is_empty() && !directory.join(path).exists() {
                problems.push(format!(
                    "{}:{line}: the link leads nowhere: {target}",
                    file.path
                ));
            }
        }
    }
    problems
}

/// What the inline links of a line lead to.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("](").skip(1);
    after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_of_a_line_are_found() {
        let line = "see [one](a.md), [two](b/c.md#part) and `[0](x`";
        assert_eq!(targets(line).collect::<Vec<_>>(), ["a.md", "b/c.md#part"]);
    }
}
