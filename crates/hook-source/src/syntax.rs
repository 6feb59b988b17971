//! Where a text stops being what it should be, and what to do about it.

use std::ops::Range;

use hook_contract::json::{Position, parser_words};

/// Where a text stops being JSON or TOML, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxFault {
    /// The bytes that are meant; empty at the end of a text that ends too early.
    pub span: Range<usize>,
    /// What is wrong, in the words of a person and not of a parser.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
    /// What the parser says, without the place.
    pub said: String,
    /// Where the parser stopped, in bytes.
    pub stopped: usize,
}

impl SyntaxFault {
    /// What `error` says about `text`.
    #[must_use]
    pub fn of(text: &str, error: &serde_json::Error) -> Self {
        let said = parser_words(error);
        let stopped = Position::of_error(text, error).offset;
        let fault = |span, message: &str, help| Self {
            span,
            message: message.to_owned(),
            help,
            said: said.clone(),
            stopped,
        };
        if error.is_eof() {
            let end = text.trim_end().len();
            let help = "the file ends too early; restore the rest of it";
            return fault(end..end, &said, help);
        }
        let (before, rest) = text.split_at_checked(stopped).unwrap_or_default();
        let before = before.trim_end();
        let next = rest.chars().next();
        if before.ends_with(',') && matches!(next, Some(']' | '}')) {
            let comma = before.len() - 1;
            let span = comma..comma + 1;
            return fault(span, "a comma with nothing after it", "remove the comma");
        }
        let help = match next {
            Some('/' | '#') => "remove the comment, JSON has none",
            Some('\'') => "write strings in double quotes",
            _ => "correct the text there",
        };
        let span = stopped..stopped + next.map_or(0, char::len_utf8);
        fault(span, &said, help)
    }

    /// Where the parser stopped, in bytes, lines and characters.
    #[must_use]
    pub fn position(&self, text: &str) -> Position {
        Position::at(text, self.stopped)
    }
}
