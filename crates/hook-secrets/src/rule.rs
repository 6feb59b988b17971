//! One rule of the table: what a secret of a kind begins with or stands beside, and how it goes on.

use std::{ops::Range, sync::OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use crate::{
    is_digest, looks_random,
    structure::Structure,
    value::{entropy, is_wordy},
};

/// How much of a text is looked at before and after a keyword, where a pattern decides.
const BEFORE: usize = 64;
const AFTER: usize = 640;

#[derive(Debug)]
pub(crate) enum Rule {
    Prefix(Prefix),
    Exact(Exact),
    Context(Context),
    Pattern(Pattern),
    Structure(Structure),
}

impl Rule {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Prefix(rule) => rule.kind,
            Self::Exact(rule) => rule.kind,
            Self::Context(rule) => rule.kind,
            Self::Pattern(rule) => rule.kind,
            Self::Structure(rule) => rule.kind(),
        }
    }

    /// What is looked for, in any case.
    pub(crate) fn keyword(&self) -> &'static str {
        match self {
            Self::Prefix(rule) => rule.mark,
            Self::Exact(rule) => rule.mark,
            Self::Context(rule) => rule.word,
            Self::Pattern(rule) => rule.keyword,
            Self::Structure(rule) => rule.keyword(),
        }
    }

    /// The secret of the keyword that stands at `at`.
    pub(crate) fn find(&self, text: &str, at: usize) -> Option<Range<usize>> {
        match self {
            Self::Prefix(rule) => rule.find(text, at),
            Self::Exact(rule) => rule.find(text, at),
            Self::Context(rule) => rule.find(text, at),
            Self::Pattern(rule) => rule.find(text, at),
            Self::Structure(rule) => rule.find(text, at),
        }
    }

    #[cfg(test)]
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Context(rule) => rule.regex().is_some(),
            Self::Pattern(rule) => rule.regex().is_some(),
            Self::Prefix(rule) => rule.at_least > 0 && !rule.mark.is_empty(),
            Self::Exact(rule) => rule.count > 0,
            Self::Structure(_) => true,
        }
    }
}

/// A token that begins with a mark.
#[derive(Debug)]
pub(crate) struct Prefix {
    kind: &'static str,
    mark: &'static str,
    at_least: usize,
    /// What may stand in it beside letters, digits, `_` and `-`.
    extra: &'static str,
}

impl Prefix {
    /// How much of what follows a mark is judged.
    const JUDGED: usize = 64;

    pub(crate) fn new(
        kind: &'static str,
        mark: &'static str,
        at_least: usize,
        extra: &'static str,
    ) -> Self {
        Self {
            kind,
            mark,
            at_least,
            extra,
        }
    }

    fn find(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?.strip_prefix(self.mark)?;
        let is_bare = !self.mark.contains(|c: char| !c.is_ascii_alphanumeric());
        if is_inside_word(text, at, is_bare) {
            return None;
        }
        // Not more than that is looked at before it is sure, so that no text is gone through again and again.
        let most = self.at_least.max(Self::JUDGED);
        let judged = self.run(rest.as_bytes().get(..most).unwrap_or(rest.as_bytes()));
        let judged = rest.get(..judged)?.trim_end_matches(['.', ':', '!', '=']);
        let is_long = judged.len() >= self.at_least;
        let is_token = !is_wordy(judged) && (!self.is_weak() || has_digit(judged));
        let whole = text.get(at..at + self.mark.len() + judged.len())?;
        (is_long && is_token && !is_digest(whole)).then_some(())?;
        let length = self.run(rest.as_bytes());
        let token = rest.get(..length)?.trim_end_matches(['.', ':', '!']);
        Some(at..at + self.mark.len() + token.len())
    }

    fn run(&self, rest: &[u8]) -> usize {
        let is_part = |byte: &u8| is_token(*byte) || self.extra.as_bytes().contains(byte);
        rest.iter().take_while(|byte| is_part(byte)).count()
    }

    /// Whether the mark may begin a name of a program as well.
    fn is_weak(&self) -> bool {
        self.mark.len() < 5 || !self.mark.contains(['_', '-', '/'])
    }
}

/// A token of a known length in few characters.
#[derive(Debug)]
pub(crate) struct Exact {
    kind: &'static str,
    mark: &'static str,
    count: usize,
    is_part: fn(u8) -> bool,
}

impl Exact {
    pub(crate) fn capitals(kind: &'static str, mark: &'static str, count: usize) -> Self {
        let is_part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        Self {
            kind,
            mark,
            count,
            is_part,
        }
    }

    pub(crate) fn hex(kind: &'static str, mark: &'static str, count: usize) -> Self {
        let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        Self {
            kind,
            mark,
            count,
            is_part,
        }
    }

    fn find(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?.strip_prefix(self.mark)?.as_bytes();
        let run = rest.iter().take(self.count + 1);
        let length = run.take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let token = rest.get(..self.count)?;
        let is_it = length == self.count
            && token.iter().all(|byte| (self.is_part)(*byte))
            && !is_inside_word(text, at, false);
        is_it.then(|| at..at + self.mark.len() + self.count)
    }
}

/// A value beside the name of a maker: `datadog_key = "…"`.
#[derive(Debug)]
pub(crate) struct Context {
    kind: &'static str,
    word: &'static str,
    value: &'static str,
    entropy: f64,
    regex: OnceLock<Option<Regex>>,
}

impl Context {
    pub(crate) fn new(
        kind: &'static str,
        word: &'static str,
        value: &'static str,
        entropy: f64,
    ) -> Self {
        Self {
            kind,
            word,
            value,
            entropy,
            regex: OnceLock::new(),
        }
    }

    fn regex(&self) -> Option<&Regex> {
        let pattern = || {
            let (sign, value) = (r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)", self.value);
            let pattern = format!(
                r#"(?i)\A[ \t\w.-]{{0,20}}[\s'"\\]{{0,6}}{sign}[`'"\s=\\]{{0,6}}({value})(?:[^\w=+/-]|\z)"#
            );
            compiled(&pattern)
        };
        self.regex.get_or_init(pattern).as_ref()
    }

    fn find(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let from = at + self.word.len();
        let window = window(text, from, from);
        let value = self.regex()?.captures(window)?.get(1)?.range();
        let range = from + value.start..from + value.end;
        let value = text.get(range.clone())?;
        let is_one = looks_random(value) && !is_digest(value) && entropy(value) >= self.entropy;
        is_one.then_some(range)
    }
}

/// A secret around a keyword, as a pattern has it.
#[derive(Debug)]
pub(crate) struct Pattern {
    kind: &'static str,
    keyword: &'static str,
    source: &'static str,
    entropy: f64,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A group that is shorter is no secret, but a part of the pattern.
    const SHORTEST: usize = 16;

    pub(crate) fn new(
        kind: &'static str,
        keyword: &'static str,
        source: &'static str,
        entropy: f64,
    ) -> Self {
        Self {
            kind,
            keyword,
            source,
            entropy,
            regex: OnceLock::new(),
        }
    }

    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compiled(self.source)).as_ref()
    }

    fn find(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let from = at.saturating_sub(BEFORE);
        let window = window(text, from, at);
        let at = at - from;
        let mut all = self.regex()?.captures_iter(window);
        let found = all.find(|found| {
            let whole = found.get(0).map(|whole| whole.range());
            whole.is_some_and(|whole| whole.end > at)
        })?;
        let group = found.get(1).filter(|group| group.len() >= Self::SHORTEST);
        let secret = group.or_else(|| found.get(0))?.range();
        let range = from + secret.start..from + secret.end;
        (entropy(text.get(range.clone())?) >= self.entropy).then_some(range)
    }
}

/// Without Unicode: every secret is ASCII, and the automata stay small.
fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}

/// What is looked at, from `from` on and for a while after `at`.
fn window(text: &str, from: usize, at: usize) -> &[u8] {
    let to = text.len().min(at + AFTER);
    text.as_bytes().get(from..to).unwrap_or_default()
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether what stands at `at` goes on with a word: `task-list` holds `sk-`, and no key. A mark of letters alone also
/// stands by chance in what is encoded in base64.
pub(crate) fn is_inside_word(text: &str, at: usize, is_bare: bool) -> bool {
    let Some(before) = text.get(..at) else {
        return true;
    };
    let goes_on = before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        || (is_bare
            && (before.ends_with(['+', '/'])
                || ["sha256-", "sha384-", "sha512-"]
                    .iter()
                    .any(|name| before.ends_with(name))));
    goes_on && !ends_with_escape(before)
}

/// Whether a text ends with `\n`, `\t`, `\r` or `%3D`, which stand for a sign between words.
pub(crate) fn ends_with_escape(before: &str) -> bool {
    let bytes = before.as_bytes();
    let end = bytes
        .get(bytes.len().saturating_sub(3)..)
        .unwrap_or_default();
    match end {
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [b'%', a, b] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
        _ => false,
    }
}
