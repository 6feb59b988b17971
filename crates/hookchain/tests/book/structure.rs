//! What a build of the book would find, and what it would not.

use std::collections::BTreeSet;

use super::page::{Page, page, pages, repository, source};

/// The targets of the links of a page, with their lines.
fn links(page: &Page) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in page.text.lines().enumerate() {
        let after = line.split("](").skip(1);
        let targets = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
        found.extend(targets.map(|target| (index + 1, target.to_owned())));
    }
    found
}

/// The anchor that a heading gets: as mdBook makes it of one without markup.
fn anchors(page: &Page) -> BTreeSet<String> {
    let headings = page.text.lines().filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len()).then(|| text.trim().to_lowercase())
    });
    headings
        .map(|text| {
            let kept = text
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn the_summary_lists_every_page_and_nothing_else() {
    let listed: Vec<String> = links(&page("SUMMARY.md"))
        .into_iter()
        .map(|(_, target)| target)
        .collect();
    let mut sorted = listed.clone();
    sorted.sort();
    let there: Vec<String> = pages()
        .into_iter()
        .map(|page| page.name)
        .filter(|name| name != "SUMMARY.md")
        .collect();
    assert_eq!(sorted, there);
    for name in listed {
        let page = page(&name);
        assert!(page.text.starts_with("# "), "{name} begins with its title");
    }
}

#[test]
fn every_link_leads_to_a_file_and_to_a_heading_in_it() {
    for from in pages() {
        for (line, target) in links(&from) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = source().join(&from.name);
            let folder = folder.parent().expect("a folder");
            let path = if file.is_empty() {
                source().join(&from.name)
            } else {
                folder.join(file)
            };
            let shown = format!("{}:{line}: {target}", from.name);
            assert!(path.exists(), "{shown}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&path).expect(&shown);
                let name = String::new();
                let headings = anchors(&Page { name, text });
                assert!(headings.contains(anchor), "{shown}: {headings:?}");
            }
        }
    }
}

#[test]
fn what_is_included_is_there() {
    let mut count = 0;
    for page in pages() {
        for block in page.blocks() {
            let Some(file) = block.included() else {
                assert!(!block.text.contains("{{#"), "{}:{}", page.name, block.line);
                continue;
            };
            let folder = source().join(&page.name);
            let path = folder.parent().expect("a folder").join(file);
            assert!(path.is_file(), "{}:{}: {file}", page.name, block.line);
            count += 1;
        }
    }
    assert_eq!(count, 24, "eight recipes in three languages");
}

#[test]
fn the_book_is_where_its_configuration_says() {
    let text = std::fs::read_to_string(repository().join("docs/book/book.toml")).expect("a file");
    for line in ["[book]", "src = \"src\"", "create-missing = false"] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
}
