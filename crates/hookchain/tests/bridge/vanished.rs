//! The user's guards that cannot be found are no user without guards.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use crate::desk::{Desk, Ran, before, ran};

const AGENTS: [&str; 2] = ["claude", "codex"];
const VARIABLES: [&str; 2] = ["BASIS_CONFIG_DIR", "XDG_CONFIG_HOME"];

fn with_variable(desk: &Desk, args: &[&str], variable: &str, value: &str) -> Ran {
    let mut command = desk.command(args);
    let payload = before("ls").to_string();
    command.env(variable, value);
    if args[0] == "bridge" {
        crate::desk::answered(command, payload.as_bytes())
    } else {
        ran(command.output().expect("started"))
    }
}

/// What stands where a variable says that the folder is, and is none.
fn wrong(desk: &Desk) -> Vec<String> {
    let dangling = desk.path().join("dangling");
    if fs::symlink_metadata(&dangling).is_err() {
        symlink(desk.path().join("gone"), &dangling).expect("a link");
    }
    desk.write("a-file", "");
    let paths = ["gone", "a-file", "a-file/below", "dangling"];
    let absolute = paths.map(|path| desk.path().join(path).display().to_string());
    let mut all = Vec::from(absolute);
    all.extend(["relative".to_owned(), "/dev/null".to_owned()]);
    all
}

#[test]
fn a_variable_that_names_no_folder_blocks_every_call_and_says_which() {
    let desk = Desk::new();
    for variable in VARIABLES {
        for value in wrong(&desk) {
            for agent in AGENTS {
                let ran = with_variable(&desk, &["bridge", agent], variable, &value);
                assert_eq!(ran.status, Some(2), "{variable}={value}: {ran:?}");
                let heard = ran.heard(agent, "PreToolUse");
                let reason = heard.reason.expect("a reason");
                assert!(reason.contains(variable), "{value}: {reason}");
            }
        }
    }
}

#[test]
fn no_command_that_asks_hooks_goes_on_without_the_users() {
    let desk = Desk::new();
    let commands: [&[&str]; 4] = [
        &["consult", "--tool", "T", "--input", "{}"],
        &["explain", "--tool", "T", "--input", "{}"],
        &["check"],
        &["check", "--format", "json"],
    ];
    for variable in VARIABLES {
        for value in wrong(&desk) {
            for args in commands {
                let ran = with_variable(&desk, args, variable, &value);
                let told = ran.stdout + &ran.stderr;
                assert_ne!(ran.status, Some(0), "{args:?} {variable}={value}: {told}");
                assert!(told.contains(variable), "{args:?} {value}: {told}");
                assert!(!told.contains("\"outcome\""), "{args:?} {value}: {told}");
            }
        }
    }
}

#[test]
fn whoever_wants_none_of_the_users_files_says_so() {
    let desk = Desk::new();
    let alone = [
        "consult",
        "--tool",
        "T",
        "--input",
        "{}",
        "--workspace-only",
    ];
    for variable in VARIABLES {
        for value in wrong(&desk) {
            let ran = with_variable(&desk, &alone, variable, &value);
            assert_eq!(ran.status, Some(0), "{variable}={value}: {ran:?}");
        }
        let empty = desk.path().join("home").display().to_string();
        let ran = with_variable(&desk, &alone[..5], variable, &empty);
        assert_eq!(ran.status, Some(0), "{variable}: {ran:?}");
    }
}

/// Where `check` looked for the user's file.
fn looked_for(desk: &Desk, home: Option<&str>) -> PathBuf {
    let mut command = desk.command(&["check", "--format", "json"]);
    match home {
        Some(home) => command.env("HOME", home),
        None => command.env_remove("HOME"),
    };
    let ran = ran(command.output().expect("started"));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    report["files"][0]["path"].as_str().expect("a path").into()
}

#[test]
fn without_a_home_the_user_database_says_where_it_is() {
    let desk = Desk::new();
    let said = desk.path().join("home").display().to_string();
    let below = |home: PathBuf| home.join(".config/basis/hooks.json");
    assert_eq!(
        looked_for(&desk, Some(&said)),
        below(said.clone().into()),
        "what `HOME` says comes first"
    );
    let noted = hook_source::home(None).unwrap_or_else(|| "~".into());
    let gone = desk.path().join("gone").display().to_string();
    for home in [None, Some(""), Some(&*gone), Some("/dev/null")] {
        assert_eq!(
            looked_for(&desk, home),
            below(noted.clone()),
            "HOME={home:?}"
        );
    }
}

#[test]
fn an_agents_folder_of_the_user_that_is_named_has_to_be_there() {
    let desk = Desk::new();
    for (agent, variable) in [("claude", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME")] {
        let consult = [
            "consult", "--hooks", agent, "--tool", "Bash", "--input", "{}",
        ];
        for value in wrong(&desk) {
            let ran = with_variable(&desk, &consult, variable, &value);
            assert_ne!(ran.status, Some(0), "{variable}={value}: {ran:?}");
            assert!(ran.stderr.contains(variable), "{value}: {ran:?}");
        }
        let there = desk.path().join("home/of-the-agent");
        fs::create_dir_all(&there).expect("a folder");
        let there = there.display().to_string();
        let ran = with_variable(&desk, &consult, variable, &there);
        assert_eq!(ran.status, Some(0), "{variable}: {ran:?}");
    }
}
