//! Refusals and asks in whatever envelope.

use hook_contract::json::Members;
use serde::de::IgnoredAny;

use super::json::string;

mod loose;
mod words;

pub(super) use self::words::{ALLOWS, ASKS, REFUSES, REFUSES_ELSEWHERE, REWRITES, Words};

/// That one of the words was said, and the reason if there is one.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    /// The field that said it, as it is written.
    pub(super) field: String,
    pub(super) reason: Option<String>,
}

/// How deep what counts lies in an object: the verdict on a request for permission.
const DEPTH: usize = 2;

/// Whether something in a text says one of these words, and why.
///
/// It is said by an object in which a field that decides has the word: in any case and spelling of the field, beside
/// anything else, after a log line, before another object, also when the same key says something else as well, when the
/// object is cut off or badly written, or when it was made a text.
pub(super) fn find(text: &str, words: &'static Words) -> Option<Said> {
    search(text, words).and_then(Verdict::said)
}

/// Whether an object in a text, as for [`find`], would change the input of the call.
pub(super) fn rewrites(text: &str) -> bool {
    search(text, REWRITES).is_some()
}

/// The first object that says one of these words.
fn search(text: &str, words: &'static Words) -> Option<Verdict> {
    let text = text.trim_start_matches('\u{feff}');
    let whole = text.find('{').zip(text.rfind('}'));
    let whole = whole.and_then(|(first, last)| text.get(first..=last));
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('{'));
    let mut objects = whole.into_iter().chain(lines);
    let written_well = objects.find_map(|text| in_object(text, words));
    if written_well.is_some() || is_object(text) {
        return written_well;
    }
    match string(text) {
        Some(inner) => loose::find(&inner, words, DEPTH),
        None => loose::find(text, words, DEPTH),
    }
}

/// Whether a text is one object and nothing else.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn in_object(text: &str, words: &'static Words) -> Option<Verdict> {
    let members: Members<'_> = serde_json::from_str(text).ok()?;
    let mut verdict = Verdict::new(words);
    verdict.look(&members, DEPTH);
    verdict.field.is_some().then_some(verdict)
}

struct Verdict {
    words: &'static Words,
    /// The field that says one of the words.
    field: Option<String>,
    reason: Option<String>,
}

impl Verdict {
    const fn new(words: &'static Words) -> Self {
        Self {
            words,
            field: None,
            reason: None,
        }
    }

    fn said(self) -> Option<Said> {
        Some(Said {
            field: self.field?,
            reason: self.reason,
        })
    }

    fn look(&mut self, members: &Members<'_>, depth: usize) {
        for member in members {
            if let Some(text) = string(member.value) {
                self.member(&member.name, &text, depth);
                continue;
            }
            self.other(&member.name, member.value);
            if depth > 0
                && Self::goes_on_in(&member.name)
                && let Ok(members) = serde_json::from_str(member.value)
            {
                self.look(&members, depth - 1);
            }
        }
    }

    /// Whether what is in the object of a field counts as well.
    fn goes_on_in(name: &str) -> bool {
        matches!(folded(name).as_str(), "hookspecificoutput" | "decision")
    }

    /// Hears one field that is no text.
    fn other(&mut self, name: &str, value: &str) {
        let field = folded(name);
        let is_said = match value.trim() {
            "true" | "True" => self.words.are_meant(&field, true),
            "false" | "False" => self.words.are_meant(&field, false),
            "null" | "None" => false,
            _ => self.words.are_held(&field),
        };
        if is_said {
            self.field.get_or_insert_with(|| name.to_owned());
        }
    }

    /// Hears one field that is a text.
    fn member(&mut self, name: &str, text: &str, depth: usize) {
        let field = folded(name);
        if self.words.are_said(&field, &folded(text)) || self.words.are_held(&field) {
            self.field.get_or_insert_with(|| name.to_owned());
        }
        let is_reason = matches!(
            field.as_str(),
            "permissiondecisionreason"
                | "reason"
                | "message"
                | "usermessage"
                | "agentmessage"
                | "explanation"
        );
        if is_reason && !text.trim().is_empty() {
            self.reason.get_or_insert_with(|| text.to_owned());
        }
        // An object that was made a text once too often.
        if depth > 0
            && Self::goes_on_in(name)
            && let Some(inner) = loose::find(text, self.words, depth - 1)
        {
            self.field = self.field.take().or(inner.field);
            self.reason = self.reason.take().or(inner.reason);
        }
    }
}

/// A word without what people vary.
fn folded(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .take(40)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_found_in_any_envelope() {
        for text in [
            r#"{"decision":"block","reason":"r"}"#,
            r#"{"decision":"DENY","reason":"r","zzz":{}}"#,
            r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}"#,
            r#"{"hook_specific_output":{"permission_decision":"deny","reason":"r"}}"#,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"r"}}}"#,
            r#"{"decision":"block","decision":"approve","reason":"r"}"#,
            "loading...\n{\"decision\":\"block\",\"reason\":\"r\"}",
            "{\"decision\":\"block\",\"reason\":\"r\"}\n{}\ndone",
            r#"[{"decision":"block","reason":"r"}]"#,
            "```json\n{\n\"decision\": \"block\",\n\"reason\": \"r\"\n}\n```",
            "\u{feff}{\"decision\":\"block\",\"reason\":\"r\"}",
            "checking {a, b}\n{\n  \"decision\": \"block\",\n  \"reason\": \"r\"\n}\nchecked {a, b}",
            "{\"level\":\"info\"}\n{\n  \"decision\": \"block\",\n  \"reason\": \"r\"\n}",
            "[guard {1}] {\"decision\":\"block\",\"reason\":\"r\"}",
            r#"{"a":1}{"decision":"block","reason":"r"}"#,
            r#"[{"a":1},{"decision":"block","reason":"r"}]"#,
            r#"{"decision":"block","reason":"r","#,
            r#"{"decision":"block","reason":"r"#,
            r#"{"decision":"block","reason":"r",}"#,
            r#"{"decision":"block" "reason":"r"}"#,
            r#"{"decision":"block","reason":"r","score":NaN}"#,
            "{'decision': 'block', 'reason': 'r', 'again': None}",
            "{\"why\":\"a\nb\",\"decision\":\"block\",\"reason\":\"r\"}",
            "log\n{\"hookSpecificOutput\":{\"why\":\"a\tb\",\"permissionDecision\":\"deny\",\"reason\":\"r\"",
            r#""{\"decision\":\"block\",\"reason\":\"r\"}""#,
            r#"{"hookSpecificOutput":"{\"permissionDecision\":\"deny\",\"reason\":\"r\"}"}"#,
            "\u{fffd}{\0\"\0decision\"\0:\0\"\0b\0lock\0\",\"reason\":\"r\"}",
        ] {
            let reason = Some("r".to_owned());
            let said = find(text, REFUSES).expect(text);
            assert_eq!(said.reason, reason, "{text}");
        }
        let said = find(r#"{"decision":"block","reason":" "}"#, REFUSES);
        assert_eq!(said.expect("a refusal").reason, None);
    }

    #[test]
    fn nothing_else_is_a_refusal() {
        for text in [
            "",
            "{",
            "}{",
            "block",
            r#""deny""#,
            r#"{"decision":"allow","reason":"deny"}"#,
            r#"{"tool_input":{"decision":"block"}}"#,
            r#"{"decision":["block"]}"#,
            r#"{"continue":false}"#,
            r#"{"tool_input":{"decision":"block"},"cut":"#,
            r#"{"a":[{"decision":"block"}],"cut":"#,
            r#"{"content":"{\"decision\":\"block\"}","cut":"#,
            "{decision: block}",
            "log\n{\"reason\": \"decision: block\",",
        ] {
            assert_eq!(find(text, REFUSES), None, "{text}");
        }
    }
}
