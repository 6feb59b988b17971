//! How much of an input or output a record keeps.

use hook_contract::Json;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Digest, Redaction, record::is_zero, redact::mask_json};

/// How much of what was asked and answered a record keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capture {
    /// Sizes and digests of inputs and outputs. Reasons and what programs printed are kept with secrets masked.
    ///
    /// A digest hides its text from whoever cannot guess it. Whoever can guess the whole text can check the guess.
    #[default]
    Digests,
    /// Inputs and outputs with secrets masked. Where something was masked, the digest is of the masked text, so that
    /// nobody can try passwords against it.
    Redacted,
    /// Everything as it was; needed for replay. Whoever may read the records may then read every secret in a call.
    Full,
}

impl Capture {
    /// The word in configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Digests => "digests",
            Self::Redacted => "redacted",
            Self::Full => "full",
        }
    }
}

/// What a record keeps of one JSON value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Captured {
    /// How long the value is as compact JSON text, in bytes; as it is below, where something was masked.
    pub bytes: u64,
    /// The SHA-256 digest of the compact JSON text; of the masked text, where something was masked.
    pub sha256: Digest,
    /// How many secrets were masked in `value`. Absent when none was.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub masked: u64,
    /// The value itself. Absent when records keep digests only, and when the same value stands in another record of the
    /// same consultation.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Json"))]
    pub value: Option<Json>,
}

/// Keeps absent and `null` apart: the value may well be `null`.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl Captured {
    fn of(text: &str, masked: u64, value: Option<Json>) -> Self {
        Self {
            bytes: text.len() as u64,
            sha256: Digest::of(text.as_bytes()),
            masked,
            value,
        }
    }

    /// The value exactly as it was, for whoever puts it to use again.
    ///
    /// # Errors
    ///
    /// When the record does not have it: look for what was recorded with everything captured.
    pub fn exact(&self) -> Result<&Json, NotExact> {
        let value = self.value.as_ref().ok_or(NotExact::NotKept)?;
        match self.masked {
            0 if Digest::of(value.text().as_bytes()) == self.sha256 => Ok(value),
            0 => Err(NotExact::Altered),
            masked => Err(NotExact::Masked { masked }),
        }
    }

    /// The same without the value.
    pub(crate) fn without_value(&self) -> Self {
        Self {
            value: None,
            ..*self
        }
    }
}

/// A record does not have a value as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotExact {
    /// Only its size and digest were kept. Record with everything captured.
    #[error("only its size and digest were recorded")]
    NotKept,
    /// Secrets were masked in it. Record with everything captured.
    #[error("{masked} of its texts were masked when it was recorded")]
    #[non_exhaustive]
    Masked {
        /// How many.
        masked: u64,
    },
    /// It is not what its digest is of. Do not trust the record.
    #[error("it does not have the digest that was recorded with it, so it was altered since")]
    Altered,
}

/// How values and texts are captured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capturing {
    pub(crate) level: Capture,
    pub(crate) redaction: Redaction,
}

impl Capturing {
    pub(crate) fn value(&self, value: &Json) -> Captured {
        let text = value.text();
        match self.level {
            Capture::Digests => Captured::of(text, 0, None),
            Capture::Full => Captured::of(text, 0, Some(value.clone())),
            Capture::Redacted => match mask_json(&self.redaction, text) {
                None => Captured::of(text, 0, Some(value.clone())),
                // Masking changes no brackets, so that it is JSON still; if it were not, nothing is kept.
                Some((masked, count)) => Captured::of(&masked, count, Json::parse(&masked).ok()),
            },
        }
    }

    /// A name or an identifier that the host gave: only shapes of secrets are masked in it, so that records still belong together.
    pub(crate) fn name(&self, name: &str) -> String {
        let masked = match self.level {
            Capture::Full => None,
            Capture::Digests | Capture::Redacted => self.redaction.mask_shapes(name),
        };
        masked.unwrap_or_else(|| name.to_owned())
    }

    /// Words that a participant or the runner said.
    pub(crate) fn words(&self, text: String) -> String {
        match self.level {
            Capture::Full => text,
            Capture::Digests | Capture::Redacted => self.redaction.mask_text(&text).0.into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(level: Capture, text: &str) -> String {
        let capturing = Capturing {
            level,
            redaction: Redaction::default(),
        };
        let value = Json::parse(text).expect("JSON");
        serde_json::to_string(&capturing.value(&value)).expect("JSON")
    }

    #[test]
    fn a_name_of_the_host_loses_nothing_but_shapes() {
        let token = format!("ghp_{}", "aB3x".repeat(9));
        let said = |level, name: &str| {
            let redaction = Redaction::default();
            Capturing { level, redaction }.name(name)
        };
        for level in [Capture::Digests, Capture::Redacted] {
            assert_eq!(said(level, &token), "[masked:github-token]");
            for name in ["call-7", "toolu_01A09q90qw90lq917835lq9", "token=abc"] {
                assert_eq!(said(level, name), name);
            }
        }
        assert_eq!(said(Capture::Full, &token), token);
    }

    #[test]
    fn a_value_is_exact_only_as_it_was() {
        let read = |level, text: &str| -> Captured {
            serde_json::from_str(&captured(level, text)).expect("JSON")
        };
        let call = r#"{"token":"abc","n":1.00}"#;
        let full = read(Capture::Full, call);
        assert_eq!(full.exact().map(Json::text), Ok(call));
        assert_eq!(
            read(Capture::Full, "null").exact().map(Json::text),
            Ok("null")
        );
        assert_eq!(
            read(Capture::Redacted, call).exact(),
            Err(NotExact::Masked { masked: 1 })
        );
        assert_eq!(
            read(Capture::Redacted, "[1.0]").exact().map(Json::text),
            Ok("[1.0]"),
            "nothing was masked"
        );
        assert_eq!(read(Capture::Digests, call).exact(), Err(NotExact::NotKept));
        let altered = Captured {
            value: Json::parse(r#"{"token":"abc","n":1.0}"#).ok(),
            ..full
        };
        assert_eq!(altered.exact(), Err(NotExact::Altered));
    }

    #[test]
    fn a_level_decides_what_is_kept_of_a_value() {
        let call = r#"{"token":"abc","n":1.00}"#;
        let masked = r#"{"token":"[masked]","n":1.00}"#;
        let of = |text: &str| Digest::of(text.as_bytes());
        assert_eq!(
            captured(Capture::Digests, call),
            format!(r#"{{"bytes":24,"sha256":"{}"}}"#, of(call))
        );
        assert_eq!(
            captured(Capture::Redacted, call),
            format!(
                r#"{{"bytes":29,"sha256":"{}","masked":1,"value":{masked}}}"#,
                of(masked)
            )
        );
        assert_eq!(
            captured(Capture::Full, call),
            format!(r#"{{"bytes":24,"sha256":"{}","value":{call}}}"#, of(call))
        );
        assert_eq!(
            captured(Capture::Redacted, "null"),
            format!(r#"{{"bytes":4,"sha256":"{}","value":null}}"#, of("null"))
        );
    }

    #[test]
    fn an_absent_value_and_null_are_two_things() {
        let absent: Captured =
            serde_json::from_str(&captured(Capture::Digests, "null")).expect("read");
        let null: Captured = serde_json::from_str(&captured(Capture::Full, "null")).expect("read");
        assert_eq!(absent.value, None);
        assert_eq!(null.value, Some(serde_json::Value::Null.into()));
    }
}
