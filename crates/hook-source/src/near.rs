//! Which known word was meant.

/// Longer than any misspelling of a known word; the distance to such a text is not worth computing.
const LONGEST: usize = 32;

/// The word without what people vary: case, and `-`, `_` and spaces between its parts.
///
/// ```
/// assert_eq!(hook_source::fold("On-Failure"), hook_source::fold("on_failure"));
/// ```
#[must_use]
pub fn fold(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The known word that `given` is a misspelling of, if it is one.
///
/// How far off a misspelling may be grows with the known word: one edit in up to five letters, two in longer ones; letters
/// are counted after [`fold`]. In four letters one edit makes too many other words, so the first letter must be right (`mod`
/// is `mode`, `node` is not). Every file that a person writes is read by this one rule (ADR 0024).
///
/// ```
/// use hook_source::nearest;
///
/// assert_eq!(nearest("pre-tool-use", &["PreToolUse", "PostToolUse"]), Some("PreToolUse"));
/// assert_eq!(nearest("Notification", &["PreToolUse", "PostToolUse"]), None);
/// ```
#[must_use]
pub fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    if given.len() > LONGEST {
        return None;
    }
    let given = fold(given);
    known
        .iter()
        .filter_map(|&word| {
            let folded = fold(word);
            let edits = strsim::damerau_levenshtein(&given, &folded);
            let allowed = if folded.len() <= 5 { 1 } else { 2 };
            let same_start = given.chars().next() == folded.chars().next();
            (edits <= allowed && (folded.len() > 4 || same_start)).then_some((edits, word))
        })
        .min()
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["command", "event", "mode", "on_failure", "tools"];

    #[track_caller]
    fn check(given: &str, meant: Option<&str>) {
        assert_eq!(nearest(given, &KNOWN), meant, "{given}");
    }

    #[test]
    fn a_misspelling_finds_its_word() {
        check("evnt", Some("event"));
        check("evnet", Some("event"));
        check("tool", Some("tools"));
        check("comand", Some("command"));
        check("onFailure", Some("on_failure"));
        check("ON-FAILURE", Some("on_failure"));
        check("on_failur", Some("on_failure"));
        check("mod", Some("mode"));
    }

    #[test]
    fn another_word_is_not_a_misspelling() {
        check("", None);
        check("node", None);
        check("description", None);
        check("workers", None);
        check("enabled", None);
        check(&"tools".repeat(100), None);
    }
}
