//! The JSON Schema of the response.
//!
//! Written to `schemas/hook-response.v1.schema.json` by `cargo xtask schema`. It is made from a model of its own rather
//! than from [`HookResponse`](crate::HookResponse), because its descriptions are for authors of hooks in any language.

use hook_contract::Json;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// JSON Schema 2020-12 for what a hook answers. Fields that it does not name are allowed.
///
/// ```
/// let schema = hook_wire::schema::response();
/// assert_eq!(schema.get("title").unwrap(), "Hook response");
/// ```
#[must_use]
pub fn response() -> Schema {
    hook_contract::schema::document::<Response>("hook-response.v1", "Hook response", examples())
}

fn examples() -> Vec<Value> {
    vec![
        json!({"decision": "allow"}),
        json!({"decision": "deny", "reason": "force-push is not allowed in this workspace"}),
        json!({"decision": "modify", "input": {"command": "git push"}, "reason": "dropped --force"}),
        json!({"decision": "replace", "output": "[redacted]", "is_error": false, "reason": "a token"}),
        json!({"decision": "allow", "tool_call_id": "call-7"}),
        json!({"decision": "ask", "reason": "this deploys to production"}),
        json!({"decision": "allow", "context": "2 warnings of the linter"}),
    ]
}

/// What a hook prints on standard output: exactly one JSON object, and an exit status of zero. Anything else, printing
/// nothing included, counts as a failure of the hook. Fields that are not described here are ignored.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "decision", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Response {
    /// No objection: the call happens as it stands, or the model sees the result as it stands.
    Allow {
        /// Why; kept for the record and never shown to the model. null is the same as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Words for the model, delivered beside whatever comes of the call. At most 16 KiB; more is cut. null is the same
        /// as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The `tool_call_id` of the question that this answers. Of a program that is kept for many questions: one that
        /// names another call than it was asked about has failed. Of any other it is ignored. null is the same as leaving
        /// it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
    },
    /// Before the call: it does not happen. After it: the result is withheld from the model.
    Deny {
        /// Why, written for the model, which reads it in place of a result. At most 16 KiB; more is cut. null is the
        /// same as leaving it out; then the model learns only which hook denied.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Words for the model, delivered beside whatever comes of the call. At most 16 KiB; more is cut. null is the same
        /// as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The `tool_call_id` of the question that this answers. Of a program that is kept for many questions: one that
        /// names another call than it was asked about has failed. Of any other it is ignored. null is the same as leaving
        /// it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
    },
    /// A person has to agree: before the call, or after it before the model sees the result. Without an agreement it is a
    /// denial.
    Ask {
        /// Why, written for the person. At most 16 KiB; more is cut. null is the same as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Before the call: the whole new input that the person is asked about. Never beside `output`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Map<String, Value>")]
        input: Option<Json>,
        /// After the call: the whole new result that the person is asked about. Never beside `input`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Json")]
        output: Option<Json>,
        /// Beside `output`: whether the model is told that the tool failed. Left out or null: as the tool left it.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// Words for the model, delivered beside whatever comes of the call. At most 16 KiB; more is cut. null is the same
        /// as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The `tool_call_id` of the question that this answers. Of a program that is kept for many questions: one that
        /// names another call than it was asked about has failed. Of any other it is ignored. null is the same as leaving
        /// it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
    },
    /// The tool runs with another input. Only before the call (event `pre_tool_use`).
    Modify {
        /// The whole new input of the tool, which replaces the old one; nothing is merged.
        #[schemars(with = "Map<String, Value>")]
        input: Json,
        /// Why; kept for the record and never shown to the model. null is the same as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Words for the model, delivered beside whatever comes of the call. At most 16 KiB; more is cut. null is the same
        /// as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The `tool_call_id` of the question that this answers. Of a program that is kept for many questions: one that
        /// names another call than it was asked about has failed. Of any other it is ignored. null is the same as leaving
        /// it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
    },
    /// The model sees another result. Only after the call (event `post_tool_use`).
    Replace {
        /// The whole new result. A string is a text result; any other value, null included, is a structured one.
        output: Json,
        /// Whether the model is told that the tool failed. Left out or null: as the tool left it.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// Why; kept for the record and never shown to the model. null is the same as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Words for the model, delivered beside whatever comes of the call. At most 16 KiB; more is cut. null is the same
        /// as leaving it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The `tool_call_id` of the question that this answers. Of a program that is kept for many questions: one that
        /// names another call than it was asked about has failed. Of any other it is ignored. null is the same as leaving
        /// it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
    },
}

#[cfg(test)]
mod tests;
