//! Where the value that is to be masked begins and ends, once its name is found.

use hook_secrets::is_reference;

use super::{
    MASKED,
    text::{Found, Scan},
};

/// How the value of a header begins that goes on with a secret.
const SCHEMES: [&str; 6] = ["apikey", "basic", "bearer", "digest", "negotiate", "token"];

/// The value that begins after white space at `from`, as [`value_at`] has it, and all of what looks like one secret that
/// begins there: `token=Bearer …`, or the lines of a key.
pub(super) fn masked_value(scan: &Scan<'_>, from: usize, to_end_of_line: bool) -> Option<Found> {
    let text = scan.text;
    let mut found = value_at(text, from, to_end_of_line)?;
    if text.get(..found.start)?.ends_with(is_quote) {
        return Some(found);
    }
    let value = text.get(found.start..found.end)?;
    let after = text.get(found.end..)?;
    if SCHEMES.iter().any(|word| value.eq_ignore_ascii_case(word)) {
        let secret = after.strip_prefix(' ').unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '&' | ';' | ',');
        let length = secret.find(ends).unwrap_or(secret.len());
        found.end += if length > 0 { length + 1 } else { 0 };
    } else if matches!(value.trim_end(), "|" | "|-" | "|+" | ">" | ">-" | ">+") {
        let lead = text.get(..from)?;
        let line = lead.get(lead.rfind('\n').map_or(0, |end| end + 1)..)?;
        return block(text, found.end + 1, indentation(line));
    }
    found.end = scan.end_of_shape(found.start).max(found.end);
    Some(found)
}

/// The lines from `from` on that are indented deeper than the one before them.
pub(super) fn block(text: &str, from: usize, than: usize) -> Option<Found> {
    let lines = text.get(from..)?.split_inclusive('\n');
    let is_of_it = |line: &&str| line.trim().is_empty() || indentation(line) > than;
    let length = lines.take_while(is_of_it).map(str::len).sum::<usize>();
    let block = text.get(from..from + length)?;
    let start = from + block.len() - block.trim_start().len();
    let end = from + block.trim_end().len();
    (start < end).then(|| Found {
        start,
        end,
        mask: MASKED.to_owned(),
    })
}

pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The value that begins after white space at `from`: what is in quotes, otherwise up to white space or, after a
/// colon, up to the end of the line.
pub(super) fn value_at(text: &str, from: usize, to_end_of_line: bool) -> Option<Found> {
    let rest = text.get(from..)?;
    let unspaced = rest.trim_start_matches(' ');
    // `$'…'` of a shell is a text in quotes.
    let unspaced = match unspaced.strip_prefix('$') {
        Some(quoted) if quoted.starts_with(['"', '\'']) => quoted,
        _ => unspaced,
    };
    let mut start = from + rest.len() - unspaced.len();
    let unescaped = unspaced.trim_start_matches('\\');
    let quote = unescaped.chars().next().filter(|c| is_quote(*c));
    // `$TOKEN` is where a secret is, and not what it is; objects and lists are looked into. Found out before the end of
    // the value is looked for, so that no text is gone through again and again.
    let inside = unescaped.trim_start_matches(is_quote);
    if is_reference(inside) || inside.starts_with(['{', '[', '<']) {
        return None;
    }
    let end = if let Some(quote) = quote {
        let escapes = unspaced.len() - unescaped.len();
        let three = [quote; 3].iter().collect::<String>();
        if unescaped.starts_with(&three) {
            // A text of Python that may have lines.
            start += escapes + three.len();
            let value = text.get(start..)?;
            start + value.find(&three).unwrap_or(value.len())
        } else {
            start += escapes + 1;
            start + closing_quote(text.get(start..)?, quote, escapes)
        }
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

/// Where a text in quotes ends, which began with a quote after so many backslashes: at one that has no more of them.
fn closing_quote(value: &str, quote: char, escapes: usize) -> usize {
    for (end, _) in value.match_indices(quote) {
        let inside = value.get(..end).unwrap_or_default();
        let text = inside.trim_end_matches('\\').len();
        if end - text <= escapes {
            return text;
        }
    }
    value.len()
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}
