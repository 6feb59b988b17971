//! The calls of the model, and the tools that they are about.

use hook_contract::Json;
use hook_dialect::{Fact, Facts, Verdict};
use serde_json::{Value, json};

use super::{place::filled, session::Session};
use crate::machine::run_line;

/// A call that hooks are asked about.
pub(super) struct Call {
    /// The name that hooks are told.
    pub(super) tool: String,
    pub(super) input: Json,
    id: String,
    cwd: Option<String>,
    pub(super) leaves_the_sandbox: bool,
    pub(super) justification: Option<String>,
}

/// The tools of the recorded MCP server.
const OF_SERVER: [&str; 2] = ["echo", "fail"];

impl Call {
    /// What a block of a reply calls; nothing when it is a text, or a call that Codex itself turns down.
    pub(super) fn of(block: &Value) -> Option<Self> {
        let name = block["name"].as_str()?;
        let arguments = block["arguments"].as_str().unwrap_or("{}");
        let arguments: Value = serde_json::from_str(arguments).ok()?;
        let text = |name: &str| arguments[name].as_str().map(str::to_owned);
        let command = |command: String| ("Bash".to_owned(), json!({"command": whole(&command)}));
        let (tool, input) = match (name, block["namespace"].as_str()) {
            ("exec_command", None) => command(text("cmd")?),
            ("apply_patch", None) => (name.to_owned(), json!({"command": block["input"]})),
            // A script, of which hooks see the calls that it makes.
            ("exec", None) => command(nested(block["input"].as_str()?)?),
            ("no_such_tool" | "write_stdin", None) => return None,
            (name, Some("mcp__fake")) if !OF_SERVER.contains(&name) => return None,
            (name, Some(server)) if server.starts_with("mcp__") => {
                (format!("{server}__{name}"), arguments.clone())
            }
            (name, namespace) => (
                format!("{}{name}", namespace.unwrap_or_default()),
                arguments.clone(),
            ),
        };
        Some(Self {
            tool,
            input: Json::from(input),
            id: block["call_id"].as_str().unwrap_or("call_1").to_owned(),
            cwd: text("workdir"),
            leaves_the_sandbox: arguments["sandbox_permissions"] == "require_escalated",
            justification: text("justification"),
        })
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .with(Fact::ToolName, &*self.tool)
            .with_json(Fact::ToolInput, self.input.clone())
            .with(Fact::ToolUseId, &*self.id)
    }

    fn command(&self) -> Option<&str> {
        self.input["command"].as_str()
    }
}

/// The command that a script starts.
fn nested(script: &str) -> Option<String> {
    let rest = script.split_once("exec_command({cmd:")?.1;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    values.next()?.ok()
}

/// A text that was cut in the middle of nothing but one character, with what was cut.
fn whole(text: &str) -> String {
    let cut = text.split_once("...[").and_then(|(head, rest)| {
        let (length, tail) = rest.split_once(" chars]...")?;
        let length: usize = length.parse().ok()?;
        let left = length.checked_sub(head.chars().count() + tail.chars().count())?;
        let filler = head.chars().next_back()?;
        Some(format!("{head}{}{tail}", filler.to_string().repeat(left)))
    });
    cut.unwrap_or_else(|| text.to_owned())
}

impl Session {
    /// Asks about a call, makes it if it may happen, and asks about what came of it.
    pub(super) async fn call(&mut self, mut call: Call) {
        let cwd = call.cwd.as_deref().map(|cwd| filled(cwd, &self.machine));
        let cwd = cwd.unwrap_or_else(|| self.machine.text_of("repo"));
        let place = Facts::new().with(Fact::Cwd, &*cwd);
        let said = self.fire("PreToolUse", call.facts().or(&place)).await;
        // In a recording no person is there to agree.
        if said.decision >= Verdict::Ask {
            self.refused(&said);
            return;
        }
        if let Some(input) = said.updated_input {
            call.input = input;
        }
        let takes_commands = matches!(&*call.tool, "Bash" | "apply_patch");
        if takes_commands && call.command().is_none() || !self.is_approved(&call).await {
            return;
        }
        let Some(result) = self.run_tool(&call, &cwd).await else {
            return;
        };
        let facts = call.facts().or(&place).with(Fact::ToolResponse, result);
        let said = self.fire("PostToolUse", facts).await;
        if said.decision == Verdict::Deny {
            self.refused(&said);
        }
    }

    /// What a tool says; nothing when hooks are not asked about that.
    async fn run_tool(&mut self, call: &Call, cwd: &str) -> Option<Value> {
        let command = call.command().unwrap_or_default().to_owned();
        let is_patch = |text: &str| text.trim_start().starts_with("*** Begin Patch");
        match &*call.tool {
            // A patch that is typed into a shell is applied by Codex itself, and asked about no more.
            "Bash" if command.starts_with("apply_patch") => {
                self.played.ran.push("a patch".into());
                None
            }
            "Bash" => {
                self.played.ran.push(command.clone());
                let command = filled(&command, &self.machine);
                let ran = run_line(&self.machine, cwd.as_ref(), "", &command, &[]).await;
                Some(json!(format!("{}\n", ran.stdout)))
            }
            "apply_patch" if is_patch(&command) => {
                self.played.ran.push("a patch".into());
                Some(json!("Success."))
            }
            "apply_patch" => None,
            tool if tool.starts_with("mcp__") => {
                // Without arguments, there are none in the recording.
                let input = call.input.value();
                let input = Some(input).filter(|input| **input != json!({}));
                let input = input.unwrap_or(&Value::Null);
                let ran = input
                    .as_str()
                    .map_or_else(|| input.to_string(), str::to_owned);
                self.played.ran.push(ran);
                let text = call.input["text"].as_str();
                let text = text.filter(|_| tool != "mcp__fake__fail");
                text.map(|text| json!({"content": [{"type": "text", "text": text}]}))
            }
            // Those that look for something fail here: there is nothing.
            "view_image" | "request_user_input" => None,
            _ => {
                self.played.ran.push("a tool".into());
                Some(json!(""))
            }
        }
    }
}
