//! A name taken apart.

use std::ops::Range;

/// The words of a name, in lower case, one behind the other, so that a run of them is a part of the text.
#[derive(Debug, Default)]
pub(crate) struct Words {
    text: String,
    /// Where each word ends.
    ends: Vec<usize>,
}

impl Words {
    /// `clientSecret`, `CLIENT_SECRET` and `client-secret` have the same two. Wide letters of East Asian keyboards count as the
    /// plain ones.
    pub(crate) fn of(name: &str) -> Self {
        let mut words = Self {
            text: String::with_capacity(name.len()),
            ends: Vec::new(),
        };
        let mut characters = name.chars().map(narrow).peekable();
        let mut before: Option<char> = None;
        while let Some(character) = characters.next() {
            let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
            let begins_word = character.is_uppercase()
                && before.is_some_and(|before| {
                    before.is_lowercase()
                        || before.is_numeric()
                        || (before.is_uppercase() && next_is_lower)
                });
            if begins_word || !character.is_alphanumeric() {
                words.end();
            }
            if character.is_alphanumeric() {
                words.text.extend(character.to_lowercase());
            }
            before = Some(character);
        }
        words.end();
        words
    }

    fn end(&mut self) {
        if self.text.len() > self.ends.last().copied().unwrap_or_default() {
            self.ends.push(self.text.len());
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        (0..self.count()).filter_map(|at| self.run(at..at + 1))
    }

    /// Words in a row, without what stands between them.
    pub(crate) fn run(&self, words: Range<usize>) -> Option<&str> {
        let start = match words.start.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        let end = *self.ends.get(words.end.checked_sub(1)?)?;
        self.text.get(start..end)
    }

    pub(crate) fn all(&self) -> &str {
        &self.text
    }
}

/// The plain form of a wide character, `ａ` to `a`.
fn narrow(character: char) -> char {
    match u32::from(character) {
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(character),
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart_where_its_words_begin() {
        for (name, expected) in [
            ("clientSecret", "client secret"),
            ("CLIENT_SECRET", "client secret"),
            ("HTTPServer2Key", "http server2 key"),
            ("--a..b", "a b"),
            ("", ""),
        ] {
            let words = Words::of(name);
            assert_eq!(words.iter().collect::<Vec<_>>().join(" "), expected);
            assert_eq!(words.all(), expected.replace(' ', ""));
            assert_eq!(words.run(0..words.count()).unwrap_or_default(), words.all());
        }
    }
}
