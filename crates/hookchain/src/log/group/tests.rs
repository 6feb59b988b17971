use super::*;

/// A record with these members after its type.
fn record(record_type: &str, members: &str) -> Record {
    let line = format!(
        r#"{{"hook_record":1,"type":"{record_type}","at":"2026-11-30T12:00:00.000000Z","consultation":"c",{members}}}"#
    );
    Record::parse(&line).expect("a record")
}

fn invoked(id: &str, pass: &str) -> Record {
    let digest = "0".repeat(64);
    record(
        "hook/invoked",
        &format!(
            r#""point":"pre_tool_use","dialect":"native","handler_id":"{id}",{pass}"kind":"hook","name":"{id}",
            "origin":"host","tool_name":"shell","tool_call_id":"call-1","agent_id":"agent-1",
            "input":{{"bytes":2,"sha256":"{digest}"}}"#
        ),
    )
}

fn result(id: &str, pass: &str, decision: &str) -> Record {
    record(
        "hook/result",
        &format!(
            r#""handler_id":"{id}",{pass}"decision":"{decision}","duration_ms":1.0,"queued_ms":0.0"#
        ),
    )
}

/// Each question, as its participant and pass, with the word of its answer.
fn steps(records: Vec<Record>) -> Vec<(String, Option<&'static str>)> {
    let group = Group {
        id: "c".into(),
        records: records
            .into_iter()
            .map(|record| (record, String::new()))
            .collect(),
    };
    let steps = group.steps().into_iter();
    steps
        .map(|(asked, answer)| {
            let question = format!("{} {}", asked.handler_id, asked.pass);
            (question, answer.map(|answer| answer.decision.as_str()))
        })
        .collect()
}

const SECOND: &str = r#""pass":2,"#;

#[test]
fn an_answer_belongs_to_the_question_of_its_pass() {
    let found = steps(vec![
        invoked("a", ""),
        invoked("a", SECOND),
        result("a", SECOND, "deny"),
    ]);
    assert_eq!(found, [("a 1".into(), None), ("a 2".into(), Some("deny"))]);
}

#[test]
fn a_participant_that_is_declared_twice_answers_in_the_order_of_the_questions() {
    let found = steps(vec![
        invoked("a", ""),
        result("a", "", "ask"),
        invoked("a", ""),
        result("a", "", "modify"),
        result("b", "", "deny"),
    ]);
    assert_eq!(
        found,
        [("a 1".into(), Some("ask")), ("a 1".into(), Some("modify"))]
    );
}
