use serde_json::json;

use super::*;
use crate::Kind;

fn ask(input_json: &str) -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", input_json);
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call)
}

#[test]
fn a_request_is_written_field_for_field() {
    let before = ask(r#"{ "command": "ls", "id": 123456789012345678901234567890 }"#);
    assert_eq!(
        serde_json::to_string(&before).expect("JSON"),
        concat!(
            r#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/ws","agent_id":"agent-1","#,
            r#""tool_call_id":"call-1","tool_name":"shell","#,
            r#""input":{"command":"ls","id":123456789012345678901234567890}}"#
        )
    );
    let after = before.with_output(json!(null), true);
    let text = serde_json::to_string(&after).expect("JSON");
    assert!(
        text.ends_with(r#","output":null,"is_error":true}"#),
        "{text}"
    );
}

#[test]
fn a_request_read_back_is_the_request() {
    let call = HookCall::new("a", "t", "c", r#"{"n":1.00}"#);
    let after = HookRequest::from_result(Path::new("/ws"), &call, json!(null), false);
    for request in [ask("{}"), ask("not json"), after] {
        let text = serde_json::to_string(&request).expect("JSON");
        let back: HookRequest = serde_json::from_str(&text).expect("a request");
        assert_eq!(back, request);
    }
}

#[test]
fn a_result_of_null_is_not_an_absent_result() {
    let text = r#"{"hook_schema":1,"event":"post_tool_use","workspace":"/ws","agent_id":"a","tool_call_id":"c",
        "tool_name":"t","input":{},"output":null,"is_error":false}"#;
    let request: HookRequest = serde_json::from_str(text).expect("a request");
    assert_eq!(request.output, Some(Json::from(Value::Null)));
}

#[test]
fn text_that_is_not_json_is_carried_as_a_string() {
    let deep = "[".repeat(128) + &"]".repeat(128);
    for raw in ["ls -l", "", "{\"a\":1,}", "\u{feff}{}", "{} {}", &deep] {
        let request = ask(raw);
        assert_eq!(request.input, Json::from(json!(raw)));
        assert_eq!(request.ambiguity(), None, "{raw}");
    }
    assert!(ask(&("[".repeat(127) + &"]".repeat(127))).input.is_array());
}

#[test]
fn text_with_two_readings_says_so_until_it_is_rewritten() {
    for (raw, said) in [
        (
            r#"{"command":"ls","command":"rm"}"#,
            "the key \"command\" stands twice in one object at line 1, column 17",
        ),
        (
            r#"{"command":"rm","x":1e999}"#,
            "a number that is out of range at line 1, column 21",
        ),
        (
            r#"{"command":"rm","x":"\ud800"}"#,
            "a string that is not valid Unicode at line 1, column 21",
        ),
        (
            r#"{"a":[{"b":1,"\u0062":2}]}"#,
            "the key \"b\" stands twice in one object at line 1, column 14",
        ),
        (
            r#"{"$serde_json::private::RawValue":"{}"}"#,
            "the key \"$serde_json::private::RawValue\" is reserved by a JSON library, which reads something else \
             there at line 1, column 2",
        ),
        (
            r#"{"a":{"\u0024serde_json::private::Number":"1"}}"#,
            "the key \"$serde_json::private::Number\" is reserved by a JSON library, which reads something else \
             there at line 1, column 7",
        ),
    ] {
        let request = ask(raw);
        assert_eq!(request.ambiguity().expect("ambiguous").to_string(), said);
        assert_eq!(request.input, Json::from(json!(raw)));
        assert_eq!(request.with_input(json!({})).ambiguity(), None);
    }
}

#[test]
fn the_same_key_in_two_objects_is_no_ambiguity() {
    let request = ask(r#"{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\"a\":1,\"a\""}"#);
    assert_eq!(request.ambiguity(), None);
    assert_eq!(request.input["b"][1]["a"], 2);
}

#[test]
fn a_request_about_a_result_is_always_a_question_after_the_call() {
    let call = HookCall::new("a", "t", "c", "{}");
    let request = HookRequest::from_result(Path::new("/ws"), &call, json!("{\"a\":1}"), true);
    assert_eq!(request.event, HookEvent::PostToolUse);
    assert_eq!(
        request.output,
        Some(Json::from(json!("{\"a\":1}"))),
        "text is never parsed"
    );
    assert_eq!(request.is_error, Some(true));
}

/// A request of which everything is known.
fn known() -> HookRequest {
    let call = HookCall::new("a", "shell", "c", "{}")
        .with_cwd("/ws/sub")
        .with_session_id("s")
        .with_extensions(Json::parse(r#"{"turn":1.0}"#).expect("JSON"));
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call)
        .with_knowledge(Tool::new([Kind::Shell]), Some(Facts::new()))
        .asked_again()
}

#[test]
fn what_is_known_is_written_behind_the_rest() {
    let text = serde_json::to_string(&known()).expect("JSON");
    let more = concat!(
        r#""input":{},"cwd":"/ws/sub","session_id":"s","extensions":{"turn":1.0},"#,
        r#""tool":{"kinds":["shell"]},"facts":{"coverage":"full"},"again":true}"#
    );
    assert!(text.ends_with(more), "{text}");
    let read: HookRequest = serde_json::from_str(&text).expect("a request");
    assert_eq!(read, known());
}

#[test]
fn facts_are_about_one_form_of_the_call_and_the_rest_is_about_the_call() {
    let rewritten = known().with_input(json!({"a": 1}));
    assert_eq!(rewritten.facts, None);
    let same = |request: &HookRequest| {
        let HookRequest {
            cwd,
            session_id,
            extensions,
            tool,
            again,
            ..
        } = request.clone();
        (cwd, session_id, extensions, tool, again)
    };
    assert_eq!(same(&rewritten), same(&known()));
    let result = known().with_output(json!("x"), false);
    assert_eq!(
        (same(&result), result.facts),
        (same(&known()), known().facts)
    );
}
