//! JSON as the agents write it: compact, with no escape that is not needed.

/// A string literal.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A compact JSON text with the strings in it written without needless escapes; everything else as it was.
pub(super) fn value(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find('"').and_then(|at| rest.split_at_checked(at)) {
        written.push_str(before);
        let (literal, after) = from
            .split_at_checked(end_of_string(from))
            .unwrap_or((from, ""));
        match serde_json::from_str::<String>(literal) {
            Ok(content) if literal.contains('\\') => written.push_str(&string(&content)),
            _ => written.push_str(literal),
        }
        rest = after;
    }
    written.push_str(rest);
    written
}

/// How long the string literal is that a text begins with.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_that_are_not_needed_are_gone() {
        for (given, written) in [
            (r#"{"\u0072m":"\u0072m -rf \/"}"#, r#"{"rm":"rm -rf /"}"#),
            (
                r#"["\u00e9\ud83d\ude00","\u2028\u007f"]"#,
                "[\"é😀\",\"\u{2028}\u{7f}\"]",
            ),
            (r#""\u0009\u000a\u0001\u0022\u005c""#, r#""\t\n\u0001\"\\""#),
            (
                r#"{"a":1.00,"b":12345678901234567890123}"#,
                r#"{"a":1.00,"b":12345678901234567890123}"#,
            ),
            (r#"{"a\\":"\"","b":"c"}"#, r#"{"a\\":"\"","b":"c"}"#),
        ] {
            assert_eq!(value(given), written);
        }
    }
}
