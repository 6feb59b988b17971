//! The demonstration in `examples/demo` does what its page says.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::workspace::{Workspace, run};

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

/// Ways to write a forced push that read the same to whoever parses JSON.
const FORCED: [&str; 3] = [
    r#"{"command":"git push --force"}"#,
    r#"{"command":"git push \u002d-force"}"#,
    r#"{"comm\u0061nd":"git push \u002D\u002Dforce"}"#,
];

#[test]
fn an_escape_gets_no_call_past_the_guard_of_the_demonstration() {
    let demo = demo();
    let with_tab = r#"{"command":"git push\t--force"}"#;
    for input in FORCED.into_iter().chain([with_tab]) {
        let workspace = demo.to_str().expect("UTF-8");
        let args = ["consult", "--workspace", workspace];
        let ran = run(&[&args[..], &["--tool", "shell", "--input", input]].concat());
        assert_eq!(ran.status, Some(3), "{input}: {}", ran.stdout);
        assert!(ran.stdout.contains("denied by hook 'no-force-push'"));
    }
}

#[test]
fn the_hook_in_the_readme_denies_what_it_says() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = fs::read_to_string(readme).expect("a page");
    let script = readme
        .split("```sh\n#!/bin/sh\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a hook");
    let workspace = Workspace::with_hooks(&[("no-force-push", r#""tools":["shell"]"#, script)]);
    for input in FORCED {
        let ran = workspace.consult(&["--tool", "shell", "--input", input]);
        assert_eq!(ran.status, Some(3), "{input}: {}", ran.stdout);
        assert!(ran.stdout.contains("denied by hook 'no-force-push'"));
    }
    let plain = ["--tool", "shell", "--input", r#"{"command":"git push"}"#];
    assert_eq!(
        workspace.consult(&plain).stdout,
        "{\"outcome\":\"allow\"}\n"
    );
}
