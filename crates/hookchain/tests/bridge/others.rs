//! What others have put into settings, and where those lead: it is named, and left as it is.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
    path::Path,
};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

use crate::desk::{Desk, Ran};

const SETTINGS: &str = "ws/.claude/settings.json";

fn install(desk: &Desk, more: &[&str]) -> Ran {
    desk.run(&[&["bridge", "install", "claude"], more].concat())
}

fn uninstall(desk: &Desk, more: &[&str]) -> Ran {
    desk.run(&[&["bridge", "uninstall", "claude"], more].concat())
}

fn files(folder: &Path) -> Vec<String> {
    let all = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.into_string().expect("UTF-8")
    };
    let mut names: Vec<_> = all.map(name).collect();
    names.sort();
    names
}

#[test]
fn a_line_that_only_has_the_words_is_named_and_left() {
    for (command, args) in [
        ("./scan.sh && hookchain bridge claude", None),
        ("true # hookchain bridge claude", None),
        ("HOOKCHAIN_X=1 hookchain bridge claude --within 5", None),
        ("/tmp/hookchain", Some(json!(["bridge", "claude"]))),
        ("hookchain", Some(json!(["bridge", "claude", "--", "x"]))),
        ("hookchain", Some(json!(["bridge", "codex"]))),
    ] {
        let desk = Desk::new();
        let mut hook =
            json!({"type": "command", "command": command, "timeout": 600, "onFailure": "block"});
        if let Some(args) = args {
            hook["args"] = args;
        }
        let before = format!(
            "{}\n",
            json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
        );
        desk.write(SETTINGS, &before);
        let status = desk.run(&["bridge", "status", "claude"]);
        assert!(
            status.status == Some(1) && !status.stdout.contains(" guarded by"),
            "{command}: {status:?}"
        );
        let ran = install(&desk, &[]);
        assert_eq!(ran.status, Some(0), "{command}: {ran:?}");
        let with: Value = serde_json::from_str(&desk.read(SETTINGS)).expect("JSON");
        let groups = with["hooks"]["PreToolUse"].as_array().expect("a list");
        assert_eq!(
            (groups.len(), &groups[0]["hooks"][0]),
            (2, &hook),
            "{command}"
        );
        assert_eq!(desk.read(&format!("{SETTINGS}.before-hookchain")), before);
        let ran = uninstall(&desk, &[]);
        assert!(
            ran.status == Some(1)
                && ran
                    .stdout
                    .contains("settings.json:1 (PreToolUse): left alone"),
            "{command}: {ran:?}"
        );
        assert_eq!(desk.read(SETTINGS), before, "{command}");
    }
}

#[test]
fn an_installation_of_another_program_is_taken_out_by_its_name() {
    let desk = Desk::new();
    desk.write(SETTINGS, "{\"a\": 1}\n");
    let program = ["--program", "/opt/x/hookchain"];
    assert_eq!(install(&desk, &program).status, Some(0));
    // On another machine there is no record.
    fs::remove_dir_all(desk.path().join("home/.local")).expect("the record");
    fs::remove_file(desk.path().join(format!("{SETTINGS}.before-hookchain"))).expect("the copy");
    let with = desk.read(SETTINGS);
    let ran = uninstall(&desk, &[]);
    assert!(
        ran.status == Some(1) && ran.stdout.contains("--program"),
        "{ran:?}"
    );
    assert_eq!(desk.read(SETTINGS), with);
    assert_eq!(uninstall(&desk, &program).status, Some(0));
    assert_eq!(desk.read(SETTINGS), "{\"a\": 1}\n");
}

#[test]
fn a_file_is_removed_only_when_it_is_known_that_there_was_none() {
    let desk = Desk::new();
    assert_eq!(install(&desk, &[]).status, Some(0));
    let text = desk.read(SETTINGS);
    let record = desk.path().join("home/.local/state/hookchain/installed");
    let folder = fs::metadata(record.parent().expect("a folder")).expect("made");
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    // The same text, which has come from elsewhere since.
    fs::remove_file(desk.path().join(SETTINGS)).expect("removed");
    desk.write("ws/other", &text);
    fs::rename(desk.path().join("ws/other"), desk.path().join(SETTINGS)).expect("renamed");
    assert_eq!(uninstall(&desk, &[]).status, Some(0));
    let left: Value = serde_json::from_str(&desk.read(SETTINGS)).expect("JSON");
    assert_eq!(left, json!({}));
}

#[test]
fn a_copy_is_made_whenever_something_would_be_lost_and_none_is_overwritten() {
    let desk = Desk::new();
    let name = |number: usize| match number {
        1 => format!("{SETTINGS}.before-hookchain"),
        number => format!("{SETTINGS}.before-hookchain-{number}"),
    };
    desk.write(&name(1), "precious");
    for number in 2..=9 {
        let text = format!("{{\"number\": {number}}}\n");
        desk.write(SETTINGS, &text);
        assert_eq!(install(&desk, &[]).status, Some(0));
        assert_eq!(desk.read(&name(number)), text);
    }
    desk.write(SETTINGS, "{}");
    let ran = install(&desk, &[]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("all copies before it are there"),
        "{ran:?}"
    );
    assert_eq!(desk.read(SETTINGS), "{}");
    assert_eq!(desk.read(&name(1)), "precious");
}

#[test]
fn what_is_changed_between_install_and_uninstall_is_kept_in_a_copy() {
    let desk = Desk::new();
    desk.write(SETTINGS, "{\"a\": 1}\n");
    assert_eq!(install(&desk, &[]).status, Some(0));
    let edited = desk.read(SETTINGS).replace("\"a\": 1", "\"a\": 2");
    desk.write(SETTINGS, &edited);
    assert_eq!(uninstall(&desk, &[]).status, Some(0));
    assert_eq!(desk.read(SETTINGS), "{\"a\": 2}\n");
    assert_eq!(
        desk.read(&format!("{SETTINGS}.before-hookchain")),
        "{\"a\": 1}\n"
    );
    assert_eq!(desk.read(&format!("{SETTINGS}.before-hookchain-2")), edited);
}

#[test]
fn nothing_is_read_that_is_no_file_and_nothing_is_written_out_of_the_project() {
    type Plant = fn(&Path);
    let plants: [(&str, Plant); 7] = [
        ("no regular file", |ws| {
            mkfifo(&ws.join(".claude/settings.json"));
        }),
        ("no regular file", |ws| {
            link("/dev/zero", &ws.join(".claude/settings.json"));
        }),
        ("no regular file", |ws| {
            link("/dev/stdin", &ws.join(".claude/settings.json"));
        }),
        ("leads out of", |ws| {
            link("../../out/file", &ws.join(".claude/settings.json"));
        }),
        ("leads out of", |ws| {
            fs::remove_dir(ws.join(".claude")).expect("removed");
            link("../out", &ws.join(".claude"));
        }),
        ("hard links", |ws| {
            fs::write(ws.join("one"), "{}").expect("written");
            fs::hard_link(ws.join("one"), ws.join(".claude/settings.json")).expect("linked");
        }),
        ("larger than", |ws| {
            let text = format!("{{\"a\": \"{}\"}}", "x".repeat(1 << 20));
            fs::write(ws.join(".claude/settings.json"), text).expect("written");
        }),
    ];
    for (message, plant) in plants {
        let desk = Desk::new();
        desk.write("out/file", "{\"other\": \"program\"}");
        let ws = desk.path().join("ws");
        fs::create_dir(ws.join(".claude")).expect("made");
        plant(&ws);
        for verb in ["install", "uninstall"] {
            if message == "hard links" && verb == "uninstall" {
                continue;
            }
            let ran = desk.run(&["bridge", verb, "claude"]);
            assert!(
                ran.status == Some(1) && ran.stderr.contains(message),
                "{message}, {verb}: {ran:?}"
            );
            assert!(ran.stderr.contains("nothing was written"), "{ran:?}");
        }
        assert_eq!(files(&desk.path().join("out")), ["file"], "{message}");
        assert_eq!(desk.read("out/file"), "{\"other\": \"program\"}");
    }
    let desk = Desk::new();
    fs::create_dir(desk.path().join("ws/.codex")).expect("made");
    mkfifo(&desk.path().join("ws/.codex/config.toml"));
    let ran = desk.run(&["bridge", "install", "codex"]);
    assert!(ran.stderr.contains("no regular file"), "{ran:?}");
}

#[test]
fn copies_that_are_no_files_are_passed_over() {
    type Plant = fn(&Path);
    let plants: [Plant; 3] = [
        |path| mkfifo(path),
        |path| link("/dev/zero", path),
        |path| link("../../out/file", path),
    ];
    for plant in plants {
        let desk = Desk::new();
        desk.write("out/file", "precious");
        desk.write(SETTINGS, "{\"a\": 1}\n");
        let planted = desk.path().join(format!("{SETTINGS}.before-hookchain"));
        plant(&planted);
        assert_eq!(install(&desk, &[]).status, Some(0));
        assert_eq!(install(&desk, &["--connect"]).status, Some(0));
        assert_eq!(uninstall(&desk, &[]).status, Some(0));
        assert_eq!(desk.read(SETTINGS), "{\"a\": 1}\n");
        assert_eq!(desk.read("out/file"), "precious");
        assert!(planted.symlink_metadata().is_ok(), "left as it was");
        assert_eq!(files(&desk.path().join("ws/.claude")).len(), 2);
    }
}

#[test]
fn owner_mode_and_attributes_are_those_of_the_file() {
    let desk = Desk::new();
    desk.write(SETTINGS, "{\"a\": 1}\n");
    let path = desk.path().join(SETTINGS);
    let root = rustix::process::geteuid().is_root();
    if root {
        std::os::unix::fs::chown(&path, Some(65534), Some(65534)).expect("another owner");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("its mode");
    let flags = rustix::fs::XattrFlags::empty();
    let labelled = rustix::fs::setxattr(&path, c"user.note", b"mine", flags).is_ok();
    let before = fs::metadata(&path).expect("it");
    assert_eq!(install(&desk, &[]).status, Some(0));
    for _round in 0..2 {
        let after = fs::metadata(&path).expect("it");
        assert_eq!(
            (after.uid(), after.gid(), after.mode()),
            (before.uid(), before.gid(), before.mode())
        );
        if labelled {
            let mut value = [0; 8];
            let length = rustix::fs::getxattr(&path, c"user.note", &mut value[..]).expect("kept");
            assert_eq!(value.get(..length), Some(&b"mine"[..]));
        }
        assert_eq!(uninstall(&desk, &[]).status, Some(0));
    }
}

/// What an administrator makes in the folder of a user belongs to that user.
#[test]
fn a_new_file_belongs_to_whom_its_folder_belongs() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let desk = Desk::new();
    let ws = desk.path().join("ws");
    std::os::unix::fs::chown(&ws, Some(65534), Some(65534)).expect("another owner");
    assert_eq!(install(&desk, &[]).status, Some(0));
    for path in [ws.join(".claude"), desk.path().join(SETTINGS)] {
        assert_eq!(
            fs::metadata(&path).expect("made").uid(),
            65534,
            "{}",
            path.display()
        );
    }
}

#[test]
fn thousands_of_entries_are_taken_out() {
    let desk = Desk::new();
    let one = r#"{"hooks":[{"type":"command","command":"hookchain","args":["bridge","claude"],"timeout":600,"onFailure":"block"}]}"#;
    let list = vec![one; 4000].join(",\n");
    desk.write(
        SETTINGS,
        &format!("{{\"hooks\":{{\"PreToolUse\":[\n{list}\n]}}}}\n"),
    );
    let ran = install(&desk, &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().count() < 100, "{}", ran.stdout.len());
    assert_eq!(uninstall(&desk, &[]).status, Some(0));
    assert_eq!(desk.read(SETTINGS).trim(), "{}");
}

/// The user's own trust goes to what was written, and to nothing that a project holds.
#[test]
fn trust_is_given_to_the_entry_alone() {
    let desk = Desk::new();
    let project = desk.path().join("ws").display().to_string();
    let config = format!("[projects.\"{project}\"]\ntrust_level = \"trusted\"\n");
    desk.write("home/.codex/config.toml", &config);
    let wrapped = desk.run(&["bridge", "install", "codex", "--scope", "user"]);
    assert_eq!(wrapped.status, Some(1), "{wrapped:?}");
    let mut planted: Value =
        serde_json::from_str(&desk.read("home/.codex/hooks.json")).expect("JSON");
    let exact = planted.clone();
    let hook = &mut planted["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str().expect("a command").to_owned();
    for (evil, plants) in [
        (format!("touch pwned; {command}"), &planted),
        ("id; exit 0 # hookchain bridge codex".to_owned(), &planted),
        // Even what is exact: it is not what was written now.
        (command.clone(), &exact),
    ] {
        let mut plants = plants.clone();
        plants["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = evil.clone().into();
        desk.write("ws/.codex/hooks.json", &plants.to_string());
        let ran = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let trusted = desk.read("home/.codex/config.toml");
        assert!(
            !trusted.contains("ws/.codex/hooks.json"),
            "{evil}: {trusted}"
        );
        assert_eq!(
            trusted.matches("trusted_hash").count(),
            3,
            "{evil}: {trusted}"
        );
    }
}

fn mkfifo(path: &Path) {
    mkfifoat(CWD, path, Mode::from_raw_mode(0o600)).expect("a pipe");
}

fn link(to: &str, path: &Path) {
    symlink(to, path).expect("a link");
}

/// Native hooks are asked by the bridge, and beside it not once more.
#[test]
fn a_bridged_project_is_asked_once_by_both_ways_together() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        "echo asked >>asked; echo '{\"decision\":\"allow\"}'",
    );
    let consult = |hooks: &str| {
        let args = [
            "consult",
            "--hooks",
            hooks,
            "--tool",
            "Bash",
            "--input",
            "{\"command\":\"ls\"}",
        ];
        let ran = desk.run(&args);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let asked = desk.read("ws/asked").lines().count();
        fs::remove_file(desk.path().join("ws/asked")).expect("asked");
        asked
    };
    assert_eq!(install(&desk, &[]).status, Some(0));
    assert_eq!(consult("native"), 1);
    assert_eq!(consult("claude"), 1, "the bridge asks");
    assert_eq!(consult("native,claude"), 1);
    assert_eq!(
        install(&desk, &["--within", "60", "--connect"]).status,
        Some(0)
    );
    assert_eq!(consult("native,claude"), 1);
    // What is only like the bridge is another's hook, and is run.
    desk.write(
        SETTINGS,
        r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"cat >/dev/null; echo asked >>asked"}]}]}}"#,
    );
    assert_eq!(consult("native,claude"), 2);
}
