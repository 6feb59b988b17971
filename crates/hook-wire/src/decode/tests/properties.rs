//! What holds for anything a program may print.

use hook_contract::{Json, Rewrite};
use proptest::prelude::*;
use serde_json::Value;

use crate::{
    Decision, DecodeNote, DecodedResponse, HookResponse, decode_response, encode_response,
};

fn value() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?[1-9][0-9]{18,40}",
        "-?[1-9][0-9]{0,3}\\.[0-9]{1,30}",
        "[1-9]\\.[0-9]{1,5}e-?[0-9]{1,2}",
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        number,
        any::<String>().prop_map(|s| Value::from(s).to_string()),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            object_of(inner),
        ]
    })
}

fn object_of(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    proptest::collection::btree_map(any::<String>(), value, 0..4).prop_map(|members| {
        let members: Vec<_> = members
            .into_iter()
            .map(|(key, value)| format!("{}:{value}", Value::from(key)))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

fn exact(text: &str) -> Json {
    Json::parse(text).expect("JSON with one reading")
}

fn rewritten_output() -> impl Strategy<Value = Rewrite> {
    (value(), proptest::option::of(any::<bool>()))
        .prop_map(|(output, is_error)| Rewrite::output(exact(&output), is_error))
}

/// A decision of each word with what belongs to it, but for a reason and context.
fn decided() -> impl Strategy<Value = HookResponse> {
    let beside_an_ask = prop_oneof![
        object_of(value()).prop_map(|input| Rewrite::Input(exact(&input))),
        rewritten_output(),
    ];
    prop_oneof![
        Just(HookResponse::allow()),
        Just(HookResponse::deny_without_reason()),
        proptest::option::of(beside_an_ask).prop_map(|rewrite| {
            let ask = HookResponse::ask_without_reason();
            match rewrite {
                Some(rewrite) => ask.with_rewrite(rewrite),
                None => ask,
            }
        }),
        object_of(value()).prop_map(|input| HookResponse::modify(exact(&input))),
        (value(), proptest::option::of(any::<bool>())).prop_map(|(output, is_error)| {
            let replace = HookResponse::replace(exact(&output));
            match is_error {
                Some(is_error) => replace.with_is_error(is_error),
                None => replace,
            }
        }),
    ]
}

/// Any answer that reads back as it was written: neither the reason of a denial or of an ask nor the context is blank.
fn response() -> impl Strategy<Value = HookResponse> {
    let reason = proptest::option::of(any::<String>());
    let not_blank = || proptest::option::of("(?s)\\S.*");
    (decided(), reason, not_blank(), not_blank()).prop_map(
        |(response, reason, of_stop, context)| {
            let stops = [Decision::Deny, Decision::Ask].contains(&response.decision());
            let reason = if stops { of_stop } else { reason };
            let response = match reason {
                Some(reason) => response.because(reason),
                None => response,
            };
            match context {
                Some(context) => response.with_context(context),
                None => response,
            }
        },
    )
}

/// Texts that look like answers, well-formed or nearly so.
fn almost() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("allow".to_owned()),
        Just("deny".to_owned()),
        Just("ask".to_owned()),
        Just("modify".to_owned()),
        Just("replace".to_owned()),
        "[a-zA-Z ]{0,8}",
    ];
    let key = prop_oneof![
        Just("decision"),
        Just("reason"),
        Just("context"),
        Just("input"),
        Just("output"),
        Just("is_error"),
        Just("continue"),
        Just("x"),
    ];
    let member = (
        key,
        prop_oneof![word.prop_map(|w| Value::from(w).to_string()), value()],
    );
    (proptest::collection::vec(member, 0..6), "[ \n\u{feff}}{,]?").prop_map(|(members, after)| {
        let members: Vec<_> = members
            .into_iter()
            .map(|(key, value)| format!("\"{key}\":{value}"))
            .collect();
        format!("{{{}}}{after}", members.join(","))
    })
}

/// A member beside a decision: of any name that means something, and of values that no answer may hold.
fn beside() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("reason"),
        Just("context"),
        Just("input"),
        Just("output"),
        Just("is_error"),
        Just("tool_call_id"),
        Just("x"),
        Just("\\ud800"),
    ];
    let broken = prop_oneof![
        Just("1e999".to_owned()),
        Just(r#""\ud83d""#.to_owned()),
        Just(r#"{"a":1,"a":2}"#.to_owned()),
        Just(r#"{"\udc00":"\ud800"}"#.to_owned()),
        Just(r#"{"$serde_json::private::Number":"1"}"#.to_owned()),
        Just("[".repeat(128) + &"]".repeat(128)),
    ];
    (key, prop_oneof![broken, object_of(value()), value()])
        .prop_map(|(key, value)| format!("\"{key}\":{value}"))
}

fn repeats_a_key(decoded: &DecodedResponse) -> bool {
    let mut notes = decoded.notes.iter();
    notes.any(|note| matches!(note, DecodeNote::RepeatedKey { .. }))
}

/// Changes one byte, drops it or adds one.
fn mutated(text: &str, at: usize, byte: u8, how: u8) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = at % bytes.len();
    match how % 3 {
        0 => bytes[at] = byte,
        1 => drop(bytes.remove(at)),
        _ => bytes.insert(at, byte),
    }
    bytes
}

proptest! {
    #[test]
    fn any_bytes_get_one_verdict(bytes: Vec<u8>) {
        if let Err(error) = decode_response(&bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn what_looks_like_an_answer_is_read_once_and_for_all(text in almost()) {
        let first = decode_response(text.as_bytes());
        prop_assert_eq!(&first, &decode_response(text.as_bytes()));
        if let Ok(decoded) = first {
            let again = decode_response(&encode_response(&decoded.response)).expect("an answer");
            prop_assert_eq!(again.response, decoded.response);
        }
    }

    #[test]
    fn an_answer_says_what_every_reader_of_json_would_read(text in almost()) {
        let Ok(decoded) = decode_response(text.as_bytes()) else { return Ok(()) };
        let read: Value = serde_json::from_str(text.trim()).expect("an answer is JSON");
        let decision = decoded.response.decision();
        if repeats_a_key(&decoded) {
            // That reader takes the last of each.
            prop_assert!([Decision::Deny, Decision::Ask].contains(&decision));
            prop_assert!(["deny", "ask"].map(Value::from).contains(&read["decision"]));
        } else {
            prop_assert_eq!(read["decision"].as_str(), Some(decision.as_str()));
            let context = read["context"].as_str().filter(|text| !text.trim().is_empty());
            prop_assert_eq!(decoded.response.context().first().map(String::as_str), context);
        }
        match decoded.response.rewrite() {
            Some(Rewrite::Input(input)) => prop_assert_eq!(input, &read["input"]),
            Some(Rewrite::Output { output, is_error, .. }) => {
                prop_assert_eq!(output, &read["output"]);
                if !repeats_a_key(&decoded) {
                    prop_assert_eq!(*is_error, read["is_error"].as_bool());
                }
            }
            Some(other) => prop_assert!(false, "{:?}", other),
            None => prop_assert!(![Decision::Modify, Decision::Replace].contains(&decision)),
        }
    }

    #[test]
    fn a_stop_that_can_be_read_stays_one_whatever_stands_beside_it(
        before in proptest::collection::vec(beside(), 0..4),
        words in proptest::collection::vec(prop_oneof![Just("deny"), Just("ask")], 1..3),
        after in proptest::collection::vec(beside(), 0..4),
    ) {
        let said = words.iter().map(|word| format!("\"decision\":\"{word}\""));
        let members: Vec<_> = before.into_iter().chain(said).chain(after).collect();
        let text = format!("{{{}}}", members.join(","));
        let decoded = decode_response(text.as_bytes()).expect("a stop");
        let stops = if words.contains(&"deny") { Decision::Deny } else { Decision::Ask };
        prop_assert_eq!(decoded.response.decision(), stops);
        for note in &decoded.notes {
            prop_assert!(!note.to_string().is_empty());
        }
        if let Some(Rewrite::Input(input)) = decoded.response.rewrite() {
            prop_assert!(input.is_object());
            prop_assert!(text.contains(input.text()), "as it was printed: {}", input);
        }
        let again = decode_response(&encode_response(&decoded.response)).expect("a stop");
        prop_assert_eq!(again.response, decoded.response);
    }

    #[test]
    fn a_response_read_back_is_the_response(response in response()) {
        let printed = encode_response(&response);
        prop_assert_eq!(printed.split(|byte| *byte == b'\n').count(), 2, "one line");
        let decoded = decode_response(&printed).expect("an answer");
        prop_assert_eq!(&encode_response(&decoded.response), &printed, "byte for byte");
        prop_assert_eq!(&decoded.response, &response);
        let by_serde: HookResponse = serde_json::from_slice(&printed).expect("an answer");
        prop_assert_eq!(by_serde, response);
    }

    #[test]
    fn a_part_of_an_answer_is_no_answer(response in response(), cut in any::<prop::sample::Index>()) {
        let printed = encode_response(&response);
        let object = printed.trim_ascii_end();
        let part = &object[..cut.index(object.len())];
        prop_assert!(decode_response(part).is_err());
    }

    #[test]
    fn a_slip_does_not_turn_a_denial_into_consent(
        at: usize,
        byte: u8,
        how: u8,
        reason in any::<String>(),
    ) {
        let printed = encode_response(&HookResponse::deny(reason));
        let printed = String::from_utf8(printed).expect("UTF-8");
        let changed = mutated(&printed, at, byte, how);
        if let Ok(decoded) = decode_response(&changed) {
            prop_assert_eq!(decoded.response.decision(), Decision::Deny);
        }
    }

    #[test]
    fn a_slip_does_not_turn_an_ask_into_consent(
        at: usize,
        byte: u8,
        how: u8,
        reason in any::<String>(),
        rewrite in proptest::option::of(object_of(value())),
    ) {
        let ask = HookResponse::ask(reason);
        let ask = match rewrite {
            Some(input) => ask.with_rewrite(Rewrite::Input(exact(&input))),
            None => ask,
        };
        let printed = String::from_utf8(encode_response(&ask)).expect("UTF-8");
        let changed = mutated(&printed, at, byte, how);
        if let Ok(decoded) = decode_response(&changed) {
            prop_assert_eq!(decoded.response.decision(), Decision::Ask);
        }
    }

    #[test]
    fn two_slips_in_an_allow_say_nothing_else(
        first: (usize, u8, u8),
        second: (usize, u8, u8),
    ) {
        let printed = String::from_utf8(encode_response(&HookResponse::allow())).expect("UTF-8");
        let once = mutated(&printed, first.0, first.1, first.2);
        let Ok(once) = String::from_utf8(once) else { return Ok(()) };
        let twice = mutated(&once, second.0, second.1, second.2);
        if let Ok(decoded) = decode_response(&twice) {
            prop_assert_eq!(decoded.response.decision(), Decision::Allow);
            prop_assert!(twice.windows(7).any(|word| word == b"\"allow\""));
        }
    }
}
