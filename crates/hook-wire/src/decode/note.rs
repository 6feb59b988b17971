//! What was odd about an answer that counts.

use std::fmt;

use super::{MAX_CONTEXT_BYTES, MAX_REASON_BYTES};
use crate::Decision;

/// Something its author should know about an answer that counts all the same.
///
/// ```
/// use hook_wire::{DecodeNote, decode_response};
///
/// let decoded = decode_response(br#"{"decision":"deny","reason":["no"]}"#)?;
/// assert!(matches!(decoded.notes[0], DecodeNote::ReasonNotText { found: "an array", .. }));
/// assert_eq!(decoded.notes[0].to_string(), "the `reason` of this `deny` is an array and is left out; it must be a string");
/// # Ok::<(), hook_wire::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeNote {
    /// A denial says nothing about why: the reason is absent, `null` or empty.
    DenyWithoutReason,
    /// An ask says nothing about why: the reason is absent, `null` or empty.
    AskWithoutReason,
    /// The reason of a denial or of an ask is not text, and is left out.
    #[non_exhaustive]
    ReasonNotText {
        /// `deny` or `ask`.
        decision: Decision,
        /// What it is, with its article.
        found: &'static str,
    },
    /// The reason was longer than [`MAX_REASON_BYTES`] and was cut.
    #[non_exhaustive]
    ReasonCut {
        /// How many bytes it had.
        bytes: usize,
    },
    /// The words for the model are not text, and are left out.
    #[non_exhaustive]
    ContextNotText {
        /// What they are, with the article.
        found: &'static str,
    },
    /// The words for the model were longer than [`MAX_CONTEXT_BYTES`] and were cut.
    #[non_exhaustive]
    ContextCut {
        /// How many bytes they had.
        bytes: usize,
    },
    /// The rewrite beside an ask cannot be used, and is left out: the person is asked about the call as it stands.
    #[non_exhaustive]
    RewriteLeftOut {
        /// `input` or `output`.
        field: &'static str,
    },
    /// The `is_error` beside an ask is neither true nor false, and is left out: the flag stays as the tool left it.
    #[non_exhaustive]
    FlagNotBoolean {
        /// What it is, with its article.
        found: &'static str,
    },
    /// A denial or an ask repeats a key; the first reason counts.
    #[non_exhaustive]
    RepeatedKey {
        /// The key, cut to 60 characters.
        key: String,
    },
    /// A field that belongs to another decision was ignored: its author probably meant that one.
    #[non_exhaustive]
    UnusedField {
        /// The decision that was made.
        decision: Decision,
        /// The field that says nothing there.
        field: &'static str,
        /// The decision that has such a field.
        meant: Decision,
    },
    /// A field that says something to Claude Code and nothing here was ignored.
    #[non_exhaustive]
    ClaudeCodeField {
        /// The field.
        field: &'static str,
    },
}

impl fmt::Display for DecodeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DenyWithoutReason => {
                f.write_str("`deny` without a `reason`: the model is not told why; add one")
            }
            Self::AskWithoutReason => {
                f.write_str("`ask` without a `reason`: the person is not told why; add one")
            }
            Self::ContextNotText { found } => write!(
                f,
                "the `context` is {found} and is left out; it must be a string"
            ),
            Self::ContextCut { bytes } => write!(
                f,
                "the `context` has {bytes} bytes and was cut to {MAX_CONTEXT_BYTES}"
            ),
            Self::RewriteLeftOut { field } => write!(
                f,
                "the `{field}` beside this `ask` cannot be used and is left out; print one `input`, an object, before a \
                 call, or one `output` after it"
            ),
            Self::FlagNotBoolean { found } => write!(
                f,
                "the `is_error` beside this `ask` is {found} and is left out; it must be true or false"
            ),
            Self::ReasonNotText { decision, found } => write!(
                f,
                "the `reason` of this `{decision}` is {found} and is left out; it must be a string"
            ),
            Self::ReasonCut { bytes } => write!(
                f,
                "the `reason` has {bytes} bytes and was cut to {MAX_REASON_BYTES}"
            ),
            Self::RepeatedKey { key } => write!(
                f,
                "the key `{key}` stands twice; print it once, because only a `deny` or an `ask` may"
            ),
            Self::UnusedField {
                decision,
                field,
                meant,
            } => write!(
                f,
                "`{field}` says nothing beside `{decision}` and was ignored; was `{meant}` meant?"
            ),
            Self::ClaudeCodeField { field } => write!(
                f,
                "`{field}` is a field of Claude Code hooks and was ignored; `decision` alone decides"
            ),
        }
    }
}
