//! What a client calls its calls.

use hook_source::Node;
use serde::Serialize;

/// The client's own name of a call: a string, or a whole number of 64 bits. A number with parts would be one and the same to one
/// reader, and two to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub(crate) enum Id {
    Signed(i64),
    Unsigned(u64),
    Text(String),
}

impl Id {
    /// The name that a value is, if it is one.
    pub(super) fn of(node: &Node) -> Option<Self> {
        if let Some(text) = node.text() {
            return Some(Self::Text(text.to_owned()));
        }
        let number = node.number()?;
        let whole = number.strip_prefix('-').unwrap_or(number);
        if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let signed = number.parse().map(Self::Signed).ok();
        signed.or_else(|| number.parse().map(Self::Unsigned).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_text_or_a_whole_number_and_is_given_back_as_it_is() {
        for (text, given_back) in [
            ("\"a\"", Some("\"a\"")),
            ("\"\"", Some("\"\"")),
            ("\"\\u0061\\n\"", Some("\"a\\n\"")),
            ("7", Some("7")),
            ("-7", Some("-7")),
            ("18446744073709551615", Some("18446744073709551615")),
            ("18446744073709551616", None),
            ("1.0", None),
            ("1e3", None),
            ("true", None),
            ("[1]", None),
            ("{}", None),
        ] {
            let node = hook_source::json::read(text, 1).expect("JSON");
            let id = Id::of(&node).map(|id| serde_json::to_string(&id).expect("JSON"));
            assert_eq!(id.as_deref(), given_back, "{text}");
        }
    }
}
