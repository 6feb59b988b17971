//! The four words, and which of them somebody meant.

use std::fmt;

/// One of the four words a hook may answer with.
///
/// The vocabulary is closed: a fifth word would be a new version of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a chain must act on every answer there is"
)]
pub enum Decision {
    /// No objection.
    Allow,
    /// The call does not happen, or its result is withheld.
    Deny,
    /// The call happens with another input; only before it.
    Modify,
    /// The model sees another result; only after the call.
    Replace,
}

/// What authors write who think of another hook system, or of plain English.
const HABITS: [(Decision, &[&str]); 4] = [
    (
        Decision::Allow,
        &[
            "accept",
            "accepted",
            "approve",
            "approved",
            "continue",
            "grant",
            "granted",
            "ok",
            "okay",
            "pass",
            "permit",
            "permitted",
            "proceed",
            "true",
            "yes",
        ],
    ),
    (
        Decision::Deny,
        &[
            "abort",
            "block",
            "blocked",
            "cancel",
            "denied",
            "disallow",
            "false",
            "forbid",
            "forbidden",
            "no",
            "refuse",
            "refused",
            "reject",
            "rejected",
            "stop",
            "veto",
        ],
    ),
    (
        Decision::Modify,
        &[
            "amend",
            "change",
            "edit",
            "patch",
            "rewrite",
            "transform",
            "update",
        ],
    ),
    (
        Decision::Replace,
        &["mask", "override", "redact", "sanitize", "substitute"],
    ),
];

impl Decision {
    /// Every decision.
    pub const ALL: [Self; 4] = [Self::Allow, Self::Deny, Self::Modify, Self::Replace];

    /// The word on the wire.
    ///
    /// ```
    /// assert_eq!(hook_wire::Decision::Modify.as_str(), "modify");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Modify => "modify",
            Self::Replace => "replace",
        }
    }

    /// The decision of exactly that word; neither case nor white space is forgiven.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|decision| decision.as_str() == word)
    }

    /// The decision that somebody who wrote `word` most likely meant. Only ever used in messages.
    pub(crate) fn nearest(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        let by_habit = HABITS
            .iter()
            .find(|(_, words)| words.contains(&word.as_str()))
            .map(|(decision, _)| *decision);
        by_habit.or_else(|| {
            Self::ALL
                .into_iter()
                .map(|decision| (misspelling(&word, decision.as_str()), decision))
                .filter_map(|(distance, decision)| Some((distance?, decision)))
                .min_by_key(|(distance, _)| *distance)
                .map(|(_, decision)| decision)
        })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How many slips of the keyboard lie between the two, when it is few enough to be a misspelling.
pub(crate) fn misspelling(written: &str, meant: &str) -> Option<usize> {
    let most = if meant.len() < 5 { 1 } else { 2 };
    // Distance takes the product of both lengths, and a program may print anything.
    if written.len() > meant.len() + most {
        return None;
    }
    Some(strsim::damerau_levenshtein(written, meant)).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_word_is_a_decision() {
        for decision in Decision::ALL {
            assert_eq!(Decision::of_word(decision.as_str()), Some(decision));
        }
        for word in [
            "Allow", "allow ", " allow", "ALLOW", "", "allowed", "deny\n",
        ] {
            assert_eq!(Decision::of_word(word), None, "{word:?}");
        }
    }

    #[test]
    fn the_nearest_word_is_found_by_spelling_and_by_habit() {
        for (word, nearest) in [
            ("Allow ", Some(Decision::Allow)),
            ("alow", Some(Decision::Allow)),
            ("approve", Some(Decision::Allow)),
            ("continue", Some(Decision::Allow)),
            ("disallow", Some(Decision::Deny)),
            ("DENIED", Some(Decision::Deny)),
            ("dney", Some(Decision::Deny)),
            ("block", Some(Decision::Deny)),
            ("modfiy", Some(Decision::Modify)),
            ("rewrite", Some(Decision::Modify)),
            ("redact", Some(Decision::Replace)),
            ("replase", Some(Decision::Replace)),
            ("ask", None),
            ("maybe", None),
            ("", None),
        ] {
            assert_eq!(Decision::nearest(word), nearest, "{word}");
        }
        assert_eq!(Decision::nearest(&"a".repeat(1 << 20)), None);
    }
}
