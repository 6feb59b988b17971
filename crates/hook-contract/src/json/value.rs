//! A JSON value whose text is kept.

use std::{
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    error::{JsonError, JsonErrorKind, Position},
    members::Members,
    scan,
    words::parser_words,
};

/// A JSON value with exactly one reading, whose text is kept beside it, digit for digit.
///
/// Reading it in the process goes through [`Value`], to which it dereferences; writing it anywhere
/// goes through the text. Whichever of the two is missing is made when it is first wanted, once.
/// Cloning shares both.
///
/// Two are equal when they are the same value with numbers compared *as written*: the order of an
/// object's members does not matter, and `1.0` differs from `1.00`.
///
/// ```
/// use hook_contract::Json;
///
/// let input = Json::parse(r#"{ "id": 123456789012345678901234567890 }"#)?;
/// assert!(input["id"].is_number());
/// assert_eq!(input.text(), r#"{"id":123456789012345678901234567890}"#);
/// # Ok::<(), hook_contract::json::JsonError>(())
/// ```
#[derive(Clone)]
pub struct Json(Arc<Form>);

/// What a value was made from, and the other form once somebody wanted it.
enum Form {
    Text {
        text: Box<RawValue>,
        value: OnceLock<Value>,
    },
    Value {
        value: Value,
        text: OnceLock<Box<RawValue>>,
    },
}

impl Json {
    /// Reads one JSON value. White space outside strings is dropped, nothing else changes.
    ///
    /// # Errors
    ///
    /// When the text is not JSON; cannot be held in a [`Value`] (nested deeper than
    /// [`MAX_DEPTH`](super::MAX_DEPTH), a number out of range, half a surrogate pair); or has two
    /// readings (a key twice in one object, or a key that `serde_json` reserves).
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            let position = Position::of_error(text, &error);
            JsonError::new(JsonErrorKind::Syntax(parser_words(&error)), position)
        })?;
        let compact = scan::compact(raw.get()).map_err(|error| {
            let before = Position::of(text, raw.get()).offset;
            let position = Position::at(text, before + error.position().offset);
            JsonError::new(error.kind().clone(), position)
        })?;
        let text = match compact {
            std::borrow::Cow::Borrowed(_already_compact) => raw.to_owned(),
            std::borrow::Cow::Owned(compact) => to_raw(compact),
        };
        Ok(Self(Arc::new(Form::Text {
            text,
            value: OnceLock::new(),
        })))
    }

    /// The text: compact, with the members of objects in the order and the numbers in the digits in
    /// which they were written.
    #[must_use]
    pub fn text(&self) -> &str {
        self.raw().get()
    }

    /// The text as `serde_json` writes it verbatim.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        match &*self.0 {
            Form::Text { text, .. } => text,
            Form::Value { value, text } => text.get_or_init(|| to_raw(value.to_string())),
        }
    }

    /// The value as in-process code reads it. Numbers beyond 64 bits are rounded here, and only here.
    #[must_use]
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "`parse` lets through only what `Value` can hold"
    )]
    pub fn value(&self) -> &Value {
        match &*self.0 {
            Form::Value { value, .. } => value,
            Form::Text { text, value } => {
                value.get_or_init(|| serde_json::from_str(text.get()).expect("checked by `parse`"))
            }
        }
    }

    /// The members of an object as they were written; nothing for any other value.
    #[must_use]
    pub fn members(&self) -> Option<Members<'_>> {
        let text = self.text();
        text.starts_with('{')
            .then(|| serde_json::from_str(text).ok())
            .flatten()
    }

    /// This text, which was written from `value`. Reading it again could move a float by one bit, because
    /// `serde_json` rounds twice unless some crate of the program asks it not to.
    pub(super) fn seen_as(self, value: &Value) -> Self {
        if let Form::Text { value: seen, .. } = &*self.0 {
            seen.get_or_init(|| value.clone());
        }
        self
    }

    /// Whether this was read from text, rather than made from a [`Value`] in the process.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(&*self.0, Form::Text { .. })
    }
}

#[expect(
    clippy::expect_used,
    reason = "a serialised value and a compacted one are JSON"
)]
fn to_raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("the text is JSON")
}

impl Deref for Json {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.value()
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(Arc::new(Form::Value {
            value,
            text: OnceLock::new(),
        }))
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || same(self.text(), other.text())
    }
}

impl Eq for Json {}

/// Hashes what two equal values have in common: the type, and how many members or elements there are.
impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.value() {
            Value::Object(members) => (0_u8, members.len()).hash(state),
            Value::Array(elements) => (1_u8, elements.len()).hash(state),
            Value::String(text) => (2_u8, text.as_str()).hash(state),
            Value::Bool(truth) => (3_u8, *truth).hash(state),
            Value::Null => 4_u8.hash(state),
            Value::Number(_) => self.text().hash(state),
        }
    }
}

/// Compares with what in-process code reads; see [`Json::value`].
impl PartialEq<Value> for Json {
    fn eq(&self, other: &Value) -> bool {
        self.value() == other
    }
}

/// Whether two JSON texts are the same value, numbers compared as written.
fn same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (a.as_bytes().first(), b.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => both::<Members<'_>>(a, b).is_some_and(|(a, b)| {
            let sorted = |members: Members<'_>| -> BTreeMap<String, String> {
                let pair = |m: super::Member<'_>| (m.name.into_owned(), m.value.to_owned());
                members.into_iter().map(pair).collect()
            };
            let (a, b) = (sorted(a), sorted(b));
            a.len() == b.len()
                && a.iter()
                    .zip(&b)
                    .all(|((a_name, a), (b_name, b))| a_name == b_name && same(a, b))
        }),
        (Some(b'['), Some(b'[')) => both::<Vec<&RawValue>>(a, b).is_some_and(|(a, b)| {
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a.get(), b.get()))
        }),
        (Some(b'"'), Some(b'"')) => both::<String>(a, b).is_some_and(|(a, b)| a == b),
        _ => false,
    }
}

fn both<'a, T: Deserialize<'a>>(a: &'a str, b: &'a str) -> Option<(T, T)> {
    Some((serde_json::from_str(a).ok()?, serde_json::from_str(b).ok()?))
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Json").field(&self.text()).finish()
    }
}

/// The compact text.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Any JSON value.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Json {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyValue".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}
