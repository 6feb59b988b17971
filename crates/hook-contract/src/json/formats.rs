//! A value on its way through serde.
//!
//! With `serde_json` text every digit is kept. Through another format, or through serde's tagged, untagged and flattened
//! types, a value is read as that format has it; [`Json::is_exact`] then says that its digits may not be those that were
//! written, and a chain restores the digits it knows from the original.

use std::{any::type_name, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::Value;

use super::{Json, JsonError, scan::RAW_VALUE_KEY};

impl Serialize for Json {
    /// The text where a serializer of `serde_json` takes it, and the plain value anywhere else: another format knows no
    /// text that is to be copied as it stands.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if takes_raw_text::<S>() {
            self.raw().serialize(serializer)
        } else {
            self.value().serialize(serializer)
        }
    }
}

/// Whether the serializer is one of `serde_json`'s, also behind a wrapper that names it.
///
/// The raw value of `serde_json` is a struct with a reserved name. Every other serializer writes that struct as data, so
/// that a reader would find the reserved name in place of the value. The name of the type is all that tells them apart; a
/// serializer that it does not tell gets the plain value, which loses no more than digits.
fn takes_raw_text<S>() -> bool {
    let name = type_name::<S>();
    ["serde_json::", "erased_serde::"]
        .iter()
        .any(|origin| name.contains(origin))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Attempt::deserialize(deserializer)?
            .0
            .map_err(D::Error::custom)
    }
}

/// A value, or why it has not one reading. A reader of an object keeps the other members with it.
pub(crate) struct Attempt(pub(crate) Result<Json, JsonError>);

impl<'de> Deserialize<'de> for Attempt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // What `serde_json` answers with the raw text, and every other format with the value itself.
        deserializer.deserialize_newtype_struct(RAW_VALUE_KEY, AnyForm)
    }
}

struct AnyForm;

impl<'de> Visitor<'de> for AnyForm {
    type Value = Attempt;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Attempt, D::Error> {
        Value::deserialize(deserializer).map(|value| Attempt(Ok(value.into())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attempt, A::Error> {
        let mut object = serde_json::Map::new();
        if let Some(key) = map.next_key::<String>()? {
            if key == RAW_VALUE_KEY {
                let text: String = map.next_value()?;
                return Ok(Attempt(Json::parse(&text)));
            }
            let first: Value = map.next_value()?;
            object.insert(key, first);
            let rest = Value::deserialize(MapAccessDeserializer::new(map))?;
            if let Value::Object(rest) = rest {
                object.extend(rest);
            }
        }
        Ok(Attempt(Ok(Value::Object(object).into())))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    const LONG: &str = "123456789012345678901234567890";

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Value { value: Json },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Value { value: Json },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flattened {
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        value: Json,
    }

    #[test]
    fn json_text_keeps_every_digit() {
        let text = format!(r#"{{"value":{{"n":{LONG}}}}}"#);
        let inner: Inner = serde_json::from_str(&text).expect("JSON");
        assert!(inner.value.is_exact());
        assert_eq!(serde_json::to_string(&inner).expect("JSON"), text);
    }

    #[test]
    fn a_value_is_readable_through_tagged_untagged_and_flattened_types() {
        let tagged: Tagged = serde_json::from_str(r#"{"kind":"Value","value":{"a":[1,null]}}"#)
            .expect("a tagged type");
        let Tagged::Value { value } = tagged;
        assert_eq!(value, json!({"a": [1, null]}));
        assert!(
            !value.is_exact(),
            "serde has read it into values of its own"
        );
        let Untagged::Value { value } =
            serde_json::from_str(r#"{"value":"x"}"#).expect("an untagged type");
        assert_eq!(value, json!("x"));
        let flattened: Flattened = serde_json::from_str(r#"{"value":true}"#).expect("flattened");
        assert_eq!(flattened.inner.value, json!(true));
    }

    #[test]
    fn a_value_is_written_as_text_through_tagged_and_flattened_types() {
        let value = Json::parse(LONG).expect("a number");
        let flattened = Flattened {
            inner: Inner {
                value: value.clone(),
            },
        };
        let written = serde_json::to_string(&flattened).expect("JSON");
        assert_eq!(written, format!(r#"{{"value":{LONG}}}"#));
        let written = serde_json::to_string(&Tagged::Value { value }).expect("JSON");
        assert_eq!(written, format!(r#"{{"kind":"Value","value":{LONG}}}"#));
    }

    #[test]
    fn another_format_gets_the_plain_value_and_gives_it_back() {
        let value = Json::parse(r#"{"a":[1,"b",null,true,{"c":2.5}]}"#).expect("JSON");
        let bytes = rmp_serde::to_vec_named(&value).expect("MessagePack");
        assert!(!bytes.windows(8).any(|part| part == b"RawValue"));
        let back: Json = rmp_serde::from_slice(&bytes).expect("MessagePack");
        assert_eq!(back, value);
        assert!(!back.is_exact());
        let yaml = serde_norway::to_string(&value).expect("YAML");
        assert!(!yaml.contains("RawValue"), "{yaml}");
        let back: Json = serde_norway::from_str(&yaml).expect("YAML");
        assert_eq!(back, value);
    }

    #[test]
    fn a_value_in_the_process_is_read_and_written() {
        let value: Json = serde_json::from_value(json!({"a": {"b": 1}})).expect("a value");
        assert_eq!(
            serde_json::to_value(&value).expect("a value"),
            json!({"a": {"b": 1}})
        );
        assert!(
            serde_json::from_str::<Json>(r#"{"a":1,"a":2}"#).is_err(),
            "two readings"
        );
    }
}
