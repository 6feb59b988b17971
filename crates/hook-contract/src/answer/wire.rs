//! An answer as JSON: what a hook program prints.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap as _};

use super::{Answer, Rewrite};
use crate::{Decision, Json};

/// `decision`, what it rewrites to, `reason`, `context`; what is absent is left out.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("decision", &self.decision)?;
        match &self.rewrite {
            None => {}
            Some(Rewrite::Input(input)) => object.serialize_entry("input", input)?,
            Some(Rewrite::Output { output, is_error }) => {
                object.serialize_entry("output", output)?;
                if let Some(is_error) = is_error {
                    object.serialize_entry("is_error", is_error)?;
                }
            }
        }
        if let Some(reason) = &self.reason {
            object.serialize_entry("reason", reason)?;
        }
        match &*self.context {
            [] => {}
            [one] => object.serialize_entry("context", one)?,
            several => object.serialize_entry("context", &several.join("\n\n"))?,
        }
        object.end()
    }
}

/// The members of an answer, whichever of them its decision needs.
#[derive(Deserialize)]
struct Members {
    decision: Decision,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    input: Option<Json>,
    #[serde(default, deserialize_with = "present")]
    output: Option<Json>,
    #[serde(default)]
    is_error: Option<bool>,
}

/// Keeps absent and `null` apart: `null` is a result.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl Members {
    /// Another input, which must be an object.
    fn input<E: serde::de::Error>(&self) -> Result<Option<Rewrite>, E> {
        match &self.input {
            None => Ok(None),
            Some(input) if input.is_object() => Ok(Some(Rewrite::Input(input.clone()))),
            Some(_other) => Err(E::custom(
                "`input` must be an object: the whole new input of the tool",
            )),
        }
    }

    fn output(&self) -> Option<Rewrite> {
        let output = self.output.clone()?;
        Some(Rewrite::output(output, self.is_error))
    }

    /// What stands beside an ask.
    fn asked_about<E: serde::de::Error>(&self) -> Result<Option<Rewrite>, E> {
        match (self.input()?, self.output()) {
            (Some(_), Some(_)) => Err(E::custom(
                "an `ask` has `input` or `output` beside it, not both",
            )),
            (input, output) => Ok(input.or(output)),
        }
    }

    fn rewrite<E: serde::de::Error>(&self) -> Result<Option<Rewrite>, E> {
        match self.decision {
            Decision::Allow | Decision::Deny => Ok(None),
            Decision::Ask => self.asked_about(),
            Decision::Modify => self
                .input()?
                .ok_or_else(|| E::missing_field("input"))
                .map(Some),
            Decision::Replace => self
                .output()
                .ok_or_else(|| E::missing_field("output"))
                .map(Some),
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Members::deserialize(deserializer)?;
        let rewrite = members.rewrite()?;
        Ok(Self {
            decision: members.decision,
            rewrite,
            reason: members.reason,
            context: members.context.into_iter().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(answer: &Answer, text: &str) {
        assert_eq!(serde_json::to_string(answer).expect("plain data"), text);
        assert_eq!(
            &serde_json::from_str::<Answer>(text).expect("an answer"),
            answer
        );
    }

    #[test]
    fn an_answer_is_read_as_it_is_written() {
        check(&Answer::allow(), r#"{"decision":"allow"}"#);
        check(
            &Answer::allow().with_context("two warnings"),
            r#"{"decision":"allow","context":"two warnings"}"#,
        );
        check(&Answer::deny("no"), r#"{"decision":"deny","reason":"no"}"#);
        check(&Answer::ask("why"), r#"{"decision":"ask","reason":"why"}"#);
        check(
            &Answer::ask("why").with_rewrite(Rewrite::Input(json!({"a": 1}).into())),
            r#"{"decision":"ask","input":{"a":1},"reason":"why"}"#,
        );
        check(
            &Answer::modify(json!({"a": 1})).with_reason("b"),
            r#"{"decision":"modify","input":{"a":1},"reason":"b"}"#,
        );
        check(
            &Answer::replace(json!(null)).with_is_error(true),
            r#"{"decision":"replace","output":null,"is_error":true}"#,
        );
    }

    #[test]
    fn an_ask_about_a_result_and_context_given_bit_by_bit_are_read_as_they_are_written() {
        check(
            &Answer::ask("why").with_rewrite(Rewrite::output(json!(null), Some(false))),
            r#"{"decision":"ask","output":null,"is_error":false,"reason":"why"}"#,
        );
        check(
            &Answer::ask_without_reason().with_context("c"),
            r#"{"decision":"ask","context":"c"}"#,
        );
        let bit_by_bit = Answer::allow().with_context("a").with_context("b");
        let text = serde_json::to_string(&bit_by_bit).expect("plain data");
        assert_eq!(text, r#"{"decision":"allow","context":"a\n\nb"}"#);
        let read: Answer = serde_json::from_str(&text).expect("an answer");
        assert_eq!(read, Answer::allow().with_context("a\n\nb"));
    }

    #[test]
    fn what_is_null_or_belongs_to_another_decision_says_nothing() {
        for (text, answer) in [
            (
                r#"{"decision":"deny","reason":null,"context":null,"input":{}}"#,
                Answer::deny_without_reason(),
            ),
            (
                r#"{"decision":"allow","output":1,"is_error":true,"more":{}}"#,
                Answer::allow(),
            ),
            (
                r#"{"decision":"ask","is_error":true}"#,
                Answer::ask_without_reason(),
            ),
            (
                r#"{"decision":"modify","input":{},"output":1}"#,
                Answer::modify(json!({})),
            ),
        ] {
            let read: Answer = serde_json::from_str(text).expect("an answer");
            assert_eq!(read, answer, "{text}");
        }
    }

    #[test]
    fn half_an_answer_is_none() {
        for text in [
            r#"{"decision":"ask","input":[]}"#,
            r#"{"decision":"ask","output":1,"is_error":"no"}"#,
            r#"{"decision":"ask","decision":"deny"}"#,
            r#"{"decision":"deny","reason":["no"]}"#,
            "{}",
            r#"{"decision":"Allow"}"#,
            r#"{"decision":"modify"}"#,
            r#"{"decision":"modify","input":[]}"#,
            r#"{"decision":"replace"}"#,
            r#"{"decision":"ask","input":{},"output":1}"#,
            r#"{"decision":"allow","context":1}"#,
        ] {
            assert!(serde_json::from_str::<Answer>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn digits_are_kept() {
        let text = r#"{"decision":"modify","input":{"n":123456789012345678901234567890}}"#;
        let answer: Answer = serde_json::from_str(text).expect("an answer");
        assert_eq!(serde_json::to_string(&answer).expect("plain data"), text);
    }
}
