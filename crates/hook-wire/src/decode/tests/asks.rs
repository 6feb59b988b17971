//! What is an ask, and what is left of the rewrite beside it.

use super::*;

const WITHOUT_REASON: &str = "`ask` without a `reason`: the person is not told why; add one";

fn left_out(field: &str) -> String {
    format!(
        "the `{field}` beside this `ask` cannot be used and is left out; print one `input`, an object, before a call, or \
         one `output` after it"
    )
}

fn repeated(key: &str) -> String {
    format!("the key `{key}` stands twice; print it once, because only a `deny` or an `ask` may")
}

fn about_input(input: &str) -> HookResponse {
    HookResponse::ask("why").with_rewrite(Rewrite::Input(exact(input)))
}

fn about_output(output: &str, is_error: Option<bool>) -> HookResponse {
    HookResponse::ask("why").with_rewrite(Rewrite::output(exact(output), is_error))
}

/// An ask with the reason `why` and these members beside it.
#[track_caller]
fn check_ask(members: &str, response: &HookResponse, notes: &[&str]) {
    check_noted(
        &format!(r#"{{"decision":"ask","reason":"why",{members}}}"#),
        response,
        notes,
    );
}

#[test]
fn an_ask_is_read_with_its_reason() {
    check(
        r#"{"decision":"ask","reason":"this deploys"}"#,
        &HookResponse::ask("this deploys"),
    );
    check(
        r#"{"reason":"\u00e9","tool_call_id":null,"x":1,"decision":"\u0061sk"}"#,
        &HookResponse::ask("é"),
    );
}

#[test]
fn an_ask_whose_reason_cannot_be_told_stays_an_ask() {
    let bare = HookResponse::ask_without_reason();
    for reason in [
        "",
        r#","reason":null"#,
        r#","reason":"""#,
        r#","reason":" \n""#,
    ] {
        check_noted(
            &format!(r#"{{"decision":"ask"{reason}}}"#),
            &bare,
            &[WITHOUT_REASON],
        );
    }
    for (reason, found) in [
        ("7", "a number"),
        (r#"["why"]"#, "an array"),
        ("{}", "an object"),
        ("false", "a boolean"),
        (r#""\ud800""#, "not valid Unicode"),
        (r#""why \udc00\ud800""#, "not valid Unicode"),
    ] {
        check_noted(
            &format!(r#"{{"decision":"ask","reason":{reason}}}"#),
            &bare,
            &[&format!(
                "the `reason` of this `ask` is {found} and is left out; it must be a string"
            )],
        );
    }
}

#[test]
fn an_ask_that_repeats_itself_is_an_ask() {
    check_noted(
        r#"{"decision":"ask","reason":"why","decision":"\u0061sk"}"#,
        &HookResponse::ask("why"),
        &[&repeated("decision")],
    );
    check_noted(
        r#"{"decision":"ask","reason":7,"reason":"first","reason":"second"}"#,
        &HookResponse::ask("first"),
        &[&repeated("reason")],
    );
    check_ask(
        r#""x":1,"x":2"#,
        &HookResponse::ask("why"),
        &[&repeated("x")],
    );
    check_ask(
        r#""x":{"a":1,"a":2},"y":1e999"#,
        &HookResponse::ask("why"),
        &[],
    );
}

#[test]
fn a_denial_beats_an_ask_and_any_other_repetition_is_no_answer() {
    for printed in [
        r#"{"decision":"ask","reason":"no","decision":"deny"}"#,
        r#"{"decision":"deny","reason":"no","decision":"ask"}"#,
        r#"{"decision":"ask","decision":"deny","decision":"ask","reason":"no"}"#,
    ] {
        check_noted(printed, &HookResponse::deny("no"), &[&repeated("decision")]);
    }
    for other in [
        r#""allow""#,
        r#""modify""#,
        r#""replace""#,
        r#""Ask""#,
        "7",
        "null",
        r#""\ud800""#,
    ] {
        for printed in [
            format!(r#"{{"decision":"ask","reason":"why","decision":{other}}}"#),
            format!(r#"{{"decision":{other},"reason":"why","decision":"ask"}}"#),
            format!(r#"{{"decision":"ask","decision":"deny","decision":{other},"input":{{}}}}"#),
        ] {
            decode_response(printed.as_bytes()).expect_err(&printed);
        }
    }
    let error =
        decode_response(br#"{"decision":"ask","decision":"allow"}"#).expect_err("no answer");
    assert!(
        matches!(error.kind(), DecodeErrorKind::DuplicateKey { key, .. } if key == "decision"),
        "{error}"
    );
}

#[test]
fn a_rewrite_beside_an_ask_is_kept_digit_for_digit() {
    let input = r#"{"id":123456789012345678901234567890,"rate":0.10}"#;
    check_ask(&format!(r#""input": {input} "#), &about_input(input), &[]);
    for output in ["null", "[]", r#""text""#, "1.50", input] {
        check_ask(
            &format!(r#""output":{output}"#),
            &about_output(output, None),
            &[],
        );
        check_ask(
            &format!(r#""output":{output},"is_error":null"#),
            &about_output(output, None),
            &[],
        );
        for is_error in [true, false] {
            check_ask(
                &format!(r#""is_error":{is_error},"output":{output}"#),
                &about_output(output, Some(is_error)),
                &[],
            );
        }
    }
}

#[test]
fn a_rewrite_that_cannot_be_used_is_left_out_and_the_ask_stays() {
    let ask = HookResponse::ask("why");
    for input in [
        "null",
        "[]",
        "7",
        r#""{}""#,
        r#"{"command":"ls","command":"rm"}"#,
        r#"{"a":[{"b":1,"\u0062":2}]}"#,
        r#"{"n":1e999}"#,
        r#"{"n":"\ud800"}"#,
        r#"{"\ud800":1}"#,
        r#"{"$serde_json::private::Number":"1"}"#,
    ] {
        check_ask(&format!(r#""input":{input}"#), &ask, &[&left_out("input")]);
    }
    let deep = "[".repeat(128) + &"]".repeat(128);
    for output in [r#"{"a":1,"a":2}"#, "[1e999]", r#""\ud800""#, &deep] {
        check_ask(
            &format!(r#""output":{output},"is_error":true"#),
            &ask,
            &[&left_out("output")],
        );
    }
    check_ask(r#""input":{},"output":null"#, &ask, &[&left_out("input")]);
    check_ask(r#""input":[],"output":null"#, &ask, &[&left_out("input")]);
    check_ask(r#""output":"x","input":{}"#, &ask, &[&left_out("input")]);
    check_ask(
        r#""input":{"a":1},"input":{"a":2}"#,
        &ask,
        &[&repeated("input"), &left_out("input")],
    );
    check_ask(
        r#""output":"x","output":"x""#,
        &ask,
        &[&repeated("output"), &left_out("output")],
    );
}

#[test]
fn a_flag_beside_an_ask_that_cannot_be_read_leaves_the_result_as_it_was() {
    for (flag, found) in [
        ("0", "a number"),
        (r#""no""#, "a string"),
        ("[true]", "an array"),
    ] {
        check_ask(
            &format!(r#""output":"x","is_error":{flag}"#),
            &about_output(r#""x""#, None),
            &[&format!(
                "the `is_error` beside this `ask` is {found} and is left out; it must be true or false"
            )],
        );
    }
    check_ask(
        r#""output":"x","is_error":true,"is_error":false"#,
        &about_output(r#""x""#, None),
        &[&repeated("is_error")],
    );
    check_ask(r#""is_error":"no""#, &HookResponse::ask("why"), &[]);
    check_ask(r#""input":{},"is_error":true"#, &about_input("{}"), &[]);
    check_ask(
        r#""input":null,"output":"x""#,
        &about_output(r#""x""#, None),
        &[],
    );
}

#[test]
fn an_ask_whose_names_are_broken_stays_an_ask_and_is_about_no_other_call() {
    check_ask(r#""\ud800":1"#, &HookResponse::ask("why"), &[]);
    // To mend the name would mend the value, too: the tool would run with what was never printed.
    check_ask(
        r#""input":{"path":"\udc00"},"\ud800":1"#,
        &HookResponse::ask("why"),
        &[&left_out("input")],
    );
    check_ask(
        r#""\ud800":1,"output":"\udc00""#,
        &HookResponse::ask("why"),
        &[&left_out("output")],
    );
    check_noted(
        r#"{"decision":"ask","\ud800":1,"decision":"deny","reason":"no"}"#,
        &HookResponse::deny("no"),
        &[&repeated("decision")],
    );
    for printed in [
        r#"{"decision":"ask","\ud800":1} bye"#,
        r#"{"decision":"as\ud800k"}"#,
        r#"{"decision":"ask","decision":"allow","\ud800":1}"#,
    ] {
        decode_response(printed.as_bytes()).expect_err(printed);
    }
}

#[test]
fn a_long_reason_of_an_ask_is_cut() {
    let printed = encoded(&HookResponse::ask("€".repeat(6000)));
    let decoded = decode_response(&printed).expect("an ask");
    assert_eq!(decoded.notes, [DecodeNote::ReasonCut { bytes: 18000 }]);
    let reason = decoded.response.reason().expect("a reason");
    assert!(reason.len() <= MAX_REASON_BYTES && reason.ends_with(CUT_MARK));
}

#[test]
fn an_ask_of_another_system_is_an_ask_and_its_author_is_told() {
    check_noted(
        r#"{"decision":"ask","reason":"why","continue":true}"#,
        &HookResponse::ask("why"),
        &["`continue` is a field of Claude Code hooks and was ignored; `decision` alone decides"],
    );
}
