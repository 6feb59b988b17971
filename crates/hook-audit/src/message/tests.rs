use hook_contract::{
    Answer, HookCall, HookEvent, Interceptor, InterceptorError, Subject, async_trait,
};
use hook_runner::{HookRunner, Origin, Participant, Question, Reply};
use serde_json::json;

use super::*;

/// Larger than everything that a message weighs by itself.
const LONG: usize = 10_000;

/// A participant that says much beside its decision.
struct Verbose(Identity);

#[async_trait]
impl Participant for Verbose {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        true
    }

    async fn ask(&self, _question: &Question) -> Reply {
        let answer = Answer::ask("?".repeat(LONG)).with_context("w".repeat(LONG));
        let part = Part::new("c".repeat(LONG), "user /home/ada/settings.json");
        Reply::new(Ok(answer)).with_parts(vec![part], 0)
    }
}

struct Broken;

#[async_trait]
impl Interceptor for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Err("!".repeat(LONG).into())
    }
}

fn request() -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call)
}

fn consulted(builder: hook_runner::HookRunnerBuilder) -> Consultation {
    let runner = builder.with_reporter(|_| ()).build().expect("a runner");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(runner.consult(request()))
}

fn answered(consultation: &Consultation, level: Capture) -> usize {
    let step = consultation.trail.first().expect("a step");
    let answered = Answered::of(step, SystemTime::now(), level, 500);
    What::Answered(Box::new(answered)).weight()
}

fn ended(consultation: &Consultation, level: Capture) -> usize {
    let ended = Ended {
        at: SystemTime::now(),
        until: Instant::now(),
        result: Some(Concluded::of(consultation, level, HandsAsksOn::default())),
    };
    What::Ended(Box::new(ended)).weight()
}

#[test]
fn what_is_said_beside_a_decision_has_its_weight() {
    let who = Identity::new("dialect", "claude", Origin::Host);
    let said = consulted(HookRunner::builder("/repo").with_participant(Verbose(who)));
    let times = |weight: usize| weight / LONG;
    // The reason and the command.
    assert_eq!(times(answered(&said, Capture::Digests)), 2);
    // The reason of the ask, and the denial, which quotes it.
    assert_eq!(times(ended(&said, Capture::Digests)), 2);
    // And the words for the model, which digests do not keep.
    assert_eq!(times(ended(&said, Capture::Full)), 3);
}

#[test]
fn the_words_of_an_error_have_their_weight_where_they_are_kept() {
    let said = consulted(HookRunner::builder("/repo").with_interceptor(Broken));
    assert!(answered(&said, Capture::Digests) < LONG);
    assert!(answered(&said, Capture::Full) > LONG);
}

#[test]
fn what_else_the_runtime_tells_of_a_call_weighs_once() {
    let mut told = request();
    told.extensions = Some(json!({"log": "x".repeat(LONG)}).into());
    let begun = |request: HookRequest| {
        What::Begun(Box::new(Begun {
            since: Instant::now(),
            request: request.into(),
            turn: None,
        }))
    };
    assert!(begun(request()).weight() < LONG);
    assert!(begun(told.clone()).weight() > LONG);
    let invoked = What::Invoked(Box::new(Invoked {
        at: SystemTime::now(),
        who: Identity::new("interceptor", "any", Origin::Host),
        pass: 1,
        request: told.into(),
    }));
    assert!(invoked.weight() < LONG);
}
