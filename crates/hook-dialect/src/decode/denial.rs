//! Refusals in whatever envelope.

use hook_contract::json::Members;

use super::json::string;

/// A refusal, and its reason if it has one.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) reason: Option<String>,
}

/// The refusal in a text, if there is one.
///
/// A refusal is an object in which a field that decides says `deny` or `block`: in any case and spelling of the field,
/// beside anything else, after a log line, before another object, also when the same key says something else as well.
pub(super) fn find(text: &str) -> Option<Refusal> {
    let text = text.trim_start_matches('\u{feff}');
    let whole = text.find('{').zip(text.rfind('}'));
    let whole = whole.and_then(|(first, last)| text.get(first..=last));
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('{'));
    whole.into_iter().chain(lines).find_map(in_object)
}

fn in_object(text: &str) -> Option<Refusal> {
    let members: Members<'_> = serde_json::from_str(text).ok()?;
    let mut verdict = Verdict::default();
    verdict.look(&members, 2);
    verdict.refuses.then_some(Refusal {
        reason: verdict.reason,
    })
}

#[derive(Default)]
struct Verdict {
    refuses: bool,
    reason: Option<String>,
}

impl Verdict {
    fn look_in(&mut self, value: &str, depth: usize) {
        if let Ok(members) = serde_json::from_str(value) {
            self.look(&members, depth);
        }
    }

    fn look(&mut self, members: &Members<'_>, depth: usize) {
        for member in members {
            let text = string(member.value);
            match folded(&member.name).as_str() {
                "decision" | "permissiondecision" | "behavior" if text.is_some() => {
                    let word = text.as_deref().map(folded);
                    self.refuses |= word.is_some_and(|word| word == "deny" || word == "block");
                }
                "permissiondecisionreason" | "reason" | "message" if text.is_some() => {
                    let said = text.filter(|text| !text.trim().is_empty());
                    self.reason = self.reason.take().or(said);
                }
                "hookspecificoutput" | "decision" if depth > 0 => {
                    self.look_in(member.value, depth - 1);
                }
                _ => {}
            }
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
        ] {
            let reason = Some("r".to_owned());
            assert_eq!(find(text), Some(Refusal { reason }), "{text}");
        }
        let refusal = Refusal { reason: None };
        assert_eq!(find(r#"{"decision":"block","reason":" "}"#), Some(refusal));
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
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
