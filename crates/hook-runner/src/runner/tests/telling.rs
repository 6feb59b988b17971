use std::{
    future::ready,
    sync::{Mutex, atomic::AtomicU64},
    time::{Duration, Instant},
};

use hook_contract::{Answer, async_trait};

use super::*;
use crate::{HookFailure, Identity, NoteKind, Origin, Question, Recorded, Reply, testing::mine};

#[tokio::test]
async fn a_note_reaches_the_operator_and_the_embedder() {
    let (runner, reports) = Reports::built(mine(|| {
        Box::pin(ready(
            Reply::new(Ok(Answer::allow())).with_note("adds some context"),
        ))
    }));
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let consultation = runner.consult(request).await;
    assert_eq!(
        consultation.notes[0].to_string(),
        "policy 'remote': adds some context"
    );
    assert_eq!(reports.all(), ["policy 'remote': adds some context"]);
}

#[tokio::test]
async fn what_is_to_be_delivered_reaches_the_embedder_and_no_report() {
    let (runner, reports) = Reports::built(mine(|| {
        let denial = Answer::deny_without_reason().with_context("for the model");
        let reply = Reply::new(Ok(denial))
            .with_delivery(NoteKind::Message, "for the user")
            .with_delivery(NoteKind::Stop, "")
            .with_delivery(NoteKind::Remark, "odd");
        Box::pin(ready(reply))
    }));
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let Consultation {
        notes,
        trail,
        context,
        ..
    } = runner.consult(request).await;
    assert!(trail[0].stops, "it asked for the end of the turn");
    let context: Vec<_> = context.iter().map(ToString::to_string).collect();
    assert_eq!(context, ["policy 'remote': for the model"]);
    let notes: Vec<_> = notes.iter().map(|note| (note.kind, &*note.text)).collect();
    let expected = [
        (NoteKind::Message, "for the user"),
        (NoteKind::Stop, ""),
        (NoteKind::Remark, "odd"),
    ];
    assert_eq!(notes, expected);
    assert_eq!(reports.all(), ["policy 'remote': odd"]);
}

#[tokio::test]
async fn a_reporter_or_recorder_that_panics_changes_nothing() {
    struct Broken;
    impl Recorder for Broken {
        fn record(&self, _: Recorded<'_>) {
            panic!("recorder");
        }
    }
    let runner = mine(|| Box::pin(ready(Reply::from(HookFailure::Transport("is down".into())))))
        .with_reporter(|_| panic!("reporter"))
        .with_recorder(Broken)
        .build()
        .expect("a runner");
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
}

/// What a recorder is told of a step.
fn shown(event: Recorded<'_>) -> Option<String> {
    Some(match event {
        Recorded::Invoked { who, request, .. } => format!("{who} is asked {}", request.input),
        Recorded::Answered { step, .. } => {
            let asked = step.request.as_ref().expect("kept for a recorder");
            format!("{} on {}: {}", step.who, asked.input, step.word())
        }
        Recorded::Concluded { result, .. } => format!("{} steps", result.trail.len()),
        Recorded::Begun { .. } | Recorded::Abandoned { .. } => return None,
    })
}

#[tokio::test]
async fn a_recorder_hears_of_every_step_as_it_was_asked() {
    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);
    impl Recorder for Seen {
        fn record(&self, event: Recorded<'_>) {
            self.0.lock().expect("a lock").extend(shown(event));
        }
    }
    let seen = Arc::new(Seen::default());
    let runner = HookRunner::new("/ws", vec![])
        .with_interceptor(With("a", |_: &HookRequest| {
            Ok(HookOutcome::modify(json!({"n": 2})))
        }))
        .with_interceptor(With("b", |_: &HookRequest| Ok(HookOutcome::Allow)))
        .with_recorder(Arc::clone(&seen));
    runner.decide(&call(r#"{"n":1}"#)).await;
    assert_eq!(
        *seen.0.lock().expect("a lock"),
        [
            r#"interceptor 'a' is asked {"n":1}"#,
            r#"interceptor 'a' on {"n":1}: modify"#,
            r#"interceptor 'b' is asked {"n":2}"#,
            r#"interceptor 'b' on {"n":2}: allow"#,
            "2 steps",
        ]
    );
}

#[tokio::test]
async fn steps_are_timed_by_the_clock_that_was_given() {
    let ticks = AtomicU64::new(0);
    let start = Instant::now();
    let runner = HookRunner::builder("/ws")
        .with_interceptor(With("a", |_: &HookRequest| Ok(HookOutcome::Allow)))
        .with_clock(move || start + Duration::from_secs(ticks.fetch_add(1, Ordering::Relaxed)))
        .build()
        .expect("a runner");
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call("{}"));
    let consultation = runner.consult(request).await;
    assert_eq!(consultation.trail[0].took, Duration::from_secs(1));
}

#[tokio::test]
async fn a_request_is_encoded_once_until_somebody_rewrites_it() {
    /// Remembers where the encoding it was given stands, and rewrites when asked to.
    struct Reader {
        identity: Identity,
        seen: Arc<Mutex<Vec<usize>>>,
        rewrites: bool,
    }

    #[async_trait]
    impl Participant for Reader {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn applies_to(&self, _subject: &Subject<'_>) -> bool {
            true
        }

        async fn ask(&self, question: &Question) -> Reply {
            let line = question.encoded().expect("a path in UTF-8");
            self.seen
                .lock()
                .expect("a lock")
                .push(std::ptr::from_ref(line) as usize);
            Reply::new(Ok(if self.rewrites {
                Answer::modify(json!({"n": 2}))
            } else {
                Answer::allow()
            }))
        }
    }

    let seen = Arc::new(Mutex::new(Vec::new()));
    let reader = |rewrites| Reader {
        identity: Identity::new("policy", "reader", Origin::Host),
        seen: Arc::clone(&seen),
        rewrites,
    };
    let mut builder = HookRunner::builder("/ws");
    for rewrites in [false, false, true, false, false] {
        builder = builder.with_participant(reader(rewrites));
    }
    builder
        .build()
        .expect("a runner")
        .decide(&call(r#"{"n":1}"#))
        .await;
    let seen = seen.lock().expect("a lock");
    let (before, after) = seen.split_at(3);
    assert_eq!(before, [seen[0]; 3], "one encoding before the rewrite");
    assert_eq!(after, [seen[3]; 2], "and one after it");
}
