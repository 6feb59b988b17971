//! Giving a value that went through in-process code its digits back.
//!
//! An interceptor reads a `Value`, changes one field and returns it. The numbers it did not touch
//! were rounded when the `Value` was made; here they get the digits they had.

use std::collections::HashMap;

use serde_json::{Value, value::RawValue};
use thiserror::Error;

use super::{Json, Members};

/// Two numbers that differ only in digits beyond 64 bits were moved, and cannot be told apart any more.
///
/// Return the rewrite as exact text instead, with [`Json::parse`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the number {rounded} stands for two numbers that differ beyond the precision of 64 bits, and the rewrite moved \
     one of them; return exact text with Json::parse"
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
    /// which.
    pub fn with_digits_of(self, original: &Self) -> Result<Self, DigitsLost> {
        if self.is_exact() || !original.is_exact() {
            return Ok(self);
        }
        let mut rounded = Rounded::default();
        rounded.collect(original.text());
        if !rounded.any {
            return Ok(self);
        }
        let mut text = String::new();
        rounded.write(&mut text, self.value(), Some(original.text()))?;
        // A value made in the process may hold what no text can say in one way; it then stays as it was made.
        Ok(Self::parse(&text).unwrap_or(self))
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
        out: &mut String,
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
                    out.push(std::mem::replace(&mut separator, ','));
                    out.push_str(&Value::from(name.as_str()).to_string());
                    out.push(':');
                    self.write(out, value, before.get(name).copied())?;
                }
                out.push_str(if map.is_empty() { "{}" } else { "}" });
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
                    out.push(std::mem::replace(&mut separator, ','));
                    self.write(out, value, before.get(index).map(|raw| raw.get()))?;
                }
                out.push_str(if values.is_empty() { "[]" } else { "]" });
            }
            Value::Number(number) => {
                let shown = number.to_string();
                let in_place = original.filter(|text| seen(text).as_deref() == Some(&shown));
                match (in_place, self.written.get(&shown)) {
                    (Some(written), _) => out.push_str(written),
                    (None, Some(Some(written))) => out.push_str(written),
                    (None, Some(None)) => return Err(DigitsLost { rounded: shown }),
                    (None, None) => out.push_str(&shown),
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
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
