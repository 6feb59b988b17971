//! What holds for anything a program may print.

use hook_contract::Json;
use proptest::prelude::*;
use serde_json::Value;

use crate::{Decision, HookResponse, decode_response, encode_response};

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

/// Any answer that reads back as it was written: the reason of a denial is not blank.
fn response() -> impl Strategy<Value = HookResponse> {
    let reason = || proptest::option::of(any::<String>());
    prop_oneof![
        reason().prop_map(|reason| HookResponse::Allow { reason }),
        proptest::option::of("[^ \t\r\n].*").prop_map(|reason| HookResponse::Deny { reason }),
        (object_of(value()), reason()).prop_map(|(input, reason)| HookResponse::Modify {
            input: exact(&input),
            reason
        }),
        (value(), proptest::option::of(any::<bool>()), reason()).prop_map(
            |(output, is_error, reason)| HookResponse::Replace {
                output: exact(&output),
                is_error,
                reason,
            }
        ),
    ]
}

/// Texts that look like answers, well-formed or nearly so.
fn almost() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("allow".to_owned()),
        Just("deny".to_owned()),
        Just("modify".to_owned()),
        Just("replace".to_owned()),
        "[a-zA-Z ]{0,8}",
    ];
    let key = prop_oneof![
        Just("decision"),
        Just("reason"),
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
        prop_assert_eq!(read["decision"].as_str(), Some(decoded.response.decision().as_str()));
        match &decoded.response {
            HookResponse::Modify { input, .. } => prop_assert_eq!(input, &read["input"]),
            HookResponse::Replace { output, is_error, .. } => {
                prop_assert_eq!(output, &read["output"]);
                prop_assert_eq!(*is_error, read["is_error"].as_bool());
            }
            HookResponse::Allow { .. } | HookResponse::Deny { .. } => {}
        }
    }

    #[test]
    fn a_response_read_back_is_the_response(response in response()) {
        let printed = encode_response(&response);
        prop_assert_eq!(printed.split(|byte| *byte == b'\n').count(), 2, "one line");
        let decoded = decode_response(&printed).expect("an answer");
        prop_assert_eq!(encode_response(&decoded.response), printed, "byte for byte");
        prop_assert_eq!(decoded.response, response);
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
