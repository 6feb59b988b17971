//! What may be answered.

use crate::Json;

/// What a participant, or the whole chain, decided about a tool call.
///
/// The vocabulary is closed on purpose: a runtime must act on every answer, so a fifth answer would
/// be a new version of the contract.
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
    reason = "the runtime must act on every answer there is"
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

impl HookOutcome {
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
