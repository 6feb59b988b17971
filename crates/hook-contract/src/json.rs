//! JSON values that keep every digit as it was written.
//!
//! `serde_json::Value` holds a number as a 64-bit integer or a float, so an integer above 2^64 or a
//! decimal of twenty digits changes on the way through. A guard that judges another value than the
//! one that runs is no guard; therefore [`Json`] keeps the text beside the value, and whatever
//! writes bytes writes the text. Switching on `serde_json/arbitrary_precision` instead would change
//! every other crate in the embedder's program, because cargo unifies features (ADR 0005).
//!
//! A [`Json`] has exactly one reading. Text in which an object repeats a key, or uses a key that
//! `serde_json` itself gives a second meaning, does not become one: see [`Json::parse`].
//!
//! [`Members`] and [`Position`] are for codecs: an object's members as they were written, and where
//! in a text something stands.

mod digits;
mod error;
mod formats;
mod members;
mod scan;
mod value;
mod words;

pub(crate) use self::formats::Attempt;
pub use self::{
    digits::DigitsLost,
    error::{JsonError, JsonErrorKind, Position},
    members::{Member, Members},
    scan::MAX_DEPTH,
    value::Json,
    words::{kind_of, parser_words},
};

#[cfg(test)]
mod tests;
