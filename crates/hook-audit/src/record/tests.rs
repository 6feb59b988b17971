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

/// One line of each kind, as they were written before records had passes, agreements, words for the model and single hooks.
const EARLIER: &str = include_str!("fixtures/earlier.jsonl");

#[test]
fn an_earlier_record_is_read_and_is_written_as_it_was() {
    let mut kinds = Vec::new();
    for line in EARLIER.lines() {
        let record = Record::parse(line).expect("a record");
        assert_eq!(record.to_line(), line);
        kinds.push(match record {
            Record::Invoked(invoked) => {
                assert_eq!(invoked.pass, 1);
                "invoked"
            }
            Record::Result(result) => {
                assert_eq!((result.pass, result.in_background), (1, 0));
                assert_eq!(result.hooks, []);
                "result"
            }
            Record::Consultation(ended) => {
                assert_eq!((ended.approval, ended.context_bytes), (None, 0));
                assert_eq!(ended.context, []);
                "consultation"
            }
            Record::Lost(_) => "lost",
        });
    }
    kinds.dedup();
    assert_eq!(kinds, ["invoked", "result", "consultation", "lost"]);
}

#[test]
fn an_answer_belongs_to_one_consultation_participant_and_pass() {
    let records: Vec<_> = EARLIER.lines().map(Record::parse).collect();
    let (mut question, mut answer) = (None, None);
    for record in records {
        match record.expect("a record") {
            Record::Invoked(invoked) => question = question.or(Some(invoked)),
            Record::Result(result) => answer = answer.or(Some(result)),
            Record::Consultation(_) | Record::Lost(_) => {}
        }
    }
    let (question, answer) = question.zip(answer).expect("both");
    assert!(answer.answers(&question));
    let others = [
        HookInvoked {
            pass: 2,
            ..question.clone()
        },
        HookInvoked {
            handler_id: "another".into(),
            ..question.clone()
        },
        HookInvoked {
            consultation: "9f86d081884c-18".into(),
            ..question
        },
    ];
    for other in others {
        assert!(!answer.answers(&other), "{other:?}");
    }
}

#[test]
fn times_have_microseconds() {
    let text = |time| serde_json::to_string(&millis(time)).expect("JSON");
    assert_eq!(text(Duration::from_nanos(1_234_567)), "1.235");
    assert_eq!(text(Duration::ZERO), "0.0");
    assert_eq!(text(Duration::from_secs(5)), "5000.0");
}
