//! The turns of a session, and those of a subagent: replies of the model, and what hooks say at the end.

use hook_contract::Json;
use hook_dialect::{Fact, Facts, Verdict};
use serde_json::{Value, json};

use super::{
    session::{Flow, Session},
    tools::in_order,
};

/// What a Claude Code of the recordings does after so many ends of a turn that hooks have put off.
const CONTINUATIONS: usize = 8;

impl Session {
    pub(super) async fn turns(&mut self) {
        let cap = self.row["env"]["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"].as_str();
        let cap = cap
            .and_then(|cap| cap.parse().ok())
            .unwrap_or(CONTINUATIONS);
        let mut continued = 0;
        let mut flow = Flow::GoesOn;
        while flow == Flow::GoesOn {
            self.hear_late();
            let reply = self.reply(self.played.requests);
            self.played.requests += 1;
            if reply.is_empty() {
                flow = self.ends("Stop", continued > 0).await;
                continued += 1;
            } else {
                continued = 0;
                flow = self.calls(&reply).await;
            }
            // At the last, hooks are asked and have no say.
            if continued > cap {
                flow = Flow::Ends;
            }
        }
    }

    /// The calls of a reply of the model; a reply without any is a text.
    fn reply(&self, number: usize) -> Vec<Value> {
        let Some(turns) = self.row["turns"].as_array() else {
            return if number == 0 {
                vec![self.only_call()]
            } else {
                Vec::new()
            };
        };
        let blocks = turns.get(number).and_then(Value::as_array);
        let blocks = blocks.into_iter().flatten();
        blocks
            .filter(|block| block["type"] == "tool_use")
            .cloned()
            .collect()
    }

    fn only_call(&self) -> Value {
        let (name, input) = if let Some(path) = self.row["write_path"].as_str() {
            let input = json!({"file_path": path, "content": "original\n"});
            ("Write", input)
        } else {
            let input = json!({"command": "sh tool.sh original", "description": "original"});
            ("Bash", input)
        };
        json!({"id": "toolu_01", "name": name, "input": input})
    }

    /// Whether a turn ends, when it is about to.
    async fn ends(&mut self, event: &'static str, active: bool) -> Flow {
        let facts = Facts::new()
            .with(Fact::StopHookActive, active)
            .with(Fact::AgentTranscriptPath, "/a.jsonl")
            .with(Fact::AgentId, "<id>")
            .with(Fact::AgentType, "general-purpose");
        let said = self.fire(event, facts).await;
        let denies = said.decision == Verdict::Deny;
        if said.stop || !denies && said.additional_context.is_empty() {
            self.played.maybe.extend(said.additional_context);
            return Flow::Ends;
        }
        if denies {
            self.refused();
        }
        self.given(event, said.additional_context);
        Flow::GoesOn
    }

    /// What a subagent does: what was recorded of it.
    pub(super) async fn subagent(&mut self) {
        let facts = Facts::new()
            .with(Fact::AgentId, "<id>")
            .with(Fact::AgentType, "general-purpose");
        let started = self.fire("SubagentStart", facts).await;
        self.given("SubagentStart", started.additional_context);
        self.in_subagent = true;
        let seen = self.row["expect"]["subagent_saw"].as_array().cloned();
        for block in seen.unwrap_or_default() {
            if block["type"] == "tool_use" {
                Box::pin(self.calls(&[block])).await;
            }
        }
        self.in_subagent = false;
        let mut continued = 0;
        while self.ends("SubagentStop", continued > 0).await == Flow::GoesOn {
            if continued == CONTINUATIONS {
                break;
            }
            continued += 1;
        }
    }

    /// An input as hooks are told it: with absolute paths, and in the tool's own order.
    pub(super) fn told(&self, input: &Value) -> Json {
        const ORDER: [&str; 9] = [
            "command",
            "file_path",
            "content",
            "old_string",
            "new_string",
            "description",
            "prompt",
            "subagent_type",
            "run_in_background",
        ];
        let mut input = input.clone();
        if let Some(path) = input["file_path"].as_str() {
            let path = path.strip_prefix("/repo/").unwrap_or(path);
            let path = self.repo.join(path);
            input["file_path"] = json!(path.to_string_lossy());
        }
        if let Some(command) = input["command"].as_str() {
            input["command"] = json!(whole(command));
        }
        let Value::Object(members) = input else {
            return Json::from(input);
        };
        let place = |name: &str| ORDER.iter().position(|known| *known == name);
        let mut members: Vec<_> = members
            .iter()
            .map(|(name, value)| (&**name, value.clone()))
            .collect();
        members.sort_by_key(|(name, _)| place(name).unwrap_or(ORDER.len()));
        in_order(&members)
    }
}

/// A text that was cut in the middle of nothing but one character, with what was cut.
fn whole(text: &str) -> String {
    let cut = text.split_once("…[").and_then(|(head, rest)| {
        let (length, tail) = rest.split_once(" characters in all]…")?;
        let left: usize = length.parse().ok()?;
        let left = left.checked_sub(head.chars().count() + tail.chars().count())?;
        let filler = head.chars().next_back().filter(|c| tail.starts_with(*c))?;
        Some(format!("{head}{}{tail}", filler.to_string().repeat(left)))
    });
    cut.unwrap_or_else(|| text.to_owned())
}
