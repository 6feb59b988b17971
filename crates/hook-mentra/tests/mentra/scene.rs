//! A workspace with hooks, a runtime with a scripted model, and what came of a turn.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use hook_config::HooksConfig;
use hook_mentra::MentraHooks;
use hook_runner::{HookRunner, HookRunnerBuilder};
use hookchain_tests::Workspace;
use mentra::{
    Agent, AgentConfig, ContentBlock, Message, Runtime, ToolAudience,
    agent::{AgentEvent, WorkspaceConfig},
    test::{MockRuntime, MockRuntimeBuilder, MockToolCall},
    tool::ToolResultContent,
};
use serde_json::Value;

use crate::probe::Probe;

/// Writes a hooks file and its programs: a name, further fields, and a shell script for each hook.
pub(crate) fn declare(workspace: &Workspace, hooks: &[(&str, &str, &str)]) {
    let mut entries = Vec::new();
    for (number, (name, fields, script)) in hooks.iter().enumerate() {
        let program = format!(".basis/hooks/{number}.sh");
        workspace.write(&program, format!("#!/bin/sh\n{script}\n"), 0o755);
        let comma = if fields.is_empty() { "" } else { "," };
        entries.push(format!(
            r#"{{"name":"{name}","command":["./{program}"]{comma}{fields}}}"#
        ));
    }
    let file = format!(r#"{{"schema":1,"hooks":[{}]}}"#, entries.join(","));
    workspace.write(".basis/hooks.json", file, 0o644);
}

/// A workspace with these hooks; see [`declare`].
pub(crate) fn workspace(hooks: &[(&str, &str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    declare(&workspace, hooks);
    workspace
}

/// A script that reads the question and prints this.
pub(crate) fn say(answer: &str) -> String {
    format!("read -r question\ncat <<'EOF'\n{answer}\nEOF")
}

/// What was reported to the operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports(Arc<Mutex<Vec<String>>>);

impl Reports {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// A runner with the hooks of a directory's own hooks file, whose reports are kept.
pub(crate) fn runner(workspace: &Path) -> (HookRunnerBuilder, Reports) {
    let loaded = hook_config::load(workspace, &HooksConfig::new()).expect("a hooks file");
    let reports = Reports::default();
    let sink = reports.clone();
    let builder = HookRunner::builder(workspace)
        .with_hooks(loaded.hooks)
        .with_reporter(move |message| {
            let mut reports = sink.0.lock().unwrap_or_else(PoisonError::into_inner);
            reports.push(message.to_owned());
        });
    (builder, reports)
}

/// The chain of a workspace.
pub(crate) fn chain(workspace: &Workspace) -> MentraHooks {
    MentraHooks::new(runner(workspace.path()).0.build().expect("a runner"))
}

/// A model that makes these calls in one turn and then says `done`.
pub(crate) fn model_calling(calls: &[(&str, Value)]) -> MockRuntimeBuilder {
    turn(MockRuntime::builder(), calls)
}

/// One turn more.
pub(crate) fn turn(model: MockRuntimeBuilder, calls: &[(&str, Value)]) -> MockRuntimeBuilder {
    let calls = calls
        .iter()
        .map(|(tool, input)| MockToolCall::new(*tool, input.clone()));
    model.tool_calls(calls).text("done")
}

/// An agent that works in this directory.
pub(crate) fn agent(mock: &MockRuntime, directory: &Path, audience: Option<&str>) -> Agent {
    agent_with(mock, config(directory), audience)
}

pub(crate) fn agent_with(mock: &MockRuntime, config: AgentConfig, audience: Option<&str>) -> Agent {
    let runtime: &Runtime = mock.runtime();
    let spawned = match audience {
        None => runtime.spawn_with_config("agent", mock.model(), config),
        Some(audience) => runtime.spawn_with_config_for_audience(
            "agent",
            mock.model(),
            config,
            ToolAudience::new(audience),
        ),
    };
    spawned.expect("an agent")
}

pub(crate) fn config(directory: &Path) -> AgentConfig {
    AgentConfig {
        workspace: WorkspaceConfig {
            base_dir: directory.to_owned(),
            ..WorkspaceConfig::default()
        },
        ..AgentConfig::default()
    }
}

/// A result as the model is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) content: ToolResultContent,
    pub(crate) is_error: bool,
}

impl Shown {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::of(ToolResultContent::Text(text.into()))
    }

    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    pub(crate) fn of(content: ToolResultContent) -> Self {
        Self {
            content,
            is_error: false,
        }
    }
}

/// What mentra says of a call that the chain refused.
pub(crate) fn refused(reason: &str) -> Shown {
    Shown::error(format!(
        "Blocked by mixed execution hook: denied by execution hook 'hookchain': {reason}"
    ))
}

/// Lets the agent take one turn, and gives the results that the model was shown in it.
pub(crate) async fn take_turn(agent: &mut Agent) -> Vec<Shown> {
    let before = agent.history().len();
    let said = agent.send(vec![ContentBlock::text("go on")]).await;
    assert_eq!(said.expect("a turn").text(), "done");
    results(agent.history().get(before..).unwrap_or_default())
}

/// The results in a history, as the model is shown them.
pub(crate) fn results(history: &[Message]) -> Vec<Shown> {
    let blocks = history.iter().flat_map(|message| &message.content);
    blocks.filter_map(shown).collect()
}

fn shown(block: &ContentBlock) -> Option<Shown> {
    let ContentBlock::ToolResult {
        content, is_error, ..
    } = block
    else {
        return None;
    };
    Some(Shown {
        content: content.clone(),
        is_error: *is_error,
    })
}

/// The results as mentra's events told them.
pub(crate) fn told(events: &mut tokio::sync::broadcast::Receiver<AgentEvent>) -> Vec<Shown> {
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let AgentEvent::ToolExecutionFinished { result } = event {
            told.extend(shown(&result));
        }
    }
    told
}

/// One call of the tool through the hooks of the workspace, from the model to the model: what it was shown.
pub(crate) async fn one_call(workspace: &Workspace, tool: &Probe, input: Value) -> Shown {
    one_call_through(&chain(workspace), workspace, tool, input).await
}

pub(crate) async fn one_call_through(
    hooks: &MentraHooks,
    workspace: &Workspace,
    tool: &Probe,
    input: Value,
) -> Shown {
    let name = mentra::tool::ToolDefinition::descriptor(tool).provider.name;
    let mock = model_calling(&[(&name, input)]).build().expect("a runtime");
    mock.runtime().register_tool(tool.clone());
    let _guarded = hooks.register(mock.runtime());
    let mut agent = agent(&mock, workspace.path(), None);
    let mut shown = take_turn(&mut agent).await;
    assert_eq!(shown.len(), 1);
    shown.remove(0)
}
