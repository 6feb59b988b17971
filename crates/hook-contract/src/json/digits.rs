//! Giving a value that went through in-process code its digits back.
//!
//! An interceptor reads a `Value`, changes one field and returns it. The numbers it did not touch
//! were rounded when the `Value` was made; here they get the digits they had.

use std::collections::HashMap;

use serde_json::{Value, value::RawValue};
use thiserror::Error;

use super::{Json, Members};

/// A number lost digits beyond 64 bits on its way through in-process code, and they cannot be given back.
///
/// Either two numbers that differ only in such digits were moved, and cannot be told apart any more; or the value
/// holds something else that no text can say in one way, such as a key that `serde_json` reserves.
/// Return the rewrite as exact text instead, with [`Json::parse`].
///
/// ```
/// use hook_contract::Json;
/// use serde_json::json;
///
/// let original = Json::parse("[10000000000000000000001, 10000000000000000000002]")?;
/// let moved = Json::from(json!({"id": original[1]}));
/// // A program that switches `arbitrary_precision` of `serde_json` on loses no digits.
/// if let Err(lost) = moved.with_digits_of(&original) {
///     assert_eq!(lost.rounded.parse(), Ok(1e22), "both numbers look like this in the process");
/// }
/// # Ok::<(), hook_contract::json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the number {rounded} had more digits than 64 bits can hold, and the rewrite leaves no way to tell which; return \
     exact text with Json::parse"
)]
#[non_exhaustive]
pub struct DigitsLost {
    /// The number as in-process code saw it.
    pub rounded: String,
}

impl Json {
    /// This value with the digits of `original` in every number that was carried over from it.
    ///
    /// A value read from text has its own digits and comes back as it is. In a value made in the
    /// process, a number takes the digits of the number at the same place in `original` when it is
    /// that number, or of the only number of `original` that looks like it in the process.
    ///
    /// ```
    /// use hook_contract::Json;
    ///
    /// let original = Json::parse(r#"{"id":12345678901234567890123,"force":true}"#).unwrap();
    /// let mut rewrite = original.value().clone();
    /// rewrite["force"] = false.into();
    /// let exact = Json::from(rewrite).with_digits_of(&original).unwrap();
    /// assert_eq!(exact, Json::parse(r#"{"id":12345678901234567890123,"force":false}"#).unwrap());
    /// ```
    ///
    /// # Errors
    ///
    /// When two numbers that look alike in the process were moved, so that nobody can know which is
    /// which; or when there are digits to give back and the value is one that [`parse`](Self::parse)
    /// refuses.
    pub fn with_digits_of(self, original: &Self) -> Result<Self, DigitsLost> {
        if self.is_exact() || !original.is_exact() {
            return Ok(self);
        }
        let mut rounded = Rounded::default();
        rounded.collect(original.text());
        if !rounded.any {
            return Ok(self);
        }
        let mut out = Exact::default();
        rounded.write(&mut out, self.value(), Some(original.text()))?;
        match (Self::parse(&out.text), out.restored) {
            (Ok(exact), _) => Ok(exact.seen_as(self.value())),
            // A value made in the process may hold what no text can say in one way. With no digits to give back it
            // stays as it was made.
            (Err(_), None) => Ok(self),
            (Err(_), Some(rounded)) => Err(DigitsLost { rounded }),
        }
    }
}

/// The numbers of a text: how in-process code sees them, and how they were written; nothing when
/// several were written differently.
#[derive(Default)]
struct Rounded {
    written: HashMap<String, Option<String>>,
    /// Whether in-process code sees any of them with other digits.
    any: bool,
}

/// The exact text so far, and the first number in it that got its digits back, as in-process code sees it.
#[derive(Default)]
struct Exact {
    text: String,
    restored: Option<String>,
}

impl Rounded {
    fn collect(&mut self, text: &str) {
        match text.as_bytes().first() {
            Some(b'{') => members(text).for_each(|(_, value)| self.collect(value)),
            Some(b'[') => elements(text)
                .iter()
                .for_each(|value| self.collect(value.get())),
            Some(b'-' | b'0'..=b'9') => {
                // A number that was not rounded counts too: a rounded one may look like it.
                if let Some(seen) = seen(text) {
                    self.any |= seen != text;
                    let written = self.written.entry(seen);
                    let written = written.or_insert_with(|| Some(text.to_owned()));
                    *written = written.take().filter(|written| written == text);
                }
            }
            _ => {}
        }
    }

    /// Writes `value`; `original` is the text at the same place, where there is one.
    fn write(
        &self,
        out: &mut Exact,
        value: &Value,
        original: Option<&str>,
    ) -> Result<(), DigitsLost> {
        match value {
            Value::Object(map) => {
                let before: HashMap<_, _> = original
                    .filter(|text| text.starts_with('{'))
                    .map(|text| members(text).collect())
                    .unwrap_or_default();
                let mut separator = '{';
                for (name, value) in map {
                    out.text.push(std::mem::replace(&mut separator, ','));
                    out.text.push_str(&Value::from(name.as_str()).to_string());
                    out.text.push(':');
                    self.write(out, value, before.get(name).copied())?;
                }
                out.text.push_str(if map.is_empty() { "{}" } else { "}" });
            }
            Value::Array(values) => {
                // In an array of another length nothing says which element was which.
                let before = original
                    .filter(|text| text.starts_with('['))
                    .map(elements)
                    .filter(|before| before.len() == values.len())
                    .unwrap_or_default();
                let mut separator = '[';
                for (index, value) in values.iter().enumerate() {
                    out.text.push(std::mem::replace(&mut separator, ','));
                    self.write(out, value, before.get(index).map(|raw| raw.get()))?;
                }
                out.text
                    .push_str(if values.is_empty() { "[]" } else { "]" });
            }
            Value::Number(number) => {
                let shown = number.to_string();
                let in_place = original.filter(|text| seen(text).as_deref() == Some(&shown));
                let written = match (in_place, self.written.get(&shown)) {
                    (Some(written), _) => written,
                    (None, Some(Some(written))) => written,
                    (None, Some(None)) => return Err(DigitsLost { rounded: shown }),
                    (None, None) => &shown,
                };
                out.text.push_str(written);
                if *written != shown {
                    out.restored.get_or_insert(shown);
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {
                out.text.push_str(&value.to_string());
            }
        }
        Ok(())
    }
}

/// How in-process code sees the number written so; nothing when it is no number.
fn seen(text: &str) -> Option<String> {
    serde_json::from_str::<serde_json::Number>(text)
        .ok()
        .map(|number| number.to_string())
}

fn members(text: &str) -> impl Iterator<Item = (String, &str)> {
    let members = serde_json::from_str::<Members<'_>>(text).ok();
    members
        .into_iter()
        .flatten()
        .map(|member| (member.name.into_owned(), member.value))
}

fn elements(text: &str) -> Vec<&RawValue> {
    serde_json::from_str(text).unwrap_or_default()
}
