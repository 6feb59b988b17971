use std::{collections::HashSet, fmt};

use proptest::prelude::*;
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, json};

use super::{
    super::{Json, JsonErrorKind, MAX_DEPTH},
    perhaps_ambiguous, soup, unambiguous, values_hold_any_number,
};

/// Reads any value and fails where an object has two readings: the same rule, told by other means.
struct OneReading;

impl<'de> Deserialize<'de> for OneReading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for OneReading {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with one reading")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some((key, Self)) = map.next_entry::<String, Self>()? {
            let reserved = ["Number", "RawValue"]
                .iter()
                .any(|name| key == format!("$serde_json::private::{name}"));
            if reserved || !keys.insert(key) {
                return Err(A::Error::custom("two readings"));
            }
        }
        Ok(self)
    }
}

/// Whether `parse` must take the text, in a build in which a `Value` holds 64 bits.
fn has_one_reading(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok() && serde_json::from_str::<OneReading>(text).is_ok()
}

fn check_verdict(text: &str) -> Result<(), TestCaseError> {
    match Json::parse(text) {
        Ok(json) => {
            let value: Value = serde_json::from_str(text).expect("what `parse` takes is JSON");
            prop_assert_eq!(&json, &value);
            prop_assert!(values_hold_any_number() || has_one_reading(text));
        }
        Err(error) => {
            prop_assert!(
                values_hold_any_number() || !has_one_reading(text),
                "{}",
                error
            );
            prop_assert!(text.is_char_boundary(error.position().offset));
            prop_assert!(error.to_string().ends_with(&error.position().to_string()));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_has_one_reading_or_is_refused(text: String) {
        check_verdict(&text)?;
    }

    #[test]
    fn any_fragments_have_one_reading_or_are_refused(text in soup()) {
        check_verdict(&text)?;
    }

    #[test]
    fn any_object_has_one_reading_or_is_refused(text in perhaps_ambiguous()) {
        check_verdict(&text.spaced)?;
        check_verdict(&text.compact)?;
    }

    #[test]
    fn text_is_kept_but_for_white_space_between_tokens(text in unambiguous()) {
        let json = Json::parse(&text.spaced).expect("one reading");
        prop_assert_eq!(json.text(), &*text.compact);
        prop_assert_eq!(json.to_string(), &*text.compact);
        prop_assert_eq!(serde_json::to_string(&json).expect("JSON"), &*text.compact);
        prop_assert_eq!(format!("{json:?}"), format!("Json({:?})", text.compact));
        prop_assert_eq!(&Json::parse(json.text()).expect("one reading"), &json);
        prop_assert_eq!(serde_json::from_str::<Json>(&text.spaced).expect("JSON"), json);
    }

    #[test]
    fn a_value_made_in_the_process_is_the_same_value(text in unambiguous()) {
        let value: Value = serde_json::from_str(&text.spaced).expect("JSON");
        let json = Json::from(value.clone());
        prop_assert!(!json.is_exact());
        prop_assert_eq!(&json, &value);
        prop_assert_eq!(json.text(), value.to_string());
        prop_assert_eq!(&Json::parse(json.text()).expect("one reading"), &json);
        prop_assert_eq!(serde_json::from_value::<Json>(value).expect("any value"), json);
    }

    #[test]
    fn an_equal_value_is_equal_both_ways_and_to_its_clone(a in unambiguous(), b in unambiguous()) {
        let [a, b] = [a, b].map(|text| Json::parse(&text.spaced).expect("one reading"));
        prop_assert_eq!(a == b, b == a);
        prop_assert!(a == a.clone());
        if a == b {
            prop_assert_eq!(a.value(), b.value());
        }
    }
}

fn parse(text: &str) -> Json {
    Json::parse(text).expect("one reading")
}

#[test]
fn the_order_of_members_is_no_difference_and_digits_are() {
    let same = [
        (
            r#"{"a":1,"b":[{"c":2,"d":3}]}"#,
            r#"{"b":[{"d":3,"c":2}],"a":1}"#,
        ),
        (r#"{"\u0061":"\u00e9\/"}"#, r#"{"a":"é/"}"#),
        ("[]", " [ ] "),
    ];
    for (a, b) in same {
        assert_eq!(parse(a), parse(b));
    }
    let different = [
        ("1.0", "1.00"),
        ("1", "1.0"),
        ("1e2", "1E2"),
        ("10", "1e1"),
        ("-0", "0"),
        ("12345678901234567890123", "12345678901234567890124"),
        ("[1,2]", "[2,1]"),
        ("[1]", "[1,1]"),
        (r#"{"a":1}"#, r#"{"a":1.0}"#),
        (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
        (r#"{"a":null}"#, "{}"),
        ("null", r#""null""#),
        ("{}", "[]"),
    ];
    for (a, b) in different {
        assert_ne!(parse(a), parse(b), "{a} {b}");
    }
}

#[test]
fn nesting_ends_where_a_value_can_hold_no_more() {
    let nested = |open: &str, close: &str, levels: usize| {
        format!(" {}1{} ", open.repeat(levels), close.repeat(levels))
    };
    for (open, close, per_level) in [("[", "]", 1), ("{\"a\": ", "}", 1), ("[{\"a\":", "}]", 2)] {
        let fits = MAX_DEPTH / per_level;
        let json = parse(&nested(open, close, fits));
        assert_eq!(
            json.value(),
            &serde_json::from_str::<Value>(json.text()).expect("JSON")
        );
        for levels in [fits + 1, 1_000_000] {
            let error = Json::parse(&nested(open, close, levels)).expect_err("too deep");
            assert_eq!(error.kind(), &JsonErrorKind::TooDeep);
            assert!(!error.is_ambiguous());
            // The bracket that is one too many: after the space in front and every level that fits.
            let bracket = 1 + open.len() * fits + (MAX_DEPTH % per_level);
            assert_eq!(error.position().offset, bracket, "{open}");
        }
    }
}

#[test]
fn a_deep_value_made_in_the_process_is_written_and_compared() {
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let json = Json::from(deep.clone());
    assert_eq!(json.text(), "[".repeat(200) + "1" + &"]".repeat(200));
    assert_eq!(json, Json::from(deep));
    let error = Json::parse(json.text()).expect_err("too deep to be read back");
    assert_eq!(error.kind(), &JsonErrorKind::TooDeep);
}

#[test]
fn a_reserved_key_made_in_the_process_is_written_as_it_is_and_not_read_back() {
    for key in [
        "$serde_json::private::Number",
        "$serde_json::private::RawValue",
    ] {
        let json = Json::from(json!({"a": [{key: "1"}]}));
        assert_eq!(json.text(), format!(r#"{{"a":[{{"{key}":"1"}}]}}"#));
        assert_eq!(json["a"][0][key], "1");
        let error = Json::parse(json.text()).expect_err("two readings");
        assert!(error.is_ambiguous(), "{error}");
        assert_eq!(error.position().column, 8);
    }
}

#[test]
fn a_long_key_that_is_repeated_is_cut_in_the_error() {
    let key = "ä".repeat(500);
    let error = Json::parse(&format!(r#"{{"{key}":1,"{key}":2}}"#)).expect_err("two readings");
    assert_eq!(
        error.kind(),
        &JsonErrorKind::DuplicateKey {
            key: "ä".repeat(100)
        }
    );
    assert_eq!(error.position().column, 507);
}

#[test]
fn a_repeated_key_is_found_among_many() {
    let members: Vec<_> = (0..1000)
        .map(|n| format!("\"k{n}\":{{\"a\":{n}}}"))
        .collect();
    let once = format!("{{{}}}", members.join(","));
    assert_eq!(parse(&once)["k999"]["a"], 999);
    for repeated in ["k0", "k7", "k8", "k9", "k999"] {
        let twice = once.replacen('}', &format!("}},\"{repeated}\":0"), 1);
        let twice = if repeated == "k0" {
            twice
        } else {
            format!("{{\"{repeated}\":0,{}", once.split_at(1).1)
        };
        let error = Json::parse(&twice).expect_err(repeated);
        assert_eq!(
            error.kind(),
            &JsonErrorKind::DuplicateKey {
                key: repeated.to_owned()
            }
        );
    }
}

#[test]
fn reading_does_not_depend_on_who_asks_first() {
    let json = parse("{\"n\": 1.50}");
    let clone = json.clone();
    assert_eq!(clone["n"].as_f64(), Some(1.5));
    assert_eq!(
        (json.text(), json.raw().get()),
        ("{\"n\":1.50}", clone.text())
    );
    assert!(json.is_exact() && clone.is_exact());
}
