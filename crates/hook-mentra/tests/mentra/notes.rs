//! What hooks say beside their decision.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::{Answer, HookEvent, Json, Subject, async_trait};
use hook_mentra::MentraHooks;
use hook_runner::{Identity, NoteKind, Origin, Participant, Question, Recorded, Recorder, Reply};
use hookchain_tests::Workspace;
use serde_json::json;

use crate::{
    probe::Probe,
    scene::{Shown, one_call, one_call_through, refused, runner, say, workspace},
};

/// Answers so at each event, and has a text for the model at each of these.
struct Talker {
    identity: Identity,
    answers: fn(HookEvent) -> Answer,
    talks_at: &'static [HookEvent],
}

#[async_trait]
impl Participant for Talker {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        self.talks_at.contains(&subject.event)
    }

    async fn ask(&self, question: &Question) -> Reply {
        let event = question.request().event;
        let answer = (self.answers)(event).with_context(format!("context of {event}"));
        Reply::new(Ok(answer))
            .with_delivery(NoteKind::Message, "a message")
            .with_delivery(NoteKind::Stop, "enough")
            .with_note("a remark")
    }
}

/// What the host is told for the user and about the turn.
#[derive(Clone, Default)]
struct Host(Arc<Mutex<Vec<String>>>);

impl Recorder for Host {
    fn record(&self, event: Recorded<'_>) {
        let Recorded::Concluded { result, .. } = event else {
            return;
        };
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let notes = result.notes.iter();
        told.extend(notes.map(|note| format!("{} {}", note.kind, note.text)));
        let context = result.context.iter();
        told.extend(context.map(|context| format!("context {}", context.text)));
    }
}

const BOTH: &[HookEvent] = &[HookEvent::PreToolUse, HookEvent::PostToolUse];

/// What the model reads of it, below the result.
const BEFORE: &str = "\n\ndialect 'claude': context of pre_tool_use";
const AFTER: &str = "\n\ndialect 'claude': context of post_tool_use";

async fn shown(
    answers: fn(HookEvent) -> Answer,
    talks_at: &'static [HookEvent],
    host: &Host,
) -> Shown {
    let workspace = Workspace::new();
    let runner = runner(workspace.path()).0.with_participant(Talker {
        identity: Identity::new("dialect", "claude", Origin::Host),
        answers,
        talks_at,
    });
    let hooks = MentraHooks::new(
        runner
            .with_recorder(host.clone())
            .build()
            .expect("a runner"),
    );
    one_call_through(&hooks, &workspace, &Probe::new("shell"), json!({})).await
}

#[tokio::test]
async fn a_text_for_the_model_stands_below_the_result() {
    let allow = |_event| Answer::allow();
    let host = Host::default();
    assert_eq!(
        shown(allow, BOTH, &host).await,
        Shown::text(format!("ran{BEFORE}{AFTER}"))
    );
    let before = &[HookEvent::PreToolUse];
    assert_eq!(
        shown(allow, before, &host).await,
        Shown::text(format!("ran{BEFORE}"))
    );
}

#[tokio::test]
async fn it_stands_below_what_hooks_put_in_the_results_place_and_below_a_denial() {
    let host = Host::default();
    let replace = |event| match event {
        HookEvent::PostToolUse => Answer::replace(Json::from(json!("gone"))),
        HookEvent::PreToolUse | _ => Answer::allow(),
    };
    assert_eq!(
        shown(replace, BOTH, &host).await,
        Shown::text(format!("gone{BEFORE}{AFTER}"))
    );
    let deny = |_event| Answer::deny("no");
    assert_eq!(
        shown(deny, BOTH, &host).await,
        refused(&format!("denied by dialect 'claude': no{BEFORE}"))
    );
}

#[tokio::test]
async fn the_hosts_recorder_is_told_of_messages_and_of_the_wish_that_the_turn_end() {
    let host = Host::default();
    let before = &[HookEvent::PreToolUse];
    shown(|_event| Answer::allow(), before, &host).await;
    let told = host.0.lock().expect("no panic").clone();
    for note in [
        "message a message",
        "stop enough",
        "context context of pre_tool_use",
    ] {
        assert!(told.iter().any(|told| told == note), "{note} in {told:?}");
    }
}

#[tokio::test]
async fn every_participants_words_stand_there_in_its_own_name_and_in_the_order_of_asking() {
    let after = r#""event":"post_tool_use""#;
    let lint = say(r#"{"decision":"allow","context":"two warnings"}"#);
    let again =
        say(r#"{"decision":"replace","output":"gone","context":"the key is in the vault"}"#);
    let workspace = workspace(&[("lint", after, &lint), ("redact", after, &again)]);
    assert_eq!(
        one_call(&workspace, &Probe::new("write"), json!({})).await,
        Shown::text("gone\n\nhook 'lint': two warnings\n\nhook 'redact': the key is in the vault")
    );
}

#[tokio::test]
async fn what_is_said_before_a_call_and_again_after_it_is_told_once() {
    let says = say(r#"{"decision":"allow","context":"the tree is frozen"}"#);
    let workspace = workspace(&[
        ("frozen", "", &says),
        ("frozen", r#""event":"post_tool_use""#, &says),
    ]);
    assert_eq!(
        one_call(&workspace, &Probe::new("write"), json!({})).await,
        Shown::text("ran\n\nhook 'frozen': the tree is frozen")
    );
}

#[tokio::test]
async fn a_result_that_is_withheld_has_the_words_of_both_sides_below_the_reason() {
    let before = say(r#"{"decision":"allow","context":"from before"}"#);
    let after = say(r#"{"decision":"deny","reason":"a key","context":"from after"}"#);
    let workspace = workspace(&[
        ("before", "", &before),
        ("after", r#""event":"post_tool_use""#, &after),
    ]);
    assert_eq!(
        one_call(&workspace, &Probe::new("read"), json!({})).await,
        Shown::error(
            "denied by hook 'after': a key\n\nhook 'before': from before\n\nhook 'after': from after"
        )
    );
}

/// The recorder is told of every call, also of one that no hook is asked about.
#[tokio::test]
async fn the_hosts_recorder_is_told_of_calls_that_concern_no_hook() {
    let host = Begun::default();
    let workspace = Workspace::new();
    let runner = runner(workspace.path()).0.with_recorder(host.clone());
    let hooks = MentraHooks::new(runner.build().expect("a runner"));
    let shown = one_call_through(&hooks, &workspace, &Probe::new("shell"), json!({})).await;
    assert_eq!(shown, Shown::text("ran"));
    let told = host.0.lock().expect("no panic").clone();
    assert_eq!(told, BOTH);
}

/// At which events calls were put.
#[derive(Clone, Default)]
struct Begun(Arc<Mutex<Vec<HookEvent>>>);

impl Recorder for Begun {
    fn record(&self, event: Recorded<'_>) {
        if let Recorded::Begun { request, .. } = event {
            let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            told.push(request.event);
        }
    }
}
