//! `hookchain log --verify`.

use std::fs;

use crate::desk::{CALLS, Desk, FILTERS, Ran};

fn verify(desk: &Desk, options: &[&str]) -> Ran {
    desk.run(&[&["log", "records", "--verify"], options].concat())
}

#[test]
fn a_chain_that_holds_is_said_to() {
    let desk = Desk::recorded(&["--record-chain"]);
    let ran = verify(&desk, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::with_settings!({filters => FILTERS}, {
        insta::assert_snapshot!("holds", ran.stdout);
    });
    let ran = verify(&desk, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&report["holds"], &report["lines"]),
        (&true.into(), &16.into())
    );
}

#[test]
fn the_first_line_that_does_not_hold_is_named() {
    let desk = Desk::recorded(&["--record-chain"]);
    let text = fs::read_to_string(desk.file()).expect("records");
    fs::write(desk.file(), text.replacen("says stop", "says go", 1)).expect("written");
    let ran = verify(&desk, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::with_settings!({filters => FILTERS}, {
        insta::assert_snapshot!("altered", ran.stdout);
    });
    let ran = verify(&desk, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&report["holds"], &report["line"]),
        (&false.into(), &8.into())
    );
}

#[test]
fn a_digest_that_was_kept_shows_that_the_end_is_missing() {
    let desk = Desk::recorded(&["--record-chain"]);
    let report = verify(&desk, &["--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let kept = report["last"].as_str().expect("a digest");
    desk.record(CALLS, &["--record-chain"]);
    assert_eq!(verify(&desk, &["--kept", kept]).status, Some(0));
    let text = fs::read_to_string(desk.file()).expect("records");
    let begin: String = text.split_inclusive('\n').take(15).collect();
    fs::write(desk.file(), begin).expect("written");
    assert_eq!(verify(&desk, &[]).status, Some(0));
    let ran = verify(&desk, &["--kept", kept]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stdout.contains("the end of the chain was cut off"),
        "{}",
        ran.stdout
    );
}

#[test]
fn records_without_a_chain_are_an_error_that_says_what_to_do() {
    let ran = verify(&Desk::recorded(&[]), &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "error: cannot verify records: `records` holds no line that carries the digest of the one before; record with \
         a chain to have one\n"
    );
}
