//! Text of others in a message: nothing of it drives the terminal on which it is read.
//!
//! What a model, a tool, a hook or a file says may hold escape sequences that move the cursor, hide a line or turn its
//! direction. It is never shown as it is. Every crate that puts such text into a message asks here what may stay.
//!
//! ```
//! use hook_contract::shown;
//!
//! assert_eq!(shown::line("a\u{1b}[2J \"b\"\n"), r#"a\u{1b}[2J "b"\n"#);
//! assert_eq!(shown::lines("a\r\n\tb"), "a\\r\n\tb");
//! ```

/// Whether a character is shown as it is: it takes its place in the line, and nothing else.
///
/// Not so control characters, tabs and line ends, what hides or reorders its neighbours, spaces other than the
/// ordinary one, and what stands for no character.
///
/// ```
/// use hook_contract::shown;
///
/// assert!(['a', 'ä', '\u{301}', '"'].into_iter().all(shown::is_harmless), "letters, accents and quotes");
/// assert!(!['\t', '\u{1b}', '\u{202e}', '\u{a0}'].into_iter().any(shown::is_harmless));
/// ```
#[must_use]
pub fn is_harmless(character: char) -> bool {
    if character.is_ascii() {
        return matches!(character, ' '..='~');
    }
    // As a string's first character an accent would be escaped, and in text it follows what it stands on.
    let mut text = [b'a'; 5];
    let after = text
        .get_mut(1..)
        .map(|rest| character.encode_utf8(rest).len());
    let shown = std::str::from_utf8(text.get(..=after.unwrap_or(0)).unwrap_or(&[]));
    shown.is_ok_and(|shown| shown.escape_debug().nth(1) == Some(character))
}

/// The character, or the escape that is shown in its place: `\n`, `\u{1b}`.
///
/// ```
/// use hook_contract::shown;
///
/// assert_eq!(shown::escape('a').collect::<String>(), "a");
/// assert_eq!(shown::escape('\n').collect::<String>(), r"\n");
/// assert_eq!(shown::escape('\u{202e}').collect::<String>(), r"\u{202e}");
/// ```
#[must_use = "the characters to be shown"]
pub fn escape(character: char) -> impl Iterator<Item = char> {
    let harmless = is_harmless(character).then_some(character);
    let escaped = harmless.is_none().then(|| character.escape_debug());
    harmless.into_iter().chain(escaped.into_iter().flatten())
}

/// Text as part of one line: tabs stay, line ends are escaped like everything else that is not harmless.
///
/// ```
/// assert_eq!(hook_contract::shown::line("a\tb\r\n\u{1b}[2J"), "a\tb\\r\\n\\u{1b}[2J");
/// ```
#[must_use]
pub fn line(text: &str) -> String {
    escaped(text, |character| character == '\t')
}

/// Text of several lines, which stay lines.
///
/// ```
/// assert_eq!(hook_contract::shown::lines("a\tb\r\n\u{1b}[2J"), "a\tb\\r\n\\u{1b}[2J");
/// ```
#[must_use]
pub fn lines(text: &str) -> String {
    escaped(text, |character| matches!(character, '\t' | '\n'))
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if stays(character) {
            shown.push(character);
        } else {
            shown.extend(escape(character));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_turns_the_line() {
        let text = "a\u{1b}[2J\u{202e}\u{9b}31m\r\n\u{7f}\0\u{2028}\u{61c}\u{ad}\u{feff}\u{e0041}";
        assert_eq!(
            line(text),
            r"a\u{1b}[2J\u{202e}\u{9b}31m\r\n\u{7f}\0\u{2028}\u{61c}\u{ad}\u{feff}\u{e0041}"
        );
        assert_eq!(lines("a\r\n\u{8}b\n"), "a\\r\n\\u{8}b\n");
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        let text = "\tf\u{fc}r \"x\" \\ 'y' \u{1f47e} \u{4f60}\u{597d}";
        assert_eq!(line(text), text);
        assert_eq!(lines(text), text);
    }

    #[test]
    fn accents_and_vowel_signs_stay_on_what_they_stand_on() {
        for text in ["e\u{301}", "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}"] {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn a_character_is_shown_or_escaped_and_never_both() {
        let shown = |character| escape(character).collect::<String>();
        assert_eq!(shown('"'), "\"");
        assert_eq!(shown('\t'), r"\t");
        assert_eq!(shown('\u{a0}'), r"\u{a0}");
        for character in '\0'..=char::MAX {
            assert_eq!(
                is_harmless(character),
                shown(character) == String::from(character),
                "{character:?}"
            );
        }
    }
}
