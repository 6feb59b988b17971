use std::fmt::Write as _;

use hook_contract::json::Position;

use super::*;
use crate::test::{
    case::{Expectation, Outcome},
    object::EXPECT,
};

/// Each problem of the text on a line.
#[track_caller]
fn said(text: &str) -> String {
    let problems = read(text).expect_err("wrong");
    assert!(!problems.is_empty(), "refused without a word: {text}");
    let mut said = String::new();
    for told in problems {
        let position = told.position().expect("a place");
        let (line, column) = (position.line, position.column);
        writeln!(said, "{line}:{column}: {}", told.sentence()).expect("text");
    }
    said
}

/// A file with one case.
fn case(case: &str) -> String {
    format!("{{\"schema\": 1, \"cases\": [\n{case}\n]}}")
}

/// A file with one case that expects this.
fn expecting(call: &str, expect: &str) -> String {
    case(&format!(
        "{{\"name\": \"n\", \"call\": {call}, \"expect\":\n{expect}}}"
    ))
}

const CALL: &str = r#"{"tool_name": "shell", "input": {}}"#;
const RESULT: &str =
    r#"{"tool_name": "shell", "input": {}, "event": "post_tool_use", "output": ""}"#;

#[test]
fn everything_of_a_case_is_read_as_it_is_written() {
    let text = r##"{
  "$schema": "x", "schema": 1, "// why": [1, {}],
  "cases": [
    {
      "name": "all of it",
      "# note": "ignored",
      "files": {"a/b.txt": "{{workspace}}\n", "run.sh": {"text": "#!/bin/sh\n", "executable": true}},
      "call": {"tool": "t", "event": "post_tool_use", "input": {"n": 1.10}, "output": 12345678901234567890123},
      "expect": {
        "outcome": "replace", "by": "guard", "reason_contains": "why", "output": [1.0, 1E400000000000000000000],
        "is_error": true, "max_ms": 1000, "asked": ["guard"], "failed": []
      }
    }
  ]
}"##;
    // A number that is out of range cannot be compared.
    assert_eq!(
        said(text),
        "10:88: a number that is out of range; such a value cannot be compared\n"
    );
    let text = text.replace("1E400000000000000000000", "2.50");
    let cases = read(&text).expect("a case file");
    let expected = Case {
        name: "all of it".into(),
        position: Position::at(&text, text.find("    {\n").expect("a case") + 4),
        files: vec![
            NewFile {
                path: "a/b.txt".into(),
                text: Template("{{workspace}}\n".into()),
                executable: false,
            },
            NewFile {
                path: "run.sh".into(),
                text: Template("#!/bin/sh\n".into()),
                executable: true,
            },
        ],
        call: Template(
            r#"{"tool": "t", "event": "post_tool_use", "input": {"n": 1.10}, "output": 12345678901234567890123}"#
                .into(),
        ),
        expect: Expectation {
            outcome: Outcome::Replace,
            by: Some("guard".into()),
            reason_contains: Some(Template("why".into())),
            input: None,
            output: Some(Template("[1.0, 2.50]".into())),
            is_error: Some(true),
            max_ms: Some(1000),
            asked: Some(vec!["guard".into()]),
            failed: Vec::new(),
            context: None,
        },
    };
    assert_eq!(cases, [expected]);
}

#[test]
fn text_that_is_no_case_file_is_told_where_it_stops_being_one() {
    let mut all = String::new();
    for text in [
        "",
        " \n",
        "{\"schema\": 1,\n \"cases\": [}",
        "[]",
        "null",
        "{}",
        r#"{"cases": []}"#,
        r#"{"schema": 2, "case": 3}"#,
        r#"{"schema": "1", "cases": []}"#,
        r#"{"schema": 1, "cases": []}"#,
        r#"{"schema": 1, "cases": {}}"#,
        r#"{"schema": 1, "cases": [1, []]}"#,
        r#"{"schema": 1, "cases": null, "cases": [], "$schema": 7}"#,
        r#"{"schema": 1, "Cases": [], "test": 1}"#,
        r#"{"schema": 1, "cases": [{"na\ud800me": 1}]}"#,
    ] {
        write!(all, "{text}\n{}\n", said(text)).expect("text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn everything_that_is_wrong_with_a_case_is_told_at_once() {
    let mut all = String::new();
    for text in [
        "{}",
        r#"{"nam": "n", "cal": {}, "expct": {}}"#,
        r#"{"name": "", "call": {}, "expect": {}}"#,
        r#"{"name": 7, "call": [], "expect": []}"#,
        r#"{"name": null, "call": null, "expect": null, "files": null}"#,
        r#"{"name": "n", "name": "m", "call": {"tool_name": "t", "tool": "t", "input": 1}, "expect": {"outcome": "allow"}}"#,
        r#"{"name": "n", "call": {"tool_name": "t", "input": 1, "isError": true}, "expect": {"outcome": "allow"}}"#,
        r#"{"name": "n", "call": {"tool_name": "t", "input": 1, "output": 1}, "expect": {"outcome": "allow"}}"#,
        r#"{"name": "n", "call": {"tool_name": "t", "input": 1}, "expect": {"outcome": "allow"}, "tags": []}"#,
    ] {
        let text = case(text);
        write!(all, "{text}\n{}\n", said(&text)).expect("text");
    }
    let twice =
        r#"{"name": "n", "call": {"tool": "t", "input": 1}, "expect": {"outcome": "allow"}}"#;
    let text = case(&format!("{twice},\n{twice}"));
    write!(all, "{text}\n{}\n", said(&text)).expect("text");
    insta::assert_snapshot!(all);
}

#[test]
fn files_are_paths_in_the_workspace() {
    let mut all = String::new();
    for files in [
        r#""x""#,
        r#"{"/etc/passwd": "x", "../x": "x", "a/../../x": "x", "": "x", "./x": "x", "a/": "x", "a//b": "x", "a/.": "x"}"#,
        r#"{"nul\u0000": "x", "esc\u001b[2J/..": "x"}"#,
        r#"{"a": 1, "b": {}, "c": {"text": 1}, "d": {"text": "", "executable": "yes", "mode": 7}, "e": null}"#,
        r#"{"a": "x", "a": "y"}"#,
    ] {
        let text = case(&format!(
            r#"{{"name": "n", "call": {CALL}, "expect": {{"outcome": "allow"}}, "files":
{files}}}"#
        ));
        write!(all, "{files}\n{}\n", said(&text)).expect("text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn an_expectation_that_can_never_hold_is_a_mistake() {
    let mut all = String::new();
    for (call, expect) in [
        (CALL, r#"{"outcome": "denied"}"#),
        (CALL, r#"{"outcome": 1, "by": "", "reason_contains": ""}"#),
        (CALL, r#"{"outcome": "replace", "output": 1}"#),
        (RESULT, r#"{"outcome": "modify", "input": {}}"#),
        (
            CALL,
            r#"{"outcome": "allow", "by": "g", "reason_contains": "r", "input": {}, "output": 1, "is_error": true}"#,
        ),
        (CALL, r#"{"outcome": "deny", "input": {}, "output": 1}"#),
        (CALL, r#"{"outcome": "ask", "output": 1, "is_error": true}"#),
        (RESULT, r#"{"outcome": "ask", "input": {}}"#),
        (CALL, r#"{"outcome": "modify", "input": null}"#),
        (CALL, r#"{"outcome": "modify", "input": {"a": 1, "a": 2}}"#),
        (
            RESULT,
            r#"{"outcome": "replace", "output": "\ud800", "is_error": null}"#,
        ),
        (
            CALL,
            r#"{"outcome": "deny", "asked": [], "by": "g", "failed": ["g"]}"#,
        ),
        (
            CALL,
            r#"{"outcome": "deny", "asked": "g", "failed": [1, "g", null]}"#,
        ),
        (CALL, r#"{"outcome": "deny", "max_ms": 0}"#),
        (CALL, r#"{"outcome": "deny", "max_ms": 86400001}"#),
        (CALL, r#"{"outcome": "deny", "max_ms": 1.5}"#),
        (
            CALL,
            r#"{"outcome": "deny", "reason": "x", "exit_status": 3}"#,
        ),
    ] {
        write!(all, "{expect}\n{}\n", said(&expecting(call, expect))).expect("text");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn who_is_not_asked_can_be_said_in_two_ways() {
    for expect in [
        r#"{"outcome": "allow", "asked": [], "failed": []}"#,
        r#"{"outcome": "deny", "asked": [ ], "failed": [ ]}"#,
    ] {
        let text = expecting(CALL, expect);
        assert_eq!(read(&text).expect("a case file").len(), 1);
    }
}

#[test]
fn the_schema_and_the_reader_are_of_one_mind() {
    let samples = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/schema/samples.json"
    );
    let samples =
        std::fs::read_to_string(samples).expect("the samples that schemas are validated with");
    let samples: serde_json::Value = serde_json::from_str(&samples).expect("JSON");
    let samples = &samples["hook-test.v1"];
    for (kind, is_good) in [("good", true), ("bad", false)] {
        let of_kind = samples[kind].as_object().expect("samples");
        assert!(of_kind.len() > 3, "{kind}");
        for (what, sample) in of_kind {
            let found = read(&sample.to_string());
            assert_eq!(found.is_ok(), is_good, "{kind}, {what}: {found:?}");
        }
    }
}

#[test]
fn the_case_file_of_the_documentation_can_be_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hook-tests.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let example = page.split("```json\n").nth(1).expect("an example");
    let example = example.split("```").next().expect("its end");
    assert_eq!(read(example).expect("a case file").len(), 3);
    for sort in [FILE, CASE, CONTENT, EXPECT] {
        for key in sort.keys.names() {
            assert!(page.contains(key), "the page says nothing of {key}");
        }
    }
}

#[test]
fn places_are_those_of_the_text_wherever_a_case_stands() {
    let mut text = "{\"schema\": 1, \"// ä\": 0, \"cases\": [".to_owned();
    let mut expected = Vec::new();
    for number in 0..50 {
        // Some on the line of the one before, some behind characters of several bytes.
        text.push_str(["", "\n", "  \n\n   "][number % 3]);
        expected.push(Position::at(&text, text.len()));
        writeln!(
            text,
            "{{\"name\": \"é{number}\", \"call\": {CALL}, \"expect\": {{\"outcome\": \"allow\"}}}}{}",
            if number < 49 { "," } else { "]}" }
        )
        .expect("text");
    }
    let cases = read(&text).expect("cases");
    let found: Vec<_> = cases.iter().map(|case| case.position).collect();
    assert_eq!(found, expected);

    let wrong = text.replace("allow", "alow");
    let found = read(&wrong).expect_err("wrong");
    let expected = wrong
        .match_indices("\"alow")
        .map(|(at, _)| Position::at(&wrong, at));
    let found: Vec<_> = found
        .iter()
        .map(|told| told.position().expect("a place"))
        .collect();
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn a_name_is_taken_by_a_case_that_is_wrong_otherwise_too() {
    let first = format!("{{\"name\": \"n\", \"call\": {CALL}}}");
    let second =
        format!("{{\"name\": \"n\", \"call\": {CALL}, \"expect\": {{\"outcome\": \"allow\"}}}}");
    let said = said(&case(&format!("{first},\n{second}")));
    assert!(
        said.contains("3:10: the case on line 2 has the same name"),
        "{said}"
    );
}
