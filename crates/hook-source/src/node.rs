//! Values that know where they stand, whatever language they are written in.

use std::{fmt, ops::Range};

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The bytes it is written as, quotes and brackets included.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written; a whole number of TOML in decimal digits.
    Number(String),
    /// A string, with escapes resolved.
    Text(String),
    /// An array.
    List(Vec<Node>),
    /// An object: its fields in the order of the text, those that stand twice included.
    Table(Vec<Member>),
    /// A date or a time.
    Time,
    /// An array or an object that is nested deeper than was asked for, and was not opened.
    Folded(Kind),
    /// A string with half of a surrogate pair, or an object with such a key.
    NotUnicode {
        /// [`Kind::String`] or [`Kind::Object`].
        kind: Kind,
        /// Where in the text that was noticed, in bytes.
        noticed: usize,
    },
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its name, with escapes resolved.
    pub name: String,
    /// The bytes the name is written as.
    pub span: Range<usize>,
    /// Its value.
    pub node: Node,
}

/// The types that a value can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
    /// A date or a time
    Time,
}

impl Node {
    pub(crate) const fn new(span: Range<usize>, value: Value) -> Self {
        Self { span, value }
    }

    /// Its type, known also of what was not opened.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match &self.value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::String,
            Value::List(_) => Kind::Array,
            Value::Table(_) => Kind::Object,
            Value::Time => Kind::Time,
            Value::Folded(kind) | Value::NotUnicode { kind, .. } => *kind,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The string, if it is one.
    #[must_use]
    pub const fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value {
            Some(text.as_str())
        } else {
            None
        }
    }

    /// `true` or `false`, if it is one of them.
    #[must_use]
    pub const fn flag(&self) -> Option<bool> {
        if let Value::Bool(flag) = self.value {
            Some(flag)
        } else {
            None
        }
    }

    /// The number as it is written, if it is one.
    #[must_use]
    pub const fn number(&self) -> Option<&str> {
        if let Value::Number(number) = &self.value {
            Some(number.as_str())
        } else {
            None
        }
    }

    /// The whole number that it is, as a person writes one: `5.0` and `5e3` are none.
    #[must_use]
    pub fn whole(&self) -> Option<u64> {
        let number = self.number()?;
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse().ok().filter(|_| digits)
    }

    /// The elements of an array that was opened.
    #[must_use]
    pub const fn list(&self) -> Option<&[Self]> {
        if let Value::List(list) = &self.value {
            Some(list.as_slice())
        } else {
            None
        }
    }

    /// The fields of an object that was opened.
    #[must_use]
    pub const fn members(&self) -> Option<&[Member]> {
        if let Value::Table(members) = &self.value {
            Some(members.as_slice())
        } else {
            None
        }
    }

    /// A field of an object; the first of that name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members()?.iter().find(|member| member.name == name)
    }

    /// The value of a field of an object; the first of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.member(name).map(|member| &member.node)
    }

    /// Its first byte, which is a bracket or a quote where it is no word: what is missing in it is told there.
    #[must_use]
    pub const fn start(&self) -> Range<usize> {
        let end = if self.span.end > self.span.start {
            self.span.start + 1
        } else {
            self.span.start
        };
        self.span.start..end
    }
}

impl Kind {
    /// The type of a value of JSON, told by its first byte.
    #[must_use]
    pub const fn of_json(first: Option<u8>) -> Self {
        match first {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }

    /// The type with its article: `a boolean`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::Time => "a date or a time",
        }
    }

    /// The same for readers of files that are no programmers': `true or false` for a boolean.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        if matches!(self, Self::Boolean) {
            "true or false"
        } else {
            self.as_str()
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
