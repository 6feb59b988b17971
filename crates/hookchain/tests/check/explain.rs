//! What `explain` says about a call.

use crate::place::{Place, Ran, cases, name};

const HOOKS: &str = r#"{
  "schema": 1,
  "hooks": [
    { "name": "guard", "command": ["./.basis/hooks/guard.sh"], "tools": ["shell", "write"] },
    { "name": "redact", "command": ["./.basis/hooks/guard.sh"], "event": "post_tool_use" },
    { "name": "near", "command": ["./.basis/hooks/guard.sh"], "tools": ["read", "Shell"] },
    { "name": "never", "command": ["./.basis/hooks/guard.sh"], "tools": [] },
    {
      "name": "gone",
      "command": ["./.basis/hooks/gone.sh"],
      "timeout_ms": 250,
      "on_failure": "allow",
      "mode": "worker"
    }
  ]
}
"#;

const GLOBAL: &str = r#"{"schema": 1, "hooks": [
  {"name": "audit", "command": ["sh", "-c", "touch started"]}
]}"#;

const CALL: [&str; 4] = [
    "--tool",
    "shell",
    "--input",
    r#"{"command":"git push --force","id":12345678901234567890123}"#,
];

fn workspace() -> Place {
    let place = Place::with_hooks_file(HOOKS);
    place.file(
        "ws/.basis/hooks/guard.sh",
        "#!/bin/sh\ntouch started\n",
        0o755,
    );
    place.directory("home/.config/basis", 0o755);
    place.file("home/.config/basis/hooks.json", GLOBAL, 0o644);
    place
}

fn explain(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&["explain", "--workspace", "ws"], args].concat())
}

#[track_caller]
fn explained(ran: Ran) -> String {
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

#[test]
fn everybody_is_told_of_in_order_and_nothing_is_run() {
    let place = workspace();
    let ran = explain(&place, &CALL);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stderr.starts_with("warning[never_asked]"),
        "{}",
        ran.stderr
    );
    insta::assert_snapshot!(ran.stdout);
    assert!(!place.path("ws/started").exists());
}

#[test]
fn the_program_that_asks_a_person_is_named_where_somebody_is_asked() {
    let place = workspace();
    let global = r#"{"schema": 1, "approver": {"command": ["./ask", "x"], "timeout_ms": 250}}"#;
    place.file("home/.config/basis/hooks.json", global, 0o644);
    let ran = explain(&place, &CALL);
    let line =
        "a person is asked, if one of them wants it: where no terminal is, by ./ask x in 250 ms";
    assert!(ran.stdout.lines().any(|found| found == line), "{ran:?}");
    let approver = |args: &[&str]| {
        let ran = explain(&place, &[args, &["--format", "json"]].concat());
        let explained: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        explained["approver"].clone()
    };
    let expected = serde_json::json!({
        "command": ["./ask", "x"], "directory": "/place/home/.config/basis", "timeout_ms": 250
    });
    assert_eq!(approver(&CALL), expected);
    let unread = [&CALL[..], &["--workspace-only"]].concat();
    assert_eq!(approver(&unread), serde_json::Value::Null);

    let unhooked = Place::with_hooks_file(r#"{"schema": 1, "hooks": []}"#);
    unhooked.directory("home/.config/basis", 0o755);
    unhooked.file("home/.config/basis/hooks.json", global, 0o644);
    let ran = explain(&unhooked, &CALL);
    assert!(!ran.stdout.contains("a person is asked"), "{ran:?}");
}

#[test]
fn the_same_for_programs() {
    let ran = explain(&workspace(), &[&CALL[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0));
    serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("JSON");
    insta::assert_snapshot!(ran.stdout.replace("[{", "[\n{").replace("},{", "},\n{"));
}

#[test]
fn a_result_is_put_to_those_who_judge_results() {
    let place = Place::with_hooks_file(
        r#"{"schema": 1, "hooks": [
  {"name": "before", "command": ["sh"]},
  {"name": "after", "command": ["sh"], "event": "post_tool_use"}
]}"#,
    );
    let call =
        r#"{"event":"post_tool_use","tool":"shell","input":{},"output":"done","is_error":true}"#;
    let ran = place.run_with(&["explain", "--workspace", "ws"], call);
    insta::assert_snapshot!(explained(ran));
}

#[test]
fn a_call_about_which_nobody_is_asked() {
    insta::assert_snapshot!(explained(explain(&Place::new(), &CALL)));
}

#[test]
fn the_file_that_both_paths_lead_to_counts_once() {
    let place =
        Place::with_hooks_file(r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["sh"]}]}"#);
    let basis = place.path("ws/.basis").display().to_string();
    let place = place.with_variable("BASIS_CONFIG_DIR", basis);
    insta::assert_snapshot!(explained(explain(&place, &CALL)));
}

#[test]
fn a_call_that_can_be_read_in_two_ways_is_denied_before_anybody_is_asked() {
    let place = Place::with_hooks_file(
        r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["sh"], "tools": ["shell"]}]}"#,
    );
    let twice = ["--tool", "shell", "--input", r#"{"a":1,"a":2}"#];
    insta::assert_snapshot!(explained(explain(&place, &twice)));
    let elsewhere = ["--tool", "other", "--input", r#"{"a":1,"a":2}"#];
    let ran = explained(explain(&place, &elsewhere));
    assert!(
        ran.contains("nobody would be asked, so the call is allowed"),
        "{ran}"
    );
}

#[test]
fn a_broken_hooks_file_is_explained_as_check_does() {
    for case in cases("fixtures/broken") {
        let place = Place::of_case(&case);
        let ran = explain(&place, &CALL);
        let loads = place
            .run(&[
                "consult",
                "--workspace",
                "ws",
                "--tool",
                "nobody's",
                "--input",
                "{}",
            ])
            .status
            != Some(1);
        assert_eq!(ran.status == Some(0), loads, "{}", name(&case));
        if !loads {
            assert_eq!(ran.stdout, "", "{}", name(&case));
            let checked = place.run(&["check", "ws"]).stdout;
            let missing: Vec<_> = ran
                .stderr
                .split("\n\n")
                .filter(|drawing| !checked.contains(drawing))
                .collect();
            assert_eq!(missing, Vec::<&str>::new(), "{}", name(&case));
        }
    }
}

#[test]
fn what_consult_takes_is_taken() {
    let place = workspace();
    let args = [
        "explain",
        "--workspace",
        "ws",
        "--each-line",
        "--trail",
        "--format",
        "json",
    ];
    let calls = "{\"tool\":\"shell\",\"input\":{}}\nrm -rf\n{\"tool\":\"read\",\"input\":{}}\n";
    let ran = place.run_with(&args, calls);
    assert_eq!(ran.status, Some(1));
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["tool_name"], "shell");
    assert_eq!(
        lines[1]["error"],
        "<stdin>:2:1: no call: not JSON: expected value"
    );
    assert_eq!(lines[2]["tool_name"], "read");
    let human = place.run_with(&args[..4], calls);
    assert_eq!(human.status, Some(1));
    assert!(
        human
            .stderr
            .ends_with("<stdin>:2:1: no call: not JSON: expected value\n"),
        "{}",
        human.stderr
    );
}

#[test]
fn the_near_miss_names_of_the_case_are_named() {
    let case = cases("cases/native")
        .into_iter()
        .find(|case| name(case).starts_with("B01"))
        .expect("the case");
    let ran = explain(&Place::of_case(&case), &CALL);
    let names = [
        "`Shell`, 1 edit away",
        "`shel`, 1 edit away",
        "`shell_exec`, 5 edits away",
    ];
    for name in names {
        assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
    }
}

#[test]
fn nothing_of_a_call_or_a_hook_reaches_the_terminal_unescaped() {
    let evil = r"\u001b[2J\u009b31m\u202e\r\u0007";
    let place = Place::with_hooks_file(&format!(
        r#"{{"schema": 1, "hooks": [
  {{"name": "a{evil}", "command": ["sh"]}},
  {{"name": "b{evil}", "command": ["sh"], "tools": ["c{evil}"]}},
  {{"name": "d", "command": ["sh"], "e{evil}": 1}}
]}}"#
    ));
    let call =
        format!(r#"{{"tool":"t{evil}","agent_id":"a{evil}","input":{{"{evil}":"{evil}"}}}}"#);
    let ran = place.run_with(&["explain", "--workspace", "ws"], &call);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let harmful = |c: &char| *c != '\n' && (c.is_control() || *c == '\u{202e}');
    assert_eq!(ran.stdout.chars().find(harmful), None, "{:?}", ran.stdout);
    assert_eq!(ran.stderr.chars().find(harmful), None, "{:?}", ran.stderr);
}
