//! Files that are none, where a stranger's repository has them: no wait, no end of memory, nothing left.

use std::{
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::Path,
    process::{Output, Stdio},
};

use crate::desk::{Desk, program};

const CASE: &str =
    r#"{"name":"a","call":{"tool":"shell","input":{}},"expect":{"outcome":"allow"}}"#;

/// What may stand in a file's place: the target of a link, or a pipe.
const ODD: [&str; 7] = [
    "a pipe",
    "/dev/zero",
    "/dev/stdin",
    "/dev/tty",
    "/proc/self/fd/0",
    "/proc/self/environ",
    "/",
];

fn desk() -> Desk {
    let desk = Desk::with_hook(r#"echo '{"decision":"allow"}'"#);
    desk.cases("a", &[CASE]);
    fs::create_dir_all(desk.path().join("sub")).expect("made");
    fs::create_dir_all(desk.path().join(".claude")).expect("made");
    fs::create_dir_all(desk.path().join(".codex")).expect("made");
    desk
}

fn put(odd: &str, path: &Path) {
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).expect("removed");
    }
    if odd == "a pipe" {
        let made = program("mkfifo").arg(path).status().expect("started");
        assert!(made.success());
    } else {
        symlink(odd, path).expect("a link");
    }
}

/// Runs the command within 1 GiB where the system can say so, with a standard input that stays open until it has ended.
fn run(desk: &Desk, args: &[&str]) -> Output {
    let line = "ulimit -v 1048576 2>/dev/null; exec \"$0\" \"$@\"";
    let command = desk.command(args);
    let mut limited = program("sh");
    limited
        .args(["-c", line])
        .arg(command.get_program())
        .args(args)
        .env_clear()
        .current_dir(desk.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for (name, value) in command.get_envs() {
        limited.env(name, value.expect("a value"));
    }
    let mut child = limited.spawn().expect("started");
    let open = child.stdin.take().expect("piped");
    let output = child.wait_with_output().expect("ended");
    drop(open);
    output
}

#[test]
fn what_says_what_git_ignores_is_a_file_or_an_error() {
    for odd in ODD {
        for place in [".gitignore", "sub/.gitignore"] {
            let desk = desk();
            put(odd, &desk.path().join(place));
            let output = run(&desk, &["test"]);
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{odd} {place}: {told}");
            assert!(told.contains(place), "{odd} {place}: {told}");
            assert!(!told.contains("HOME="), "{odd} {place}: {told}");
            assert_eq!(desk.leftovers().len(), 0);
            // Who asks for all of it needs nothing that says what is ignored.
            let output = run(&desk, &["test", "--with-ignored"]);
            assert_eq!(output.status.code(), Some(0), "{odd} {place}");
        }
    }
}

#[test]
fn a_list_of_patterns_has_a_limit() {
    let desk = desk();
    let file = fs::File::create(desk.path().join(".gitignore")).expect("a file");
    file.set_len(50 << 30).expect("holes");
    let output = run(&desk, &["test"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(".gitignore is larger than"), "{told}");
}

#[test]
fn files_that_hooks_and_cases_are_read_from_are_files_or_errors() {
    let all = ["--hooks", "native,claude,codex"];
    let check = [&["check"][..], &all].concat();
    let consult = [&["consult", "--tool", "T", "--input", "{}"][..], &all].concat();
    let explain = [&["explain", "--tool", "T", "--input", "{}"][..], &all].concat();
    for odd in ODD {
        for place in [
            ".basis/hooks.json",
            ".basis/tests/b.hooktest.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".codex/hooks.json",
            ".codex/config.toml",
        ] {
            let desk = desk();
            fs::create_dir(desk.path().join(".git")).expect("made");
            put(odd, &desk.path().join(place));
            let cases = place.contains("hooktest");
            let commands = if cases {
                vec![check.clone(), vec!["test"]]
            } else {
                vec![check.clone(), consult.clone(), explain.clone()]
            };
            for command in commands {
                let output = run(&desk, &command);
                let told = [output.stdout, output.stderr].concat();
                let told = String::from_utf8_lossy(&told);
                assert_eq!(
                    output.status.code(),
                    Some(1),
                    "{odd} {place} {command:?}: {told}"
                );
                assert!(!told.contains("HOME="), "{odd} {place} {command:?}: {told}");
            }
        }
    }
}

#[test]
fn what_is_no_file_is_not_copied_and_a_link_is_not_followed() {
    let desk = desk();
    put("a pipe", &desk.path().join("pipe"));
    put("/dev/zero", &desk.path().join("zeros"));
    put(".", &desk.path().join("sub/loop"));
    let ran = desk.test(&[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    // With more than a copy may have, nothing is copied either.
    let large = fs::File::create(desk.path().join("large")).expect("a file");
    large.set_len(50 << 30).expect("holes");
    assert_eq!(desk.test(&[]).status, Some(1));
    (&large).write_all(b"x").expect("written");
    desk.write(".gitignore", "large\n");
    assert_eq!(desk.test(&[]).status, Some(0));
}
