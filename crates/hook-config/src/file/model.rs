//! The file as it is written, and as its schema describes it.

mod approver;

use std::collections::BTreeMap;

use hook_contract::{HookEvent, Json, Kind};
use serde::Serialize;

use self::approver::ApproverModel;
#[cfg(feature = "schema")]
use self::approver::approver_example;
use crate::{
    DEFAULT_HOOK_TIMEOUT, DEFAULT_MAX_AGE, DEFAULT_MAX_IDLE, DEFAULT_MAX_QUESTIONS,
    HOOKS_FILE_SCHEMA, HookMode, HookSpec, HooksFile, OnFailure, RecordCapture, RecordSpec,
    Transport,
};

/// Programs that are asked about the tool calls of an AI agent.
///
/// Fields that are not described here are accepted, for files written for a newer version, and have no effect; a
/// field that looks like a misspelling of a described one is refused.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FileModel<'a> {
    /// Where the schema of this file is, for editors: a path from this file, or an address. It has no other effect.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            default,
            with = "String",
            title = "Schema, for editors",
            example = "./schemas/hooks-file.v1.schema.json"
        )
    )]
    schema_address: Option<&'a str>,
    /// The version of this file's shape. Always 1.
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Version",
            extend("const" = HOOKS_FILE_SCHEMA),
            extend("default" = HOOKS_FILE_SCHEMA)
        )
    )]
    schema: u32,
    /// The hooks, in the order in which they are asked. The first one that refuses a call has the last word.
    #[cfg_attr(feature = "schema", schemars(default, title = "Hooks", extend("examples" = [[guard_example()]])))]
    hooks: Vec<EntryModel<'a>>,
    /// Where what hooks say is recorded. Only in the operator's own file: a repository must not say where records of
    /// its calls go.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(default, with = "RecordModel<'a>", title = "Record", extend("examples" = [record_example()])))]
    record: Option<RecordModel<'a>>,
    /// The program that puts a call to a person when a hook asks for that and no terminal is there. Only in the
    /// operator's own file: a repository must not say who agrees to calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(default, with = "ApproverModel<'a>", title = "Approver", extend("examples" = [approver_example()])))]
    approver: Option<ApproverModel<'a>>,
}

/// A directory of records, and what is kept in it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Record", title = "Record", extend("examples" = [record_example()]))
)]
pub(crate) struct RecordModel<'a> {
    /// The directory, by an absolute path. It is made if it is not there.
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Directory",
            regex(pattern = r"^/[^\u0000]*$"),
            example = "/var/log/agent/hooks"
        )
    )]
    dir: &'a str,
    /// How much of inputs and outputs is kept. Left out, it is `digests`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "Capture", extend("default" = RecordCapture::default().as_str())))]
    capture: RecordCapture,
    /// Whether each line carries the digest of the one before, so that `hookchain log --verify` finds what was altered.
    /// Left out, it does not.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "Chain", example = true, extend("default" = false)))]
    chain: bool,
    /// For how many days records are kept. Left out or null, for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(title = "Days", range(min = 1, max = 36_500), example = 30)
    )]
    keep_days: Option<u32>,
    /// How many mebibytes of records are kept. Left out or null, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Mebibytes",
            range(min = 1, max = 1_073_741_824),
            example = 1024
        )
    )]
    keep_mib: Option<u64>,
}

/// One program, asked at one event. A program for both events is two entries.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        rename = "Hook",
        title = "Hook",
        extend("examples" = [guard_example(), redaction_example()])
    )
)]
pub(crate) struct EntryModel<'a> {
    /// Who is named when a call is refused, and in records. Need not be unique.
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Name",
            length(min = 1),
            example = "no-force-push",
            example = "redact-tokens"
        )
    )]
    name: &'a str,
    /// The program and its arguments, one word each, started directly and not through a shell. A program with a
    /// slash in it, such as `./.basis/hooks/guard.sh`, is relative to the root of the workspace; one without is
    /// looked up in the PATH.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "Vec<String>",
            title = "Command",
            example = ["./.basis/hooks/no-force-push.sh"],
            example = ["python3", ".basis/hooks/redact_tokens.py", "--strict"],
            length(min = 1),
            inner(regex(pattern = r"^[^\u0000]*$")),
            // The program; what is said of the other words does not reach it.
            extend("prefixItems" = [{"type": "string", "minLength": 1, "pattern": r"^[^\u0000]*$"}])
        )
    )]
    command: Option<&'a [String]>,
    /// The settings of a transport that the host registered, under its key.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    other: BTreeMap<&'a str, &'a Json>,
    /// The exact names of the tools it is asked about; patterns have no meaning. Left out or null, it is asked about
    /// every tool, or about those of its kinds; with an empty list and no kinds it is never asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(title = "Tools", example = ["shell"], example = ["read_file", "write_file"])
    )]
    tools: Option<&'a [String]>,
    /// What the tools can do that it is asked about, in words that are the same for every agent. Beside `tools`, it is
    /// asked where the name or one of the kinds fits. Left out or null, the names alone count. A host that does not know
    /// the kinds of its tools refuses the file; the command hookchain of this version is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Kinds of tools",
            length(min = 1),
            example = ["shell"],
            example = ["write", "edit", "delete"]
        )
    )]
    kinds: Option<&'a [Kind]>,
    /// Whether it is told what is known of the call: the members `cwd`, `session_id`, `extensions`, `tool`, `facts` and
    /// `again` of its request. Left out, it is not. With true, a host that knows no facts refuses the file; the command
    /// hookchain of this version is one.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "Facts", example = true, extend("default" = false)))]
    facts: bool,
    /// When it is asked: before the tool runs, or after it ran. Left out, it is `pre_tool_use`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "Event", extend("default" = HookEvent::default().as_str())))]
    event: HookEvent,
    /// How long it may take to answer, in milliseconds, from 1 to 86400000 (a day). Then it is killed, and has failed.
    /// Left out or null, it is 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Time limit",
            range(min = 1, max = 86_400_000),
            example = 500,
            example = 30_000,
            extend("default" = milliseconds(DEFAULT_HOOK_TIMEOUT))
        )
    )]
    timeout_ms: Option<u64>,
    /// What it means when it cannot answer: it is missing, crashes, is too slow or prints something that is no answer.
    /// Left out, it is `deny`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "On failure", extend("default" = OnFailure::default().as_str())))]
    on_failure: OnFailure,
    /// How it is run: a process for each question, or one that is kept. Left out, it is `oneshot`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(default, title = "Mode", extend("default" = HookMode::default().as_str())))]
    mode: HookMode,
    /// Of a worker: how many questions it answers before it is replaced. Left out or null, it is 10000. Like the two
    /// after it, it may only stand beside the mode worker.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Questions of a worker",
            example = 1000,
            range(min = 1, max = 1_000_000_000),
            extend("default" = DEFAULT_MAX_QUESTIONS)
        )
    )]
    max_questions: Option<u64>,
    /// Of a worker: how old it gets before it is replaced, in milliseconds. Left out or null, it is 3600000, an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Age of a worker",
            example = 600_000,
            range(min = 1, max = 86_400_000),
            extend("default" = milliseconds(DEFAULT_MAX_AGE))
        )
    )]
    max_age_ms: Option<u64>,
    /// Of a worker: how long it is kept when nobody asks it anything, in milliseconds. Left out or null, it is 600000,
    /// ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Idle time of a worker",
            example = 60_000,
            range(min = 1, max = 86_400_000),
            extend("default" = milliseconds(DEFAULT_MAX_IDLE))
        )
    )]
    max_idle_ms: Option<u64>,
}

#[cfg(feature = "schema")]
fn guard_example() -> serde_json::Value {
    serde_json::json!({
        "name": "no-force-push",
        "command": ["./.basis/hooks/no-force-push.sh"],
        "tools": ["shell"]
    })
}

#[cfg(feature = "schema")]
fn redaction_example() -> serde_json::Value {
    serde_json::json!({
        "name": "redact-tokens",
        "command": ["python3", ".basis/hooks/redact_tokens.py"],
        "event": "post_tool_use",
        "mode": "worker"
    })
}

#[cfg(feature = "schema")]
fn record_example() -> serde_json::Value {
    serde_json::json!({"dir": "/var/log/agent/hooks", "capture": "redacted", "keep_days": 30})
}

fn milliseconds(timeout: std::time::Duration) -> u64 {
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The time of a setting, unless it is the default.
fn other_than(default: std::time::Duration, time: std::time::Duration) -> Option<u64> {
    (time != default).then(|| milliseconds(time))
}

impl<'a> EntryModel<'a> {
    fn of(hook: &'a HookSpec) -> Self {
        let program = hook.program();
        let worker = program.filter(|program| program.mode == HookMode::Worker);
        let questions = worker.map(|worker| worker.max_questions);
        Self {
            name: &hook.name,
            command: hook.command(),
            other: match &hook.transport {
                Transport::Other { key, config, .. } => [(key.as_str(), config)].into(),
                Transport::Command(_) | _ => BTreeMap::new(),
            },
            tools: hook.tools.as_deref(),
            kinds: hook.kinds.as_deref(),
            facts: hook.facts,
            event: hook.event,
            timeout_ms: other_than(DEFAULT_HOOK_TIMEOUT, hook.timeout),
            on_failure: hook.on_failure,
            mode: program.map(|program| program.mode).unwrap_or_default(),
            max_questions: questions.filter(|max| *max != DEFAULT_MAX_QUESTIONS),
            max_age_ms: worker.and_then(|worker| other_than(DEFAULT_MAX_AGE, worker.max_age)),
            max_idle_ms: worker.and_then(|worker| other_than(DEFAULT_MAX_IDLE, worker.max_idle)),
        }
    }
}

impl<'a> RecordModel<'a> {
    fn of(record: &RecordSpec, dir: &'a str) -> Self {
        Self {
            dir,
            capture: record.capture,
            chain: record.chain,
            keep_days: record.keep_days,
            keep_mib: record.keep_mib,
        }
    }
}

/// The text of a file that declares this, with a final newline.
pub(super) fn write(file: &HooksFile) -> String {
    let record = file.record.as_ref();
    // A path that is no text was not read from a file.
    let dir = record.map(|record| record.dir.to_string_lossy());
    let record = record.zip(dir.as_deref());
    let hooks = file.hooks.iter().map(EntryModel::of);
    let file = FileModel {
        schema_address: None,
        schema: HOOKS_FILE_SCHEMA,
        hooks: hooks.collect(),
        record: record.map(|(record, dir)| RecordModel::of(record, dir)),
        approver: file.approver.as_ref().map(ApproverModel::of),
    };
    #[expect(
        clippy::expect_used,
        reason = "strings, numbers and words are always JSON"
    )]
    let mut text = serde_json::to_string_pretty(&file).expect("a file of plain values");
    text.push('\n');
    text
}
