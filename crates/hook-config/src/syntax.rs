//! Where a text stops being JSON, and what to do about it.

use std::ops::Range;

use hook_contract::json::Position;

/// Where a text stops being JSON, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxFault {
    /// The bytes that are meant; empty at the end of a text that ends too early.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl SyntaxFault {
    /// What `error` says about `text`, in the words of somebody who wrote it by hand.
    #[must_use]
    pub fn of(text: &str, error: &serde_json::Error) -> Self {
        let full = error.to_string();
        let message = full.split(" at line ").next().unwrap_or_default();
        let fault = |span, message: &str, help| Self {
            span,
            message: message.to_owned(),
            help,
        };
        if error.is_eof() {
            let end = text.trim_end().len();
            let help = "the file ends too early; restore the rest of it";
            return fault(end..end, message, help);
        }
        let start = Position::of_error(text, error).offset;
        let (before, rest) = text.split_at_checked(start).unwrap_or_default();
        let before = before.trim_end();
        let next = rest.chars().next();
        if before.ends_with(',') && matches!(next, Some(']' | '}')) {
            let comma = before.len() - 1;
            let message = "a comma with nothing after it";
            return fault(comma..comma + 1, message, "remove the comma");
        }
        let help = match next {
            Some('/' | '#') => "remove the comment, JSON has none",
            Some('\'') => "write strings in double quotes",
            _ => "correct the text there",
        };
        let span = start..start + next.map_or(0, char::len_utf8);
        fault(span, message, help)
    }
}
