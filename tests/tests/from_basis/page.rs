//! The page, taken apart.

use std::{collections::BTreeSet, fs, path::Path};

/// Where the list of items begins, and where that of traits does.
const ITEMS: &str = "## Every public item";
const TRAITS: &str = "### Traits";
const CHANGES: &str = "## Code that changes";

pub(crate) struct Page {
    text: String,
}

impl Page {
    pub(crate) fn read() -> Self {
        let path = "../docs/book/src/moving/from-basis.md";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = fs::read_to_string(path).expect("the page");
        Self { text }
    }

    fn between(&self, from: &str, to: &str) -> &str {
        let (_, rest) = self.text.split_once(from).expect(from);
        rest.split_once(to).expect(to).0
    }

    /// The items of basis, by their paths below `basis::hooks`.
    #[cfg(feature = "basis")]
    pub(crate) fn items(&self) -> BTreeSet<String> {
        let rows = rows(self.between(ITEMS, TRAITS));
        rows.iter().flat_map(|cells| spans(&cells[0])).collect()
    }

    /// The names that the block with every name of basis imports.
    #[cfg(feature = "basis")]
    pub(crate) fn names_imported(&self) -> BTreeSet<String> {
        let list = self.between("use basis::hooks::{", "};");
        let names = list.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// `Type: Trait` for each trait of a type of basis.
    #[cfg(feature = "basis")]
    pub(crate) fn traits_with_basis(&self) -> BTreeSet<String> {
        let rows = rows(self.between(TRAITS, CHANGES));
        let pairs = rows.iter().flat_map(|cells| {
            let types = spans(&cells[0]);
            let traits = spans(&cells[1]);
            types
                .into_iter()
                .flat_map(move |name| pairs(&name, &traits))
        });
        pairs.collect()
    }

    /// `Type: Trait` for each trait of a type here: those that it is said to have, and where "these" stands, those of basis.
    pub(crate) fn traits_here(&self) -> BTreeSet<String> {
        let rows = rows(self.between(TRAITS, CHANGES));
        let pairs = rows.iter().flat_map(|cells| {
            // What stands behind a semicolon is a remark.
            let here = cells[2].split(';').next().unwrap_or_default();
            let mut traits = spans(here);
            if here.starts_with("these") || here.starts_with("this") {
                traits.extend(spans(&cells[1]));
            }
            let types = spans(&cells[0]);
            types
                .into_iter()
                .flat_map(move |name| pairs(&name, &traits))
        });
        pairs.collect()
    }

    /// The anchors below "Code that changes" to which the list leads.
    pub(crate) fn sections_linked_from_the_list(&self) -> BTreeSet<String> {
        let list = self.between(ITEMS, CHANGES);
        let links = list.split("](#").skip(1);
        let links = links.filter_map(|rest| rest.split_once(')'));
        links.map(|(anchor, _)| anchor.to_owned()).collect()
    }

    /// The blocks of Rust in the section with this anchor.
    pub(crate) fn rust_blocks(&self, anchor: &str) -> Vec<String> {
        let (_, changes) = self.text.split_once(CHANGES).expect(CHANGES);
        let mut sections = changes.split("\n### ").skip(1);
        let section = sections.find(|section| {
            let heading = section.lines().next().unwrap_or_default();
            anchor_of(heading) == anchor
        });
        let section = section.unwrap_or_else(|| panic!("no section {anchor}"));
        let section = section.split("\n## ").next().unwrap_or_default();
        let blocks = section.split("```rust\n").skip(1);
        let blocks = blocks.filter_map(|rest| rest.split_once("\n```"));
        blocks.map(|(block, _)| block.to_owned()).collect()
    }
}

/// As a page renderer makes the anchor of a heading.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().chars();
    let kept = kept.filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| {
        if c == ' ' {
            '-'
        } else {
            c.to_ascii_lowercase()
        }
    })
    .collect()
}

/// The cells of each row of the tables in a text, without their heads.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut is_body = false;
    for line in text.lines() {
        let Some(inner) = line.strip_prefix("| ") else {
            is_body = line.starts_with("|---");
            continue;
        };
        if is_body {
            let inner = inner.trim_end_matches('|');
            rows.push(
                inner
                    .split(" | ")
                    .map(|cell| cell.trim().to_owned())
                    .collect(),
            );
        }
    }
    assert!(!rows.is_empty(), "no table");
    rows
}

/// The texts in backticks.
fn spans(cell: &str) -> Vec<String> {
    let parts = cell.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

fn pairs(name: &str, traits: &[String]) -> Vec<String> {
    traits.iter().map(|of| format!("{name}: {of}")).collect()
}

#[test]
fn a_row_is_its_cells_and_a_cell_its_spans() {
    let text = "| a | b |\n|---|---|\n| `x`, `y::z` | w |\n\n| c | d |\n|---|---|\n| `q` | r |\n";
    let rows = rows(text);
    assert_eq!(rows.len(), 2);
    assert_eq!(spans(&rows[0][0]), ["x", "y::z"]);
    assert_eq!(
        anchor_of("A call, or a request by hand"),
        "a-call-or-a-request-by-hand"
    );
}
