//! An agent on mentra with the three hooks of `examples/demo`: a call that is denied, one that is rewritten, and one whose
//! result is redacted.
//!
//!     cargo run -p hook-mentra --example guarded_agent
//!     cargo run -p hook-mentra --example guarded_agent -- records && hookchain log records
//!
//! With a directory, what every hook said is recorded there.
//!
//! The model is a script and the shell is a pretence, so that it needs no account and runs nothing but the hooks.

use std::{
    env,
    error::Error,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use async_trait::async_trait;
use hook_audit::{Audit, Capture};
use hook_config::HooksConfig;
use hook_mentra::MentraHooks;
use hook_runner::HookRunner;
use mentra::{
    AgentConfig, ContentBlock, Message,
    agent::WorkspaceConfig,
    test::{MockRuntime, MockToolCall},
    tool::{ParallelToolContext, ToolContext, ToolDefinition, ToolExecutor, ToolResult, ToolSpec},
};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/demo");
    let records = env::args_os().nth(1).map(PathBuf::from);
    let audit = records.map(recorder).transpose()?;
    let page = conversation(Path::new(demo), audit.clone()).await?;
    io::stdout().write_all(page.as_bytes())?;
    if let Some(audit) = audit {
        // Whatever was lost was said.
        audit.close(Duration::from_secs(5));
    }
    Ok(())
}

/// Records what every hook says, inputs and outputs with what looks like a secret masked. No call waits for it.
pub(crate) fn recorder(directory: PathBuf) -> Result<Audit, Box<dyn Error>> {
    let audit = Audit::builder(directory).with_capture(Capture::Redacted);
    Ok(audit.start()?)
}

/// Lets the agent take its turn in this workspace, and writes down who said what.
pub(crate) async fn conversation(
    workspace: &Path,
    audit: Option<Audit>,
) -> Result<String, Box<dyn Error>> {
    // An agent as its host has it: a model, and a tool.
    let model = MockRuntime::builder()
        .tool_calls([calls("git push --force origin main")])
        .tool_calls([calls("kubectl apply -f deploy.yaml")])
        .tool_calls([calls("cat .env")])
        .text("I may not force the push, so I rehearsed the deployment and looked at the settings.")
        .build()?;
    model.runtime().register_tool(Shell);

    // Its guard: the hooks that the workspace declares. `HooksConfig::default()` would also look for the global file.
    let loaded = hook_config::load(workspace, &HooksConfig::new())?;
    let mut runner = HookRunner::new(workspace, loaded.hooks);
    if let Some(audit) = audit {
        runner = runner.with_recorder(audit);
    }
    let hooks = MentraHooks::new(runner);
    let _guarded = hooks.register(model.runtime());

    let config = AgentConfig {
        workspace: WorkspaceConfig {
            base_dir: workspace.to_owned(),
            ..WorkspaceConfig::default()
        },
        ..AgentConfig::default()
    };
    let mut agent = model
        .runtime()
        .spawn_with_config("agent", model.model(), config)?;
    let request = "Push my work, deploy it, and tell me the settings.";
    agent.send(vec![ContentBlock::text(request)]).await?;
    Ok(written_down(agent.history()))
}

fn calls(command: &str) -> MockToolCall {
    MockToolCall::new("shell", json!({ "command": command }))
}

/// Says what would run, and has a secret to give away.
struct Shell;

impl ToolDefinition for Shell {
    fn descriptor(&self) -> ToolSpec {
        ToolSpec::builder("shell")
            .description("Runs a command")
            .input_schema(json!({
                "type": "object",
                "properties": {"command": {"type": "string"}},
                "required": ["command"]
            }))
            .build()
    }
}

#[async_trait]
impl ToolExecutor for Shell {
    async fn execute(&self, _context: ParallelToolContext, input: Value) -> ToolResult {
        let command = input.get("command").and_then(Value::as_str);
        let command = command.ok_or("there is no command")?;
        Ok(match command {
            "cat .env" => {
                "MODE=production\nGITHUB_TOKEN=ghp_0123456789abcdefABCDEF0123456789abcd\n".into()
            }
            other => format!("(the tool was called with: {other})"),
        })
    }

    async fn execute_mut(&self, context: ToolContext<'_>, input: Value) -> ToolResult {
        self.execute(context.into(), input).await
    }
}

/// The conversation as the model has it; what tools had to do with it is indented.
fn written_down(history: &[Message]) -> String {
    let blocks = history.iter().flat_map(|message| &message.content);
    blocks.filter_map(line).collect()
}

fn line(block: &ContentBlock) -> Option<String> {
    if let ContentBlock::Text { text } = block {
        Some(format!("{text}\n"))
    } else if let ContentBlock::ToolUse { name, input, .. } = block {
        Some(format!("    {name}: {input}\n"))
    } else if let ContentBlock::ToolResult {
        content, is_error, ..
    } = block
    {
        let word = if *is_error { "error" } else { "result" };
        let result = content.to_display_string();
        let lines: Vec<_> = result.lines().collect();
        Some(format!("    {word}: {}\n", lines.join("\n            ")))
    } else {
        None
    }
}
