//! An interceptor as a participant of the chain.

use hook_contract::{HookEvent, HookOutcome, Interceptor, async_trait};
use hook_wire::HookResponse;

use crate::{Answer, HookFailure, Identity, Origin, Participant, Question};

/// Adapts an interceptor; it is asked about every call.
pub(crate) struct InProcess<T> {
    identity: Identity,
    interceptor: T,
}

impl<T: Interceptor> InProcess<T> {
    pub(crate) fn new(interceptor: T) -> Self {
        let identity = Identity::new(
            interceptor.kind().to_owned(),
            interceptor.name(),
            Origin::Host,
        );
        Self {
            identity,
            interceptor,
        }
    }
}

#[async_trait]
impl<T: Interceptor> Participant for InProcess<T> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, _event: HookEvent, _tool_name: &str) -> bool {
        true
    }

    async fn ask(&self, question: &Question) -> Answer {
        let request = question.request();
        let outcome = match request.event {
            HookEvent::PreToolUse => self.interceptor.intercept(request).await,
            // Also any event that has a result and is added one day.
            HookEvent::PostToolUse | _ => self.interceptor.review(request).await,
        };
        Answer::new(outcome.map(response).map_err(HookFailure::Interceptor))
    }
}

/// An outcome as the answer it is in the chain.
fn response(outcome: HookOutcome) -> HookResponse {
    match outcome {
        HookOutcome::Allow => HookResponse::Allow { reason: None },
        HookOutcome::Deny(reason) => HookResponse::Deny {
            reason: Some(reason),
        },
        HookOutcome::Modify { input, reason } => HookResponse::Modify { input, reason },
        HookOutcome::Replace {
            output,
            is_error,
            reason,
        } => HookResponse::Replace {
            output,
            is_error: Some(is_error),
            reason,
        },
    }
}
