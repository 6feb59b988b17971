//! A link of the workspace that leads out of it is an error, and nothing of what it leads to is shown.

use std::{fs, os::unix::fs::symlink};

use crate::place::{Place, Ran, codes};

/// Secrets, in texts that a reader would quote: in a place of a mistake, in a field, in a name, as no UTF-8.
const SECRETS: [&[u8]; 6] = [
    b"machine example.com password hunter2\n",
    b"{\"hunter2\": 1, \"schema\": 1, \"hooks\": []}",
    b"{\"schema\": 1, \"hooks\": [{\"name\": \"hunter2\", \"command\": [\"hunter2\"]}]}",
    b"{\"hooks\": {\"hunter2\": [], \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"hunter2\"}]}]}}",
    b"[hunter2]\nx = \"hunter2\n",
    b"hunter2 \xff hunter2",
];

const FILES: [&str; 6] = [
    ".basis/hooks.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".basis/tests/a.hooktest.json",
];

const COMMANDS: [&[&str]; 7] = [
    &["check", "ws", "--hooks", "native,claude,codex"],
    &["check", "ws", "--hooks", "native,claude,codex", "--strict"],
    &[
        "check",
        "ws",
        "--hooks",
        "native,claude,codex",
        "--format",
        "json",
    ],
    &[
        "explain",
        "--workspace",
        "ws",
        "--hooks",
        "native,claude,codex",
        "--tool",
        "T",
        "--input",
        "{}",
    ],
    &[
        "consult",
        "--workspace",
        "ws",
        "--hooks",
        "native,claude,codex",
        "--tool",
        "T",
        "--input",
        "{}",
    ],
    &["test", "--workspace", "ws"],
    &[
        "test",
        "--workspace",
        "ws",
        "ws/.basis/tests/a.hooktest.json",
    ],
];

fn place() -> Place {
    let place = Place::new();
    for folder in [
        "ws/.git",
        "ws/.basis/tests",
        "ws/.claude",
        "ws/.codex",
        "away",
    ] {
        place.directory(folder, 0o755);
    }
    place
}

#[track_caller]
fn says_nothing(ran: &Ran, what: &str) {
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!told.contains("hunter2"), "{what}: {told}");
    assert!(!told.contains("panicked"), "{what}: {told}");
}

#[test]
fn nothing_of_a_file_outside_is_shown_by_any_command() {
    for secret in SECRETS {
        for file in FILES {
            let place = place();
            place.file("away/secret", secret, 0o600);
            let up = "../".repeat(file.matches('/').count() + 1);
            for target in [place.path("away/secret"), format!("{up}away/secret").into()] {
                let link = place.path("ws").join(file);
                symlink(&target, &link).expect("a link");
                no_command_shows_it(&place, file);
                fs::remove_file(&link).expect("removed");
            }
        }
    }
}

#[track_caller]
fn no_command_shows_it(place: &Place, file: &str) {
    for command in COMMANDS {
        let what = format!("{file}: {command:?}");
        let ran = place.run(command);
        says_nothing(&ran, &what);
        if command[0] == "check" {
            assert_eq!(ran.status, Some(1), "{what}: {}", ran.stdout);
            assert!(ran.stdout.contains("outside"), "{what}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_folder_that_leads_out_of_the_workspace_is_no_way_around() {
    for (folder, file) in [
        (".basis", "hooks.json"),
        (".claude", "settings.json"),
        (".codex", "config.toml"),
        (".basis/tests", "a.hooktest.json"),
    ] {
        let place = place();
        let link = place.path("ws").join(folder);
        fs::remove_dir_all(&link).expect("removed");
        place.file(&format!("away/{file}"), SECRETS[1], 0o600);
        symlink(place.path("away"), &link).expect("a link");
        for command in COMMANDS {
            says_nothing(&place.run(command), folder);
        }
        let ran = place.run(&[COMMANDS[0], &["--format", "json"]].concat());
        assert!(
            codes(&ran.stdout).contains(&"outside".to_owned()),
            "{folder}: {}",
            ran.stdout
        );
    }
}

#[test]
fn the_bridge_blocks_and_the_model_reads_none_of_it() {
    let place = place();
    place.file("away/secret", SECRETS[0], 0o600);
    symlink("../../away/secret", place.path("ws/.basis/hooks.json")).expect("a link");
    let call = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
    for agent in ["claude", "codex"] {
        let ran = place.run_with(&["bridge", agent, "--workspace", "ws"], call);
        says_nothing(&ran, agent);
        assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
        assert!(ran.stderr.contains("leads out of"), "{agent}: {ran:?}");
    }
}

#[test]
fn a_link_inside_of_the_workspace_is_a_file_as_any() {
    let place = place();
    place.file("ws/hooks.json", r#"{"schema": 1, "hooks": []}"#, 0o644);
    symlink("../hooks.json", place.path("ws/.basis/hooks.json")).expect("a link");
    // However the workspace itself is reached.
    symlink("ws", place.path("way")).expect("a link");
    for workspace in ["ws", "way", "away/../way/."] {
        let ran = place.run(&["check", workspace]);
        assert_eq!(ran.status, Some(0), "{workspace}: {}", ran.stdout);
    }
}
