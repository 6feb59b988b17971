//! Signals, and readers that go away.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
};

use crate::workspace::{Ran, Workspace, finish, program};

const CALL: &str = "{\"tool\":\"t\",\"input\":{}}\n";

/// Succeeds or fails the test.
#[track_caller]
fn run(name: &str, args: &[&str]) {
    let status = program(name).args(args).status().expect("started");
    assert!(status.success(), "{name} {args:?}");
}

/// Sends `signal` while a hook is being asked.
#[track_caller]
fn check(signal: &str, status: i32, args: &[&str]) {
    // The hook and its child hold the pipe open for as long as one of them lives.
    let workspace = Workspace::with_hooks(&[(
        "slow",
        r#""timeout_ms":600000"#,
        "exec 3>life\necho started >&3\nsleep 600 &\nsleep 600",
    )]);
    let life = workspace.path().join("life");
    run("mkfifo", &[life.to_str().expect("UTF-8")]);
    let mut child = workspace.start(args);
    let mut calls = child.stdin.take().expect("piped");
    calls.write_all(CALL.as_bytes()).expect("taken");
    if args.is_empty() {
        drop(calls);
    }
    let mut signs = BufReader::new(File::open(life).expect("opened by the hook"));
    let mut first = String::new();
    signs.read_line(&mut first).expect("started");
    assert_eq!(first, "started\n");

    run("kill", &[&format!("-{signal}"), &child.id().to_string()]);
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(status), "{signal}");
    assert_eq!((output.stdout, output.stderr), (Vec::new(), Vec::new()));
    let mut rest = String::new();
    signs
        .read_to_string(&mut rest)
        .expect("ends when nobody is left");
    assert_eq!(rest, "");
}

#[test]
fn a_signal_ends_the_hook_with_everything_it_started() {
    check("INT", 130, &[]);
    check("TERM", 143, &[]);
    check("HUP", 129, &[]);
}

#[test]
fn a_signal_ends_a_process_that_is_kept_open() {
    check("TERM", 143, &["--each-line"]);

    let workspace = Workspace::empty();
    let mut child = workspace.start(&["--each-line"]);
    let mut calls = child.stdin.take().expect("piped");
    calls.write_all(CALL.as_bytes()).expect("taken");
    let mut outcomes = BufReader::new(child.stdout.take().expect("piped"));
    let mut outcome = String::new();
    outcomes.read_line(&mut outcome).expect("answered");
    run("kill", &["-TERM", &child.id().to_string()]);
    assert_eq!(
        child.wait().expect("ended").code(),
        Some(143),
        "while it waits for the next call"
    );
    drop(calls);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for args in [&["--each-line"][..], &[], &["--format", "human"]] {
        let workspace = Workspace::empty();
        let mut child = workspace.start(args);
        drop(child.stdout.take());
        let ran = finish(child, CALL);
        let expected = Ran {
            status: Some(1),
            stdout: String::new(),
            stderr: String::new(),
        };
        assert_eq!(ran, expected, "{args:?}");
    }
}

#[test]
fn a_closed_standard_error_changes_nothing() {
    let workspace = Workspace::with_hooks(&[("log", r#""on_failure":"allow""#, "exit 1")]);
    let mut child = workspace.start(&[]);
    drop(child.stderr.take());
    let ran = finish(child, CALL);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let full = File::options().write(true).open("/dev/full");
    // Only Linux has such a device.
    let Ok(full) = full else { return };
    let workspace = Workspace::empty();
    let mut command = workspace.command(&["--tool", "t", "--input", "{}"]);
    let child = command.stdout(full).spawn().expect("started");
    let ran = finish(child, "");
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.stderr,
        "error: cannot write the result: No space left on device (os error 28)\n"
    );
}
