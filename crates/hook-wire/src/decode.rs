//! Bytes a program printed to an answer.
//!
//! Two rules shape it. What can be read two ways is not an answer; and a denial that can be read at all stays a
//! denial, because a guard that meant to refuse must not be overruled by its own slip.

pub(crate) mod error;
mod explain;
pub(crate) mod note;

use std::borrow::Cow;

use hook_contract::{
    Decision, Json, Rewrite,
    json::{JsonErrorKind, Member},
};

use self::{
    error::{DecodeError, DecodeErrorKind},
    note::DecodeNote,
};
use crate::{
    HookResponse,
    object::{Object, kind_of, string},
    quote::{WORD_CHARS, quote},
};

/// How many bytes of a program's output are an answer at most, unless the host says otherwise: 8 MiB.
pub const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;

/// How many bytes a reason has at most, the mark of a cut included: 16 KiB.
pub const MAX_REASON_BYTES: usize = 16 * 1024;

/// How many bytes the words for the model beside a decision have at most, the mark of a cut included: 16 KiB.
pub const MAX_CONTEXT_BYTES: usize = 16 * 1024;

/// Ends a text that was cut.
const CUT_MARK: &str = "… [cut]";

/// An answer, and what its author should know about it.
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
}

/// Reads what a program printed as its answer.
///
/// White space around the object, one UTF-8 byte order mark in front and CRLF line ends are accepted, and fields it
/// does not know are ignored. `null` is the same as absent for `reason` and `is_error`, and is a value for `output`.
/// Numbers in `input` and `output` keep their digits.
///
/// When every `decision` of the object is `deny`, it is a denial: a reason that is missing, empty or no text, and keys
/// that are repeated, are noted and change nothing. The same holds for `ask`; a rewrite beside it that cannot be used is
/// left out, so that a person is asked about the call as it stands, and is noted. In any other answer a repeated key, at
/// any depth, is an error.
///
/// `context`, words for the model, may stand beside any decision. What is no text there is left out and noted.
///
/// How much a program may print is decided by whoever reads it; see [`DecodeError::too_large`].
///
/// ```
/// use hook_wire::{DecodeNote, HookResponse, decode_response};
///
/// let decoded = decode_response(b"{\"decision\":\"deny\"}\n")?;
/// assert_eq!(decoded.response, HookResponse::Deny { reason: None });
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
        .or_else(|kind| stop_with_broken_names(printed).ok_or(kind))
        .map_err(|kind| DecodeError::new(kind, printed))
}

/// The denial or the ask in an object of which a name holds half of a surrogate pair, and which is otherwise one object.
fn stop_with_broken_names(printed: &[u8]) -> Option<DecodedResponse> {
    let whole = whole_surrogates(std::str::from_utf8(printed).ok()?)?;
    let object = Object::read(whole.as_bytes()).ok()?;
    let decoded = Reading::new(object).read().ok()?;
    matches!(decoded.response.decision(), Decision::Deny | Decision::Ask).then_some(decoded)
}

/// An object on its way to becoming an answer.
struct Reading<'a> {
    object: Object<'a>,
    notes: Vec<DecodeNote>,
}

impl<'a> Reading<'a> {
    fn new(object: Object<'a>) -> Self {
        let notes = Vec::new();
        Self { object, notes }
    }

    fn read(mut self) -> Result<DecodedResponse, DecodeErrorKind> {
        let mut decisions = self.object.members.iter().filter(|m| m.name == "decision");
        let Some(first) = decisions.next() else {
            return Err(explain::missing_decision(&self.object));
        };
        let says = |word, member: &Member<'_>| string(member.value).as_deref() == Some(word);
        let denies = says("deny", first) || decisions.clone().any(|other| says("deny", other));
        let stops = |member: &Member<'_>| says("deny", member) || says("ask", member);
        let response = if stops(first) && decisions.all(stops) {
            self.stop(denies)
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

    /// A denial or an ask: what else is wrong with the answer is noted.
    fn stop(&mut self, denies: bool) -> HookResponse {
        if let Some(member) = self.object.repeated() {
            let key = word(&member.name);
            self.notes.push(DecodeNote::RepeatedKey { key });
        }
        let (decision, response) = if denies {
            (Decision::Deny, HookResponse::deny_without_reason())
        } else {
            (Decision::Ask, self.ask())
        };
        match self.reason_of_stop(decision) {
            Some(reason) => response.because(reason),
            None => response,
        }
    }

    /// The first reason that is text.
    fn reason_of_stop(&mut self, decision: Decision) -> Option<String> {
        let mut reasons = self.object.members.iter().filter(|m| m.name == "reason");
        let first = reasons.clone().next().map_or("null", |member| member.value);
        let reason = reasons.find_map(|member| string(member.value));
        let Some(reason) = reason.or((first == "null").then_some(Cow::Borrowed(""))) else {
            let found = match kind_of(first) {
                "a string" => "not valid Unicode",
                found => found,
            };
            self.notes
                .push(DecodeNote::ReasonNotText { decision, found });
            return None;
        };
        if reason.trim_matches([' ', '\t', '\n', '\r']).is_empty() {
            self.notes.push(match decision {
                Decision::Ask => DecodeNote::AskWithoutReason,
                Decision::Allow | Decision::Deny | Decision::Modify | Decision::Replace | _ => {
                    DecodeNote::DenyWithoutReason
                }
            });
            return None;
        }
        Some(self.bounded_reason(reason.into_owned()))
    }

    /// An ask, with the rewrite that it is about where there is one that can be used.
    fn ask(&mut self) -> HookResponse {
        let all = |field: &str| {
            let members = self.object.members.iter();
            members
                .filter(|member| member.name == field)
                .collect::<Vec<_>>()
        };
        let ask = HookResponse::ask_without_reason();
        let (field, rewrite) = match (&*all("input"), &*all("output")) {
            ([], []) => return ask,
            ([input], []) => {
                let input = self.json(input).ok();
                let input = input.filter(|input| input.text().starts_with('{'));
                ("input", input.map(Rewrite::Input))
            }
            ([], [output]) => {
                let is_error = self.is_error().ok().flatten();
                let output = self.json(output).ok();
                (
                    "output",
                    output.map(|output| Rewrite::output(output, is_error)),
                )
            }
            ([], _) => ("output", None),
            _ => ("input", None),
        };
        if let Some(rewrite) = rewrite {
            return ask.with_rewrite(rewrite);
        }
        self.notes.push(DecodeNote::RewriteLeftOut { field });
        ask
    }

    /// Words for the model.
    fn context(&mut self) -> Option<String> {
        let value = self.object.get("context")?.value;
        match (string(value), kind_of(value)) {
            (_, "null") => None,
            (Some(text), _) if text.trim().is_empty() => None,
            (Some(text), _) => {
                let bytes = text.len();
                let (text, is_cut) = bounded(text.into_owned(), MAX_CONTEXT_BYTES);
                if is_cut {
                    self.notes.push(DecodeNote::ContextCut { bytes });
                }
                Some(text)
            }
            (None, found) => {
                let found = if found == "a string" {
                    "not valid Unicode"
                } else {
                    found
                };
                self.notes.push(DecodeNote::ContextNotText { found });
                None
            }
        }
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

    /// The reason, cut when it is too long.
    fn bounded_reason(&mut self, reason: String) -> String {
        let bytes = reason.len();
        let (reason, is_cut) = bounded(reason, MAX_REASON_BYTES);
        if is_cut {
            self.notes.push(DecodeNote::ReasonCut { bytes });
        }
        reason
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

/// The text cut to that many bytes, at a character, with a mark; and whether it was cut.
fn bounded(mut text: String, most: usize) -> (String, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let mut end = most - CUT_MARK.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(CUT_MARK);
    (text, true)
}

/// The text with each half of a surrogate pair as a replacement character; nothing when there is none.
fn whole_surrogates(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut whole, mut copied) = (String::new(), 0);
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str(text.get(copied..at)?);
                whole.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            // The character that is escaped is skipped with its escape.
            _ => 1 + text.get(at + 1..)?.chars().next().map_or(0, char::len_utf8),
        };
    }
    whole.push_str(text.get(copied..)?);
    (copied > 0).then_some(whole)
}

/// A word of the program's, fit for a message.
fn word(text: &str) -> String {
    quote(text.as_bytes(), WORD_CHARS)
}

#[cfg(test)]
mod tests;
