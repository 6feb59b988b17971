//! What the elements of a list say of each other: pairs, and the arguments of a command.

use super::{
    MASKED, Redaction,
    commands::{Seen, Taken},
    option::{LOGIN_OPTIONS, password_of, slashed},
};

/// How far a list is read, and what its last element says of the next one.
#[derive(Clone, Copy, Default)]
pub(super) struct List {
    pub(super) count: usize,
    pub(super) next_is: Told,
    /// What the elements before are, if they are the words of a command.
    pub(super) seen: Seen,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Told {
    #[default]
    Nothing,
    /// A secret, if it is the last of two or looks random: `["X-Api-Key", "…"]`.
    PairedSecret,
    /// A secret, if it looks random: `["--key", "…"]`.
    Perhaps,
    /// A secret: `["--password", "…"]`.
    Secret,
    /// A name, and a secret that it is given: `["--from-literal", "name=…"]`.
    Assigned,
    /// The name of a user, and perhaps a password: `["-u", "user:…"]`.
    Login,
}

/// The words of a header that goes on in the next element: `["Authorization:", "Bearer", "…"]`.
const SCHEMES: [&str; 6] = ["apikey", "basic", "bearer", "digest", "negotiate", "token"];

impl List {
    /// What a text in the list says of the element after it.
    pub(super) fn told_by(&mut self, redaction: &Redaction, text: &str) -> Told {
        let told = if text.starts_with('-') {
            self.told_by_option(redaction, text)
        } else if ends_with_name(redaction, text)
            || (self.next_is == Told::Secret && is_scheme(text))
        {
            Told::Secret
        } else if is_format(redaction, text) {
            Told::Perhaps
        } else if !text.contains(char::is_whitespace) && redaction.hides_member(text) {
            Told::PairedSecret
        } else {
            Told::Nothing
        };
        self.seen.see(text);
        told
    }

    /// What an option in a list of arguments says of the argument after it.
    fn told_by_option(&self, redaction: &Redaction, option: &str) -> Told {
        let name = option.trim_start_matches('-');
        if name.contains(|c: char| c == '=' || c.is_whitespace()) {
            return Told::Nothing;
        }
        let taken = redaction
            .hides_logins()
            .then(|| self.seen.taken_by(option, false))
            .flatten();
        match taken {
            _ if redaction.hides_logins() && LOGIN_OPTIONS.contains(&option) => Told::Login,
            _ if redaction.hides_member(name) => Told::Secret,
            Some(Taken::Next) => Told::Secret,
            Some(Taken::Login) => Told::Login,
            Some(Taken::Assigned) => Told::Assigned,
            Some(Taken::Stored) => Told::Perhaps,
            Some(Taken::Attached(_) | Taken::LoginAt(_)) | None if redaction.may_hide(name) => {
                Told::Perhaps
            }
            Some(Taken::Attached(_) | Taken::LoginAt(_)) | None => Told::Nothing,
        }
    }

    /// An argument with the secret that it holds itself masked: `-psecret`.
    pub(super) fn attached(&self, redaction: &Redaction, text: &str) -> Option<String> {
        redaction.hides_logins().then_some(())?;
        if !text.starts_with(['-', '/']) {
            return self.word(text);
        }
        if let Some((option, value)) = text.split_once('=')
            && self.seen.taken_by(option, false) == Some(Taken::Assigned)
        {
            return Some(format!("{option}={}", assigned(value)?));
        }
        match self.seen.taken_by(text, false)? {
            Taken::Attached(name) => Some(format!("{}{MASKED}", text.get(..name)?)),
            Taken::LoginAt(at) => {
                let (option, text) = text.split_at_checked(at)?;
                Some(format!("{option}{}", login(text)?))
            }
            Taken::Next | Taken::Login | Taken::Assigned | Taken::Stored => None,
        }
    }

    /// A word of the command that is no option, with the secret in it masked.
    fn word(&self, text: &str) -> Option<String> {
        if self.seen.takes_set() {
            return assigned(text);
        }
        let password = self.seen.takes_slashed().then(|| slashed(text))??;
        let (before, after) = (text.get(..password.start)?, text.get(password.end..)?);
        Some(format!("{before}{MASKED}{after}"))
    }
}

/// Whether a text ends where a secret begins: `Authorization:`, `TOKEN=`, `Authorization: Bearer`.
fn ends_with_name(redaction: &Redaction, text: &str) -> bool {
    let text = text.trim_end();
    let name = text
        .split_once(':')
        .filter(|(_, rest)| is_scheme(rest.trim()));
    let name = name
        .map(|(name, _)| name)
        .or_else(|| text.strip_suffix([':', '=']));
    name.is_some_and(|name| redaction.hides_member(name))
}

/// Whether a text is a format that names a secret: `TOKEN=%s`.
fn is_format(redaction: &Redaction, text: &str) -> bool {
    let name = text.split_once("=%s").map(|(name, _)| name);
    name.and_then(|name| name.split_whitespace().next_back())
        .is_some_and(|name| redaction.hides_member(name))
}

fn is_scheme(text: &str) -> bool {
    SCHEMES.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// `name=secret` with the secret masked.
pub(super) fn assigned(text: &str) -> Option<String> {
    let (name, secret) = text.split_once('=')?;
    (!secret.is_empty() && !hook_secrets::is_reference(secret)).then(|| format!("{name}={MASKED}"))
}

/// `user:password` with the password masked.
pub(super) fn login(text: &str) -> Option<String> {
    let password = password_of(text)?;
    Some(format!("{}{MASKED}", text.get(..password)?))
}
