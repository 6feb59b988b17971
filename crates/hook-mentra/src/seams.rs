//! mentra's three traits. None of them ever returns an error: mentra would end the turn with it.

use async_trait::async_trait;
use mentra::{
    error::RuntimeError,
    runtime::{
        AfterDecision, BeforeDecision, ExecutionHookParticipant, HookDecision,
        PostExecutionContext, PostExecutionHook, PreExecutionContext, PreExecutionHook,
        ResultDecision,
    },
};

use crate::{
    MentraHooks,
    chain::Chain,
    fate::{Fate, Shown},
};

#[async_trait]
impl ExecutionHookParticipant for Chain {
    fn name(&self) -> &str {
        &self.name
    }

    async fn before(&self, context: &PreExecutionContext) -> Result<BeforeDecision, RuntimeError> {
        Ok(match self.decide(context).await {
            Fate::Runs => BeforeDecision::Continue,
            Fate::Refused(reason) => BeforeDecision::Deny(reason),
            Fate::RunsWith {
                input_json,
                attribution,
            } => BeforeDecision::Modify {
                input_json,
                attribution: Some(attribution),
            },
        })
    }

    /// A denial is a replacement here: mentra would put words of its own before the reason.
    async fn after(&self, context: &PostExecutionContext) -> Result<AfterDecision, RuntimeError> {
        Ok(match self.review(context).await {
            Shown::Untouched => AfterDecision::Continue,
            Shown::Instead {
                content,
                is_error,
                attribution,
            } => AfterDecision::Replace {
                content,
                is_error: Some(is_error),
                attribution: Some(attribution),
            },
        })
    }
}

/// The seam to use: one chain for both sides of a call.
#[async_trait]
impl ExecutionHookParticipant for MentraHooks {
    fn name(&self) -> &str {
        &self.chain.name
    }

    async fn before(&self, context: &PreExecutionContext) -> Result<BeforeDecision, RuntimeError> {
        self.chain.before(context).await
    }

    async fn after(&self, context: &PostExecutionContext) -> Result<AfterDecision, RuntimeError> {
        self.chain.after(context).await
    }
}

/// The older seam before a call. mentra does not keep the reason of a rewrite on it.
#[async_trait]
impl PreExecutionHook for MentraHooks {
    async fn pre_tool_execution(
        &self,
        context: &PreExecutionContext,
    ) -> Result<HookDecision, RuntimeError> {
        Ok(match self.chain.decide(context).await {
            Fate::Runs => HookDecision::Allow,
            Fate::Refused(reason) => HookDecision::Deny(reason),
            Fate::RunsWith {
                input_json,
                attribution,
            } => HookDecision::Modify {
                input_json,
                reason: Some(attribution),
            },
        })
    }
}

/// The older seam after a call. mentra also asks on it about calls that it refused before they ran.
#[async_trait]
impl PostExecutionHook for MentraHooks {
    async fn post_tool_execution(
        &self,
        context: &PostExecutionContext,
    ) -> Result<ResultDecision, RuntimeError> {
        Ok(match self.chain.review(context).await {
            Shown::Untouched => ResultDecision::Keep,
            Shown::Instead {
                content, is_error, ..
            } => ResultDecision::Replace { content, is_error },
        })
    }
}
