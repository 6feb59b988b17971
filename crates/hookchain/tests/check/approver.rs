//! What `check` says of the program that puts a call to a person.

use crate::place::{Place, codes};

const GLOBAL: &str = "home/.config/basis";

const DECLARED: &str = r#"{
  "schema": 1,
  "approver": { "command": ["./ask", "x"] }
}
"#;

fn declared(text: &str) -> Place {
    let place = Place::new();
    place.directory(GLOBAL, 0o755);
    place.file(&format!("{GLOBAL}/hooks.json"), text, 0o644);
    place
}

#[test]
fn a_program_that_is_missing_is_an_error_at_its_word() {
    let place = declared(DECLARED);
    // It is looked for beside the file, not in the workspace.
    place.file("ws/ask", "#!/bin/sh\n", 0o755);
    let ran = place.run(&["check", "ws"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stdout);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let found = &report["diagnostics"][0];
    assert_eq!(
        (
            found["line"].as_u64(),
            found["column"].as_u64(),
            &found["at"]
        ),
        (Some(3), Some(29), &"approver".into())
    );
}

#[test]
fn a_program_that_is_there_is_fine_and_one_that_cannot_be_run_is_not() {
    let place = declared(DECLARED);
    let ask = format!("{GLOBAL}/ask");
    place.file(&ask, "#!/bin/sh\n", 0o755);
    let ran = place.run(&["check", "ws", "--strict"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);

    let found = |mode| {
        place.file(&ask, "#!/bin/sh\n", mode);
        codes(&place.run(&["check", "ws", "--format", "json"]).stdout)
    };
    assert_eq!(found(0o644), ["not_executable"]);
    assert_eq!(found(0o777), ["writable_by_everybody"]);
    let ran = place.run(&["check", "ws", "--workspace-only"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
}

#[test]
fn a_command_that_cannot_be_one_is_told_once() {
    for (command, code) in [
        (r#"[""]"#, "empty_program"),
        ("[]", "empty_command"),
        (r#"["a\u0000"]"#, "nul_in_command"),
        (r#""./ask x""#, "command_is_string"),
    ] {
        let place = declared(&format!(
            r#"{{"schema": 1, "approver": {{"command": {command}}}}}"#
        ));
        let ran = place.run(&["check", "ws", "--format", "json"]);
        assert_eq!(codes(&ran.stdout), [code], "{command}");
    }
}

#[test]
fn in_a_file_where_it_has_no_business_its_program_is_not_looked_for() {
    let place = Place::new();
    place.directory("ws/.basis", 0o755);
    place.file("ws/.basis/hooks.json", DECLARED, 0o644);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!(codes(&ran.stdout), ["approver_in_workspace"]);
}
