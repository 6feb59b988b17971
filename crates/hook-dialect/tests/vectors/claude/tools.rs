//! The tools that recorded calls are about.

use std::path::Path;

use hook_contract::Json;
use serde_json::{Value, json};

use super::session::Session;
use crate::machine::run_line;

/// What a tool did.
pub(crate) struct Done {
    /// The result, or what went wrong.
    pub(crate) result: Result<Json, String>,
}

/// Whether the tool is there in print mode; hooks are not asked about one that is not.
pub(crate) fn is_there(tool: &str) -> bool {
    !matches!(tool, "NoSuchTool" | "AskUserQuestion" | "ExitPlanMode")
}

/// Whether the tool takes an input: a rewrite that it does not take fails the call.
pub(crate) fn takes(tool: &str, input: &Json) -> bool {
    let texts: &[&str] = match tool {
        "Bash" => &["command"],
        "Write" => &["file_path", "content"],
        "Read" => &["file_path"],
        "Edit" => &["file_path", "old_string", "new_string"],
        _ if tool.starts_with("mcp__") => &["text"],
        _ => &[],
    };
    input.value().is_object() && texts.iter().all(|name| input[*name].is_string())
}

/// Whether a result of this shape may stand in the place of the tool's own.
pub(crate) fn has_its_shape(tool: &str, result: &Json) -> bool {
    match tool {
        "Bash" => {
            ["stdout", "stderr"]
                .iter()
                .all(|name| result[*name].is_string())
                && ["interrupted", "isImage"]
                    .iter()
                    .all(|name| result[*name].is_boolean())
        }
        _ => tool.starts_with("mcp__"),
    }
}

/// What the model is shown of a result.
pub(crate) fn shown(result: &Json) -> String {
    let text = result["stdout"].as_str().or(result.as_str());
    let of_block = |block: &Value| {
        let text = block["text"].as_str()?;
        (block["type"] == "text").then(|| text.to_owned())
    };
    let blocks = result
        .value()
        .as_array()
        .filter(|blocks| !blocks.is_empty());
    // A list of blocks is what a server answers, so that the model is shown their texts.
    let texts = blocks.and_then(|blocks| blocks.iter().map(of_block).collect::<Option<Vec<_>>>());
    let texts = texts.map(|texts| texts.join("\n"));
    texts.unwrap_or_else(|| text.unwrap_or_else(|| result.text()).to_owned())
}

/// An object with its members in this order.
pub(crate) fn in_order(members: &[(&str, Value)]) -> Json {
    let members = members.iter();
    let members: Vec<_> = members
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    Json::parse(&format!("{{{}}}", members.join(","))).expect("an object")
}

impl Session {
    /// Runs a tool. What it did is in `ran`, as the recordings have it.
    pub(crate) async fn run_tool(&mut self, tool: &str, input: &Json) -> Done {
        let text = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
        let result = match tool {
            "Bash" => self.bash(&text("command")).await,
            "Write" => Ok(self.write_file(&text("file_path"), &text("content"))),
            "Edit" => self.edit(&text("file_path"), &text("old_string"), &text("new_string")),
            "Read" => std::fs::read_to_string(self.own_path(&text("file_path")))
                .map(|content| json!({"file": {"content": content}}).into())
                .map_err(|error| error.to_string()),
            _ if tool.starts_with("mcp__") => {
                let text = text("text");
                self.played.ran.push(format!("note {text}"));
                if text == "fail" {
                    Err("mcp failed".into())
                } else {
                    Ok(json!(format!("out-mcp-{text}")).into())
                }
            }
            _ => Ok(json!("").into()),
        };
        Done { result }
    }

    async fn bash(&mut self, command: &str) -> Result<Json, String> {
        let exports = self.exports.join("\n");
        let variables = self.variables();
        let ran = run_line(&self.machine, &self.cwd, &exports, command, &variables).await;
        self.cwd.clone_from(&ran.cwd);
        let log = self.machine.at("rec/tool.log");
        let lines = crate::machine::read(&log).unwrap_or_default();
        let lines: Vec<_> = lines
            .lines()
            .filter_map(|line| line.strip_prefix("ran-"))
            .collect();
        let home = self.machine.text_of("home");
        for line in lines.iter().skip(self.logged) {
            let line = line.replace(&home, "/home/user");
            self.played.ran.push(format!("sh tool.sh {line}"));
        }
        self.logged = lines.len();
        if ran.success {
            Ok(in_order(&[
                ("stdout", ran.stdout.into()),
                ("stderr", ran.stderr.into()),
                ("interrupted", false.into()),
                ("isImage", false.into()),
                ("noOutputExpected", false.into()),
            ]))
        } else {
            Err(format!("Exit code 1\n{}{}", ran.stdout, ran.stderr))
        }
    }

    /// A path of a recording as one of this machine.
    fn own_path(&self, path: &str) -> std::path::PathBuf {
        let path = match path.strip_prefix("/repo/") {
            Some(rest) => self.repo.join(rest),
            None => Path::new(path).to_owned(),
        };
        if path.is_absolute() {
            path
        } else {
            self.cwd.join(path)
        }
    }

    fn write_file(&mut self, path: &str, content: &str) -> Json {
        let path = self.own_path(path);
        crate::machine::write(&path, content, 0o644);
        self.played
            .ran
            .push(format!("wrote {content:?}").replace('"', "'"));
        json!({"type": "create", "filePath": path, "content": content}).into()
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) -> Result<Json, String> {
        let path = self.own_path(path);
        let content = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        std::fs::write(&path, content.replacen(old, new, 1)).map_err(|error| error.to_string())?;
        Ok(json!({"filePath": path, "oldString": old, "newString": new}).into())
    }
}
