//! What may be answered.

use serde::Serialize;

use crate::Json;

/// What a participant, or the whole chain, decided about a tool call.
///
/// The vocabulary is closed on purpose: a runtime must act on every outcome, so a fifth one would
/// be a new version of the contract. What a participant says beyond it, an ask and words for the model, is in
/// [`Answer`](crate::Answer).
///
/// Written as JSON it is what `hookchain consult` prints:
///
/// ```
/// use hook_contract::HookOutcome;
///
/// let outcome = HookOutcome::deny("not here");
/// assert_eq!(serde_json::to_string(&outcome)?, r#"{"outcome":"deny","reason":"not here"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// ```
/// use hook_contract::{HookOutcome, json};
/// use serde_json::json;
///
/// let outcome = HookOutcome::modify(json!({"command": "git push"})).because("dropped --force");
/// assert_eq!(outcome.reason(), Some("dropped --force"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the runtime must act on every outcome there is"
)]
pub enum HookOutcome {
    /// The call happens as it stands; the result is shown as it stands.
    Allow,
    /// The call does not happen, or its result is withheld. The text is written for the model.
    Deny(String),
    /// The call happens with this input instead. Only before the call.
    Modify {
        /// The whole new input; a JSON object. Nothing of the old input survives.
        input: Json,
        /// Why, for the audit trail; never shown to the model.
        reason: Option<String>,
    },
    /// The model sees this result instead. Only after the call.
    Replace {
        /// The whole new result: a JSON string for text, otherwise the value itself.
        output: Json,
        /// Whether the model is told that the tool failed.
        is_error: bool,
        /// Why, for the audit trail; never shown to the model.
        reason: Option<String>,
    },
}

/// The outcome as one object: `outcome`, then what belongs to it.
impl Serialize for HookOutcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shape::from(self).serialize(serializer)
    }
}

/// The members of an outcome in JSON.
#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Shape<'a> {
    Allow,
    Deny {
        reason: &'a str,
    },
    Modify {
        input: &'a Json,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    },
    Replace {
        output: &'a Json,
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    },
}

impl<'a> From<&'a HookOutcome> for Shape<'a> {
    fn from(outcome: &'a HookOutcome) -> Self {
        match outcome {
            HookOutcome::Allow => Self::Allow,
            HookOutcome::Deny(reason) => Self::Deny { reason },
            HookOutcome::Modify { input, reason } => Self::Modify {
                input,
                reason: reason.as_deref(),
            },
            HookOutcome::Replace {
                output,
                is_error,
                reason,
            } => Self::Replace {
                output,
                is_error: *is_error,
                reason: reason.as_deref(),
            },
        }
    }
}

impl HookOutcome {
    /// The word for the outcome: `allow`, `deny`, `modify` or `replace`.
    #[must_use]
    pub const fn decision(&self) -> crate::Decision {
        match self {
            Self::Allow => crate::Decision::Allow,
            Self::Deny(_) => crate::Decision::Deny,
            Self::Modify { .. } => crate::Decision::Modify,
            Self::Replace { .. } => crate::Decision::Replace,
        }
    }

    /// A denial with a reason written for the model.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }

    /// A rewrite of the input, without a reason.
    #[must_use]
    pub fn modify(input: impl Into<Json>) -> Self {
        Self::Modify {
            input: input.into(),
            reason: None,
        }
    }

    /// A replacement of the result, without a reason.
    #[must_use]
    pub fn replace(output: impl Into<Json>, is_error: bool) -> Self {
        Self::Replace {
            output: output.into(),
            is_error,
            reason: None,
        }
    }

    /// The same outcome with this reason. An allow has no place for one and stays as it is.
    #[must_use]
    pub fn because(mut self, text: impl Into<String>) -> Self {
        match &mut self {
            Self::Allow => {}
            Self::Deny(reason) => *reason = text.into(),
            Self::Modify { reason, .. } | Self::Replace { reason, .. } => {
                *reason = Some(text.into());
            }
        }
        self
    }

    /// The reason, if one was given: for the model with a deny, for the audit trail otherwise.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Allow => None,
            Self::Deny(reason) => Some(reason),
            Self::Modify { reason, .. } | Self::Replace { reason, .. } => reason.as_deref(),
        }
    }
}
