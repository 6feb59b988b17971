//! Why a text is no call.

use hook_contract::json::{JsonError, JsonErrorKind, Position};
use thiserror::Error;

use super::key::Key;

/// Why a text is no call, and where. Values are never quoted: a call may hold what must not be in a log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallError {
    pub(crate) kind: CallErrorKind,
    pub(crate) position: Option<Position>,
}

impl CallError {
    pub(super) fn at(kind: CallErrorKind, position: Position) -> Self {
        Self {
            kind,
            position: Some(position),
        }
    }

    /// With the place, for a text that begins on `first_line` of `from`.
    pub(crate) fn located(&self, from: &str, first_line: usize) -> String {
        match self.position {
            Some(Position { line, column, .. }) => {
                format!("{from}:{}:{column}: {}", first_line - 1 + line, self.kind)
            }
            None => format!("{from}:{first_line}: {}", self.kind),
        }
    }
}

impl From<CallErrorKind> for CallError {
    fn from(kind: CallErrorKind) -> Self {
        Self {
            kind,
            position: None,
        }
    }
}

/// The ways in which a text is no call.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum CallErrorKind {
    #[error("no call: the text is empty; a call is a JSON object with `tool_name` and `input`")]
    Empty,
    #[error("no call: the text is not UTF-8; save it as UTF-8")]
    NotUtf8,
    #[error("no call: not JSON: {0}")]
    NotJson(String),
    #[error("no call: {0} is not a JSON object; a call is one with `tool_name` and `input`")]
    NotAnObject(&'static str),
    #[error("`--{key}` is {error}; write JSON, text in double quotes")]
    FlagNotJson { key: Key, error: JsonError },
    #[error("no call: the key `{0}` is missing")]
    Missing(Key),
    #[error("`tool_name` is empty; name the tool that is called")]
    EmptyToolName,
    #[error("`{written}` is not a key of a call; write `{meant}`")]
    NearMiss { written: String, meant: Key },
    #[error(
        "{}",
        if *.both_spellings {
            format!("the key `{key}` is given in two spellings; keep one")
        } else {
            format!("the key `{key}` stands twice; keep one")
        }
    )]
    Twice { key: Key, both_spellings: bool },
    #[error("`{key}` is {found}; it must be {wanted}")]
    WrongType {
        key: Key,
        found: &'static str,
        wanted: &'static str,
    },
    #[error("the event is unknown; it must be `pre_tool_use` or `post_tool_use`")]
    UnknownEvent,
    #[error("the event is `post_tool_use` and there is no `output`; give the tool's result")]
    NoOutput,
    #[error(
        "`{0}` belongs to a call that has run; write `post_tool_use` as the event, or leave it out"
    )]
    NotAfter(Key),
    #[error("the output cannot be handed on: {0}")]
    Output(JsonErrorKind),
}

impl CallErrorKind {
    /// The library's message without the position, which is given apart.
    pub(super) fn not_json(error: &serde_json::Error) -> Self {
        Self::NotJson(syntax_message(error))
    }
}

/// The library's message without the position.
pub(crate) fn syntax_message(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let end = full.rfind(" at line ").unwrap_or(full.len());
    full.get(..end).unwrap_or_default().to_owned()
}

/// What kind of value a JSON text holds, in words.
pub(crate) fn kind_of(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    }
}
