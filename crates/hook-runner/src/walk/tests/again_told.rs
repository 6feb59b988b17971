//! What participants, records and the model are told of a second pass, and the ranks of merged participants.

use serde_json::json;

use super::*;
use crate::{
    Rank, Ranks,
    testing::{after, call, user, workspace},
};

fn rewrites(identity: Identity) -> Mine {
    Mine::saying(identity, |_| Answer::modify(json!({"n": 2})))
}

fn steps(consultation: &Consultation) -> Vec<(&str, u8, bool)> {
    let steps = consultation.trail.iter();
    let told = steps.map(|step| {
        let request = step.request.as_ref().expect("kept for a trail");
        (step.who.name(), step.pass, request.again)
    });
    told.collect()
}

#[tokio::test]
async fn again_is_seen_in_the_request_and_by_programs_that_ask_for_facts_alone() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let reads = Mine::new(user("reads"), move |question| {
        let text = |line: &hook_wire::RequestLine| String::from_utf8_lossy(&line.to_bytes()).into();
        let both: (String, String) = (
            question.encoded().map(text).expect("UTF-8"),
            question.encoded_with_facts().map(text).expect("UTF-8"),
        );
        sink.lock()
            .expect("a lock")
            .push((question.request().again, both));
        Box::pin(ready(Reply::new(Ok(Answer::allow()))))
    });
    let runner = runner_of([reads, rewrites(workspace("helpful"))]);
    let consultation = Reports::built(runner).0.consult(before(r#"{"n":1}"#)).await;
    let expected = [
        ("reads", 1, false),
        ("helpful", 1, false),
        ("reads", 2, true),
    ];
    assert_eq!(steps(&consultation), expected);
    let lines = lines.lock().expect("a lock");
    let [(false, first), (true, second)] = &lines[..] else {
        panic!("two questions, of which the second is marked: {lines:?}")
    };
    let is_marked = |line: &str| line.contains(r#""again":true"#);
    assert!(!is_marked(&first.0) && !is_marked(&first.1));
    assert!(!is_marked(&second.0), "a program of today never sees it");
    assert!(is_marked(&second.1), "{}", second.1);
    let request = consultation.trail[2].request.as_ref().expect("kept");
    let mut plain = HookRequest::clone(request);
    plain.again = false;
    let plain = hook_wire::encode_request(&plain);
    assert_eq!(second.0.as_bytes(), plain.expect("UTF-8"));
}

/// Keeps the name, the pass and the mark of each question, with `!` in front where it was answered.
#[derive(Default)]
struct Passes(Mutex<Vec<(String, u8, bool)>>);

impl crate::Recorder for Passes {
    fn record(&self, event: Recorded<'_>) {
        let told = match event {
            Recorded::Invoked {
                who, pass, request, ..
            } => (who.name().to_owned(), pass, request.again),
            Recorded::Answered { step, .. } => (format!("!{}", step.who.name()), step.pass, false),
            Recorded::Begun { .. } | Recorded::Concluded { .. } | Recorded::Abandoned { .. } => {
                return;
            }
        };
        self.0.lock().expect("a lock").push(told);
    }
}

#[tokio::test]
async fn a_recorder_is_told_the_pass() {
    let passes = Arc::new(Passes::default());
    let guard = says("guard", Answer::allow());
    let runner = runner_of([guard, rewrites(workspace("helpful"))]);
    let runner = runner.with_recorder(Arc::clone(&passes));
    Reports::built(runner).0.decide(&call("{}")).await;
    let expected = [
        ("guard", 1, false),
        ("!guard", 1, false),
        ("helpful", 1, false),
        ("!helpful", 1, false),
        ("guard", 2, true),
        ("!guard", 2, false),
    ];
    let expected = expected.map(|(name, pass, again)| (name.to_owned(), pass, again));
    assert_eq!(*passes.0.lock().expect("a lock"), expected);
}

#[tokio::test]
async fn words_for_the_model_in_a_second_pass_are_delivered_and_the_same_once() {
    let tells = Mine::saying(user("lint"), |call| {
        let pass = if call.again { "second" } else { "first" };
        Answer::allow().with_context("always").with_context(pass)
    });
    let runner = runner_of([tells, rewrites(workspace("helpful"))]);
    let consultation = Reports::built(runner).0.consult(before("{}")).await;
    let context = consultation.context.iter();
    let context: Vec<_> = context.map(|context| &*context.text).collect();
    assert_eq!(context, ["always", "first", "second"]);
}

#[tokio::test]
async fn what_is_asked_last_may_be_rewritten_past_no_higher_rank() {
    let guard = Mine::saying(user("guard"), |call| {
        if call.input["n"] == 2 {
            Answer::deny("not two")
        } else {
            Answer::allow()
        }
    });
    let merged = rewrites(workspace("claude"));
    let runner = runner_of([guard]).with_last_participant(merged);
    let consultation = Reports::built(runner).0.consult(before("{}")).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by hook 'guard': not two")
    );
}

/// Hooks of the user and of the workspace that speak as one.
fn merged(say: impl Fn(&HookRequest) -> Answer + Send + Sync + 'static) -> Mine {
    let ranks = Ranks::new(Rank::USER, Rank::workspace(0));
    Mine::saying(user("claude"), say).with_ranks(ranks)
}

#[tokio::test]
async fn a_merged_participant_judges_as_its_highest_source() {
    let judges = merged(|call| {
        if call.input["n"] == 2 {
            Answer::deny("not two")
        } else {
            Answer::allow()
        }
    });
    let runner = runner_of([judges, rewrites(workspace("helpful"))]);
    let consultation = Reports::built(runner).0.consult(before("{}")).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by hook 'claude': not two")
    );
}

#[tokio::test]
async fn a_merged_participant_rewrites_as_its_lowest_source() {
    let guard = Mine::saying(user("guard"), |_| Answer::allow());
    let rewrites = merged(|_| Answer::modify(json!({"n": 2})));
    let runner = runner_of([guard, rewrites]);
    let consultation = Reports::built(runner).0.consult(before("{}")).await;
    // The user's own hook is asked, and the merged one too: its user's part saw another form.
    let expected = [
        ("guard", 1, false),
        ("claude", 1, false),
        ("guard", 2, true),
        ("claude", 2, true),
    ];
    assert_eq!(steps(&consultation), expected);
    let expected = HookOutcome::modify(json!({"n": 2}));
    assert_eq!(
        consultation.outcome,
        expected.because("hook 'claude'"),
        "agreement is no second rewrite"
    );
}

#[tokio::test]
async fn a_merged_participant_that_rewrites_what_it_wrote_denies() {
    let counts = merged(|call| {
        let n = call.input["n"].as_u64().unwrap_or_default();
        Answer::modify(json!({"n": n + 1}))
    });
    let runner = runner_of([counts]);
    let consultation = Reports::built(runner).0.consult(before(r#"{"n":1}"#)).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny(
            "denied, because hook 'claude' rewrites the call anew each time that it is asked about it"
        )
    );
    assert_eq!(consultation.trail.len(), 3);
}

/// Replaces a result by this, whatever it is.
fn shows(identity: Identity, text: &'static str) -> Mine {
    Mine::saying(identity, move |_| Answer::replace(json!(text)))
}

#[tokio::test]
async fn after_a_call_the_higher_ranks_replacement_is_final() {
    let runner = runner_of([
        shows(user("redact"), "[gone]"),
        shows(workspace("show"), "key"),
    ]);
    let consultation = Reports::built(runner)
        .0
        .consult(after(json!("key"), false))
        .await;
    let HookOutcome::Replace { output, .. } = &consultation.outcome else {
        panic!("a replacement")
    };
    assert_eq!(*output, json!("[gone]"));
    let expected = [
        ("redact", 1, false),
        ("show", 1, false),
        ("redact", 2, true),
    ];
    assert_eq!(steps(&consultation), expected);

    // With three ranks the highest has the last word, and no denial comes of it.
    let runner = runner_of([
        shows(policy("host"), "[host]"),
        shows(user("redact"), "[gone]"),
        shows(workspace("show"), "key"),
    ]);
    let consultation = Reports::built(runner)
        .0
        .consult(after(json!("key"), false))
        .await;
    let HookOutcome::Replace { output, .. } = &consultation.outcome else {
        panic!("a replacement, not {:?}", consultation.outcome)
    };
    assert_eq!(*output, json!("[host]"));
    assert_eq!(consultation.trail.last().map(|step| step.pass), Some(3));
}

#[tokio::test]
async fn a_result_that_a_higher_rank_has_not_judged_in_the_end_is_withheld() {
    // Both replace a result whenever they see one of the other's.
    let machine = Mine::saying(workspace("machine"), |result| {
        let output = result.output.as_ref().expect("a result");
        Answer::replace(json!(format!("{}m", output.as_str().unwrap_or_default())))
    });
    let machine = machine.with_ranks(Ranks::both(Rank::MACHINE));
    let runner = runner_of([
        says("host", Answer::allow()),
        machine,
        shows(user("redact"), "[gone]"),
        shows(workspace("show"), "key"),
    ]);
    let consultation = Reports::built(runner)
        .0
        .consult(after(json!("key"), false))
        .await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny(
            "denied, because policy 'host' and hook 'machine' do not agree on the form of the result: each rewrites what \
             the other left"
        )
    );
}

#[tokio::test]
async fn without_a_trail_higher_ranks_are_asked_again_and_notes_are_reported_all_the_same() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let agrees = |identity: Identity, note: Option<&'static str>| {
        let (name, asked) = (identity.name().to_owned(), Arc::clone(&asked));
        Mine::new(identity, move |question| {
            let form = question.request().input.to_string();
            asked.lock().expect("a lock").push(format!("{name} {form}"));
            let reply = Reply::new(Ok(Answer::allow()));
            let reply = note
                .iter()
                .fold(reply, |reply, note| reply.with_note(*note));
            Box::pin(ready(reply))
        })
    };
    let runner = runner_of([
        agrees(policy("host"), None),
        agrees(user("own"), Some("is slow today")),
        rewrites(workspace("helpful")),
        agrees(workspace("last"), None),
    ]);
    let (runner, reports) = Reports::built(runner);
    let outcome = runner.decide(&call("{}")).await;
    let rewritten = HookOutcome::modify(json!({"n": 2}));
    assert_eq!(outcome, rewritten.because("hook 'helpful'"));
    let expected = [
        "host {}",
        "own {}",
        r#"last {"n":2}"#,
        r#"host {"n":2}"#,
        r#"own {"n":2}"#,
    ];
    assert_eq!(*asked.lock().expect("a lock"), expected);
    assert_eq!(reports.all(), ["hook 'own': is slow today"; 2]);
}
