//! Text of others, made harmless to a terminal.
//!
//! What a model, a tool or a hook wrote may hold escape sequences that move the cursor, hide a line or turn its
//! direction. It is never printed as it is for a person to read.

/// One line: every control and formatting character is escaped, line ends included; only tabs stay.
pub(crate) fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // What JSON and prose are made of reads best as it stands.
            '"' | '\'' | '\\' | '\t' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    shown
}

/// The same for text of several lines, which stay lines.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_turns_the_line() {
        assert_eq!(
            line("a\u{1b}[2J\u{202e}\u{9b}31m\r\n\u{7f}"),
            r"a\u{1b}[2J\u{202e}\u{9b}31m\r\n\u{7f}"
        );
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        assert_eq!(
            line("\tf\u{fc}r \"x\" \\ 'y' \u{1f47e}"),
            "\tf\u{fc}r \"x\" \\ 'y' \u{1f47e}"
        );
    }

    #[test]
    fn several_lines_stay_several_lines() {
        assert_eq!(lines("a\n\u{8}b\n").collect::<Vec<_>>(), ["a", r"\u{8}b"]);
    }
}
