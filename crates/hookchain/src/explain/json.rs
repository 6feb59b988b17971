//! An explanation as one JSON object (docs/explain-json.md).

use hook_config::ApproverSpec;
use hook_runner::FaultKind;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    agent::{self, Agent},
    explanation::{Candidate, Explanation, Manner, Part},
    passed_over::Why,
};
use crate::check::{FileLine, NotRunLine, Report, files};

#[derive(Debug, Serialize)]
struct ExplanationLine<'a> {
    event: &'static str,
    tool_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<&'a str>,
    participants: Vec<ParticipantLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approver: Option<ApproverLine<'a>>,
    files: Vec<FileLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_run: Vec<NotRunLine<'a>>,
}

/// The program that would put the call to a person.
#[derive(Debug, Serialize)]
struct ApproverLine<'a> {
    command: &'a [String],
    directory: String,
    timeout_ms: u128,
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
    #[serde(flatten)]
    agent: Option<AgentLine<'a>>,
}

/// The hooks of another agent.
#[derive(Debug, Serialize)]
struct AgentLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_error: Option<&'a str>,
    hooks: Vec<HookLine<'a>>,
}

/// One hook of another agent.
#[derive(Debug, Serialize)]
struct HookLine<'a> {
    command: String,
    origin: String,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    asked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    timeout_ms: u128,
    on_failure: &'static str,
    background: bool,
    faults: Vec<FaultLine>,
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
    let natives = explanation.participants.iter().map(|candidate| {
        let mut line = ParticipantLine::from(candidate);
        if let Some(manner) = &mut line.manner {
            manner.request = request;
            manner.request_error = request_error;
        }
        line
    });
    let mut participants: Vec<_> = natives.collect();
    for agent in &explanation.agents {
        participants.push(agent_line(agent, explanation)?);
    }
    let mut line = serde_json::to_string(&ExplanationLine {
        event: explanation.call.event.as_str(),
        tool_name: &explanation.call.details.tool_name,
        denied: explanation.denied.as_deref(),
        participants,
        approver: explanation.approver.map(ApproverLine::from),
        files: files(report),
        not_run: report.not_run().map(NotRunLine::from).collect(),
    })?;
    line.push('\n');
    Ok(line)
}

impl<'a> From<&'a ApproverSpec> for ApproverLine<'a> {
    fn from(approver: &'a ApproverSpec) -> Self {
        Self {
            command: &approver.command,
            directory: approver.directory.display().to_string(),
            timeout_ms: approver.timeout.as_millis(),
        }
    }
}

/// The hooks of an agent, as the one participant that they are.
fn agent_line<'a>(
    agent: &'a Agent,
    explanation: &Explanation<'_>,
) -> Result<ParticipantLine<'a>, serde_json::Error> {
    let (mut request, mut request_error) = (None, None);
    match &agent.request {
        _ if explanation.denied.is_some() => {}
        Some(Ok(text)) => request = Some(serde_json::from_str::<&RawValue>(text)?),
        Some(Err(error)) => request_error = Some(error.as_str()),
        None => {}
    }
    Ok(ParticipantLine {
        kind: agent.who.kind(),
        name: agent.who.name(),
        origin: agent.who.origin().to_string(),
        asked: agent.is_asked(),
        manner: None,
        why: None,
        agent: Some(AgentLine {
            at: agent.event,
            request,
            request_error,
            hooks: agent.hooks.iter().map(HookLine::from).collect(),
        }),
    })
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
            agent: None,
        }
    }
}

impl<'a> From<&'a agent::Candidate> for HookLine<'a> {
    fn from(candidate: &'a agent::Candidate) -> Self {
        let hook = &*candidate.hook;
        let rule = hook.handler.rule.as_ref();
        Self {
            command: hook.handler.command.shown(),
            origin: hook.origin.to_string(),
            event: hook.event.name,
            matcher: hook.pattern.as_deref(),
            rule: rule.map(hook_dialect::IfRule::text),
            asked: candidate.is_asked(),
            why: candidate.code(),
            timeout_ms: hook.handler.timeout.as_millis(),
            on_failure: if candidate.denies_without {
                "deny"
            } else {
                "allow"
            },
            background: candidate.in_background(),
            faults: candidate.obstacles().map(FaultLine::from).collect(),
        }
    }
}

impl From<&FaultKind> for FaultLine {
    fn from(fault: &FaultKind) -> Self {
        Self {
            code: fault.code(),
            message: fault.what(),
            help: fault.help(),
        }
    }
}

impl From<&Manner> for MannerLine<'_> {
    fn from(manner: &Manner) -> Self {
        let program = manner.program.as_ref();
        let program = program.and_then(|inspection| inspection.program.as_ref());
        let faults = manner.obstacles().map(FaultLine::from);
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
