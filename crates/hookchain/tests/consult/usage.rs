//! Help, and arguments that make no sense together.

use crate::workspace::{Workspace, run};

#[test]
fn help_shows_an_example() {
    let ran = run(&["--help"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("help", ran.stdout);
    let ran = run(&["consult", "--help"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("consult_help", ran.stdout);
}

#[test]
fn arguments_that_make_no_sense_decide_nothing() {
    let input = ["--input", "{}"];
    let post = ["--event", "post_tool_use"];
    let tool = ["--tool", "t"];
    let cases: &[&[&[&str]]] = &[
        &[&["--cal", "x"]],
        &[&tool],
        &[&input],
        &[&post],
        &[&["--is-error"], &tool, &input],
        &[&["--call", "x"], &tool, &input],
        &[&["--each-line"], &tool, &input],
        &[&tool, &["--input", "{"]],
        &[&tool, &["--input", "ls -l"]],
        &[&["--tool", ""], &input],
        &[&tool, &input, &post],
        &[&tool, &input, &post, &["--output", "text"]],
        &[&tool, &input, &["--output", "{}"]],
        &[&tool, &input, &["--event", "PreToolUse"]],
        &[&tool, &input, &["--hooks", "gemini"]],
        &[&tool, &input, &["--hooks", "native,"]],
        &[&tool, &input, &["--format", "xml"]],
        &[&tool, &input, &["--color", "sometimes"]],
    ];
    let workspace = Workspace::empty();
    let mut said = String::new();
    for case in cases {
        let args = case.concat();
        let ran = workspace.consult(&args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        said.extend([format!("{args:?}\n"), ran.stderr, "\n".to_owned()]);
    }
    insta::assert_snapshot!("wrong_usage", said);
    for args in [&[][..], &["consul"]] {
        let ran = run(args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
    }
}

#[test]
fn the_default_can_be_said_as_well() {
    let ran =
        Workspace::empty().consult(&["--hooks", "native,native", "--tool", "t", "--input", "{}"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
}
