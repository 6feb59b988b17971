use proptest::prelude::*;
use serde_json::{Value, json};

use super::{super::Json, unambiguous, values_hold_any_number};

const BIG: &str = "12345678901234567890123";
const OTHER: &str = "12345678901234567890124";

fn exact(text: &str) -> Json {
    Json::parse(text).expect("one reading")
}

/// How in-process code sees a number.
fn seen(number: &str) -> Value {
    serde_json::from_str(number).expect("a number")
}

/// The text of `rewrite` with the digits of `original`, or the number that lost them.
fn restored(original: &str, rewrite: Value) -> Result<String, String> {
    let restored = Json::from(rewrite).with_digits_of(&exact(original));
    restored
        .map(|json| json.text().to_owned())
        .map_err(|lost| lost.rounded)
}

#[track_caller]
fn check(original: &str, rewrite: Value, expected: &str) {
    let text = restored(original, rewrite).expect("no digits lost");
    assert_eq!(exact(&text), exact(expected));
}

/// Expects lost digits, where a `Value` can lose them.
#[track_caller]
fn check_lost(original: &str, rewrite: Value) {
    let restored = restored(original, rewrite);
    assert_eq!(restored.is_err(), !values_hold_any_number(), "{restored:?}");
}

proptest! {
    #[test]
    fn a_value_that_was_not_changed_gets_all_its_digits_back(text in unambiguous()) {
        let original = exact(&text.spaced);
        let rewrite = Json::from(original.value().clone());
        prop_assert_eq!(rewrite.with_digits_of(&original), Ok(original));
    }

    #[test]
    fn giving_digits_back_never_changes_what_in_process_code_saw(
        before in unambiguous(),
        after in unambiguous(),
        nested: bool,
    ) {
        let original = exact(&before.spaced);
        let mut rewrite = exact(&after.spaced).value().clone();
        if nested {
            rewrite = json!({"old": original.value(), "new": [rewrite, original.value()]});
        }
        if let Ok(restored) = Json::from(rewrite.clone()).with_digits_of(&original) {
            prop_assert_eq!(restored.value(), &rewrite);
        }
    }

    #[test]
    fn exact_text_keeps_its_own_digits(before in unambiguous(), after in unambiguous()) {
        let after = exact(&after.spaced);
        let restored = after.clone().with_digits_of(&exact(&before.spaced)).expect("nothing to do");
        prop_assert_eq!(restored.text(), after.text());
    }
}

#[test]
fn a_number_in_its_place_keeps_its_digits() {
    let original = format!(r#"{{"a":{BIG},"list":[1.00,{OTHER},{{"b":{BIG}}}],"gone":1}}"#);
    let mut rewrite = exact(&original).value().clone();
    rewrite["a\"new"] = json!([1.5, "x"]);
    rewrite.as_object_mut().expect("an object").remove("gone");
    check(
        &original,
        rewrite,
        &format!(r#"{{"a":{BIG},"list":[1.00,{OTHER},{{"b":{BIG}}}],"a\"new":[1.5,"x"]}}"#),
    );
}

#[test]
fn a_number_that_moved_keeps_its_digits_when_no_other_looks_like_it() {
    check(
        &format!(r#"{{"a":{BIG},"b":2}}"#),
        json!({"list": [2, seen(BIG)]}),
        &format!(r#"{{"list":[2,{BIG}]}}"#),
    );
    check(
        &format!("[1,{BIG},[{BIG}]]"),
        json!([seen(BIG)]),
        &format!("[{BIG}]"),
    );
}

#[test]
fn numbers_that_look_alike_and_moved_are_an_error() {
    check_lost(
        &format!(r#"{{"a":{BIG},"b":{OTHER}}}"#),
        json!({"c": seen(BIG)}),
    );
    check_lost(&format!("[{BIG},{OTHER}]"), json!([seen(OTHER)]));
    check(
        &format!(r#"{{"a":{BIG},"b":{OTHER}}}"#),
        json!({"b": seen(OTHER)}),
        &format!(r#"{{"b":{OTHER}}}"#),
    );
}

#[test]
fn a_number_that_was_not_rounded_can_be_mistaken_for_one_that_was() {
    let long = "0.1000000000000000055511151231257827";
    check_lost(
        &format!(r#"{{"short":0.1,"long":{long}}}"#),
        json!({"moved": 0.1}),
    );
    check_lost(
        &format!(r#"{{"long":{long},"short":0.1}}"#),
        json!({"moved": 0.1}),
    );
    check(
        &format!(r#"{{"short":0.1,"long":{long}}}"#),
        json!({"short": 0.1, "long": seen(long)}),
        &format!(r#"{{"short":0.1,"long":{long}}}"#),
    );
}

#[test]
fn digits_that_no_text_can_carry_are_not_dropped_in_silence() {
    let reserved = json!({"id": seen(BIG), "$serde_json::private::Number": "1"});
    check_lost(&format!(r#"{{"id":{BIG}}}"#), reserved.clone());
    let kept = Json::from(reserved.clone()).with_digits_of(&exact(r#"{"id":1}"#));
    assert_eq!(kept, Ok(Json::from(reserved)), "nothing was rounded");
}

#[test]
fn without_exact_text_to_take_them_from_nothing_changes() {
    let original = Json::from(seen(&format!("[{BIG}]")));
    let rewrite = Json::from(json!([1, 2]));
    assert_eq!(rewrite.clone().with_digits_of(&original), Ok(rewrite));
}

#[test]
fn the_error_says_which_number_and_what_to_return_instead() {
    if values_hold_any_number() {
        return;
    }
    let lost = Json::from(json!([seen(BIG)]))
        .with_digits_of(&exact(&format!(r#"{{"a":{BIG},"b":{OTHER}}}"#)))
        .expect_err("two look alike");
    assert_eq!(lost.rounded, "1.2345678901234568e+22");
    assert!(
        lost.to_string().contains("1.2345678901234568e+22"),
        "{lost}"
    );
    assert!(lost.to_string().contains("Json::parse"), "{lost}");
}
