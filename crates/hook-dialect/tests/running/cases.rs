//! The cases of `tests/cases/claude`: public reports of hook engines that went wrong, each with the right answer.
//!
//! Their settings are read where Claude Code would read them, and the call goes through the chain.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hook_contract::json::Members;
use hook_dialect::{
    Dialect,
    config::{DialectConfig, load},
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
        judged += 1;
        judge(&case, &expect).await;
    }
    assert!(judged >= 8, "{judged}");
}

fn read(case: &Path, file: &str) -> Value {
    let text = fs::read_to_string(case.join(file)).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

async fn judge(case: &Path, expect: &Value) {
    let parent = tempfile::tempdir().expect("a directory");
    let workspace = placed(case, parent.path());
    let name = case.file_name().expect("a name").to_string_lossy();
    let config = DialectConfig::new().with_dialects([Dialect::CLAUDE]);
    let (found, reason) = match load(&workspace, &config) {
        Err(error) => ("config_error", error.to_string()),
        Ok(loaded) => {
            let hooks = DialectHooks::builder(Dialect::CLAUDE, &workspace).with_loaded(&loaded);
            match decided(case, &workspace, hooks.build()).await {
                HookOutcome::Allow => ("allow", String::new()),
                HookOutcome::Deny(reason) => ("deny", reason.clone()),
                HookOutcome::Modify { input, .. } => {
                    assert_eq!(*input.value(), expect["input"], "{name}");
                    ("modify", String::new())
                }
                HookOutcome::Replace { .. } => ("replace", String::new()),
            }
        }
    };
    assert_eq!(expect["outcome"], found, "{name}: {reason}");
    for part in expect["reason_contains"].as_array().into_iter().flatten() {
        let part = part.as_str().expect("a text");
        assert!(reason.contains(part), "{name}: {reason}");
    }
}

/// What the hooks of a case decide about its call.
async fn decided(case: &Path, workspace: &Path, hooks: DialectHooks) -> HookOutcome {
    let runner = HookRunner::builder(workspace)
        .with_last_participant(hooks)
        .build()
        .expect("built");
    let text = fs::read_to_string(case.join("call.json")).expect("a call");
    let call: Members<'_> = serde_json::from_str(&text).expect("a call");
    let named = |name: &str| call.iter().find(|member| member.name == name);
    let input = named("input").expect("an input").value;
    let tool: String = named("tool_name")
        .and_then(|member| serde_json::from_str(member.value).ok())
        .expect("a tool");
    let call = HookCall::new("agent-1", tool, "call-1", input);
    runner.decide(&call).await
}

/// The workspace of a case, with its settings and programs.
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
    let settings = workspace.join(".claude/settings.json");
    fs::copy(case.join("claude-settings.json"), settings).expect("settings");
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
