//! One pass over text that is known to be JSON: compact form, and what gives it a second reading.
//!
//! It knows the grammar only as far as finding strings, numbers and brackets needs; that the text
//! is JSON is `serde_json`'s word.

use std::{borrow::Cow, collections::HashSet};

use memchr::memchr2;

use super::error::{JsonError, JsonErrorKind, Position};

/// How deep arrays and objects may be nested; `serde_json` parses no deeper.
///
/// ```
/// use hook_contract::{Json, json::{JsonErrorKind, MAX_DEPTH}};
///
/// let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
/// assert!(Json::parse(&nested(MAX_DEPTH)).is_ok());
/// assert_eq!(Json::parse(&nested(MAX_DEPTH + 1)).unwrap_err().kind(), &JsonErrorKind::TooDeep);
/// ```
pub const MAX_DEPTH: usize = 127;

/// Keys under which `serde_json` hides a number or a raw value when it talks to itself. Depending on
/// the features some crate of the program switched on, an object with such a key is read as what is
/// hidden in it.
const RESERVED_KEYS: [&str; 2] = ["$serde_json::private::Number", RAW_VALUE_KEY];

/// The name under which `serde_json` hands over the raw text of a value.
pub(super) const RAW_VALUE_KEY: &str = "$serde_json::private::RawValue";

/// How many keys of one object are compared with each other before a set is made.
const FEW_KEYS: usize = 8;

/// The compact form of `text`: no white space outside strings, everything else as it was written.
///
/// `text` must be one JSON value without white space around it.
///
/// # Errors
///
/// When the value has more than one reading, or cannot be held: every kind but `Syntax`.
pub(super) fn compact(text: &str) -> Result<Cow<'_, str>, JsonError> {
    let mut scan = Scan {
        text,
        at: 0,
        open: Vec::new(),
        copied_to: 0,
        copy: String::new(),
    };
    scan.run()?;
    Ok(if scan.copy.is_empty() {
        Cow::Borrowed(text)
    } else {
        scan.copy
            .push_str(text.get(scan.copied_to..).unwrap_or_default());
        Cow::Owned(scan.copy)
    })
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open<'a>>,
    copied_to: usize,
    copy: String,
}

/// An array or object whose end has not been reached.
enum Open<'a> {
    Array,
    Object { keys: Keys<'a>, key_is_next: bool },
}

impl<'a> Scan<'a> {
    fn run(&mut self) -> Result<(), JsonError> {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.leave_out(),
                b'"' => self.string()?,
                b'-' | b'0'..=b'9' => self.number()?,
                _ => self.punctuation(byte)?,
            }
        }
        Ok(())
    }

    /// Leaves the white space at hand out of the compact form.
    fn leave_out(&mut self) {
        let kept = self.text.get(self.copied_to..self.at);
        self.copy.push_str(kept.unwrap_or_default());
        self.at += 1;
        self.copied_to = self.at;
    }

    fn punctuation(&mut self, byte: u8) -> Result<(), JsonError> {
        match (byte, self.open.last_mut()) {
            (b'[', _) => self.push(Open::Array)?,
            (b'{', _) => self.push(Open::Object {
                keys: Keys::default(),
                key_is_next: true,
            })?,
            (b']' | b'}', _) => drop(self.open.pop()),
            (b',', Some(Open::Object { key_is_next, .. })) => *key_is_next = true,
            _ => {}
        }
        self.at += 1;
        Ok(())
    }

    fn push(&mut self, open: Open<'a>) -> Result<(), JsonError> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.error(JsonErrorKind::TooDeep, self.at));
        }
        self.open.push(open);
        Ok(())
    }

    fn string(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        let mut escaped = false;
        let mut end = start + 1;
        // A closing quote is always found: the text is JSON.
        while let Some(found) = memchr2(b'"', b'\\', self.text.as_bytes().get(end..).unwrap_or(&[]))
        {
            end += found + 1;
            if self.text.as_bytes().get(end - 1) == Some(&b'"') {
                break;
            }
            escaped = true;
            end += 1;
        }
        self.at = end;
        let literal = self.text.get(start..end).unwrap_or_default();
        let content = if escaped {
            let decoded = serde_json::from_str::<String>(literal)
                .map_err(|_lone_surrogate| self.error(JsonErrorKind::NotUnicode, start))?;
            Cow::Owned(decoded)
        } else {
            Cow::Borrowed(literal.get(1..literal.len() - 1).unwrap_or_default())
        };
        let Some(Open::Object { keys, key_is_next }) = self.open.last_mut() else {
            return Ok(());
        };
        if !std::mem::take(key_is_next) {
            return Ok(());
        }
        if RESERVED_KEYS.contains(&content.as_ref()) {
            let key = content.into_owned();
            return Err(self.error(JsonErrorKind::ReservedKey { key }, start));
        }
        if let Err(key) = keys.insert(content) {
            let key = key.chars().take(100).collect();
            return Err(self.error(JsonErrorKind::DuplicateKey { key }, start));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
            .unwrap_or(rest.len());
        let number = rest.get(..length).unwrap_or_default();
        // Only a long number or one with an exponent can be out of range. serde_json is asked itself, because a value
        // it refuses must be refused here.
        let may_overflow = length > 300 || number.contains(['e', 'E']);
        if may_overflow && serde_json::from_str::<f64>(number).is_err() {
            return Err(self.error(JsonErrorKind::NumberOutOfRange, self.at));
        }
        self.at += length;
        Ok(())
    }

    fn error(&self, kind: JsonErrorKind, offset: usize) -> JsonError {
        JsonError::new(kind, Position::at(self.text, offset))
    }
}

/// The keys of one object so far. Most objects are small, and comparing a few short keys is cheaper
/// than hashing them.
#[derive(Default)]
struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    many: HashSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    /// Adds a key; gives it back when it is already there.
    fn insert(&mut self, key: Cow<'a, str>) -> Result<(), Cow<'a, str>> {
        if self.few.contains(&key) || self.many.contains(&key) {
            return Err(key);
        }
        if self.few.len() < FEW_KEYS {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        Ok(())
    }
}
