//! What the user of Codex trusts.

use std::fs;

use crate::{desk::Desk, settings::shown};

#[test]
fn without_trust_it_is_said_what_is_to_be_done() {
    let desk = Desk::new();
    let program = ["--program", "hookchain"];
    let ran = desk.run(
        &[
            &["bridge", "install", "codex", "--scope", "user"][..],
            &program,
        ]
        .concat(),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    insta::assert_snapshot!("codex_not_trusted", without_hashes(&shown(&desk, &ran)));
    assert!(!desk.path().join("home/.codex/config.toml").exists());
}

#[test]
fn with_trust_codex_is_guarded_and_everything_is_as_before_afterwards() {
    for config in [
        None,
        Some(""),
        Some("model = \"x\""),
        Some("model = \"x\" # mine\r\n\r\n[tui]\r\na = 1\r\n"),
        Some(
            "[hooks.state.\"/other/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:0\"\n\n[tui]\na = [1, # one\n 2]\n",
        ),
    ] {
        let desk = Desk::new();
        if let Some(config) = config {
            desk.write("home/.codex/config.toml", config);
        }
        let ran = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{config:?}: {ran:?}"
        );
        let with = desk.read("home/.codex/config.toml");
        assert_eq!(
            with.matches("trusted_hash = \"sha256:").count(),
            if config.is_some_and(|c| c.contains("hash")) {
                4
            } else {
                3
            }
        );
        assert_eq!(desk.run(&["bridge", "status", "codex"]).status, Some(0));
        let again = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
        assert_eq!(again.status, Some(0));
        assert_eq!(desk.read("home/.codex/config.toml"), with);
        let ran = desk.run(&["bridge", "uninstall", "codex", "--scope", "user"]);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{config:?}: {ran:?}"
        );
        let left = fs::read_to_string(desk.path().join("home/.codex/config.toml")).ok();
        assert_eq!(left.as_deref(), config, "{ran:?}");
        assert!(!desk.path().join("home/.codex/hooks.json").exists());
        let files = fs::read_dir(desk.path().join("home/.codex"))
            .expect("read")
            .count();
        assert_eq!(files, usize::from(config.is_some()), "{config:?}");
    }
}

#[test]
fn hooks_in_the_settings_themselves_are_joined_there() {
    let desk = Desk::new();
    let config = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"./s\"\n";
    desk.write("home/.codex/config.toml", config);
    let ran = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(!desk.path().join("home/.codex/hooks.json").exists());
    let ran = desk.run(&["bridge", "uninstall", "codex", "--scope", "user"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(desk.read("home/.codex/config.toml"), config);
}

#[test]
fn trust_in_another_hook_at_the_same_place_is_replaced_only_by_consent() {
    let desk = Desk::new();
    let key = desk
        .path()
        .join("home/.codex/hooks.json")
        .display()
        .to_string();
    let config = format!(
        "[hooks.state.\"{key}:pre_tool_use:0:0\"]\nenabled = true\ntrusted_hash = \"sha256:0\"\n"
    );
    desk.write("home/.codex/config.toml", &config);
    let ran = desk.run(&["bridge", "install", "codex", "--scope", "user"]);
    assert!(
        ran.status == Some(1) && ran.stdout.contains("it is not the hook that was trusted"),
        "{ran:?}"
    );
    assert_eq!(desk.read("home/.codex/config.toml"), config);
    let ran = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(desk.read("home/.codex/config.toml").starts_with(&format!(
        "[hooks.state.\"{key}:pre_tool_use:0:0\"]\nenabled = true\n"
    )));
}

#[test]
fn hooks_of_a_project_need_trust_in_the_project() {
    let desk = Desk::new();
    let ran = desk.run(&["bridge", "install", "codex", "--trust"]);
    assert!(
        ran.status == Some(1) && ran.stdout.contains("the project is not trusted"),
        "{ran:?}"
    );
    let project = desk.path().join("ws").display().to_string();
    desk.write(
        "home/.codex/config.toml",
        &format!("[projects.\"{project}\"]\ntrust_level = \"trusted\"\n"),
    );
    let ran = desk.run(&["bridge", "install", "codex", "--trust"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn a_line_of_tables_cannot_be_added_to_and_is_left_alone() {
    let desk = Desk::new();
    let config = "hooks = { state = {} }\n";
    desk.write("home/.codex/config.toml", config);
    let ran = desk.run(&["bridge", "install", "codex", "--scope", "user", "--trust"]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("written on one line"),
        "{ran:?}"
    );
    assert_eq!(desk.read("home/.codex/config.toml"), config);
}

#[test]
fn a_text_that_only_looks_like_a_table_of_trust_stays() {
    let desk = Desk::new();
    let trust = ["bridge", "install", "codex", "--scope", "user", "--trust"];
    assert_eq!(desk.run(&trust).status, Some(0));
    let states = desk.read("home/.codex/config.toml");
    let config = format!("notes = '''\nhere:\n{states}\n'''\n{states}");
    desk.write("home/.codex/config.toml", &config);
    let ran = desk.run(&["bridge", "uninstall", "codex", "--scope", "user"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let left: toml_edit::DocumentMut = desk.read("home/.codex/config.toml").parse().expect("TOML");
    let states = format!("here:\n{states}\n");
    assert_eq!(left["notes"].as_str(), Some(states.as_str()));
    let state = left.get("hooks").and_then(|hooks| hooks.get("state"));
    assert!(
        state
            .and_then(|state| state.as_table())
            .is_none_or(toml_edit::Table::is_empty),
        "{left}"
    );
}

/// Text in which no digest depends on anything.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split("sha256:");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        assert_eq!(part.len() - rest.len(), 64, "a digest");
        shown.push_str("sha256:[digest]");
        shown.push_str(rest);
    }
    shown
}
