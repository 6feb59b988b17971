//! A provider of the tests' own, for a runtime that is built by hand.

use async_trait::async_trait;
use mentra::{
    BuiltinProvider, ContentBlock, ModelInfo, Provider, ProviderDescriptor, ProviderError,
    ProviderEventStream, Request, Role, provider::Response, provider_event_stream_from_response,
};
use serde_json::json;

/// A model that calls the tool `shell` once in each turn and then says `done`.
#[derive(Clone, Copy)]
pub(crate) struct CallsShell;

impl CallsShell {
    pub(crate) fn info() -> ModelInfo {
        ModelInfo::new("calls-shell", BuiltinProvider::OpenAI)
    }
}

#[async_trait]
impl Provider for CallsShell {
    fn descriptor(&self) -> ProviderDescriptor {
        ProviderDescriptor::new(BuiltinProvider::OpenAI)
    }

    async fn list_models(&self) -> Result<Vec<ModelInfo>, ProviderError> {
        Ok(vec![Self::info()])
    }

    async fn stream(&self, request: Request<'_>) -> Result<ProviderEventStream, ProviderError> {
        let last = request.messages.last();
        let answered = last.is_some_and(|message| {
            let mut blocks = message.content.iter();
            blocks.any(|block| matches!(block, ContentBlock::ToolResult { .. }))
        });
        let content = if answered {
            ContentBlock::text("done")
        } else {
            ContentBlock::ToolUse {
                id: "tool-1".to_owned(),
                name: "shell".to_owned(),
                input: json!({}),
            }
        };
        Ok(provider_event_stream_from_response(Response {
            id: "response".to_owned(),
            model: Self::info().id,
            role: Role::Assistant,
            content: vec![content],
            stop_reason: None,
            usage: None,
        }))
    }
}
