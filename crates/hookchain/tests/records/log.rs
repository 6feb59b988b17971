//! `hookchain log`.

use std::{
    fs,
    io::{BufRead, BufReader},
};

use crate::desk::{CALLS, Desk, FILTERS};

#[track_caller]
fn shown(name: &str, desk: &Desk, options: &[&str]) {
    let ran = desk.run(&[&["log", "records"], options].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    insta::with_settings!({filters => FILTERS}, {
        insta::assert_snapshot!(name, ran.stdout);
    });
}

#[test]
fn a_person_reads_one_call_after_the_other() {
    shown("human", &Desk::recorded(&[]), &[]);
}

#[test]
fn a_program_reads_the_lines_as_they_are() {
    let desk = Desk::recorded(&["--record-capture", "redacted"]);
    shown("json", &desk, &["--format", "json"]);
    let all = desk.run(&["log", "records", "--format", "json"]).stdout;
    assert_eq!(all, desk.text());
}

#[test]
fn calls_are_chosen_by_hook_tool_outcome_and_time() {
    let desk = Desk::recorded(&[]);
    let count = |options: &[&str]| {
        let words = [&["log", "records", "--format", "json"], options].concat();
        let ran = desk.run(&words);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let ends = ran
            .stdout
            .lines()
            .filter(|line| line.contains(r#""type":"consultation""#));
        ends.count()
    };
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&["--outcome", "deny"]), 1);
    assert_eq!(count(&["--outcome", "modify,allow"]), 3);
    assert_eq!(count(&["--outcome", "unfinished,abandoned"]), 0);
    assert_eq!(count(&["--hook", "guard"]), 3);
    assert_eq!(count(&["--hook", "watch"]), 3);
    assert_eq!(count(&["--hook", "watch", "--tool", "read_file"]), 1);
    assert_eq!(count(&["--since", "1d"]), 4);
    assert_eq!(count(&["--since", "9999-01-01"]), 0);
    let text = fs::read_to_string(desk.file()).expect("records");
    let id = text.split(r#""handler_id":""#).nth(1).expect("an id");
    assert_eq!(count(&["--hook", id.split_at(16).0]), 3);
}

#[test]
fn whoever_follows_sees_calls_as_they_come_until_interrupted() {
    let desk = Desk::recorded(&[]);
    let mut child = desk.start(&["log", "records", "--follow", "--outcome", "deny"]);
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = |what: &str| {
        let found = lines
            .by_ref()
            .map(|line| line.expect("a line"))
            .find(|line| line.contains(what));
        assert!(found.is_some(), "{what}");
    };
    next("says stop");
    desk.record(&CALLS.replace("stop", "stop again"), &[]);
    next("says stop");
    child.kill().expect("killed");
    child.wait().expect("an end");
}

#[test]
fn whoever_follows_is_told_of_what_is_no_record() {
    let desk = Desk::recorded(&[]);
    let text = fs::read_to_string(desk.file()).expect("records");
    fs::write(desk.file(), text + "no record\n").expect("written");
    let mut child = desk.start(&["log", "records", "--follow"]);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let told = lines.next().expect("a line").expect("text");
    assert!(told.contains("jsonl:17: not a record"), "{told}");
    child.kill().expect("killed");
    child.wait().expect("an end");
}

#[test]
fn what_was_cut_off_and_what_has_no_end_is_shown_and_no_failure() {
    let desk = Desk::recorded(&[]);
    let text = fs::read_to_string(desk.file()).expect("records");
    let cut: String = text.split_inclusive('\n').take(9).collect();
    fs::write(desk.file(), cut + "{\"hook_record\":1,").expect("written");
    let ran = desk.run(&["log", "records"]);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stdout
            .contains("  unfinished  pre_tool_use  read_file  "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("hook 'watch'  no answer\n"),
        "{}",
        ran.stdout
    );
    let said = "not a record; the line was cut off when it was written, or altered since\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
}

#[test]
fn a_directory_that_is_none_is_said() {
    let desk = Desk::new();
    let ran = desk.run(&["log", "nowhere"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "error: cannot read records: could not read `nowhere`; it must be a directory of records, or one of its \
         files, that this user may read: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_place_that_cannot_be_written_changes_no_outcome() {
    let desk = Desk::new();
    let words = [
        "consult",
        "--workspace",
        "ws",
        "--record",
        "ws/.basis/hooks.json",
    ];
    let ran = desk.run_with(&words, r#"{"tool_name":"shell","input":{"command":"ls"}}"#);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stderr);
    assert!(
        lines[0].starts_with("records of hooks cannot be written for now: "),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("5 records of hooks were lost"),
        "{}",
        lines[1]
    );
}
