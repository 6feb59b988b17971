//! What hooks said at an event, as one JSON object (docs/fire-json.md).

use hook_contract::Json;
use hook_dialect::{Dialect, dialect::EventRow, run::Fired};
use hook_runner::Part;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct FiredLine<'a> {
    agent: &'static str,
    event: &'static str,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    stop: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<&'a str>,
    additional_context: &'a [String],
    system_messages: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_tool_output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_mcp_output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exports: Vec<&'a str>,
    asked: usize,
    failed: usize,
    in_background: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    trail: Option<Vec<Part>>,
}

/// The object on one line, with its end.
pub(super) fn line(
    agent: &Dialect,
    event: &EventRow,
    fired: &Fired,
    trail: bool,
) -> Result<String, serde_json::Error> {
    let outcome = &fired.outcome;
    let mut line = serde_json::to_string(&FiredLine {
        agent: agent.name,
        event: event.name,
        decision: outcome.decision.as_str(),
        reason: outcome.reason.as_deref(),
        stop: outcome.stop,
        stop_reason: outcome.stop_reason.as_deref(),
        additional_context: &outcome.additional_context,
        system_messages: &outcome.system_messages,
        updated_input: outcome.updated_input.as_ref(),
        updated_tool_output: outcome.updated_tool_output.as_ref(),
        updated_mcp_output: outcome.updated_mcp_output.as_ref(),
        exports: fired.exports().collect(),
        asked: fired.runs.len(),
        failed: outcome.failures.len(),
        in_background: fired.in_background,
        trail: trail.then(|| fired.runs.iter().map(Part::from).collect()),
    })?;
    line.push('\n');
    Ok(line)
}
