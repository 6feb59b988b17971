//! What one hook of another agent said, for programs (docs/consult-json.md).

use hook_dialect::run::HookRun;
use hook_runner::Exit;
use serde::Serialize;

use crate::consult::trail::millis;

/// What one hook of another agent said.
#[derive(Debug, Serialize)]
pub(crate) struct RunLine<'a> {
    command: String,
    origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'a str>,
    queued_ms: f64,
    took_ms: f64,
    bytes_sent: usize,
    bytes_received: usize,
}

impl<'a> From<&'a HookRun> for RunLine<'a> {
    fn from(run: &'a HookRun) -> Self {
        let (exit_code, signal) = match run.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            Some(Exit::Unknown | _) | None => (None, None),
        };
        let output = &run.output;
        Self {
            command: run.command(),
            origin: run.hook.origin.to_string(),
            decision: output.decision.map(hook_dialect::Decision::as_str),
            reason: output.reason.as_deref(),
            failure: output.failure.as_ref().map(ToString::to_string),
            ignored: output.ignored.iter().map(ToString::to_string).collect(),
            exit_code,
            signal,
            stderr: Some(output.stderr.as_str()).filter(|text| !text.is_empty()),
            queued_ms: millis(run.queued),
            took_ms: millis(run.took),
            bytes_sent: run.bytes_sent,
            bytes_received: run.bytes_received,
        }
    }
}
