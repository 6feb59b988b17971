use hook_config::HooksFile;
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::check::report::State;

/// The window around the part of `text` between the two marks `<` and `>`, drawn with the same marks.
#[track_caller]
fn check(text: &str, expected: &str) {
    let start = text.find('<').expect("a mark");
    let end = text.find('>').expect("a mark") - 1;
    let text = text.replace(['<', '>'], "");
    let found = Diagnostic::error("e", "e").at(&text, start..end);
    let window = Window::around(&text, &found.place.expect("a place"));
    let mut marked = window.text.into_owned();
    marked.insert(window.span.end, '>');
    marked.insert(window.span.start, '<');
    assert_eq!(marked, expected);
}

#[test]
fn a_window_is_the_lines_of_what_is_meant() {
    check("a\nb <c> d\ne", "b <c> d");
    check("a\nb <c\nd> e\nf", "b <c\nd> e");
    check("<>", "<>");
    check("a\n<>", "<>");
    check("a<>\n", "a<>");
}

#[test]
fn what_could_drive_a_terminal_is_marked_and_carets_stay_in_place() {
    check(
        "a\u{9b}1m <\u{202e}c> \u{1b}",
        "a\u{fffd}1m <\u{fffd}c> \u{fffd}",
    );
    check("<\u{9b}>", "<\u{fffd}>");
    check("\u{9b}<>", "\u{fffd}<>");
}

#[test]
fn a_carriage_return_is_a_part_of_the_line_end() {
    check("a <b>\r\nc", "a <b>");
    check("a <b\r\nc> d\r\n", "a <b\nc> d");
    check("a <\r> b", "a <\u{fffd}> b");
}

#[test]
fn a_line_without_end_is_looked_at_near_what_is_meant() {
    let long = "\u{e4}".repeat(10_000);
    let window = "\u{e4}".repeat(MARGIN / 2);
    check(&format!("{long}<b>{long}"), &format!("{window}<b>{window}"));
}

/// Pieces of hooks files, and what may stand between them.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\u{9b}",
    "\u{202e}",
    "\u{e4}",
    "\u{1f47e}",
    "\u{301}",
    "\u{200d}",
    "\u{0}",
    "\"schema\":1,",
    "\"hooks\":[",
    "{\"name\":\"g\",",
    "\"command\":[\"x\"]",
    "\"evnt\":1",
    "\"tools\":[\n\n]",
    "{\"schema\":2,\"hooks\":[{\"name\":\"\u{202e}\",\"tool\":[",
];

/// Draws everything that is found in a text.
fn drawn(text: &str) -> String {
    let examined = HooksFile::examine(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = LookedFor {
        agent: None,
        scope: "workspace",
        path: Some("ws/\u{1b}hooks.json".into()),
        state: State::Read {
            directory: None,
            approver: None,
            text: text.to_owned(),
            entries: examined.entries,
        },
    };
    let found = examined.problems.iter().chain(&examined.warnings);
    found
        .map(|found| anstream::adapter::strip_str(&draw(found, &file)).to_string())
        .collect()
}

proptest! {
    #[test]
    fn whatever_a_file_holds_can_be_drawn(
        text in prop_oneof![any::<String>(), vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())]
    ) {
        let drawn = drawn(&text);
        let harmful = |c: &char| *c != '\n' && !shown::is_harmless(*c);
        prop_assert_eq!(drawn.chars().find(harmful), None, "{}", drawn);
    }
}
