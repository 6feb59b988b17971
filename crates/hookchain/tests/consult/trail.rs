//! Who was asked and what each said, as JSON.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::workspace::Workspace;

/// One step of every kind, and a note.
fn workspace() -> Workspace {
    Workspace::with_hooks(&[
        (
            "quiet",
            "",
            r#"read -r request; echo '{"decision":"allow"}'"#,
        ),
        (
            "broken",
            r#""on_failure":"allow""#,
            "read -r request; echo 'no policy' >&2; exit 9",
        ),
        ("killed", r#""on_failure":"allow""#, "kill -9 $$"),
        (
            "rewrite",
            "",
            r#"read -r request; echo '{"decision":"modify","input":{"command":"ls -l","id":1.10},"reason":"long"}'"#,
        ),
        (
            "odd",
            "",
            r#"read -r request; echo '{"decision":"allow","input":{"command":"rm"}}'"#,
        ),
        (
            "guard",
            "",
            r#"read -r request; echo '{"decision":"deny","reason":"not today"}'"#,
        ),
        ("never", "", "touch asked"),
    ])
}

const CALL: &str = r#"{"tool":"shell","input":{"command":"ls","cwd":"/"}}"#;

#[test]
fn the_trail_holds_a_step_for_everybody_who_was_asked() {
    let workspace = workspace();
    let ran = workspace.consult_with(&["--trail"], CALL);
    assert_eq!(ran.status, Some(3));
    assert_eq!(ran.stdout.lines().count(), 1, "one object on one line");
    assert!(!workspace.path().join("asked").exists());
    let over_lines = ran
        .stdout
        .replace(r#",{"kind""#, ",\n  {\"kind\"")
        .replace(r#",""#, ",\n    \"");
    insta::with_settings!({filters => vec![
        (r#""(took_ms|queued_ms)":\d+\.\d{1,3}(,|\n)"#, "\"$1\":\"[time]\"$2"),
        (r#""bytes_sent":\d+(,|\n)"#, "\"bytes_sent\":\"[size]\"$1"),
    ]}, {
        insta::assert_snapshot!(workspace.redacted(&over_lines));
    });
}

#[test]
fn a_trail_is_asked_for() {
    let ran = workspace().consult_with(&[], CALL);
    assert_eq!(
        ran.stdout,
        "{\"outcome\":\"deny\",\"reason\":\"denied by hook 'guard': not today\"}\n"
    );
    let ran = Workspace::empty().consult_with(&["--trail"], CALL);
    assert_eq!(
        ran.stdout,
        "{\"outcome\":\"allow\",\"trail\":[],\"notes\":[]}\n"
    );
}

/// The keys of all the objects in the list under `list`.
fn keys(outcome: &Value, list: &str) -> BTreeSet<String> {
    let objects = outcome[list].as_array().expect("a list").iter();
    objects
        .flat_map(|object| object.as_object().expect("an object").keys().cloned())
        .collect()
}

#[test]
fn the_documented_example_has_the_fields_there_are() {
    let page = include_str!("../../../../docs/consult-json.md");
    let example = page
        .split("```json\n")
        .find(|block| block.contains("\"trail\""))
        .expect("an example");
    let example = example.split("```").next().expect("its end");
    let example: Value = serde_json::from_str(example).expect("JSON");
    let ran = workspace().consult_with(&["--trail"], CALL);
    let outcome: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(keys(&example, "trail"), keys(&outcome, "trail"));
    assert_eq!(keys(&example, "notes"), keys(&outcome, "notes"));
}
