//! Values that a name stands before, in the ways in which languages and tools write it.

use hook_secrets::{Said, is_digest, is_reference};

use super::{
    MASKED,
    commands::{Seen, line_before},
    format::Form,
    labelled::{data_of_secret, is_labelled},
    option::slashed,
    text::{Found, Scan},
    value::{is_quote, masked_value, value_at},
};

/// The value of `name=value` or `name: value`, where the sign between them is at `at`. Wide signs of East Asian keyboards
/// and encoded ones of addresses are signs as well.
pub(super) fn assigned(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let (redaction, text) = (scan.redaction, scan.text);
    let (sign, length) = sign_at(text.get(at..)?)?;
    let before = text.get(..at)?.trim_end_matches(' ');
    // `environment["NAME"] = …`
    let indexed = before
        .strip_suffix(']')
        .filter(|inside| inside.ends_with(is_quote));
    let before = indexed
        .unwrap_or(before)
        .trim_end_matches(['"', '\'', '\\', ' ']);
    let (rest, name) = split_name(before);
    if name.is_empty() {
        return None;
    }
    // `Uid=app;Pwd=…`, where a name of one word is no other thing of that name.
    let said = redaction.names.judge(name);
    let is_hidden = said == Said::Secret || rest.ends_with(';') && redaction.hides_member(name);
    let mut value = at + length;
    let after = text.get(value..)?;
    if !is_hidden {
        if is_taken(scan, rest, name, sign, at) {
            return masked_value(scan, value, false);
        }
        if is_labelled(scan, rest, name, at) {
            return masked_value(scan, value, sign == ':');
        }
        if sign == ':' && matches!(name, "data" | "stringData") {
            return data_of_secret(text, rest, value);
        }
        (said == Said::Perhaps).then_some(())?;
        let found = value_at(text, value, false)?;
        let is_one = super::is_random(text.get(found.start..found.end)?);
        // `public key: …`
        let (_, word) = split_name(rest.trim_end_matches(' '));
        let is_other = || !redaction.may_hide(&format!("{word} {name}"));
        return (is_one && !is_other()).then_some(found);
    }
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
    if let Some(form) = Form::at(text, value) {
        return form.arguments();
    }
    let found = masked_value(scan, value, sign == ':')?;
    let said = text.get(found.start..found.end)?;
    let is_bare = !text.get(..found.start)?.ends_with(is_quote);
    let is_other = is_bare && is_source(name, said) || is_no_value(rest, name, said);
    (!is_other).then_some(found)
}

/// Whether a value without quotes is the source text of a program that fetches it: `getpass.getpass()`,
/// `os.environ["X"]`, or the variable of the same name.
fn is_source(name: &str, value: &str) -> bool {
    let is_path = |path: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b':');
        !path.is_empty() && path.bytes().all(is_part)
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_itself = last.len() < name.len() && last == value;
    is_itself || value.strip_suffix(['(', '[']).is_some_and(is_path)
}

/// Whether what is written as a value is none: what a parser did not expect, a name in an ARN, the number of a session.
fn is_no_value(rest: &str, name: &str, value: &str) -> bool {
    let words = rest.trim_end_matches([' ', '\'', '"']);
    let is_complaint = name == "token" && words.ends_with("nexpected");
    let is_sign = is_complaint && !value.contains(char::is_alphanumeric);
    let word = rest.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_arn = name == "secret" && word.ends_with(':') && word.contains("arn:aws");
    let is_alone = rest.is_empty() || rest.ends_with(['\n', ' ']) && !rest.ends_with("; ");
    let is_session = matches!(name, "session_id" | "session-id" | "sessionId")
        && is_alone
        && value.len() == 36
        && is_digest(value)
        && !rest.ends_with("ookie: ");
    is_sign || is_arn || is_session
}

/// Whether the command that `name` stands in takes what it assigns: `vault kv put path name=…`, `xfreerdp /p:…`.
fn is_taken(scan: &Scan<'_>, rest: &str, name: &str, sign: char, at: usize) -> bool {
    /// Most lines have none of these words, and are passed over at once.
    const WORDS: [&str; 4] = [" put ", " patch ", " write ", " secrets "];
    let may_set = sign == '=' && rest.ends_with([' ', '\'', '"']) && !name.starts_with('-');
    let may_attach = sign == ':' && rest.ends_with(" /");
    if !(may_set || may_attach) || !scan.redaction.hides_logins() {
        return false;
    }
    let line = line_before(scan.text, at);
    if may_set && !WORDS.iter().any(|word| line.contains(word)) {
        return false;
    }
    let seen = Seen::before(scan.text, at);
    if may_set {
        return seen.takes_set();
    }
    seen.taken_by(&format!("/{name}:"), true).is_some()
}

/// The sign that a text begins with, and how many bytes it takes.
fn sign_at(text: &str) -> Option<(char, usize)> {
    const SIGNS: [(&str, char); 8] = [
        ("=", '='),
        (":", ':'),
        ("\u{FF1D}", '='),
        ("\u{FE66}", '='),
        ("\u{FF1A}", ':'),
        ("\u{FE55}", ':'),
        ("%3D", '='),
        ("%3d", '='),
    ];
    let found = SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign));
    found.map(|(sign, plain)| (plain, sign.len()))
}

/// The value of `name value` where a space between them is at `at`, and the value looks random: lines of a `.netrc`, and
/// `set NAME value`.
pub(super) fn spaced(scan: &Scan<'_>, at: usize) -> Option<Found> {
    const SHORTEST: usize = 8;
    const LONGEST: usize = 512;
    let (redaction, text) = (scan.redaction, scan.text);
    let rest = text.as_bytes().get(at + 1..)?;
    let in_netrc = text.as_bytes().get(..at)?.ends_with(b"password");
    // Most words are no value, and are passed over at once.
    let first = rest.get(..SHORTEST).unwrap_or_default();
    let is_path = matches!(first, [b'/' | b'.' | b'-' | b'~', ..]);
    let is_long = !first.is_empty() && !is_path && !first.iter().any(u8::is_ascii_whitespace);
    let may_be = is_long && {
        let word = rest.iter().take(LONGEST);
        let mut word = word.take_while(|byte| !byte.is_ascii_whitespace());
        word.any(u8::is_ascii_digit)
    };
    (in_netrc || may_be).then_some(())?;
    let (before, name) = split_name(text.get(..at)?);
    let found = value_at(text, at + 1, false)?;
    let value = text.get(found.start..found.end)?;
    if in_netrc {
        let mut words = before.split_whitespace().rev();
        let is_login = words
            .nth(1)
            .is_some_and(|word| matches!(word, "login" | "user"));
        if is_login {
            return Some(found);
        }
    }
    if value.contains('/')
        && redaction.hides_logins()
        && Seen::before(text, at).takes_slashed()
        && let Some(password) = slashed(value)
    {
        let (start, end) = (found.start + password.start, found.start + password.end);
        return Some(Found {
            start,
            end,
            ..found
        });
    }
    super::is_random(value).then_some(())?;
    // `the password is …`
    let linked =
        matches!(name, "is" | "to" | "=").then(|| split_name(before.trim_end_matches(' ')).1);
    let is_named = redaction.hides(linked.unwrap_or(name));
    let is_taken = || redaction.hides_logins() && Seen::before(text, at).takes_any();
    (is_named || is_taken()).then_some(found)
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
pub(super) fn enclosed(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let (redaction, text) = (scan.redaction, scan.text);
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
pub(super) fn paired(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let (redaction, text) = (scan.redaction, scan.text);
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

/// The words after which a value in quotes is one.
const STATED: [&str; 3] = ["passphrase", "passwd", "password"];

/// The value of `PASSWORD 'value'` and `IDENTIFIED BY 'value'`, where the quote is at `at`.
pub(super) fn stated(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let (redaction, text) = (scan.redaction, scan.text);
    let before = text.get(..at)?.strip_suffix([' ', '('])?;
    let (_, name) = split_name(before);
    let is_stated = STATED.iter().any(|word| name.eq_ignore_ascii_case(word))
        && redaction.hides(name)
        || name.eq_ignore_ascii_case("by")
            && line_before(text, at - 1)
                .to_ascii_lowercase()
                .contains("identified ");
    is_stated.then(|| masked_value(scan, at, false)).flatten()
}
