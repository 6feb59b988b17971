//! Words for the model beside a decision.

use super::*;

/// An answer of every decision: what is printed but for the last brace, and what it is.
fn answers() -> Vec<(&'static str, HookResponse)> {
    let answers = vec![
        (r#"{"decision":"allow""#, HookResponse::allow()),
        (
            r#"{"decision":"deny","reason":"no""#,
            HookResponse::deny("no"),
        ),
        (
            r#"{"decision":"ask","reason":"why""#,
            HookResponse::ask("why"),
        ),
        (
            r#"{"decision":"ask","reason":"why","input":{"a":1}"#,
            HookResponse::ask("why").with_rewrite(Rewrite::Input(exact(r#"{"a":1}"#))),
        ),
        (
            r#"{"decision":"modify","input":{"a":1.0}"#,
            HookResponse::modify(exact(r#"{"a":1.0}"#)),
        ),
        (
            r#"{"decision":"replace","output":null,"is_error":true"#,
            HookResponse::replace(json!(null)).with_is_error(true),
        ),
    ];
    let decided = |decision| {
        answers
            .iter()
            .any(|(_, answer)| answer.decision() == decision)
    };
    assert!(Decision::ALL.iter().copied().all(decided));
    answers
}

#[test]
fn context_stands_beside_every_decision() {
    for (printed, response) in answers() {
        check(
            &format!("{printed},\"context\":\"2 warnings\\n\\u00e9\"}}"),
            &response.with_context("2 warnings\né"),
        );
    }
}

#[test]
fn context_of_null_or_of_nothing_but_white_space_is_none() {
    for (printed, response) in answers() {
        for context in ["null", r#""""#, r#"" \r\n\t""#, "\"\u{2003}\u{a0}\""] {
            check(&format!("{printed},\"context\":{context}}}"), &response);
        }
    }
}

#[test]
fn context_that_is_no_text_is_left_out_and_is_never_an_error() {
    for (printed, response) in answers() {
        for (context, found) in [
            ("7", "a number"),
            ("true", "a boolean"),
            (r#"["2 warnings"]"#, "an array"),
            (r#"{"repository":"tools","commit":1.50}"#, "an object"),
        ] {
            check_noted(
                &format!("{printed},\"context\":{context}}}"),
                &response,
                &[&format!(
                    "the `context` is {found} and is left out; it must be a string"
                )],
            );
        }
    }
}

#[test]
fn context_with_two_readings_is_as_any_other_field_with_two() {
    for (printed, response) in answers() {
        let stops = [Decision::Deny, Decision::Ask].contains(&response.decision());
        for (context, found) in [
            (r#""half of \ud83d""#, "not valid Unicode"),
            (r#"{"a":1,"a":2}"#, "an object"),
            ("[1e999]", "an array"),
        ] {
            let printed = format!("{printed},\"context\":{context}}}");
            if stops {
                let note = format!("the `context` is {found} and is left out; it must be a string");
                check_noted(&printed, &response, &[&note]);
            } else {
                decode_response(printed.as_bytes()).expect_err(&printed);
            }
        }
    }
}

#[test]
fn long_context_is_cut_between_characters_and_marked() {
    let fits = "c".repeat(MAX_CONTEXT_BYTES);
    // "€" has three bytes, and 16 KiB less the mark is not a multiple of three.
    let long = "€".repeat(6000);
    for (_, response) in answers() {
        check(
            std::str::from_utf8(&encoded(&response.clone().with_context(&*fits))).expect("UTF-8"),
            &response.clone().with_context(&*fits),
        );
        let printed = encoded(&response.clone().with_context(&*long));
        let decoded = decode_response(&printed).expect("an answer");
        assert_eq!(decoded.notes, [DecodeNote::ContextCut { bytes: 18000 }]);
        assert_eq!(
            decoded.notes[0].to_string(),
            "the `context` has 18000 bytes and was cut to 16384"
        );
        let [context] = decoded.response.context() else {
            panic!("{:?}", decoded.response)
        };
        assert!(context.len() <= MAX_CONTEXT_BYTES && context.len() > MAX_CONTEXT_BYTES - 4);
        let kept = context.strip_suffix(CUT_MARK).expect("the mark");
        assert!(kept.chars().all(|c| c == '€'));
        assert_eq!(decoded.response, response.with_context(context));
    }
}

#[test]
fn context_and_reason_are_bounded_apart() {
    let printed = encoded(&HookResponse::deny("r".repeat(16_384)).with_context("c".repeat(16_385)));
    let decoded = decode_response(&printed).expect("an answer");
    assert_eq!(decoded.notes, [DecodeNote::ContextCut { bytes: 16_385 }]);
    assert_eq!(decoded.response.reason().map(str::len), Some(16_384));
}

#[test]
fn context_that_a_stop_repeats_is_the_first_and_in_any_other_answer_it_is_an_error() {
    check_noted(
        r#"{"decision":"deny","reason":"no","context":"first","context":"second"}"#,
        &HookResponse::deny("no").with_context("first"),
        &["the key `context` stands twice; print it once, because only a `deny` or an `ask` may"],
    );
    let error = decode_response(br#"{"decision":"allow","context":"a","context":"b"}"#);
    assert!(matches!(
        error.expect_err("two readings").kind(),
        DecodeErrorKind::DuplicateKey { key, .. } if key == "context"
    ));
}
