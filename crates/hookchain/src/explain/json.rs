//! An explanation as one JSON object (docs/explain-json.md).

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    explanation::{Candidate, Explanation, Manner, Part},
    passed_over::Why,
};
use crate::check::{FileLine, Report, files};

#[derive(Debug, Serialize)]
struct ExplanationLine<'a> {
    event: &'static str,
    tool_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<&'a str>,
    participants: Vec<ParticipantLine<'a>>,
    files: Vec<FileLine>,
}

#[derive(Debug, Serialize)]
struct ParticipantLine<'a> {
    kind: &'a str,
    name: &'a str,
    origin: String,
    asked: bool,
    #[serde(flatten)]
    manner: Option<MannerLine<'a>>,
    #[serde(flatten)]
    why: Option<WhyLine<'a>>,
}

/// How somebody is asked.
#[derive(Debug, Serialize)]
struct MannerLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u128>,
    on_failure: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    faults: Vec<FaultLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_error: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct FaultLine {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// Why somebody is not asked.
#[derive(Debug, Serialize)]
struct WhyLine<'a> {
    why: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<usize>,
}

/// The explanation on one line, with its end.
pub(super) fn line(
    explanation: &Explanation<'_>,
    report: &Report,
) -> Result<String, serde_json::Error> {
    let request = match &explanation.request {
        Some(Ok(text)) => Some(serde_json::from_str::<&RawValue>(text)?),
        Some(Err(_)) | None => None,
    };
    let request_error = match &explanation.request {
        Some(Err(error)) => Some(error.as_str()),
        Some(Ok(_)) | None => None,
    };
    let participants = explanation.participants.iter().map(|candidate| {
        let mut line = ParticipantLine::from(candidate);
        if let Some(manner) = &mut line.manner {
            manner.request = request;
            manner.request_error = request_error;
        }
        line
    });
    let mut line = serde_json::to_string(&ExplanationLine {
        event: explanation.call.event.as_str(),
        tool_name: &explanation.call.details.tool_name,
        denied: explanation.denied.as_deref(),
        participants: participants.collect(),
        files: files(report),
    })?;
    line.push('\n');
    Ok(line)
}

/// What stands for an explanation of a line that is no call.
pub(super) fn error(error: &str) -> String {
    let mut line = serde_json::json!({ "error": error }).to_string();
    line.push('\n');
    line
}

impl<'a> From<&'a Candidate> for ParticipantLine<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        let (manner, why) = match &candidate.part {
            Part::Asked(manner) => (Some(MannerLine::from(manner)), None),
            Part::PassedOver(why) => (None, Some(WhyLine::from(why))),
        };
        Self {
            kind: candidate.who.kind(),
            name: candidate.who.name(),
            origin: candidate.who.origin().to_string(),
            asked: manner.is_some(),
            manner,
            why,
        }
    }
}

impl From<&Manner> for MannerLine<'_> {
    fn from(manner: &Manner) -> Self {
        let program = manner.program.as_ref();
        let program = program.and_then(|inspection| inspection.program.as_ref());
        let faults = manner.obstacles().map(|fault| FaultLine {
            code: fault.code(),
            message: fault.what(),
            help: fault.help(),
        });
        Self {
            program: program.map(|path| path.display().to_string()),
            timeout_ms: manner.timeout_ms,
            on_failure: manner.on_failure.as_str(),
            mode: manner.mode.map(hook_config::HookMode::as_str),
            faults: faults.collect(),
            request: None,
            request_error: None,
        }
    }
}

impl<'a> From<&'a Why> for WhyLine<'a> {
    fn from(why: &'a Why) -> Self {
        let line = Self {
            why: why.code(),
            event: None,
            tools: None,
            nearest: None,
            edits: None,
        };
        match why {
            Why::OtherEvent(event) => Self {
                event: Some(event.as_str()),
                ..line
            },
            Why::OtherTool { tools, nearest } => Self {
                tools: Some(tools),
                nearest: Some(&nearest.tool),
                edits: Some(nearest.edits),
                ..line
            },
            Why::Never | Why::Unknown => line,
        }
    }
}
