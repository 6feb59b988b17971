//! Which hooks the agents started, of those that their settings declare.

use std::{collections::HashSet, fs, path::Path};

use hook_contract::Json;
use hook_dialect::{
    Dialect,
    config::{DialectConfig, LoadedHooks, load},
};
use serde_json::{Value, json};

use crate::stored::{all_agree, rows};

/// The call that a row is about, when it is about one.
fn call(row: &Value) -> Option<(String, Value)> {
    if let Some(path) = row["write_path"].as_str() {
        return Some(("Write".into(), json!({"file_path": path})));
    }
    let Some(turns) = row["turns"].as_array() else {
        let input = json!({"command": "sh tool.sh original", "description": "original"});
        return Some(("Bash".into(), input));
    };
    let blocks = turns.iter().filter_map(Value::as_array).flatten();
    let mut calls = blocks.filter(|block| block["type"] == "tool_use");
    let (call, None) = (calls.next()?, calls.next()) else {
        return None;
    };
    Some((call["name"].as_str()?.to_owned(), call["input"].clone()))
}

/// How many hooks are started for a call, equal ones once.
fn started(
    loaded: &LoadedHooks,
    dialect: &Dialect,
    (tool, input): (&str, &Value),
    cwd: &Path,
) -> usize {
    let input = Json::parse(&input.to_string()).expect("an input");
    let hooks = loaded.at(dialect, "PreToolUse").filter(|hook| {
        let named = dialect
            .names_of(tool)
            .any(|name| hook.matcher.matches(name));
        let rule = hook.handler.rule.as_ref();
        named && rule.is_none_or(|rule| rule.holds(tool, &input, cwd))
    });
    hooks.map(|hook| hook.same).collect::<HashSet<_>>().len()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn claude_code_started_the_hooks_that_its_settings_declare() {
    let (mut compared, mut differences) = (0, Vec::new());
    for row in rows("oracle-claude", "matrix.json") {
        let elsewhere = [
            "settings_in",
            "args",
            "run_in",
            "repo_name",
            "settings_suffix",
            "settings_raw",
        ];
        if row["event"] != "PreToolUse" || elsewhere.iter().any(|name| row.get(name).is_some()) {
            continue;
        }
        let Some((tool, input)) = call(&row) else {
            continue;
        };
        // One is not there at all, the other not where nobody can be asked.
        if matches!(tool.as_str(), "NoSuchTool" | "AskUserQuestion") {
            continue;
        }
        // What is changed while the agent runs is not read at its start, and a subagent makes calls of its own.
        let id = row["id"].as_str().unwrap_or_default();
        if id.contains("hot") || id.contains("subagent") || row["expect"]["hooks_started"].is_null()
        {
            continue;
        }
        let machine = tempfile::tempdir().expect("a folder");
        let files = [
            ("settings", "ws/.claude/settings.json"),
            ("local_settings", "ws/.claude/settings.local.json"),
            ("user_settings", "home/settings.json"),
        ];
        let workspace = machine.path().join("ws");
        fs::create_dir(&workspace).expect("a folder");
        for (name, file) in files {
            if let Some(settings) = row.get(name) {
                write(&machine.path().join(file), &settings.to_string());
            }
        }
        let config = DialectConfig::new()
            .with_dialects([Dialect::CLAUDE])
            .with_claude_dir(machine.path().join("home"))
            .with_strict(true);
        let loaded = load(&workspace, &config).expect("settings, to the letter");
        let here = started(&loaded, Dialect::CLAUDE, (&tool, &input), &workspace);
        // The first counts those that wrote down that they ran, the second those that the agent told of.
        let counted = |name: &str| row["expect"][name].as_array().map_or(0, Vec::len);
        let there = counted("hooks_started").max(counted("hooks"));
        compared += 1;
        if here != there {
            differences.push(format!("{id}: {here} here, {there} there"));
        }
    }
    all_agree("settings of Claude Code", compared, &differences);
}

#[test]
fn codex_ran_the_hooks_that_its_file_declares() {
    let (mut compared, mut differences) = (0, Vec::new());
    for row in rows("oracle-codex", "matrix.json") {
        let about_files = matches!(row["group"].as_str(), Some("config" | "matcher"));
        let plain = row.get("config_tables").is_none() && row.get("hook_trust").is_none();
        let id = row["id"].as_str().unwrap_or_default();
        // What one of these scripts is, is not recorded as a run.
        let uncounted = id == "config-handler-env";
        if !about_files || !plain || row["event"] != "PreToolUse" || uncounted {
            continue;
        }
        let text = match &row["config"] {
            Value::String(text) => text.clone(),
            config => config.to_string(),
        };
        let machine = tempfile::tempdir().expect("a folder");
        write(&machine.path().join("codex/hooks.json"), &text);
        let config = DialectConfig::new()
            .with_dialects([Dialect::CODEX])
            .with_codex_home(machine.path().join("codex"))
            .with_every_hook_trusted()
            .with_strict(true);
        let loaded = load(machine.path(), &config).expect("hooks, to the letter");
        let tool = if id.starts_with("match-patch") {
            "apply_patch"
        } else {
            "Bash"
        };
        let here = started(&loaded, Dialect::CODEX, (tool, &json!({})), machine.path());
        let there = row["expect"]["hook_ran"].as_u64().map(usize::try_from);
        compared += 1;
        if there != Some(Ok(here)) {
            differences.push(format!("{id}: {here} here, {there:?} there"));
        }
    }
    all_agree("hooks.json of Codex", compared, &differences);
}
