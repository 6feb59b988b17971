//! The cases of `tests/cases/claude`: public reports of hook engines that went wrong, each with the right answer.
//!
//! Here they are put to the hooks themselves; how the files are read is another matter.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use hook_contract::json::Members;
use hook_dialect::{
    Dialect,
    config::{CommandForm, Handler, LoadedHook, Origin, Scope, Shell},
    dialect::EventRow,
    run::DialectHooks,
};
use hook_runner::{HookCall, HookOutcome, HookRunner};
use serde_json::Value;

#[tokio::test]
async fn every_case_has_the_outcome_that_it_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/claude");
    let mut judged = 0;
    for case in fs::read_dir(root).expect("cases") {
        let case = case.expect("a case").path();
        let expect: Value = read(&case, "expect.json");
        if expect["outcome"] == "config_error" {
            continue;
        }
        judged += 1;
        judge(&case, &expect).await;
    }
    assert!(judged >= 7, "{judged}");
}

fn read(case: &Path, file: &str) -> Value {
    let text = fs::read_to_string(case.join(file)).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

async fn judge(case: &Path, expect: &Value) {
    let parent = tempfile::tempdir().expect("a directory");
    let workspace = placed(case, parent.path());
    let settings = read(case, "claude-settings.json");
    let hooks = DialectHooks::builder(Dialect::CLAUDE, &workspace)
        .with_hooks(declared(&settings))
        .build();
    let runner = HookRunner::builder(&workspace)
        .with_last_participant(hooks)
        .build();
    let text = fs::read_to_string(case.join("call.json")).expect("a call");
    let call: Members<'_> = serde_json::from_str(&text).expect("a call");
    let named = |name: &str| call.iter().find(|member| member.name == name);
    let input = named("input").expect("an input").value;
    let tool: String = named("tool_name")
        .and_then(|member| serde_json::from_str(member.value).ok())
        .expect("a tool");
    let outcome = runner
        .decide(&HookCall::new("agent-1", tool, "call-1", input))
        .await;
    let name = case.file_name().expect("a name").to_string_lossy();
    let (found, reason) = match &outcome {
        HookOutcome::Allow => ("allow", ""),
        HookOutcome::Deny(reason) => ("deny", &**reason),
        HookOutcome::Modify { input, .. } => {
            assert_eq!(*input.value(), expect["input"], "{name}");
            ("modify", "")
        }
        HookOutcome::Replace { .. } => ("replace", ""),
    };
    assert_eq!(expect["outcome"], found, "{name}: {outcome:?}");
    for part in expect["reason_contains"].as_array().into_iter().flatten() {
        assert!(
            reason.contains(part.as_str().expect("a text")),
            "{name}: {reason}"
        );
    }
}

/// The workspace of a case, with its programs.
fn placed(case: &Path, parent: &Path) -> PathBuf {
    let setup = case.join("setup.json");
    let setup = if setup.exists() {
        read(case, "setup.json")
    } else {
        Value::Null
    };
    let workspace = parent.join(setup["workspace_name"].as_str().unwrap_or("ws"));
    let hooks = workspace.join(".claude/hooks");
    fs::create_dir_all(&hooks).expect("a directory");
    for file in fs::read_dir(case).expect("a case") {
        let file = file.expect("a file").path();
        if file.extension().is_some_and(|extension| extension == "sh") {
            let own = hooks.join(file.file_name().expect("a name"));
            // A link, because a program that is being written cannot be started.
            std::os::unix::fs::symlink(&file, own).expect("a link");
        }
    }
    workspace
}

fn declared(settings: &Value) -> Vec<LoadedHook> {
    let claude = Dialect::CLAUDE;
    let mut hooks = Vec::new();
    for (event, groups) in settings["hooks"].as_object().expect("hooks") {
        let event = claude.event(event).expect("an event");
        for group in groups.as_array().expect("groups") {
            let handlers = group["hooks"].as_array().expect("handlers");
            hooks.extend(handlers.iter().map(|handler| {
                let pattern = group["matcher"].as_str().map(str::to_owned);
                let origin = Origin::new(Scope::Project, "settings.json".into(), 1);
                LoadedHook::new(claude, event, pattern, read_handler(event, handler), origin)
            }));
        }
    }
    hooks
}

fn read_handler(event: &EventRow, handler: &Value) -> Handler {
    let text = handler["command"].as_str().expect("a command").to_owned();
    let shell = Shell::Posix;
    let read = Handler::new(CommandForm::Shell { text, shell }, event.timeout.default);
    match handler["timeout"].as_u64() {
        Some(seconds) => read.with_timeout(Duration::from_secs(seconds)),
        None => read,
    }
}
