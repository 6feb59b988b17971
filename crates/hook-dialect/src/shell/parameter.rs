//! `${…}`.

use super::{
    DEEPEST, Odd,
    scanner::{Scanner, name_of},
};

impl<'t> Scanner<'t> {
    /// What follows `${`, up to its `}`: the variable.
    pub(super) fn parameter(&mut self, depth: usize) -> &'t str {
        if depth > DEEPEST {
            self.commands(None, depth);
            return "";
        }
        let mut found = "";
        let is_length = self.rest().starts_with('#') && !self.rest().starts_with("#}");
        if is_length {
            self.skip("#");
        }
        let is_indirect = self.skip("!");
        if is_indirect {
            self.named.odd.insert(Odd::Indirection);
        }
        if let Some((name, rest)) = name_of(self.rest()) {
            found = name;
            let name = name.to_owned();
            self.at += name.len();
            if let Some(odd) = odd(rest) {
                self.named.odd.insert(odd);
            }
            let operator = rest.strip_prefix(':').unwrap_or(rest);
            if rest.starts_with('=') || rest.starts_with(":=") {
                self.named.set.insert(name);
            } else if operator.starts_with(['-', '+', '?']) && !operator.starts_with("-}") {
                self.named.spare.insert(name);
            } else {
                self.named.used.insert(name);
            }
        }
        self.past_brace(depth);
        found
    }

    /// The rest of `${…}`, in which there can be further ones.
    fn past_brace(&mut self, depth: usize) {
        let mut ignored = String::new();
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '}' => return,
                '\\' => {
                    let next = self.peek().map_or(0, char::len_utf8);
                    self.at += next;
                }
                '$' => {
                    self.dollar(depth + 1);
                }
                '"' => self.double_quotes(&mut ignored, depth + 1),
                '`' => self.commands(Some('`'), depth + 1),
                _ => {}
            }
        }
    }
}

/// What a POSIX shell does not have, by what follows the name.
fn odd(rest: &str) -> Option<Odd> {
    let mut after = rest.chars();
    match (after.next()?, after.next()) {
        ('[', _) => Some(Odd::Array),
        ('/', _) => Some(Odd::Replacement),
        ('^' | ',' | '@', _) => Some(Odd::Case),
        (':', Some(c)) if c.is_ascii_digit() || matches!(c, ' ' | '$' | '(') => {
            Some(Odd::Substring)
        }
        _ => None,
    }
}
