//! Which values of a record are masked.
//!
//! Two rules, both for what is *likely* a secret; neither proves that nothing is left:
//!
//! 1. **By name.** The value of a member whose name says that it is a secret, whatever the value is, except `null`,
//!    `true`, `false` and an empty text. A name is taken apart into words (`clientSecret`, `CLIENT_SECRET` and
//!    `client-secret` are the same two), and it is secret when one word of it, or several in a row, is in the list. So
//!    `access_token` is, and `max_tokens` is not.
//!    The same holds for the `value` of an object whose `name`, `key`, `header` or `variable` is such a name, for the
//!    second of two texts in a list, and for what follows `--name` in a list. Names such as `key` and `session` count where
//!    the value looks random.
//! 2. **By shape.** Within any text, a run of characters that looks like a secret of a well-known kind: see
//!    [`Redaction::default`]. In running text, `name=value`, `name: value`, `--name value` and `<name>value</name>` are
//!    masked where rule 1 holds for the name, the password of `-u user:password`, the options of well-known programs that take
//!    a secret under another name (`sshpass -p`), and what is piped to a program that reads a secret. A text that is JSON
//!    is masked as JSON is.
//!
//! What is masked reads `[masked]`, or `[masked:github-token]` where the kind is known. In the names of members
//! only shapes are.

mod argument;
mod assigned;
mod commands;
mod format;
mod json;
mod labelled;
mod list;
mod option;
mod piped;
mod text;
mod value;

use std::borrow::Cow;

use hook_secrets::{Names, Said, Shapes};

pub(crate) use self::json::mask_json;

/// What a masked value reads.
pub(crate) const MASKED: &str = "[masked]";

/// Which values are masked: by the names of members, and by the shapes of well-known secrets.
///
/// ```
/// use hook_audit::Redaction;
///
/// let redaction = Redaction::default()
///     .with_key("badge number")
///     .without_key("cookie")
///     .with_prefix("acme-token", "acme_", 20);
/// let (masked, count) = redaction.mask_text("curl -H 'X-Api-Key: 8f14e45f' --badge-number 7");
/// assert_eq!(masked, "curl -H 'X-Api-Key: [masked]' --badge-number [masked]");
/// assert_eq!(count, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Redaction {
    names: Names,
    shapes: Shapes,
}

/// The names and the shapes of the crate `hook-secrets`: among the names `password`, `secret`, `token`, `api key`, `access key`,
/// `private key`, `authorization`, `cookie`, `credential`, `passphrase`, `session id`, `connection string` and their usual
/// compounds, names that end with `pass`, `pwd`, `pin`, `otp` or `auth`, the word for a password in other languages, and
/// such as `key` and `session` where the value looks random; and these shapes among some two hundred:
///
/// | kind | shape |
/// |---|---|
/// | `private-key` | a block `-----BEGIN … PRIVATE KEY-----` of PEM or PGP, `AGE-SECRET-KEY-1` |
/// | `aws-key` | `AKIA`, `ASIA` and 16 capital letters or digits |
/// | `github-token`, `gitlab-token`, `slack-token` | `ghp_`, `github_pat_`, `glpat-`, `glsoat-`, `xoxb-` and their kin |
/// | `google-key`, `google-token` | `AIza`, `ya29.`, `GOCSPX-` |
/// | `stripe-key` | `sk_live_`, `rk_live_`, `whsec_` and their kin |
/// | `model-key` | `sk-` and 20 characters |
/// | `package-token` | `npm_`, `pypi-`, `dckr_pat_`, `hf_` |
/// | `jwt` | `eyJ…` with two points |
/// | `vault-token` | `hvs.`, `hvb.` |
/// | `bearer`, `basic` | what follows `Bearer ` and `Basic ` |
/// | `url-password` | the password of `scheme://user:password@host` |
/// | the name of a rule of a public list | the token of that maker: `sendgrid-api-token` |
impl Default for Redaction {
    fn default() -> Self {
        Self {
            names: Names::default(),
            shapes: Shapes::default(),
        }
    }
}

impl Redaction {
    /// Masks nothing until something is added.
    #[must_use]
    pub fn none() -> Self {
        Self {
            names: Names::none(),
            shapes: Shapes::none(),
        }
    }

    /// Also masks values of this name. Case, and what stands between words, do not matter.
    #[must_use]
    pub fn with_key(mut self, name: &str) -> Self {
        self.names = self.names.with(name);
        self
    }

    /// Does not mask values because of this name.
    #[must_use]
    pub fn without_key(mut self, name: &str) -> Self {
        self.names = self.names.without(name);
        self
    }

    /// Also masks, within any text, `prefix` and the letters, digits, `_` and `-` after it, where there are at least so
    /// many of them. What is masked is called `kind`.
    #[must_use]
    pub fn with_prefix(mut self, kind: &str, prefix: &str, at_least: usize) -> Self {
        self.shapes = self.shapes.with_prefix(kind, prefix, at_least);
        self
    }

    /// Whether values of this name are masked, whatever they are.
    #[must_use]
    pub fn hides(&self, name: &str) -> bool {
        self.names.says_secret(name)
    }

    /// The same for the name of a member or an option, which is a name even where it is one word.
    fn hides_member(&self, name: &str) -> bool {
        self.names.says_secret_of_member(name)
    }

    /// Whether a name says that a value which looks random is a secret.
    fn may_hide(&self, name: &str) -> bool {
        self.names.judge(name) == Said::Perhaps
    }

    /// Whether this value is masked because a name says that it may be a secret, and it looks like one.
    fn hides_perhaps(&self, name: &str, value: &str) -> bool {
        is_random(value) && self.may_hide(name)
    }

    /// The text with what looks like a secret masked, and how often.
    #[must_use]
    pub fn mask_text<'a>(&self, text: &'a str) -> (Cow<'a, str>, u64) {
        text::mask(self, text)
    }

    /// The text with what has the shape of a secret masked, whatever stands before it; nothing when there is none.
    pub(crate) fn mask_shapes(&self, text: &str) -> Option<String> {
        text::mask_shapes(self, text)
    }

    /// Whether the password of `-u user:password` is masked: where passwords are at all.
    fn hides_logins(&self) -> bool {
        self.names.knows("password")
    }
}

/// Whether a value looks as if it was drawn, and is none of the identifiers that do so as well.
fn is_random(value: &str) -> bool {
    hook_secrets::looks_random(value) && !hook_secrets::is_digest(value)
}

#[cfg(test)]
mod tests;
