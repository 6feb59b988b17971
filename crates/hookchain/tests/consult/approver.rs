//! The program that the operator's own hooks file names puts the call to a person.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use crate::workspace::{Ran, Workspace, finish};

const CALL: [&str; 4] = ["--tool", "shell", "--input", r#"{"command":"make deploy"}"#];

const DECLARED: &str = r#""approver":{"command":["./ask","x y"],"timeout_ms":600000}"#;

fn asking() -> Workspace {
    let answer = r#"{"decision":"ask","reason":"to production"}"#;
    Workspace::answering("pre_tool_use", answer)
}

/// A workspace with a hook that asks, and an operator with this approver: a script beside the operator's file.
fn with_approver(declared: &str, script: &str) -> (Workspace, PathBuf) {
    let workspace = asking();
    let folder = workspace.operators(declared);
    let path = folder.join("ask");
    fs::write(&path, format!("#!/bin/sh\n: > started\n{script}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
    (workspace, folder)
}

fn consult(workspace: &Workspace, args: &[&str]) -> Ran {
    workspace.consult(&[&CALL[..], args].concat())
}

#[test]
fn a_person_who_agrees_lets_the_call_be_made() {
    // It knows what it is asked, gets its words as they are, and runs beside the file that names it.
    let script = r#"read -r line
printf '%s' "$line" > asked
[ "$1" = 'x y' ] && [ -e hooks.json ] && echo '{"approval":"granted"}'"#;
    let (workspace, folder) = with_approver(DECLARED, script);
    let ran = consult(&workspace, &[]);
    assert_eq!(
        (ran.status, &*ran.stdout, &*ran.stderr),
        (Some(0), "{\"outcome\":\"allow\"}\n", "")
    );
    let asked = fs::read_to_string(folder.join("asked")).expect("what it read");
    let asked: serde_json::Value = serde_json::from_str(&asked).expect("JSON");
    assert_eq!(asked["by"][0]["name"], "guard");
    assert_eq!(asked["call"]["input"]["command"], "make deploy");
    assert_eq!(asked["then"]["outcome"], "allow");
}

#[test]
fn a_person_who_does_not_agree_has_the_last_word() {
    let script = r#"echo '{"approval":"refused","reason":"not on a Friday"}'"#;
    let (workspace, _) = with_approver(DECLARED, script);
    let ran = consult(&workspace, &[]);
    let said = r#"{"outcome":"deny","reason":"not approved: not on a Friday (asked by hook 'guard': to production)"}"#;
    assert_eq!((ran.status, ran.stdout.trim_end()), (Some(3), said));
}

#[test]
fn an_approver_that_fails_is_no_agreement() {
    for (script, says) in [
        ("echo no network >&2; exit 3", "status 3: no network"),
        ("echo granted", "gave no answer"),
        (r#"echo '{"approval":"granted"}'; exit 1"#, "status 1"),
        ("kill -9 $$", "signal"),
    ] {
        let (workspace, _) = with_approver(DECLARED, script);
        let ran = consult(&workspace, &[]);
        assert_eq!(ran.status, Some(3), "{script}: {ran:?}");
        let why = "a person has to agree, and the host's way to ask one failed";
        assert!(ran.stdout.contains(why), "{script}: {ran:?}");
        assert!(ran.stdout.contains("by hand: make deploy"), "{ran:?}");
        assert!(ran.stderr.contains(says), "{script}: {ran:?}");
    }
}

#[test]
fn an_approver_that_hangs_is_killed_and_no_agreement() {
    let declared = r#""approver":{"command":["./ask"],"timeout_ms":250}"#;
    let script = "echo $$ > pid; sleep 600; echo '{\"approval\":\"granted\"}'";
    let (workspace, folder) = with_approver(declared, script);
    let ran = consult(&workspace, &[]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let why = "a person has to agree, and none answered within 0.25 s";
    assert!(ran.stdout.contains(why), "{ran:?}");
    if let Ok(pid) = fs::read_to_string(folder.join("pid")) {
        let pid = pid.trim();
        let is_there = PathBuf::from("/proc").join(pid).join("cmdline");
        let still =
            fs::read(is_there).is_ok_and(|line| line.windows(5).any(|word| word == b"./ask"));
        assert!(!still, "{pid} is still there");
    }
}

#[test]
fn an_approver_that_is_missing_is_no_agreement() {
    let workspace = asking();
    let folder = workspace.operators(DECLARED);
    let ran = consult(&workspace, &[]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.stdout.contains("the host's way to ask one failed"),
        "{ran:?}"
    );
    let missing = format!("there is no file {}/./ask", folder.display());
    assert!(ran.stderr.contains(&missing), "{ran:?}");
    // A program of that name in the workspace is not it.
    let other = workspace.path().join("ask");
    fs::write(&other, "#!/bin/sh\necho '{\"approval\":\"granted\"}'\n").expect("a script");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("its mode");
    assert_eq!(consult(&workspace, &[]).status, Some(3));
}

#[test]
fn a_repository_does_not_say_who_agrees_to_calls() {
    let workspace = Workspace::empty();
    workspace.hooks_file(
        r#"{"schema":1,"hooks":[{"name":"guard","command":["sh","-c",": > started"]}],
            "approver":{"command":["sh","-c",": > started; echo '{\"approval\":\"granted\"}'"]}}"#,
    );
    let ran = consult(&workspace, &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    let why = "`approver` has no meaning in the file of a workspace";
    assert!(ran.stderr.contains(why), "{ran:?}");
    assert!(!workspace.path().join("started").exists());
    assert!(!workspace.path().join(".basis/started").exists());
}

#[test]
fn the_approver_counts_where_its_file_is_read_and_nothing_else_is_chosen() {
    let grants = r#"echo '{"approval":"granted"}'"#;
    for (args, status) in [
        (&["--workspace-only"][..], 3),
        (&["--on-ask", "deny"], 3),
        (&["--on-ask", "report"], 4),
    ] {
        let (workspace, folder) = with_approver(DECLARED, grants);
        let ran = consult(&workspace, args);
        assert_eq!(ran.status, Some(status), "{args:?}: {ran:?}");
        assert!(!folder.join("started").exists(), "{args:?}");
    }
    let (workspace, _) = with_approver(DECLARED, grants);
    let mut command = workspace.command(&CALL);
    command.env("HOOKCHAIN_ON_ASK", "deny");
    let ran = finish(command.spawn().expect("started"), "");
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

#[test]
fn each_of_many_calls_is_put_to_the_approver() {
    // What it says depends on what it reads.
    let script = r#"read -r line
case $line in
  *deploy*) echo '{"approval":"refused"}' ;;
  *) echo '{"approval":"granted"}' ;;
esac"#;
    let (workspace, _) = with_approver(DECLARED, script);
    let calls = r#"{"tool_name":"shell","input":{"command":"make"}}
{"tool_name":"shell","input":{"command":"make deploy"}}
"#;
    let ran = workspace.consult_with(&["--each-line"], calls);
    let outcomes: Vec<_> = ran.stdout.lines().map(|line| line.get(..18)).collect();
    assert_eq!(
        outcomes,
        [Some(r#"{"outcome":"allow""#), Some(r#"{"outcome":"deny","#)],
        "{ran:?}"
    );
}
