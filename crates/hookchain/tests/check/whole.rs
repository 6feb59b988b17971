//! What `check` says of a workspace as a whole.

use std::os::unix::fs::{MetadataExt, symlink};

use crate::place::{Place, codes};

const GUARD: &str = "#!/bin/sh\necho '{\"decision\":\"allow\"}'\n";

const ONE_HOOK: &str = r#"{
  "schema": 1,
  "hooks": [
    { "name": "guard", "command": ["./.basis/hooks/guard.sh"] }
  ]
}
"#;

/// A workspace with a hook that can be asked.
fn fine() -> Place {
    let place = Place::with_hooks_file(ONE_HOOK);
    place.file("ws/.basis/hooks/guard.sh", GUARD, 0o755);
    place
}

#[test]
fn nothing_is_wrong() {
    let ran = fine().run(&["check", "ws", "--strict"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn no_hooks_file_is_fine() {
    let ran = Place::new().run(&["check", "ws"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn the_directory_is_the_one_one_is_in_unless_given() {
    let place = fine();
    std::fs::rename(place.path("ws/.basis"), place.path(".basis")).expect("moved");
    let ran = place.run(&["check"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("./.basis/hooks.json"), "{}", ran.stdout);
}

#[test]
fn both_files_are_looked_at_and_everything_is_told_at_once() {
    let place = fine();
    place.directory("home/.config/basis", 0o755);
    let global = r#"{"schema": 1, "hooks": [
  {"name": "audit", "comand": ["audit"]},
  {"name": "metrics", "command": ["/opt/none/metrics"], "tools": []}
]}"#;
    place.file("home/.config/basis/hooks.json", global, 0o644);
    place.file("ws/.basis/hooks/guard.sh", "#!/bin/sh\r\n", 0o644);
    let ran = place.run(&["check", "ws"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_file_that_both_paths_lead_to_is_read_once() {
    let place = fine();
    place.directory("home/.config", 0o755);
    symlink(place.path("ws/.basis"), place.path("home/.config/basis")).expect("a link");
    let ran = place.run(&["check", "ws"]);
    assert_eq!(ran.status, Some(0));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_workspace_or_a_global_directory_that_is_none_is_an_error() {
    let place = fine().with_variable("BASIS_CONFIG_DIR", "config");
    let ran = place.run(&["check", "typo"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn warnings_are_errors_for_the_strict() {
    let place = Place::with_hooks_file(r#"{"schema": 1, "hooks": [], "owner": "us"}"#);
    let ran = place.run(&["check", "ws"]);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stdout.starts_with("warning[unknown_field]"),
        "{}",
        ran.stdout
    );
    let ran = place.run(&["check", "ws", "--strict"]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stdout.starts_with("error[unknown_field]"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_bare_name_is_looked_up_on_the_path_that_the_hook_is_given() {
    let hooks = r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["guard"]}]}"#;
    let place = Place::with_hooks_file(hooks);
    place.directory("bin", 0o755);
    place.directory("open", 0o1777);
    place.file("bin/guard", GUARD, 0o755);
    place.file("ws/guard", GUARD, 0o755);
    let bin = place.path("bin").display().to_string();
    let open = place.path("open").display().to_string();
    // Relative and empty entries mean the workspace, and are not handed to hooks.
    let place = place.with_variable("PATH", format!(".::ws:{bin}"));
    let found = codes(&place.run(&["check", "ws", "--format", "json"]).stdout);
    assert_eq!(found, Vec::<String>::new());
    // Anybody can put another `guard` into a directory that is searched first.
    let place = place.with_variable("PATH", format!("{open}:{bin}"));
    let ran = place.run(&["check", "ws"]);
    assert_eq!(ran.status, Some(1));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn what_a_group_can_change_is_a_warning() {
    let place = fine();
    place.file("ws/.basis/hooks/guard.sh", GUARD, 0o775);
    let file = std::fs::metadata(place.path("ws/.basis/hooks/guard.sh")).expect("a file");
    let is_private = file.gid() == file.uid() && file.uid() != 0;
    let ran = place.run(&["check", "ws", "--format", "json"]);
    let expected: &[&str] = if is_private {
        &[]
    } else {
        &["writable_by_group"]
    };
    assert_eq!(
        (ran.status, codes(&ran.stdout)),
        (
            Some(0),
            expected.iter().map(|code| (*code).to_owned()).collect()
        )
    );
}

#[test]
fn no_more_is_told_than_anybody_reads() {
    let entry = r#"{"name": "guard", "command": ["./absent.sh"]}"#;
    let entries: Vec<_> = (0..150)
        .map(|number| entry.replace("guard", &format!("guard-{number}")))
        .collect();
    let place = Place::with_hooks_file(&format!(
        r#"{{"schema": 1, "hooks": [{}]}}"#,
        entries.join(",")
    ));
    let ran = place.run(&["check", "ws", "--format", "json"]);
    let found = codes(&ran.stdout);
    assert_eq!(
        (found.len(), found.last().map(String::as_str)),
        (101, Some("more"))
    );
    let human = place.run(&["check", "ws"]);
    assert!(
        human
            .stdout
            .contains("50 more entries have programs that were not looked at")
    );
    // All of the file is one line.
    assert!(
        human.stdout.lines().all(|line| line.chars().count() < 130),
        "{}",
        human.stdout
    );
}

#[test]
fn colours_are_for_those_who_want_them() {
    let place = Place::with_hooks_file("");
    let colours = |args: &[&str]| {
        let args = [&["check", "ws"], args].concat();
        place.run(&args).stdout.contains('\u{1b}')
    };
    assert!(colours(&["--color", "always"]));
    assert!(!colours(&["--color", "never"]));
    assert!(!colours(&["--color", "auto"]), "a pipe is no terminal");
    assert!(!colours(&["--color", "always", "--format", "json"]));
}

#[test]
fn nothing_is_started() {
    let place = fine();
    place.file(
        "ws/.basis/hooks/guard.sh",
        "#!/bin/sh\ntouch started\n",
        0o755,
    );
    let ran = place.run(&["check", "ws"]);
    assert_eq!(ran.status, Some(0));
    assert!(!place.path("ws/started").exists());
}

#[test]
fn test_cases_that_can_be_run_are_counted() {
    let place = fine();
    place.directory("ws/.basis/tests", 0o755);
    let case =
        r#"{"name": "n", "call": {"tool": "t", "input": {}}, "expect": {"outcome": "allow"}}"#;
    let text = format!(r#"{{"schema": 1, "cases": [{case}]}}"#);
    place.file("ws/.basis/tests/guard.hooktest.json", text, 0o644);
    let ran = place.run(&["check", "ws"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.stdout);
    // Other agents have no test cases of their own.
    let ran = place.run(&["check", "ws", "--hooks", "claude", "--workspace-only"]);
    assert!(!ran.stdout.contains("hooktest"), "{}", ran.stdout);
}

#[test]
fn of_very_many_mistakes_in_test_cases_a_hundred_are_told() {
    let place = fine();
    place.directory("ws/.basis/tests", 0o755);
    let cases = vec!["1"; 5_000].join(",");
    let text = format!(r#"{{"schema": 1, "cases": [{cases}]}}"#);
    place.file("ws/.basis/tests/guard.hooktest.json", text, 0o644);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!(codes(&ran.stdout).len(), 101);
    assert!(ran.stdout.contains("4900 more problems"), "{}", ran.stdout);
}
