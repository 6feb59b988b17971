//! A denial or an ask, which stays one whatever else is wrong with the answer.

use std::borrow::Cow;

use hook_contract::{Decision, Rewrite, json::Member};

use super::{DecodeErrorKind, DecodeNote, DecodedResponse, Reading, text::what_is_no_text, word};
use crate::{
    HookResponse,
    object::{Object, string},
};

/// The denial or the ask in an object of which a name holds half of a surrogate pair, and which is otherwise one object.
pub(super) fn with_broken_names(printed: &[u8]) -> Option<DecodedResponse> {
    let whole = whole_surrogates(std::str::from_utf8(printed).ok()?)?;
    let object = Object::read(whole.as_bytes()).ok()?;
    let reading = Reading {
        is_mended: true,
        ..Reading::new(object)
    };
    let decoded = reading.read().ok()?;
    matches!(decoded.response.decision(), Decision::Deny | Decision::Ask).then_some(decoded)
}

impl Reading<'_> {
    /// The word of an object that says nothing but `deny` and `ask`, `deny` before `ask`; nothing when it says another.
    pub(super) fn stopping_word(&self) -> Option<Decision> {
        let mut decisions = self.members("decision");
        let words = decisions.try_fold(None, |found, member| {
            match (string(member.value).as_deref(), found) {
                (Some("deny"), _) | (Some("ask"), Some(Decision::Deny)) => {
                    Some(Some(Decision::Deny))
                }
                (Some("ask"), _) => Some(Some(Decision::Ask)),
                _ => None,
            }
        });
        words.flatten()
    }

    /// A denial or an ask: what else is wrong with the answer is noted.
    pub(super) fn stop(&mut self, decision: Decision) -> HookResponse {
        if let Some(member) = self.object.repeated() {
            let key = word(&member.name);
            self.notes.push(DecodeNote::RepeatedKey { key });
        }
        let response = if decision == Decision::Ask {
            self.ask()
        } else {
            HookResponse::deny_without_reason()
        };
        match self.reason_of_stop(decision) {
            Some(reason) => response.because(reason),
            None => response,
        }
    }

    /// The first reason that is text.
    fn reason_of_stop(&mut self, decision: Decision) -> Option<String> {
        let first = self.members("reason").next();
        let first = first.map_or("null", |member| member.value);
        let reason = self
            .members("reason")
            .find_map(|member| string(member.value));
        let Some(reason) = reason.or((first == "null").then_some(Cow::Borrowed(""))) else {
            let found = what_is_no_text(first);
            self.notes
                .push(DecodeNote::ReasonNotText { decision, found });
            return None;
        };
        if reason.trim_matches([' ', '\t', '\n', '\r']).is_empty() {
            self.notes.push(if decision == Decision::Ask {
                DecodeNote::AskWithoutReason
            } else {
                DecodeNote::DenyWithoutReason
            });
            return None;
        }
        let reason = reason.into_owned();
        Some(self.bounded_reason(reason))
    }

    /// An ask, with the rewrite that it is about where there is one that can be used.
    fn ask(&mut self) -> HookResponse {
        let ask = HookResponse::ask_without_reason();
        let field = ["input", "output"]
            .into_iter()
            .find(|field| self.object.get(field).is_some());
        let Some(field) = field else {
            return ask;
        };
        if let Some(rewrite) = self.asked_about() {
            return ask.with_rewrite(rewrite);
        }
        self.notes.push(DecodeNote::RewriteLeftOut { field });
        ask
    }

    /// The one rewrite beside an ask, exactly as it was printed.
    fn asked_about(&mut self) -> Option<Rewrite> {
        // Mending a name may have changed the values, too.
        if self.is_mended || self.is_repeated("input") || self.is_repeated("output") {
            return None;
        }
        match (self.object.get("input"), self.object.get("output")) {
            (Some(input), None) => {
                let input = self.json(input).ok()?;
                input
                    .text()
                    .starts_with('{')
                    .then_some(Rewrite::Input(input))
            }
            // Beside a result, an input of `null` is no input.
            (Some(input), Some(_)) if input.value != "null" => None,
            (_, Some(output)) => {
                let output = self.json(output).ok()?;
                Some(Rewrite::output(output, self.flag_of_ask()))
            }
            (None, None) => None,
        }
    }

    /// Whether the model is told that the tool failed. What is neither true nor false is left out and noted, and what is
    /// said twice is left out: the flag then stays as the tool left it.
    fn flag_of_ask(&mut self) -> Option<bool> {
        if self.is_repeated("is_error") {
            return None;
        }
        match self.is_error() {
            Ok(is_error) => is_error,
            Err(wrong_type) => {
                if let DecodeErrorKind::WrongType { found, .. } = wrong_type {
                    self.notes.push(DecodeNote::FlagNotBoolean { found });
                }
                None
            }
        }
    }

    fn is_repeated(&self, name: &str) -> bool {
        self.members(name).nth(1).is_some()
    }

    /// The members of that name.
    fn members(&self, name: &str) -> impl Iterator<Item = &Member<'_>> {
        let members = self.object.members.iter();
        members.filter(move |member| member.name == name)
    }
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
