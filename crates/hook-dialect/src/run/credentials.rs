//! What of the host's environment looks like a credential.

use std::ffi::OsStr;

/// Which variables of the host's environment hooks do not get, although their agent would hand them on.
///
/// A hook is somebody else's program, and may have arrived with a repository. Agents hand it everything they have
/// themselves, keys included; here, what looks like a credential stays. A variable does when
///
/// - a part of its name between underscores is one of [`WORDS`](Self::WORDS), in any case: `GITHUB_TOKEN`,
///   `OPENAI_API_KEY`, `PGPASSWORD`;
/// - its name ends in `_PWD`; `PWD` and `OLDPWD` are directories;
/// - its value has a password in an address, `scheme://user:password@host`, or begins a private key.
///
/// ```
/// use hook_dialect::run::Credentials;
///
/// let credentials = Credentials::default().handing_on("GITHUB_TOKEN").withholding("COMPANY_ID");
/// assert!(credentials.withholds("AWS_SECRET_ACCESS_KEY", "x"));
/// assert!(credentials.withholds("COMPANY_ID", "x"));
/// assert!(!credentials.withholds("GITHUB_TOKEN", "x"));
/// assert!(!credentials.withholds("EDITOR", "vi"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    nothing: bool,
    withheld: Vec<String>,
    handed_on: Vec<String>,
}

impl Credentials {
    /// The words in a name that make it one of a credential, wherever they stand.
    pub const WORDS: &'static [&'static str] = &[
        "TOKEN",
        "TOKENS",
        "SECRET",
        "SECRETS",
        "PASSWORD",
        "PASSWORDS",
        "PASSWD",
        "PASSPHRASE",
        "PGPASSWORD",
        "PASS",
        "CREDENTIAL",
        "CREDENTIALS",
        "CREDS",
        "AUTH",
        "AUTHORIZATION",
        "BEARER",
        "COOKIE",
        "COOKIES",
        "JWT",
        "PAT",
        "APIKEY",
        "APIKEYS",
        "KEY",
        "KEYS",
        "PRIVATEKEY",
        "DSN",
    ];

    /// Everything is handed on, as the agents do.
    #[must_use]
    pub fn handed_on() -> Self {
        Self {
            nothing: true,
            ..Self::default()
        }
    }

    /// The same, and this variable is withheld as well.
    #[must_use]
    pub fn withholding(mut self, name: impl Into<String>) -> Self {
        self.withheld.push(name.into());
        self
    }

    /// The same, but this variable is handed on, whatever it looks like.
    #[must_use]
    pub fn handing_on(mut self, name: impl Into<String>) -> Self {
        self.handed_on.push(name.into());
        self
    }

    /// Whether a variable stays with the host.
    #[must_use]
    pub fn withholds(&self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> bool {
        let name = name.as_ref().to_string_lossy();
        let named = |names: &[String]| names.iter().any(|own| **own == *name);
        if named(&self.withheld) {
            return true;
        }
        if self.nothing || named(&self.handed_on) {
            return false;
        }
        is_named_like_one(&name) || is_one(&value.as_ref().to_string_lossy())
    }
}

fn is_named_like_one(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_word = |part: &str| Credentials::WORDS.contains(&part);
    name.ends_with("_PWD") || name.split('_').any(is_word)
}

fn is_one(value: &str) -> bool {
    let has_password = value.split("://").skip(1).any(|rest| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let user = authority.rsplit_once('@').map(|(user, _)| user);
        user.and_then(|user| user.split_once(':'))
            .is_some_and(|(_, password)| !password.is_empty())
    });
    has_password || value.contains("PRIVATE KEY-----")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_credential_stays() {
        let rule = Credentials::default();
        for name in [
            "GITHUB_TOKEN",
            "github_token",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "OPENAI_API_KEY",
            "MYSQL_PWD",
            "PGPASSWORD",
            "SSH_AUTH_SOCK",
            "SENTRY_DSN",
            "NPM_CONFIG__AUTH",
            "CLAUDE_CODE_MESSAGING_TOKEN",
        ] {
            assert!(rule.withholds(name, "x"), "{name}");
        }
        for value in [
            "postgres://ada:hunter2@db/x",
            "http://u:p@proxy:3128",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nx",
        ] {
            assert!(rule.withholds("X", value), "{value}");
        }
    }

    #[test]
    fn what_hooks_need_is_handed_on() {
        let rule = Credentials::default();
        for name in [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "EDITOR",
            "KEYBOARD",
            "TOKENIZERS_PARALLELISM",
            "MONKEY",
            "XDG_SESSION_ID",
            "SSH_CONNECTION",
            "VIRTUAL_ENV",
        ] {
            assert!(!rule.withholds(name, "/usr/bin"), "{name}");
        }
        for value in [
            "https://db:5432/x",
            "git@host:repo",
            "http://ada@host/",
            "a://b:@c",
        ] {
            assert!(!rule.withholds("X", value), "{value}");
        }
    }

    #[test]
    fn what_was_said_of_a_variable_counts() {
        let rule = Credentials::default().handing_on("A_TOKEN");
        assert!(!rule.withholds("A_TOKEN", "x"));
        assert!(rule.withholds("B_TOKEN", "x"));
        let all = Credentials::handed_on().withholding("A_TOKEN");
        assert!(all.withholds("A_TOKEN", "x"));
        assert!(!all.withholds("B_TOKEN", "x"));
    }
}
