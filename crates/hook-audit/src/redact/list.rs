//! What the elements of a list say of each other: pairs, and the arguments of a command.

use super::{
    MASKED, Redaction,
    text::{LOGIN_OPTIONS, password_of},
};

/// How far a list is read, and what its last element says of the next one.
#[derive(Clone, Copy, Default)]
pub(super) struct List {
    pub(super) count: usize,
    pub(super) next_is: Told,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Told {
    #[default]
    Nothing,
    /// A secret, if it is the last of two: `["X-Api-Key", "…"]`.
    PairedSecret,
    /// A secret: `["--password", "…"]`.
    Secret,
    /// The name of a user, and perhaps a password: `["-u", "user:…"]`.
    Login,
}

/// What a text in a list says of the element after it.
pub(super) fn told_by(redaction: &Redaction, text: &str) -> Told {
    if text.starts_with('-') {
        told_by_option(redaction, text)
    } else if !text.contains(char::is_whitespace) && redaction.hides_member(text) {
        Told::PairedSecret
    } else {
        Told::Nothing
    }
}

/// What an option in a list of arguments says of the argument after it.
fn told_by_option(redaction: &Redaction, option: &str) -> Told {
    let name = option.trim_start_matches('-');
    if name.contains(|c: char| c == '=' || c.is_whitespace()) {
        Told::Nothing
    } else if redaction.hides_logins() && LOGIN_OPTIONS.contains(&option) {
        Told::Login
    } else if redaction.hides_member(name) {
        Told::Secret
    } else {
        Told::Nothing
    }
}

/// `user:password` with the password masked.
pub(super) fn login(text: &str) -> Option<String> {
    let password = password_of(text)?;
    Some(format!("{}{MASKED}", text.get(..password)?))
}
