//! Quoting what a program printed: bounded, and harmless to whoever reads it on a terminal.

use hook_contract::shown;

/// How many characters of a program's output a message shows.
pub(crate) const QUOTE_CHARS: usize = 200;

/// How many characters of a word or a key a message shows.
pub(crate) const WORD_CHARS: usize = 60;

/// At most `limit` characters of `printed`, marked when that is not all of it.
pub(crate) fn quote(printed: &[u8], limit: usize) -> String {
    let (quote, cut) = shown(printed, limit);
    if cut {
        format!("{quote}… ({} bytes in all)", printed.len())
    } else {
        quote
    }
}

/// The first `limit` characters of `printed`, and whether there are more. Control and formatting characters are
/// escaped, and so is what is not UTF-8: a quote never rings a bell or reverses the line it stands in.
pub(crate) fn shown(printed: &[u8], limit: usize) -> (String, bool) {
    let mut quote = String::new();
    let mut left = limit;
    // No character is longer than four bytes, so these hold more than is shown.
    let enough = printed.get(..4 * limit + 4).unwrap_or(printed);
    for chunk in enough.utf8_chunks() {
        for character in chunk.valid().chars() {
            if left == 0 {
                return (quote, true);
            }
            left -= 1;
            quote.extend(shown::escape(character));
        }
        for byte in chunk.invalid() {
            if left == 0 {
                return (quote, true);
            }
            left -= 1;
            quote.extend(byte.escape_ascii().map(char::from));
        }
    }
    (quote, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_bounded_and_says_so() {
        assert_eq!(quote(b"abc", 3), "abc");
        assert_eq!(quote(b"abcd", 3), "abc… (4 bytes in all)");
        assert_eq!(
            quote("äöü".repeat(100_000).as_bytes(), 2),
            "äö… (600000 bytes in all)"
        );
        assert_eq!(
            quote("👾".repeat(9).as_bytes(), 8),
            "👾👾👾👾👾👾👾👾… (36 bytes in all)"
        );
        assert_eq!(quote(b"", 3), "");
    }

    #[test]
    fn a_quote_cannot_move_the_cursor_or_turn_the_line() {
        assert_eq!(
            quote("{\"a\":'\\n'}\n\u{1b}[2J\u{202e}\u{feff}\0".as_bytes(), 99),
            r#"{"a":'\n'}\n\u{1b}[2J\u{202e}\u{feff}\0"#
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_bytes() {
        assert_eq!(quote(b"ok \xff\xfe\xc3", 99), r"ok \xff\xfe\xc3");
        assert_eq!(quote(b"\xff\xfe\xfd", 2), r"\xff\xfe… (3 bytes in all)");
    }
}
