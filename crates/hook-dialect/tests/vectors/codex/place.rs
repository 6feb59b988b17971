//! The files of a recorded run.

use std::path::Path;

use serde_json::Value;

use crate::machine::{Machine, write};

/// What recordings call the folders, and where they are.
pub(super) fn here(machine: &Machine) -> [(&'static str, String); 4] {
    [
        ("/codex_home", machine.text_of("codex_home")),
        ("/home/user", machine.text_of("home")),
        ("/hooks", machine.text_of("hooks")),
        ("/repo", machine.text_of("repo")),
    ]
}

/// A text with the places of this machine, each put in once: they hold the others' names.
pub(super) fn filled(text: &str, machine: &Machine) -> String {
    let places = here(machine);
    let mut filled = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let found = places.iter().find(|(there, _)| {
            let tail = rest.strip_prefix(there);
            let ends =
                |tail: &str| !tail.starts_with(|c: char| c.is_alphanumeric() || "_-.".contains(c));
            tail.is_some_and(ends)
        });
        if let Some((there, own)) = found {
            filled.push_str(own);
            rest = rest.get(there.len()..).unwrap_or_default();
        } else {
            let mut chars = rest.chars();
            filled.extend(chars.next());
            rest = chars.as_str();
        }
    }
    filled
}

#[test]
fn a_place_is_put_in_where_its_name_ends() {
    let machine = Machine::new();
    let repo = machine.text_of("repo");
    for (text, rest) in [
        ("/repo/.codex/hooks.json", "/.codex/hooks.json"),
        ("/repo", ""),
        ("/repo\"/x", "\"/x"),
    ] {
        assert_eq!(filled(text, &machine), format!("{repo}{rest}"));
    }
    assert_eq!(filled("/repository", &machine), "/repository");
}

/// Puts everything in its place.
pub(super) fn place(row: &Value, machine: &Machine) {
    for folder in ["repo", "repo/sub", "home", "hooks", "codex_home"] {
        machine.make(folder);
    }
    let put = |path: &Path, text: &str, mode: u32| write(path, &filled(text, machine), mode);
    for (path, script) in row["script"].as_object().into_iter().flatten() {
        let content = script["content"].as_str().or(script.as_str());
        let mode = script["mode"].as_str().unwrap_or("755");
        let mode = u32::from_str_radix(mode, 8).expect("a mode");
        put(
            filled(path, machine).as_ref(),
            content.expect("a script"),
            mode,
        );
    }
    let home = machine.at("codex_home");
    match &row["config"] {
        Value::Null => {}
        Value::String(text) => put(&home.join("hooks.json"), text, 0o644),
        config => put(&home.join("hooks.json"), &config.to_string(), 0o644),
    }
    if let Some(lines) = row["config_tables"].as_array() {
        let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
        put(&home.join("config.toml"), &lines.join("\n"), 0o644);
    }
}
