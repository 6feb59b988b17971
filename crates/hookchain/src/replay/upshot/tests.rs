use hook_audit::{Digest, Record};

use super::*;

/// A value as a record at full capture has it.
fn kept(text: &str) -> String {
    let (bytes, digest) = (text.len(), Digest::of(text.as_bytes()));
    format!(r#"{{"bytes":{bytes},"sha256":"{digest}","value":{text}}}"#)
}

/// The end of a call with these members beside what every end has.
fn recorded(members: &str) -> Result<Upshot, Incomplete> {
    let line = format!(
        r#"{{"hook_record":1,"type":"consultation","at":"2026-11-30T12:00:00.000000Z","consultation":"c",
        "point":"pre_tool_use","workspace":"/repo","tool_name":"shell","tool_call_id":"call-1","agent_id":"agent-1",
        "input":{},"asked":1,"duration_ms":1.0,{members}}}"#,
        kept("{}")
    );
    match Record::parse(&line) {
        Ok(Record::Consultation(ended)) => Upshot::recorded(&ended),
        other => panic!("{other:?}"),
    }
}

fn modify(text: &str) -> HookOutcome {
    HookOutcome::modify(Json::parse(text).expect("JSON"))
}

/// What becomes of a call today, about which a person is asked or is not.
fn today(outcome: HookOutcome, then: Option<HookOutcome>) -> Upshot {
    let agreement = then.map(|then| Agreement {
        by: vec!["guard".into()],
        then,
        settled: RecordedSettled::Unanswered,
    });
    Upshot { outcome, agreement }
}

fn asking(then: HookOutcome) -> Upshot {
    today(HookOutcome::deny("no person can be asked"), Some(then))
}

#[track_caller]
fn check(members: &str, now: &Upshot, is_same: bool, change: Option<AskChange>) {
    let then = recorded(members).expect("complete");
    assert_eq!(then.is_same(now), is_same, "{members}");
    assert_eq!(then.ask_change(now), change, "{members}");
}

const ALLOWED: &str =
    r#""outcome":"allow","approval":{"by":["guard"],"then":"allow","settled":"granted"}"#;
const REFUSED: &str = r#""outcome":"deny","reason":"no","approval":{"by":["guard"],"then":"allow","settled":"refused"}"#;

#[test]
fn what_a_person_agreed_to_is_the_same_when_a_person_would_be_asked_about_it() {
    check(ALLOWED, &asking(HookOutcome::Allow), true, None);
    check(ALLOWED, &asking(modify("{}")), false, None);
    let rewritten = format!(
        r#""outcome":"modify","rewrite":{},"approval":{{"by":["guard"],"then":"modify","settled":"granted"}}"#,
        kept(r#"{"n":1.0}"#)
    );
    check(&rewritten, &asking(modify(r#"{"n":1.0}"#)), true, None);
    check(&rewritten, &asking(modify(r#"{"n":2}"#)), false, None);
}

#[test]
fn what_a_person_did_not_agree_to_is_compared_by_what_was_asked() {
    check(REFUSED, &asking(HookOutcome::Allow), true, None);
    check(REFUSED, &asking(modify("{}")), false, None);
    let unanswered = format!(
        r#""outcome":"deny","approval":{{"by":["guard"],"then":"replace","rewrite":{},"rewrite_is_error":true,"settled":"unanswered"}}"#,
        kept("null")
    );
    let replace = |is_error| asking(HookOutcome::replace(serde_json::Value::Null, is_error));
    check(&unanswered, &replace(true), true, None);
    check(&unanswered, &replace(false), false, None);
}

#[test]
fn an_ask_that_appeared_or_disappeared_is_a_difference_whatever_the_outcome_is() {
    let disappeared = Some(AskChange::Disappeared);
    check(
        ALLOWED,
        &today(HookOutcome::Allow, None),
        false,
        disappeared,
    );
    check(
        REFUSED,
        &today(HookOutcome::deny("no"), None),
        false,
        disappeared,
    );
    let appeared = Some(AskChange::Appeared);
    for outcome in [r#""outcome":"allow""#, r#""outcome":"deny","reason":"no""#] {
        check(outcome, &asking(HookOutcome::Allow), false, appeared);
    }
    check(
        r#""outcome":"allow""#,
        &today(HookOutcome::Allow, None),
        true,
        None,
    );
    let then = recorded(ALLOWED).expect("complete");
    assert_eq!(
        (then.word(), asking(HookOutcome::Allow).word()),
        ("ask", "ask")
    );
    assert_eq!(today(HookOutcome::deny("no"), None).word(), "deny");
}

#[test]
fn a_rewrite_that_was_asked_about_must_be_known() {
    let unknown =
        r#""outcome":"deny","approval":{"by":["guard"],"then":"modify","settled":"refused"}"#;
    let why = recorded(unknown).expect_err("incomplete");
    let what = "the rewrite that a person was asked about";
    assert_eq!(why, Incomplete::Value(what, NotExact::NotKept));
}

#[test]
fn the_persons_words_are_no_reason_of_a_hook() {
    let because = |reason: &str| asking(modify("{}").because(reason));
    assert!(
        recorded(REFUSED)
            .expect("complete")
            .has_reason_of(&because("another"))
    );
    let granted = format!(
        r#""outcome":"modify","reason":"hook 'guard'","rewrite":{},"approval":{{"by":["guard"],"then":"modify","settled":"granted"}}"#,
        kept("{}")
    );
    let granted = recorded(&granted).expect("complete");
    assert!(granted.has_reason_of(&because("hook 'guard'")));
    assert!(!granted.has_reason_of(&because("hook 'other'")));
}
