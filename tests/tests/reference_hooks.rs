//! The hooks in `docs/hooks`, run as their page says: once for each question, and kept for many.

#[path = "reference_hooks/service.rs"]
mod service;
#[path = "reference_hooks/table.rs"]
mod table;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use hook_config::{HookMode, HookSpec};
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json, Rewrite};
use hook_runner::Consultation;
use hookchain_tests::{Bench, Kept, Workspace, as_json, denial};
use serde_json::{Value, json};

use crate::{
    service::Service,
    table::{Question, Reference, references},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/hooks")
}

impl Reference {
    /// A workspace that holds the hook, as its page tells to copy it.
    fn workspace(&self) -> Workspace {
        let workspace = Workspace::new();
        let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk");
        for (from, to) in [
            (folder().join(self.file), self.file),
            (
                sdk.join("python/src/hookchain_hook/__init__.py"),
                "hookchain_hook.py",
            ),
            (sdk.join("node/hookchain-hook.mjs"), "hookchain-hook.mjs"),
        ] {
            if to == self.file || self.has_loop {
                let text = fs::read(from).expect("a file");
                workspace.write(&format!(".basis/hooks/{to}"), text, 0o755);
            }
        }
        for (name, text) in &self.finds {
            workspace.write(name, text, 0o644);
        }
        workspace
    }

    fn spec(&self) -> HookSpec {
        let program = format!("./.basis/hooks/{}", self.file);
        HookSpec::new(
            "reference",
            [program].into_iter().chain(self.arguments.clone()),
        )
        .with_event(self.event)
        .with_timeout(Duration::from_secs(60))
    }
}

fn request(question: &Question, workspace: &Path) -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", question.input.clone());
    match &question.output {
        None => HookRequest::from_call(HookEvent::PreToolUse, workspace, &call),
        Some(output) => {
            let output = Json::parse(output).expect("JSON");
            HookRequest::from_result(workspace, &call, output, false)
        }
    }
}

#[test]
fn every_hook_of_the_page_is_tried_here() {
    let service = Service::start();
    let references = references(&service);
    let tried: BTreeSet<String> = references.iter().map(|hook| hook.file.to_owned()).collect();
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
    for hook in references {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{}` |", hook.file)));
        let row = row.unwrap_or_else(|| panic!("the page does not mention {}", hook.file));
        assert!(row.contains(hook.event.as_str()), "{row}");
        assert_eq!(row.contains("the loop"), hook.has_loop, "{row}");
        assert!(
            row.ends_with(if hook.worker { "| yes |" } else { "| no |" }),
            "{row}"
        );
    }
}

/// What a hook must have said, in the form of an outcome. No person is there to be asked.
fn expected(question: &Question, outcome: &Json) -> Value {
    let comes_of_it = match question.decision {
        "ask" => "deny",
        decision => decision,
    };
    let mut expected = json!({"outcome": comes_of_it});
    match (question.decision, &question.rewrite) {
        ("modify", Some(rewrite)) => expected["input"] = rewrite.clone(),
        ("replace", Some(rewrite)) => {
            expected["output"] = rewrite.clone();
            expected["is_error"] = false.into();
        }
        _ => {}
    }
    // Its own words are its own business.
    if let Some(reason) = outcome.get("reason") {
        expected["reason"] = reason.clone();
    }
    expected
}

/// The hook's own word, and its words for the model.
#[track_caller]
fn check_said(question: &Question, consultation: &Consultation) {
    let [step] = &consultation.trail[..] else {
        panic!("{:?}", consultation.trail)
    };
    assert_eq!(step.word(), question.decision, "{}", question.input);
    let asks = question.decision == "ask";
    assert_eq!(consultation.asked.is_some(), asks, "{}", question.input);
    if asks {
        assert!(step.reason.is_some(), "a person is told why");
    }
    let texts = consultation.context.iter().map(|context| &*context.text);
    check_told(question, texts);
}

#[track_caller]
fn check_told<'a>(question: &Question, texts: impl Iterator<Item = &'a str>) {
    let texts: Vec<_> = texts.collect();
    let parts: Vec<_> = question.context.into_iter().collect();
    assert_eq!(texts.len(), parts.len(), "{}: {texts:?}", question.input);
    for (text, part) in texts.iter().zip(parts) {
        assert!(text.contains(part), "{text}");
    }
}

#[tokio::test]
async fn each_answers_one_question_when_it_is_started_for_it() {
    let service = Service::start();
    for reference in references(&service) {
        let workspace = reference.workspace();
        for question in &reference.questions {
            let bench = Bench::new(&workspace, [reference.spec()]);
            let consultation = bench.consult(request(question, workspace.path())).await;
            check_said(question, &consultation);
            let outcome = as_json(&consultation.outcome);
            let shown = format!(
                "{} {} {:?}",
                reference.file,
                question.input,
                bench.reports()
            );
            assert_eq!(outcome, expected(question, &outcome), "{shown}");
            assert_eq!(bench.reports(), Vec::<String>::new(), "{shown}");
        }
        for name in &reference.leaves {
            let lines = workspace.lines(name);
            let asked = reference.questions.iter();
            let written = lines.iter().zip(asked.clone());
            let all = written.filter(|(line, question)| line.contains(&question.input));
            assert_eq!(all.count(), asked.len(), "{lines:?}");
            assert_eq!(lines.len(), asked.len(), "{lines:?}");
        }
    }
}

#[tokio::test]
async fn a_guard_denies_a_call_that_it_cannot_read() {
    let service = Service::start();
    for reference in references(&service) {
        let workspace = reference.workspace();
        for input in reference.unreadable {
            let question = Question::call(input, "deny");
            let outcome = Bench::new(&workspace, [reference.spec()])
                .consult(request(&question, workspace.path()))
                .await
                .outcome;
            assert!(
                matches!(outcome, HookOutcome::Deny(_)),
                "{} {input}: {outcome:?}",
                reference.file
            );
        }
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_or_says_something_else_has_allowed_nothing() {
    let service = Service::start();
    for reference in references(&service) {
        if reference.arguments.is_empty() {
            continue;
        }
        let workspace = reference.workspace();
        for answer in [
            "HTTP/1.0 500 Oh\r\n\r\n{\"allowed\":true}",
            "HTTP/1.0 204 Nothing\r\n\r\n",
            "HTTP/1.0 200 OK\r\n\r\n{\"allowed\":\"true\"}",
            "HTTP/1.0 200 OK\r\n\r\n{\"allowed\":tru",
            "HTTP/1.0 200 OK\r\n\r\n",
            "HTTP/1.0 2",
            "",
        ] {
            service.will_say(answer);
            let question = Question::call(r#"{"command":"ls"}"#, "deny");
            let bench = Bench::new(&workspace, [reference.spec()]);
            let outcome = bench
                .consult(request(&question, workspace.path()))
                .await
                .outcome;
            assert!(!denial(&outcome).is_empty(), "{} {answer}", reference.file);
        }
        service.will_judge();
    }
}

#[tokio::test]
async fn one_that_can_be_kept_says_the_same_as_a_worker() {
    let service = Service::start();
    for reference in references(&service).iter().filter(|hook| hook.worker) {
        let workspace = reference.workspace();
        let started = Bench::new(&workspace, [reference.spec()]);
        let kept = Bench::new(&workspace, [reference.spec().with_mode(HookMode::Worker)]);
        let questions = reference.questions.iter().chain(&reference.questions);
        for (number, question) in (1..).zip(questions) {
            let asked = || request(question, workspace.path());
            let fresh = started.consult(asked()).await;
            let same = kept.consult(asked()).await;
            check_said(question, &same);
            let step = &same.trail[0];
            assert_eq!(step.decision, fresh.trail[0].decision, "{}", reference.file);
            assert_eq!(step.reason, fresh.trail[0].reason, "{}", reference.file);
            let answered = step.worker.map(|worker| worker.answered);
            assert_eq!(
                answered,
                Some(number),
                "{}: {:?}",
                reference.file,
                kept.reports()
            );
            let said = as_json(&fresh.outcome)
                .text()
                .replace("hook 'reference'", "worker 'reference'");
            assert_eq!(as_json(&same.outcome).text(), said);
        }
        kept.runner.shutdown().await;
        assert_eq!(kept.reports(), Vec::<String>::new(), "{}", reference.file);
    }
}

#[test]
fn one_that_can_be_kept_answers_line_by_line() {
    let service = Service::start();
    for reference in references(&service).iter().filter(|hook| hook.worker) {
        let workspace = reference.workspace();
        let path = workspace.path().join(".basis/hooks").join(reference.file);
        let mut command = Command::new(path);
        command
            .args(&reference.arguments)
            .current_dir(workspace.path());
        let mut kept = Kept::start(&mut command);
        for question in reference.questions.iter().chain(&reference.questions) {
            let response = kept.ask(&request(question, workspace.path()));
            assert_eq!(
                response.decision().as_str(),
                question.decision,
                "{}",
                reference.file
            );
            let rewrite = response.rewrite().map(|rewrite| match rewrite {
                Rewrite::Output { output, .. } => output.value().clone(),
                Rewrite::Input(input) => input.value().clone(),
                other => panic!("{other:?}"),
            });
            assert_eq!(rewrite, question.rewrite, "{}", reference.file);
            check_told(question, response.context().iter().map(String::as_str));
        }
        kept.end();
    }
}
