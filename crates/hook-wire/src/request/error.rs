//! Why what was read is not a request.

use hook_contract::{
    HOOK_SCHEMA_VERSION,
    json::{JsonErrorKind, Position},
};
use thiserror::Error;

/// What was read is not a request.
///
/// The text never quotes what the tool is given; a hook's errors end up in logs.
///
/// ```
/// let error = hook_wire::decode_request(br#"{"hook_schema":1,"event":"pre_tool_use"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "the request has no `input`; send one");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct RequestError {
    kind: RequestErrorKind,
}

impl RequestError {
    pub(super) const fn new(kind: RequestErrorKind) -> Self {
        Self { kind }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &RequestErrorKind {
        &self.kind
    }
}

/// The ways in which something read is not a request.
///
/// ```
/// use hook_wire::{RequestErrorKind, decode_request};
///
/// let error = decode_request(br#"{"hook_schema":2}"#).unwrap_err();
/// let RequestErrorKind::UnsupportedSchema { found, .. } = error.kind() else { unreachable!() };
/// assert_eq!(found, "2");
/// assert_eq!(error.to_string(), "the request has `hook_schema` 2; this program understands 1");
/// ```
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
    #[error(
        "`{field}` cannot be read: {problem} at {position}; send it as the schema of the request says"
    )]
    #[non_exhaustive]
    NotKnown {
        /// The field: `tool` or `facts`.
        field: &'static str,
        /// What is missing or expected. Never what was found, which may be a part of the call.
        problem: String,
        /// Where.
        position: Position,
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
