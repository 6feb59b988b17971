//! An answer as JSON: what a hook program prints.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap as _};

use super::{Answer, Rewrite, members::Members};

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

/// Strictly, but for a denial and an ask: they stay what they are whatever else is wrong with the answer.
impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Members::deserialize(deserializer)?.answer()
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
    fn a_denial_and_an_ask_stay_what_they_are_whatever_else_is_wrong() {
        let deny = Answer::deny_without_reason;
        let ask = Answer::ask_without_reason;
        for (text, answer) in [
            (r#"{"decision":"deny","reason":7}"#, deny()),
            (r#"{"decision":"deny","reason":["no"]}"#, deny()),
            (
                r#"{"decision":"deny","reason":"no","is_error":"x","input":[]}"#,
                Answer::deny("no"),
            ),
            (
                r#"{"decision":"deny","reason":"no","context":{"a":1}}"#,
                Answer::deny("no"),
            ),
            (r#"{"decision":"deny","reason":"\ud800"}"#, deny()),
            (r#"{"decision":"deny","\ud800":1}"#, deny()),
            (r#"{"decision":"deny","decision":"deny"}"#, deny()),
            (r#"{"decision":"ask","decision":"deny"}"#, deny()),
            (r#"{"decision":"ask","decision":"ask"}"#, ask()),
            (r#"{"decision":"ask","reason":["prod"]}"#, ask()),
            (
                r#"{"decision":"ask","reason":1,"reason":"prod"}"#,
                Answer::ask("prod"),
            ),
            (
                r#"{"decision":"ask","reason":"x","context":{"a":1}}"#,
                Answer::ask("x"),
            ),
            (r#"{"decision":"ask","input":[]}"#, ask()),
            (r#"{"decision":"ask","input":{"a":1,"a":2}}"#, ask()),
            (r#"{"decision":"ask","input":{},"input":{}}"#, ask()),
            (r#"{"decision":"ask","input":{},"output":1}"#, ask()),
            (
                r#"{"decision":"ask","input":null,"output":1}"#,
                ask().with_rewrite(Rewrite::output(json!(1), None)),
            ),
            (
                r#"{"decision":"ask","output":1,"is_error":"no"}"#,
                ask().with_rewrite(Rewrite::output(json!(1), None)),
            ),
        ] {
            let read: Answer = serde_json::from_str(text).expect(text);
            assert_eq!(read, answer, "{text}");
        }
    }

    #[test]
    fn half_an_answer_is_none() {
        for text in [
            "{}",
            "null",
            r#""deny""#,
            r#"["allow"]"#,
            r#"["deny","no"]"#,
            r#"{"decision":null}"#,
            r#"{"decision":{"allow":null}}"#,
            r#"{"decision":{"deny":null}}"#,
            r#"{"decision":["deny"]}"#,
            r#"{"decision":"Allow"}"#,
            r#"{"decision":"deny","decision":"allow"}"#,
            r#"{"decision":"allow","decision":"allow"}"#,
            r#"{"decision":"modify"}"#,
            r#"{"decision":"modify","input":null}"#,
            r#"{"decision":"modify","input":[]}"#,
            r#"{"decision":"modify","input":{},"input":{}}"#,
            r#"{"decision":"modify","input":{"a":1,"a":2}}"#,
            r#"{"decision":"replace"}"#,
            r#"{"decision":"replace","output":1,"is_error":"no"}"#,
            r#"{"decision":"allow","reason":1}"#,
            r#"{"decision":"allow","context":1}"#,
            r#"{"decision":"deny"} more"#,
        ] {
            assert!(serde_json::from_str::<Answer>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_and_a_flattened_answer_are_read_as_text_is() {
        #[derive(Deserialize)]
        struct Envelope {
            #[serde(flatten)]
            answer: Answer,
        }
        let value = json!({"decision": "ask", "reason": ["prod"], "input": {"n": 1}});
        let answer =
            Answer::ask_without_reason().with_rewrite(Rewrite::Input(json!({"n": 1}).into()));
        let read: Answer = serde_json::from_value(value.clone()).expect("an answer");
        assert_eq!(read, answer);
        let read: Envelope = serde_json::from_str(&value.to_string()).expect("an answer");
        assert_eq!(read.answer, answer);
    }

    #[test]
    fn digits_are_kept() {
        let text = r#"{"decision":"modify","input":{"n":123456789012345678901234567890}}"#;
        let answer: Answer = serde_json::from_str(text).expect("an answer");
        assert_eq!(serde_json::to_string(&answer).expect("plain data"), text);
    }
}
