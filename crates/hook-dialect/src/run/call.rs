//! A call of the chain, in the words of an agent.

use hook_contract::{HookEvent, HookRequest, Json};

use super::hooks::Inner;
use crate::{Fact, Facts};

/// What the events around a call are called.
const BEFORE: &str = "PreToolUse";
const AFTER: &str = "PostToolUse";
const AFTER_FAILURE: &str = "PostToolUseFailure";

impl Inner {
    /// The event that a request is: some agents have one of its own for a call that failed.
    pub(super) fn event_of(&self, request: &HookRequest) -> &'static str {
        let has_failure = self.profile.dialect.event(AFTER_FAILURE).is_some();
        match (request.event, request.is_error) {
            (HookEvent::PreToolUse, _) => BEFORE,
            (_, Some(true)) if has_failure => AFTER_FAILURE,
            _ => AFTER,
        }
    }

    /// The name that the agent has for a tool.
    pub(super) fn theirs<'a>(&'a self, tool: &'a str) -> &'a str {
        self.tool_names.get(tool).map_or(tool, String::as_str)
    }

    /// What hooks are told of a call.
    pub(super) fn facts_of(&self, request: &HookRequest) -> Facts {
        let mut facts = Facts::new()
            .with(Fact::Cwd, &*request.workspace.to_string_lossy())
            .with(Fact::ToolName, self.theirs(&request.tool_name))
            .with(Fact::ToolUseId, &*request.tool_call_id)
            .with_json(Fact::ToolInput, request.input.clone());
        if let Some(output) = &request.output {
            facts = facts.with(Fact::Error, text_of(output));
            facts.set(Fact::ToolResponse, output.clone());
        }
        let agent = Facts::new().with(Fact::SessionId, &*request.agent_id);
        // A session that the embedder has named goes before the agent's number.
        facts.or(&self.session).or(&agent)
    }
}

/// The events that an event of the chain can be, the likelier one first.
pub(super) fn events_of(event: HookEvent) -> &'static [&'static str] {
    match event {
        HookEvent::PreToolUse => &[BEFORE],
        HookEvent::PostToolUse => &[AFTER, AFTER_FAILURE],
        _ => &[],
    }
}

/// A result as text.
pub(super) fn text_of(output: &Json) -> &str {
    output.as_str().unwrap_or_else(|| output.text())
}
