//! The JSON Schema of test case files.
//!
//! Made from a model of its own: the command reads such files by hand, to say everything that is wrong at once and
//! where. The tests hold both against the same samples.

use std::collections::BTreeMap;

use hook_contract::{HookEvent, Json};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::HOOK_TEST_SCHEMA;

/// JSON Schema 2020-12 for a test case file.
pub(super) fn schema() -> Schema {
    let example = json!({
        "schema": HOOK_TEST_SCHEMA,
        "cases": [denied(), rewritten(), not_asked()]
    });
    hook_contract::schema::document::<File>("hook-test.v1", "Hook test cases", vec![example])
}

fn denied() -> Value {
    json!({
        "name": "a forced push is denied",
        "call": {"tool_name": "shell", "input": {"command": "git push --force"}},
        "expect": {"outcome": "deny", "by": "no-force-push", "reason_contains": "force"}
    })
}

fn rewritten() -> Value {
    json!({
        "name": "a token is taken out of what a tool read",
        "files": {".env": "TOKEN=hunter2\n"},
        "call": {
            "event": "post_tool_use",
            "tool_name": "read_file",
            "input": {"path": "{{workspace}}/.env"},
            "output": "TOKEN=hunter2\n"
        },
        "expect": {"outcome": "replace", "output": "TOKEN=[redacted]\n", "max_ms": 1000}
    })
}

fn not_asked() -> Value {
    json!({
        "name": "reading concerns nobody",
        "call": {"tool_name": "read_file", "input": {"path": "README.md"}},
        "expect": {"outcome": "allow", "asked": []}
    })
}

/// Calls, and what the hooks of a workspace must make of them. `hookchain test` runs each case in a copy of the
/// workspace of its own.
///
/// A field whose name begins with `//` or `#` is a note and has no effect; any other field that is not described here is
/// an error.
#[derive(JsonSchema)]
#[schemars(extend(
    "required" = ["schema", "cases"],
    "additionalProperties" = false,
    "patternProperties" = {"^(//|#)": true}
))]
#[expect(dead_code, reason = "only its schema is used")]
struct File {
    /// Where the schema of this file is, for editors: a path from this file, or an address. It has no other effect.
    #[serde(rename = "$schema")]
    #[schemars(
        title = "Schema, for editors",
        example = "../schemas/hook-test.v1.schema.json"
    )]
    schema_address: String,
    /// The version of this file's shape. Always 1.
    #[schemars(title = "Version", extend("const" = HOOK_TEST_SCHEMA, "default" = HOOK_TEST_SCHEMA))]
    schema: u32,
    /// The cases. They run at the same time, each in a copy of the workspace of its own.
    #[schemars(title = "Cases", length(min = 1), extend("examples" = [[denied()]]))]
    cases: Vec<Case>,
}

/// One call, and what must become of it.
///
/// A case also fails when a hook failed that is not in `expect.failed`, and when nobody was asked and `expect.asked` does
/// not say so: a guard that crashes also denies, and a guard that is not asked also allows.
#[derive(JsonSchema)]
#[schemars(
    title = "Case",
    extend("examples" = [denied(), rewritten(), not_asked()], "required" = ["name", "call", "expect"]),
    extend("additionalProperties" = false, "patternProperties" = {"^(//|#)": true})
)]
#[expect(dead_code, reason = "only its schema is used")]
struct Case {
    /// What holds when the case passes. No two cases of a file have the same name.
    #[schemars(title = "Name", length(min = 1), example = "a forced push is denied")]
    name: String,
    /// Files that are created in the copy of the workspace before the hooks are asked, by their path in the workspace. One
    /// that is there already is replaced. `{{workspace}}` in a text becomes the path of the copy.
    #[schemars(
        title = "Files",
        extend("default" = {}, "examples" = [{".env": "TOKEN=hunter2\n"}]),
        extend("propertyNames" = {"minLength": 1})
    )]
    files: BTreeMap<String, Content>,
    /// The call that the hooks are asked about.
    #[schemars(title = "Call")]
    call: Call,
    /// What must become of the call.
    #[schemars(title = "Expectation")]
    expect: Expectation,
}

/// What is in a file: its text, or its text and whether it can be executed.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(extend("examples" = ["text\n", {"text": "#!/bin/sh\n", "executable": true}]))]
#[expect(dead_code, reason = "only its schema is used")]
enum Content {
    /// The text of the file.
    Text(String),
    /// The text of the file, and its mode.
    #[schemars(extend("additionalProperties" = false, "required" = ["text"]))]
    WithMode {
        /// The text of the file.
        #[schemars(title = "Text", example = "#!/bin/sh\n")]
        text: String,
        /// Whether the file can be executed.
        #[schemars(title = "Executable", extend("default" = false, "examples" = [true]))]
        executable: bool,
    },
}

/// The call that the hooks are asked about, as `hookchain consult` reads it. Keys that are not described here are ignored.
///
/// `{{workspace}}` in it becomes the path of the copy of the workspace.
#[derive(JsonSchema)]
#[schemars(extend(
    "required" = ["input"],
    "anyOf" = [{"required": ["tool_name"]}, {"required": ["tool"]}],
    "examples" = [{"tool_name": "shell", "input": {"command": "git push --force"}}]
))]
#[expect(dead_code, reason = "only its schema is used")]
struct Call {
    /// The tool that is called, by its exact name.
    #[schemars(title = "Tool", length(min = 1), example = &"shell")]
    tool_name: String,
    /// Another spelling of `tool_name`.
    #[schemars(title = "Tool", length(min = 1), example = &"shell")]
    tool: String,
    /// The input of the tool. It is handed to the hooks as it is written here, digit for digit.
    #[schemars(title = "Input", extend("examples" = [{"command": "git push --force"}]))]
    input: Json,
    /// Before the tool runs, or after it ran. Left out, it is `pre_tool_use`.
    #[schemars(title = "Event", extend("default" = HookEvent::default().as_str()))]
    event: HookEvent,
    /// Which agent makes the call.
    #[schemars(title = "Agent", extend("default" = "cli", "examples" = ["agent-1"]))]
    agent_id: String,
    /// The identifier of the call.
    #[schemars(title = "Identifier", extend("default" = "cli-1", "examples" = ["call-7"]))]
    tool_call_id: String,
    /// The result of the tool: text as a string, or a structured result. Only for `post_tool_use`, and there required.
    #[schemars(title = "Output", extend("examples" = ["TOKEN=hunter2\n"]))]
    output: Json,
    /// Whether the tool reported a failure. Only for `post_tool_use`.
    #[schemars(title = "Is an error", extend("default" = false, "examples" = [true]))]
    is_error: bool,
}

/// What must become of the call. Only what is written is compared, except that no hook may fail and somebody must be
/// asked unless it says otherwise.
#[derive(JsonSchema)]
#[schemars(
    extend("examples" = [{"outcome": "deny", "by": "no-force-push", "reason_contains": "force"}]),
    extend("required" = ["outcome"]),
    extend("additionalProperties" = false, "patternProperties" = {"^(//|#)": true})
)]
#[expect(dead_code, reason = "only its schema is used")]
struct Expectation {
    /// What the runtime does with the call.
    #[schemars(title = "Outcome")]
    outcome: Outcome,
    /// The name of the hook that denied or asks, or of the last one that changed something. Not for `allow`.
    #[schemars(title = "By whom", length(min = 1), example = "no-force-push")]
    by: String,
    /// What the reason holds somewhere, letter for letter. Not for `allow`, which has no reason.
    #[schemars(title = "Reason", length(min = 1), example = "force-push")]
    reason_contains: String,
    /// The whole new input; only for `modify`, and for `ask` about a rewrite. The order of members does not matter; numbers are compared digit for digit.
    #[schemars(title = "New input", extend("type" = "object", "examples" = [{"command": "git push"}]))]
    input: Json,
    /// The whole new output; only for `replace`, and for `ask` about a replacement. The order of members does not matter; numbers are compared digit for digit.
    #[schemars(title = "New output", extend("examples" = ["TOKEN=[redacted]\n"]))]
    output: Json,
    /// Whether the model is told that the tool failed; only for `replace`, and for `ask` about a replacement.
    #[schemars(title = "Is an error", example = false)]
    is_error: bool,
    /// How long the hooks may take together, in milliseconds.
    #[schemars(title = "Time limit", range(min = 1, max = 86_400_000), example = 1000)]
    max_ms: u64,
    /// The names of the hooks that are asked, in order. An empty list: nobody is asked.
    #[schemars(title = "Who is asked", extend("examples" = [["no-force-push"], []]))]
    asked: Vec<String>,
    /// The names of the hooks that fail to answer, in order. Left out, nobody may fail.
    #[schemars(title = "Who fails", extend("default" = [], "examples" = [["no-force-push"]]))]
    failed: Vec<String>,
    /// What the model is told beside the outcome: each text is a part of some of it, letter for letter. An empty list: the
    /// model is told nothing.
    #[schemars(title = "Words for the model", extend("examples" = [["2 warnings"], []]))]
    context: Vec<String>,
}

/// What the runtime does with the call.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Outcome {
    /// The tool runs with the input it has, or the model sees the result as it is.
    Allow,
    /// The tool does not run, or the model does not see its result.
    Deny,
    /// A person has to agree first. No person is asked by a test.
    Ask,
    /// The tool runs with another input. Only before it runs.
    Modify,
    /// The model sees another result. Only after the tool ran.
    Replace,
}
