//! The table of `tests/drivers`, through mentra. The command `hookchain consult` goes through the same one.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use hook_contract::{HookEvent, Json};
use hook_mentra::MentraHooks;
use hook_runner::{Recorded, Recorder};
use hookchain_tests::as_json;
use mentra::tool::{ToolOutput, ToolResultContent};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    probe::Probe,
    scene::{Shown, agent, model_calling, refused, runner, take_turn},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    call: Call,
    outcome: Json,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    #[serde(default)]
    event: HookEvent,
    tool_name: String,
    input: Value,
    output: Option<Value>,
    #[serde(default)]
    is_error: bool,
}

/// Keeps the outcome of each consultation about one event.
#[derive(Clone)]
struct Outcomes {
    event: HookEvent,
    kept: Arc<Mutex<Vec<Json>>>,
}

impl Recorder for Outcomes {
    fn record(&self, event: Recorded<'_>) {
        let Recorded::Concluded {
            result: concluded, ..
        } = event
        else {
            return;
        };
        if concluded.trail.iter().any(|step| step.event == self.event) {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push(as_json(&concluded.outcome));
        }
    }
}

/// What came of a call in mentra.
struct Came {
    /// What the runner said; nothing when nobody was asked.
    outcome: Option<Json>,
    ran_with: Vec<Value>,
    shown: Shown,
}

async fn come(directory: &Path, call: &Call) -> Came {
    let outcomes = Outcomes {
        event: call.event,
        kept: Arc::default(),
    };
    let (runner, _reports) = runner(directory);
    let hooks = MentraHooks::new(
        runner
            .with_recorder(outcomes.clone())
            .build()
            .expect("a runner"),
    );
    let calls = [(call.tool_name.as_str(), call.input.clone())];
    let mock = model_calling(&calls).build().expect("a runtime");
    let tool = tool(call);
    mock.runtime().register_tool(tool.clone());
    let _guarded = hooks.register(mock.runtime());
    let mut shown = take_turn(&mut agent(&mock, directory, None)).await;
    assert_eq!(shown.len(), 1);
    let mut kept = outcomes.kept.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(kept.len() <= 1, "{kept:?}");
    Came {
        outcome: kept.pop(),
        ran_with: tool.seen(),
        shown: shown.remove(0),
    }
}

/// A tool that has the result of the row.
fn tool(call: &Call) -> Probe {
    let tool = Probe::new(&call.tool_name);
    match (&call.output, call.is_error) {
        (None, _) => tool,
        (Some(Value::String(text)), true) => tool.failing(text),
        (Some(_), true) => panic!("a tool of mentra fails with text"),
        (Some(Value::String(text)), false) => tool.returning(ToolOutput::text(text.as_str())),
        (Some(value), false) => tool.returning(ToolOutput::structured(value.clone())),
    }
}

/// The result as the tool gave it.
fn true_result(call: &Call) -> Shown {
    let content = match &call.output {
        None => ToolResultContent::text("ran"),
        Some(output) => content(output),
    };
    Shown {
        content,
        is_error: call.is_error,
    }
}

fn content(output: &Value) -> ToolResultContent {
    match output.as_str() {
        Some(text) => ToolResultContent::text(text),
        None => ToolResultContent::Structured(output.clone()),
    }
}

/// What the outcome of a row means in mentra: the inputs that the tool ran with, and what the model is shown.
fn meaning(call: &Call, outcome: &Value) -> (Vec<Value>, Shown) {
    let reason = outcome["reason"].as_str().unwrap_or_default();
    let as_made = vec![call.input.clone()];
    match (outcome["outcome"].as_str(), call.event) {
        (Some("allow"), _) => (as_made, true_result(call)),
        (Some("modify"), _) => (vec![outcome["input"].clone()], true_result(call)),
        (Some("deny"), HookEvent::PreToolUse) => (vec![], refused(reason)),
        (Some("deny"), _) => (as_made, Shown::error(reason)),
        (Some("replace"), _) => (
            as_made,
            Shown {
                content: content(&outcome["output"]),
                is_error: outcome["is_error"] == true,
            },
        ),
        (other, _) => panic!("{other:?} is no outcome"),
    }
}

#[tokio::test]
async fn mentra_does_as_the_table_says() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/drivers");
    let directory = fs::canonicalize(directory).expect("a directory");
    let path = directory.to_str().expect("UTF-8");
    let table = fs::read_to_string(directory.join("table.jsonl")).expect("the table");
    let allow = Json::parse(r#"{"outcome":"allow"}"#).expect("JSON");
    for line in table.lines() {
        let row: Row = serde_json::from_str(&line.replace("[workspace]", path)).expect("a row");
        let came = come(&directory, &row.call).await;
        assert_eq!(
            came.outcome.as_ref().unwrap_or(&allow),
            &row.outcome,
            "{line}"
        );
        let (ran_with, shown) = meaning(&row.call, row.outcome.value());
        assert_eq!((came.ran_with, came.shown), (ran_with, shown), "{line}");
    }
}
