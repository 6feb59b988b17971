//! The pages, and the blocks in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository")
}

/// Where the pages are.
pub(crate) fn source() -> PathBuf {
    repository().join("docs/book/src")
}

/// One page.
pub(crate) struct Page {
    /// Below the folder of pages.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A fenced block, and what the comment above it says about it.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) line: usize,
    pub(crate) language: String,
    pub(crate) text: String,
    pub(crate) marker: Option<String>,
}

/// Every page, in the order of their names.
pub(crate) fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    collect(&source(), "", &mut pages);
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

pub(crate) fn page(name: &str) -> Page {
    let text = fs::read_to_string(source().join(name)).expect("a page");
    let name = name.to_owned();
    Page { name, text }
}

fn collect(folder: &Path, above: &str, pages: &mut Vec<Page>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = format!("{above}{}", name.expect("UTF-8"));
        if path.is_dir() {
            collect(&path, &format!("{name}/"), pages);
        } else {
            let text = fs::read_to_string(&path).expect("a page");
            pages.push(Page { name, text });
        }
    }
}

impl Page {
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut marker = None;
        let mut open: Option<Block> = None;
        for (index, line) in self.text.lines().enumerate() {
            match &mut open {
                Some(_) if line == "```" => blocks.extend(open.take()),
                Some(block) => block.add(line),
                None => {
                    open = line
                        .strip_prefix("```")
                        .map(|language| Block::new(index + 1, language, marker.take()));
                    let comment = line.strip_prefix("<!-- ");
                    let comment = comment.and_then(|rest| rest.strip_suffix(" -->"));
                    marker = comment.map(str::to_owned);
                }
            }
        }
        assert!(open.is_none(), "{}: a block does not end", self.name);
        blocks
    }
}

impl Block {
    fn new(line: usize, language: &str, marker: Option<String>) -> Self {
        Self {
            line,
            language: language.to_owned(),
            text: String::new(),
            marker,
        }
    }

    fn add(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The file that is shown in its place.
    pub(crate) fn included(&self) -> Option<&str> {
        let rest = self.text.trim().strip_prefix("{{#include ")?;
        rest.strip_suffix("}}")
    }
}
