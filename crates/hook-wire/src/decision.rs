//! Which decision the author of a word most likely meant. Only ever used in messages.

use hook_contract::Decision;

/// Words of other hook systems and of plain English, each with the decision that it stands for.
const HABITS: [(Decision, &[&str]); 5] = [
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
        Decision::Ask,
        &["approval", "confirm", "defer", "escalate", "prompt"],
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

/// The decision that the author of `word` most likely meant.
pub(crate) fn nearest(word: &str) -> Option<Decision> {
    let word = word.trim().to_lowercase();
    let by_habit = HABITS
        .iter()
        .find(|(_, words)| words.contains(&word.as_str()))
        .map(|(decision, _)| *decision);
    by_habit.or_else(|| {
        Decision::ALL
            .iter()
            .map(|decision| (misspelling(&word, decision.as_str()), *decision))
            .filter_map(|(distance, decision)| Some((distance?, decision)))
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, decision)| decision)
    })
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
    fn the_nearest_word_is_found_by_spelling_and_by_habit() {
        for (word, meant) in [
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
            ("ask", Some(Decision::Ask)),
            ("Ask", Some(Decision::Ask)),
            ("confirm", Some(Decision::Ask)),
            ("PROMPT", Some(Decision::Ask)),
            ("defer", Some(Decision::Ask)),
            ("approval", Some(Decision::Ask)),
            ("escalate", Some(Decision::Ask)),
            ("asks", Some(Decision::Ask)),
            ("maybe", None),
            ("", None),
        ] {
            assert_eq!(nearest(word), meant, "{word}");
        }
        assert_eq!(nearest(&"a".repeat(1 << 20)), None);
    }
}
