use hook_contract::{HookCall, HookEvent, Json, Rewrite};
use serde_json::json;

use super::*;

const BIG: &str = r#"{"id":123456789012345678901234567890,"rate":0.10000000000000000000}"#;

fn ask(input_json: &str) -> HookRequest {
    let call = HookCall::new("agent-1", "shell", "call-1", input_json);
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call)
}

#[track_caller]
fn check_request(request: &HookRequest, line: &str) {
    let bytes = encode_request(request).expect("a UTF-8 path");
    assert_eq!(std::str::from_utf8(&bytes), Ok(line));
}

#[test]
fn a_request_is_one_line_of_compact_json() {
    check_request(
        &ask("{ \"command\": \"git push\\n--force\",\r\n \"n\": [1, 2] }"),
        concat!(
            r#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/repo","agent_id":"agent-1","#,
            r#""tool_call_id":"call-1","tool_name":"shell","#,
            r#""input":{"command":"git push\n--force","n":[1,2]}}"#,
            "\n"
        ),
    );
    check_request(
        &ask(BIG).with_output(json!(null), true),
        &format!(
            r#"{{"hook_schema":1,"event":"pre_tool_use","workspace":"/repo","agent_id":"agent-1","tool_call_id":"call-1","tool_name":"shell","input":{BIG},"output":null,"is_error":true}}
"#
        ),
    );
}

#[test]
fn a_large_value_is_a_piece_of_its_own_and_the_line_is_as_serde_would_write_it() {
    let large = format!(r#"{{"text":"{}"}}"#, "x".repeat(LARGE_BYTES));
    for (input, output, pieces) in [
        ("{}", None, 1),
        ("{}", Some("[1]"), 1),
        (large.as_str(), None, 3),
        (large.as_str(), Some("[1]"), 3),
        ("{}", Some(large.as_str()), 3),
        (large.as_str(), Some(large.as_str()), 5),
    ] {
        let mut request = ask(input);
        request.agent_id = "agent \"1\"\n\u{e4}".into();
        if let Some(output) = output {
            request = request.with_output(Json::parse(output).expect("JSON"), false);
        }
        let line = RequestLine::new(&request).expect("a UTF-8 path");
        assert_eq!(line.pieces().count(), pieces);
        let mut expected = serde_json::to_vec(&request).expect("JSON");
        expected.push(b'\n');
        assert_eq!(line.len(), expected.len());
        assert!(line.to_bytes() == expected, "byte for byte");
    }
}

#[test]
fn input_that_is_not_json_travels_as_text_on_the_same_line() {
    let bytes = encode_request(&ask("ls\n-l\u{2028}\0")).expect("a UTF-8 path");
    let line = String::from_utf8(bytes).expect("UTF-8");
    assert!(
        line.ends_with("\"input\":\"ls\\n-l\u{2028}\\u0000\"}\n"),
        "{line:?}"
    );
    assert_eq!(line.matches('\n').count(), 1);
}

#[cfg(unix)]
#[test]
fn a_workspace_that_is_no_text_is_refused_by_name() {
    use std::os::unix::ffi::OsStrExt as _;

    let mut request = ask("{}");
    request.workspace = std::ffi::OsStr::from_bytes(b"/re\xffpo").into();
    let error = encode_request(&request).expect_err("no JSON for this path");
    assert_eq!(error.workspace(), request.workspace);
    assert_eq!(
        error.to_string(),
        "the workspace path \"/re\\xFFpo\" is not UTF-8, so no hook can be told of it in JSON; use a directory whose \
         path is UTF-8"
    );
}

#[track_caller]
fn check_response(response: &HookResponse, line: &str) {
    let bytes = encode_response(response);
    assert_eq!(std::str::from_utf8(&bytes), Ok(line));
}

#[test]
fn a_response_that_names_its_call_is_the_same_with_one_field_more() {
    let input = Json::parse(BIG).expect("JSON");
    for response in [
        HookResponse::allow(),
        HookResponse::deny("no"),
        HookResponse::ask("why").with_rewrite(Rewrite::Input(input.clone())),
        HookResponse::modify(input.clone()).because("pinned"),
        HookResponse::replace(input).with_is_error(true),
        HookResponse::allow().with_context("2 \"warnings\""),
    ] {
        let mut expected = encode_response(&response);
        expected.truncate(expected.len() - "}\n".len());
        expected.extend_from_slice(br#","tool_call_id":"a \"b\" \\ \u0000"}"#);
        expected.push(b'\n');
        let line = encode_response_to("a \"b\" \\ \0", &response);
        assert_eq!(String::from_utf8(line), String::from_utf8(expected));
    }
}

#[test]
fn every_response_has_its_exact_bytes() {
    check_response(&HookResponse::allow(), "{\"decision\":\"allow\"}\n");
    check_response(
        &HookResponse::allow().because("fine"),
        "{\"decision\":\"allow\",\"reason\":\"fine\"}\n",
    );
    check_response(
        &HookResponse::deny_without_reason(),
        "{\"decision\":\"deny\"}\n",
    );
    check_response(
        &HookResponse::deny("no\n\"force\""),
        "{\"decision\":\"deny\",\"reason\":\"no\\n\\\"force\\\"\"}\n",
    );
    let input = Json::parse(BIG).expect("JSON");
    check_response(
        &HookResponse::modify(input.clone()),
        &format!("{{\"decision\":\"modify\",\"input\":{BIG}}}\n"),
    );
    check_response(
        &HookResponse::modify(input.clone()).because("pinned"),
        &format!("{{\"decision\":\"modify\",\"input\":{BIG},\"reason\":\"pinned\"}}\n"),
    );
    check_response(
        &HookResponse::replace(json!(null)),
        "{\"decision\":\"replace\",\"output\":null}\n",
    );
    check_response(
        &HookResponse::replace(input)
            .with_is_error(false)
            .because("a token"),
        &format!(
            "{{\"decision\":\"replace\",\"output\":{BIG},\"is_error\":false,\"reason\":\"a token\"}}\n"
        ),
    );
}

#[test]
fn every_ask_has_its_exact_bytes() {
    check_response(
        &HookResponse::ask_without_reason(),
        "{\"decision\":\"ask\"}\n",
    );
    check_response(
        &HookResponse::ask("this deploys"),
        "{\"decision\":\"ask\",\"reason\":\"this deploys\"}\n",
    );
    let big = Json::parse(BIG).expect("JSON");
    check_response(
        &HookResponse::ask("why").with_rewrite(Rewrite::Input(big.clone())),
        &format!("{{\"decision\":\"ask\",\"input\":{BIG},\"reason\":\"why\"}}\n"),
    );
    check_response(
        &HookResponse::ask("why").with_rewrite(Rewrite::output(big, Some(false))),
        &format!(
            "{{\"decision\":\"ask\",\"output\":{BIG},\"is_error\":false,\"reason\":\"why\"}}\n"
        ),
    );
    check_response(
        &HookResponse::ask_without_reason().with_rewrite(Rewrite::output(json!(null), None)),
        "{\"decision\":\"ask\",\"output\":null}\n",
    );
}

#[test]
fn context_stands_behind_everything_else_and_is_one_text() {
    check_response(
        &HookResponse::deny("no").with_context("line 1\nline 2"),
        "{\"decision\":\"deny\",\"reason\":\"no\",\"context\":\"line 1\\nline 2\"}\n",
    );
    check_response(
        &HookResponse::replace(json!("x"))
            .with_is_error(true)
            .with_context("c"),
        "{\"decision\":\"replace\",\"output\":\"x\",\"is_error\":true,\"context\":\"c\"}\n",
    );
    // A program prints one text; what was added bit by bit is told apart by an empty line.
    check_response(
        &HookResponse::allow()
            .with_context("2 warnings")
            .with_context("slow today"),
        "{\"decision\":\"allow\",\"context\":\"2 warnings\\n\\nslow today\"}\n",
    );
}
