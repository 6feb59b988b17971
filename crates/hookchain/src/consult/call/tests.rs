use std::path::Path;

use hook_contract::{HookEvent, Json};

use super::*;
use crate::handed::located;

fn call(text: &str) -> Result<Call, String> {
    Call::parse(text.as_bytes()).map_err(|error| located(&error, "call", 1))
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(call(text), Err(expected.to_owned()));
}

#[test]
fn what_is_not_given_has_a_default() {
    let expected = Call {
        event: HookEvent::PreToolUse,
        details: HookCall::new("cli", "shell", "cli-1", r#"{ "command" : "ls" }"#),
        result: None,
    };
    let text = r#"{"tool_name":"shell","input":{ "command" : "ls" }}"#;
    assert_eq!(call(text), Ok(expected.clone()));
    assert_eq!(
        call(&format!("\u{feff}{text}\r\n")),
        Ok(expected.clone()),
        "a byte order mark and line ends are not part of the call"
    );
    assert_eq!(
        call(r#"{"tool":"shell","input":{ "command" : "ls" },"session_id":"s"}"#),
        Ok(expected),
        "the short spelling, and a key of the runtime's own"
    );
}

#[test]
fn each_of_many_has_an_identifier_of_its_own_unless_it_is_given() {
    for (text, expected) in [
        (r#"{"tool":"t","input":{}}"#, "cli-7"),
        (r#"{"tool":"t","input":{},"tool_call_id":"c"}"#, "c"),
    ] {
        let call = Call::parse_one_of_many(text.as_bytes(), 7).expect("a call");
        assert_eq!(call.details.tool_call_id, expected);
    }
}

#[test]
fn everything_can_be_given() {
    let text = r#"{"event":"post_tool_use","agent_id":"a","tool_call_id":"c","tool_name":"t",
        "input":{},"output":{"n":1.10},"is_error":true}"#;
    let expected = Call {
        event: HookEvent::PostToolUse,
        details: HookCall::new("a", "t", "c", "{}"),
        result: Some(ToolResult {
            output: Json::parse(r#"{"n":1.10}"#),
            is_error: true,
        }),
    };
    assert_eq!(call(text), Ok(expected));
}

#[test]
fn the_input_is_handed_over_as_it_was_written() {
    for input in [
        r#"{"id":123456789012345678901234567890,"x":1.10}"#,
        r#"{"a":1,"a":2}"#,
        r#""not an object""#,
        "{ \"a\" :\n\t1 }",
        r#""half a \ud800 pair""#,
        &format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
    ] {
        let call = call(&format!(r#"{{"tool":"t","input": {input} }}"#)).expect("a call");
        assert_eq!(call.details.input_json, input);
    }
}

#[test]
fn a_null_output_is_an_output() {
    let call =
        call(r#"{"event":"post_tool_use","tool":"t","input":{},"output":null}"#).expect("a call");
    let request = call.request(Path::new("/w")).expect("one reading");
    assert_eq!(request.output, Some(Json::from(serde_json::Value::Null)));
    assert_eq!(request.is_error, Some(false));
}

#[test]
fn an_output_with_two_readings_is_for_the_chain_to_judge() {
    let call = call(r#"{"event":"post_tool_use","tool":"t","input":{},"output":{"a":1,"a":2}}"#)
        .expect("a call");
    let ambiguity = call.request(Path::new("/w")).expect_err("two readings");
    assert!(ambiguity.is_ambiguous());
}

#[test]
fn what_is_no_call_is_refused_with_its_place() {
    refused(
        " \n",
        "call:1: no call: the text is empty; a call is a JSON object with `tool_name` and `input`",
    );
    refused(
        "{\"tool\":\"t\",\n\"input\":{,}}",
        "call:2:10: no call: not JSON: key must be a string",
    );
    refused(
        r#"{"tool":"t","input":{}} {}"#,
        "call:1:25: no call: not JSON: trailing characters",
    );
    refused(
        " [1]",
        "call:1:2: no call: an array is not a JSON object; a call is one with `tool_name` and `input`",
    );
    refused(
        r#"{"input":{}}"#,
        "call:1: no call: the key `tool_name` is missing",
    );
    refused(
        r#"{"tool":"t"}"#,
        "call:1: no call: the key `input` is missing",
    );
    refused(
        r#"{"tool":"","input":{}}"#,
        "call:1:9: `tool_name` is empty; name the tool that is called",
    );
    let error = Call::parse(b"{\"tool\":\"\xff\"}").expect_err("no text");
    assert_eq!(
        located(&error, "call", 1),
        "call:1:10: no call: the text is not UTF-8; save it as UTF-8"
    );
}

#[test]
fn a_key_that_is_given_wrongly_is_refused_with_its_place() {
    refused(
        "{\"tool\":\"t\",\"input\":{},\n \"input\":{}}",
        "call:2:2: the key `input` stands twice; keep one",
    );
    refused(
        r#"{"tool":"t","tool_name":"t","input":{}}"#,
        "call:1:13: the key `tool_name` is given in two spellings; keep one",
    );
    refused(
        r#"{"tool":7,"input":{}}"#,
        "call:1:9: `tool_name` is a number; it must be a string",
    );
    refused(
        r#"{"tool":"t","input":{},"agent_id":null}"#,
        "call:1:35: `agent_id` is null; it must be a string",
    );
    refused(
        r#"{"event":"post_tool_use","tool":"t","input":{},"output":"","is_error":"no"}"#,
        "call:1:71: `is_error` is a string; it must be true or false",
    );
    refused(
        r#"{"event":"PreToolUse","tool":"t","input":{}}"#,
        "call:1:10: the event is unknown; it must be `pre_tool_use` or `post_tool_use`",
    );
    refused(
        r#"{"tool":"t","input":{},"isError":true}"#,
        "call:1:24: `isError` is not a key of a call; write `is_error`",
    );
}

#[test]
fn a_result_belongs_to_a_call_that_has_run() {
    refused(
        r#"{"event":"post_tool_use","tool":"t","input":{}}"#,
        "call:1: the event is `post_tool_use` and there is no `output`; give the tool's result",
    );
    refused(
        r#"{"tool":"t","input":{},"output":"x"}"#,
        "call:1:33: `output` belongs to a call that has run; write `post_tool_use` as the event, or leave it out",
    );
    refused(
        r#"{"tool":"t","input":{},"is_error":false}"#,
        "call:1:35: `is_error` belongs to a call that has run; write `post_tool_use` as the event, or leave it out",
    );
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    refused(
        &format!(r#"{{"event":"post_tool_use","tool":"t","input":{{}},"output":{deep}}}"#),
        "call:1:57: the output cannot be handed on: nested deeper than 127 levels",
    );
}

#[test]
fn a_slip_or_a_habit_is_recognised_and_anything_else_is_not() {
    let meant = |name| KEYS.meant(name);
    for (name, expected) in [
        ("isError", Some("is_error")),
        ("is-error", Some("is_error")),
        ("toolName", Some("tool_name")),
        ("tol_name", Some("tool_name")),
        ("agnet_id", Some("agent_id")),
        ("Event", Some("event")),
        ("evnt", Some("event")),
        ("tool_input", Some("input")),
        ("ouput", Some("output")),
        ("tool_response", Some("output")),
        ("hook_schema", None),
        ("workspace", None),
        ("timestamp", None),
        ("session_id", None),
        ("\u{fc}", None),
    ] {
        assert_eq!(meant(name), expected, "{name}");
    }
}
