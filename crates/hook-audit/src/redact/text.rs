//! Masking within running text.

use std::borrow::Cow;

use super::{MASKED, Redaction, shapes::Found};

/// The text with what looks like a secret masked, and how often.
pub(super) fn mask<'a>(redaction: &Redaction, text: &'a str) -> (Cow<'a, str>, u64) {
    let is_start = starts(redaction);
    let mut masked = String::new();
    let mut copied_to = 0;
    let mut count = 0;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let found = is_start
            .get(usize::from(*byte))
            .is_some_and(|is_start| *is_start)
            .then(|| find(redaction, text, at, *byte))
            .flatten()
            // What was masked already is not looked at again.
            .filter(|found| found.start >= copied_to && found.start < found.end);
        match found {
            Some(found) => {
                masked.push_str(text.get(copied_to..found.start).unwrap_or_default());
                masked.push_str(&found.mask);
                (copied_to, at) = (found.end, found.end);
                count += 1;
            }
            None => at += 1,
        }
    }
    if count == 0 {
        return (Cow::Borrowed(text), 0);
    }
    masked.push_str(text.get(copied_to..).unwrap_or_default());
    (Cow::Owned(masked), count)
}

/// The bytes at which something may be found.
fn starts(redaction: &Redaction) -> [bool; 256] {
    let mut is_start = [false; 256];
    let shapes = redaction.shapes().iter();
    let bytes = shapes.filter_map(super::Shape::first_byte);
    let names: &[u8] = if redaction.keys.is_empty() {
        &[]
    } else {
        b"=:-"
    };
    for byte in bytes.chain(names.iter().copied()) {
        if let Some(place) = is_start.get_mut(usize::from(byte)) {
            *place = true;
        }
    }
    is_start
}

fn find(redaction: &Redaction, text: &str, at: usize, byte: u8) -> Option<Found> {
    let shapes = redaction.shapes().iter();
    shapes
        .filter(|shape| shape.first_byte() == Some(byte))
        .find_map(|shape| shape.find(text, at))
        .or_else(|| assigned(redaction, text, at))
        .or_else(|| option(redaction, text, at))
}

/// The value of `name=value` or `name: value`, where the sign between them is at `at`.
fn assigned(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let sign = text
        .get(at..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '=' | ':'))?;
    let before = text.get(..at)?.trim_end_matches(['"', '\'', '\\', ' ']);
    let name_is_after = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let start = before.rfind(name_is_after).map_or(0, |last| {
        last + before
            .get(last..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    });
    let name = before.get(start..).filter(|name| redaction.hides(name))?;
    debug_assert!(!name.is_empty(), "no name is hidden without a word in it");
    let value = at + 1;
    // A comparison, and the `:=` and `::` of some languages, assign no secret.
    if text.get(value..)?.starts_with(['=', ':', '~', '>']) {
        return None;
    }
    masked_value(text, value, sign == ':')
}

/// The value of `--name value`, where the first dash is at `at`.
fn option(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let is_first = !text.get(..at)?.ends_with(|c: char| !c.is_whitespace());
    let rest = text.get(at..)?.strip_prefix("--").filter(|_| is_first)?;
    let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))?;
    let (name, after) = rest.split_at(length);
    let is_followed = after.starts_with(' ') && !after.trim_start().starts_with('-');
    (is_followed && redaction.hides(name)).then_some(())?;
    masked_value(text, at + 2 + length, false)
}

/// The value that begins after white space at `from`: what is in quotes, otherwise up to white space or, after a
/// colon, up to the end of the line.
fn masked_value(text: &str, from: usize, to_end_of_line: bool) -> Option<Found> {
    let rest = text.get(from..)?;
    let unspaced = rest.trim_start_matches(' ');
    let mut start = from + rest.len() - unspaced.len();
    let unescaped = unspaced.trim_start_matches('\\');
    let quote = unescaped.chars().next().filter(|c| matches!(c, '"' | '\''));
    // `$TOKEN` is where a secret is, and not what it is; objects and lists are looked into. Found out before the end of
    // the value is looked for, so that no text is gone through again and again.
    let inside = unescaped.trim_start_matches(['"', '\'']);
    if inside.starts_with(['$', '{', '[', '<']) {
        return None;
    }
    let end = if let Some(quote) = quote {
        start += unspaced.len() - unescaped.len() + 1;
        let value = text.get(start..)?;
        let end = value.find(quote).unwrap_or(value.len());
        start + value.get(..end)?.trim_end_matches('\\').len()
    } else {
        let ends = |c: char| {
            matches!(c, '\n' | '\r' | '"' | '\'' | '`')
                || (!to_end_of_line
                    && (c.is_whitespace() || matches!(c, '&' | ';' | ',' | '|' | ')' | '<' | '>')))
        };
        start + unspaced.find(ends).unwrap_or(unspaced.len())
    };
    let value = text.get(start..end)?;
    let value_is = |word: &str| value.trim() == word;
    let is_no_secret = ["", "null", "true", "false", "None"]
        .into_iter()
        .any(value_is);
    (!is_no_secret).then(|| Found {
        start,
        end,
        mask: MASKED.to_owned(),
    })
}
