//! The host's callback for a person's agreement.

use std::fmt;

use async_trait::async_trait;
use serde::Serialize;

use crate::{HookOutcome, HookRequest, InterceptorError};

/// The host's approval callback for participants that answer `ask`.
///
/// A chain calls it at most once for a call, at the end, when no participant denied and at least one asked. It is a prompt
/// on a terminal, a message to a phone, a ticket, or a policy that stands in for a person. A chain without an approver
/// denies, and so does one whose approver fails, panics or does not answer by its deadline.
///
/// ```
/// use hook_contract::{Approval, ApprovalRequest, Approver, InterceptorError, async_trait};
///
/// struct ReadsOnly;
///
/// #[async_trait]
/// impl Approver for ReadsOnly {
///     async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
///         Ok(match request.call.tool_name.as_str() {
///             "Read" | "Grep" => Approval::granted(),
///             tool => Approval::refused(format!("no person is there to agree to {tool}")),
///         })
///     }
/// }
/// ```
#[async_trait]
pub trait Approver: Send + Sync {
    /// Whether the call may happen, or its result may be shown, in its final form.
    ///
    /// # Errors
    ///
    /// When no person could be asked; the chain denies.
    ///
    /// # Cancellation
    ///
    /// The future may be dropped at any `.await`: when the consultation is, or at the deadline.
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError>;
}

#[async_trait]
impl<T: Approver + ?Sized> Approver for std::sync::Arc<T> {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        (**self).approve(request).await
    }
}

#[async_trait]
impl<T: Approver + ?Sized> Approver for Box<T> {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        (**self).approve(request).await
    }
}

/// What a person is asked to agree to.
///
/// ```
/// use hook_contract::{ApprovalRequest, Asker, HookCall, HookEvent, HookOutcome, HookRequest};
/// use serde_json::json;
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"git push --force"}"#);
/// let first = HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call);
/// let then = HookOutcome::modify(json!({"command": "git push"}));
/// let call = first.clone().with_input(json!({"command": "git push"}));
///
/// let request = ApprovalRequest::new(vec![Asker::new("hook", "pushes")], first, call, then);
/// assert_eq!(request.first.input["command"], "git push --force");
/// assert_eq!(request.call.input["command"], "git push", "what a person agrees to");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// Every participant that asks, in the order in which they were asked; at least one.
    pub by: Vec<Asker>,
    /// The call as the runtime put it.
    pub first: HookRequest,
    /// The call in the form in which it would happen, or its result in the form in which it would be shown.
    pub call: HookRequest,
    /// What comes of the call when the person agrees; never a deny.
    pub then: HookOutcome,
}

impl ApprovalRequest {
    /// A question about a call that is `first` and would happen as `call`, which is `then`.
    #[must_use]
    pub const fn new(
        by: Vec<Asker>,
        first: HookRequest,
        call: HookRequest,
        then: HookOutcome,
    ) -> Self {
        Self {
            by,
            first,
            call,
            then,
        }
    }

    /// The reasons of all askers, one line each, with the name of the asker.
    ///
    /// ```
    /// use hook_contract::{Asker, HookCall, HookEvent, HookOutcome, HookRequest, ApprovalRequest};
    ///
    /// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"make deploy"}"#);
    /// let call = HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call);
    /// let by = vec![Asker::new("hook", "deploys").with_reason("this deploys to production")];
    /// let request = ApprovalRequest::new(by, call.clone(), call, HookOutcome::Allow);
    /// assert_eq!(request.reasons(), "hook 'deploys': this deploys to production");
    /// ```
    #[must_use]
    pub fn reasons(&self) -> String {
        let lines: Vec<String> = self.by.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }
}

/// A participant that asks for a person's agreement.
///
/// ```
/// use hook_contract::Asker;
///
/// let asker = Asker::new("hook", "deploys");
/// assert_eq!(asker.to_string(), "hook 'deploys'");
/// let asker = asker.with_reason("this deploys to production");
/// assert_eq!(asker.to_string(), "hook 'deploys': this deploys to production");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Asker {
    /// What kind of participant it is: `hook`, `interceptor`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Why a person should decide, in the participant's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Asker {
    /// A participant of this kind and name, which gives no reason.
    #[must_use]
    pub fn new(kind: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            name: name.into(),
            reason: None,
        }
    }

    /// Says why a person should decide.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// As in a denial, with the reason: `hook 'deploys': this deploys to production`.
impl fmt::Display for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.kind, self.name)?;
        match &self.reason {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// What the person said.
///
/// ```
/// use hook_contract::Approval;
///
/// assert_eq!(Approval::granted(), Approval::Granted { remember: false }, "this once");
/// let Approval::Refused(reason) = Approval::refused("not on a Friday") else { unreachable!() };
/// assert_eq!(reason.as_deref(), Some("not on a Friday"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that runs hooks must act on each"
)]
pub enum Approval {
    /// The call may happen.
    Granted {
        /// Whether the same call need not be asked about again in this session. The host keeps it, by the exact call.
        remember: bool,
    },
    /// The call does not happen, and the model is told why.
    Refused(Option<String>),
}

impl Approval {
    /// The call may happen, this once.
    #[must_use]
    pub const fn granted() -> Self {
        Self::Granted { remember: false }
    }

    /// The call does not happen, because of this.
    #[must_use]
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(Some(reason.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::Future,
        pin::pin,
        sync::Arc,
        task::{Context, Poll, Waker},
    };

    use serde_json::json;

    use super::*;
    use crate::{HookCall, HookEvent};

    struct Knows;

    #[async_trait]
    impl Approver for Knows {
        async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
            match request.call.tool_name.as_str() {
                "read" => Ok(Approval::Granted { remember: true }),
                "shell" => Ok(Approval::refused("not today")),
                tool => Err(format!("what is {tool}?").into()),
            }
        }
    }

    /// Nothing in these tests waits, so one poll is the whole run.
    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("nothing here waits"),
        }
    }

    fn about(tool: &str) -> ApprovalRequest {
        let call = HookCall::new("a", tool, "c", "{}");
        let call = HookRequest::from_call(HookEvent::PreToolUse, "/ws".as_ref(), &call);
        let by = vec![
            Asker::new("hook", "deploys").with_reason("this deploys"),
            Asker::new("interceptor", "quiet"),
        ];
        ApprovalRequest::new(by, call.clone(), call, HookOutcome::Allow)
    }

    #[test]
    fn a_pointer_to_an_approver_forwards_the_question() {
        let boxed: Box<dyn Approver> = Box::new(Knows);
        let shared: Arc<dyn Approver> = Arc::new(Knows);
        let nested: Box<Arc<dyn Approver>> = Box::new(Arc::new(Knows));
        for approver in [&boxed as &dyn Approver, &shared, &nested] {
            let said = |tool| now(approver.approve(&about(tool)));
            assert_eq!(
                said("read").expect("an answer"),
                Approval::Granted { remember: true }
            );
            assert_eq!(
                said("shell").expect("an answer"),
                Approval::Refused(Some("not today".into()))
            );
            let error = said("teleport").expect_err("no answer");
            assert_eq!(error.to_string(), "what is teleport?");
        }
    }

    #[test]
    fn every_asker_is_named_in_order_with_or_without_a_reason() {
        assert_eq!(
            about("read").reasons(),
            "hook 'deploys': this deploys\ninterceptor 'quiet'"
        );
        assert_eq!(
            serde_json::to_value(about("read").by).expect("plain data"),
            json!([
                {"kind": "hook", "name": "deploys", "reason": "this deploys"},
                {"kind": "interceptor", "name": "quiet"},
            ])
        );
    }
}
