//! Settings before, with and after the bridge.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use crate::desk::{Desk, Ran};

/// Files that Claude Code reads, each odd in its own way.
fn claude_files() -> Vec<(&'static str, String)> {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(50), "]}".repeat(50));
    let text = |text: &str| text.to_owned();
    vec![
        ("an empty object", text("{}")),
        ("an empty object with a line end", text("{}\n")),
        ("an empty object with space inside", text("{ }")),
        ("an empty object on three lines", text("{\n\n}\n")),
        ("white space around", text("\n\n  {\"model\": \"x\"}\n\n\n")),
        (
            "one line",
            text(r#"{"model":"x","permissions":{"deny":["Read(.env)"]}}"#),
        ),
        ("no line end at the end", text("{\n  \"model\": \"x\"\n}")),
        (
            "tabs",
            text("{\n\t\"model\": \"x\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"),
        ),
        ("four spaces", text("{\n    \"model\": \"x\"\n}\n")),
        (
            "carriage returns",
            text("{\r\n  \"model\": \"x\",\r\n  \"env\": {}\r\n}\r\n"),
        ),
        (
            "two kinds of line ends",
            text("{\r\n  \"model\": \"x\",\n  \"env\": {}\r\n}\n"),
        ),
        ("a byte order mark", text("\u{feff}{\"model\": \"x\"}\n")),
        ("an empty table of hooks", text("{\"hooks\": {}}\n")),
        (
            "empty lists of hooks",
            text("{\"hooks\": {\"PreToolUse\": [], \"Stop\": [ ]}}\n"),
        ),
        (
            "hooks in the middle",
            text(
                "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./s.sh\"}]}]\n  },\n  \"z\": 2\n}\n",
            ),
        ),
        (
            "another guard",
            text(
                "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"./guard.sh\", \"timeout\": 5}\n        ]\n      }\n    ]\n  }\n}\n",
            ),
        ),
        (
            "another guard on one line",
            text(
                r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./guard.sh"}]}]}}"#,
            ),
        ),
        (
            "keys that look alike",
            text(
                "{\"mine\": {\"Hooks\": 1, \"hookS\": {\"PreToolUse\": []}, \"ho\\u006fks\": 2, \"hooks \": 3}}\n",
            ),
        ),
        (
            "a key written with escapes",
            text("{\"h\\u006foks\": {\"PreToolUse\": []}}\n"),
        ),
        (
            "odd texts",
            text("{\"a\": \"\\u0000 \\\" } ] \u{2028} \u{1f47e} // no comment\", \"\": [{}]}\n"),
        ),
        (
            "odd numbers",
            text("{\"a\": [1.00, -0, 1e5, 123456789012345678901234567890]}\n"),
        ),
        ("deep", format!("{{\"mine\": {deep}}}\n")),
        (
            "a broken indentation",
            text("{\n\"model\"   :\"x\"\n   ,\n        \"env\":{}   }\n"),
        ),
        (
            "long",
            format!("{{\"mine\": \"{}\"}}\n", "x".repeat(200_000)),
        ),
    ]
}

/// The same for the hooks file of Codex, which may hold nothing but hooks.
fn codex_files() -> Vec<(&'static str, String)> {
    let text = |text: &str| text.to_owned();
    vec![
        ("an empty object", text("{}")),
        ("a description", text("{\n  \"description\": \"ours\"\n}\n")),
        ("carriage returns", text("{\r\n\t\"hooks\": {\r\n\t}\r\n}")),
        (
            "others",
            text(
                "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"^Bash$\",\"hooks\":[{\"type\":\"command\",\"command\":\"./a\"}]},{}],\"Stop\":[]}}",
            ),
        ),
    ]
}

/// Settings of Codex that declare hooks themselves.
fn codex_tables() -> Vec<(&'static str, String)> {
    let hook = "[[hooks.PreToolUse]]\nmatcher = '^Bash$' # mine\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"./a\"\n";
    vec![
        (
            "a table",
            format!("# mine\nmodel = \"x\"\n\n{hook}\n[tui]\ntheme = 'a'  # last"),
        ),
        (
            "carriage returns",
            format!("model = \"x\"\n{hook}").replace('\n', "\r\n"),
        ),
        ("no line end at the end", hook.trim_end().to_owned()),
    ]
}

fn place(desk: &Desk, agent: &str, file: &str) -> PathBuf {
    desk.path().join(format!("ws/.{agent}/{file}"))
}

/// What an installation into a project says ends with 0 for Claude Code; Codex has yet to trust it.
#[track_caller]
fn installed(desk: &Desk, agent: &str) -> Ran {
    let ran = desk.run(&["bridge", "install", agent]);
    let status = i32::from(agent != "claude");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(status), ""),
        "{ran:?}"
    );
    ran
}

#[track_caller]
fn there_and_back(agent: &str, file: &str, files: &[(&str, String)]) {
    for (name, text) in files {
        let desk = Desk::new();
        let path = place(&desk, agent, file);
        desk.write(&format!("ws/.{agent}/{file}"), text);
        installed(&desk, agent);
        let with = fs::read_to_string(&path).expect("the settings");
        assert!(
            with.contains("onFailure") == (agent == "claude") && with.contains("hookchain"),
            "{name}: {with}"
        );
        let again = installed(&desk, agent);
        assert!(
            again.stdout.contains("nothing to change"),
            "{name}: {again:?}"
        );
        assert_eq!(
            fs::read_to_string(&path).expect("the settings"),
            with,
            "{name}"
        );
        let ran = desk.run(&["bridge", "uninstall", agent]);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{name}: {ran:?}"
        );
        assert_eq!(
            fs::read_to_string(&path).expect("the settings"),
            *text,
            "{name}"
        );
        let left: Vec<_> = fs::read_dir(path.parent().expect("a folder"))
            .expect("read")
            .collect();
        assert_eq!(left.len(), 1, "{name}: {left:?}");
    }
}

#[test]
fn settings_of_claude_code_are_the_same_to_the_byte_after_it() {
    let files = claude_files();
    assert!(files.len() >= 20);
    there_and_back("claude", "settings.json", &files);
}

#[test]
fn settings_of_codex_are_the_same_to_the_byte_after_it() {
    there_and_back("codex", "hooks.json", &codex_files());
    there_and_back("codex", "config.toml", &codex_tables());
}

#[test]
fn what_somebody_changed_meanwhile_stays() {
    for (name, text) in claude_files() {
        if text.len() > 1000 {
            continue;
        }
        let desk = Desk::new();
        desk.write("ws/.claude/settings.json", &text);
        installed(&desk, "claude");
        let with = desk.read("ws/.claude/settings.json");
        let start = with.find('{').expect("an object") + 1;
        let (head, rest) = with.split_at(start);
        desk.write(
            "ws/.claude/settings.json",
            &format!("{head}\"later\": 1,{rest}"),
        );
        assert_eq!(
            desk.run(&["bridge", "uninstall", "claude"]).status,
            Some(0),
            "{name}"
        );
        let without = desk.read("ws/.claude/settings.json");
        assert!(
            without.contains("\"later\": 1") && !without.contains("hookchain"),
            "{name}: {without}"
        );
        let value: serde_json::Value =
            serde_json::from_str(without.trim_start_matches('\u{feff}')).expect("JSON");
        assert!(value["later"] == 1, "{name}");
    }
}

#[test]
fn a_file_that_was_not_there_is_gone_afterwards() {
    for agent in ["claude", "codex"] {
        let desk = Desk::new();
        let path = place(
            &desk,
            agent,
            if agent == "claude" {
                "settings.json"
            } else {
                "hooks.json"
            },
        );
        installed(&desk, agent);
        assert!(path.exists());
        assert_eq!(
            fs::metadata(&path).expect("it").permissions().mode() & 0o777,
            0o644
        );
        let ran = desk.run(&["bridge", "uninstall", agent]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(!path.exists(), "{ran:?}");
        assert_eq!(desk.run(&["bridge", "uninstall", agent]).status, Some(0));
    }
}

#[test]
fn an_empty_file_is_filled_and_emptied() {
    let desk = Desk::new();
    desk.write("ws/.claude/settings.json", "");
    installed(&desk, "claude");
    assert_eq!(desk.run(&["bridge", "uninstall", "claude"]).status, Some(0));
    assert_eq!(desk.read("ws/.claude/settings.json"), "");
}

#[test]
fn files_that_the_agent_would_not_read_are_refused_and_left_alone() {
    let broken = [
        (
            "{\n  // a comment\n}\n",
            "cannot read this file and ignores it with everything in it",
        ),
        ("{\"a\": 1,}", "cannot read this file"),
        ("{\"a\": 1", "cannot read this file"),
        ("{\"a\": 1, \"a\": 2}", "cannot read this file"),
        ("[]", "`the whole file` is not an object"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        (
            "{\"hooks\": {\"PreToolUse\": {}}}",
            "`hooks.PreToolUse` is not a list",
        ),
        ("{\"hooks\": null}", "`hooks` is not an object"),
    ];
    for (text, message) in broken {
        let desk = Desk::new();
        desk.write("ws/.claude/settings.json", text);
        for args in [
            ["bridge", "install", "claude"].as_slice(),
            &["bridge", "install", "claude", "--dry-run"],
        ] {
            let ran = desk.run(args);
            assert_eq!(
                (ran.status, ran.stdout.as_str()),
                (Some(1), ""),
                "{text}: {ran:?}"
            );
            assert!(
                ran.stderr.starts_with("error: ") && ran.stderr.contains(message),
                "{text}: {ran:?}"
            );
            assert_eq!(desk.read("ws/.claude/settings.json"), text);
        }
    }
    let desk = Desk::new();
    fs::create_dir_all(desk.path().join("ws/.claude")).expect("made");
    fs::write(
        desk.path().join("ws/.claude/settings.json"),
        b"{\"a\": \"\xff\"}",
    )
    .expect("written");
    let ran = desk.run(&["bridge", "install", "claude"]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("is not UTF-8"),
        "{ran:?}"
    );
    let desk = Desk::new();
    fs::create_dir_all(desk.path().join("ws/.claude/settings.json")).expect("made");
    let ran = desk.run(&["bridge", "install", "claude"]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("is no regular file"),
        "{ran:?}"
    );
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let desk = Desk::new();
    desk.write("ws/.claude/settings.json", "{\n  \"model\": \"x\"\n}\n");
    let ran = desk.run(&["bridge", "install", "claude", "--dry-run"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("dry_run", shown(&desk, &ran));
    assert_eq!(
        desk.read("ws/.claude/settings.json"),
        "{\n  \"model\": \"x\"\n}\n"
    );
    installed(&desk, "claude");
    let with = desk.read("ws/.claude/settings.json");
    let ran = desk.run(&["bridge", "uninstall", "claude", "--dry-run"]);
    insta::assert_snapshot!("dry_run_back", shown(&desk, &ran));
    assert_eq!(desk.read("ws/.claude/settings.json"), with);
}

/// What was printed, without where the test runs.
pub(crate) fn shown(desk: &Desk, ran: &Ran) -> String {
    let here = desk.path().display().to_string();
    let program = env!("CARGO_BIN_EXE_hookchain");
    ran.stdout
        .replace(program, "[hookchain]")
        .replace(&here, "[desk]")
}

#[test]
fn an_installation_with_other_options_takes_the_place_of_the_first() {
    let desk = Desk::new();
    let before = "{\r\n  \"model\": \"x\"\r\n}";
    desk.write("ws/.claude/settings.json", before);
    installed(&desk, "claude");
    let ran = desk.run(&[
        "bridge",
        "install",
        "claude",
        "--within",
        "60",
        "--program",
        "/opt/hookchain",
    ]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let with: serde_json::Value =
        serde_json::from_str(&desk.read("ws/.claude/settings.json")).expect("JSON");
    let groups = with["hooks"]["PreToolUse"].as_array().expect("a list");
    assert_eq!(groups.len(), 1);
    let hook = &groups[0]["hooks"][0];
    assert_eq!(hook["command"], "/opt/hookchain");
    assert_eq!(
        hook["args"],
        serde_json::json!(["bridge", "claude", "--within", "60"])
    );
    assert_eq!(
        (&hook["timeout"], &hook["onFailure"]),
        (&90.into(), &"block".into())
    );
    assert_eq!(desk.run(&["bridge", "uninstall", "claude"]).status, Some(0));
    assert_eq!(desk.read("ws/.claude/settings.json"), before);
}

#[test]
fn a_link_is_followed_and_stays_one_and_the_mode_stays() {
    let desk = Desk::new();
    desk.write("home/dotfiles/claude.json", "{\"model\": \"x\"}\n");
    let real = desk.path().join("home/dotfiles/claude.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("its mode");
    fs::create_dir_all(desk.path().join("home/.claude")).expect("made");
    let link = desk.path().join("home/.claude/settings.json");
    std::os::unix::fs::symlink("../dotfiles/claude.json", &link).expect("linked");
    let ran = desk.run(&["bridge", "install", "claude", "--scope", "user"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(link.is_symlink() && desk.read("home/dotfiles/claude.json").contains("onFailure"));
    for file in [
        "home/dotfiles/claude.json",
        "home/dotfiles/claude.json.before-hookchain",
    ] {
        let mode = fs::metadata(desk.path().join(file))
            .expect(file)
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let ran = desk.run(&["bridge", "uninstall", "claude", "--scope", "user"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(link.is_symlink());
    assert_eq!(
        desk.read("home/dotfiles/claude.json"),
        "{\"model\": \"x\"}\n"
    );
    fs::remove_file(&real).expect("removed");
    let ran = desk.run(&["bridge", "install", "claude", "--scope", "user"]);
    assert!(
        ran.status == Some(1)
            && ran
                .stderr
                .contains("symbolic link to a file that is not there"),
        "{ran:?}"
    );
}

#[test]
fn the_user_of_claude_code_is_guarded_by_this_very_program() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"no"}'"#,
    );
    let ran = desk.run(&["bridge", "install", "claude", "--scope", "user"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    insta::assert_snapshot!("installed_user", shown(&desk, &ran));
    let settings: serde_json::Value =
        serde_json::from_str(&desk.read("home/.claude/settings.json")).expect("JSON");
    for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure"] {
        let hook = &settings["hooks"][event][0]["hooks"][0];
        let program = hook["command"].as_str().expect("a program");
        let args: Vec<&str> = hook["args"]
            .as_array()
            .expect("words")
            .iter()
            .filter_map(|word| word.as_str())
            .collect();
        let mut command = desk.program(program);
        command.args(args);
        let ran = crate::desk::answered(command, crate::desk::before("ls").to_string().as_bytes());
        assert_eq!(ran.status, Some(2), "{ran:?}");
    }
    let status = desk.run(&["bridge", "status", "claude"]);
    assert_eq!(status.status, Some(0), "{status:?}");
}

#[test]
fn the_status_says_what_is_guarded_and_what_is_not() {
    let desk = Desk::new();
    let ran = desk.run(&["bridge", "status", "claude"]);
    assert_eq!(ran.status, Some(1));
    insta::assert_snapshot!("status_nothing", shown(&desk, &ran));
    desk.write(
        "ws/.claude/settings.json",
        r#"{"hooks": {
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "hookchain bridge claude"}]}],
  "PostToolUse": [{"hooks": [{"type": "command", "command": "hookchain bridge claude", "async": true}]}],
  "PostToolUseFailure": [{"matcher": "*", "hooks": [{"type": "command", "command": "hookchain bridge claude"}]}]
}}"#,
    );
    let ran = desk.run(&["bridge", "status", "claude"]);
    assert_eq!(ran.status, Some(1));
    insta::assert_snapshot!("status_some", shown(&desk, &ran));
    let ran = desk.run(&["bridge", "status", "claude", "--format", "json"]);
    insta::assert_snapshot!("status_json", shown(&desk, &ran));
    desk.write("ws/.claude/settings.json", r#"{"disableAllHooks": true}"#);
    installed_and_switched_off(&desk);
}

#[track_caller]
fn installed_and_switched_off(desk: &Desk) {
    let ran = desk.run(&["bridge", "install", "claude"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("disableAllHooks"), "{ran:?}");
}

#[test]
fn settings_that_are_broken_elsewhere_are_told() {
    let desk = Desk::new();
    desk.write("ws/.claude/settings.local.json", "{");
    let ran = desk.run(&["bridge", "install", "claude"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("settings.local.json") && ran.stderr.contains("may ignore the bridge"),
        "{ran:?}"
    );
    let ran = desk.run(&["bridge", "status", "claude"]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("settings.local.json"),
        "{ran:?}"
    );
}

#[test]
fn wrong_usage_is_told() {
    let desk = Desk::new();
    for args in [
        ["bridge", "install", "claude", "--within", "0"].as_slice(),
        &["bridge", "install", "claude", "--within", "86401"],
        &["bridge", "install", "claude", "--program", "/bin/cat"],
        &["bridge", "install", "gemini"],
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(2), "{ran:?}");
    }
    let ran = desk.run(&[
        "bridge",
        "install",
        "claude",
        "--workspace",
        "/no/such/project",
    ]);
    assert!(
        ran.status == Some(1) && ran.stderr.contains("/no/such/project is no directory"),
        "{ran:?}"
    );
}
