//! A tool that keeps what it was called with, and returns what a test wants.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use mentra::tool::{
    ParallelToolContext, ToolContext, ToolDefinition, ToolExecutionCategory, ToolExecutor,
    ToolOutput, ToolSpec,
};
use serde_json::{Value, json};

type Action = Arc<dyn Fn() + Send + Sync>;

/// The tool; clones are the same one.
#[derive(Clone)]
pub(crate) struct Probe {
    name: String,
    schema: Value,
    output: Result<ToolOutput, String>,
    /// In parallel with others unless an input says `"alone": true`.
    parallel: bool,
    meanwhile: Option<Action>,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Probe {
    /// One that takes any object and returns the text `ran`.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            schema: json!({"type": "object"}),
            output: Ok(ToolOutput::text("ran")),
            parallel: false,
            meanwhile: None,
            seen: Arc::default(),
        }
    }

    pub(crate) fn returning(self, output: ToolOutput) -> Self {
        Self {
            output: Ok(output),
            ..self
        }
    }

    pub(crate) fn failing(self, error: &str) -> Self {
        Self {
            output: Err(error.to_owned()),
            ..self
        }
    }

    pub(crate) fn with_schema(self, schema: Value) -> Self {
        Self { schema, ..self }
    }

    pub(crate) fn in_parallel(self) -> Self {
        Self {
            parallel: true,
            ..self
        }
    }

    /// Does this while it runs.
    pub(crate) fn doing(self, action: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            meanwhile: Some(Arc::new(action)),
            ..self
        }
    }

    /// The inputs it ran with.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl ToolDefinition for Probe {
    fn descriptor(&self) -> ToolSpec {
        ToolSpec::builder(self.name.as_str())
            .description("a tool of a test")
            .input_schema(self.schema.clone())
            .build()
    }
}

#[async_trait]
impl ToolExecutor for Probe {
    fn execution_category(&self, input: &Value) -> ToolExecutionCategory {
        if self.parallel && input["alone"] != true {
            ToolExecutionCategory::ReadOnlyParallel
        } else {
            ToolExecutionCategory::ExclusiveLocalMutation
        }
    }

    async fn execute_output(
        &self,
        _context: ParallelToolContext,
        input: Value,
    ) -> Result<ToolOutput, String> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(input);
        if let Some(action) = &self.meanwhile {
            action();
        }
        self.output.clone()
    }

    async fn execute_mut_output(
        &self,
        context: ToolContext<'_>,
        input: Value,
    ) -> Result<ToolOutput, String> {
        self.execute_output(context.into(), input).await
    }
}
