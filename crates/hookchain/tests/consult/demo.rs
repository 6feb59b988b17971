//! The demonstration in `examples/demo` does what its page says.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::workspace::run;

fn demo() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/demo"))
}

#[test]
fn one_command_shows_a_denial_a_rewrite_and_a_redaction() {
    let demo = demo();
    let calls = demo.join("calls.jsonl");
    let args = [
        "consult",
        "--workspace",
        demo.to_str().expect("UTF-8"),
        "--format",
        "human",
        "--each-line",
        "--call",
        calls.to_str().expect("UTF-8"),
    ];
    let ran = run(&args);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let shown = ran
        .stdout
        .replace(demo.to_str().expect("UTF-8"), "examples/demo");
    insta::with_settings!({filters => vec![(r"\d+\.\d+ m?s", "[time]")]}, {
        insta::assert_snapshot!(shown);
    });
}

#[test]
fn the_calls_in_files_are_those_in_lines() {
    let lines = fs::read_to_string(demo().join("calls.jsonl")).expect("calls");
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let files = ["1-force-push", "2-deploy", "3-token"].map(|name| {
        let path = demo().join(format!("calls/{name}.json"));
        let text = fs::read_to_string(path).expect("a call");
        serde_json::from_str::<Value>(&text).expect("JSON")
    });
    assert_eq!(lines, files);
}
