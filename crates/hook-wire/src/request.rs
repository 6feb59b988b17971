//! Bytes to a request, for the author's side.

pub(crate) mod error;

use std::path::Path;

use hook_contract::{
    HOOK_SCHEMA_VERSION, HookCall, HookEvent, HookRequest, Json,
    json::{JsonErrorKind, Member, kind_of, parser_words},
};
use serde::de::DeserializeOwned;

use self::error::{RequestError, RequestErrorKind};
use crate::{
    object::{NotOneObject, Object, string},
    quote::{WORD_CHARS, quote},
};

/// Reads one request, as [`encode_request`](crate::encode_request) writes it.
///
/// White space around the object and one UTF-8 byte order mark in front are accepted, and fields it does not know are
/// ignored. Numbers keep their digits.
///
/// ```
/// let line = br#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/repo","agent_id":"agent-1",
///     "tool_call_id":"call-1","tool_name":"shell","input":{"command":"ls"},"of_a_later_version":true}"#;
/// let request = hook_wire::decode_request(line)?;
/// assert_eq!(request.tool_name, "shell");
/// assert_eq!(request.input["command"], "ls");
/// # Ok::<(), hook_wire::RequestError>(())
/// ```
///
/// # Errors
///
/// When it is not a request of a version and an event that this crate knows, or can be read two ways. A hook should
/// then print nothing and fail, as [`serve`](crate::serve) does.
pub fn decode_request(line: &[u8]) -> Result<HookRequest, RequestError> {
    Object::read(line)
        .map_err(not_one_object)
        .and_then(|object| Question { object }.read())
        .map_err(RequestError::new)
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
        // It has one reading before it is read.
        self.json(field, member)?;
        serde_json::from_str(member.value).map_err(|error| RequestErrorKind::NotKnown {
            field,
            problem: expectation(&error),
            position: self.object.position_of_error(member.value, &error),
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

/// What the reader wanted to find, without what it found: that may be a part of the call.
fn expectation(error: &serde_json::Error) -> String {
    let problem = parser_words(error);
    match problem.rsplit_once(", expected ") {
        Some((_found, shape)) if shape.starts_with("struct ") => "an object is expected".to_owned(),
        Some((_found, expected)) => format!("{expected} is expected"),
        None => problem,
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
