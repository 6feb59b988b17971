//! Secrets that are known by how they are built.

use std::ops::Range;

use crate::{
    is_reference,
    rule::{ends_with_escape, is_inside_word},
    value::is_wordy,
};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Structure {
    /// A private key in PEM or of PGP, from its first line to its last, or to the end of a text that was cut off.
    PrivateKey,
    /// The lines before the last one of such a key, where a text begins within it.
    PrivateKeyEnd,
    /// Three parts in base64url, the first of which is a JSON object.
    Jwt,
    /// What follows `Bearer `.
    Bearer,
    /// What follows `Basic `.
    Basic,
    /// The password of an address, or a token in the place of its user.
    UrlPassword,
}

impl Structure {
    pub(crate) const ALL: [Self; 6] = [
        Self::PrivateKey,
        Self::PrivateKeyEnd,
        Self::Jwt,
        Self::Bearer,
        Self::Basic,
        Self::UrlPassword,
    ];

    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::PrivateKey | Self::PrivateKeyEnd => "private-key",
            Self::Jwt => "jwt",
            Self::Bearer => "bearer",
            Self::Basic => "basic",
            Self::UrlPassword => "url-password",
        }
    }

    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::PrivateKey => "-----BEGIN ",
            Self::PrivateKeyEnd => "-----END ",
            Self::Jwt => "eyJ",
            Self::Bearer => "Bearer ",
            Self::Basic => "Basic ",
            Self::UrlPassword => "://",
        }
    }

    pub(crate) fn find(self, text: &str, at: usize) -> Option<Range<usize>> {
        let after = at + self.keyword().len();
        let rest = text.get(after..)?;
        let is_first = || !is_inside_word(text, at, false);
        match self {
            Self::PrivateKey => Some(at..after + private_key(rest)?),
            Self::PrivateKeyEnd => {
                let end = after + end_of_label(rest)?;
                Some(start_of_key(text.get(..at)?)?..end)
            }
            Self::Jwt => jwt(text, at),
            Self::Bearer => word(rest, 8)
                .filter(|_| is_first())
                .map(|end| after..after + end),
            Self::Basic => word(rest, 12)
                // Words are prose about it.
                .filter(|end| is_first() && !rest.get(..*end).is_some_and(is_wordy))
                .map(|end| after..after + end),
            Self::UrlPassword => {
                let found = userinfo(rest)?;
                Some(after + found.start..after + found.end)
            }
        }
    }
}

const DASHES: &str = "-----";

/// The label of a private key that a text begins with.
fn label(rest: &str) -> Option<&str> {
    const LONGEST_LABEL: usize = 100;
    let head = rest.as_bytes().get(..LONGEST_LABEL.min(rest.len()))?;
    let opening = head
        .windows(DASHES.len())
        .position(|part| part == DASHES.as_bytes())?;
    let label = rest.get(..opening)?;
    // The second is PGP's.
    let is_private = label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK");
    is_private.then_some(label)
}

/// The end of the last line of a private key whose label begins here.
fn end_of_label(rest: &str) -> Option<usize> {
    Some(label(rest)?.len() + DASHES.len())
}

/// Where the lines of a key begin that a text ends with: each is a word in base64, after a number or a sign at most.
fn start_of_key(before: &str) -> Option<usize> {
    const LONGEST_LINE: usize = 200;
    const LONGEST_LEAD: usize = 12;
    const LEAST: usize = 16;
    let bytes = before.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let is_break = |pair: &[u8]| pair == b"\\n" || pair.ends_with(b"\n");
    let mut start = None;
    let mut end = bytes.len();
    let mut length = 0;
    loop {
        let line = bytes.get(..end)?;
        let gap = |byte: &u8| {
            matches!(
                byte,
                b'\r' | b'\n' | b' ' | b'\t' | b'"' | b'\'' | b',' | b'|'
            )
        };
        let mut text = line.len();
        // What stands between two lines, escaped or not.
        loop {
            let rest = line.get(..text)?;
            text -= match rest {
                [.., b'\\', b'n' | b'r'] => 2,
                [.., last] if gap(last) => 1,
                _ => break,
            };
        }
        let word = line
            .get(..text)?
            .iter()
            .rev()
            .take_while(|byte| is_part(byte))
            .count();
        let mut begin = text - word;
        // The `n` of an escaped break is none of its letters.
        if line.get(..begin)?.ends_with(b"\\") && matches!(line.get(begin), Some(b'n' | b'r')) {
            begin += 1;
        }
        if text <= begin {
            break;
        }
        // What stands before the word in its line.
        let from = begin.saturating_sub(LONGEST_LINE);
        let lead = line.get(from..begin)?;
        let broken = lead.windows(2).rposition(is_break).map_or(0, |at| at + 2);
        let lead = lead.get(broken..)?.trim_ascii();
        let is_lead = lead.len() <= LONGEST_LEAD && !lead.iter().any(u8::is_ascii_alphabetic);
        let is_first = from + broken == 0 && from == 0;
        let is_cut = length == 0 && text - begin >= LEAST;
        if !(is_lead || is_cut) {
            break;
        }
        length += text - begin;
        start = Some(begin);
        end = begin.min(from + broken);
        if is_first || !is_lead {
            break;
        }
    }
    start.filter(|_| length >= LEAST)
}

/// The end of a private key whose label begins here.
fn private_key(rest: &str) -> Option<usize> {
    let label = label(rest)?;
    let body = label.len() + DASHES.len();
    let closing = format!("{DASHES}END {label}{DASHES}");
    let end = rest
        .get(body..)?
        .find(&closing)
        .map(|from| body + from + closing.len());
    Some(end.unwrap_or(rest.len()))
}

/// A web token that begins at `at`.
fn jwt(text: &str, at: usize) -> Option<Range<usize>> {
    const LEAST: usize = 20;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let before = text.get(..at)?;
    // So that no run of characters is looked at from more than one of its places.
    (!before.ends_with(is_part) || ends_with_escape(before)).then_some(())?;
    let rest = text.get(at..)?.strip_prefix("eyJ")?;
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let points = rest.bytes().take(length).filter(|byte| *byte == b'.');
    (length >= LEAST && points.count() >= 2).then(|| at..at + 3 + length)
}

/// How long the word is that a text begins with, if it is long enough.
fn word(rest: &str, at_least: usize) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '\\' | ',' | '[');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let is_one = length >= at_least && !is_reference(rest);
    is_one.then_some(length)
}

/// Where the password of `user:password@host`, or the token of `token@host`, stands.
fn userinfo(rest: &str) -> Option<Range<usize>> {
    /// From which length on what stands alone before the `@` of a URL is no name of a user.
    const LONGEST_USER: usize = 20;
    let end = rest
        .find(['/', '?', '#', ' ', '\n', '"', '\''])
        .unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let Some((userinfo, _host)) = authority.rsplit_once('@') else {
        return odd_password(rest, authority);
    };
    let Some((user, password)) = userinfo.split_once(':') else {
        let is_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        // No user is called so: it is a token.
        let is_long = userinfo.len() >= LONGEST_USER && userinfo.chars().all(is_token);
        return is_long.then_some(0..userinfo.len());
    };
    let is_secret = !password.is_empty() && !is_reference(password);
    is_secret.then_some(user.len() + 1..userinfo.len())
}

/// A password with a `/`, a `?` or a `#` in it, which should have been encoded. Without an `@` it is the number of a port.
fn odd_password(rest: &str, authority: &str) -> Option<Range<usize>> {
    const LONGEST: usize = 256;
    let (user, begin) = authority.split_once(':')?;
    let is_port = begin.bytes().all(|byte| byte.is_ascii_digit());
    let is_odd =
        !is_port && !user.is_empty() && !is_reference(begin) && !begin.contains(['[', ']']);
    is_odd.then_some(())?;
    let bytes = rest.as_bytes().get(..LONGEST.min(rest.len()))?;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let end = bytes.iter().position(ends).unwrap_or(bytes.len());
    let at = bytes.get(..end)?.iter().rposition(|byte| *byte == b'@')?;
    Some(user.len() + 1..at)
}
