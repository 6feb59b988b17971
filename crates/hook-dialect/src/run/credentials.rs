//! What of the host's environment looks like a credential.

use std::ffi::OsStr;

use hook_secrets::is_secret_variable;

/// Which variables of the host's environment hooks do not get, although their agent would hand them on.
///
/// A hook is another person's program, and may have arrived with a repository. Agents hand it everything they have
/// themselves, keys included; here, what looks like a credential stays. A variable does by the table that records are masked
/// with (the crate `hook-secrets`):
///
/// - its name says so: `GITHUB_TOKEN`, `OPENAI_API_KEY`, `PGPASSWORD`, `SSHPASS`, `BW_SESSION`, `MYSQL_PWD`; also `AUTH`, `DSN`, `KEY`,
///   `PASS` and `PAT` as a word of it, and such as `SESSION` where the value looks random. `PWD` and `OLDPWD` are directories;
/// - its value holds a secret of a known shape: a token with the mark of its maker, a private key, a web token, a password in an
///   address, `scheme://user:password@host`;
/// - its value sets one: `Server=…;Password=…`, `AccountKey=…`, `{"password":"…"}`;
/// - its value is nothing but a long run of random characters. Digests and UUIDs are none.
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
        is_secret_variable(&name, &value.as_ref().to_string_lossy())
    }
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
            "BW_SESSION",
            "SSHPASS",
            "OP_SESSION_my",
            "RESTIC_PASSWORD",
            "BORG_PASSPHRASE",
            "ANSIBLE_BECOME_PASS",
            "AZURE_STORAGE_CONNECTION_STRING",
            "MAVEN_GPG_KEYPASS",
        ] {
            assert!(rule.withholds(name, "x"), "{name}");
        }
        for value in [
            "postgres://ada:hunter2@db/x",
            "http://u:p@proxy:3128",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nx",
            "Server=db;Database=app;User Id=me;Password=abc;",
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==",
            "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=abc=",
            "host=db user=app password=abc sslmode=require",
            "redis://:abc@cache:6379",
            r#"{"type":"service_account","private_key":"abc"}"#,
            "ghp_kQ7s1vWm8YcR2uTx9LbH5jEa3Gn4Kd0PzQ7s",
            "glsoat-n4Kd0PzQ7s1vWm8YcR2u",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "n4Kd0PzQ7s1vWm8YcR2uTx9LbH5jEa3G",
            "Authorization: Bearer n4Kd0PzQ7s",
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
            "DESKTOP_SESSION",
            "SESSION_MANAGER",
            "DBUS_SESSION_BUS_ADDRESS",
        ] {
            assert!(!rule.withholds(name, "/usr/bin"), "{name}");
        }
        for value in [
            "https://db:5432/x",
            "git@host:repo",
            "/usr/local/bin:/usr/bin:/opt/pass/bin",
            "rs=0:di=01;34:ln=01;36:*.tar=01;31",
            "--max-old-space-size=4096 --require ./a.js",
            "d0be2dc421be4fcd0172e5afceea3970e2f3d940",
            "123e4567-e89b-12d3-a456-426614174000",
            "unix:path=/run/user/1000/bus,guid=4f8a1c0e9b7d2f6a4f8a1c0e9b7d2f6a",
            "local/host:@/tmp/.ICE-unix/1234,unix/host:/tmp/.ICE-unix/1234",
            "/nix/store/0c5x4l7bb1n2k8jq3w9s6d4f5g7h8j9k-bash-5.2/bin/bash",
            "en_GB.UTF-8",
            "xterm-256color",
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

    #[test]
    fn a_large_environment_takes_time_in_proportion_to_its_size() {
        let rule = Credentials::default();
        // What grows with the square of the length, or goes through the table for each variable anew, would take minutes.
        for value in [
            "a=:;".repeat(1 << 15),
            "https://a:".repeat(1 << 13),
            "x".repeat(1 << 17),
        ] {
            assert!(!rule.withholds("X", &value) || value.contains("://"));
        }
        for number in 0..20_000 {
            assert!(!rule.withholds(format!("VARIABLE_{number}"), "/usr/share/dir"));
        }
    }
}
