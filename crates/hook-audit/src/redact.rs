//! Which values of a record are masked.
//!
//! Two rules, both for what is *likely* a secret; neither proves that nothing is left:
//!
//! 1. **By name.** The value of a member whose name says that it is a secret, whatever the value is, except `null`,
//!    `true`, `false` and an empty text. A name is taken apart into words (`clientSecret`, `CLIENT_SECRET` and
//!    `client-secret` are the same two), and it is secret when one word of it, or several in a row, is in the list. So
//!    `access_token` is, and `max_tokens` is not.
//!    The same holds for the `value` of an object whose `name`, `key`, `header` or `variable` is such a name, for the
//!    second of two texts in a list, and for what follows `--name` in a list.
//! 2. **By shape.** Within any text, a run of characters that looks like a secret of a well-known kind: see
//!    [`Redaction::default`]. In running text, `name=value`, `name: value`, `--name value` and `<name>value</name>` are
//!    masked where rule 1 holds for the name, and the password of `-u user:password`. A text that is JSON is masked as
//!    JSON is.
//!
//! What is masked reads `[masked]`, or `[masked:github-token]` where the kind is known. The names of members are never
//! masked.

mod json;
mod list;
mod shapes;
mod text;
mod value;

use std::{borrow::Cow, collections::HashSet};

pub(crate) use self::json::mask_json;
use self::shapes::Shape;

/// What a masked value reads.
pub(crate) const MASKED: &str = "[masked]";

/// How many words of a name are looked at together.
const LONGEST_RUN: usize = 3;

/// A name that is longer is no name that somebody gave a secret.
const LONGEST_NAME: usize = 128;

const KEYS: [&str; 35] = [
    "accesskey",
    "accesstoken",
    "accountkey",
    "amzsignature",
    "apikey",
    "apitoken",
    "authkey",
    "authorization",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "connectionstring",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "encryptionkey",
    "googsignature",
    "idtoken",
    "jwt",
    "masterkey",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "privatekey",
    "refreshtoken",
    "secret",
    "secretkey",
    "secrets",
    "sessionid",
    "sig",
    "signingkey",
    "token",
];

/// Words that say so only as the last of a name, and in running text not alone: `DB_PASS` is a secret, `PASS: 3` and `PWD`
/// are none.
const LAST_WORDS: [&str; 3] = ["auth", "pass", "pwd"];

/// Words that are also known at the end of a longer one: `PGPASSWORD`, `githubtoken`.
const ENDINGS: [&str; 6] = [
    "apikey",
    "passphrase",
    "passwd",
    "password",
    "secret",
    "token",
];

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
    keys: HashSet<String>,
    last_words: HashSet<String>,
    shapes: Vec<Shape>,
}

/// The names `password`, `secret`, `token`, `api key`, `access key`, `private key`, `encryption key`, `authorization`,
/// `cookie`, `credential`, `passphrase`, `session id`, `connection string` and their usual compounds; names that end with
/// `pass`, `pwd` or `auth`; and these shapes:
///
/// | kind | shape |
/// |---|---|
/// | `private-key` | a block `-----BEGIN … PRIVATE KEY-----` of PEM or PGP, `AGE-SECRET-KEY-1` |
/// | `aws-key` | `AKIA`, `ASIA` and 16 capital letters or digits |
/// | `github-token` | `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_` |
/// | `gitlab-token` | `glpat-`, `gldt-`, `glrt-` |
/// | `slack-token` | `xoxb-`, `xoxp-`, `xoxa-`, `xoxr-`, `xoxs-`, `xoxe-`, `xapp-` |
/// | `google-key` | `AIza` and 35 characters |
/// | `google-token` | `ya29.` |
/// | `stripe-key` | `sk_live_`, `sk_test_`, `rk_live_`, `rk_test_`, `whsec_` |
/// | `model-key` | `sk-` and 20 characters |
/// | `package-token` | `npm_`, `pypi-`, `dckr_pat_`, `hf_` |
/// | `jwt` | `eyJ…` with two points |
/// | `vault-token` | `hvs.`, `hvb.` |
/// | `bearer` | what follows `Bearer ` |
/// | `basic` | what follows `Basic `, from 12 characters on |
/// | `url-password` | the password of `scheme://user:password@host` |
impl Default for Redaction {
    fn default() -> Self {
        Self {
            keys: KEYS.map(str::to_owned).into(),
            last_words: LAST_WORDS.map(str::to_owned).into(),
            shapes: shapes::well_known(),
        }
    }
}

impl Redaction {
    /// Masks nothing until something is added.
    #[must_use]
    pub fn none() -> Self {
        Self {
            keys: HashSet::new(),
            last_words: HashSet::new(),
            shapes: Vec::new(),
        }
    }

    /// Also masks values of this name. Case, and what stands between words, do not matter.
    #[must_use]
    pub fn with_key(mut self, name: &str) -> Self {
        self.keys.insert(words(name).concat());
        self
    }

    /// Does not mask values because of this name.
    #[must_use]
    pub fn without_key(mut self, name: &str) -> Self {
        let name = words(name).concat();
        self.keys.remove(&name);
        self.last_words.remove(&name);
        self
    }

    /// Also masks, within any text, `prefix` and the letters, digits, `_` and `-` after it, where there are at least so
    /// many of them. What is masked is called `kind`.
    #[must_use]
    pub fn with_prefix(mut self, kind: &str, prefix: &str, at_least: usize) -> Self {
        self.shapes
            .push(Shape::prefix(kind.to_owned(), prefix.to_owned(), at_least));
        self
    }

    /// Whether values of this name are masked.
    #[must_use]
    pub fn hides(&self, name: &str) -> bool {
        if name.len() > LONGEST_NAME {
            return false;
        }
        let words = words(name);
        let ends_so = words
            .last()
            .is_some_and(|last| last.len() < name.len() && self.last_words.contains(last));
        ends_so || words.iter().any(|word| self.ends_with_key(word)) || self.has_key(&words)
    }

    /// The same for the name of a member or an option, which is a name even where it is one word.
    fn hides_member(&self, name: &str) -> bool {
        name.len() <= LONGEST_NAME
            && (self.hides(name) || self.last_words.contains(&name.to_lowercase()))
    }

    fn ends_with_key(&self, word: &str) -> bool {
        let mut endings = ENDINGS.into_iter();
        endings.any(|ending| word.ends_with(ending) && self.keys.contains(ending))
    }

    fn has_key(&self, words: &[String]) -> bool {
        (0..words.len()).any(|first| {
            (1..=LONGEST_RUN).any(|length| {
                words
                    .get(first..first + length)
                    .is_some_and(|run| self.keys.contains(&run.concat()))
            })
        })
    }

    /// The text with what looks like a secret masked, and how often.
    #[must_use]
    pub fn mask_text<'a>(&self, text: &'a str) -> (Cow<'a, str>, u64) {
        text::mask(self, text)
    }

    /// Whether the password of `-u user:password` is masked: where passwords are at all.
    fn hides_logins(&self) -> bool {
        self.keys.contains("password")
    }

    fn shapes(&self) -> &[Shape] {
        &self.shapes
    }
}

/// The words of a name, in lower case: `clientSecret`, `CLIENT_SECRET` and `client-secret` have the same two.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let begins_word = character.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && next_is_lower)
            });
        if begins_word || !character.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        before = Some(character);
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests;
