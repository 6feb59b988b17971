//! The report for programs, as `docs/check-json.md` describes it.

use crate::place::Place;

/// The line with an object of its lists on each line.
fn lines(json: &str) -> String {
    assert_eq!(json.matches('\n').count(), 1, "one line");
    serde_json::from_str::<serde_json::Value>(json).expect("JSON");
    json.replace("[{", "[\n{").replace("},{", "},\n{")
}

#[test]
fn the_report_holds_what_a_person_reads() {
    let place = Place::with_hooks_file(
        r#"{
  "schema": 1,
  "owner": "us",
  "hooks": [
    { "name": "guard", "command": ["./.basis/hooks/guard.sh"], "tool": ["shell"] },
    { "command": ["./.basis/hooks/gone.sh"],
      "event": "stop" }
  ]
}
"#,
    );
    place.file("ws/.basis/hooks/guard.sh", "#!/bin/sh\n", 0o644);
    place.directory("home/.config/basis/hooks.json", 0o755);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(lines(&ran.stdout));
}

#[test]
fn a_report_without_findings_is_a_report() {
    let ran = Place::new().run(&["check", "ws", "--format", "json", "--strict"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(lines(&ran.stdout));
}

#[test]
fn columns_count_characters_and_ends_are_told() {
    let place = Place::with_hooks_file(
        "{\"schema\": 1, \"hooks\": [\n{\"name\": \"gr\u{fc}n\", \"command\": [\"/no/one\"], \"tools\": [\n]}]}",
    );
    let ran = place.run(&["check", "ws", "--format", "json"]);
    insta::assert_snapshot!(lines(&ran.stdout));
}

#[test]
fn test_cases_are_files_of_the_report() {
    let place = Place::with_hooks_file(r#"{"schema": 1, "hooks": []}"#);
    place.directory("ws/.basis/tests", 0o755);
    let case =
        r#"{"name": "n", "call": {"tool": "t", "input": {}}, "expect": {"outcome": "allow"}}"#;
    let fine = format!(r#"{{"schema": 1, "cases": [{case}]}}"#);
    place.file("ws/.basis/tests/a.hooktest.json", &fine, 0o644);
    let wrong = fine.replace("allow", "alow");
    place.file("ws/.basis/tests/b.hooktest.json", &wrong, 0o644);
    place.file("ws/.basis/tests/c.json", "no case file", 0o644);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(lines(&ran.stdout));
}
