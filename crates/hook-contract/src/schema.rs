//! The JSON Schema of the request.
//!
//! Written to `schemas/hook-request.v1.schema.json` by `cargo xtask schema`; descriptions are the
//! doc comments of the types, so they are written for authors of hooks in any language.

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform as _},
};
use serde_json::{Value, json};

use crate::HookRequest;

/// JSON Schema 2020-12 for what a hook is asked.
///
/// ```
/// let schema = hook_contract::schema::request();
/// assert_eq!(schema.get("title").unwrap(), "Hook request");
/// ```
#[must_use]
pub fn request() -> Schema {
    let before = json!({
        "hook_schema": 1,
        "event": "pre_tool_use",
        "workspace": "/home/ada/project",
        "agent_id": "agent-1",
        "tool_call_id": "call-7",
        "tool_name": "shell",
        "input": {"command": "git push --force"}
    });
    let after = json!({
        "hook_schema": 1,
        "event": "post_tool_use",
        "workspace": "/home/ada/project",
        "agent_id": "agent-1",
        "tool_call_id": "call-8",
        "tool_name": "read_file",
        "input": {"path": ".env"},
        "output": "TOKEN=hunter2",
        "is_error": false
    });
    let known = json!({
        "hook_schema": 1,
        "event": "pre_tool_use",
        "workspace": "/home/ada/project",
        "agent_id": "agent-1",
        "tool_call_id": "call-9",
        "tool_name": "Bash",
        "input": {"command": "sudo git push --force > log"},
        "cwd": "/home/ada/project/sub",
        "session_id": "session-3",
        "extensions": {"turn": 7},
        "tool": {"kinds": ["shell"], "agent": "claude-code"},
        "facts": {
            "coverage": "full",
            "commands": [{
                "program": "git",
                "argv": ["git", "push", "--force"],
                "exact": true,
                "through": ["sudo"],
                "redirects": [{"op": ">", "path": "log"}],
                "span": [5, 21]
            }],
            "paths": [{
                "path": "/home/ada/project/sub/log",
                "as_written": "log",
                "access": "write",
                "in_workspace": true
            }]
        }
    });
    let examples = vec![before, after, known];
    let mut schema = document::<HookRequest>("hook-request.v1", "Hook request", examples);
    let together = json!({"output": ["is_error"], "is_error": ["output"]});
    schema.insert("dependentRequired".into(), together);
    schema
}

/// The schema of `T` as a document of its own: with an `$id`, a title and examples.
///
/// For the crates that own the other shapes; `name` is the file's name without `.schema.json`.
/// Descriptions are doc comments with their paragraphs on one line each: editors that show them would
/// take every line end for the end of a paragraph. Examples in Rust are left out: a schema is read by authors of hooks in
/// any language.
///
/// ```
/// use schemars::JsonSchema;
/// use serde_json::json;
///
/// /// What a
/// /// hook counts.
/// #[derive(JsonSchema)]
/// #[expect(dead_code)]
/// struct Count {
///     calls: u32,
/// }
///
/// let schema = hook_contract::schema::document::<Count>("count.v1", "Count", vec![json!({"calls": 3})]);
/// assert_eq!(schema.get("$id").unwrap(), "urn:hookchain:count.v1");
/// assert_eq!(schema.get("description").unwrap(), "What a hook counts.");
/// ```
#[must_use]
pub fn document<T: JsonSchema>(name: &str, title: &str, examples: Vec<Value>) -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("$id".into(), format!("urn:hookchain:{name}").into());
    schema.insert("title".into(), title.into());
    schema.insert("examples".into(), examples.into());
    RecursiveTransform(unwrap_description).transform(&mut schema);
    schema
}

fn unwrap_description(schema: &mut Schema) {
    let Some(Value::String(description)) = schema.get_mut("description") else {
        return;
    };
    let words = without_examples(description);
    let paragraphs = words.split("\n\n");
    let unwrapped: Vec<_> = paragraphs
        .map(|paragraph| paragraph.trim().replace('\n', " "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    *description = unwrapped.join("\n\n");
}

/// The lines that stand in no fenced block.
fn without_examples(description: &str) -> String {
    let mut is_example = false;
    let mut words = Vec::new();
    for line in description.lines() {
        if line.trim_start().starts_with("```") {
            is_example = !is_example;
        } else if !is_example {
            words.push(line);
        }
    }
    words.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that
    /// goes on.
    ///
    /// ```
    /// let example = "in Rust";
    ///
    /// assert!(!example.is_empty());
    /// ```
    ///
    /// Another paragraph.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Wrapped {
        /// A field
        /// that goes on.
        ///
        /// ```
        /// let _ = 1;
        /// ```
        description: String,
    }

    #[test]
    fn a_paragraph_is_one_line_wherever_it_stands_and_an_example_is_none() {
        let example = json!({"description": "as it\nstands"});
        let schema = document::<Wrapped>("wrapped.v1", "Wrapped", vec![example.clone()]);
        let schema = Value::from(schema);
        assert_eq!(
            schema["description"],
            "A line that goes on.\n\nAnother paragraph."
        );
        assert_eq!(
            schema["properties"]["description"]["description"],
            "A field that goes on."
        );
        assert_eq!(schema["examples"][0], example);
    }
}
