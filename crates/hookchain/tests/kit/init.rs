//! `hookchain init`: from an empty directory to a hook that works and is tested.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use hook_config::HooksFile;

use crate::desk::Desk;

/// Every file below a directory, with its content; symbolic links are not followed.
fn tree(directory: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = entry.path();
            let name = path
                .strip_prefix(directory)
                .expect("below")
                .display()
                .to_string();
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                found.insert(format!("{name}/"), String::new());
                waiting.push(path);
            } else if kind.is_symlink() {
                let target = fs::read_link(path).expect("a link");
                found.insert(name, format!("-> {}", target.display()));
            } else {
                found.insert(name, fs::read_to_string(path).expect("text"));
            }
        }
    }
    found
}

/// The commands that are printed at the end.
fn next(stdout: &str) -> Vec<&str> {
    let next = stdout.split("Next:\n").nth(1).expect("commands");
    next.lines().map(str::trim).collect()
}

#[track_caller]
fn check(lang: &[&str], program: &str) {
    let desk = Desk::empty();
    let ran = desk.run(&[&["init"], lang].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let mode = fs::metadata(desk.path().join(program))
        .expect("a program")
        .permissions()
        .mode();
    assert_ne!(mode & 0o100, 0, "{program} can be executed");
    let hooks = HooksFile::parse(&desk.read(".basis/hooks.json")).expect("a hooks file");
    assert_eq!(hooks.warnings, []);

    let commands = next(&ran.stdout);
    assert_eq!(commands.len(), 3);
    let [checked, tested, consulted] = commands[..] else {
        panic!("{commands:?}");
    };
    let checked = desk.type_in(checked);
    assert_eq!(
        (checked.status, checked.stderr.as_str()),
        (Some(0), ""),
        "{checked:?}"
    );
    let tested = desk.type_in(tested);
    assert_eq!(
        (tested.status, tested.stderr.as_str()),
        (Some(0), ""),
        "{tested:?}"
    );
    assert_eq!(tested.stdout.lines().last(), Some("4 passed, 0 failed"));
    let consulted = desk.type_in(consulted);
    assert_eq!(
        (consulted.status, consulted.stderr.as_str()),
        (Some(3), ""),
        "{consulted:?}"
    );
    assert!(
        consulted.stdout.contains("force-push is not allowed"),
        "{consulted:?}"
    );
}

#[test]
fn a_first_hook_works_in_each_language() {
    check(&[], ".basis/hooks/no-force-push.sh");
    check(&["--lang", "bash"], ".basis/hooks/no-force-push.sh");
    check(&["--lang", "python"], ".basis/hooks/no-force-push.py");
    check(&["--lang", "node"], ".basis/hooks/no-force-push.mjs");
}

#[test]
fn what_is_written_can_be_read() {
    let desk = Desk::empty();
    let ran = desk.run(&["init", "--lang", "python"]);
    let mut said = ran.stdout;
    for path in [
        ".basis/hooks.json",
        ".basis/tests/no-force-push.hooktest.json",
    ] {
        write!(said, "\n{path}:\n{}", desk.read(path)).expect("text");
    }
    insta::assert_snapshot!("init", said);
    let names: Vec<_> = tree(&desk.path()).into_keys().collect();
    assert_eq!(
        names,
        [
            ".basis/",
            ".basis/hooks.json",
            ".basis/hooks/",
            ".basis/hooks/no-force-push.py",
            ".basis/schemas/",
            ".basis/schemas/hook-test.v1.schema.json",
            ".basis/schemas/hooks-file.v1.schema.json",
            ".basis/tests/",
            ".basis/tests/no-force-push.hooktest.json",
        ]
    );
}

#[test]
fn the_cases_fail_without_the_guard() {
    let desk = Desk::empty();
    assert_eq!(desk.run(&["init"]).status, Some(0));
    desk.program(
        ".basis/hooks/no-force-push.sh",
        "#!/bin/sh\necho '{\"decision\":\"allow\"}'\n",
    );
    let ran = desk.run(&["test"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.stdout.lines().last(), Some("2 passed, 2 failed"));
}

#[test]
fn a_directory_is_named_in_the_commands() {
    let desk = Desk::empty();
    fs::create_dir(desk.path().join("it's here")).expect("made");
    let ran = desk.run(&["init", "it's here"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let commands = next(&ran.stdout);
    assert_eq!(commands.first(), Some(&r"hookchain check 'it'\''s here'"));
    assert_eq!(desk.type_in(commands[0]).status, Some(0));
    let tested = desk.type_in(commands[1]);
    assert_eq!(
        tested.stdout.lines().last(),
        Some("4 passed, 0 failed"),
        "{tested:?}"
    );
}

/// Nothing may change; says what is told.
#[track_caller]
fn refused(desk: &Desk, args: &[&str]) -> String {
    let before = tree(&desk.path());
    let ran = desk.run(&[&["init"], args].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(tree(&desk.path()), before, "nothing is written");
    ran.stderr
}

#[test]
fn whatever_is_in_the_way_stays_and_is_named() {
    let mut all = String::new();
    let mut tell = |name: &str, said: &str| writeln!(all, "{name}\n{said}").expect("text");

    let desk = Desk::empty();
    desk.write(".basis/hooks.json", "{\"schema\":1,\"hooks\":[]}");
    tell("a hooks file", &refused(&desk, &["--lang", "node"]));

    let desk = Desk::empty();
    desk.write(".basis/hooks/no-force-push.sh", "mine");
    desk.write(".basis/tests/no-force-push.hooktest.json", "mine");
    tell("a hook and its cases", &refused(&desk, &[]));

    let desk = Desk::empty();
    desk.write(".basis/x", "");
    symlink("nowhere", desk.path().join(".basis/hooks.json")).expect("linked");
    tell("a link to nothing", &refused(&desk, &[]));

    let desk = Desk::empty();
    desk.write("elsewhere/x", "");
    symlink("elsewhere", desk.path().join(".basis")).expect("linked");
    tell("a link in place of the directory", &refused(&desk, &[]));

    let desk = Desk::empty();
    desk.write(".basis/x", "");
    symlink("../..", desk.path().join(".basis/tests")).expect("linked");
    tell("a link in place of a directory below", &refused(&desk, &[]));

    let desk = Desk::empty();
    desk.write(".basis", "a file");
    tell("a file in place of the directory", &refused(&desk, &[]));

    let desk = Desk::empty();
    desk.write(".basis/hooks.json/x", "a directory");
    tell("a directory in place of a file", &refused(&desk, &[]));

    tell("no directory", &refused(&Desk::empty(), &["missing"]));
    insta::assert_snapshot!("init_refused", all);
}

#[test]
fn beside_other_files_nothing_is_touched() {
    let desk = Desk::empty();
    desk.write(".basis/hooks/mine.sh", "mine");
    assert_eq!(desk.run(&["init"]).status, Some(0));
    assert_eq!(desk.read(".basis/hooks/mine.sh"), "mine");
    // A second time everything is in the way.
    let said = refused(&desk, &["--lang", "python"]);
    assert!(said.contains(".basis/hooks.json exist already"), "{said}");
}

#[test]
fn whatever_the_umask_check_finds_no_fault_with_what_was_written() {
    for umask in ["0", "002", "077"] {
        let desk = Desk::empty();
        let ran = desk.type_in(&format!(
            "umask {umask}; hookchain init && hookchain check --strict"
        ));
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{umask}: {ran:?}"
        );
    }
}
