use std::{fs, time::Duration};

use super::*;
use crate::{HookOrigin, HostSupport};

fn workspace(text: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    fs::create_dir(root.path().join(".basis")).expect("a directory");
    fs::write(root.path().join(".basis/hooks.json"), text).expect("a file");
    root
}

#[test]
fn only_the_operator_says_where_records_go() {
    let declared = r#"{"schema": 1, "record": {"dir": "/r"}}"#;
    let root = workspace(r#"{"schema": 1, "hooks": []}"#);
    fs::write(root.path().join("hooks.json"), declared).expect("a file");
    let config = HooksConfig::new().with_global_dir(root.path());
    let loaded = load(root.path(), &config).expect("hooks");
    assert_eq!(loaded.record, Some(RecordSpec::new("/r")));
    assert_eq!(loaded.warnings, []);

    let root = workspace(declared);
    let error = load(root.path(), &HooksConfig::new()).expect_err("a repository");
    assert!(
        error
            .to_string()
            .contains("`record` has no meaning in the file of a workspace"),
        "{error}"
    );
    let both = HooksConfig::new()
        .with_global_dir(root.path())
        .with_global_file(".basis/hooks.json");
    let loaded = load(root.path(), &both).expect("the operator's own file");
    assert_eq!(loaded.record, Some(RecordSpec::new("/r")));
}

#[test]
fn only_the_operator_says_who_agrees_to_calls() {
    let declared = r#"{"schema": 1, "approver": {"command": ["./ask"]}}"#;
    let root = workspace(r#"{"schema": 1, "hooks": []}"#);
    fs::write(root.path().join("hooks.json"), declared).expect("a file");
    let config = HooksConfig::new().with_global_dir(root.path());
    let loaded = load(root.path(), &config).expect("hooks");
    let mut expected = ApproverSpec::new(["./ask"]);
    expected.directory = root.path().to_owned();
    assert_eq!(loaded.approver, Some(expected.clone()));
    assert_eq!(loaded.warnings, []);

    let root = workspace(declared);
    let error = load(root.path(), &HooksConfig::new()).expect_err("a repository");
    assert!(
        error
            .to_string()
            .contains("`approver` has no meaning in the file of a workspace"),
        "{error}"
    );
    let both = HooksConfig::new()
        .with_global_dir(root.path())
        .with_global_file(".basis/hooks.json");
    let loaded = load(root.path(), &both).expect("the operator's own file");
    expected.directory = root.path().join(".basis");
    assert_eq!(loaded.approver, Some(expected));
}

#[test]
fn an_approver_is_started_in_one_folder_wherever_the_file_was_looked_for_from() {
    let source = HooksSource {
        path: "not/there/hooks.json".into(),
        scope: crate::HooksScope::Global,
        text: r#"{"schema": 1, "approver": {"command": ["./ask"]}}"#.into(),
        host: HostSupport::new(),
        directory: None,
    };
    let approver = source.parse().expect("a hooks file").approver;
    let directory = approver.expect("declared").directory;
    assert!(directory.is_absolute(), "{}", directory.display());
    assert!(directory.ends_with("not/there"), "{}", directory.display());
}

#[test]
fn hooks_are_asked_as_supplied_then_global_then_workspace() {
    let root = workspace(
        "{\"schema\": 1, \"hooks\": [\n{\"name\": \"guard\", \"command\": [\"w\"]},\n\n{\"name\": \"b\", \"command\": [\"b\"]}]}",
    );
    let global = root.path().join("hooks.json");
    fs::write(
        &global,
        r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["g"]}], "note": 1}"#,
    )
    .expect("a file");
    let supplied = HookSpec::new("guard", ["s"]);
    let config = HooksConfig::new()
        .with_global_dir(root.path())
        .with_supplied(vec![supplied.clone()]);

    let loaded = load(root.path(), &config).expect("hooks");

    let path = root.path().join(".basis/hooks.json");
    let in_workspace = |line| HookOrigin::WorkspaceFile {
        path: path.clone(),
        line,
        column: 1,
    };
    let in_global = HookOrigin::GlobalFile {
        path: global.clone(),
        line: 1,
        column: 25,
    };
    assert_eq!(
        loaded.hooks,
        [
            supplied,
            HookSpec::new("guard", ["g"])
                .with_origin(in_global)
                .with_directory(root.path()),
            HookSpec::new("guard", ["w"]).with_origin(in_workspace(2)),
            HookSpec::new("b", ["b"]).with_origin(in_workspace(4)),
        ],
        "hooks of the same name are all asked"
    );
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [format!(
            "{}:1:63: warning: the field `note` is not known and has no effect; \
             remove it, or use a version that knows it",
            global.display()
        )]
    );
    let paths: Vec<_> = loaded
        .sources
        .into_iter()
        .map(|source| source.path)
        .collect();
    assert_eq!(paths, [global, path]);
}

#[test]
fn everything_that_is_wrong_anywhere_is_told_at_once() {
    let root = workspace(r#"{"schema": 1, "hooks": [{"name": "w"}]}"#);
    fs::create_dir(root.path().join("hooks.json")).expect("a directory");
    let config = HooksConfig::new()
        .with_global_dir(root.path())
        .with_supplied(vec![
            HookSpec::new("fine", ["x"]),
            HookSpec::new("late", ["x"]).with_timeout(Duration::ZERO),
        ]);

    let error = load(root.path(), &config).expect_err("three errors");

    assert_eq!(error.each().len(), 3);
    let shown = error.to_string();
    assert_eq!(
        shown.replace(&format!("{}/", root.path().display()), ""),
        "supplied hook 2 (`late`): the timeout cannot be 0ns; write whole milliseconds from 1 to 86400000 (a day)\n\
         hooks.json is a directory, not a hooks file; remove it or put the file in its place\n\
         .basis/hooks.json:1:25: hook `w`: the field `command` is missing; \
         add the program and its arguments, such as \"command\": [\"./.basis/hooks/guard.sh\"]"
    );
}

#[test]
fn a_single_error_stands_for_itself() {
    let root = workspace("");
    let error = load(root.path(), &HooksConfig::new()).expect_err("an empty file");
    assert!(matches!(error, HookConfigError::Invalid { .. }));
    assert_eq!(error.each().len(), 1);
    let path = root.path().join(".basis/hooks.json");
    assert_eq!(error.path(), Some(path.as_path()));
}

#[test]
fn supplied_hooks_are_checked_when_no_file_is_read() {
    let config = HooksConfig::new()
        .with_supplied(vec![HookSpec::new("guard", [""])])
        .supplied_only();
    let error = load(Path::new("nowhere"), &config).expect_err("an empty program");
    assert_eq!(
        error.to_string(),
        "supplied hook 1 (`guard`): the first word of the command is empty; \
         it is the program to run, such as \"./.basis/hooks/guard.sh\""
    );
}

#[test]
fn a_second_byte_order_mark_is_a_mistake() {
    let root = workspace("\u{feff}\u{feff}{\"schema\": 1, \"hooks\": []}");
    let error = load(root.path(), &HooksConfig::new()).expect_err("no JSON");
    assert_eq!(error.code(), "invalid");
    fs::write(
        root.path().join(".basis/hooks.json"),
        "\u{feff}{\"schema\": 1, \"hooks\": []}",
    )
    .expect("a file");
    assert!(load(root.path(), &HooksConfig::new()).is_ok());
}
