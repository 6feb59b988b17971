//! Help, and arguments that make no sense.

use crate::place::Place;

#[test]
fn help_shows_an_example() {
    for command in ["check", "explain"] {
        let ran = Place::new().run(&[command, "--help"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        insta::assert_snapshot!(format!("{command}_help"), ran.stdout);
    }
}

#[test]
fn arguments_that_make_no_sense_look_at_nothing() {
    let cases: [&[&str]; 7] = [
        &["check", "a", "b"],
        &["check", "ws", "--workspace", "ws"],
        &["check", "--hooks", "gemini"],
        &["check", "--format", "xml"],
        &["explain", "ws"],
        &["explain", "--tool", "t"],
        &["explain", "--each-line", "--tool", "t", "--input", "{}"],
    ];
    let place = Place::with_hooks_file("broken");
    for args in cases {
        let ran = place.run(args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

/// What stands in the first block of the README that begins like this.
fn block_of_the_readme(beginning: &str) -> &'static str {
    let page = include_str!("../../../../README.md");
    let (_, block) = page
        .split_once(beginning)
        .expect("the beginning of a block");
    block.split_once("```").expect("the end of a block").0
}

#[test]
fn the_readme_shows_what_is_printed() {
    let hooks = block_of_the_readme("```json\n").replace("\"tools\"", "\"tool\"");
    let place = Place::with_hooks_file(&hooks);
    place.file("ws/.basis/hooks/no-force-push.sh", "#!/bin/sh\n", 0o755);
    std::fs::rename(place.path("ws/.basis"), place.path(".basis")).expect("moved");
    let shown = block_of_the_readme("```text\nerror");
    let ran = place.run(&["check"]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stdout.starts_with(&format!("error{shown}")),
        "{}",
        ran.stdout
    );
}
