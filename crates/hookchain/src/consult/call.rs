//! One call as it was handed over: its values stay the text they are.

use std::{ops::Range, path::Path};

use hook_contract::{
    HookCall, HookEvent, HookRequest, Json,
    json::{JsonError, JsonErrorKind},
};
use hook_source::{Diagnostic, Field, Fields, Found, Kind, Node, Standing, Table};

use crate::{
    cli::CallArgs,
    handed::{Sort, Wrong, mistaken, quoted},
};

const DEFAULT_AGENT_ID: &str = "cli";
/// What begins the identifier of a call that has none; its number follows.
const DEFAULT_TOOL_CALL_ID: &str = "cli-";

const SORT: Sort = Sort {
    no: "no call",
    is: "a call is one with `tool_name` and `input`",
};

/// The keys of a call, and what other tools call them.
const KEYS: Table = Table::new(&[
    Field::new("event").of(Kind::String),
    Field::new("agent_id").of(Kind::String),
    Field::new("tool_call_id").of(Kind::String),
    Field::new("tool_name")
        .or("tool")
        .required()
        .of(Kind::String),
    Field::new("input").required(),
    Field::new("output"),
    Field::new("is_error")
        .of(Kind::Boolean)
        .wanted("true or false"),
])
.with_habits(
    &[
        ("hookevent", "event"),
        ("hookeventname", "event"),
        ("agent", "agent_id"),
        ("callid", "tool_call_id"),
        ("tooluseid", "tool_call_id"),
        ("args", "input"),
        ("arguments", "input"),
        ("inputjson", "input"),
        ("parameters", "input"),
        ("params", "input"),
        ("toolinput", "input"),
        ("result", "output"),
        ("tooloutput", "output"),
        ("toolresponse", "output"),
    ],
    &[],
);

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
    event: HookEvent,
    agent_id: Option<String>,
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    input: Option<&'a str>,
    output: Option<&'a str>,
    is_error: Option<bool>,
    /// The text of the call, and where the values stand in it; nothing for a call from flags.
    text: &'a str,
    places: Vec<(&'static str, Range<usize>)>,
}

impl Call {
    /// Reads a call from a JSON object.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Wrong> {
        Self::parse_one_of_many(bytes, 1)
    }

    /// Reads the call of this number, from 1. Calls that have no identifier get one each: by it a kept program's answers
    /// are told apart, and calls in records.
    pub(crate) fn parse_one_of_many(bytes: &[u8], number: usize) -> Result<Self, Wrong> {
        let (text, node) = read(bytes)?;
        Self::of(text, &node, number)
    }

    /// The call of this number that an object is.
    pub(super) fn of(text: &str, node: &Node, number: usize) -> Result<Self, Wrong> {
        Self::from_parts(&Parts::read(text, node)?, number)
    }

    /// Takes a call from flags; nothing when there are none.
    pub(crate) fn from_flags(flags: &CallArgs) -> Option<Result<Self, Wrong>> {
        let tool_name = flags.tool.clone()?;
        let not_json = |key: &str, text: &Option<String>| {
            let error = Json::parse(text.as_deref()?).err()?;
            let syntax = matches!(error.kind(), JsonErrorKind::Syntax { .. });
            let wrong = Diagnostic::error("syntax", format!("`--{key}` is {error}"));
            syntax.then(|| wrong.with_help(quoting(key)))
        };
        let invalid = not_json("input", &flags.input).or_else(|| not_json("output", &flags.output));
        if let Some(error) = invalid {
            return Some(Err(error.into()));
        }
        let parts = Parts {
            event: flags.event.unwrap_or_default(),
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

    fn from_parts(parts: &Parts<'_>, number: usize) -> Result<Self, Wrong> {
        let missing = |key| {
            Diagnostic::error(
                "missing_field",
                format!("no call: the key `{key}` is missing"),
            )
        };
        let tool_name = parts
            .tool_name
            .as_ref()
            .ok_or_else(|| missing("tool_name"))?;
        if tool_name.is_empty() {
            let wrong = Diagnostic::error("empty_name", "`tool_name` is empty");
            let wrong = wrong.with_help("name the tool that is called");
            return Err(parts.at("tool_name", wrong));
        }
        let input = parts.input.ok_or_else(|| missing("input"))?;
        let details = HookCall::new(
            parts.agent_id.as_deref().unwrap_or(DEFAULT_AGENT_ID),
            tool_name,
            parts
                .tool_call_id
                .clone()
                .unwrap_or_else(|| numbered(number)),
            input,
        );
        Ok(Self {
            event: parts.event,
            details,
            result: parts.result()?,
        })
    }
}

impl<'a> Parts<'a> {
    fn read(text: &'a str, node: &Node) -> Result<Self, Wrong> {
        let mut wrong = None;
        let fields = KEYS.read(node, |found| {
            // One thing is enough: a runtime is answered, and not an author.
            wrong = wrong.take().or_else(|| mistake(text, &found));
        });
        match wrong {
            None => Ok(Self::of(text, &fields)),
            Some(wrong) => Err(wrong.into()),
        }
    }

    fn of(text: &'a str, fields: &Fields<'_>) -> Self {
        let string = |key| fields.get(key).and_then(Node::text).map(str::to_owned);
        let raw = |key| text.get(fields.get(key)?.span.clone());
        let names = KEYS.names();
        Self {
            event: string("event")
                .and_then(|word| event(&word))
                .unwrap_or_default(),
            agent_id: string("agent_id"),
            tool_call_id: string("tool_call_id"),
            tool_name: string("tool_name"),
            input: raw("input"),
            output: raw("output"),
            is_error: fields.get("is_error").and_then(Node::flag),
            text,
            places: names
                .filter_map(|key| Some((key, fields.get(key)?.span.clone())))
                .collect(),
        }
    }

    /// What came of the call, after it ran.
    fn result(&self) -> Result<Option<ToolResult>, Wrong> {
        match (self.event, self.output) {
            (HookEvent::PostToolUse, None) => {
                let message = "the event is `post_tool_use` and there is no `output`";
                let wrong = Diagnostic::error("missing_field", message);
                Err(wrong.with_help("give the tool's result").into())
            }
            (HookEvent::PostToolUse, Some(output)) => Ok(Some(ToolResult {
                output: match Json::parse(output) {
                    // Ambiguity is for the chain to judge, as it is in an input.
                    Err(error) if !error.is_ambiguous() => {
                        let message = format!("the output cannot be handed on: {}", error.kind());
                        return Err(self.at("output", Diagnostic::error("unreadable", message)));
                    }
                    output => output,
                },
                is_error: self.is_error.unwrap_or(false),
            })),
            // Before the call there is no result. One that is given was meant for the hooks that judge results, and
            // asking the others instead would pass those over.
            (_, Some(_)) => Err(self.not_after("output")),
            (_, None) if self.is_error.is_some() => Err(self.not_after("is_error")),
            (_, None) => Ok(None),
        }
    }

    fn not_after(&self, key: &'static str) -> Wrong {
        let message = format!("`{key}` belongs to a call that has run");
        let help = "write `post_tool_use` as the event, or leave it out";
        self.at(
            key,
            Diagnostic::error("misplaced_field", message).with_help(help),
        )
    }

    /// An error about the value of `key`, with its place where there is one.
    fn at(&self, key: &str, wrong: Diagnostic) -> Wrong {
        match self.places.iter().find(|(name, _)| *name == key) {
            Some((_, span)) => wrong.at(self.text, span.clone()).into(),
            None => wrong.into(),
        }
    }
}

/// The text and the object that was handed over.
pub(super) fn read(bytes: &[u8]) -> Result<(&str, Node), Wrong> {
    let text = SORT.text(bytes)?;
    if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        let empty = Diagnostic::error("empty", "no call: the text is empty");
        let help = "a call is a JSON object with `tool_name` and `input`";
        return Err(empty.with_help(help).into());
    }
    Ok((text, SORT.read(text)?))
}

/// The identifier of a call that has none.
pub(super) fn numbered(number: usize) -> String {
    format!("{DEFAULT_TOOL_CALL_ID}{number}")
}

/// How the value of an option is written in a shell.
const fn quoting(key: &str) -> &'static str {
    match key.as_bytes() {
        b"input" => "write JSON, in single quotes for the shell: --input '{\"command\":\"ls\"}'",
        _ => "write JSON, in single quotes for the shell: --output '\"text\"'",
    }
}

fn event(word: &str) -> Option<HookEvent> {
    let mut events = HookEvent::ALL.iter().copied();
    events.find(|event| event.as_str() == word)
}

/// What is wrong with a member of a call. Keys of the runtime's own are no business of this reader.
fn mistake(text: &str, found: &Found<'_>) -> Option<Diagnostic> {
    let member = found.member;
    match (found.standing, found.first) {
        (
            Standing::Known(key) | Standing::OfAnotherKind(key, _) | Standing::NotUnicode(key),
            Some(first),
        ) => {
            let message = if first.name == member.name {
                format!("the key `{key}` stands twice")
            } else {
                format!("the key `{key}` is given in two spellings")
            };
            let wrong = Diagnostic::error("duplicate_key", message).with_help("keep one");
            Some(wrong.at(text, member.span.clone()))
        }
        (Standing::Meant(key), _) => {
            let message = format!("{} is not a key of a call", quoted(&member.name));
            let wrong = Diagnostic::error("misspelt_field", message);
            let wrong = wrong.with_help(format!("write `{key}`"));
            Some(wrong.at(text, member.span.clone()))
        }
        (Standing::Known("event"), None) if member.node.text().is_some_and(is_no_event) => {
            let wrong = Diagnostic::error("unknown_word", "the event is unknown");
            let wrong = wrong.with_help("it must be `pre_tool_use` or `post_tool_use`");
            Some(wrong.at(text, member.node.span.clone()))
        }
        _ => mistaken(found).map(|wrong| wrong.at(text, member.node.span.clone())),
    }
}

fn is_no_event(word: &str) -> bool {
    event(word).is_none()
}

#[cfg(test)]
mod tests;
