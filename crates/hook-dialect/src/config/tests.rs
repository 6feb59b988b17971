//! What is loaded from a machine with settings, and what is not.

use std::{fs, path::Path, time::Duration};

use tempfile::TempDir;

use super::*;
use crate::{Dialect, FailurePolicy};

mod claude;
mod codex;

/// A machine with a workspace, a home and an organisation's folders.
struct Machine {
    folder: TempDir,
    config: DialectConfig,
}

impl Machine {
    fn new(dialect: &'static Dialect) -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::create_dir(folder.path().join("ws")).expect("the workspace");
        let at = |name| folder.path().join(name);
        let config = DialectConfig::new()
            .with_dialects([dialect])
            .with_home(at("home"))
            .with_claude_dir(at("home/.claude"))
            .with_claude_managed_dir(at("org"))
            .with_codex_home(at("home/.codex"))
            .with_codex_system_dir(at("org"));
        Self { folder, config }
    }

    fn with(self, file: &str, text: &str) -> Self {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    fn with_config(self, change: impl FnOnce(DialectConfig) -> DialectConfig) -> Self {
        Self {
            config: change(self.config),
            ..self
        }
    }

    fn path(&self, file: &str) -> String {
        self.folder.path().join(file).display().to_string()
    }

    fn load(&self) -> Result<LoadedHooks, DialectConfigError> {
        load(&self.folder.path().join("ws"), &self.config)
    }

    #[track_caller]
    fn loaded(&self) -> LoadedHooks {
        self.load().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The commands that are asked, and those that are not with the reason, without the path to this machine.
    #[track_caller]
    fn summary(&self) -> String {
        let loaded = self.loaded();
        let runs = loaded.hooks.iter().map(|hook| {
            let (event, command) = (hook.event.name, hook.handler.command.shown());
            format!("{event} {command} ({})", hook.origin)
        });
        let not = loaded.not_run.iter().map(|not| format!("- {not}"));
        let lines: Vec<String> = runs.chain(not).collect();
        self.without_path(&lines.join("\n"))
    }

    #[track_caller]
    fn error(&self) -> String {
        let error = self.load().expect_err("settings that are wrong");
        self.without_path(&error.to_string())
    }

    fn without_path(&self, text: &str) -> String {
        text.replace(&self.path(""), "")
    }
}

/// Settings with one group of commands.
fn settings(event: &str, commands: &[&str]) -> String {
    let hooks = commands
        .iter()
        .map(|command| serde_json::json!({"type": "command", "command": command}));
    let hooks: Vec<_> = hooks.collect();
    serde_json::json!({"hooks": {event: [{"hooks": hooks}]}}).to_string()
}

#[test]
fn without_any_file_there_are_no_hooks() {
    for dialect in Dialect::ALL {
        let loaded = Machine::new(dialect).loaded();
        assert!(loaded.hooks.is_empty() && loaded.not_run.is_empty() && loaded.findings.is_empty());
    }
}

#[test]
fn a_workspace_that_is_not_there_is_an_error() {
    let config = DialectConfig::new();
    let error = load(Path::new("/nowhere/at/all"), &config).expect_err("no workspace");
    assert_eq!(error.code(), "workspace");
}

#[test]
fn every_problem_of_every_file_is_told_at_once() {
    let machine = Machine::new(Dialect::CLAUDE)
        .with(
            "home/.claude/settings.json",
            r#"{"hooks": {"PreToolUse": [{"matcher": "[", "hooks": [{}]}]}}"#,
        )
        .with("ws/.claude/settings.json", "{")
        .with("ws/.claude/settings.local.json/x", "");
    let error = machine.load().expect_err("three files that are wrong");
    let codes: Vec<_> = error.each().iter().map(DialectConfigError::code).collect();
    assert_eq!(codes, ["not_a_file", "invalid", "invalid"]);
    let shown = machine.error();
    assert_eq!(shown.lines().count(), 4, "{shown}");
}

#[test]
fn of_more_than_a_hundred_problems_a_hundred_are_told() {
    let hooks = vec!["{}"; 150].join(",");
    let machine = Machine::new(Dialect::CLAUDE).with(
        "ws/.claude/settings.json",
        &format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{hooks}]}}]}}}}"#),
    );
    let Err(DialectConfigError::Invalid { findings, .. }) = machine.load() else {
        panic!("an invalid file");
    };
    assert_eq!(findings.len(), 101);
    let more = &findings[100].what;
    assert_eq!((more.code, &*more.message), ("more", "50 more findings"));
}

#[test]
fn no_number_of_warnings_keeps_a_file_from_being_used() {
    let fields: Vec<String> = (0..150).map(|n| format!(", \"x{n}\": 1")).collect();
    let fields = fields.concat();
    let hook = format!(r#"{{"type": "command", "command": "a"{fields}}}"#);
    let machine = Machine::new(Dialect::CLAUDE).with(
        "ws/.claude/settings.json",
        &format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{hook}]}}]}}}}"#),
    );
    assert_eq!(machine.loaded().findings.len(), 101);
}

mod any {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn text_is_loaded_or_refused(
            text in r#"[\[\]{}":,a \n]{0,60}|\{"hooks": ?\{"(PreToolUse|Stop|x)": ?[\[\]{}":,a0-9 ]{0,60}\}\}"#,
            strict: bool,
        ) {
            for (dialect, file) in [
                (Dialect::CLAUDE, "ws/.claude/settings.json"),
                (Dialect::CODEX, "home/.codex/hooks.json"),
                (Dialect::CODEX, "home/.codex/config.toml"),
            ] {
                let machine = Machine::new(dialect).with(file, &text).with_config(|config| config.with_strict(strict));
                if let Err(error) = machine.load() {
                    prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
