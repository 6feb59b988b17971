//! One call per line, one outcome per line.

use std::io::{BufRead, BufReader, Write};

use crate::workspace::Workspace;

/// Denies what mentions `rm`.
fn workspace() -> Workspace {
    Workspace::with_hooks(&[(
        "guard",
        r#""timeout_ms":600000"#,
        r#"request=$(cat)
case $request in
  *'"rm '*) echo '{"decision":"deny","reason":"no rm"}' ;;
  *) echo '{"decision":"allow"}' ;;
esac"#,
    )])
}

const ALLOWED: &str = "{\"outcome\":\"allow\"}\n";
const DENIED: &str = "{\"outcome\":\"deny\",\"reason\":\"denied by hook 'guard': no rm\"}\n";

fn call(command: &str) -> String {
    format!("{{\"tool\":\"shell\",\"input\":{{\"command\":\"{command}\"}}}}\n")
}

#[test]
fn every_line_has_its_answer_and_a_denial_is_no_failure() {
    let workspace = workspace();
    let commands = ["ls", "rm -r", "pwd"].repeat(20);
    let lines: String = commands.iter().map(|command| call(command)).collect();
    let ran = workspace.consult_with(&["--each-line"], &lines);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, [ALLOWED, DENIED, ALLOWED].concat().repeat(20));

    let file = workspace.file("calls.jsonl", call("rm x").trim_end());
    let ran = workspace.consult(&["--each-line", "--call", &file]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), DENIED),
        "the last line needs no end"
    );
    let ran = workspace.consult(&["--each-line"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), ""),
        "no line, no answer"
    );
}

#[test]
fn a_line_that_is_no_call_reads_as_a_denial_and_the_others_are_answered() {
    let lines = [
        &call("ls"),
        "rm -rf /\n",
        "\n",
        &call("rm x"),
        "{\"tool\":\"t\",\"input\":{},\"inptu\":1}\n",
    ]
    .concat();
    let ran = workspace().consult_with(&["--each-line"], &lines);
    assert_eq!(ran.status, Some(1));
    let refusal = |error: &str| {
        format!(
            "{{\"outcome\":\"deny\",\"reason\":\"denied before any hook was asked: the call could not be read\",\"error\":\"{error}\"}}\n"
        )
    };
    let errors = [
        "<stdin>:2:1: no call: not JSON: expected value",
        "<stdin>:3: no call: the text is empty; a call is a JSON object with `tool_name` and `input`",
        "<stdin>:5:24: `inptu` is not a key of a call; write `input`",
    ];
    let expected = [
        ALLOWED,
        &refusal(errors[0]),
        &refusal(errors[1]),
        DENIED,
        &refusal(errors[2]),
    ];
    assert_eq!(ran.stdout, expected.concat());
    assert_eq!(ran.stderr, format!("{}\n", errors.join("\n")));
}

#[test]
fn a_line_of_several_mebibytes_is_a_line() {
    let big = "x".repeat(5 << 20);
    let lines = [call(&big), call(&format!("rm {big}")), call("ls")].concat();
    let ran = workspace().consult_with(&["--each-line"], &lines);
    assert_eq!(ran.stdout, [ALLOWED, DENIED, ALLOWED].concat());
}

#[test]
fn an_outcome_is_there_before_the_next_call_is_written() {
    let workspace = workspace();
    let mut child = workspace.start(&["--each-line"]);
    let mut calls = child.stdin.take().expect("piped");
    let mut outcomes = BufReader::new(child.stdout.take().expect("piped"));
    for (command, expected) in [("ls", ALLOWED), ("rm x", DENIED), ("pwd", ALLOWED)] {
        calls.write_all(call(command).as_bytes()).expect("taken");
        let mut outcome = String::new();
        outcomes.read_line(&mut outcome).expect("answered");
        assert_eq!(outcome, expected);
    }
    drop(calls);
    assert_eq!(child.wait().expect("ended").code(), Some(0));
}

/// A worker that repeats its first answer, which names the call that it was about.
const REPEATING: &str = r#"read -r request
rest=${request#*'"tool_call_id":"'}
first=${rest%%'"'*}
echo "{\"decision\":\"allow\",\"tool_call_id\":\"$first\"}"
while read -r request; do
    echo "{\"decision\":\"allow\",\"tool_call_id\":\"$first\"}"
done"#;

#[test]
fn the_answer_to_one_line_is_never_taken_for_that_to_another_though_the_calls_have_no_identifiers()
{
    let workspace = Workspace::with_hooks(&[("guard", r#""mode": "worker""#, REPEATING)]);
    let ran = workspace.consult_with(&["--each-line"], &call("ls").repeat(2));
    let outcomes: Vec<_> = ran.stdout.lines().collect();
    let denied = "{\"outcome\":\"deny\",\"reason\":\"denied, because worker 'guard' answered another call than it was asked about\"}";
    assert_eq!(outcomes, [ALLOWED.trim_end(), denied]);
    let told = "its `tool_call_id` is `\"cli-1\"`, and the question's is \"cli-2\"";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

/// A worker that says which process answers, and says goodbye.
const COUNTING: &str = r#"asked=0
while read -r request; do
    asked=$((asked + 1))
    echo "{\"decision\":\"deny\",\"reason\":\"$$ $asked\"}"
done
echo "$$" >bye"#;

#[test]
fn a_worker_is_kept_from_the_first_line_to_the_last_and_ends_in_good_order() {
    let workspace = Workspace::with_hooks(&[("guard", r#""mode": "worker""#, COUNTING)]);
    let lines = call("ls").repeat(30);
    let ran = workspace.consult_with(&["--each-line", "--trail"], &lines);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let bye = std::fs::read_to_string(workspace.path().join("bye")).expect("it said goodbye");
    let outcomes: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("an outcome"))
        .collect();
    assert_eq!(outcomes.len(), 30);
    for (number, outcome) in (1..).zip(outcomes) {
        let reason = format!("{} {number}", bye.trim());
        assert_eq!(
            outcome["reason"],
            format!("denied by worker 'guard': {reason}")
        );
        let step = &outcome["trail"][0];
        assert_eq!(
            (&step["kind"], &step["worker"]["answered"]),
            (&"worker".into(), &number.into())
        );
        assert!(step["worker"]["age_ms"].is_f64(), "{step}");
    }
}

#[test]
fn a_worker_that_is_asked_once_ends_in_good_order_too() {
    let workspace = Workspace::with_hooks(&[("guard", r#""mode": "worker""#, COUNTING)]);
    let ran = workspace.consult_with(&[], &call("ls"));
    assert_eq!(ran.status, Some(3));
    assert!(workspace.path().join("bye").exists());
}

#[test]
fn a_person_reads_one_consultation_after_the_other() {
    let workspace = workspace();
    let lines = [&call("ls"), "nonsense\n", &call("rm x")].concat();
    let ran = workspace.consult_with(&["--each-line", "--format", "human"], &lines);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::with_settings!({filters => vec![(r"\d+\.\d+ m?s", "[time]")]}, {
        insta::assert_snapshot!(workspace.redacted(&ran.stdout));
    });
}
