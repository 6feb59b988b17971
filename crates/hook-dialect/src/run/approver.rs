//! Somebody who is asked when a hook wants somebody to be asked.

use hook_contract::{HookRequest, async_trait};

/// Somebody who can say whether a call may happen: a person at a terminal, or a policy that stands in for one.
///
/// A hook of another agent can answer `ask` or `defer`: it does not decide, and wants somebody to. Without an approver
/// such a call is denied, and the denial says why.
///
/// ```
/// use hook_contract::{HookRequest, async_trait};
/// use hook_dialect::run::{Approval, Approver, Asked};
///
/// struct ReadsOnly;
///
/// #[async_trait]
/// impl Approver for ReadsOnly {
///     async fn approve(&self, call: &HookRequest, _asked: &Asked) -> Approval {
///         match call.tool_name.as_str() {
///             "Read" | "Grep" => Approval::Granted,
///             tool => Approval::refused(format!("nobody is there to approve of {tool}")),
///         }
///     }
/// }
/// ```
#[async_trait]
pub trait Approver: Send + Sync {
    /// Whether the call may happen. It is shown as it would happen: with the input that hooks have put in place.
    ///
    /// # Cancellation
    ///
    /// The future may be dropped at any `.await`, when the consultation is.
    async fn approve(&self, call: &HookRequest, asked: &Asked) -> Approval;
}

/// What a hook wants to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// Whether the hook would put the call off rather than have it approved now (`defer`). Granting it all the same
    /// lets it happen.
    pub defers: bool,
    /// Why, in the words of the hooks; for whoever is asked.
    pub reason: Option<String>,
    /// Which commands ask, on one line each.
    pub from: Vec<String>,
}

/// What was said about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum Approval {
    /// It may happen.
    Granted,
    /// It does not happen, and the model is told why.
    Refused(Option<String>),
}

impl Approval {
    /// It does not happen, because of this.
    #[must_use]
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(Some(reason.into()))
    }
}
