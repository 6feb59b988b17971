use std::time::Duration;

use hook_contract::Decision;
use hook_runner::FailureKind;

use super::*;

#[test]
fn a_record_says_what_was_decided_and_a_failure_decided_nothing() {
    let decisions = Decision::ALL.iter().copied().map(Some).chain([None]);
    let words: Vec<_> = decisions
        .map(|decision| [false, true].map(|stops| RecordedDecision::of(decision, stops).as_str()))
        .collect();
    let expected = [
        ["allow", "stop"],
        ["deny", "deny"],
        ["ask", "ask"],
        ["modify", "modify"],
        ["replace", "replace"],
        ["pass", "stop"],
    ];
    assert_eq!(words, expected);
    let failure = RecordedFailure::new(
        FailureKind::Timeout,
        "did not finish".into(),
        hook_contract::OnFailure::Allow,
    );
    assert_eq!(
        serde_json::to_string(&failure).expect("JSON"),
        r#"{"kind":"timeout","message":"did not finish","on_failure":"allow"}"#
    );
}

#[test]
fn a_record_of_a_newer_version_is_read_as_far_as_it_is_known() {
    let line = r#"{"hook_record":1,"type":"lost","at":"2026-11-30T00:00:00Z","new":{"a":1},"recorder":"r","records":2}"#;
    let Record::Lost(lost) = Record::parse(line).expect("a record") else {
        panic!("lost");
    };
    assert_eq!((lost.recorder.as_str(), lost.records), ("r", 2));
}

#[test]
fn times_have_microseconds() {
    let text = |time| serde_json::to_string(&millis(time)).expect("JSON");
    assert_eq!(text(Duration::from_nanos(1_234_567)), "1.235");
    assert_eq!(text(Duration::ZERO), "0.0");
    assert_eq!(text(Duration::from_secs(5)), "5000.0");
}
