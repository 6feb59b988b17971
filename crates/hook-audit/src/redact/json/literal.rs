//! Where the values of JSON end, and what a text in it says.

use memchr::memchr2;

pub(super) fn end_of_number(text: &str, at: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_part(byte)).count()
}

/// The end of the string that begins at `at`, its closing quote included.
pub(super) fn end_of_string(text: &str, at: usize) -> usize {
    let mut end = at + 1;
    while let Some(found) = memchr2(b'"', b'\\', text.as_bytes().get(end..).unwrap_or_default()) {
        end += found + 1;
        if text.as_bytes().get(end - 1) == Some(&b'"') {
            return end;
        }
        end += 1;
    }
    text.len()
}

/// The end of the value that begins at `at`.
pub(super) fn end_of_value(text: &str, at: usize) -> usize {
    let mut depth = 0_usize;
    let mut end = at;
    while let Some(byte) = text.as_bytes().get(end) {
        match byte {
            b'"' => end = end_of_string(text, end) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return end,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        end += 1;
        if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
            return end;
        }
    }
    text.len()
}

/// The text of a string literal, borrowed where nothing is escaped.
pub(super) fn decoded(literal: &str) -> Option<std::borrow::Cow<'_, str>> {
    let inside = literal.get(1..literal.len().checked_sub(1)?)?;
    if inside.contains('\\') {
        serde_json::from_str::<String>(literal).ok().map(Into::into)
    } else {
        Some(inside.into())
    }
}
