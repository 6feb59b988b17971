//! What hooks say beside their decision.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::{HookEvent, Json, async_trait};
use hook_mentra::MentraHooks;
use hook_runner::{
    Answer, Consultation, Identity, NoteKind, Origin, Participant, Question, Recorder,
};
use hook_wire::HookResponse;
use hookchain_tests::Workspace;
use serde_json::json;

use crate::{
    probe::Probe,
    scene::{Shown, one_call_through, refused, runner},
};

/// Answers so at each event, and has a text for the model at each of these.
struct Talker {
    identity: Identity,
    answers: fn(HookEvent) -> HookResponse,
    talks_at: &'static [HookEvent],
}

#[async_trait]
impl Participant for Talker {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, event: HookEvent, _tool_name: &str) -> bool {
        self.talks_at.contains(&event)
    }

    async fn ask(&self, question: &Question) -> Answer {
        let event = question.request().event;
        Answer::new(Ok((self.answers)(event)))
            .with_delivery(NoteKind::Context, format!("context of {event}"))
            .with_delivery(NoteKind::Message, "a message")
            .with_delivery(NoteKind::Stop, "enough")
            .with_note("a remark")
    }
}

/// What the host is told for the user and about the turn.
#[derive(Clone, Default)]
struct Host(Arc<Mutex<Vec<String>>>);

impl Recorder for Host {
    fn concluded(&self, _consultation: u64, concluded: &Consultation) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let notes = concluded.notes.iter();
        told.extend(notes.map(|note| format!("{} {}", note.kind, note.text)));
    }
}

const BOTH: &[HookEvent] = HookEvent::ALL;

async fn shown(
    answers: fn(HookEvent) -> HookResponse,
    talks_at: &'static [HookEvent],
    host: &Host,
) -> Shown {
    let workspace = Workspace::new();
    let runner = runner(workspace.path()).0.with_participant(Talker {
        identity: Identity::new("dialect", "claude", Origin::Host),
        answers,
        talks_at,
    });
    let hooks = MentraHooks::new(runner.with_recorder(host.clone()).build());
    one_call_through(&hooks, &workspace, &Probe::new("shell"), json!({})).await
}

#[tokio::test]
async fn a_text_for_the_model_stands_below_the_result() {
    let allow = |_event| HookResponse::allow();
    let host = Host::default();
    assert_eq!(
        shown(allow, BOTH, &host).await,
        Shown::text("ran\n\ncontext of pre_tool_use\n\ncontext of post_tool_use")
    );
    let before = &[HookEvent::PreToolUse];
    assert_eq!(
        shown(allow, before, &host).await,
        Shown::text("ran\n\ncontext of pre_tool_use")
    );
}

#[tokio::test]
async fn it_stands_below_what_hooks_put_in_the_results_place_and_below_a_denial() {
    let host = Host::default();
    let replace = |event| match event {
        HookEvent::PostToolUse => HookResponse::replace(Json::from(json!("gone"))),
        HookEvent::PreToolUse | _ => HookResponse::allow(),
    };
    assert_eq!(
        shown(replace, BOTH, &host).await,
        Shown::text("gone\n\ncontext of pre_tool_use\n\ncontext of post_tool_use")
    );
    let deny = |_event| HookResponse::deny("no");
    assert_eq!(
        shown(deny, BOTH, &host).await,
        refused("denied by dialect 'claude': no\n\ncontext of pre_tool_use")
    );
}

#[tokio::test]
async fn the_hosts_recorder_is_told_of_messages_and_of_the_wish_that_the_turn_end() {
    let host = Host::default();
    let before = &[HookEvent::PreToolUse];
    shown(|_event| HookResponse::allow(), before, &host).await;
    let told = host.0.lock().expect("no panic").clone();
    for note in [
        "message a message",
        "stop enough",
        "context context of pre_tool_use",
    ] {
        assert!(told.iter().any(|told| told == note), "{note} in {told:?}");
    }
}
