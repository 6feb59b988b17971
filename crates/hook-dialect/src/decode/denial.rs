//! Refusals and asks in whatever envelope.

use hook_contract::json::Members;
use serde::de::IgnoredAny;

use super::json::string;

mod loose;

/// That one of the words was said, and the reason if there is one.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) reason: Option<String>,
}

/// How deep what counts lies in an object: the verdict on a request for permission.
const DEPTH: usize = 2;

/// What a field that decides says.
pub(super) type Words = &'static [&'static str];

/// No.
pub(super) const REFUSES: Words = &["deny", "block"];

/// That somebody else is to decide.
pub(super) const ASKS: Words = &["ask", "defer"];

/// Whether something in a text says one of these words, and why.
///
/// It is said by an object in which a field that decides has the word: in any case and spelling of the field, beside
/// anything else, after a log line, before another object, also when the same key says something else as well, when the
/// object is cut off or badly written, or when it was made a text.
pub(super) fn find(text: &str, words: Words) -> Option<Said> {
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

fn in_object(text: &str, words: Words) -> Option<Said> {
    let members: Members<'_> = serde_json::from_str(text).ok()?;
    let mut verdict = Verdict::new(words);
    verdict.look(&members, DEPTH);
    verdict.said()
}

struct Verdict {
    words: Words,
    holds: bool,
    reason: Option<String>,
}

impl Verdict {
    const fn new(words: Words) -> Self {
        Self {
            words,
            holds: false,
            reason: None,
        }
    }

    fn said(self) -> Option<Said> {
        self.holds.then_some(Said {
            reason: self.reason,
        })
    }

    fn look(&mut self, members: &Members<'_>, depth: usize) {
        for member in members {
            if let Some(text) = string(member.value) {
                self.member(&member.name, &text, depth);
            } else if depth > 0
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

    /// Hears one field that is a text.
    fn member(&mut self, name: &str, text: &str, depth: usize) {
        match folded(name).as_str() {
            "decision" | "permissiondecision" | "behavior" => {
                self.holds |= self.words.contains(&folded(text).as_str());
            }
            "permissiondecisionreason" | "reason" | "message" if !text.trim().is_empty() => {
                self.reason.get_or_insert_with(|| text.to_owned());
            }
            _ => {}
        }
        // An object that was made a text once too often.
        if depth > 0
            && Self::goes_on_in(name)
            && let Some(said) = loose::find(text, self.words, depth - 1)
        {
            self.holds = true;
            self.reason = self.reason.take().or(said.reason);
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
            assert_eq!(find(text, REFUSES), Some(Said { reason }), "{text}");
        }
        let refusal = Said { reason: None };
        assert_eq!(
            find(r#"{"decision":"block","reason":" "}"#, REFUSES),
            Some(refusal)
        );
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
