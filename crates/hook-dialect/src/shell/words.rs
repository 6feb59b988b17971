//! Words, with the quotes and substitutions in them.

use super::{
    Odd,
    scanner::{Scanner, Word, name_of},
};

impl<'t> Scanner<'t> {
    pub(super) fn word(&mut self, closing: Option<char>, depth: usize) -> Word {
        let mut word = Word::default();
        let mut parts = 0;
        while let Some(c) = self.peek() {
            if Some(c) == closing
                || matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' | ')')
            {
                break;
            }
            if c == '(' && !is_assignment_to_array(&word.text) {
                break;
            }
            if c == '(' {
                self.named.odd.insert(Odd::Array);
                self.next();
                self.commands(Some(')'), depth + 1);
                continue;
            }
            parts += 1;
            self.next();
            match c {
                '\\' => word.text.extend(self.next()),
                '\'' => {
                    let end = self.rest().find('\'').unwrap_or(self.rest().len());
                    word.text
                        .push_str(self.rest().get(..end).unwrap_or_default());
                    self.at += end;
                    word.is_literal = parts == 1;
                    self.next();
                }
                '"' => self.double_quotes(&mut word.text, depth),
                '$' => {
                    word.text.push('$');
                    word.text.push_str(self.dollar(depth));
                }
                '`' => {
                    word.text.push('$');
                    self.commands(Some('`'), depth + 1);
                }
                c => word.text.push(c),
            }
        }
        word.is_literal &= parts == 1;
        word
    }

    pub(super) fn double_quotes(&mut self, text: &mut String, depth: usize) {
        while let Some(c) = self.next() {
            match c {
                '"' => return,
                '\\' => text.extend(self.next()),
                '$' => {
                    text.push('$');
                    text.push_str(self.dollar(depth));
                }
                '`' => {
                    text.push('$');
                    self.commands(Some('`'), depth + 1);
                }
                c => text.push(c),
            }
        }
    }

    /// What follows a `$`: the variable, where it is one.
    pub(super) fn dollar(&mut self, depth: usize) -> &'t str {
        if self.skip("((") {
            self.arithmetic(depth);
        } else if self.skip("(") {
            self.commands(Some(')'), depth + 1);
        } else if self.skip("{") {
            return self.parameter(depth);
        } else if self.skip("$") {
            // The number of the process.
        } else if let Some((name, _)) = name_of(self.rest()) {
            self.named.used.insert(name.to_owned());
            self.at += name.len();
            return name;
        }
        ""
    }

    /// A calculation, up to its `))`.
    fn arithmetic(&mut self, depth: usize) {
        while !self.rest().is_empty() && !self.skip("))") {
            if self.next() == Some('$') {
                self.dollar(depth);
            }
        }
    }
}

/// Whether what stands before a parenthesis begins an assignment to an array: `a=(…)`, `a+=(…)`.
fn is_assignment_to_array(before: &str) -> bool {
    before.strip_suffix('=').is_some_and(|name| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name_of(name).is_some_and(|(_, rest)| rest.is_empty())
    })
}
