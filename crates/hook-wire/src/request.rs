//! Bytes to a request, for the author's side.

use std::path::Path;

use hook_contract::{
    HOOK_SCHEMA_VERSION, HookCall, HookEvent, HookRequest, Json,
    json::{JsonErrorKind, Member, Position},
};
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{
    object::{NotOneObject, Object, kind_of, string},
    quote::{WORD_CHARS, quote},
};

/// What was read is not a request.
///
/// The text never quotes what the tool is given; a hook's errors end up in logs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct RequestError {
    kind: RequestErrorKind,
}

impl RequestError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &RequestErrorKind {
        &self.kind
    }
}

/// The ways in which something read is not a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// Nothing was sent. Pipe one request to the program to try it.
    #[error("the request is empty; send one JSON object on one line")]
    Empty,
    /// A byte is not UTF-8.
    #[error("byte {offset} of the request is not UTF-8; send UTF-8")]
    #[non_exhaustive]
    NotUtf8 {
        /// How many bytes come before it.
        offset: usize,
    },
    /// It is not JSON, or not all of it on one line.
    #[error(
        "the request stops being JSON at {position}: {problem}; send one JSON object on one line"
    )]
    #[non_exhaustive]
    NotJson {
        /// What the parser found.
        problem: String,
        /// Where.
        position: Position,
    },
    /// Something follows the object.
    #[error("something follows the request at {position}; send one JSON object on one line")]
    #[non_exhaustive]
    TrailingText {
        /// Where it begins.
        position: Position,
    },
    /// It is JSON, but no object.
    #[error("the request is {found}; send an object")]
    #[non_exhaustive]
    NotAnObject {
        /// What it is, with its article.
        found: &'static str,
    },
    /// A newer or unknown version of the request. Use a version of this crate that knows it.
    #[error(
        "the request has `hook_schema` {found}; this program understands {HOOK_SCHEMA_VERSION}"
    )]
    #[non_exhaustive]
    UnsupportedSchema {
        /// The version as it was written, cut to 60 characters.
        found: String,
    },
    /// An event that did not exist when this was written.
    #[error(
        "the event `{found}` is unknown; this program understands `pre_tool_use` and `post_tool_use`"
    )]
    #[non_exhaustive]
    UnknownEvent {
        /// The event, cut to 60 characters.
        found: String,
    },
    /// A field is missing.
    #[error("the request has no `{field}`; send one")]
    #[non_exhaustive]
    MissingField {
        /// The field.
        field: &'static str,
    },
    /// A field has the wrong type.
    #[error("`{field}` is {found}; it must be {expected}")]
    #[non_exhaustive]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it is, with its article.
        found: &'static str,
        /// What it must be, with its article.
        expected: &'static str,
    },
    /// A field does not have the shape that it has in this version of the contract.
    #[error("`{field}` cannot be read: {problem}; send it as the schema of the request says")]
    #[non_exhaustive]
    NotKnown {
        /// The field: `tool` or `facts`.
        field: &'static str,
        /// What the reader found.
        problem: String,
    },
    /// An object has a key twice, so the request can be read two ways.
    #[error("the key `{key}` stands twice in one object, again at {position}; send it once")]
    #[non_exhaustive]
    DuplicateKey {
        /// The key, cut to 60 characters.
        key: String,
        /// Where it stands again.
        position: Position,
    },
    /// A field holds something that cannot be kept as it was written.
    #[error(
        "`{field}` cannot be kept as it was written: {problem} at {position}; send something simpler"
    )]
    #[non_exhaustive]
    Unreadable {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        problem: JsonErrorKind,
        /// Where.
        position: Position,
    },
}

/// Reads one request, as [`encode_request`](crate::encode_request) writes it.
///
/// White space around the object and one UTF-8 byte order mark in front are accepted, and fields it does not know are
/// ignored. Numbers keep their digits.
///
/// # Errors
///
/// When it is not a request of a version and an event that this crate knows, or can be read two ways. A hook should
/// then print nothing and fail, as [`serve`](crate::serve) does.
pub fn decode_request(line: &[u8]) -> Result<HookRequest, RequestError> {
    Object::read(line)
        .map_err(not_one_object)
        .and_then(|object| Question { object }.read())
        .map_err(|kind| RequestError { kind })
}

/// An object on its way to becoming a request.
struct Question<'a> {
    object: Object<'a>,
}

impl Question<'_> {
    fn read(&self) -> Result<HookRequest, RequestErrorKind> {
        if let Some(member) = self.object.repeated() {
            return Err(RequestErrorKind::DuplicateKey {
                key: quote(member.name.as_bytes(), WORD_CHARS),
                position: self.object.position_of(member.name_text),
            });
        }
        self.schema()?;
        let event = self.event()?;
        let input = self.json("input", self.required("input")?)?;
        let workspace = self.text("workspace")?;
        let call = HookCall::new(
            self.text("agent_id")?,
            self.text("tool_name")?,
            self.text("tool_call_id")?,
            "",
        );
        let request = HookRequest::from_call(event, Path::new(&workspace), &call).with_input(input);
        let request = self.known(request)?;
        match (self.object.get("output"), self.object.get("is_error")) {
            (None, None) => Ok(request),
            (Some(_), None) => Err(RequestErrorKind::MissingField { field: "is_error" }),
            (None, Some(_)) => Err(RequestErrorKind::MissingField { field: "output" }),
            (Some(output), Some(is_error)) => {
                let failed = match is_error.value {
                    "true" => true,
                    "false" => false,
                    other => {
                        return Err(RequestErrorKind::WrongType {
                            field: "is_error",
                            found: kind_of(other),
                            expected: "true or false",
                        });
                    }
                };
                Ok(request.with_output(self.json("output", output)?, failed))
            }
        }
    }

    /// The members that a hook gets only if its entry asks for them. Each is absent where it is not known.
    fn known(&self, mut request: HookRequest) -> Result<HookRequest, RequestErrorKind> {
        request.cwd = self.optional("cwd", |field, _| self.text(field))?;
        request.session_id = self.optional("session_id", |field, _| self.text(field))?;
        request.extensions = self.optional("extensions", |field, member| {
            let value = self.json(field, member)?;
            if value.text().starts_with('{') {
                return Ok(value);
            }
            let (found, expected) = (kind_of(member.value), "an object");
            Err(RequestErrorKind::WrongType {
                field,
                found,
                expected,
            })
        })?;
        request.tool = self.optional("tool", |field, member| self.data(field, member))?;
        request.facts = self.optional("facts", |field, member| self.data(field, member))?;
        let again = self.optional("again", |field, member| match member.value {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(RequestErrorKind::WrongType {
                field,
                found: kind_of(other),
                expected: "true or false",
            }),
        })?;
        request.again = again.unwrap_or(false);
        Ok(request)
    }

    /// A member that may be absent.
    fn optional<T>(
        &self,
        field: &'static str,
        read: impl FnOnce(&'static str, &Member<'_>) -> Result<T, RequestErrorKind>,
    ) -> Result<Option<T>, RequestErrorKind> {
        let member = self.object.get(field);
        member.map(|member| read(field, member)).transpose()
    }

    /// Plain data of the contract.
    fn data<T: DeserializeOwned>(
        &self,
        field: &'static str,
        member: &Member<'_>,
    ) -> Result<T, RequestErrorKind> {
        let value = self.json(field, member)?;
        serde_json::from_str(value.text()).map_err(|error| RequestErrorKind::NotKnown {
            field,
            problem: error.to_string(),
        })
    }

    fn schema(&self) -> Result<(), RequestErrorKind> {
        let found = self.required("hook_schema")?.value;
        if found.parse() == Ok(HOOK_SCHEMA_VERSION) {
            return Ok(());
        }
        let found = quote(found.as_bytes(), WORD_CHARS);
        Err(RequestErrorKind::UnsupportedSchema { found })
    }

    fn event(&self) -> Result<HookEvent, RequestErrorKind> {
        let found = self.text("event")?;
        HookEvent::ALL
            .iter()
            .copied()
            .find(|event| event.as_str() == found)
            .ok_or_else(|| RequestErrorKind::UnknownEvent {
                found: quote(found.as_bytes(), WORD_CHARS),
            })
    }

    fn required(&self, field: &'static str) -> Result<&Member<'_>, RequestErrorKind> {
        let member = self.object.get(field);
        member.ok_or(RequestErrorKind::MissingField { field })
    }

    fn text(&self, field: &'static str) -> Result<String, RequestErrorKind> {
        let value = self.required(field)?.value;
        match (string(value), kind_of(value)) {
            (Some(text), _) => Ok(text.into_owned()),
            (None, "a string") => Err(RequestErrorKind::Unreadable {
                field,
                problem: JsonErrorKind::NotUnicode,
                position: self.object.position_of(value),
            }),
            (None, found) => Err(RequestErrorKind::WrongType {
                field,
                found,
                expected: "a string",
            }),
        }
    }

    fn json(&self, field: &'static str, member: &Member<'_>) -> Result<Json, RequestErrorKind> {
        Json::parse(member.value).map_err(|error| {
            let position = self.object.position_in(member.value, &error);
            if let JsonErrorKind::DuplicateKey { key, .. } = error.kind() {
                let key = quote(key.as_bytes(), WORD_CHARS);
                return RequestErrorKind::DuplicateKey { key, position };
            }
            RequestErrorKind::Unreadable {
                field,
                problem: error.kind().clone(),
                position,
            }
        })
    }
}

fn not_one_object(shape: NotOneObject<'_>) -> RequestErrorKind {
    match shape {
        NotOneObject::Empty { .. } => RequestErrorKind::Empty,
        NotOneObject::NotUtf8 { offset } => RequestErrorKind::NotUtf8 { offset },
        NotOneObject::NotJson {
            problem, position, ..
        } => RequestErrorKind::NotJson { problem, position },
        NotOneObject::OtherValue { value } => RequestErrorKind::NotAnObject {
            found: kind_of(value),
        },
        NotOneObject::More { position, .. } => RequestErrorKind::TrailingText { position },
    }
}

#[cfg(test)]
mod tests;
