//! The page about moving here from basis: it lists every public item of `basis::hooks` and no other, and what it says of the
//! types here holds. Its code is compiled and run by the documentation tests of this package and of hook-mentra.

#[path = "from_basis/page.rs"]
mod page;
#[cfg(feature = "basis")]
#[path = "from_basis/source.rs"]
mod source;
#[path = "from_basis/traits.rs"]
mod traits;

use std::collections::BTreeSet;

use self::page::Page;

#[cfg(feature = "basis")]
#[test]
fn the_page_lists_every_public_item_of_basis_and_no_other() {
    let page = Page::read();
    let source = source::Source::find();
    assert_same(&page.items(), &source.items(), "items");
    assert_same(
        &page.names_imported(),
        &source.names(),
        "names in the `use` block",
    );
    assert_same(&page.traits_with_basis(), &source.traits(), "traits");
}

/// Both lists have what the other has.
#[cfg(feature = "basis")]
#[track_caller]
fn assert_same(page: &BTreeSet<String>, source: &BTreeSet<String>, what: &str) {
    let missing: Vec<_> = source.difference(page).collect();
    let invented: Vec<_> = page.difference(source).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "{what} of docs/book/src/moving/from-basis.md: missing {missing:#?}, not in basis {invented:#?}"
    );
    assert!(!source.is_empty(), "{what}");
}

#[test]
fn each_change_that_the_list_names_is_shown_in_code_for_both_sides() {
    let page = Page::read();
    let linked = page.sections_linked_from_the_list();
    assert!(linked.len() > 8, "{linked:?}");
    for section in linked {
        let blocks = page.rust_blocks(&section);
        let of_basis = |block: &&String| block.contains(r#"#[cfg(feature = "basis")]"#);
        let before = blocks.iter().filter(of_basis).count();
        let one_for_both = blocks.len() == 1 && blocks[0].lines().count() > 3;
        assert!(
            before == 1 && (blocks.len() == 2 || one_for_both),
            "{section}: {} blocks, {before} of them of basis",
            blocks.len()
        );
    }
}

#[test]
fn the_types_here_have_the_traits_that_the_page_says() {
    let page = Page::read();
    let said: BTreeSet<String> = page.traits_here();
    let proved: BTreeSet<String> = traits::PROVED
        .iter()
        .flat_map(|(name, traits)| traits.iter().map(move |of| format!("{name}: {of}")))
        .collect();
    let unproved: Vec<_> = said.difference(&proved).collect();
    let unsaid: Vec<_> = proved.difference(&said).collect();
    assert!(
        unproved.is_empty() && unsaid.is_empty(),
        "said and not proved {unproved:#?}, proved and not said {unsaid:#?}"
    );
}
