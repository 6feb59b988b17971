//! Which of the cases in `tests/cases/native` can be told without running a hook.

use crate::place::{Place, cases, codes, name};

/// The cases that a look at the files finds, each with what it says. Of the others the files are in order, and what goes wrong
/// is what a program does when it is asked.
const FOUND: [(&str, &[&str]); 10] = [
    ("A01-trailing-comma", &["syntax"]),
    ("A02-duplicate-hooks-key", &["duplicate_key"]),
    ("A03-one-bad-entry", &["command_is_string"]),
    ("A05-misspelt-hooks-key", &["misspelt_field"]),
    // `Shell`, `shel` and `shell_exec` may be tools of somebody's own; `explain` names what is near.
    (
        "B01-near-miss-names",
        &["pattern_in_tools", "pattern_in_tools", "pattern_in_tools"],
    ),
    ("C01-no-exec-bit", &["not_executable"]),
    ("C02-crlf-shebang", &["carriage_return"]),
    ("C04-bare-name-not-from-workspace", &["program_not_on_path"]),
    ("F04-timeout-zero", &["timeout_out_of_range"]),
    ("F05-timeout-huge", &["timeout_out_of_range"]),
];

/// The cases in which nothing is wrong that can be seen.
const NOT_FOUND: [&str; 30] = [
    "C03-literal-args-odd-path",
    "C06-removed-mid-chain",
    "D01-never-reads-big-input",
    "D02-stderr-flood-first",
    "D04-drip-split-utf8",
    "D05-background-child-holds-stdout",
    "D08-clean-signal-state",
    "D09-reads-to-end-of-input",
    "E01-noise-before-json",
    "E04-near-miss-decision",
    "E05-duplicate-decision",
    "E07-signal-after-allow",
    "E09-wrong-decision-for-event",
    "E10-modify-non-object",
    "E12-foreign-dialect-answer",
    "E16-nan-rewrite",
    "E17-bom-and-crlf",
    "E19-silence-is-not-consent",
    "F01-term-ignoring-tree",
    "F02-answer-then-hang",
    "F07-observer-timeout",
    "G01-replace-not-merge",
    "G02-order-not-speed",
    "G03-deny-stops-chain",
    "G04-rewrite-cannot-smuggle",
    "G05-later-hooks-keep-rewrite",
    "G07-unicode-and-nul",
    "G08-post-replace-chain",
    "H01-input-not-in-env-or-argv",
    "J01-endless-stdout",
];

#[test]
fn each_fault_that_can_be_seen_without_running_a_hook_is_found() {
    let nothing: &[&str] = &[];
    let mut expected: Vec<_> = NOT_FOUND.iter().map(|name| (*name, nothing)).collect();
    expected.extend(FOUND);
    expected.sort_unstable();

    let cases = cases("cases/native");
    let found: Vec<_> = cases
        .iter()
        .map(|case| {
            let ran = Place::of_case(case)
                .with_interpreters()
                .run(&["check", "ws", "--format", "json"]);
            (name(case), codes(&ran.stdout))
        })
        .collect();
    assert_eq!(
        found
            .iter()
            .map(|(name, codes)| (*name, codes.iter().map(String::as_str).collect::<Vec<_>>()))
            .collect::<Vec<_>>(),
        expected
            .into_iter()
            .map(|(name, codes)| (name, codes.to_vec()))
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_workspace_with_an_odd_name_is_looked_at_like_any_other() {
    let case = cases("cases/native")
        .into_iter()
        .find(|case| name(case).starts_with("C03"))
        .expect("the case");
    let place = Place::of_case(&case);
    let odd = "my $HOME work'space; x";
    std::fs::rename(place.path("ws"), place.path(odd)).expect("renamed");
    let ran = place.run(&["check", odd]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
}
