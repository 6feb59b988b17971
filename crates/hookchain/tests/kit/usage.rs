//! Help, and arguments that make no sense.

use std::fmt::Write as _;

use crate::desk::run;

#[test]
fn help_shows_an_example_each() {
    for command in ["test", "serve", "init", "schema", "completions", "man"] {
        let ran = run(&[command, "--help"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        assert!(
            ran.stdout.contains("Examples:\n  hookchain "),
            "{}",
            ran.stdout
        );
        insta::assert_snapshot!(format!("{command}_help"), ran.stdout);
    }
}

#[test]
fn arguments_that_make_no_sense_do_nothing() {
    let mut said = String::new();
    for args in [
        &["test", "--jobs", "0"][..],
        &["test", "--jobs", "many"],
        &["test", "--max-copy", "0"],
        &["test", "--format", "xml"],
        &["test", "--filter"],
        &["serve"],
        &["serve", "--socket", "--idle", "0"],
        &["init", "--lang", "perl"],
        &["init", "a", "b"],
        &["schema", "hooks"],
        &["completions"],
        &["completions", "tcsh"],
        &["man", "test"],
    ] {
        let ran = run(args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        writeln!(said, "{args:?}\n{}", ran.stderr).expect("text");
    }
    insta::assert_snapshot!("kit_wrong_usage", said);
}
