//! Masking within running text.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::{
    MASKED, Redaction, mask_json,
    shapes::{Found, is_reference},
    value::{is_quote, masked_value, value_at},
};

/// The options after which `user:password` stands.
pub(super) const LOGIN_OPTIONS: [&str; 4] = ["-u", "-U", "--user", "--proxy-user"];

/// The text with what looks like a secret masked, and how often.
pub(super) fn mask<'a>(redaction: &Redaction, text: &'a str) -> (Cow<'a, str>, u64) {
    if is_json(text) {
        return match mask_json(redaction, text) {
            Some((masked, count)) => (Cow::Owned(masked), count),
            None => (Cow::Borrowed(text), 0),
        };
    }
    let is_start = starts(redaction);
    let mut masked = String::new();
    let mut copied_to = 0;
    let mut count = 0;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let may_be_json = matches!(byte, b'{' | b'[');
        if let Some((line, by)) = may_be_json
            .then(|| json_line(redaction, text, at))
            .flatten()
        {
            if let Some((by, secrets)) = by {
                masked.push_str(text.get(copied_to..at).unwrap_or_default());
                masked.push_str(&by);
                copied_to = at + line.len();
                count += secrets;
            }
            at += line.len();
            continue;
        }
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

/// The line that begins at `at`, if it is JSON as lines of a log are, and the same with its secrets masked.
fn json_line<'a>(
    redaction: &Redaction,
    text: &'a str,
    at: usize,
) -> Option<(&'a str, Option<(String, u64)>)> {
    let line = text.get(at..)?;
    let is_begin = at == 0 || text.get(..at)?.ends_with('\n');
    // Its end is looked for where a line begins, and nowhere else.
    let line = is_begin.then(|| line.lines().next())??;
    is_json(line).then(|| (line, mask_json(redaction, line)))
}

/// Whether a text is JSON, and more than one word.
fn is_json(text: &str) -> bool {
    text.trim_ascii_start().starts_with(['{', '['])
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The bytes at which something may be found.
fn starts(redaction: &Redaction) -> [bool; 256] {
    let mut is_start = [false; 256];
    let shapes = redaction.shapes().iter();
    let bytes = shapes.filter_map(super::Shape::first_byte);
    let names: &[u8] = if redaction.keys.is_empty() {
        &[]
    } else {
        b"=:->'\","
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
        .or_else(|| match byte {
            b'=' | b':' => assigned(redaction, text, at),
            b'-' => option(redaction, text, at),
            b'>' => enclosed(redaction, text, at),
            b',' => paired(redaction, text, at),
            b'\'' | b'"' => stated(redaction, text, at),
            _ => None,
        })
}

/// The value of `name=value` or `name: value`, where the sign between them is at `at`.
fn assigned(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let sign = text
        .get(at..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '=' | ':'))?;
    let before = text.get(..at)?.trim_end_matches(['"', '\'', '\\', ' ']);
    let (rest, name) = split_name(before);
    // `Uid=app;Pwd=…`, where a name of one word is no other thing of that name.
    let is_hidden = redaction.hides(name) || rest.ends_with(';') && redaction.hides_member(name);
    is_hidden.then_some(())?;
    let mut value = at + 1;
    let after = text.get(value..)?;
    // A comparison, and the `=>` and `:=` of some languages, are followed by a secret only where that stands in quotes.
    let operator = after.trim_start_matches(['=', '~', '>']);
    if operator.len() < after.len() {
        value += after.len() - operator.len();
        let is_quoted = operator
            .trim_start_matches([' ', '\\'])
            .starts_with(is_quote);
        is_quoted.then_some(())?;
    }
    if after.starts_with(':') {
        return None;
    }
    masked_value(redaction, text, value, sign == ':')
}

/// A text, and the name that it ends with.
fn split_name(before: &str) -> (&str, &str) {
    let name_is_after = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let start = before.rfind(name_is_after).map_or(0, |last| {
        last + before
            .get(last..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    });
    before.split_at_checked(start).unwrap_or((before, ""))
}

/// The value of `<name>value</name>`, where the bracket before it is at `at`.
fn enclosed(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let (rest, name) = split_name(text.get(..at)?);
    (rest.ends_with('<') && redaction.hides_member(name)).then_some(())?;
    let value = text.get(at + 1..)?;
    let (value, end) = value.split_once('<')?;
    let is_closed = end
        .strip_prefix('/')
        .is_some_and(|end| end.starts_with(name));
    let start = at + 1;
    (is_closed && !value.trim().is_empty() && !is_reference(value)).then(|| Found {
        start,
        end: start + value.len(),
        mask: MASKED.to_owned(),
    })
}

/// The value of `("name", "value")`, where the comma is at `at`.
fn paired(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let before = text.get(..at)?;
    let quote = before.chars().next_back().filter(|c| is_quote(*c))?;
    let (rest, name) = split_name(before.strip_suffix(quote)?);
    (rest.strip_suffix(quote)?.ends_with('(') && redaction.hides_member(name)).then_some(())?;
    let after = text.get(at + 1..)?.trim_start_matches(' ');
    after.starts_with(is_quote).then_some(())?;
    let found = value_at(text, at + 1, false)?;
    let end = text.get(found.end..)?;
    let is_last = end.strip_prefix(is_quote)?.starts_with(')');
    is_last.then_some(found)
}

/// The value of `PASSWORD 'value'` and `IDENTIFIED BY 'value'`, where the quote is at `at`.
fn stated(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    const STATED: [&str; 3] = ["passphrase", "passwd", "password"];
    let before = text.get(..at)?.strip_suffix(' ')?;
    let (rest, name) = split_name(before);
    let is_stated = STATED.iter().any(|word| name.eq_ignore_ascii_case(word))
        && redaction.hides(name)
        || name.eq_ignore_ascii_case("by")
            && split_name(rest.trim_end_matches(' '))
                .1
                .eq_ignore_ascii_case("identified");
    is_stated
        .then(|| masked_value(redaction, text, at, false))
        .flatten()
}

/// Where the password of `user:password` begins. Numbers are those of a user and a group.
pub(super) fn password_of(login: &str) -> Option<usize> {
    let (user, password) = login.split_once(':')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let are_ids = is_number(user) && is_number(password);
    let is_none = password.is_empty() || is_reference(password) || user.contains('/') || are_ids;
    (!is_none).then_some(user.len() + 1)
}

/// The value of `--name value`, where the first dash is at `at`.
fn option(redaction: &Redaction, text: &str, at: usize) -> Option<Found> {
    let is_first = !text.get(..at)?.ends_with(|c: char| !c.is_whitespace());
    let option = text.get(at..).filter(|_| is_first)?;
    let length = option.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))?;
    let (option, after) = option.split_at(length);
    // `-uname:password` of curl.
    if redaction.hides_logins()
        && option.len() > 2
        && option.starts_with("-u")
        && after.starts_with(':')
    {
        let found = value_at(text, at + 2, false)?;
        let start = found.start + password_of(text.get(found.start..found.end)?)?;
        return Some(Found { start, ..found });
    }
    let is_followed = after.starts_with(' ') && !after.trim_start().starts_with('-');
    if redaction.hides_logins() && LOGIN_OPTIONS.contains(&option) && after.starts_with([' ', '='])
    {
        let found = value_at(text, at + length + 1, false)?;
        let value = text.get(found.start..found.end)?;
        let start = found.start + password_of(value)?;
        return Some(Found { start, ..found });
    }
    (is_followed && redaction.hides_member(option.trim_start_matches('-'))).then_some(())?;
    masked_value(redaction, text, at + length, false)
}
