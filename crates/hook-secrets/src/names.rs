//! Names that say that a value is a secret.

use std::{collections::HashSet, sync::LazyLock};

use crate::{
    looks_random,
    vocabulary::{ABOUT, ENDINGS, LAST, NEVER, PERHAPS, SURE},
    words::Words,
};

/// How many words of a name are looked at together.
const LONGEST_RUN: usize = 3;

/// A name that is longer is no name that a person gave a secret.
const LONGEST_NAME: usize = 128;

static PERHAPS_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| PERHAPS.iter().copied().collect());
static NEVER_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| NEVER.iter().copied().collect());

/// What a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Said {
    /// Nothing.
    Nothing,
    /// It is a secret if it looks random ([`looks_random`]): `DEPLOY_KEY`, `session`, and not `public_key`.
    Perhaps,
    /// It is a secret, whatever it is.
    Secret,
}

/// Names of members, variables and options that say that the value is a secret.
///
/// A name is taken apart into words: `clientSecret`, `CLIENT_SECRET` and `client-secret` are the same two. It is a secret's
/// when one word of it, or up to three in a row, is in the list. So `access_token` is, and `max_tokens` is not. Case and wide
/// letters do not matter. A name of more than 128 bytes says nothing.
///
/// ```
/// use hook_secrets::Names;
///
/// let names = Names::default().with("badge number").without("cookie");
/// assert!(names.says_secret("badgeNumber") && !names.says_secret("Cookie"));
/// assert!(names.hides("DEPLOY_KEY", "hG7kQ2mX90zL") && !names.hides("DEPLOY_KEY", "production"));
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    sure: HashSet<String>,
    last: HashSet<String>,
    is_none: bool,
}

/// Every name of the list.
impl Default for Names {
    fn default() -> Self {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            sure: owned(SURE),
            last: owned(LAST),
            is_none: false,
        }
    }
}

impl Names {
    /// No name says anything until one is added.
    #[must_use]
    pub fn none() -> Self {
        Self {
            sure: HashSet::new(),
            last: HashSet::new(),
            is_none: true,
        }
    }

    /// This name is a secret's as well. Case, and what stands between words, do not matter.
    #[must_use]
    pub fn with(mut self, name: &str) -> Self {
        self.sure.insert(Words::of(name).all().to_owned());
        self
    }

    /// This name says nothing any more.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        let name = Words::of(name).all().to_owned();
        self.sure.remove(&name);
        self.last.remove(&name);
        self
    }

    /// Whether there is no name at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sure.is_empty() && self.last.is_empty()
    }

    /// Whether `name` alone, as one word, is in the list.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.sure.contains(name)
    }

    /// What a name says of its value.
    #[must_use]
    pub fn judge(&self, name: &str) -> Said {
        let is_name = name.len() <= LONGEST_NAME && name.contains(char::is_alphabetic);
        if !is_name {
            return Said::Nothing;
        }
        let words = Words::of(name);
        let mut endings = words.iter();
        let ends_so = || {
            words.count() > 1
                && words
                    .iter()
                    .next_back()
                    .is_some_and(|last| self.last.contains(last))
        };
        if self.is_of_another(&words) {
            return Said::Perhaps;
        }
        if self.has_run(&words) || ends_so() || endings.any(|word| self.ends_so(word)) {
            return Said::Secret;
        }
        let has = |set: &HashSet<&str>| {
            let mut words = words.iter().filter(|word| may_be_listed(word));
            words.any(|word| set.contains(word))
        };
        if !self.is_none && has(&PERHAPS_WORDS) && !has(&NEVER_WORDS) {
            return Said::Perhaps;
        }
        Said::Nothing
    }

    /// Whether a value of this name is a secret, whatever it is.
    #[must_use]
    pub fn says_secret(&self, name: &str) -> bool {
        self.judge(name) == Said::Secret
    }

    /// The same of a member, an option or a variable, which is a name even where it is one word: `pin`, `--pass`.
    #[must_use]
    pub fn says_secret_of_member(&self, name: &str) -> bool {
        self.says_secret(name)
            || (name.len() <= LONGEST_NAME && self.last.contains(Words::of(name).all()))
    }

    /// Whether this value of this name is a secret: the name says so, or it may and the value looks random.
    #[must_use]
    pub fn hides(&self, name: &str, value: &str) -> bool {
        match self.judge(name) {
            Said::Secret => true,
            Said::Perhaps => looks_random(value),
            Said::Nothing => false,
        }
    }

    /// Whether a name is that of something about a secret, as `tokenUrl` and `secretName`, and is not in the list itself.
    fn is_of_another(&self, words: &Words) -> bool {
        let last = words.count().saturating_sub(2)..words.count();
        let run = words.run(last).filter(|run| ABOUT.contains(run));
        !self.is_none
            && run.is_some_and(|run| {
                [run, words.all()]
                    .iter()
                    .all(|run| !self.sure.contains(*run))
            })
    }

    fn ends_so(&self, word: &str) -> bool {
        let mut endings = ENDINGS.iter();
        endings.any(|ending| word.ends_with(ending) && self.sure.contains(*ending))
    }

    fn has_run(&self, words: &Words) -> bool {
        let mut runs = (0..words.count())
            .flat_map(|first| (1..=LONGEST_RUN).map(move |length| first..first + length));
        runs.any(|run| words.run(run).is_some_and(|run| self.sure.contains(run)))
    }
}

/// Whether a word may stand in a list, which spares most of the looking up: numbers do not, and single letters.
fn may_be_listed(word: &str) -> bool {
    word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_secret_by_its_words_in_any_language_and_width() {
        let names = Names::default();
        for name in [
            "db_password",
            "accessToken",
            "HTTP_X_API_KEY",
            "Kennwort",
            "MONGO-PASSWORT",
            "senha",
            "mot-de-passe",
            "数据库密码 密码",
            "ｐａｓｓｗｏｒｄ",
            "login_pin",
            "user.totp",
            "SharedAccessKey",
        ] {
            assert!(names.says_secret(name), "{name}");
        }
        for name in ["pin", "otp", "pwd", "PASS", "auth"] {
            assert!(
                !names.says_secret(name) && names.says_secret_of_member(name),
                "{name}"
            );
        }
        for name in [
            "pinned",
            "spin",
            "compass",
            "author",
            "max_tokens",
            "OLDPWD",
            "bypass",
        ] {
            assert!(!names.says_secret_of_member(name), "{name}");
        }
        assert!(!names.says_secret(&"password_".repeat(20)));
    }

    #[test]
    fn a_name_of_something_about_a_secret_asks_for_a_value_that_looks_random() {
        let names = Names::default();
        for (name, value) in [
            ("token_type", "bearer"),
            ("tls.secretName", "tls-cert"),
            ("tokenUrl", "https://h/t"),
        ] {
            assert!(
                !names.hides(name, value) && !names.says_secret_of_member(name),
                "{name}"
            );
            assert!(names.hides(name, "hG7kQ2mX90zL"), "{name}");
            assert!(Names::default().with(name).says_secret(name), "{name}");
        }
    }

    #[test]
    fn a_name_that_may_be_a_secrets_asks_for_a_value_that_looks_random() {
        let names = Names::default();
        assert!(
            names.hides("DEPLOY_KEY", "f8Gk20sLmQ91") && names.hides("BW_SESSION", "Pq81xZ0aLm7T")
        );
        assert!(
            !names.hides("DEPLOY_KEY", "production") && !names.hides("public_key", "f8Gk20sLmQ91")
        );
        assert!(!names.hides("monkey", "f8Gk20sLmQ91"));
        assert!(names.with("2fa code").says_secret("user_2fa_code"));
        let none = Names::none();
        assert!(
            !none.hides("password", "x") && !none.hides("KEY", "f8Gk20sLmQ91") && none.is_empty()
        );
    }
}
