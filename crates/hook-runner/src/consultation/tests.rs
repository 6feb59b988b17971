//! The JSON of a consultation, as docs/consult-json.md has it.

use std::{collections::BTreeSet, future::ready, time::Instant};

use hook_contract::{
    Answer, Approval, ApprovalRequest, Approver, HookMode, HookSpec, InterceptorError, async_trait,
};
use serde_json::{Value, json};

use super::*;
use crate::{
    HookFailure, HookRunner, Reply,
    testing::{Mine, WORKSPACE, after, before, policy, user, workspace},
};

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

#[tokio::test]
async fn each_outcome_stands_first_and_the_trail_is_always_there() {
    let outcomes = [
        HookOutcome::Allow,
        HookOutcome::deny("no"),
        HookOutcome::modify(json!({"a": 1})).because("hook 'pin'"),
        HookOutcome::replace(json!(null), true),
    ];
    let lines = outcomes
        .map(|outcome| serde_json::to_string(&Consultation::of(outcome)).expect("plain data"));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"outcome":"allow","trail":[]}
    {"outcome":"deny","reason":"no","trail":[]}
    {"outcome":"modify","input":{"a":1},"reason":"hook 'pin'","trail":[]}
    {"outcome":"replace","output":null,"is_error":true,"trail":[]}
    "#);
}

/// Says this.
struct Says(Approval);

#[async_trait]
impl Approver for Says {
    async fn approve(&self, _: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        Ok(self.0.clone())
    }
}

#[tokio::test]
async fn asks_passes_and_words_for_the_model() {
    let tells = Mine::saying(user("deploys"), |_| {
        Answer::ask("to production").with_context("the last one was a minute ago")
    });
    let pins = Mine::saying(workspace("pin"), |_| {
        Answer::modify(json!({"command": "make", "ref": "v1"})).with_reason("a fixed version")
    });
    let since = Instant::now();
    let runner = HookRunner::builder(WORKSPACE)
        .with_participant(tells)
        .with_participant(pins)
        .with_approver(Says(Approval::refused("not on a Friday")))
        .with_clock(move || since)
        .build()
        .expect("a runner");
    let consultation = runner.consult(before(r#"{"command":"make"}"#)).await;
    insta::assert_snapshot!(pretty(&consultation));
}

#[tokio::test]
async fn what_became_of_an_ask() {
    let asker = |settled| Asked {
        by: vec![hook_contract::Asker::new("hook", "deploys")],
        first: Arc::new(before("{}")),
        then: HookOutcome::Allow,
        settled,
    };
    let settlements = [
        Settled::Granted { remember: true },
        Settled::Refused(None),
        Settled::Refused(Some("not today".into())),
        Settled::Unanswered("none can be asked here".into()),
    ];
    let lines =
        settlements.map(|settled| serde_json::to_string(&asker(settled)).expect("plain data"));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"by":[{"kind":"hook","name":"deploys"}],"then":{"outcome":"allow"},"settled":"granted"}
    {"by":[{"kind":"hook","name":"deploys"}],"then":{"outcome":"allow"},"settled":"refused"}
    {"by":[{"kind":"hook","name":"deploys"}],"then":{"outcome":"allow"},"settled":"refused","why":"not today"}
    {"by":[{"kind":"hook","name":"deploys"}],"then":{"outcome":"allow"},"settled":"unanswered","why":"none can be asked here"}
    "#);
}

#[tokio::test]
async fn failures_notes_and_the_single_hooks_of_a_merged_participant() {
    let merged = Mine::new(policy("claude"), |_| {
        let mut guard = Part::new("./guard.py", "project /ws/.claude/settings.json:5");
        guard.decision = Some("block");
        guard.reason = Some("no".into());
        guard.exit = Some(Exit::Code(2));
        guard.stderr = Some("no".into());
        (guard.bytes_sent, guard.bytes_received) = (208, 7);
        let mut gone = Part::new("./gone.sh", "user /home/.claude/settings.json:3");
        gone.failure = Some("it ended with signal 9".into());
        gone.ignored = vec!["`continue`: it has no effect here".into()];
        gone.exit = Some(Exit::Signal(9));
        let reply = Reply::new(Ok(Answer::replace(json!("[gone]"))))
            .with_parts(vec![guard, gone], 1)
            .with_bytes(416, 30)
            .with_note("says more than it means")
            .with_delivery(NoteKind::Message, "for the user")
            .with_delivery(NoteKind::Stop, "");
        Box::pin(ready(reply))
    });
    let fails = Mine::new(user("metrics"), |_| {
        let failure = HookFailure::Transport("is down".into());
        Box::pin(ready(Reply::from(failure)))
    });
    let fails = fails.with_on_failure(OnFailure::Allow);
    let since = Instant::now();
    let runner = HookRunner::builder(WORKSPACE)
        .with_participant(merged)
        .with_participant(fails)
        .with_clock(move || since)
        .with_reporter(|_| ())
        .build()
        .expect("a runner");
    let consultation = runner.consult(after(json!("key"), false)).await;
    insta::assert_snapshot!(pretty(&consultation));
}

#[tokio::test]
async fn programs_and_workers() {
    let ends = |name: &str, how: &str| {
        let script = format!("cat >/dev/null; echo why >&2; {how}");
        HookSpec::new(name, ["sh", "-c", &script]).with_on_failure(OnFailure::Allow)
    };
    let worker = "while read -r call; do echo '{\"decision\":\"allow\",\"reason\":\"fine\"}'; done";
    let worker = HookSpec::new("kept", ["sh", "-c", worker]).with_mode(HookMode::Worker);
    let since = Instant::now();
    let runner = HookRunner::builder("/")
        .with_hooks([
            ends("exits", "exit 3"),
            ends("killed", "kill -9 $$"),
            worker,
        ])
        .with_clock(move || since)
        .with_reporter(|_| ())
        .build()
        .expect("a runner");
    let consultation = runner.consult(before(r#"{"command":"ls"}"#)).await;
    insta::assert_snapshot!(pretty(&consultation));
    runner.shutdown().await;
}

/// The names of all members, at any depth, except within what a tool or a participant wrote.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                found.insert(name.clone());
                if !["input", "output"].contains(&&**name) {
                    names(value, found);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| names(element, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_member_is_in_the_document() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/consult-json.md");
    let page = std::fs::read_to_string(root).expect("the page");
    let snapshots = concat!(env!("CARGO_MANIFEST_DIR"), "/src/consultation/snapshots");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(snapshots).expect("snapshots") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        let (_, json) = text.split_once("\n---\n").expect("a snapshot");
        names(&serde_json::from_str(json).expect("JSON"), &mut found);
    }
    assert!(found.len() > 30, "{found:?}");
    let missing = found
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
}
