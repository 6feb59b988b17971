//! Text from a file in a message: cut, and without anything a terminal would act on.

use std::fmt::{self, Write as _};

use hook_contract::shown::is_harmless;

/// How many characters of a text are shown.
const LONGEST: usize = 100;

/// A text as it is shown in a message: at most a hundred characters, and none that a terminal would act on.
///
/// ```
/// assert_eq!(hook_source::Shown("a\u{1b}b").to_string(), "a\\u{1b}b");
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a view of one text")]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars().take(LONGEST) {
            if is_harmless(c) {
                f.write_char(c)?;
            } else {
                write!(f, "{}", c.escape_unicode())?;
            }
        }
        if self.0.chars().nth(LONGEST).is_some() {
            f.write_str("…")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_no_control_characters_and_no_more_than_a_line() {
        assert_eq!(
            Shown("a\u{1b}[2Jb\n\u{202e}ä").to_string(),
            "a\\u{1b}[2Jb\\u{a}\\u{202e}ä"
        );
        let long = Shown(&"x".repeat(101)).to_string();
        assert_eq!(long, format!("{}…", "x".repeat(100)));
    }
}
