//! One call as it was handed over: its values stay the text they are.

use std::path::Path;

use hook_contract::{
    HookCall, HookEvent, HookRequest, Json,
    json::{JsonError, JsonErrorKind, Member, Members, Position},
};

use super::{
    call_error::{CallError, CallErrorKind, kind_of},
    key::Key,
};
use crate::cli::CallArgs;

const DEFAULT_AGENT_ID: &str = "cli";
/// What begins the identifier of a call that has none; its number follows.
const DEFAULT_TOOL_CALL_ID: &str = "cli-";

/// A call, or the result of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) event: HookEvent,
    /// The call as a runtime holds it; its input is text.
    pub(crate) details: HookCall,
    /// What came of it; present exactly after it ran.
    pub(crate) result: Option<ToolResult>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolResult {
    /// The output, or why it has more than one reading.
    pub(crate) output: Result<Json, JsonError>,
    pub(crate) is_error: bool,
}

/// The members of a call; the values of `input` and `output` are text.
#[derive(Debug, Default)]
struct Parts<'a> {
    event: Option<HookEvent>,
    agent_id: Option<String>,
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    input: Option<&'a str>,
    output: Option<&'a str>,
    is_error: Option<bool>,
    /// The text of the call, and in it the members so far; nothing for a call from flags.
    text: &'a str,
    members: Vec<(Key, Member<'a>)>,
}

impl Call {
    /// Reads a call from a JSON object.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, CallError> {
        Self::parse_one_of_many(bytes, 1)
    }

    /// Reads the call of this number, from 1. Calls that have no identifier get one each: by it a kept program's answers
    /// are told apart, and calls in records.
    pub(crate) fn parse_one_of_many(bytes: &[u8], number: usize) -> Result<Self, CallError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = String::from_utf8_lossy(valid);
            CallError::at(CallErrorKind::NotUtf8, Position::at(&before, before.len()))
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self::from_parts(&Parts::read(text)?, number)
    }

    /// Takes a call from flags; nothing when there are none.
    pub(crate) fn from_flags(flags: &CallArgs) -> Option<Result<Self, CallError>> {
        let tool_name = flags.tool.clone()?;
        let not_json = |key: Key, text: &Option<String>| {
            let error = Json::parse(text.as_deref()?).err()?;
            let syntax = matches!(error.kind(), JsonErrorKind::Syntax { .. });
            syntax.then(|| CallError::from(CallErrorKind::FlagNotJson { key, error }))
        };
        let invalid =
            not_json(Key::Input, &flags.input).or_else(|| not_json(Key::Output, &flags.output));
        if let Some(error) = invalid {
            return Some(Err(error));
        }
        let parts = Parts {
            event: flags.event,
            tool_name: Some(tool_name),
            input: flags.input.as_deref(),
            output: flags.output.as_deref(),
            is_error: flags.is_error.then_some(true),
            ..Parts::default()
        };
        Some(Self::from_parts(&parts, 1))
    }

    /// What is asked about it, unless its output has more than one reading.
    pub(crate) fn request(&self, workspace: &Path) -> Result<HookRequest, &JsonError> {
        match &self.result {
            None => Ok(HookRequest::from_call(self.event, workspace, &self.details)),
            Some(ToolResult { output, is_error }) => {
                let output = output.as_ref()?.clone();
                Ok(HookRequest::from_result(
                    workspace,
                    &self.details,
                    output,
                    *is_error,
                ))
            }
        }
    }

    fn from_parts(parts: &Parts<'_>, number: usize) -> Result<Self, CallError> {
        let tool_name = match &parts.tool_name {
            None => return Err(CallErrorKind::Missing(Key::ToolName).into()),
            Some(name) if name.is_empty() => {
                return Err(parts.wrong(Key::ToolName, CallErrorKind::EmptyToolName));
            }
            Some(name) => name,
        };
        let input = parts.input.ok_or(CallErrorKind::Missing(Key::Input))?;
        let event = parts.event.unwrap_or_default();
        let result = match (event, parts.output) {
            (HookEvent::PostToolUse, None) => return Err(CallErrorKind::NoOutput.into()),
            (HookEvent::PostToolUse, Some(output)) => Some(ToolResult {
                output: match Json::parse(output) {
                    // Ambiguity is for the chain to judge, as it is in an input.
                    Err(error) if !error.is_ambiguous() => {
                        let kind = CallErrorKind::Output(error.kind().clone());
                        return Err(parts.wrong(Key::Output, kind));
                    }
                    output => output,
                },
                is_error: parts.is_error.unwrap_or(false),
            }),
            // Before the call there is no result. One that is given was meant for the hooks that judge results, and
            // asking the others instead would pass those over.
            (_, Some(_)) => {
                return Err(parts.wrong(Key::Output, CallErrorKind::NotAfter(Key::Output)));
            }
            (_, None) if parts.is_error.is_some() => {
                return Err(parts.wrong(Key::IsError, CallErrorKind::NotAfter(Key::IsError)));
            }
            (_, None) => None,
        };
        let (agent_id, tool_call_id) = (parts.agent_id.clone(), parts.tool_call_id.clone());
        let details = HookCall::new(
            agent_id.unwrap_or_else(|| DEFAULT_AGENT_ID.to_owned()),
            tool_name,
            tool_call_id.unwrap_or_else(|| format!("{DEFAULT_TOOL_CALL_ID}{number}")),
            input,
        );
        Ok(Self {
            event,
            details,
            result,
        })
    }
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Result<Self, CallError> {
        let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
        if trimmed.is_empty() {
            return Err(CallErrorKind::Empty.into());
        }
        let members: Members<'a> = serde_json::from_str(text).map_err(|error| {
            let position = Position::of_error(text, &error);
            if error.is_data() && !trimmed.starts_with('{') {
                CallError::at(
                    CallErrorKind::NotAnObject(kind_of(trimmed)),
                    Position::of(text, trimmed),
                )
            } else {
                CallError::at(CallErrorKind::not_json(&error), position)
            }
        })?;
        let mut parts = Self {
            text,
            ..Self::default()
        };
        for member in members {
            parts.add(member)?;
        }
        Ok(parts)
    }

    fn add(&mut self, member: Member<'a>) -> Result<(), CallError> {
        let name = member.name.as_ref();
        let at_name = Position::of(self.text, member.name_text);
        let Some(key) = Key::of(name) else {
            // Keys of the runtime's own are none of our business.
            let Some(meant) = Key::meant_by(name) else {
                return Ok(());
            };
            let written = name.to_owned();
            return Err(CallError::at(
                CallErrorKind::NearMiss { written, meant },
                at_name,
            ));
        };
        if let Some(first) = self.member(key) {
            let twice = CallErrorKind::Twice {
                key,
                both_spellings: first.name != member.name,
            };
            return Err(CallError::at(twice, at_name));
        }
        let value = member.value;
        self.members.push((key, member));
        self.take(key, value).map_err(|kind| self.wrong(key, kind))
    }

    fn member(&self, key: Key) -> Option<&Member<'a>> {
        self.members
            .iter()
            .find(|(other, _)| *other == key)
            .map(|(_, member)| member)
    }

    /// An error about the value of `key`, with its place where there is one.
    fn wrong(&self, key: Key, kind: CallErrorKind) -> CallError {
        match self.member(key) {
            Some(member) => CallError::at(kind, Position::of(self.text, member.value)),
            None => kind.into(),
        }
    }

    fn take(&mut self, key: Key, value: &'a str) -> Result<(), CallErrorKind> {
        match key {
            Key::Event => {
                let word = string(key, value)?;
                let event = HookEvent::ALL
                    .iter()
                    .copied()
                    .find(|event| event.as_str() == word);
                self.event = Some(event.ok_or(CallErrorKind::UnknownEvent)?);
            }
            Key::AgentId => self.agent_id = Some(string(key, value)?),
            Key::ToolCallId => self.tool_call_id = Some(string(key, value)?),
            Key::ToolName => self.tool_name = Some(string(key, value)?),
            Key::Input => self.input = Some(value),
            Key::Output => self.output = Some(value),
            Key::IsError => {
                let flag = serde_json::from_str(value);
                self.is_error =
                    Some(flag.map_err(|_other_type| wrong_type(key, value, "true or false"))?);
            }
        }
        Ok(())
    }
}

fn string(key: Key, value: &str) -> Result<String, CallErrorKind> {
    serde_json::from_str(value).map_err(|_other_type| wrong_type(key, value, "a string"))
}

fn wrong_type(key: Key, value: &str, wanted: &'static str) -> CallErrorKind {
    CallErrorKind::WrongType {
        key,
        found: kind_of(value),
        wanted,
    }
}

#[cfg(test)]
mod tests;
