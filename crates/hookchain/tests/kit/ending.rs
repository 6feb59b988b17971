//! Signals, and readers that go away.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    thread,
    time::{Duration, Instant},
};

use crate::desk::{Desk, program};

const CASE: &str = r#"{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#;

/// Succeeds or fails the test.
#[track_caller]
fn run(name: &str, args: &[&str]) {
    let status = program(name).args(args).status().expect("started");
    assert!(status.success(), "{name} {args:?}");
}

/// Sends `signal` while two hooks are being asked.
#[track_caller]
fn check(signal: &str, status: i32) {
    // The hooks and their children hold the pipe open for as long as one of them lives.
    let desk = Desk::empty();
    let life = desk.temporary().join("../life");
    let life = life.to_str().expect("UTF-8");
    run("mkfifo", &[life]);
    let script = format!("exec 3>'{life}'\necho started >&3\nsleep 600 &\nsleep 600");
    desk.hook(r#""timeout_ms":600000"#, &script);
    let case = |name: &str| format!(r#"{{"name":"{name}","call":{CASE}"#);
    desk.cases("a", &[&case("one"), &case("two"), &case("three")]);
    let child = desk
        .command(&["test", "--jobs", "2"])
        .spawn()
        .expect("started");
    let mut signs = BufReader::new(File::open(life).expect("opened by a hook"));
    for _ in 0..2 {
        let mut sign = String::new();
        signs.read_line(&mut sign).expect("started");
        assert_eq!(sign, "started\n");
    }

    run("kill", &[&format!("-{signal}"), &child.id().to_string()]);
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(status), "{signal}");
    assert_eq!(output.stdout, b"     Running 3 cases from 1 file\n");
    assert_eq!(output.stderr, b"interrupted after 0 of 3 cases\n");
    let mut rest = String::new();
    signs
        .read_to_string(&mut rest)
        .expect("ends when nobody is left");
    assert_eq!(rest, "", "the third case was not begun");
    assert_eq!(desk.leftovers().len(), 0);
}

#[test]
fn a_signal_ends_every_hook_and_removes_every_copy() {
    check("INT", 130);
    check("TERM", 143);
    check("HUP", 129);
}

#[test]
fn a_reader_that_goes_away_is_no_panic_and_leaves_nothing() {
    let desk = Desk::with_hook(r#"echo '{"decision":"allow"}'"#);
    desk.cases("a", &[&format!(r#"{{"name":"a","call":{CASE}"#)]);
    for format in ["human", "json"] {
        let mut child = desk
            .command(&["test", "--format", format])
            .spawn()
            .expect("started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ended");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(output.stderr, b"");
        assert_eq!(desk.leftovers().len(), 0);
    }
}

/// Waits for something that comes about by itself.
#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(60), "never: {what}");
        thread::yield_now();
    }
}

#[test]
fn a_second_signal_ends_it_at_once_while_its_output_is_not_read() {
    let desk = Desk::empty();
    let life = desk.temporary().join("../life");
    let life = life.to_str().expect("UTF-8");
    run("mkfifo", &[life]);
    // The first case ends, and more is said of it than fits a pipe; the hook of the second lives on.
    let script = format!(
        "read -r call\ncase $call in\n*long*) exec 3>'{life}'; echo started >&3; sleep 600 & sleep 600;;\nesac\n\
         echo '{{\"decision\":\"allow\"}}'"
    );
    desk.hook(r#""timeout_ms":600000"#, &script);
    let said = "x".repeat(200_000);
    let first = format!(
        r#"{{"name":"{said}","call":{{"tool":"shell","input":{{}}}},"expect":{{"outcome":"allow"}}}}"#
    );
    let second =
        r#"{"name":"two","call":{"tool":"shell","input":{"long":1}},"expect":{"outcome":"allow"}}"#;
    desk.cases("a", &[&first, second]);
    let mut child = desk
        .command(&["test", "--jobs", "2"])
        .spawn()
        .expect("started");
    let mut signs = BufReader::new(File::open(life).expect("opened by a hook"));
    let mut sign = String::new();
    signs.read_line(&mut sign).expect("started");
    assert_eq!(sign, "started\n");
    let output = child.stdout.take().expect("piped");
    // All of it fits no pipe, so that the writer of a part is stuck with the rest.
    until("a part is written", || {
        rustix::io::ioctl_fionread(&output).expect("a pipe") >= 4096
    });
    assert_ne!(desk.leftovers().len(), 0, "the second case has its copy");

    // Two that are told apart, however soon the one follows the other.
    for signal in ["-INT", "-TERM"] {
        run("kill", &[signal, &child.id().to_string()]);
    }
    assert_eq!(child.wait().expect("ended").code(), Some(143));
    let mut rest = String::new();
    signs
        .read_to_string(&mut rest)
        .expect("ends when none is left");
    assert_eq!(rest, "");
    assert_eq!(desk.leftovers().len(), 0);
    drop(output);
}
