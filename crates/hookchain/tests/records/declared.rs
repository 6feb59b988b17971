//! `record` in the operator's own hooks file.

use std::fs;

use crate::desk::{CALLS, Desk};

const GLOBAL: &str = "home/.config/basis";

/// A desk whose operator records everything, in the directory `records`.
fn desk() -> Desk {
    let desk = Desk::new();
    fs::create_dir_all(desk.path(GLOBAL)).expect("a directory");
    let dir = desk.path("records").display().to_string();
    let declared = format!(
        r#"{{"schema": 1, "record": {{"dir": "{dir}", "capture": "full", "chain": true}}}}"#
    );
    fs::write(desk.path(GLOBAL).join("hooks.json"), declared).expect("a hooks file");
    desk
}

#[test]
fn calls_are_recorded_where_the_operator_says() {
    let desk = desk();
    let consult = ["consult", "--workspace", "ws", "--each-line"];
    let ran = desk.run_with(&consult, CALLS);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let replayed = desk.run(&["replay", "records", "--workspace", "ws"]);
    assert!(
        replayed
            .stdout
            .starts_with("4 outcomes as they were, 0 different"),
        "{replayed:?}"
    );
    let verified = desk.run(&["log", "records", "--verify"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let checked = desk.run(&["check", "ws", "--strict"]);
    assert!(!checked.stdout.contains("record"), "{checked:?}");
}

#[test]
fn who_runs_the_command_has_the_last_word() {
    let desk = desk();
    let consult = ["consult", "--workspace", "ws", "--each-line"];
    let ran = desk.run_with(&[&consult[..], &["--no-record"]].concat(), CALLS);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!desk.path("records").exists());
    let ran = desk.run_with(&[&consult[..], &["--record", "elsewhere"]].concat(), CALLS);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(desk.path("elsewhere").exists() && !desk.path("records").exists());
}

#[test]
fn a_repository_does_not_say_where_records_go() {
    let desk = Desk::new();
    let hooks = desk.path("ws/.basis/hooks.json");
    fs::write(&hooks, r#"{"schema": 1, "record": {"dir": "/nowhere"}}"#).expect("written");
    let ran = desk.run(&[
        "consult",
        "--workspace",
        "ws",
        "--tool",
        "shell",
        "--input",
        "{}",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr
            .contains("`record` has no meaning in the file of a workspace"),
        "{ran:?}"
    );
}

#[test]
fn the_operators_file_counts_where_it_is_read() {
    let desk = desk();
    let consult = ["consult", "--workspace", "ws", "--each-line"];
    for unread in [&["--workspace-only"][..], &["--hooks", "claude"]] {
        let ran = desk.run_with(&[&consult[..], unread].concat(), CALLS);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(!desk.path("records").exists(), "{unread:?}");
    }
    let ran = desk.run_with(
        &[&consult[..], &["--hooks", "claude,native"]].concat(),
        CALLS,
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(desk.path("records").exists());
}

#[test]
fn files_that_are_not_asked_for_are_not_looked_at() {
    let desk = desk();
    let global = desk.path(GLOBAL).join("hooks.json");
    fs::write(global, "not a hooks file").expect("written");
    let consult = ["consult", "--workspace", "ws", "--each-line"];
    for unread in [&["--workspace-only"][..], &["--hooks", "claude"]] {
        let ran = desk.run_with(&[&consult[..], unread].concat(), CALLS);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_eq!(desk.run_with(&consult, CALLS).status, Some(1));
}
