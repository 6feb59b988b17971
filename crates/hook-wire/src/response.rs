//! What a hook program answers.

use hook_contract::{HookOutcome, Json};
use serde::Serialize;

use crate::Decision;

/// What a hook program answers, as it stands on the wire.
///
/// ```
/// use hook_wire::{HookResponse, encode_response};
/// use serde_json::json;
///
/// let response = HookResponse::modify(json!({"command": "git push"})).because("dropped --force");
/// assert_eq!(
///     encode_response(&response),
///     b"{\"decision\":\"modify\",\"input\":{\"command\":\"git push\"},\"reason\":\"dropped --force\"}\n"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a chain must act on every answer there is"
)]
pub enum HookResponse {
    /// No objection: the call, or its result, stays as it is.
    Allow {
        /// Why; for whoever reads the hook's records.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The call does not happen; after the call, its result is withheld.
    Deny {
        /// Why; written for the model. Without one the model learns only who denied.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The call happens with this input instead. Only before the call.
    Modify {
        /// The whole new input; a JSON object.
        input: Json,
        /// Why; for the audit trail, never shown to the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The model sees this result instead. Only after the call.
    Replace {
        /// The whole new result: a JSON string for text, otherwise the value itself. `null` is a result too.
        output: Json,
        /// Whether the model is told that the tool failed; absent means as it was left.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// Why; for the audit trail, never shown to the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl HookResponse {
    /// No objection.
    #[must_use]
    pub const fn allow() -> Self {
        Self::Allow { reason: None }
    }

    /// A denial with a reason written for the model.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: Some(reason.into()),
        }
    }

    /// A rewrite of the input, which must be a JSON object.
    #[must_use]
    pub fn modify(input: impl Into<Json>) -> Self {
        Self::Modify {
            input: input.into(),
            reason: None,
        }
    }

    /// A replacement of the result that leaves it a success or a failure, as it was.
    #[must_use]
    pub fn replace(output: impl Into<Json>) -> Self {
        Self::Replace {
            output: output.into(),
            is_error: None,
            reason: None,
        }
    }

    /// The same answer with this reason.
    #[must_use]
    pub fn because(mut self, text: impl Into<String>) -> Self {
        let (Self::Allow { reason }
        | Self::Deny { reason }
        | Self::Modify { reason, .. }
        | Self::Replace { reason, .. }) = &mut self;
        *reason = Some(text.into());
        self
    }

    /// The same replacement, saying whether the tool failed. Any other answer has no place for it and stays as it is.
    #[must_use]
    pub fn with_is_error(mut self, failed: bool) -> Self {
        if let Self::Replace { is_error, .. } = &mut self {
            *is_error = Some(failed);
        }
        self
    }

    /// The word of this answer.
    #[must_use]
    pub const fn decision(&self) -> Decision {
        match self {
            Self::Allow { .. } => Decision::Allow,
            Self::Deny { .. } => Decision::Deny,
            Self::Modify { .. } => Decision::Modify,
            Self::Replace { .. } => Decision::Replace,
        }
    }

    /// The reason, if one was given.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        let (Self::Allow { reason }
        | Self::Deny { reason }
        | Self::Modify { reason, .. }
        | Self::Replace { reason, .. }) = self;
        reason.as_deref()
    }
}

/// How a decision made in the process is put on the wire.
impl From<HookOutcome> for HookResponse {
    fn from(outcome: HookOutcome) -> Self {
        match outcome {
            HookOutcome::Allow => Self::allow(),
            HookOutcome::Deny(reason) => Self::deny(reason),
            HookOutcome::Modify { input, reason } => Self::Modify { input, reason },
            HookOutcome::Replace {
                output,
                is_error,
                reason,
            } => Self::Replace {
                output,
                is_error: Some(is_error),
                reason,
            },
        }
    }
}
