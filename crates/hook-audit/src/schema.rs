//! The JSON Schema of a record.
//!
//! Written to `schemas/hook-record.v1.schema.json` by `cargo xtask schema`; descriptions are the doc comments of the types,
//! so they are written for readers in any language.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Digest, Record};

/// JSON Schema 2020-12 for one line of a record file. Fields that it does not name are allowed.
///
/// ```
/// let schema = hook_audit::schema::record();
/// assert_eq!(schema.get("title").unwrap(), "Hook record");
/// ```
#[must_use]
pub fn record() -> Schema {
    hook_contract::schema::document::<Line>("hook-record.v1", "Hook record", examples())
}

/// One line of a record file: what happened in the consultation of hooks about one tool call. For each question to a
/// participant there is a `hook/invoked` and, when it has answered or failed to, a `hook/result`; the two have the same
/// `consultation`, `handler_id` and `pass`. Each call ends with one `consultation`.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// The version of this shape; always 1.
    #[schemars(extend("const" = 1))]
    hook_record: u32,
    #[serde(flatten)]
    record: Record,
    /// The SHA-256 digest of the line before, without its line end; only where lines are chained. It is the last member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Digest")]
    prev: Option<Digest>,
}

fn examples() -> Vec<Value> {
    let empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    vec![
        json!({
            "hook_record": 1, "type": "hook/invoked", "at": "2026-11-30T13:06:00.000123Z",
            "consultation": "9f86d081884c-17", "point": "pre_tool_use", "dialect": "native",
            "handler_id": "2c26b46b68ffc68f", "kind": "hook", "name": "no-force-push",
            "origin": "workspace /home/ada/project/.basis/hooks.json:4", "matcher": "shell", "tool_name": "shell",
            "tool_call_id": "call-7", "agent_id": "agent-1", "input": {"bytes": 2, "sha256": empty}
        }),
        json!({
            "hook_record": 1, "type": "hook/result", "at": "2026-11-30T13:06:00.004123Z",
            "consultation": "9f86d081884c-17", "handler_id": "2c26b46b68ffc68f", "decision": "deny",
            "reason": "force-push is not allowed in this workspace", "exit_code": 0, "duration_ms": 3.871,
            "queued_ms": 0.0, "bytes_sent": 187, "bytes_received": 74
        }),
        json!({
            "hook_record": 1, "type": "consultation", "at": "2026-11-30T13:06:00.004131Z",
            "consultation": "9f86d081884c-17", "point": "pre_tool_use", "workspace": "/home/ada/project",
            "tool_name": "shell", "tool_call_id": "call-7", "agent_id": "agent-1",
            "input": {"bytes": 2, "sha256": empty, "value": {}}, "outcome": "deny",
            "reason": "denied by hook 'no-force-push': force-push is not allowed in this workspace", "asked": 1,
            "duration_ms": 4.012
        }),
        json!({
            "hook_record": 1, "type": "hook/result", "at": "2026-11-30T13:06:02.104123Z",
            "consultation": "9f86d081884c-18", "handler_id": "5891b5b522d5df08", "decision": "ask",
            "reason": "this pushes to production", "duration_ms": 12.5, "queued_ms": 0.0, "bytes_sent": 512,
            "bytes_received": 98, "hooks": [{
                "command": "./guards/deploys.sh", "origin": "user /home/ada/.claude/settings.json", "decision": "ask",
                "reason": "this pushes to production", "exit_code": 0, "duration_ms": 12.1, "queued_ms": 0.0
            }]
        }),
        json!({
            "hook_record": 1, "type": "hook/invoked", "at": "2026-11-30T13:06:02.105123Z",
            "consultation": "9f86d081884c-18", "point": "pre_tool_use", "dialect": "native",
            "handler_id": "2c26b46b68ffc68f", "pass": 2, "kind": "interceptor", "name": "no-secrets", "origin": "host",
            "tool_name": "shell", "tool_call_id": "call-8", "agent_id": "agent-1",
            "input": {"bytes": 2, "sha256": empty}
        }),
        json!({
            "hook_record": 1, "type": "consultation", "at": "2026-11-30T13:06:09.004131Z",
            "consultation": "9f86d081884c-18", "point": "pre_tool_use", "workspace": "/home/ada/project",
            "tool_name": "shell", "tool_call_id": "call-8", "agent_id": "agent-1",
            "input": {"bytes": 2, "sha256": empty}, "outcome": "deny",
            "reason": "not approved by the person who was asked (asked by dialect 'claude': this pushes to production)",
            "approval": {"by": ["claude"], "then": "allow", "settled": "refused"}, "context_bytes": 31, "asked": 4,
            "duration_ms": 6900.2
        }),
        json!({
            "hook_record": 1, "type": "lost", "at": "2026-11-30T13:07:00.000000Z", "recorder": "9f86d081884c",
            "records": 12
        }),
    ]
}
