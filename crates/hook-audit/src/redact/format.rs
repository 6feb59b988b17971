//! What `printf` puts where its format names a secret: `printf 'TOKEN=%s' secret`.

use hook_secrets::is_reference;

use super::{MASKED, commands::line_before, text::Found, value::is_quote};

/// The words that a format for a text begins with.
const TEXTS: [&str; 3] = ["%s", "%b", "%q"];

/// The format of `printf`, at the place that names a secret.
pub(super) struct Form<'a> {
    text: &'a str,
    /// Where the value would stand.
    at: usize,
    /// What stands before that place in the format.
    before: &'a str,
    quote: Option<char>,
}

impl<'a> Form<'a> {
    /// The format, if the value that begins at `at` is one of `printf`.
    pub(super) fn at(text: &'a str, at: usize) -> Option<Self> {
        let value = text.get(at..)?.trim_start_matches(['"', '\'', '\\', ' ']);
        TEXTS
            .iter()
            .any(|form| value.starts_with(form))
            .then_some(())?;
        let line = line_before(text, at);
        let (_, before) = line.rsplit_once("printf ")?;
        let before = before.trim_start();
        let before = before.strip_prefix("-- ").unwrap_or(before);
        let quote = before.chars().next().filter(|c| is_quote(*c));
        Some(Self {
            text,
            at,
            before,
            quote,
        })
    }

    /// The arguments from that of this place on, up to the end of the command; nothing where each is a reference.
    pub(super) fn arguments(&self) -> Option<Found> {
        let rest = self.text.get(self.at..)?;
        let ends = |c: char| self.quote.map_or(c.is_whitespace(), |quote| c == quote);
        let end = self.at + rest.find(ends)? + usize::from(self.quote.is_some());
        let skipped = self.before.replace("%%", "").matches('%').count();
        let words = words(self.text, end);
        let words = words.get(skipped..).unwrap_or_default();
        let is_secret = |word: &&std::ops::Range<usize>| {
            let word = self.text.get(word.start..word.end).unwrap_or_default();
            !is_reference(word.trim_start_matches(is_quote))
        };
        words.iter().find(is_secret)?;
        let (first, last) = (words.first()?, words.last()?);
        Some(Found {
            start: first.start,
            end: last.end,
            mask: MASKED.to_owned(),
        })
    }
}

/// Where the words of a command stand from `from` on, each with its quotes.
fn words(text: &str, from: usize) -> Vec<std::ops::Range<usize>> {
    /// No command of people is longer.
    const LONGEST: usize = 4096;
    let mut words = Vec::new();
    let mut start = None;
    let mut quote = None;
    let mut is_escaped = false;
    let rest = text.get(from..).unwrap_or_default();
    let mut end = text.len();
    for (at, c) in rest.char_indices().map(|(at, c)| (from + at, c)) {
        let ends = quote.is_none()
            && !is_escaped
            && matches!(c, '\n' | ';' | '|' | '&' | '>' | '<' | ')' | '`');
        if ends || at > from + LONGEST {
            end = at;
            break;
        }
        let is_space = quote.is_none() && c.is_whitespace() && !is_escaped;
        match (is_space, start) {
            (true, Some(begin)) => {
                words.push(begin..at);
                start = None;
            }
            (false, None) => start = Some(at),
            (true, None) | (false, Some(_)) => {}
        }
        match quote {
            _ if is_escaped => {}
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(_) | None => {}
        }
        is_escaped = c == '\\' && !is_escaped && quote != Some('\'');
    }
    words.extend(start.map(|begin| begin..end));
    // `2>`, which is where the errors go.
    let is_redirect = text.get(end..).is_some_and(|rest| rest.starts_with('>'));
    words.pop_if(|word| is_redirect && word.end == end && word.len() == 1);
    words
}
