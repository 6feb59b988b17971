//! What matchers select, and that nothing makes them slow.

use proptest::prelude::*;

use super::{
    bounded::{Bounded, MAX_VISITS},
    ecma::{MAX_STEPS, Pattern},
    *,
};

const CLAUDE: MatcherMode =
    MatcherMode::literal_or_regex("_- ,|", &['|', ','], true, RegexLanguage::EcmaScript);
const CODEX: MatcherMode = MatcherMode::literal_or_regex("_|", &['|'], false, RegexLanguage::Rust);

#[track_caller]
fn check(mode: MatcherMode, pattern: &str, yes: &[&str], no: &[&str]) {
    let matcher = Matcher::parse(Some(pattern), mode);
    assert_eq!(matcher.problem(), None, "{pattern}");
    let set = MatcherSet::new([matcher.clone()]);
    for (queries, expected) in [(yes, true), (no, false)] {
        for query in queries {
            assert_eq!(matcher.matches(query), expected, "{pattern} on {query}");
            let selected = !set.select(&[query]).is_empty();
            assert_eq!(selected, expected, "{pattern} on {query}, in a set");
        }
    }
}

#[test]
fn absent_empty_and_star_match_everything() {
    for mode in [CLAUDE, CODEX] {
        for pattern in [None, Some(""), Some("*")] {
            assert!(Matcher::parse(pattern, mode).matches("anything"));
        }
    }
}

#[test]
fn plain_texts_are_lists_of_exact_names() {
    check(
        CLAUDE,
        "Edit, Write",
        &["Edit", "Write"],
        &["MultiEdit", "Edit, Write"],
    );
    check(CLAUDE, "Bash |  Edit", &["Bash", "Edit"], &["BashX"]);
    check(CLAUDE, "mcp__srv", &["mcp__srv"], &["mcp__srv__note"]);
    check(CLAUDE, "Bash-", &["Bash-"], &["Bash"]);
    check(CODEX, "Bash|", &["Bash", ""], &["Bash|", "b"]);
    check(CODEX, "Edit, Write", &["Edit, Write"], &["Edit"]);
    check(CODEX, " Bash", &["a Bash"], &["Bash"]);
}

#[test]
fn other_texts_are_expressions_that_match_anywhere() {
    check(CLAUDE, "Edit.*", &["Edit", "NotebookEdit"], &["Bash"]);
    check(CLAUDE, "Bash*", &["Bash", "Bas"], &["Ba"]);
    check(CLAUDE, "Bash(sh *)", &["Bashsh "], &["Bash"]);
    check(CLAUDE, r"^(?!mcp__)", &["Bash"], &["mcp__a__b"]);
    check(CLAUDE, r"(?<=mcp__)\w+$", &["mcp__a"], &["mcp_a"]);
    check(CLAUDE, r"(.)\1", &["Bassh"], &["Bash"]);
    check(CLAUDE, r"(?i:bash)", &["BASH", "bash"], &["Ba sh"]);
    check(CLAUDE, "^.$", &["a", "é"], &["🚫", "ab"]);
    check(CLAUDE, "^..$", &["ab", "🚫"], &["a"]);
    check(CODEX, "(?i)bash", &["BASH"], &["Ba sh"]);
    check(CODEX, "^.$", &["a", "🚫"], &["ab"]);
    check(CODEX, r"^\p{L}+$", &["aé"], &["a1"]);
}

#[test]
fn an_invalid_expression_is_a_problem_and_matches_nothing() {
    for (mode, pattern, what) in [
        (CLAUDE, "[", "unterminated class at character 1"),
        (CLAUDE, "*Bash", "nothing to repeat at character 1"),
        (CLAUDE, "a(b", "unterminated group at character 2"),
        (CLAUDE, "(?i)bash", "invalid group at character 1"),
        (
            CLAUDE,
            "[z-a]",
            "range out of order in a class at character 3",
        ),
        (
            CODEX,
            "(?=a)",
            "look-around, including look-ahead and look-behind, is not supported",
        ),
    ] {
        let matcher = Matcher::parse(Some(pattern), mode);
        let what = what.to_owned();
        assert_eq!(matcher.problem(), Some(&MatcherProblem::Invalid { what }));
        for query in ["", "Bash", pattern] {
            assert!(!matcher.matches(query));
            assert!(
                MatcherSet::new([matcher.clone()])
                    .select(&[query])
                    .is_empty()
            );
        }
    }
}

#[test]
fn a_pattern_that_is_too_large_matches_everything() {
    let long = format!("^{}", "a".repeat(MAX_PATTERN_BYTES));
    let nested = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    for (mode, pattern) in [
        (CLAUDE, long.as_str()),
        (CODEX, &long),
        (CLAUDE, &nested),
        (CLAUDE, "(?:(?:a{100}){100}){100}"),
        (CODEX, r"(?:\w{100}){100}"),
    ] {
        let matcher = Matcher::parse(Some(pattern), mode);
        assert_eq!(matcher.problem(), Some(&MatcherProblem::TooLarge));
        assert!(matcher.matches("Bash"));
    }
}

/// Patterns that take a backtracking engine for ever.
const HOSTILE: [&str; 12] = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "(.*)*x",
    "^(?:.*a){20}$",
    r"^(?=(a+)+$)b",
    r"^(?=(?=(?=(a*)*b)*)*)c",
    r"(a*)*\1b",
    r"^(a+)*\1{9}b",
    r"(?<=(a+)+)b",
    r"(x+x+)+y",
    r"([a-z]+)*\d(?!\1)",
];

#[test]
fn a_hostile_pattern_takes_a_bounded_number_of_steps() {
    for pattern in HOSTILE {
        for subject in ["a", "x", "ab"] {
            let subject = subject.repeat(200 / subject.len());
            if let Ok(pattern) = Pattern::parse(pattern) {
                let search = pattern.search(&subject);
                assert!(search.steps <= MAX_STEPS, "{search:?}");
            }
            if let Ok(pattern) = Bounded::parse(pattern) {
                assert!(pattern.visits(subject.len()) <= MAX_VISITS);
            }
        }
    }
}

#[test]
fn what_cannot_be_decided_counts_as_a_match() {
    let pattern = Pattern::parse(r"^(a+)*\1{9}b").expect("a pattern");
    let subject = "a".repeat(200);
    assert_eq!(pattern.search(&subject).found, None);
    let matcher = Matcher::parse(Some(r"^(a+)*\1{9}b"), CLAUDE);
    assert!(matcher.matches(&subject));
    assert_eq!(MatcherSet::new([matcher]).select(&[&subject]), [0]);
}

#[test]
fn linear_patterns_are_decided_however_hostile() {
    let pattern = Pattern::parse("^(a|a)*$").expect("a pattern");
    assert_eq!(pattern.search(&"a".repeat(2000)).found, Some(true));
    let subject = format!("{}b", "a".repeat(2000));
    assert_eq!(pattern.search(&subject).found, Some(false));
}

#[test]
fn a_set_selects_each_once_and_in_order() {
    let patterns = [
        "Write|Edit",
        "apply_.*",
        "*",
        "Edit",
        "[",
        "^Edit$",
        "(?!x)W",
    ];
    let set = MatcherSet::new(patterns.map(|p| Matcher::parse(Some(p), CLAUDE)));
    assert_eq!(
        set.select(&["apply_patch", "Write", "Edit"]),
        [0, 1, 2, 3, 5, 6]
    );
    assert_eq!(set.select(&["Bash"]), [2]);
    assert_eq!(set.select(&[]), [2]);
    assert_eq!(set.matchers().len(), 7);
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "c", "B", "-", "_", ".", "|", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!",
        "(?<n>", r"\k<n>", "[", "]", "[^", "*", "+", "?", "*?", "{2}", "{1,}", "{,2}", "{0,2}",
        "{", "}", "^", "$", r"\b", r"\B", r"\d", r"\W", r"\s", r"\1", r"\2", r"\0", r"\x61",
        r"\u0062", r"\cA", r"\c", r"\", "(?i:", "(?s-m:", "é", "ß", "\n", " ", ",", "1",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// The reference engine lets a word boundary be repeated, which the standard and other engines do not.
fn repeats_a_word_boundary(pattern: &str) -> bool {
    let repeats = |rest: &str| rest.starts_with(['*', '+', '?', '{']);
    let boundaries = [r"\b", r"\B"];
    boundaries
        .iter()
        .any(|b| pattern.split(b).skip(1).any(repeats))
}

fn subject() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "c", "B", "A", "-", "_", "1", "é", "É", "\n", "ß",
    ]);
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_pattern_means_what_the_reference_engine_says(pattern in pieces(), subject in subject()) {
        let ours = Pattern::parse(&pattern);
        let theirs = regress::Regex::new(&pattern);
        prop_assume!(!repeats_a_word_boundary(&pattern));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours.err(), theirs.err());
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            let found = theirs.find(&subject).is_some();
            prop_assert_eq!(ours.search(&subject).found, Some(found));
        }
    }

    #[test]
    fn one_pass_over_many_says_what_each_says(
        patterns in prop::collection::vec(pieces(), 1..8),
        subject in subject(),
        rust in any::<bool>(),
    ) {
        let mode = if rust { CODEX } else { CLAUDE };
        let matchers: Vec<_> = patterns.iter().map(|p| Matcher::parse(Some(p), mode)).collect();
        let one_by_one: Vec<_> = (0..matchers.len()).filter(|i| matchers[*i].matches(&subject)).collect();
        prop_assert_eq!(MatcherSet::new(matchers).select(&[&subject]), one_by_one);
    }

    #[test]
    fn no_pattern_takes_more_than_its_steps_on_a_long_text(pattern in pieces(), piece in subject()) {
        let text: String = piece.chars().cycle().take(200).collect();
        if let Ok(pattern) = Pattern::parse(&pattern) {
            prop_assert!(pattern.search(&text).steps <= MAX_STEPS);
        }
    }

    #[test]
    fn any_text_is_a_matcher_that_answers_within_its_bounds(pattern in any::<String>(), query in ".{0,200}") {
        for mode in [CLAUDE, CODEX] {
            let matcher = Matcher::parse(Some(&pattern), mode);
            let matches = matcher.matches(&query);
            let selected = MatcherSet::new([matcher]).select(&[&query]);
            prop_assert_eq!(!selected.is_empty(), matches);
        }
        if let Ok(pattern) = Pattern::parse(&pattern) {
            prop_assert!(pattern.search(&query).steps <= MAX_STEPS);
        }
    }
}
