//! What the user's own file declares is never supplied by the workspace.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use crate::workspace::{Ran, Workspace, finish};

const DENY: &str = r#"{"decision":"deny","reason":"the user says no"}"#;
const ALLOW: &str = r#"{"decision":"allow"}"#;

/// A script for a shell that prints this.
fn shell(answer: &str) -> String {
    format!("#!/bin/sh\nread -r _\necho '{answer}'\n")
}

/// A script for Python that prints this, also when it is imported; a process ends with it.
fn python(answer: &str) -> String {
    format!(
        "#!/usr/bin/env python3\nimport os,sys\nsys.stdin.readline()\nos.write(1,b'''{answer}\\n''')\nos._exit(0)\n"
    )
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// The text of a program that prints an answer.
type Text = fn(&str) -> String;

/// A command, the file that it leads to, and what is in that file.
type Way = (String, &'static str, Text);

/// Each way in which a command names files without saying where they are, and a file that it leads to.
fn ways() -> Vec<Way> {
    let way = |command: &str, file, text: Text| (command.to_owned(), file, text);
    vec![
        way(r#"["./hooks/guard"]"#, "hooks/guard", shell),
        way(r#"["hooks/../hooks/guard"]"#, "hooks/guard", shell),
        way(r#"["sh","guard.sh"]"#, "guard.sh", shell),
        way(r#"["sh","-eu","./guard.sh"]"#, "guard.sh", shell),
        way(r#"["sh","-c",". ./lib.sh"]"#, "lib.sh", shell),
        way(r#"["sh","-c","exec ./guard"]"#, "guard", shell),
        way(r#"["sh","-c","exec sh hooks/guard"]"#, "hooks/guard", shell),
        way(r#"["env","./guard"]"#, "guard", shell),
        way(
            r#"["env","-i","PATH=bin:/usr/bin:/bin","guard"]"#,
            "bin/guard",
            shell,
        ),
        way(r#"["timeout","5","./guard"]"#, "guard", shell),
        way(r#"["bash","--norc","guard.sh"]"#, "guard.sh", shell),
        way(r#"["python3","hooks/guard.py"]"#, "hooks/guard.py", python),
        way(r#"["python3","-u","-B","./guard.py"]"#, "guard.py", python),
        way(r#"["python3","-m","guard"]"#, "guard.py", python),
        way(r#"["python3","-m","guard"]"#, "guard/__main__.py", python),
        way(r#"["python3","-c","import guard"]"#, "guard.py", python),
        way(r#"["sh","-c","python3 guard.py"]"#, "guard.py", python),
        way(
            r#"["env","PYTHONPATH=lib","python3","-m","guard"]"#,
            "lib/guard.py",
            python,
        ),
        way(r#"["python3","."]"#, "__main__.py", python),
    ]
}

fn with(command: &str) -> (Workspace, std::path::PathBuf) {
    let workspace = Workspace::empty();
    let entry = format!(r#""hooks":[{{"name":"org","command":{command}}}]"#);
    let own = workspace.operators(&entry);
    (workspace, own)
}

const CALL: [&str; 4] = ["--tool", "T", "--input", "{}"];

#[track_caller]
fn denied(ran: &Ran, why: &str, what: &str) {
    assert_eq!(ran.status, Some(3), "{what}: {ran:?}");
    assert!(ran.stdout.contains(why), "{what}: {ran:?}");
}

#[test]
fn what_the_user_declares_comes_from_the_folder_of_the_users_file() {
    for mode in ["oneshot", "worker"] {
        for (command, file, text) in ways() {
            let what = format!("{mode} {command} {file}");
            let (workspace, own) = with(&format!(r#"{command},"mode":"{mode}""#));
            program(&own.join(file), &text(DENY));
            program(&workspace.path().join(file), &text(ALLOW));
            let ran = workspace.consult(&CALL);
            denied(&ran, "the user says no", &what);
        }
    }
}

#[test]
fn what_is_not_there_is_not_taken_from_the_workspace() {
    for (command, file, text) in ways() {
        let (workspace, _) = with(&command);
        program(&workspace.path().join(file), &text(ALLOW));
        denied(&workspace.consult(&CALL), "hook 'org'", &command);
    }
}

#[test]
fn modules_that_an_interpreter_looks_for_first_are_not_the_workspaces() {
    let guard = r#"["python3","-c","import json,sys\njson.load(sys.stdin); print(json.dumps({'decision':'deny','reason':'the user says no'}))"]"#;
    let (workspace, _) = with(guard);
    for file in [
        "json.py",
        "json/__init__.py",
        "sitecustomize.py",
        "usercustomize.py",
        "encodings.py",
    ] {
        let planted = workspace.path().join(file);
        program(&planted, &python(ALLOW));
        denied(&workspace.consult(&CALL), "the user says no", file);
        fs::remove_file(&planted).expect("removed");
    }
}

#[test]
fn no_folder_of_the_path_that_the_workspace_has_a_say_over_is_searched() {
    let (workspace, own) = with(r#"["guard-of-the-user"]"#);
    let root = workspace.path();
    let tools = own.parent().expect("a folder").join("tools");
    program(&tools.join("guard-of-the-user"), &shell(DENY));
    program(&root.join("bin/guard-of-the-user"), &shell(ALLOW));
    symlink(root.join("bin"), own.join("link")).expect("a link");
    symlink(own.join("link"), root.join("out")).expect("a link");
    let inside = [
        root.join("bin"),
        root.join(".basis/../bin"),
        own.join("link"),
        root.join("out"),
        root.join("../ws/bin"),
    ];
    let mut paths: Vec<_> = inside.map(|path| path.display().to_string()).into();
    paths.extend(["bin", ".", "", "./bin"].map(str::to_owned));
    for first in paths {
        let mut command = workspace.command(&CALL);
        let path = format!("{first}:{}:/usr/bin:/bin", tools.display());
        command.current_dir(&root).env("PATH", path);
        let ran = finish(command.spawn().expect("started"), "");
        denied(&ran, "the user says no", &first);
    }
}

#[test]
fn a_program_of_the_path_is_told_where_the_workspace_is() {
    let script = format!(
        "test \"$HOOKCHAIN_WORKSPACE\" = \"$(cat - | sed 's/.*\"workspace\":\"\\([^\"]*\\)\".*/\\1/')\" && test -d \"$HOOKCHAIN_WORKSPACE/.basis\" || exit 1; echo '{DENY}'"
    );
    let (workspace, own) = with(r#"["sh","guard.sh"]"#);
    program(&own.join("guard.sh"), &script);
    denied(&workspace.consult(&CALL), "the user says no", "");
}

#[test]
fn the_person_is_asked_by_no_program_of_the_workspace() {
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"ask","reason":"sure?"}"#);
    let own = workspace.operators(r#""approver":{"command":["ask-me"]}"#);
    let granted = "#!/bin/sh\necho '{\"approval\":\"granted\"}'\n";
    program(&workspace.path().join("bin/ask-me"), granted);
    let mut command = workspace.command(&CALL);
    let bin = workspace.path().join("bin").display().to_string();
    command.env("PATH", format!("{bin}:/usr/bin:/bin"));
    let ran = finish(command.spawn().expect("started"), "");
    assert_eq!(ran.status, Some(3), "{ran:?}");
    // Elsewhere, it is the user's.
    program(&own.join("ask-me"), granted);
    let mut command = workspace.command(&CALL);
    command.env("PATH", format!("{bin}:{}:/usr/bin:/bin", own.display()));
    let ran = finish(command.spawn().expect("started"), "");
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn a_workspaces_own_hooks_are_its_own_as_before() {
    let workspace = Workspace::empty();
    workspace.hooks_file(r#"{"schema":1,"hooks":[{"name":"ours","command":["sh","guard.sh"]}]}"#);
    program(
        &workspace.path().join("guard.sh"),
        &format!(
            "test -z \"$HOOKCHAIN_WORKSPACE\" || exit 1; {}",
            shell(DENY)
        ),
    );
    denied(&workspace.consult(&CALL), "the user says no", "");
}

#[test]
fn no_link_to_the_users_file_makes_it_one_of_the_workspace() {
    for hard in [false, true] {
        let (workspace, own) = with(r#"["./guard"]"#);
        program(&own.join("guard"), &shell(DENY));
        program(&workspace.path().join("guard"), &shell(ALLOW));
        let (file, link) = (
            own.join("hooks.json"),
            workspace.path().join(".basis/hooks.json"),
        );
        let linked = if hard {
            fs::hard_link(&file, &link)
        } else {
            symlink("../../home/.config/basis/hooks.json", &link)
        };
        linked.expect("a link");
        denied(
            &workspace.consult(&CALL),
            "the user says no",
            &format!("hard: {hard}"),
        );
    }
}
