//! One thing that is wrong, or odd, in what a person wrote.

use std::{fmt, ops::Range};

use hook_contract::json::Position;
use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use crate::Shown;

/// One thing that is wrong, or odd, in a text that a person wrote.
///
/// Shown as `line:column: subject: what is wrong; what to write`; a warning says so before its subject, and notes follow in
/// brackets. As JSON it is an object for an editor or a host, with byte offsets and with lines and columns from 1.
///
/// ```
/// use hook_source::Diagnostic;
///
/// let problem = Diagnostic::error("empty_name", "the name is empty").with_help("name the hook");
/// assert_eq!(problem.to_string(), "the name is empty; name the hook");
/// assert_eq!(problem.code, "empty_name");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One word for what it is, for programs; it stays when the message changes.
    pub code: &'static str,
    /// What is wrong, on one line.
    pub message: String,
    /// What to write or to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What else there is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Where it is; nothing when it is about the text as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Which part of the file it is in, where that has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "what shows diagnostics must tell them apart"
)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// It is allowed, and probably not meant.
    Warning,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The bytes that are meant; within the text, and between characters.
    pub span: Range<usize>,
    /// Line and column of the first of them.
    pub position: Position,
}

/// Which part of a file a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Subject {
    /// An entry of a list. Shown by its name, else by its number: hook `guard`, `hooks[0]`.
    #[non_exhaustive]
    Entry {
        /// What one entry is called: `hook`.
        one: &'static str,
        /// The field that holds the list: `hooks`.
        list: &'static str,
        /// Which entry it is, from 0.
        index: usize,
        /// Its name, where it has a readable one.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A part that is named by the way to it: `PreToolUse[0].hooks[1]`.
    Part(String),
}

impl Diagnostic {
    /// Something for which the file cannot be used.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            help: None,
            notes: Vec::new(),
            place: None,
            subject: None,
        }
    }

    /// Something that is allowed, and probably not meant.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, message)
        }
    }

    /// A field holds a word that is not of its closed vocabulary.
    ///
    /// `nearest` is the word that was probably meant, `known` every word that the field takes.
    ///
    /// ```
    /// use hook_source::{Diagnostic, nearest};
    ///
    /// let known = ["deny", "allow"];
    /// let told = Diagnostic::unknown_word("on_failure", "alow", nearest("alow", &known), &known);
    /// assert_eq!(
    ///     told.sentence(),
    ///     r#"`on_failure` cannot be "alow"; did you mean "allow"? The field may be "deny" or "allow""#
    /// );
    /// ```
    #[must_use]
    pub fn unknown_word(field: &str, found: &str, nearest: Option<&str>, known: &[&str]) -> Self {
        let known: Vec<_> = known.iter().map(|word| format!("\"{word}\"")).collect();
        let known = known.join(" or ");
        let help = match nearest {
            Some(nearest) => format!("did you mean \"{nearest}\"? The field may be {known}"),
            None => format!("write {known}"),
        };
        let message = format!("`{field}` cannot be \"{}\"", Shown(found));
        Self::error("unknown_word", message).with_help(help)
    }

    /// The same, with what to write instead.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// The same, with one more thing to know.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same, at these bytes of the text. What does not stand in the text, or divides a character, is moved.
    #[must_use]
    pub fn at(self, text: &str, span: Range<usize>) -> Self {
        let position = Position::at(text, span.start);
        let start = position.offset;
        let end = Position::at(text, span.end.max(start)).offset;
        Self {
            place: Some(Place {
                span: start..end,
                position,
            }),
            ..self
        }
    }

    /// The same, about that part of the file.
    #[must_use]
    pub fn about(self, subject: Subject) -> Self {
        Self {
            subject: Some(subject),
            ..self
        }
    }

    /// What is wrong and what to write, without the place.
    #[must_use]
    pub fn sentence(&self) -> String {
        match &self.help {
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// The line and column where it begins, where it has a place.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.place.as_ref().map(|place| place.position)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column, .. }) = self.position() {
            write!(f, "{line}:{column}: ")?;
        }
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        if let Some(subject) = &self.subject {
            write!(f, "{subject}: ")?;
        }
        f.write_str(&self.sentence())?;
        for note in &self.notes {
            write!(f, " ({note})")?;
        }
        Ok(())
    }
}

impl Severity {
    /// The word for it: `error` or `warning`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Place {
    pub(crate) const fn new(span: Range<usize>, position: Position) -> Self {
        Self { span, position }
    }
}

/// `start` and `end` count bytes; `line` and `column` count lines and characters from 1.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut place = serializer.serialize_struct("Place", 4)?;
        place.serialize_field("start", &self.span.start)?;
        place.serialize_field("end", &self.span.end)?;
        place.serialize_field("line", &self.position.line)?;
        place.serialize_field("column", &self.position.column)?;
        place.end()
    }
}

impl Subject {
    /// An entry of a list.
    #[must_use]
    pub const fn entry(
        one: &'static str,
        list: &'static str,
        index: usize,
        name: Option<String>,
    ) -> Self {
        Self::Entry {
            one,
            list,
            index,
            name,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry {
                one,
                name: Some(name),
                ..
            } => write!(f, "{one} `{}`", Shown(name)),
            Self::Entry { list, index, .. } => write!(f, "{list}[{index}]"),
            Self::Part(part) => write!(f, "{}", Shown(part)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_is_one_line_for_a_person() {
        let problem = Diagnostic::error("misspelt_field", "unknown field `tool`")
            .with_help("write `tools`")
            .at("{\n \"tool\": 1}", 3..9)
            .about(Subject::entry("hook", "hooks", 0, Some("a\u{1b}b".into())));
        assert_eq!(
            problem.to_string(),
            "2:2: hook `a\\u{1b}b`: unknown field `tool`; write `tools`"
        );
        let odd = Diagnostic::warning("never_asked", "it is never asked")
            .with_note("Codex ignores it")
            .about(Subject::Part("Stop[0]".into()));
        assert_eq!(
            odd.to_string(),
            "warning: Stop[0]: it is never asked (Codex ignores it)"
        );
        let unnamed = Subject::entry("hook", "hooks", 3, None);
        assert_eq!(unnamed.to_string(), "hooks[3]");
    }

    #[test]
    fn a_diagnostic_is_an_object_for_an_editor() {
        let problem = Diagnostic::error("empty", "the file is empty")
            .with_note("n")
            .at("ä", 0..9)
            .about(Subject::entry("hook", "hooks", 1, None));
        let expected = serde_json::json!({
            "severity": "error", "code": "empty", "message": "the file is empty", "notes": ["n"],
            "place": {"start": 0, "end": 2, "line": 1, "column": 1},
            "subject": {"entry": {"one": "hook", "list": "hooks", "index": 1}},
        });
        assert_eq!(serde_json::to_value(problem).expect("JSON"), expected);
    }
}
