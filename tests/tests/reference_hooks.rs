//! The hooks in `docs/hooks`, run as their page says: once for each question, and kept for many.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use hook_config::{HookSpec, OnFailure};
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hook_wire::HookResponse;
use hookchain_tests::{Bench, Kept, Workspace, as_json};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/hooks")
}

/// One question, and what the hook must say to it: the decision, and for a rewrite the new value.
struct Question {
    input: Value,
    output: Option<Value>,
    decision: &'static str,
    rewrite: Option<Value>,
}

struct Reference {
    file: &'static str,
    event: HookEvent,
    worker: bool,
    questions: Vec<Question>,
}

fn command(text: &str, decision: &'static str) -> Question {
    Question {
        input: json!({"command": text}),
        output: None,
        decision,
        rewrite: None,
    }
}

fn result(output: Value, rewrite: Option<Value>) -> Question {
    let decision = if rewrite.is_some() {
        "replace"
    } else {
        "allow"
    };
    Question {
        input: json!({"path": "a"}),
        output: Some(output),
        decision,
        rewrite,
    }
}

fn references() -> Vec<Reference> {
    let pushes = || {
        vec![
            command("ls -l", "allow"),
            command("git push origin main", "allow"),
            command("git push --force", "deny"),
            command("cd a && git push -f origin main", "deny"),
            command("git push origin +main", "deny"),
            command("git pu\"s\"h --fo\\\nrce", "deny"),
            command("git push --force-with-lease", "deny"),
            command("git commit -m 'é 🚫'", "allow"),
        ]
    };
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    let tokens = vec![
        result(json!("nothing of note\n"), None),
        result(
            json!(format!("token {token}\n")),
            Some(json!("token [redacted]\n")),
        ),
        result(
            json!({"lines": ["é", token], "n": 1.5}),
            Some(json!({"lines": ["é", "[redacted]"], "n": 1.5})),
        ),
        result(json!(null), None),
    ];
    let guard = |file, worker| Reference {
        file,
        event: HookEvent::PreToolUse,
        worker,
        questions: pushes(),
    };
    vec![
        guard("no-force-push.sh", false),
        guard("no-force-push.py", true),
        guard("no-force-push.mjs", true),
        Reference {
            file: "redact-tokens.py",
            event: HookEvent::PostToolUse,
            worker: true,
            questions: tokens,
        },
    ]
}

fn request(question: &Question, workspace: &Path) -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", question.input.to_string());
    match &question.output {
        None => HookRequest::from_call(HookEvent::PreToolUse, workspace, &call),
        Some(output) => {
            let output = Json::parse(&output.to_string()).expect("JSON");
            HookRequest::from_result(workspace, &call, output, false)
        }
    }
}

/// A workspace that holds the hook, as its page tells to copy it.
fn with_copy(file: &str) -> Workspace {
    let workspace = Workspace::new();
    let text = fs::read(folder().join(file)).expect("a hook");
    workspace.write(&format!(".basis/hooks/{file}"), text, 0o755);
    workspace
}

#[test]
fn every_hook_of_the_page_is_tried_here() {
    let tried: BTreeSet<String> = references()
        .iter()
        .map(|hook| hook.file.to_owned())
        .collect();
    let there = fs::read_dir(folder()).expect("the hooks");
    let there: BTreeSet<String> = there
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name != "README.md")
        .collect();
    assert_eq!(tried, there);
    let page = fs::read_to_string(folder().join("README.md")).expect("the page");
    for hook in references() {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{}` |", hook.file)));
        let row = row.unwrap_or_else(|| panic!("the page does not mention {}", hook.file));
        assert!(row.contains(hook.event.as_str()), "{row}");
        assert!(
            row.ends_with(if hook.worker { "| yes |" } else { "| no |" }),
            "{row}"
        );
    }
}

/// What a hook must have said, in the form of an outcome.
fn expected(question: &Question, outcome: &Json) -> Value {
    let mut expected = json!({"outcome": question.decision});
    if let Some(rewrite) = &question.rewrite {
        expected["output"] = rewrite.clone();
        expected["is_error"] = false.into();
    }
    // Its own words are its own business.
    if let Some(reason) = outcome.get("reason") {
        expected["reason"] = reason.clone();
    }
    expected
}

#[tokio::test]
async fn each_answers_one_question_when_it_is_started_for_it() {
    for reference in references() {
        let workspace = with_copy(reference.file);
        let hook = HookSpec::new("reference", [format!("./.basis/hooks/{}", reference.file)])
            .with_event(reference.event)
            .with_timeout(std::time::Duration::from_secs(60));
        for question in &reference.questions {
            let bench = Bench::new(&workspace, [hook.clone()]);
            let outcome = bench
                .consult(request(question, workspace.path()))
                .await
                .outcome;
            let outcome = as_json(&outcome);
            let shown = format!(
                "{} {} {:?}",
                reference.file,
                question.input,
                bench.reports()
            );
            assert_eq!(outcome, expected(question, &outcome), "{shown}");
            assert_eq!(bench.reports(), Vec::<String>::new(), "{shown}");
        }
    }
}

#[tokio::test]
async fn each_fails_rather_than_guesses_when_it_cannot_read_the_call() {
    for reference in references()
        .iter()
        .filter(|hook| hook.event == HookEvent::PreToolUse)
    {
        let workspace = with_copy(reference.file);
        let hook = HookSpec::new("reference", [format!("./.basis/hooks/{}", reference.file)])
            .with_timeout(std::time::Duration::from_secs(60))
            .with_on_failure(OnFailure::Deny);
        let odd = Question {
            input: json!({"command": ["git", "push", "--force"]}),
            output: None,
            decision: "deny",
            rewrite: None,
        };
        let outcome = Bench::new(&workspace, [hook])
            .consult(request(&odd, workspace.path()))
            .await
            .outcome;
        assert!(
            matches!(outcome, HookOutcome::Deny(_)),
            "{}: {outcome:?}",
            reference.file
        );
    }
}

#[test]
fn one_that_can_be_kept_answers_line_by_line() {
    for reference in references().iter().filter(|hook| hook.worker) {
        let workspace = with_copy(reference.file);
        let path = workspace.path().join(".basis/hooks").join(reference.file);
        let mut kept = Kept::start(Command::new(path).current_dir(workspace.path()));
        for question in reference.questions.iter().chain(&reference.questions) {
            let response = kept.ask(&request(question, workspace.path()));
            assert_eq!(
                response.decision().as_str(),
                question.decision,
                "{}",
                reference.file
            );
            let rewrite = match response {
                HookResponse::Replace { output, .. } => Some(output.value().clone()),
                _ => None,
            };
            assert_eq!(rewrite, question.rewrite, "{}", reference.file);
        }
        kept.end();
    }
}
