//! Texts with `*` in them.

/// How many characters may still be compared for one call. When none are left, everything counts as a match.
#[derive(Debug)]
pub(super) struct Steps(usize);

impl Default for Steps {
    fn default() -> Self {
        Self(1_000_000)
    }
}

/// A text in which `*` stands for any text, in a file name also `?` and `[…]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Char(char),
    AnyText,
    AnyChar,
    OneOf {
        not: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::AnyText => false,
            Self::AnyChar => true,
            Self::OneOf { not, ranges } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *not
            }
        }
    }
}

impl Glob {
    /// Only `*` has a meaning, and `\` before `*`, `(`, `)` and itself takes it away.
    pub(super) fn text(pattern: &str) -> Self {
        let mut parts = Vec::new();
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = chars.peek().copied().filter(|next| r"*()\".contains(*next));
            match (c, escaped) {
                ('\\', Some(next)) => {
                    chars.next();
                    parts.push(Part::Char(next));
                }
                ('*', _) => parts.push(Part::AnyText),
                _ => parts.push(Part::Char(c)),
            }
        }
        Self(parts)
    }

    /// The name of a file or folder, as in `.gitignore`.
    pub(super) fn name(pattern: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = pattern;
        let mut chars = rest.chars();
        while let Some(c) = chars.next() {
            let after = chars.as_str();
            rest = after;
            let part = match c {
                '*' => Part::AnyText,
                '?' => Part::AnyChar,
                '\\' => {
                    let next = after.chars().next();
                    rest = after.strip_prefix(|_: char| true).unwrap_or(after);
                    Part::Char(next.unwrap_or('\\'))
                }
                '[' => match class(after) {
                    Some((part, end)) => {
                        rest = end;
                        part
                    }
                    None => Part::Char('['),
                },
                _ => Part::Char(c),
            };
            parts.push(part);
            chars = rest.chars();
        }
        Self(parts)
    }

    /// Whether it is the text, from its beginning to its end.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.matches_within(text, &mut Steps::default())
    }

    /// The same in as many steps as are left.
    pub(super) fn matches_within(&self, text: &str, steps: &mut Steps) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut at, mut part) = (0, 0);
        // Where to go on when what follows the last `*` does not fit: a later place for what follows it.
        let mut again: Option<(usize, usize)> = None;
        while let Some(left) = steps.0.checked_sub(1) {
            steps.0 = left;
            match (self.0.get(part), text.get(at)) {
                (Some(Part::AnyText), _) => {
                    part += 1;
                    again = Some((part, at));
                }
                (Some(own), Some(c)) if own.takes(*c) => {
                    (at, part) = (at + 1, part + 1);
                }
                (None, None) => return true,
                _ => match again {
                    Some((after, from)) if from < text.len() => {
                        again = Some((after, from + 1));
                        (at, part) = (from + 1, after);
                    }
                    _ => return false,
                },
            }
        }
        true
    }
}

/// A class of characters behind its `[`, and what follows it; nothing when it is not closed.
fn class(text: &str) -> Option<(Part, &str)> {
    let inner = text.strip_prefix(['!', '^']);
    let not = inner.is_some();
    let mut chars = inner.unwrap_or(text).chars();
    let mut ranges: Vec<(char, char)> = Vec::new();
    loop {
        let mut c = chars.next()?;
        if c == ']' && !ranges.is_empty() {
            return Some((Part::OneOf { not, ranges }, chars.as_str()));
        }
        if c == '\\' {
            c = chars.next()?;
        }
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                chars = ahead;
                ranges.push((c, to));
            }
            _ => ranges.push((c, c)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &Glob, yes: &[&str], no: &[&str]) {
        for text in yes {
            assert!(glob.matches(text), "{text}");
        }
        for text in no {
            assert!(!glob.matches(text), "{text}");
        }
    }

    #[test]
    fn a_star_stands_for_any_text() {
        check(
            &Glob::text("a*c"),
            &["ac", "abc", "abcbc", "a\nc"],
            &["", "a", "abcd"],
        );
        check(&Glob::text("*"), &["", "x"], &[]);
        check(&Glob::text("*ab*ab"), &["abab", "xabyabab"], &["ab", "aab"]);
        check(&Glob::text(r"a\*b\c"), &[r"a*b\c"], &[r"axb\c"]);
    }

    #[test]
    fn the_name_of_a_file_may_hold_a_class() {
        check(
            &Glob::name("[a-c]?.t[!x]"),
            &["a1.ts", "bb.t-"],
            &["d1.ts", "a.ts", "a1.tx"],
        );
        check(&Glob::name("[]x].[^]]"), &["].a", "x.b"], &["x.]"]);
        check(&Glob::name(r"\*[\]]["), &["*]["], &["a]["]);
    }

    #[test]
    fn a_hostile_pattern_counts_as_a_match() {
        let glob = Glob::text(&format!("*{}b*", "a".repeat(2000)));
        assert!(glob.matches(&"a".repeat(4000)));
    }
}
