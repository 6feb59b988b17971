//! Why what a program printed is not an answer, said to the author of the program.

use std::fmt;

use hook_contract::json::{JsonErrorKind, Position};
use thiserror::Error;

use crate::{
    Decision,
    quote::{QUOTE_CHARS, quote, shown},
};

/// What a program printed is not an answer.
///
/// The text says what to change and quotes what was printed. The quote may hold what the tool was given or returned:
/// show [`kind`](Self::kind) alone to whoever must not see that.
///
/// ```
/// let error = hook_wire::decode_response(br#"["allow"]"#).unwrap_err();
/// let kind = r#"it printed an array where an object is expected; print {"decision":"allow"} to agree"#;
/// assert_eq!(error.kind().to_string(), kind);
/// assert_eq!(error.to_string(), format!(r#"{kind} (printed: `["allow"]`)"#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct DecodeError {
    kind: DecodeErrorKind,
    printed: String,
}

impl DecodeError {
    pub(crate) fn new(kind: DecodeErrorKind, printed: &[u8]) -> Self {
        let printed = quote(printed, QUOTE_CHARS);
        Self { kind, printed }
    }

    /// For whoever reads from the program: it printed more than `limit` bytes, beginning with `start`.
    ///
    /// ```
    /// let error = hook_wire::DecodeError::too_large(8, b"\"aaaaaaaa");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "it printed more than the 8 bytes that are allowed; print a shorter answer (printed: `\"aaaaaaaa…`)"
    /// );
    /// ```
    #[must_use]
    pub fn too_large(limit: usize, start: &[u8]) -> Self {
        let (mut printed, _) = shown(start, QUOTE_CHARS);
        printed.push('…');
        Self {
            kind: DecodeErrorKind::TooLarge { limit },
            printed,
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &DecodeErrorKind {
        &self.kind
    }

    /// The start of what was printed: at most 200 characters, marked when that is not all, with control characters
    /// escaped.
    #[must_use]
    pub fn printed(&self) -> &str {
        &self.printed
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if let DecodeErrorKind::Empty { .. } = self.kind {
            return Ok(());
        }
        write!(f, " (printed: `{}`)", self.printed)
    }
}

/// The ways in which something printed is not an answer. Every one is the hook program's to correct.
///
/// Words, keys and texts taken from what was printed are cut to a stated length and harmless to print.
///
/// ```
/// use hook_wire::{Decision, DecodeErrorKind, decode_response};
///
/// let error = decode_response(br#"{"decision":"alow"}"#).unwrap_err();
/// let DecodeErrorKind::UnknownDecision { word, nearest, .. } = error.kind() else { unreachable!() };
/// assert_eq!((word.as_str(), *nearest), ("alow", Some(Decision::Allow)));
///
/// let error = decode_response(b"\n").unwrap_err();
/// assert!(matches!(error.kind(), DecodeErrorKind::Empty { white_space: true, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// Nothing was printed. A program that crashed before it printed looks the same, so this is no consent.
    #[error(
        "it printed {}; print {{\"decision\":\"allow\"}} to agree",
        if *white_space { "only white space" } else { "nothing" }
    )]
    #[non_exhaustive]
    Empty {
        /// Whether there was white space.
        white_space: bool,
    },
    /// A byte is not UTF-8.
    #[error(
        "byte {offset} of what it printed is not UTF-8; print UTF-8{}",
        if *utf16 { " (this looks like UTF-16, which PowerShell writes unless told otherwise)" } else { "" }
    )]
    #[non_exhaustive]
    NotUtf8 {
        /// How many bytes come before it.
        offset: usize,
        /// Whether it begins with the byte order mark of UTF-16.
        utf16: bool,
    },
    /// It is not JSON.
    #[error("it stops being JSON at {position}: {problem}; {hint}")]
    #[non_exhaustive]
    NotJson {
        /// What the parser found.
        problem: String,
        /// Where.
        position: Position,
        /// What to do about it.
        hint: NotJsonHint,
    },
    /// More came after the first object.
    #[error(
        "one object is expected, and after the first came {} at {position}: `{rest}`; print one object, and anything \
         else on stderr",
        if *object { "another" } else { "more text" }
    )]
    #[non_exhaustive]
    TrailingText {
        /// What came after it, cut to 60 characters.
        rest: String,
        /// Where it begins.
        position: Position,
        /// Whether it looks like another object.
        object: bool,
    },
    /// It is JSON, but no object.
    #[error(
        "it printed {found} where an object is expected; print {{\"decision\":\"allow\"}} to agree"
    )]
    #[non_exhaustive]
    NotAnObject {
        /// What it is, with its article.
        found: &'static str,
    },
    /// The object has no `decision`.
    #[error(
        "there is no `decision`{}; it is one of `allow`, `deny`, `ask`, `modify` and `replace`",
        Similar(similar.as_deref())
    )]
    #[non_exhaustive]
    MissingDecision {
        /// A key that may have been meant, cut to 60 characters.
        similar: Option<String>,
    },
    /// The decision is another word.
    #[error("`{word}` is no decision{}; it is one of `allow`, `deny`, `ask`, `modify` and `replace`, spelt exactly so", Meant(*nearest))]
    #[non_exhaustive]
    UnknownDecision {
        /// The word, cut to 60 characters.
        word: String,
        /// What was most likely meant.
        nearest: Option<Decision>,
    },
    /// It is what a hook written for Claude Code prints.
    #[error(
        "{sign} looks like a Claude Code hook; declare such a hook in .claude/settings.json, not in .basis/hooks.json, \
         or print {}",
        Instead(*nearest)
    )]
    #[non_exhaustive]
    ClaudeCode {
        /// What it was recognised by.
        sign: String,
        /// The decision that comes nearest, where one does.
        nearest: Option<Decision>,
    },
    /// A field has the wrong type.
    #[error("`{field}` is {found}; it must be {expected}")]
    #[non_exhaustive]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it is, with its article.
        found: &'static str,
        /// What it must be, with its article.
        expected: &'static str,
    },
    /// A rewrite without what it rewrites to.
    #[error("`{decision}` needs `{field}`, and there is none{}; {}", Similar(similar.as_deref()), Needs(field))]
    #[non_exhaustive]
    MissingField {
        /// The decision.
        decision: Decision,
        /// The field that it needs.
        field: &'static str,
        /// A key that may have been meant, cut to 60 characters.
        similar: Option<String>,
    },
    /// The new input is not an object.
    #[error(
        "`input` is {found}; it must be an object, the whole new input of the tool{}",
        if *encoded_twice { " (the string holds JSON: it was encoded twice)" } else { "" }
    )]
    #[non_exhaustive]
    InputNotAnObject {
        /// What it is, with its article.
        found: &'static str,
        /// Whether it is a string with an object in it.
        encoded_twice: bool,
    },
    /// An object has a key twice, so the answer can be read two ways.
    #[error("the key `{key}` stands twice in one object, again at {position}; print it once")]
    #[non_exhaustive]
    DuplicateKey {
        /// The key, cut to 60 characters.
        key: String,
        /// Where it stands again.
        position: Position,
    },
    /// A field holds something that cannot be passed on as it was written.
    #[error(
        "`{field}` cannot be passed on as it was written: {problem} at {position}; print something simpler"
    )]
    #[non_exhaustive]
    Unreadable {
        /// The field, cut to 60 characters.
        field: String,
        /// What is wrong with it.
        problem: JsonErrorKind,
        /// Where.
        position: Position,
    },
    /// It printed more than whoever read it accepts.
    #[error("it printed more than the {limit} bytes that are allowed; print a shorter answer")]
    #[non_exhaustive]
    TooLarge {
        /// How many bytes are accepted.
        limit: usize,
    },
}

impl DecodeErrorKind {
    /// What is wrong, in words of which none was printed by the program.
    ///
    /// For the model: what a program printed by mistake may be the very secret it was asked to take out.
    ///
    /// ```
    /// let error = hook_wire::decode_response(b"token: hunter2").unwrap_err();
    /// assert_eq!(error.kind().summary(), "what it printed is not JSON");
    /// ```
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "it printed nothing, and silence is not consent",
            Self::NotUtf8 { .. } => "what it printed is not UTF-8",
            Self::NotJson { .. } => "what it printed is not JSON",
            Self::TrailingText { .. } => "it printed more than one object",
            Self::NotAnObject { .. } => "what it printed is not a JSON object",
            Self::MissingDecision { .. } => "what it printed has no `decision`",
            Self::UnknownDecision { .. } => {
                "its `decision` is none of `allow`, `deny`, `ask`, `modify` and `replace`"
            }
            Self::ClaudeCode { .. } => "it answers like a hook for Claude Code",
            Self::WrongType { .. } => "a field of its answer has the wrong type",
            Self::MissingField { .. } => "its rewrite lacks what it rewrites to",
            Self::InputNotAnObject { .. } => "the input it rewrites to is not an object",
            Self::DuplicateKey { .. } => "its answer has the same key twice",
            Self::Unreadable { .. } => {
                "a value in its answer cannot be passed on as it was written"
            }
            Self::TooLarge { .. } => "it printed more than is allowed",
        }
    }
}

/// What the author of a program that printed something else than JSON should do.
///
/// ```
/// use hook_wire::{DecodeErrorKind, NotJsonHint, decode_response};
///
/// let error = decode_response(b"{'decision': 'allow'}").unwrap_err();
/// let DecodeErrorKind::NotJson { hint, .. } = error.kind() else { unreachable!() };
/// assert_eq!(*hint, NotJsonHint::Python);
/// assert_eq!(hint.to_string(), "this is how Python shows a value; write it with json.dumps");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotJsonHint {
    /// There is text before an object, as a log line or a greeting of the shell is.
    Log,
    /// It is one bare word.
    Word(Option<Decision>),
    /// It is how Python writes a value, not how JSON does.
    Python,
    /// A number is no number.
    NotANumber,
    /// It ends in the middle.
    CutShort,
    /// Nothing in particular.
    Other,
}

impl fmt::Display for NotJsonHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log => f.write_str(
                "stdout is for the answer alone; logs and whatever a shell profile prints belong on stderr",
            ),
            Self::Word(nearest) => write!(f, "a bare word is no answer; print {}", Instead(*nearest)),
            Self::Python => f.write_str("this is how Python shows a value; write it with json.dumps"),
            Self::NotANumber => f.write_str("JSON has no NaN and no Infinity; leave the field out or write null"),
            Self::CutShort => f.write_str("it ends in the middle; print the whole object before the program ends"),
            Self::Other => f.write_str("print one JSON object, best written by a JSON library"),
        }
    }
}

/// An answer to print instead.
struct Instead(Option<Decision>);

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agree = r#"{"decision":"allow"}"#;
        let object = r#"{"decision":"deny","reason":"…"}"#;
        match self.0 {
            Some(Decision::Allow) => f.write_str(agree),
            Some(Decision::Deny) => f.write_str(object),
            Some(Decision::Ask) => f.write_str(r#"{"decision":"ask","reason":"…"}"#),
            Some(decision) => write!(f, "an object with the decision `{decision}`"),
            None => write!(f, "{agree} or {object}"),
        }
    }
}

/// The key that was perhaps meant.
struct Similar<'a>(Option<&'a str>);

impl fmt::Display for Similar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |key| write!(f, " (there is `{key}`)"))
    }
}

/// The word that was perhaps meant.
struct Meant(Option<Decision>);

impl fmt::Display for Meant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |nearest| {
            write!(f, " (perhaps `{nearest}` is meant)")
        })
    }
}

/// What the missing field is for.
struct Needs<'a>(&'a str);

impl fmt::Display for Needs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            "input" => "add the whole new input of the tool, or print {\"decision\":\"allow\"} to leave it as it is",
            _ => "add the whole new result, or print {\"decision\":\"allow\"} to leave it as it is",
        })
    }
}
