//! What is said about each broken file in `tests/fixtures/broken`: a snapshot beside each.

use std::collections::BTreeSet;

use crate::place::{Place, cases, codes, name};

/// Every code that a report can hold, as `docs/check-json.md` lists them.
fn documented() -> BTreeSet<String> {
    let page = include_str!("../../../../docs/check-json.md");
    let (_, codes) = page.split_once("## The codes").expect("a list of codes");
    let rows = codes.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| Some(row.split_once('`')?.0.to_owned()))
        .collect()
}

/// Codes that no file in the repository can show: they depend on the machine, the account or the environment, or take
/// more than a hundred mistakes, or a host with transports of its own. Each has a test of its own, here or where it is found.
const NOT_SHOWN: [&str; 13] = [
    "in_workspace",
    "more",
    "may_not_be_run",
    "named_global_dir",
    "needs_command",
    "no_global_dir",
    "outside",
    "program_unreachable",
    "read",
    "relative_global_dir",
    "two_transports",
    "workspace",
    "writable_by_group",
];

#[test]
fn each_broken_file_gets_its_report() {
    let cases = cases("fixtures/broken");
    assert!(cases.len() >= 30, "{} cases", cases.len());
    for case in cases {
        let place = Place::of_case(&case);
        let ran = place.run(&["check", "ws"]);
        let strict = place.run(&["check", "ws", "--strict"]);
        let [status, with_strict] =
            [&ran, &strict].map(|ran| ran.status.map_or_else(String::new, |code| code.to_string()));
        let report = format!(
            "exit status {status}, with --strict {with_strict}\n\n{}",
            ran.stdout
        );
        assert_eq!(ran.stderr, "");
        assert_eq!(strict.status, Some(1), "{}", case.display());
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(&case);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("report", report, name(&case)));
    }
}

#[test]
fn each_kind_of_mistake_is_documented_and_shown_by_a_file() {
    let mut shown = BTreeSet::new();
    for case in cases("fixtures/broken") {
        let ran = Place::of_case(&case).run(&["check", "ws", "--format", "json"]);
        shown.extend(codes(&ran.stdout));
    }
    let not_shown = NOT_SHOWN.map(str::to_owned);
    let expected: BTreeSet<_> = shown.into_iter().chain(not_shown).collect();
    assert_eq!(documented(), expected);
}

#[test]
fn nothing_of_a_file_reaches_the_terminal_unescaped() {
    for case in cases("fixtures/broken") {
        let ran = Place::of_case(&case).run(&["check", "ws"]);
        let harmful =
            |c: &char| *c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}'));
        assert_eq!(ran.stdout.chars().find(harmful), None, "{}", case.display());
    }
}
