//! Refusals in whatever envelope.

use hook_contract::json::Members;

use super::json::string;

/// The refusal in a text, if there is one: its reason, if it has one.
///
/// A refusal is an object in which a field that decides says `deny` or `block`: in any case and spelling of the field,
/// beside anything else, after a log line, before another object, also when the same key says something else as well.
pub(super) fn find(text: &str) -> Option<Option<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let whole = text.find('{').zip(text.rfind('}'));
    let whole = whole.and_then(|(first, last)| text.get(first..=last));
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('{'));
    whole.into_iter().chain(lines).find_map(in_object)
}

fn in_object(text: &str) -> Option<Option<String>> {
    let members: Members<'_> = serde_json::from_str(text).ok()?;
    let mut verdict = Verdict::default();
    verdict.look(&members, 2);
    verdict.refuses.then_some(verdict.reason)
}

#[derive(Default)]
struct Verdict {
    refuses: bool,
    reason: Option<String>,
}

impl Verdict {
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
                    let inner = serde_json::from_str::<Members<'_>>(member.value);
                    if let Ok(inner) = inner {
                        self.look(&inner, depth - 1);
                    }
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
            assert_eq!(find(text), Some(Some("r".to_owned())), "{text}");
        }
        assert_eq!(find(r#"{"decision":"block","reason":" "}"#), Some(None));
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
