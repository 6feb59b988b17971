//! What is said about broken settings, and about odd ones: a snapshot beside each.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

use std::{fs, path::Path};

use hook_dialect::{
    Dialect,
    config::{DialectConfig, DialectConfigError, Finding, LoadedHooks, load},
};

/// Every file of a folder below `tests/settings`, put in the place of `file` in a workspace or a home.
fn each(
    folder: &str,
    dialect: &'static Dialect,
    file: &str,
    show: impl Fn(Result<LoadedHooks, DialectConfigError>) -> String,
) {
    let cases = Path::new("tests/settings").join(folder);
    let mut names: Vec<_> = fs::read_dir(&cases)
        .expect("the cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension != "snap")
        })
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no cases in {folder}");
    for path in names {
        let machine = tempfile::tempdir().expect("a folder");
        let file = machine.path().join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::copy(&path, &file).expect("the case in its place");
        let config = DialectConfig::new()
            .with_dialects([dialect])
            .with_codex_home(machine.path().join("codex"))
            .with_every_hook_trusted();
        let shown = show(load(machine.path(), &config));
        let shown = shown.replace(&format!("{}/", machine.path().display()), "");
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(format!("settings/{folder}"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

/// A message, and below it the text it is about.
fn underlined(finding: &Finding, text: &str) -> String {
    let place = finding.what.place.as_ref().expect("a place");
    let part = text.get(place.span.clone()).expect("a span of the text");
    let part: String = part.chars().take(60).collect();
    format!(
        "[{}] {finding}\n    >{}<\n",
        finding.what.code,
        part.escape_debug()
    )
}

fn refused(result: Result<LoadedHooks, DialectConfigError>) -> String {
    let error = result.expect_err("broken settings");
    let DialectConfigError::Invalid { text, findings, .. } = &error else {
        panic!("another error: {error}");
    };
    findings
        .iter()
        .map(|finding| underlined(finding, text))
        .collect()
}

fn accepted(result: Result<LoadedHooks, DialectConfigError>) -> String {
    let loaded = result.expect("odd settings");
    let text = &loaded.sources.last().expect("a file").text;
    let findings = loaded
        .findings
        .iter()
        .map(|finding| underlined(finding, text));
    let hooks = loaded
        .hooks
        .iter()
        .map(|hook| format!("{} {}\n", hook.event.name, hook.handler.command.shown()));
    let not_run = loaded.not_run.iter().map(|not| format!("{not}\n"));
    findings.chain(hooks).chain(not_run).collect()
}

#[test]
fn broken_settings_of_claude_code_are_refused_with_every_problem_in_its_place() {
    each(
        "claude/broken",
        Dialect::CLAUDE,
        ".claude/settings.json",
        refused,
    );
}

#[test]
fn odd_settings_of_claude_code_load_with_warnings() {
    each(
        "claude/odd",
        Dialect::CLAUDE,
        ".claude/settings.json",
        accepted,
    );
}

#[test]
fn broken_hooks_of_codex_are_refused_with_every_problem_in_its_place() {
    each(
        "codex/broken-json",
        Dialect::CODEX,
        "codex/hooks.json",
        refused,
    );
    each(
        "codex/broken-toml",
        Dialect::CODEX,
        "codex/config.toml",
        refused,
    );
}

#[test]
fn odd_hooks_of_codex_load_with_warnings() {
    each("codex/odd", Dialect::CODEX, "codex/hooks.json", accepted);
}
