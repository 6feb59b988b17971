//! What `check` says of commands of the user's own file.

use std::os::unix::fs::symlink;

use crate::place::{Place, codes};

const GLOBAL: &str = "home/.config/basis";

/// With this command in the user's file, and a guard beside it and in the workspace.
fn declared(command: &str) -> Place {
    let place = Place::new();
    place.directory(GLOBAL, 0o755);
    let workspace = place.path("ws").display().to_string();
    let command = command.replace("@ws", &workspace);
    let text = format!(r#"{{"schema": 1, "hooks": [{{"name": "org", "command": [{command}]}}]}}"#);
    place.file(&format!("{GLOBAL}/hooks.json"), text, 0o644);
    for folder in [GLOBAL, "ws"] {
        place.file(&format!("{folder}/guard"), "#!/bin/sh\n", 0o755);
    }
    symlink(place.path("ws/guard"), place.path(GLOBAL).join("link")).expect("a link");
    place
}

#[track_caller]
fn found(command: &str) -> Vec<String> {
    let place = declared(command);
    codes(&place.run(&["check", "ws", "--format", "json"]).stdout)
}

#[test]
fn a_path_that_leads_through_the_workspace_is_an_error_at_its_word() {
    let place = declared(r#""/bin/sh", "-eu", "@ws/guard""#);
    let ran = place.run(&["check", "ws"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stdout);

    for command in [
        r#""@ws/guard""#,
        r#""@ws/../ws/guard""#,
        r#""./link""#,
        r#""sh", "link""#,
        r#""sh", "-c", "exit 1", "--policy=@ws/guard""#,
        r#""env", "MODE=@ws/guard", "sh""#,
    ] {
        assert_eq!(found(command), ["in_workspace"], "{command}");
    }
}

#[test]
fn what_is_beside_the_users_file_is_fine_and_what_is_not_is_missing() {
    for command in [
        r#""./guard""#,
        r#""sh", "guard""#,
        r#""sh", "-c", "./guard""#,
    ] {
        assert_eq!(found(command), [""; 0], "{command}");
    }
    let place = declared(r#""sh", "only-in-ws.sh""#);
    place.file("ws/only-in-ws.sh", "", 0o644);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!(codes(&ran.stdout), ["script_not_found"]);
    let place = declared(r#""./only-in-ws.sh""#);
    place.file("ws/only-in-ws.sh", "#!/bin/sh\n", 0o755);
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!(codes(&ran.stdout), ["program_not_found"]);
}

#[test]
fn a_program_along_the_path_is_not_looked_for_in_the_workspace() {
    let place = declared(r#""guard""#);
    let bin = place.path("ws").display().to_string();
    let place = place.with_variable("PATH", format!("{bin}:/usr/bin:/bin"));
    let ran = place.run(&["check", "ws", "--format", "json"]);
    assert_eq!(codes(&ran.stdout), ["program_not_on_path"]);
}
