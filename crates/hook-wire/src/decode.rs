//! Bytes a program printed to an answer.
//!
//! Two rules shape it. What can be read two ways is not an answer; and a denial that can be read at all stays a
//! denial, because a guard that meant to refuse must not be overruled by its own slip.

pub(crate) mod error;
mod explain;
pub(crate) mod note;
mod stop;
mod text;

use hook_contract::{
    Decision, Json,
    json::{JsonErrorKind, Member, kind_of},
};

use self::{
    error::{DecodeError, DecodeErrorKind},
    note::DecodeNote,
};
use crate::{
    HookResponse,
    object::{Object, string},
    quote::{WORD_CHARS, quote},
};

/// How many bytes of a program's output are an answer at most, unless the host says otherwise: 8 MiB.
pub const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;

/// How many bytes a reason has at most, the mark of a cut included: 16 KiB.
///
/// ```
/// use hook_wire::{HookResponse, MAX_REASON_BYTES, decode_response, encode_response};
///
/// let printed = encode_response(&HookResponse::deny("a".repeat(MAX_REASON_BYTES + 1)));
/// let decoded = decode_response(&printed)?;
/// assert_eq!(decoded.response.reason().map(str::len), Some(MAX_REASON_BYTES));
/// assert_eq!(decoded.notes[0].to_string(), "the `reason` has 16385 bytes and was cut to 16384");
/// # Ok::<(), hook_wire::DecodeError>(())
/// ```
pub const MAX_REASON_BYTES: usize = 16 * 1024;

/// How many bytes the words for the model beside a decision have at most, the mark of a cut included: 16 KiB.
pub const MAX_CONTEXT_BYTES: usize = 16 * 1024;

/// An answer, and what its author should know about it.
///
/// ```
/// let printed = br#"{"decision":"allow","input":{"command":"ls"}}"#;
/// let decoded = hook_wire::decode_response(printed)?;
/// assert_eq!(decoded.response, hook_wire::HookResponse::allow());
/// assert_eq!(decoded.notes[0].to_string(), "`input` says nothing beside `allow` and was ignored; was `modify` meant?");
/// # Ok::<(), hook_wire::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DecodedResponse {
    /// The answer.
    pub response: HookResponse,
    /// What was odd about it; usually nothing.
    pub notes: Vec<DecodeNote>,
    /// What it has as `tool_call_id`, as it was written; mostly once, if at all.
    named: Vec<Box<str>>,
}

impl DecodedResponse {
    /// The call that the answer says it is about, as it was written, when it is another one than this.
    ///
    /// `tool_call_id` is optional, and `null` is the same as absent. A program that is started for one question can have
    /// answered no other, so this is for whoever keeps programs.
    ///
    /// ```
    /// let printed = br#"{"decision":"allow","tool_call_id":"call-1"}"#;
    /// let decoded = hook_wire::decode_response(printed)?;
    /// assert_eq!(decoded.other_call("call-1"), None);
    /// assert_eq!(decoded.other_call("call-2"), Some("\"call-1\""));
    /// # Ok::<(), hook_wire::DecodeError>(())
    /// ```
    #[must_use]
    pub fn other_call(&self, tool_call_id: &str) -> Option<&str> {
        let mut named = self.named.iter().map(AsRef::as_ref);
        named.find(|value| string(value).as_deref() != Some(tool_call_id))
    }

    /// Whether the answer says which call it is about.
    ///
    /// ```
    /// let named = hook_wire::decode_response(br#"{"decision":"allow","tool_call_id":"call-1"}"#)?;
    /// let unnamed = hook_wire::decode_response(br#"{"decision":"allow"}"#)?;
    /// assert!(named.names_a_call() && !unnamed.names_a_call());
    /// # Ok::<(), hook_wire::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn names_a_call(&self) -> bool {
        !self.named.is_empty()
    }
}

/// Reads what a program printed as its answer.
///
/// White space around the object, one UTF-8 byte order mark in front and CRLF line ends are accepted, and fields it
/// does not know are ignored. `null` is the same as absent for `reason` and `is_error`, and is a value for `output`.
/// Numbers in `input` and `output` keep their digits.
///
/// When every `decision` of the object is `deny`, it is a denial: a reason that is missing, empty or no text, and keys
/// that are repeated, are noted and change nothing. When every one is `ask`, it is an ask in the same way, and when both
/// words stand there, the denial counts. A rewrite beside an ask that cannot be used is left out and noted, so that a person
/// is asked about the call as it stands. In any other answer a repeated key, at any depth, is an error.
///
/// `context`, words for the model, may stand beside any decision. A value of another type is left out and noted: a hook that
/// was written before this name meant something may use it for something else.
///
/// How much a program may print is decided by whoever reads it; see [`DecodeError::too_large`].
///
/// ```
/// use hook_wire::{DecodeNote, HookResponse, decode_response};
///
/// let decoded = decode_response(b"{\"decision\":\"deny\"}\n")?;
/// assert_eq!(decoded.response, HookResponse::deny_without_reason());
/// assert_eq!(decoded.notes, [DecodeNote::DenyWithoutReason]);
///
/// let error = decode_response(b"").unwrap_err();
/// assert_eq!(error.to_string(), r#"it printed nothing; print {"decision":"allow"} to agree"#);
/// # Ok::<(), hook_wire::DecodeError>(())
/// ```
///
/// # Errors
///
/// When it is not an answer; the error says what to change.
pub fn decode_response(printed: &[u8]) -> Result<DecodedResponse, DecodeError> {
    Object::read(printed)
        .map_err(|not_one_object| explain::not_one_object(not_one_object, printed))
        .and_then(|object| Reading::new(object).read())
        .or_else(|kind| stop::with_broken_names(printed).ok_or(kind))
        .map_err(|kind| DecodeError::new(kind, printed))
}

/// An object on its way to becoming an answer.
struct Reading<'a> {
    object: Object<'a>,
    notes: Vec<DecodeNote>,
    /// Whether the object is what was printed with halves of surrogate pairs replaced.
    is_mended: bool,
}

impl<'a> Reading<'a> {
    fn new(object: Object<'a>) -> Self {
        Self {
            object,
            notes: Vec::new(),
            is_mended: false,
        }
    }

    fn read(mut self) -> Result<DecodedResponse, DecodeErrorKind> {
        let Some(first) = self.object.get("decision") else {
            return Err(explain::missing_decision(&self.object));
        };
        let response = if let Some(decision) = self.stopping_word() {
            self.stop(decision)
        } else {
            let decision = self.decision(first.value)?;
            if let Some(member) = self.object.repeated() {
                let position = self.object.position_of(member.name_text);
                let key = word(&member.name);
                return Err(DecodeErrorKind::DuplicateKey { key, position });
            }
            self.rewrite_or_allow(decision)?
        };
        self.note_unused(response.decision());
        let response = match self.context() {
            Some(context) => response.with_context(context),
            None => response,
        };
        let named = self.object.members.iter();
        let named = named.filter(|member| member.name == "tool_call_id" && member.value != "null");
        Ok(DecodedResponse {
            response,
            named: named.map(|member| member.value.into()).collect(),
            notes: self.notes,
        })
    }

    fn decision(&self, value: &str) -> Result<Decision, DecodeErrorKind> {
        let kind = kind_of(value);
        if kind != "a string" {
            return Err(explain::wrong_type("decision", kind));
        }
        let word = string(value).ok_or_else(|| self.not_unicode("decision", value))?;
        Decision::of_word(&word).ok_or_else(|| explain::unknown_decision(&self.object, &word))
    }

    fn rewrite_or_allow(&mut self, decision: Decision) -> Result<HookResponse, DecodeErrorKind> {
        let reason = self.reason()?;
        let (response, own_field) = match decision {
            Decision::Modify => {
                let input = self.required(decision, "input")?;
                if !input.text().starts_with('{') {
                    return Err(explain::input_not_an_object(&input));
                }
                (HookResponse::modify(input), "input")
            }
            Decision::Replace => {
                let response = HookResponse::replace(self.required(decision, "output")?);
                let response = match self.is_error()? {
                    Some(is_error) => response.with_is_error(is_error),
                    None => response,
                };
                (response, "output")
            }
            // Every denial and every ask was read before this.
            Decision::Deny | Decision::Ask => (HookResponse::deny_without_reason(), ""),
            Decision::Allow => (HookResponse::allow(), ""),
            unknown => return Err(explain::unknown_decision(&self.object, unknown.as_str())),
        };
        for member in &self.object.members {
            let read = ["decision", "reason", own_field].contains(&member.name.as_ref());
            if !read {
                self.json(member)?;
            }
        }
        Ok(match reason {
            Some(reason) => response.because(reason),
            None => response,
        })
    }

    fn required(&self, decision: Decision, field: &'static str) -> Result<Json, DecodeErrorKind> {
        match self.object.get(field) {
            Some(member) => self.json(member),
            None => Err(explain::missing_field(&self.object, decision, field)),
        }
    }

    fn reason(&mut self) -> Result<Option<String>, DecodeErrorKind> {
        let value = self
            .object
            .get("reason")
            .map_or("null", |member| member.value);
        match kind_of(value) {
            "null" => Ok(None),
            "a string" => {
                let text = string(value).ok_or_else(|| self.not_unicode("reason", value))?;
                Ok(Some(self.bounded_reason(text.into_owned())))
            }
            found => Err(explain::wrong_type("reason", found)),
        }
    }

    fn is_error(&self) -> Result<Option<bool>, DecodeErrorKind> {
        match self.object.get("is_error").map(|member| member.value) {
            None | Some("null") => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(explain::wrong_type("is_error", kind_of(other))),
        }
    }

    /// The value of a member, when it has one reading.
    fn json(&self, member: &Member<'_>) -> Result<Json, DecodeErrorKind> {
        Json::parse(member.value).map_err(|error| {
            let position = self.object.position_in(member.value, &error);
            if let JsonErrorKind::DuplicateKey { key, .. } = error.kind() {
                let key = word(key);
                return DecodeErrorKind::DuplicateKey { key, position };
            }
            DecodeErrorKind::Unreadable {
                field: word(&member.name),
                problem: error.kind().clone(),
                position,
            }
        })
    }

    fn not_unicode(&self, field: &str, value: &str) -> DecodeErrorKind {
        DecodeErrorKind::Unreadable {
            field: field.to_owned(),
            problem: JsonErrorKind::NotUnicode,
            position: self.object.position_of(value),
        }
    }

    fn note_unused(&mut self, decision: Decision) {
        for (field, meant) in [("input", Decision::Modify), ("output", Decision::Replace)] {
            let says_something = [meant, Decision::Ask].contains(&decision);
            if !says_something && self.object.get(field).is_some() {
                self.notes.push(DecodeNote::UnusedField {
                    decision,
                    field,
                    meant,
                });
            }
        }
        if let Some(field) = explain::claude_code_field(&self.object) {
            self.notes.push(DecodeNote::ClaudeCodeField { field });
        }
    }
}

/// A word of the program's, fit for a message.
fn word(text: &str) -> String {
    quote(text.as_bytes(), WORD_CHARS)
}

#[cfg(test)]
mod tests;
