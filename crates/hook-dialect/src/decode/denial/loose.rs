//! Objects in a text that no parser takes as it stands.

use std::str::Chars;

use super::{Verdict, Words};

/// What the first object in a text says that says one of these words, however badly the object or what is around it is written.
///
/// Braces that are not closed, quotes of the other kind, line breaks in strings, commas too many or too few and an end in
/// the middle are all passed over. The text is gone through once.
pub(super) fn find(text: &str, words: &'static Words, depth: usize) -> Option<Verdict> {
    let mut scan = Scan {
        rest: text,
        open: Vec::new(),
        verdict: Verdict::new(words),
    };
    loop {
        let mut chars = scan.rest.chars();
        let Some(next) = chars.next() else {
            return scan.verdict.field.is_some().then_some(scan.verdict);
        };
        if next.is_whitespace() || next == '\0' {
            scan.rest = chars.as_str();
        } else if scan.open.is_empty() {
            let verdict = std::mem::replace(&mut scan.verdict, Verdict::new(words));
            if verdict.field.is_some() {
                return Some(verdict);
            }
            let (_before, object) = scan.rest.split_once('{')?;
            scan.rest = object;
            scan.open.push(Open::object(Some(depth)));
        } else if !scan.step(next, chars.as_str()) {
            // It is no object after all. What it has said by then counts.
            scan.open.clear();
        }
    }
}

/// Where the scan is.
struct Scan<'a> {
    rest: &'a str,
    open: Vec<Open>,
    verdict: Verdict,
}

/// An object or array that is not closed yet.
struct Open {
    is_object: bool,
    /// How deep what counts may still lie in it; nothing when what is in it does not count.
    depth: Option<usize>,
    key: Key,
}

enum Key {
    Missing,
    Read(String),
    /// With its colon.
    Ready(String),
}

impl Open {
    const fn object(depth: Option<usize>) -> Self {
        Self {
            is_object: true,
            depth,
            key: Key::Missing,
        }
    }

    const fn array() -> Self {
        Self {
            is_object: false,
            depth: None,
            key: Key::Missing,
        }
    }
}

impl<'a> Scan<'a> {
    /// Goes past one thing inside something open; whether it could stand there.
    fn step(&mut self, next: char, rest: &'a str) -> bool {
        let Some(mut open) = self.open.pop() else {
            return false;
        };
        let key = std::mem::replace(&mut open.key, Key::Missing);
        let is_object = open.is_object;
        match (next, key) {
            ('}', _) if is_object => {
                self.rest = rest;
                return true;
            }
            (']', _) if !is_object => {
                self.rest = rest;
                return true;
            }
            (',', _) => self.rest = rest,
            ('"' | '\'', key) => {
                let text = self.string(next, rest);
                match key {
                    Key::Missing if is_object => open.key = Key::Read(text),
                    Key::Missing => {}
                    Key::Read(_) => return false,
                    Key::Ready(key) => self.member(&key, &text, open.depth),
                }
            }
            (':', Key::Read(key)) => {
                self.rest = rest;
                open.key = Key::Ready(key);
            }
            ('{' | '[', key @ (Key::Missing | Key::Ready(_)))
                if !is_object || matches!(key, Key::Ready(_)) =>
            {
                if let (Key::Ready(key), Some(_)) = (&key, open.depth) {
                    self.verdict.other(key, "{");
                }
                let depth = match &key {
                    Key::Ready(key) if Verdict::goes_on_in(key) => open.depth,
                    Key::Missing | Key::Read(_) | Key::Ready(_) => None,
                };
                self.rest = rest;
                self.open.push(open);
                self.open.push(if next == '{' {
                    Open::object(depth.and_then(|depth| depth.checked_sub(1)))
                } else {
                    Open::array()
                });
                return true;
            }
            (_, Key::Missing) if !is_object => {
                self.word();
            }
            (_, Key::Ready(key)) => {
                let word = self.word();
                if open.depth.is_some() {
                    self.verdict.other(&key, word);
                }
            }
            _ => return false,
        }
        self.open.push(open);
        true
    }

    fn member(&mut self, key: &str, text: &str, depth: Option<usize>) {
        if let Some(depth) = depth {
            self.verdict.member(key, text, depth);
        }
    }

    /// A number or a word without quotes.
    fn word(&mut self) -> &'a str {
        let ends = |c: char| ",}]{[\"'\n".contains(c);
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let end = self.rest.get(first..).and_then(|rest| rest.find(ends));
        let end = end.map_or(self.rest.len(), |end| first + end);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// The text up to the next quote of that kind, or to the end.
    fn string(&mut self, quote: char, rest: &'a str) -> String {
        let mut text = String::new();
        let mut chars = rest.chars();
        while let Some(c) = chars.next() {
            match c {
                _ if c == quote => break,
                '\\' => text.extend(escaped(&mut chars)),
                '\0' => {}
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        text
    }
}

/// The character that stands behind a backslash.
fn escaped(chars: &mut Chars<'_>) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'u' => {
            let rest = chars.as_str();
            let code = rest.get(..4).map(|digits| u32::from_str_radix(digits, 16));
            if let Some(Ok(code)) = code {
                *chars = rest.get(4..).unwrap_or_default().chars();
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            } else {
                'u'
            }
        }
        itself => itself,
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{DEPTH, REFUSES},
        *,
    };

    #[test]
    fn a_text_is_gone_through_once() {
        for part in [
            "{",
            "{\"a\":",
            "{\"a\":[",
            "{\"decision\":{",
            "{\"a\":\"{",
            "\\",
            "'\"{",
        ] {
            assert!(find(&part.repeat(100_000), REFUSES, DEPTH).is_none());
        }
    }

    #[test]
    fn what_is_said_by_the_end_counts() {
        let text = r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r","x":"#;
        for end in 60..text.len() {
            let text = text.get(..end).expect("ASCII");
            assert!(find(text, REFUSES, DEPTH).is_some(), "{text}");
        }
    }
}
