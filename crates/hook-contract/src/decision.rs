//! The words a participant may answer with.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, Visitor},
};

/// What one participant decided, in one word.
///
/// A participant that gave no decision has none: it failed, which is told apart. A runtime never sees `ask`; what comes
/// of it is one of the four outcomes of [`HookOutcome`](crate::HookOutcome).
///
/// ```
/// use hook_contract::Decision;
///
/// assert_eq!(Decision::Ask.as_str(), "ask");
/// assert_eq!(Decision::of_word("modify"), Some(Decision::Modify));
/// assert_eq!(Decision::of_word("Modify"), None, "a word is exact");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// No objection.
    Allow,
    /// The call does not happen; after it, its result is withheld.
    Deny,
    /// A person has to agree; without one the call does not happen, or its result is withheld.
    Ask,
    /// The call happens with another input; only before it.
    Modify,
    /// The model sees another result; only after the call.
    Replace,
}

impl Decision {
    /// Every decision.
    pub const ALL: &[Self] = &[
        Self::Allow,
        Self::Deny,
        Self::Ask,
        Self::Modify,
        Self::Replace,
    ];

    /// The word on the wire, in records and in test cases.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Modify => "modify",
            Self::Replace => "replace",
        }
    }

    /// The decision of exactly that word; neither case nor white space is forgiven.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|decision| decision.as_str() == word)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// From the word alone: what serde derives would also take an object whose only key is the word.
impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Word)
    }
}

/// The words, for an error that names them.
const WORDS: &[&str] = &["allow", "deny", "ask", "modify", "replace"];

struct Word;

impl Visitor<'_> for Word {
    type Value = Decision;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decision, which is a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Decision, E> {
        Decision::of_word(word).ok_or_else(|| E::unknown_variant(word, WORDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_written_as_it_is_read_and_only_its_exact_word_is_one() {
        for decision in Decision::ALL {
            assert_eq!(
                serde_json::to_value(decision).expect("a word"),
                decision.to_string()
            );
            assert_eq!(Decision::of_word(decision.as_str()), Some(*decision));
            let read: Decision = serde_json::from_value(decision.as_str().into()).expect("a word");
            assert_eq!(read, *decision);
            assert!(WORDS.contains(&decision.as_str()));
        }
        for word in [
            "Allow", "allow ", " allow", "ALLOW", "", "allowed", "deny\n",
        ] {
            assert_eq!(Decision::of_word(word), None, "{word:?}");
        }
        for text in [
            r#"{"allow":null}"#,
            r#"["allow"]"#,
            r#""Allow""#,
            "0",
            "null",
        ] {
            assert!(serde_json::from_str::<Decision>(text).is_err(), "{text}");
        }
    }
}
