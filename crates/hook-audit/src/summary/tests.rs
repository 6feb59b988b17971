use std::fs;

use super::*;
use crate::Reader;

fn invoked(handler: &str, name: &str) -> String {
    format!(
        r#"{{"hook_record":1,"type":"hook/invoked","at":"2026-11-30T12:00:00.000000Z","consultation":"c-1","point":"pre_tool_use","dialect":"native","handler_id":"{handler}","kind":"hook","name":{name},"origin":"supplied","tool_name":"shell","tool_call_id":"","agent_id":"","input":{{"bytes":2,"sha256":"{}"}}}}"#,
        crate::Digest::of(b"{}")
    )
}

fn result(handler: &str, decision: &str, millis: f64, more: &str) -> String {
    format!(
        r#"{{"hook_record":1,"type":"hook/result","at":"2026-11-30T12:00:00.000000Z","consultation":"c-1","handler_id":"{handler}","decision":"{decision}","duration_ms":{millis},"queued_ms":0.5{more}}}"#
    )
}

fn ended(day: &str, outcome: &str, millis: f64) -> String {
    format!(
        r#"{{"hook_record":1,"type":"consultation","at":"{day}T12:00:00.000000Z","outcome":"{outcome}","duration_ms":{millis}}}"#
    )
}

fn summary(lines: &[String]) -> Summary {
    let mut summary = Summary::default();
    add(&mut summary, lines);
    summary
}

fn add(summary: &mut Summary, lines: &[String]) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("hooks-2026-11-30.0001.jsonl");
    fs::write(path, lines.join("\n")).expect("written");
    let mut reader = Reader::open(directory.path()).expect("a directory");
    while let Some(line) = reader.next_line().expect("a line") {
        summary.add(&line);
    }
}

#[test]
fn each_participant_has_its_sums() {
    let failure = r#","failure":{"kind":"exit","message":"","on_failure":"deny"}"#;
    let summary = summary(&[
        invoked("a", r#""guard""#),
        result("a", "allow", 1.0, ""),
        invoked("b", r#""\u0072edact""#),
        result("b", "replace", 7.5, ""),
        invoked("a", r#""guard""#),
        result("a", "deny", 3.0, ""),
        invoked("a", r#""watch""#),
        result("a", "pass", 2.0, failure),
        invoked("a", r#""watch""#),
        ended("2026-11-30", "deny", 20.0),
        ended("2026-12-01", "allow", 5.0),
        ended("2026-11-30", "replace", 7.0),
        r#"{"hook_record":1,"type":"lost","at":"","recorder":"","records":5}"#.into(),
        r#"{"hook_record":2,"type":"lost"}"#.into(),
        r#"{"hook_record":1,"#.into(),
    ]);
    let seen: Vec<_> = summary
        .handlers()
        .iter()
        .map(|handler| {
            (
                handler.name.clone(),
                [
                    handler.calls,
                    handler.denials,
                    handler.rewrites,
                    handler.failures,
                    handler.unanswered,
                ],
                handler.took.total(),
                handler.queued,
            )
        })
        .collect();
    let micros = Duration::from_micros;
    assert_eq!(
        seen,
        [
            ("redact".into(), [1, 0, 1, 0, 0], micros(7_500), micros(500)),
            (
                "watch".into(),
                [4, 1, 0, 1, 1],
                micros(6_000),
                micros(1_500)
            ),
        ]
    );
    let share = summary.share(summary.handlers()[0]);
    assert!((share - 0.25).abs() < 1e-9, "{share}");
    assert_eq!((summary.lost(), summary.unreadable()), (5, 2));
    assert_eq!(summary.wait().count(), 3);
    let days: Vec<_> = summary
        .days()
        .iter()
        .map(|day| {
            (
                day.date.to_string(),
                [day.consultations, day.denials, day.rewrites, day.failures],
                day.wait,
            )
        })
        .collect();
    assert_eq!(
        days,
        [
            ("2026-11-30".into(), [2, 1, 1, 1], micros(27_000)),
            ("2026-12-01".into(), [1, 0, 0, 0], micros(5_000)),
        ]
    );
}

#[test]
fn what_was_before_a_moment_is_left_out() {
    let lines = [
        ended("2026-11-29", "deny", 1.0),
        ended("2026-11-30", "deny", 1.0),
    ];
    let mut later = Summary::default().since("2026-11-30".parse().expect("a day"));
    add(&mut later, &lines);
    assert_eq!((later.wait().count(), later.unreadable()), (1, 0));
}

#[test]
fn an_answer_without_its_question_counts_for_the_day_alone() {
    let summary = summary(&[
        result("a", "deny", 1.0, ""),
        ended("2026-11-30", "deny", 1.0),
    ]);
    assert!(summary.handlers().is_empty());
    assert_eq!((summary.unreadable(), summary.days().len()), (0, 1));
}

#[test]
fn nobody_gave_more_answers_than_questions_that_count() {
    // The first answer is to a question from before the moment from which on records are looked at.
    let lines = [
        invoked("a", r#""guard""#),
        result("a", "deny", 1.0, ""),
        result("a", "deny", 2.0, ""),
    ];
    let summary = summary(&lines);
    let [guard] = summary.handlers()[..] else {
        panic!("one");
    };
    assert_eq!([guard.calls, guard.denials, guard.took.count()], [1, 1, 1]);
}

#[test]
fn a_question_that_is_put_again_is_a_call_and_an_ask_is_no_denial() {
    let again =
        |line: String| line.replace(r#""handler_id":"a","#, r#""handler_id":"a","pass":2,"#);
    let lines = [
        invoked("a", r#""guard""#),
        result("a", "ask", 1.0, ""),
        again(invoked("a", r#""guard""#)),
        again(result("a", "allow", 2.0, "")),
        again(invoked("a", r#""guard""#)),
        ended("2026-11-30", "deny", 4.0).replace(
            r#""outcome""#,
            r#""approval":{"by":["guard"],"then":"allow","settled":"unanswered"},"outcome""#,
        ),
    ];
    assert!(lines[2].contains(r#""pass":2"#) && lines[5].contains("unanswered"));
    let summary = summary(&lines);
    let [guard] = summary.handlers()[..] else {
        panic!("one");
    };
    assert_eq!(
        [guard.calls, guard.asks, guard.denials, guard.unanswered],
        [3, 1, 0, 1]
    );
    assert_eq!(guard.took.total(), Duration::from_millis(3));
    assert_eq!((summary.days()[0].denials, summary.unreadable()), (1, 0));
}

#[test]
fn numbers_that_cannot_be_are_no_end() {
    let lost = r#"{"hook_record":1,"type":"lost","at":"2026-11-30T12:00:00Z","recorder":"r","records":18446744073709551615}"#;
    let long = r#","queued_ms":1e22"#;
    let answer = result("a", "allow", 1e22, "").replace(r#","queued_ms":0.5"#, long);
    let mut lines = vec![lost.to_owned(), lost.to_owned()];
    for _twice in 0..2 {
        lines.extend([
            invoked("a", r#""guard""#),
            answer.clone(),
            ended("2026-11-30", "allow", 1e22),
        ]);
    }
    lines.push(ended("2026-11-30", "allow", -1.0));
    let summary = summary(&lines);
    assert_eq!((summary.lost(), summary.unreadable()), (u64::MAX, 0));
    let [guard] = summary.handlers()[..] else {
        panic!("one");
    };
    assert_eq!(
        (guard.took.total(), guard.queued),
        (Duration::MAX, Duration::MAX)
    );
    assert_eq!(summary.days()[0].wait, Duration::MAX);
    assert!(summary.share(guard) <= 1.0);
    assert!(summary.wait().percentile(99) > Duration::from_secs(1 << 40));
}
