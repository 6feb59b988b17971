//! The files of a recorded run.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::machine::{Machine, write};

/// What the recorded commands start: it says what it was called with.
const TOOL: &str = "echo \"ran-$1\" >> \"$ORACLE_REC/tool.log\"\necho \"out-$1\"\n";

/// Puts everything in its place, and gives the folder that the session begins in.
pub(super) fn place(row: &Value, machine: &Machine, user_settings: &Value) -> PathBuf {
    let root = machine.make(row["repo_name"].as_str().unwrap_or("repo"));
    let inside = |name: &str| match row[name].as_str() {
        Some(folder) => root.join(folder),
        None => root.clone(),
    };
    let repo = inside("run_in");
    machine.make("rec");
    let folder = inside("settings_in").join(".claude");
    let text = |name: &str| row[name].as_str().unwrap_or_default();
    // A rule begins at the root of the file system with `//`.
    let settings = row["settings"].to_string();
    let settings = settings.replace("(//repo/", &format!("(/{}/", root.display()));
    write(
        &folder.join("settings.json"),
        &format!(
            "{}{settings}{}",
            text("settings_raw"),
            text("settings_suffix")
        ),
        0o644,
    );
    // What an argument says counts like a file of the user's own in this project.
    let args = row["args"].as_array().into_iter().flatten();
    let argument = args.skip_while(|arg| *arg != "--settings").nth(1);
    let local = row.get("local_settings").map(Value::to_string);
    let local = argument
        .and_then(Value::as_str)
        .map(str::to_owned)
        .or(local);
    if let Some(settings) = local {
        write(&folder.join("settings.local.json"), &settings, 0o644);
    }
    write(
        &machine.at("home/.claude/settings.json"),
        &user_settings.to_string(),
        0o644,
    );
    write(&repo.join("tool.sh"), TOOL, 0o644);
    let files = |name: &str| row[name].as_object().into_iter().flatten();
    let unmarked = row["not_executable"].as_array();
    for (name, content) in files("script") {
        let marked = !unmarked.is_some_and(|names| names.contains(&json!(name)));
        let mode = if marked { 0o755 } else { 0o644 };
        let path = folder.join("hooks").join(name);
        write(&path, content.as_str().expect("a script"), mode);
    }
    for (name, content) in files("extra_files") {
        let path = folder.join("hooks").join(name);
        write(&path, content.as_str().expect("a text"), 0o644);
    }
    for (name, content) in files("home_files") {
        let path = machine.at("home").join(name);
        write(&path, content.as_str().expect("a text"), 0o644);
    }
    repo
}
