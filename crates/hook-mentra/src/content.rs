//! Results as mentra holds them, and as hooks are asked about them.

use hook_contract::Json;
use mentra::tool::ToolResultContent;
use serde_json::Value;

use crate::numbers;

/// Text becomes a JSON string, whatever it looks like; structured content is itself.
pub(crate) fn to_json(content: &ToolResultContent) -> Json {
    match content {
        ToolResultContent::Text(text) => Value::from(text.as_str()).into(),
        ToolResultContent::Structured(value) => value.clone().into(),
    }
}

/// What the model is shown in place of `before`.
///
/// A JSON string is text, unless it stands for content that was a structured string. Anything else is structured; where a
/// number would change in mentra's hands, it is the JSON text instead, which models read as well.
pub(crate) fn from_json(output: &Json, before: &ToolResultContent) -> ToolResultContent {
    if let Some(text) = output.as_str()
        && !is_structured_string(before)
    {
        return ToolResultContent::text(text);
    }
    if numbers::first_lost(output.text()).is_some() {
        return ToolResultContent::text(output.text());
    }
    ToolResultContent::Structured(output.value().clone())
}

fn is_structured_string(content: &ToolResultContent) -> bool {
    matches!(content, ToolResultContent::Structured(Value::String(_)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> ToolResultContent {
        ToolResultContent::text(text)
    }

    fn structured(value: Value) -> ToolResultContent {
        ToolResultContent::Structured(value)
    }

    #[test]
    fn content_goes_there_and_back_unchanged() {
        let contents = [
            text(""),
            text("line\n\u{1b}[1m\u{0}\u{2028}"),
            text(r#"{"looks":"like JSON"}"#),
            text("\"quoted\""),
            structured(Value::Null),
            structured(json!("a string that is structured")),
            structured(
                json!({"b": [1, -2, 18_446_744_073_709_551_615_u64, 0.5, true, null], "a": ""}),
            ),
        ];
        for content in contents {
            assert_eq!(from_json(&to_json(&content), &content), content);
        }
    }

    #[test]
    fn a_string_is_text_except_in_place_of_a_structured_one() {
        let string = Json::from(json!("gone"));
        let object = structured(json!({"a": 1}));
        assert_eq!(from_json(&string, &text("a")), text("gone"));
        assert_eq!(from_json(&string, &object), text("gone"));
        let before = structured(json!("a"));
        assert_eq!(from_json(&string, &before), structured(json!("gone")));
        assert_eq!(
            from_json(&Json::from(json!([])), &text("a")),
            structured(json!([]))
        );
    }

    #[test]
    fn no_digit_of_a_result_is_lost() {
        for output in [
            r#"{"id":12345678901234567890123}"#,
            "[0.12345678901234567890123]",
            "12345678901234567890123",
        ] {
            let shown = from_json(&Json::parse(output).expect("JSON"), &text("a"));
            assert_eq!(shown.to_display_string(), output);
        }
    }
}
