//! Each case has a workspace to itself.

use std::{fs, os::unix::fs::symlink};

use crate::desk::{Desk, program};

const ALLOW: &str = r#"echo '{"decision":"allow"}'"#;

#[test]
fn what_a_hook_does_to_its_workspace_nobody_else_sees() {
    // Fails when somebody was here before.
    let desk = Desk::with_hook(&format!(
        "[ ! -e mark ] && [ -r data/kept ] && : > mark && : > data/kept && rm data/gone && {ALLOW}"
    ));
    desk.write("data/kept", "precious");
    desk.write("data/gone", "");
    let case = |name: &str| {
        format!(
            r#"{{"name":"{name}","call":{{"tool":"shell","input":{{}}}},"expect":{{"outcome":"allow"}}}}"#
        )
    };
    desk.cases("a", &[&case("one"), &case("two"), &case("three")]);
    let ran = desk.run(&["test"]);
    assert_eq!(
        ran.stdout.lines().last(),
        Some("3 passed, 0 failed"),
        "{ran:?}"
    );
    assert!(!desk.path().join("mark").exists());
    assert_eq!(desk.read("data/kept"), "precious");
    assert!(desk.path().join("data/gone").exists());
    assert_eq!(desk.leftovers().len(), 0);
}

#[test]
fn the_path_of_the_copy_can_stand_in_calls_files_and_expectations() {
    let desk = Desk::with_hook(
        r#"read -r call
[ "$(cat where)" = "$PWD" ] && [ -x run ] || exit 1
case $call in
  *'"input":{"path":"'"$PWD"'/x"}'*) printf '{"decision":"modify","input":{"path":"%s/y"}}\n' "$PWD" ;;
  *) echo '{"decision":"deny","reason":"outside"}' ;;
esac"#,
    );
    let files = r#"{"where":"{{workspace}}\n","run":{"text":"","executable":true}}"#;
    let case = |name: &str, path: &str, expect: &str| {
        format!(
            r#"{{"name":"{name}","files":{files},"call":{{"tool":"shell","input":{{"path":"{path}"}}}},"expect":{expect}}}"#
        )
    };
    desk.cases(
        "a",
        &[
            &case(
                "inside",
                "{{workspace}}/x",
                r#"{"outcome":"modify","input":{"path":"{{workspace}}/y"}}"#,
            ),
            &case(
                "outside",
                "/x",
                r#"{"outcome":"deny","reason_contains":"outside"}"#,
            ),
        ],
    );
    let ran = desk.test(&[]);
    assert_eq!(
        ran.stdout.lines().last(),
        Some("2 passed, 0 failed"),
        "{ran:?}"
    );
}

#[test]
fn what_git_ignores_is_copied_on_request() {
    let desk = Desk::empty();
    desk.write(
        ".basis/hooks.json",
        r#"{"schema":1,"hooks":[{"name":"guard","command":["./target/tool"]}]}"#,
    );
    desk.program("target/tool", &format!("#!/bin/sh\n{ALLOW}\n"));
    desk.write(".gitignore", "target/\n");
    desk.cases(
        "a",
        &[r#"{"name":"a","call":{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#],
    );
    let ran = desk.test(&[]);
    assert_eq!(ran.status, Some(1));
    let hint = "note: what .gitignore names is not in the copy, except in .basis; --with-ignored takes it along";
    assert!(ran.stdout.contains(hint), "{}", ran.stdout);
    let ran = desk.test(&["--with-ignored"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_workspace_that_is_too_large_is_not_copied() {
    let desk = Desk::with_hook(ALLOW);
    desk.write("large", &"x".repeat(1024 * 1024));
    desk.cases(
        "a",
        &[r#"{"name":"a","call":{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#],
    );
    let ran = desk.test(&["--max-copy", "1"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "error: a copy of the workspace would be larger than 1 MiB; have .gitignore name what the cases do not need, or \
         raise the limit with --max-copy\n"
    );
    assert_eq!(desk.test(&["--max-copy", "2"]).status, Some(0));
}

#[test]
fn directories_that_cannot_be_written_are_copied_and_removed() {
    let desk = Desk::with_hook(&format!("[ -r closed/deep/file ] && {ALLOW}"));
    desk.write("closed/deep/file", "");
    let mode = |mode: &str| {
        let mut chmod = program("chmod");
        let ran = chmod
            .args(["-R", mode])
            .arg(desk.path().join("closed"))
            .status();
        assert!(ran.expect("started").success());
    };
    desk.cases(
        "a",
        &[r#"{"name":"a","call":{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#],
    );
    mode("a-w");
    let ran = desk.test(&[]);
    mode("u+w");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_copy() {
    let desk = Desk::with_hook(ALLOW);
    let outside = desk.temporary().join("../outside");
    fs::create_dir(&outside).expect("made");
    symlink(&outside, desk.path().join("way-out")).expect("linked");
    desk.cases("a", &[r#"{"name":"a","files":{"way-out/x":"x"},"call":{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#]);
    let ran = desk.test(&[]);
    assert_eq!(ran.status, Some(1));
    let why = "cannot create the file `way-out/x` of the case: a directory of its path is a symbolic link";
    assert!(ran.stdout.contains(why), "{}", ran.stdout);
    assert_eq!(fs::read_dir(outside).expect("a directory").count(), 0);
}
