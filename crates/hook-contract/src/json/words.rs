//! The words in which a codec tells what it found.

/// What kind of value a JSON text holds, with its article, by its first character.
///
/// ```
/// use hook_contract::json::kind_of;
///
/// assert_eq!(kind_of(r#"{"a":1}"#), "an object");
/// assert_eq!(kind_of("-1"), "a number");
/// ```
#[must_use]
pub fn kind_of(text: &str) -> &'static str {
    match text.trim_start().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// What the parser says is wrong, without the place, which a codec tells in its own way.
///
/// ```
/// use hook_contract::json::parser_words;
///
/// let error = serde_json::from_str::<bool>("tru").unwrap_err();
/// assert_eq!(parser_words(&error), "EOF while parsing a value");
/// ```
#[must_use]
pub fn parser_words(error: &serde_json::Error) -> String {
    let mut words = error.to_string();
    if let Some(end) = words.rfind(" at line ") {
        words.truncate(end);
    }
    words
}
