//! What comes out, and the exit status that says it.

use std::fs;

use crate::workspace::{Ran, Workspace};

const CALL: &str = r#"{"tool_name":"shell","input":{"command":"ls"}}"#;
const RESULT: &str =
    r#"{"event":"post_tool_use","tool_name":"shell","input":{"command":"ls"},"output":"a\n"}"#;

fn ran(status: i32, stdout: &str, stderr: &str) -> Ran {
    Ran {
        status: Some(status),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    }
}

#[test]
fn a_call_that_nobody_objects_to_is_allowed() {
    let allowed = ran(0, "{\"outcome\":\"allow\"}\n", "");
    assert_eq!(Workspace::empty().call(CALL), allowed);
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"allow"}"#);
    assert_eq!(workspace.call(CALL), allowed);
}

#[test]
fn a_denied_call_ends_with_a_status_of_its_own() {
    let workspace = Workspace::answering(
        "pre_tool_use",
        r#"{"decision":"deny","reason":"not today"}"#,
    );
    let expected = "{\"outcome\":\"deny\",\"reason\":\"denied by hook 'guard': not today\"}\n";
    assert_eq!(workspace.call(CALL), ran(3, expected, ""));
}

#[test]
fn a_rewritten_call_carries_its_new_input() {
    let workspace = Workspace::answering(
        "pre_tool_use",
        r#"{"decision":"modify","input":{"command":"ls -l"},"reason":"long"}"#,
    );
    let expected = "{\"outcome\":\"modify\",\"input\":{\"command\":\"ls -l\"},\"reason\":\"hook 'guard': long\"}\n";
    assert_eq!(workspace.call(CALL), ran(0, expected, ""));
}

#[test]
fn a_replaced_result_carries_its_new_output() {
    let workspace = Workspace::answering(
        "post_tool_use",
        r#"{"decision":"replace","output":["b"],"is_error":true}"#,
    );
    let expected = "{\"outcome\":\"replace\",\"output\":[\"b\"],\"is_error\":true,\"reason\":\"hook 'guard'\"}\n";
    assert_eq!(workspace.call(RESULT), ran(0, expected, ""));
    assert_eq!(
        workspace.call(CALL),
        ran(0, "{\"outcome\":\"allow\"}\n", ""),
        "a hook for results is not asked about calls"
    );
}

#[test]
fn a_hook_that_breaks_denies_and_is_reported() {
    let workspace = Workspace::with_hooks(&[("guard", "", "echo 'no policy' >&2; exit 9")]);
    let expected =
        "{\"outcome\":\"deny\",\"reason\":\"denied, because hook 'guard' ended with status 9\"}\n";
    let report =
        "hook 'guard' ended with status 9; the call was denied; it printed on stderr:\nno policy\n";
    assert_eq!(workspace.call(CALL), ran(3, expected, report));
}

#[test]
fn a_hook_that_breaks_and_may_is_reported_all_the_same() {
    let workspace = Workspace::with_hooks(&[("log", r#""on_failure":"allow""#, "exit 9")]);
    let report = "hook 'log' ended with status 9; it was passed over (on_failure is allow)\n";
    assert_eq!(
        workspace.call(CALL),
        ran(0, "{\"outcome\":\"allow\"}\n", report)
    );
}

#[test]
fn the_call_can_come_from_a_file_from_standard_input_or_from_flags() {
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"deny","reason":"no"}"#);
    let denied = ran(
        3,
        "{\"outcome\":\"deny\",\"reason\":\"denied by hook 'guard': no\"}\n",
        "",
    );
    let file = workspace.file("call.json", &format!("\u{feff}{CALL}\n"));
    assert_eq!(workspace.consult(&["--call", &file]), denied);
    assert_eq!(workspace.consult_with(&["--call", "-"], CALL), denied);
    assert_eq!(workspace.consult_with(&[], CALL), denied);
    let flags = ["--tool", "shell", "--input", r#"{"command":"ls"}"#];
    assert_eq!(workspace.consult(&flags), denied);
}

#[test]
fn the_flags_say_what_a_file_can_say() {
    let workspace = Workspace::with_hooks(&[(
        "keep",
        r#""event":"post_tool_use""#,
        r#"tee request.json >/dev/null; echo '{"decision":"allow"}'"#,
    )]);
    let ran = workspace.consult(&[
        "--event",
        "post_tool_use",
        "--tool",
        "shell",
        "--input",
        r#"{ "id": 123456789012345678901234567890 }"#,
        "--output",
        r#""text""#,
        "--is-error",
    ]);
    assert_eq!(ran.stdout, "{\"outcome\":\"allow\"}\n");
    let request = fs::read_to_string(workspace.path().join("request.json")).expect("asked");
    let expected = r#"{"hook_schema":1,"event":"post_tool_use","workspace":"[workspace]","agent_id":"cli","tool_call_id":"cli-1","tool_name":"shell","input":{"id":123456789012345678901234567890},"output":"text","is_error":true}"#;
    assert_eq!(workspace.redacted(&request), format!("{expected}\n"));
}

#[test]
fn every_digit_passes_in_both_directions() {
    let workspace = Workspace::with_hooks(&[(
        "echo",
        "",
        r#"read -r request
input=${request#*'"input":'}
printf '{"decision":"modify","input":%s\n' "$input""#,
    )]);
    let ran = workspace.call(r#"{"tool":"t","input":{"n":12345678901234567890123, "x":1.1000000000000000000010, "e":1E+2}}"#);
    let expected = r#"{"outcome":"modify","input":{"n":12345678901234567890123,"x":1.1000000000000000000010,"e":1E+2},"reason":"hook 'echo'"}"#;
    assert_eq!(ran.stdout, format!("{expected}\n"));
}

#[test]
fn a_call_that_can_be_read_in_two_ways_is_denied_before_anybody_is_asked() {
    let workspace = Workspace::with_hooks(&[
        ("before", "", r#"touch asked; echo '{"decision":"allow"}'"#),
        (
            "after",
            r#""event":"post_tool_use""#,
            r#"touch asked; echo '{"decision":"allow"}'"#,
        ),
    ]);
    let input = workspace.call(r#"{"tool":"t","input":{"path":"a","path":"b"}}"#);
    let expected = r#"{"outcome":"deny","reason":"denied before any hook was asked: the input can be read as two different calls (the key \"path\" stands twice in one object at line 1, column 13)"}"#;
    assert_eq!(input, ran(3, &format!("{expected}\n"), ""));
    let output =
        workspace.call(r#"{"event":"post_tool_use","tool":"t","input":{},"output":{"a":1,"a":2}}"#);
    let expected = r#"{"outcome":"deny","reason":"denied before any hook was asked: the output can be read as two different results (the key \"a\" stands twice in one object at line 1, column 8)"}"#;
    assert_eq!(output, ran(3, &format!("{expected}\n"), ""));
    assert!(!workspace.path().join("asked").exists());
}

#[test]
fn a_call_of_several_mebibytes_passes() {
    let workspace =
        Workspace::with_hooks(&[("count", "", r#"wc -c >size; echo '{"decision":"allow"}'"#)]);
    let big = "x".repeat(6 << 20);
    let ran = workspace.call(&format!(r#"{{"tool":"t","input":{{"text":"{big}"}}}}"#));
    assert_eq!(ran.stdout, "{\"outcome\":\"allow\"}\n");
    let size = fs::read_to_string(workspace.path().join("size")).expect("asked");
    assert!(size.trim().parse::<usize>().expect("a number") > big.len());
    let human = workspace.consult_with(
        &["--format", "human"],
        &format!(r#"{{"tool":"t","input":{{"text":"{big}"}}}}"#),
    );
    assert!(
        human.stdout.contains("xxx…\" (6291456 bytes)"),
        "{}",
        human.stdout
    );
    assert!(
        human.stdout.len() < 2_000,
        "a person is shown the beginning"
    );
}

/// Compares where something is wrong; in which words is another crate's business.
#[track_caller]
fn assert_places(name: &str, report: &str) {
    insta::with_settings!({filters => vec![(r"(:\d+:\d+: )(.*(warning: ))?.*", "$1$3[what it is; what to do]")]}, {
        insta::assert_snapshot!(name, report);
    });
}

#[test]
fn a_bad_hooks_file_starts_nothing_and_decides_nothing() {
    let workspace =
        Workspace::with_hooks(&[("guard", "", r#"touch started; echo '{"decision":"allow"}'"#)]);
    workspace.hooks_file("{\n  \"schema\": 1,\n  \"hooks\": [\n    {\"name\":\"guard\",\"command\":[\"./.basis/0.sh\"],\"evnt\":\"x\"},\n    {\"name\":\"\",\"command\":[\"./.basis/0.sh\"]}\n  ]\n}\n");
    for format in ["json", "human"] {
        let ran = workspace.consult_with(&["--format", format], CALL);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
        assert_places("a_bad_hooks_file", &workspace.redacted(&ran.stderr));
    }
    assert!(!workspace.path().join("started").exists());
}

#[test]
fn an_odd_hooks_file_is_used_and_warned_about() {
    let workspace = Workspace::empty();
    workspace
        .hooks_file(r#"{"schema":1,"hooks":[{"name":"guard","command":["true"],"tools":[]}]}"#);
    let ran = workspace.call(CALL);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
    assert_places("an_odd_hooks_file", &workspace.redacted(&ran.stderr));
}

#[test]
fn a_workspace_that_is_not_there_is_not_a_workspace_without_hooks() {
    let ran = crate::workspace::run(&[
        "consult",
        "--workspace",
        "typo",
        "--tool",
        "t",
        "--input",
        "{}",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr
            .starts_with("cannot look for hooks in the workspace typo"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_no_call_decides_nothing() {
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"allow"}"#);
    let file = workspace.file(
        "call.json",
        "{\"tool\":\"t\",\n \"input\":{}, \"input\":{}}",
    );
    let expected = format!("{file}:2:14: the key `input` stands twice; keep one\n");
    assert_eq!(workspace.consult(&["--call", &file]), ran(1, "", &expected));
    let expected = "<stdin>:1:1: no call: not JSON: expected value\n";
    assert_eq!(workspace.call("rm -rf"), ran(1, "", expected));
    let missing = workspace.consult(&["--call", "missing.json"]);
    let expected =
        "error: cannot read the call from missing.json: No such file or directory (os error 2)\n";
    assert_eq!(missing, ran(1, "", expected));
}
