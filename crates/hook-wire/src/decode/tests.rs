mod asks;
mod context;
mod messages;
mod properties;

use hook_contract::Rewrite;
use serde_json::json;

use super::*;
use crate::cut::CUT_MARK;

#[track_caller]
fn check(printed: &str, response: &HookResponse) {
    check_noted(printed, response, &[]);
}

#[track_caller]
fn check_noted(printed: &str, response: &HookResponse, notes: &[&str]) {
    let decoded = decode_response(printed.as_bytes()).expect("an answer");
    assert_eq!(&decoded.response, response);
    let said: Vec<_> = decoded.notes.iter().map(ToString::to_string).collect();
    assert_eq!(said, notes);
}

fn allow_reason(reason: &str) -> HookResponse {
    HookResponse::allow().because(reason)
}

fn exact(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

#[test]
fn each_decision_is_read() {
    check(r#"{"decision":"allow"}"#, &HookResponse::allow());
    check(
        r#"{"decision":"allow","reason":"fine"}"#,
        &allow_reason("fine"),
    );
    check(
        r#"{"decision":"deny","reason":"no \"force\" here"}"#,
        &HookResponse::deny("no \"force\" here"),
    );
    check(
        r#"{"decision":"modify","input":{"command":"git push"},"reason":"dropped --force"}"#,
        &HookResponse::modify(json!({"command": "git push"})).because("dropped --force"),
    );
    check(
        r#"{"decision":"replace","output":"[redacted]","is_error":false,"reason":"a token"}"#,
        &HookResponse::replace(json!("[redacted]"))
            .with_is_error(false)
            .because("a token"),
    );
}

#[test]
fn the_call_that_an_answer_names_is_compared_with_the_one_that_was_asked_about() {
    for (named, other) in [
        ("", None),
        (r#","tool_call_id":null"#, None),
        (r#","tool_call_id":"é\"1\"""#, None),
        (r#","\u0074ool_call_id":"\u00e9\u00221\"""#, None),
        (r#","tool_call_id": "E" "#, Some(r#""E""#)),
        (r#","tool_call_id":"""#, Some(r#""""#)),
        (r#","tool_call_id":"é\"1\" ""#, Some(r#""é\"1\" ""#)),
        (r#","tool_call_id":7"#, Some("7")),
        (r#","tool_call_id":["é"]"#, Some(r#"["é"]"#)),
        (r#","input":{"tool_call_id":"E"}"#, None),
    ] {
        for head in [
            r#"{"decision":"allow""#,
            r#"{"decision":"deny","reason":"no""#,
        ] {
            let printed = format!("{head}{named}}}");
            let decoded = decode_response(printed.as_bytes()).expect("an answer");
            assert_eq!(decoded.other_call("é\"1\""), other, "{printed}");
        }
    }
    // Only a denial may say something twice.
    let twice = r#"{"decision":"deny","tool_call_id":"a","tool_call_id":"b"}"#;
    let decoded = decode_response(twice.as_bytes()).expect("a denial");
    assert_eq!(decoded.other_call("a"), Some(r#""b""#));
    assert_eq!(decoded.other_call("b"), Some(r#""a""#));
    let broken = r#"{"decision":"deny","tool_call_id":"\ud83d","\ud83d":1}"#;
    let decoded = decode_response(broken.as_bytes()).expect("a denial");
    assert!(decoded.other_call("a").is_some());
}

#[test]
fn absent_and_null_are_the_same_but_for_an_output() {
    check(
        r#"{"decision":"allow","reason":null}"#,
        &HookResponse::allow(),
    );
    check(
        r#"{"decision":"replace","output":null,"is_error":null,"reason":null}"#,
        &HookResponse::replace(json!(null)),
    );
}

#[test]
fn order_white_space_a_byte_order_mark_and_escapes_do_not_matter() {
    let allow = HookResponse::allow();
    for printed in [
        "{\"decision\":\"allow\"}\n",
        "{\"decision\":\"allow\"}\r\n\r\n",
        "\n\t {\r\n  \"decision\" : \"allow\"\r\n}\r\n",
        "\u{feff}{\"decision\":\"allow\"}",
        "\u{feff}\r\n{\"decision\":\"allow\"}\r\n",
        r#"{"\u0064ecision":"\u0061llow"}"#,
    ] {
        check(printed, &allow);
    }
    check(
        r#"{"output":[],"reason":"r","decision":"replace"}"#,
        &HookResponse::replace(json!([])).because("r"),
    );
}

#[test]
fn what_a_newer_hook_says_besides_is_ignored() {
    check(
        r#"{"decision":"allow","severity":3,"trace":{"spans":[{"a":1},{"a":2}]},"reason":"ok"}"#,
        &allow_reason("ok"),
    );
    check(
        r#"{"decision":"allow","is_error":"whatever"}"#,
        &HookResponse::allow(),
    );
}

#[test]
fn numbers_keep_every_digit() {
    let text = r#"{"id":123456789012345678901234567890,"rate":0.10000000000000000000,"e":1.50e+2}"#;
    for printed in [
        format!(r#"{{"decision":"modify","input": {text} }}"#),
        format!(r#"{{"decision":"replace","output":{text}}}"#),
    ] {
        let decoded = decode_response(printed.as_bytes()).expect("an answer");
        match decoded.response.rewrite() {
            Some(Rewrite::Input(value) | Rewrite::Output { output: value, .. }) => {
                assert_eq!(value.text(), text);
            }
            other => panic!("{printed}: {other:?}"),
        }
    }
}

#[test]
fn a_rewrite_may_be_nested_as_deep_as_a_value_can_be() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let printed = format!(r#"{{"decision":"replace","output":{}}}"#, deep(127));
    check(&printed, &HookResponse::replace(exact(&deep(127))));
    let printed = format!(r#"{{"decision":"replace","output":{}}}"#, deep(128));
    let error = decode_response(printed.as_bytes()).expect_err("too deep");
    assert!(
        matches!(error.kind(), DecodeErrorKind::Unreadable { field, .. } if field == "output"),
        "{error}"
    );
}

#[test]
fn a_legible_denial_stays_a_denial() {
    let bare = HookResponse::deny_without_reason();
    let unexplained = "`deny` without a `reason`: the model is not told why; add one";
    for printed in [
        r#"{"decision":"deny"}"#,
        r#"{"decision":"deny","reason":""}"#,
        r#"{"decision":"deny","reason":" \n"}"#,
        r#"{"decision":"deny","reason":null}"#,
    ] {
        check_noted(printed, &bare, &[unexplained]);
    }
    for (reason, found) in [
        ("7", "a number"),
        ("[\"no\"]", "an array"),
        ("{}", "an object"),
        ("true", "a boolean"),
        (r#""\ud800""#, "not valid Unicode"),
    ] {
        check_noted(
            &format!(r#"{{"decision":"deny","reason":{reason}}}"#),
            &bare,
            &[&format!(
                "the `reason` of this `deny` is {found} and is left out; it must be a string"
            )],
        );
    }
    check_noted(
        r#"{"decision":"deny","reason":"no","input":1e999,"x":{"a":1,"a":2}}"#,
        &HookResponse::deny("no"),
        &["`input` says nothing beside `deny` and was ignored; was `modify` meant?"],
    );
}

#[test]
fn a_denial_that_repeats_itself_is_a_denial() {
    let noted = |key| {
        format!(
            "the key `{key}` stands twice; print it once, because only a `deny` or an `ask` may"
        )
    };
    check_noted(
        r#"{"decision":"deny","reason":"no","decision":"\u0064eny"}"#,
        &HookResponse::deny("no"),
        &[&noted("decision")],
    );
    check_noted(
        r#"{"decision":"deny","reason":null,"reason":"first","reason":"second"}"#,
        &HookResponse::deny("first"),
        &[&noted("reason")],
    );
}

#[test]
fn an_answer_with_two_readings_is_none() {
    for printed in [
        r#"{"decision":"deny","decision":"allow"}"#,
        r#"{"decision":"allow","decision":"deny"}"#,
        r#"{"decision":"deny","decision":7}"#,
        r#"{"decision":"allow","decision":"allow"}"#,
        r#"{"decision":"allow","reason":"a","reason":"b"}"#,
        r#"{"decision":"allow","x":1,"\u0078":2}"#,
        r#"{"decision":"allow","x":[{"a":1,"a":2}]}"#,
        r#"{"decision":"modify","input":{"command":"ls","command":"rm"}}"#,
        r#"{"decision":"modify","input":{"$serde_json::private::Number":"1"}}"#,
        r#"{"decision":"deny"} {"decision":"deny"}"#,
        r#"{"decision":"deny"}x"#,
    ] {
        decode_response(printed.as_bytes()).expect_err(printed);
    }
    let many: Vec<_> = (0..40).map(|n| format!("\"k{n}\":0,")).collect();
    let many = many.concat();
    check(
        &format!("{{{many}\"decision\":\"allow\"}}"),
        &HookResponse::allow(),
    );
    let error = decode_response(format!("{{{many}\"decision\":\"allow\",\"k7\":0}}").as_bytes());
    assert!(matches!(
        error.expect_err("a repeated key").kind(),
        DecodeErrorKind::DuplicateKey { key, .. } if key == "k7"
    ));
}

#[test]
fn a_denial_whose_names_are_broken_stays_a_denial_and_nothing_else_counts() {
    for broken in [
        r#"{"decision":"deny","reason":"no","\ud800":1}"#,
        r#"{"\udc00\ud83d\ude00\uD83D":{"\ud800":1},"decision":"deny","reason":"no"}"#,
        r#"{"a\\\ud800\"":"\\ud800","decision":"deny","reason":"no"}"#,
    ] {
        check_noted(broken, &HookResponse::deny("no"), &[]);
    }
    for broken in [
        r#"{"decision":"allow","\ud800":1}"#,
        r#"{"decision":"deny","decision":"allow","\ud800":1}"#,
        r#"{"decision":"deny","\ud800":1} bye"#,
        r#"{"decision":"modify","input":{},"\ud800":1}"#,
        r#"{"decision":"den\ud800"}"#,
    ] {
        decode_response(broken.as_bytes()).expect_err(broken);
    }
}

#[test]
fn a_field_of_another_decision_is_reported() {
    check_noted(
        r#"{"decision":"allow","input":{"command":"ls"},"output":"x"}"#,
        &HookResponse::allow(),
        &[
            "`input` says nothing beside `allow` and was ignored; was `modify` meant?",
            "`output` says nothing beside `allow` and was ignored; was `replace` meant?",
        ],
    );
    check_noted(
        r#"{"decision":"modify","input":{},"output":null}"#,
        &HookResponse::modify(json!({})),
        &["`output` says nothing beside `modify` and was ignored; was `replace` meant?"],
    );
    check_noted(
        r#"{"decision":"allow","continue":false}"#,
        &HookResponse::allow(),
        &["`continue` is a field of Claude Code hooks and was ignored; `decision` alone decides"],
    );
}

#[test]
fn a_long_reason_is_cut_between_characters_and_marked() {
    let reason_of = |reason: &str| {
        let printed = encoded(&HookResponse::deny(reason));
        let decoded = decode_response(&printed).expect("an answer");
        let cut = decoded.response.reason().expect("a reason").to_owned();
        (cut, decoded.notes)
    };
    let fits = "r".repeat(MAX_REASON_BYTES);
    assert_eq!(reason_of(&fits), (fits.clone(), vec![]));

    // "€" has three bytes, and 16 KiB less the mark is not a multiple of three.
    let (cut, notes) = reason_of(&"€".repeat(6000));
    assert_eq!(notes, [DecodeNote::ReasonCut { bytes: 18000 }]);
    assert_eq!(
        notes[0].to_string(),
        "the `reason` has 18000 bytes and was cut to 16384"
    );
    assert!(cut.len() <= MAX_REASON_BYTES && cut.len() > MAX_REASON_BYTES - 4);
    let kept = cut.strip_suffix(CUT_MARK).expect("the mark");
    assert!(kept.chars().all(|c| c == '€'));
    assert_eq!(
        reason_of(&cut),
        (cut.clone(), vec![]),
        "cutting once is enough"
    );
}

#[test]
fn the_reason_of_an_allow_is_cut_too() {
    let long = "r".repeat(MAX_REASON_BYTES + 1);
    let decoded = decode_response(&encoded(&allow_reason(&long))).expect("an answer");
    assert_eq!(decoded.notes, [DecodeNote::ReasonCut { bytes: 16385 }]);
}

fn encoded(response: &HookResponse) -> Vec<u8> {
    crate::encode_response(response)
}
