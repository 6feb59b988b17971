//! The file as it is written, and as its schema describes it.

use serde::Serialize;

use hook_contract::HookEvent;

use crate::{DEFAULT_HOOK_TIMEOUT, HOOKS_FILE_SCHEMA, HookMode, HookSpec, OnFailure};

/// Programs that are asked about the tool calls of an AI agent.
///
/// Fields that are not described here are accepted, for files written for a newer version, and have no effect; a
/// field that looks like a misspelling of a described one is refused.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FileModel<'a> {
    /// The address of this schema, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(default, with = "String"))]
    schema_address: Option<&'a str>,
    /// The version of this file's shape. Always 1.
    #[cfg_attr(feature = "schema", schemars(extend("const" = HOOKS_FILE_SCHEMA)))]
    schema: u32,
    /// The hooks, in the order in which they are asked. The first one that refuses a call has the last word.
    #[cfg_attr(feature = "schema", schemars(default))]
    hooks: Vec<EntryModel<'a>>,
}

/// One program, asked at one event. A program for both events is two entries.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Hook")
)]
pub(crate) struct EntryModel<'a> {
    /// Who is named when a call is refused. Need not be unique.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    name: &'a str,
    /// The program and its arguments, one word each, started directly and not through a shell. A program with a
    /// slash in it, such as `./.basis/hooks/guard.sh`, is relative to the root of the workspace; one without is
    /// looked up in the PATH.
    #[cfg_attr(
        feature = "schema",
        schemars(
            length(min = 1),
            inner(regex(pattern = r"^[^\u0000]*$")),
            // The program; what is said of the other words does not reach it.
            extend("prefixItems" = [{"type": "string", "minLength": 1, "pattern": r"^[^\u0000]*$"}])
        )
    )]
    command: &'a [String],
    /// The exact names of the tools it is asked about; patterns have no meaning. Left out or null, it is asked about
    /// every tool; with an empty list it is never asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a [String]>,
    /// When it is asked.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, extend("default" = HookEvent::default().as_str())))]
    event: HookEvent,
    /// How long it may take to answer, in milliseconds. Left out or null, it is 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(range(min = 1, max = 86_400_000), extend("default" = milliseconds(DEFAULT_HOOK_TIMEOUT)))
    )]
    timeout_ms: Option<u64>,
    /// What it means when it cannot answer.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, extend("default" = OnFailure::default().as_str())))]
    on_failure: OnFailure,
    /// How it is run.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, extend("default" = HookMode::default().as_str())))]
    mode: HookMode,
}

fn milliseconds(timeout: std::time::Duration) -> u64 {
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The text of a file with these hooks, with a final newline.
pub(super) fn write(hooks: &[HookSpec]) -> String {
    let hooks = hooks.iter().map(|hook| EntryModel {
        name: &hook.name,
        command: &hook.command,
        tools: hook.tools.as_deref(),
        event: hook.event,
        timeout_ms: (hook.timeout != DEFAULT_HOOK_TIMEOUT).then(|| milliseconds(hook.timeout)),
        on_failure: hook.on_failure,
        mode: hook.mode,
    });
    let file = FileModel {
        schema_address: None,
        schema: HOOKS_FILE_SCHEMA,
        hooks: hooks.collect(),
    };
    #[expect(
        clippy::expect_used,
        reason = "strings, numbers and words are always JSON"
    )]
    let mut text = serde_json::to_string_pretty(&file).expect("a file of plain values");
    text.push('\n');
    text
}
