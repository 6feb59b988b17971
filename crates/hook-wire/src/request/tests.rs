mod known;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::encode_request;

const BEFORE: &str = r#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/repo","agent_id":"agent-1","tool_call_id":"call-1","tool_name":"shell","input":{"id":123456789012345678901234567890}}"#;

fn ask(input_json: &str) -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", input_json);
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call)
}

#[test]
fn a_request_is_read_with_all_its_digits() {
    let request = decode_request(BEFORE.as_bytes()).expect("a request");
    assert_eq!(request, ask(r#"{"id":123456789012345678901234567890}"#));
    assert_eq!(
        encode_request(&request).expect("UTF-8"),
        format!("{BEFORE}\n").into_bytes()
    );
}

#[test]
fn a_request_read_back_is_the_request() {
    let deep = "[".repeat(127) + &"]".repeat(127);
    let call = HookCall::new("a", "t", "c", "{}");
    let null = HookRequest::from_result(Path::new("/ré po"), &call, json!(null), false);
    let exact = Json::parse("[1.00]").expect("JSON");
    let failed = HookRequest::from_result(Path::new("/"), &call, exact, true);
    for request in [
        ask("{}"),
        ask("not json\n\0\u{2028}"),
        ask(&deep),
        null,
        failed,
    ] {
        let line = encode_request(&request).expect("UTF-8");
        assert_eq!(decode_request(&line), Ok(request));
    }
}

#[test]
fn fields_of_a_newer_host_are_ignored() {
    let line = BEFORE.replacen('{', r#"{"session":{"id":1},"#, 1);
    assert_eq!(
        decode_request(format!("\u{feff}{line}\r\n").as_bytes()),
        decode_request(BEFORE.as_bytes())
    );
}

#[track_caller]
fn check(line: &str, message: &str) {
    let error = decode_request(line.as_bytes()).expect_err("no request");
    assert_eq!(error.to_string(), message);
}

#[test]
fn what_is_not_a_request_is_said() {
    check(
        " \n",
        "the request is empty; send one JSON object on one line",
    );
    check(
        "{\n",
        "the request stops being JSON at line 1, column 2: EOF while parsing an object; send one JSON object on one line",
    );
    check("[]", "the request is an array; send an object");
    check(
        &format!("{BEFORE} {BEFORE}"),
        "something follows the request at line 1, column 173; send one JSON object on one line",
    );
    check("{}", "the request has no `hook_schema`; send one");
    let changed = |from: &str, to: &str| {
        let line = BEFORE.replace(from, to);
        assert_ne!(line, BEFORE, "{from}");
        line
    };
    for found in ["2", "\"1\"", "1.0", "null"] {
        check(
            &changed("\"hook_schema\":1", &format!("\"hook_schema\":{found}")),
            &format!("the request has `hook_schema` {found}; this program understands 1"),
        );
    }
    check(
        &changed("pre_tool_use", "on_stop"),
        "the event `on_stop` is unknown; this program understands `pre_tool_use` and `post_tool_use`",
    );
    check(
        &changed("\"agent_id\":\"agent-1\",", ""),
        "the request has no `agent_id`; send one",
    );
    check(
        &changed("\"shell\"", "7"),
        "`tool_name` is a number; it must be a string",
    );
    check(
        &changed("\"shell\"", r#""\ud800""#),
        "`tool_name` cannot be kept as it was written: a string that is not valid Unicode at line 1, column 118; send \
         something simpler",
    );
    check(
        &changed("\"input\"", "\"inputs\""),
        "the request has no `input`; send one",
    );
}

#[test]
fn a_request_with_two_readings_is_refused() {
    check(
        r#"{"hook_schema":1,"tool_name":"a","tool_name":"b"}"#,
        "the key `tool_name` stands twice in one object, again at line 1, column 34; send it once",
    );
    check(
        &BEFORE.replace("{\"id\":", "{\"id\":1,\"id\":"),
        "the key `id` stands twice in one object, again at line 1, column 142; send it once",
    );
    check(
        &BEFORE.replace("{\"id\":", "{\"$serde_json::private::RawValue\":"),
        "`input` cannot be kept as it was written: the key \"$serde_json::private::RawValue\" is reserved by a JSON \
         library, which reads something else there at line 1, column 135; send something simpler",
    );
}

#[test]
fn a_result_and_its_flag_come_together() {
    let with = |fields: &str| BEFORE.replacen('{', &format!("{{{fields},"), 1);
    check(
        &with(r#""output":null"#),
        "the request has no `is_error`; send one",
    );
    check(
        &with(r#""is_error":false"#),
        "the request has no `output`; send one",
    );
    check(
        &with(r#""output":"","is_error":null"#),
        "`is_error` is null; it must be true or false",
    );
}

#[test]
fn bytes_that_are_no_text_are_counted() {
    let error = decode_request(b"\xef\xbb\xbf{\"\xff").expect_err("no UTF-8");
    assert_eq!(
        error.to_string(),
        "byte 5 of the request is not UTF-8; send UTF-8"
    );
}

proptest! {
    #[test]
    fn any_bytes_get_one_verdict(bytes: Vec<u8>) {
        prop_assert!(decode_request(&bytes).is_err());
    }

    #[test]
    fn any_call_survives_the_way_there(
        input: String, agent: String, tool: String, id: String, output: Option<(String, bool)>
    ) {
        let call = HookCall::new(agent, tool, id, input);
        let mut request = HookRequest::from_call(HookEvent::PostToolUse, Path::new("/w"), &call);
        prop_assume!(request.ambiguity().is_none());
        if let Some((output, failed)) = output {
            request = request.with_output(Value::from(output), failed);
        }
        let line = encode_request(&request).expect("UTF-8");
        prop_assert_eq!(line.split(|byte| *byte == b'\n').count(), 2, "one line");
        prop_assert_eq!(decode_request(&line), Ok(request));
    }

    #[test]
    fn a_part_of_a_request_is_none(cut in any::<prop::sample::Index>()) {
        prop_assert!(decode_request(&BEFORE.as_bytes()[..cut.index(BEFORE.len())]).is_err());
    }
}
