//! Why a text is not a JSON value with one reading, and where.

use std::fmt;

use thiserror::Error;

/// A place in a text, counted the way editors count.
///
/// ```
/// use hook_contract::json::Position;
///
/// let text = "{\n  \"command\": \"ls\"\n}";
/// let position = Position::of(text, &text[4..]);
/// assert_eq!(position.to_string(), "line 2, column 3");
/// assert_eq!(position.offset, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Position {
    /// Bytes before the place.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Position {
    /// The place that many bytes into `text`; an offset inside a character or past the end is moved back.
    ///
    /// ```
    /// use hook_contract::json::Position;
    ///
    /// let position = Position::at("{\n  \"ä\": 1}", 8);
    /// assert_eq!((position.line, position.column), (2, 6));
    /// ```
    #[must_use]
    pub fn at(text: &str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            offset,
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }

    /// Where `part` begins in `text`, when it is a slice of it; the start of the text otherwise.
    #[must_use]
    pub fn of(text: &str, part: &str) -> Self {
        let offset = (part.as_ptr() as usize)
            .checked_sub(text.as_ptr() as usize)
            .filter(|offset| offset + part.len() <= text.len());
        Self::at(text, offset.unwrap_or(0))
    }

    /// Where in `text` this error stopped reading.
    #[must_use]
    pub fn of_error(text: &str, error: &serde_json::Error) -> Self {
        let line_start = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        // serde_json counts the bytes of the line that it has read, the offending one included.
        Self::at(text, line_start + error.column().saturating_sub(1))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a text is not a [`Json`](super::Json), and where it stops being one.
///
/// ```
/// use hook_contract::Json;
///
/// let error = Json::parse(r#"{"command":"ls","command":"rm -rf /"}"#).unwrap_err();
/// assert_eq!(error.to_string(), r#"the key "command" stands twice in one object at line 1, column 17"#);
/// assert!(error.is_ambiguous(), "two parsers read two commands");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind} at {position}")]
pub struct JsonError {
    kind: JsonErrorKind,
    position: Position,
}

impl JsonError {
    pub(super) const fn new(kind: JsonErrorKind, position: Position) -> Self {
        Self { kind, position }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }

    /// Where it is wrong.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Whether the text is well-formed JSON that two parsers can read as two different values.
    ///
    /// A repeated key is taken from the front or from the back, a reserved one is unwrapped or not; a
    /// number that is out of range is an infinity, the largest number or an error; and half of a
    /// surrogate pair is kept, replaced or refused. Nesting that is too deep has one reading for
    /// whoever can hold it, and text that is not JSON has none.
    #[must_use]
    pub const fn is_ambiguous(&self) -> bool {
        match self.kind {
            JsonErrorKind::DuplicateKey { .. }
            | JsonErrorKind::ReservedKey { .. }
            | JsonErrorKind::NumberOutOfRange
            | JsonErrorKind::NotUnicode => true,
            JsonErrorKind::Syntax(_) | JsonErrorKind::TooDeep => false,
        }
    }
}

/// The ways in which a text is not a [`Json`](super::Json).
///
/// ```
/// use hook_contract::{Json, json::JsonErrorKind};
///
/// let kind = |text| Json::parse(text).unwrap_err().kind().clone();
/// assert_eq!(kind("1e999"), JsonErrorKind::NumberOutOfRange);
/// assert_eq!(kind(r#""\ud800""#), JsonErrorKind::NotUnicode);
/// assert!(matches!(kind(r#"{"a":1,"a":2}"#), JsonErrorKind::DuplicateKey { key, .. } if key == "a"));
/// assert!(matches!(kind("{'a': 1}"), JsonErrorKind::Syntax { 0: problem, .. } if problem == "key must be a string"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// It is not JSON. Correct the text at the position.
    #[error("not JSON: {0}")]
    #[non_exhaustive]
    Syntax(String),
    /// Arrays and objects are nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH). Flatten the value.
    #[error("nested deeper than {} levels", super::MAX_DEPTH)]
    TooDeep,
    /// A number is too large for a 64-bit float, so most parsers refuse or change it.
    #[error("a number that is out of range")]
    NumberOutOfRange,
    /// A string holds half of a surrogate pair, which is no character.
    #[error("a string that is not valid Unicode")]
    NotUnicode,
    /// An object has the same key twice: one parser takes the first, another the last. Remove one.
    #[error("the key {key:?} stands twice in one object")]
    #[non_exhaustive]
    DuplicateKey {
        /// The key, cut to 100 characters.
        key: String,
    },
    /// A key that `serde_json` gives a meaning of its own: one parser sees an object there, another
    /// sees what is hidden inside it. Use another key.
    #[error("the key {key:?} is reserved by a JSON library, which reads something else there")]
    #[non_exhaustive]
    ReservedKey {
        /// The key.
        key: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters_from_one() {
        let text = "a\nbä\r\nc";
        let at = |offset| {
            let position = Position::at(text, offset);
            (position.offset, position.line, position.column)
        };
        assert_eq!(at(0), (0, 1, 1));
        assert_eq!(at(2), (2, 2, 1));
        assert_eq!(at(4), (3, 2, 2), "inside a character is its start");
        assert_eq!(at(7), (7, 3, 1));
        assert_eq!(at(99), (8, 3, 2), "past the end is the end");
    }

    #[test]
    fn a_slice_knows_where_it_stands() {
        let text = "first\nsecond";
        assert_eq!(Position::of(text, text.split_at(6).1).line, 2);
        assert_eq!(Position::of(text, "elsewhere").offset, 0);
    }

    #[test]
    fn a_syntax_error_is_found_at_the_offending_character() {
        let text = "{\n  \"ä\": nul }";
        let error = serde_json::from_str::<serde::de::IgnoredAny>(text).expect_err("not JSON");
        let position = Position::of_error(text, &error);
        assert_eq!((position.line, position.column), (2, 11));
    }
}
