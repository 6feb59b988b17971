//! The cases of `tests/cases`: public reports of hook engines that went wrong, each with the right answer.
//!
//! They are put to the libraries here, in this process. Their own page tells what is in a case.
#![cfg(target_os = "linux")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use hook_config::HooksConfig;
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hook_dialect::{Dialect, config::DialectConfig, run::DialectHooks};
use hook_runner::{HookRunner, HookRunnerBuilder};
use hookchain_tests::{Bench, Workspace, as_json, census::assert_nobody_in};
use serde::Deserialize;
use serde_json::value::RawValue;

fn cases(kind: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cases")
        .join(kind);
    let entries = fs::read_dir(root).expect("the cases");
    let mut cases: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    cases
}

/// The call, its values as they were written: some cases are about digits and repeated keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    event: HookEvent,
    agent_id: String,
    tool_call_id: String,
    tool_name: String,
    input: Box<RawValue>,
    output: Option<Box<RawValue>>,
    is_error: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    outcome: String,
    #[serde(default)]
    also_acceptable: Vec<String>,
    #[serde(default)]
    reason_contains: Vec<String>,
    #[serde(default)]
    report_contains: Vec<String>,
    input: Option<Json>,
    output: Option<Json>,
    is_error: Option<bool>,
    #[serde(default)]
    forbidden_files: Vec<String>,
    #[serde(default)]
    leaves_no_process: bool,
    /// Both are for a command that is run by itself on a machine of its own.
    #[serde(rename = "max_seconds")]
    _max_seconds: Option<f64>,
    #[serde(rename = "max_rss_mb")]
    _max_rss_mb: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Setup {
    workspace_name: Option<String>,
    env: std::collections::BTreeMap<String, String>,
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The settings of Claude Code, in a case that has them in place of a hooks file.
const SETTINGS: &str = "claude-settings.json";

/// Puts the files of a case where they belong.
fn place(case: &Path, workspace: &Workspace) {
    let folder = if case.join(SETTINGS).exists() {
        ".claude"
    } else {
        ".basis"
    };
    for entry in fs::read_dir(case).expect("a case") {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let place = match name {
            "call.json" | "expect.json" | "setup.json" | "setup.sh" | "README.md" => continue,
            "hooks.json" => ".basis/hooks.json".to_owned(),
            SETTINGS => ".claude/settings.json".to_owned(),
            program => format!("{folder}/hooks/{program}"),
        };
        let mode = path.metadata().expect("a file").permissions().mode() & 0o111;
        workspace.write(&place, fs::read(&path).expect("a file"), 0o644 | mode);
    }
    let setup = case.join("setup.sh");
    if setup.exists() {
        let status = Command::new("bash")
            .arg(setup)
            .current_dir(workspace.path())
            .status();
        assert!(status.expect("bash").success(), "{}", case.display());
    }
}

/// What came out: the word, the outcome as JSON, and what the operator and the reader of a denial are told.
struct Result {
    word: String,
    outcome: Json,
    reason: String,
    reports: String,
}

impl Result {
    /// The declarations cannot be used; nothing ran.
    fn config_error(error: &dyn std::error::Error) -> Self {
        Self {
            word: "config_error".into(),
            outcome: Json::parse("{}").expect("JSON"),
            reason: error.to_string(),
            reports: String::new(),
        }
    }
}

/// The hooks of a workspace, with these variables for the engine's environment.
fn declared(
    workspace: &Path,
    env: &[(&String, String)],
) -> std::result::Result<HookRunnerBuilder, Result> {
    let loaded = hook_config::load(workspace, &HooksConfig::new())
        .map_err(|error| Result::config_error(&error))?;
    let config = DialectConfig::new().with_dialects([Dialect::CLAUDE]);
    let settings = hook_dialect::config::load(workspace, &config)
        .map_err(|error| Result::config_error(&error))?;
    let mut builder = HookRunner::builder(workspace).with_hooks(loaded.hooks);
    let mut agent = DialectHooks::builder(Dialect::CLAUDE, workspace).with_loaded(&settings);
    for (name, value) in env {
        builder = builder.with_env(name, value);
        agent = agent.with_env(name, value);
    }
    Ok(builder.with_last_participant(agent.build()))
}

async fn consult(workspace: &Workspace, call: &Call, setup: &Setup) -> Result {
    let path = std::env::var("PATH").unwrap_or_default();
    let variables = setup.env.iter();
    let variables: Vec<_> = variables
        .map(|(name, value)| (name, value.replace("${PATH}", &path)))
        .collect();
    let builder = match declared(workspace.path(), &variables) {
        Ok(builder) => builder,
        Err(result) => return result,
    };
    let bench = Bench::of(builder);
    let asked = HookCall::new(
        &*call.agent_id,
        &*call.tool_name,
        &*call.tool_call_id,
        call.input.get(),
    );
    let request = match (&call.output, call.is_error) {
        (Some(output), is_error) => {
            let output = Json::parse(output.get()).expect("an output");
            HookRequest::from_result(workspace.path(), &asked, output, is_error.unwrap_or(false))
        }
        (None, _) => HookRequest::from_call(call.event, workspace.path(), &asked),
    };
    assert_eq!(request.event, call.event);
    let outcome = bench.consult(request).await.outcome;
    let json = as_json(&outcome);
    Result {
        word: json["outcome"].as_str().expect("a word").to_owned(),
        reason: match &outcome {
            HookOutcome::Deny(reason) => reason.clone(),
            _ => String::new(),
        },
        outcome: json,
        reports: bench.reports().join("\n"),
    }
}

/// What is wrong with the result of a case; empty when nothing is.
async fn faults(case: &Path) -> Vec<String> {
    let setup_file = case.join("setup.json");
    let setup: Setup = if setup_file.exists() {
        read(&setup_file)
    } else {
        Setup::default()
    };
    let workspace = Workspace::named(setup.workspace_name.as_deref().unwrap_or("ws"));
    place(case, &workspace);
    let expected: Expected = read(&case.join("expect.json"));
    let result = consult(&workspace, &read(&case.join("call.json")), &setup).await;

    let mut faults = Vec::new();
    let mut check = |holds: bool, fault: &dyn Fn() -> String| {
        if !holds {
            faults.push(fault());
        }
    };
    let as_expected = result.word == expected.outcome;
    check(
        as_expected || expected.also_acceptable.contains(&result.word),
        &|| format!("outcome {} ({})", result.outcome, result.reason),
    );
    let contains = |text: &str, part: &String| text.to_lowercase().contains(&part.to_lowercase());
    if as_expected {
        for part in &expected.reason_contains {
            check(contains(&result.reason, part), &|| {
                format!("no {part:?} in {:?}", result.reason)
            });
        }
        for part in &expected.report_contains {
            check(contains(&result.reports, part), &|| {
                format!("no {part:?} in {:?}", result.reports)
            });
        }
        let flag = expected.is_error.map(|flag| flag.to_string());
        let values = [
            ("input", expected.input.as_ref().map(Json::text)),
            ("output", expected.output.as_ref().map(Json::text)),
            ("is_error", flag.as_deref()),
        ];
        for (name, value) in values {
            let Some(value) = value else { continue };
            let members = result.outcome.members().expect("an object");
            let found = members.get(name).and_then(|found| Json::parse(found).ok());
            check(found == Json::parse(value).ok(), &|| {
                format!("{name} is {found:?}, not {value}")
            });
        }
    }
    for name in &expected.forbidden_files {
        check(!workspace.has(name), &|| format!("{name} exists"));
    }
    if expected.leaves_no_process {
        assert_nobody_in(workspace.path());
    }
    faults
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_of_a_hooks_file_comes_out_right() {
    check("native", 40).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_of_the_settings_of_claude_code_comes_out_right() {
    check("claude", 8).await;
}

async fn check(kind: &str, at_least: usize) {
    let running: Vec<_> = cases(kind)
        .into_iter()
        .map(|case| {
            let name = case.file_name().expect("a name").display().to_string();
            (name, tokio::spawn(async move { faults(&case).await }))
        })
        .collect();
    assert!(running.len() >= at_least, "{} cases", running.len());
    let mut wrong = Vec::new();
    for (name, task) in running {
        for fault in task.await.unwrap_or_else(|error| vec![error.to_string()]) {
            wrong.push(format!("{name}: {fault}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
