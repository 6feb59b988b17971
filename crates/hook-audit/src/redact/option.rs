//! Values of options in running text.

use hook_secrets::is_reference;

use super::{
    commands::{Seen, Taken},
    piped::first_command,
    text::{Found, Scan},
    value::{is_quote, masked_value, value_at},
};

/// The options after which `user:password` stands.
pub(super) const LOGIN_OPTIONS: [&str; 4] = ["-u", "-U", "--user", "--proxy-user"];

/// Where the password of `user:password` begins. Numbers are those of a user and a group.
pub(super) fn password_of(login: &str) -> Option<usize> {
    let (user, password) = login.split_once(':').or_else(|| login.split_once('%'))?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let are_ids = is_number(user) && is_number(password);
    // `date -u +%H:%M` has no user.
    let is_form = user.contains('/') || user.starts_with('+');
    let is_none = password.is_empty() || is_reference(password) || is_form || are_ids;
    (!is_none).then_some(user.len() + 1)
}

/// Where the password of `user/password@host` begins and ends.
pub(super) fn slashed(login: &str) -> Option<std::ops::Range<usize>> {
    let (user, rest) = login.split_once('/')?;
    let password = rest.rsplit_once('@').map_or(rest, |(password, _)| password);
    let is_none = user.is_empty()
        || user.contains(['@', ':', '.', '='])
        || password.is_empty()
        || is_reference(password);
    let start = user.len() + 1;
    (!is_none).then(|| start..start + password.len())
}

/// The value of `--name value`, and of an option of a program that takes a secret, where the first dash is at `at`.
pub(super) fn option(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let (redaction, text) = (scan.redaction, scan.text);
    let is_first = !text.get(..at)?.ends_with(|c: char| !c.is_whitespace());
    let option = text.get(at..).filter(|_| is_first)?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let length = option.find(|c: char| !is_part(c)).unwrap_or(option.len());
    let (option, after) = option.split_at(length);
    // `-uname:password` of curl.
    if redaction.hides_logins()
        && option.len() > 2
        && option.starts_with("-u")
        && after.starts_with(':')
    {
        return password_at(text, at + 2);
    }
    if redaction.hides_logins() && LOGIN_OPTIONS.contains(&option) && after.starts_with([' ', '='])
    {
        return password_at(text, at + length + 1);
    }
    let name = option.trim_start_matches('-');
    let is_followed = after.starts_with(' ') && !after.trim_start_matches(' ').starts_with('-');
    if is_followed && redaction.hides_member(name) {
        return masked_value(scan, at + length, false);
    }
    if is_followed
        && let Some(found) = value_at(text, at + length, false)
        && redaction.hides_perhaps(name, text.get(found.start..found.end)?)
    {
        return Some(found);
    }
    redaction.hides_logins().then_some(())?;
    let taken = Seen::before(text, at).taken_by(option, after.starts_with(is_quote))?;
    match taken {
        Taken::Next => is_followed.then(|| masked_value(scan, at + length, false))?,
        Taken::Attached(name) => masked_value(scan, at + name, false),
        Taken::Login => password_at(text, at + length),
        Taken::LoginAt(login) => password_at(text, at + login),
        Taken::Stored => {
            let found = is_followed.then(|| masked_value(scan, at + length, false))??;
            let is_said = first_command(text.get(found.end..)?).contains("SecureString");
            let is_one = is_said || super::is_random(text.get(found.start..found.end)?);
            is_one.then_some(found)
        }
        Taken::Assigned => {
            let value = value_at(
                text,
                at + length + usize::from(after.starts_with('=')),
                false,
            )?;
            let (name, _) = text.get(value.start..value.end)?.split_once('=')?;
            masked_value(scan, value.start + name.len() + 1, false)
        }
    }
}

/// The password of `user:password`, or of `user%password`, which begins after white space at `from`.
fn password_at(text: &str, from: usize) -> Option<Found> {
    let found = value_at(text, from, false)?;
    let value = text.get(found.start..found.end)?;
    let start = found.start + password_of(value)?;
    Some(Found { start, ..found })
}
