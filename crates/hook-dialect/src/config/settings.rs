//! Where the agents' files are, and what the embedder says about them.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{error::DialectConfigError, origin::Scope, user_folder::UserFolder};
use crate::{Dialect, FailurePolicy};

/// Where the agents' files are, and what the embedder says about them.
///
/// [`DialectConfig::default`] is what a user expects, and the only place in this crate that reads the environment;
/// [`DialectConfig::new`] knows the workspace only.
///
/// ```
/// use hook_dialect::{Dialect, config::DialectConfig};
///
/// let config = DialectConfig::new().with_dialects([Dialect::CLAUDE]).with_claude_dir("/home/ada/.claude");
/// assert_eq!(config.claude_dir(), Some("/home/ada/.claude".as_ref()));
/// assert_eq!(config.codex_home(), None);
/// ```
#[derive(Clone, Debug)]
pub struct DialectConfig {
    dialects: Vec<&'static Dialect>,
    strict: bool,
    home: Option<PathBuf>,
    claude_dir: UserFolder,
    claude_managed_dir: Option<PathBuf>,
    codex_home: UserFolder,
    codex_system_dir: Option<PathBuf>,
    trust_everything: bool,
    on_failure: Vec<(&'static str, Scope, FailurePolicy)>,
}

/// Where Claude Code has what an organisation has decided.
#[cfg(target_os = "macos")]
const CLAUDE_MANAGED: Option<&str> = Some("/Library/Application Support/ClaudeCode");
#[cfg(all(unix, not(target_os = "macos")))]
const CLAUDE_MANAGED: Option<&str> = Some("/etc/claude-code");
#[cfg(not(unix))]
const CLAUDE_MANAGED: Option<&str> = Some(r"C:\Program Files\ClaudeCode");

/// Where Codex has what an organisation has decided.
#[cfg(unix)]
const CODEX_SYSTEM: Option<&str> = Some("/etc/codex");
#[cfg(not(unix))]
const CODEX_SYSTEM: Option<&str> = None;

impl Default for DialectConfig {
    /// The folders that the agents themselves look into: the user's (`$CLAUDE_CONFIG_DIR` or `$HOME/.claude`,
    /// `$CODEX_HOME` or `$HOME/.codex`), the organisation's and the workspace's.
    ///
    /// What the user's folder is, is found out as [`hook_source::home`] says, also without `HOME`. Where nothing says it, and
    /// where a variable names no folder that is there, hooks of the user could be anywhere: [`load`](super::load) then gives an
    /// error. That a `.claude` or `.codex` is not there at home is none.
    fn default() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that reads the environment"
        )]
        Self::in_environment(|variable| std::env::var_os(variable), hook_source::home)
    }
}

impl DialectConfig {
    /// Every dialect, with the files of the workspace alone. Reads no environment.
    #[must_use]
    pub fn new() -> Self {
        Self {
            dialects: Dialect::ALL.to_vec(),
            strict: false,
            home: None,
            claude_dir: UserFolder::Unwanted,
            claude_managed_dir: None,
            codex_home: UserFolder::Unwanted,
            codex_system_dir: None,
            trust_everything: false,
            on_failure: Vec::new(),
        }
    }

    fn in_environment(
        variable: impl Fn(&str) -> Option<OsString>,
        home: impl FnOnce(Option<OsString>) -> Option<PathBuf>,
    ) -> Self {
        let home = home(variable("HOME"));
        let folder = |name, below| UserFolder::of(name, &variable, home.as_deref(), below);
        Self {
            claude_dir: folder("CLAUDE_CONFIG_DIR", ".claude"),
            claude_managed_dir: CLAUDE_MANAGED.map(PathBuf::from),
            codex_home: folder("CODEX_HOME", ".codex"),
            codex_system_dir: CODEX_SYSTEM.map(PathBuf::from),
            home,
            ..Self::new()
        }
    }

    /// These agents alone, in this order.
    #[must_use]
    pub fn with_dialects(self, dialects: impl IntoIterator<Item = &'static Dialect>) -> Self {
        Self {
            dialects: dialects.into_iter().collect(),
            ..self
        }
    }

    /// Follows the agents to the letter, also where they drop a guard in silence because its file is wrong.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// The user's folder, which `~` stands for in rules.
    #[must_use]
    pub fn with_home(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            home: Some(folder.into()),
            ..self
        }
    }

    /// Claude Code's folder of the user. It need not exist.
    #[must_use]
    pub fn with_claude_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            claude_dir: UserFolder::Known(folder.into()),
            ..self
        }
    }

    /// Claude Code's folder of the organisation. It need not exist.
    #[must_use]
    pub fn with_claude_managed_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            claude_managed_dir: Some(folder.into()),
            ..self
        }
    }

    /// Codex's folder of the user. It need not exist.
    #[must_use]
    pub fn with_codex_home(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            codex_home: UserFolder::Known(folder.into()),
            ..self
        }
    }

    /// Codex's folder of the system. It need not exist.
    #[must_use]
    pub fn with_codex_system_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            codex_system_dir: Some(folder.into()),
            ..self
        }
    }

    /// Takes every hook of Codex as trusted, as `--dangerously-bypass-hook-trust` does. Whether the project is trusted
    /// still counts.
    #[must_use]
    pub fn with_every_hook_trusted(self) -> Self {
        Self {
            trust_everything: true,
            ..self
        }
    }

    /// What the failure of a hook from these files means.
    ///
    /// Where the file itself says something, the stricter of the two counts.
    #[must_use]
    pub fn with_on_failure(
        mut self,
        dialect: &'static Dialect,
        scope: Scope,
        policy: FailurePolicy,
    ) -> Self {
        self.on_failure.push((dialect.name, scope, policy));
        self
    }

    /// The agents whose files are read, in order.
    #[must_use]
    pub fn dialects(&self) -> &[&'static Dialect] {
        &self.dialects
    }

    /// Whether the agents are followed to the letter.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        self.strict
    }

    /// The user's folder.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Claude Code's folder of the user.
    #[must_use]
    pub fn claude_dir(&self) -> Option<&Path> {
        self.claude_dir.path()
    }

    /// Claude Code's folder of the organisation.
    #[must_use]
    pub fn claude_managed_dir(&self) -> Option<&Path> {
        self.claude_managed_dir.as_deref()
    }

    /// Codex's folder of the user.
    #[must_use]
    pub fn codex_home(&self) -> Option<&Path> {
        self.codex_home.path()
    }

    /// Why what an agent's user declares could be elsewhere than where it is looked for.
    pub(super) fn fault(&self, dialect: &Dialect) -> Option<DialectConfigError> {
        if dialect.name == Dialect::CODEX.name {
            return self.codex_home.fault();
        }
        // Claude Code goes on without.
        self.claude_dir.fault().filter(|_| !self.strict)
    }

    /// Codex's folder of the system.
    #[must_use]
    pub fn codex_system_dir(&self) -> Option<&Path> {
        self.codex_system_dir.as_deref()
    }

    /// Whether every hook of Codex is taken as trusted.
    #[must_use]
    pub const fn trusts_every_hook(&self) -> bool {
        self.trust_everything
    }

    /// What the embedder says about the failure of hooks from these files; what was said last counts.
    #[must_use]
    pub fn on_failure(&self, dialect: &Dialect, scope: Scope) -> FailurePolicy {
        let said = self.on_failure.iter().rev();
        said.filter(|(name, of, _)| *name == dialect.name && *of == scope)
            .map(|(_, _, policy)| *policy)
            .next()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_environment(variables: &[(&str, &str)]) -> DialectConfig {
        let variable = |name: &str| {
            let (_, value) = variables.iter().find(|(variable, _)| *variable == name)?;
            Some(value.into())
        };
        // Whatever is named is there, and the system has noted nothing.
        let home = |said: Option<OsString>| said.filter(|said| !said.is_empty()).map(Into::into);
        DialectConfig::in_environment(variable, home)
    }

    #[test]
    fn the_agents_own_variables_come_before_the_home() {
        let config = in_environment(&[("HOME", "/h")]);
        assert_eq!(config.claude_dir(), Some("/h/.claude".as_ref()));
        assert_eq!(config.codex_home(), Some("/h/.codex".as_ref()));
        let config = in_environment(&[
            ("HOME", "/h"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("CODEX_HOME", "/x"),
        ]);
        assert_eq!(config.claude_dir(), Some("/c".as_ref()));
        assert_eq!(config.codex_home(), Some("/x".as_ref()));
        assert_eq!(config.home(), Some("/h".as_ref()));
        let config = in_environment(&[("HOME", ""), ("CODEX_HOME", "")]);
        assert_eq!((config.claude_dir(), config.codex_home()), (None, None));
        for dialect in Dialect::ALL {
            let error = config.fault(dialect).expect("nothing says where they are");
            assert_eq!(error.code(), "no_user_folder");
        }
    }

    #[test]
    fn what_was_said_last_about_a_source_counts() {
        let config = DialectConfig::new()
            .with_on_failure(Dialect::CLAUDE, Scope::Project, FailurePolicy::Allow)
            .with_on_failure(Dialect::CLAUDE, Scope::Project, FailurePolicy::Deny)
            .with_on_failure(Dialect::CODEX, Scope::Project, FailurePolicy::Allow);
        let said = |dialect, scope| config.on_failure(dialect, scope);
        assert_eq!(said(Dialect::CLAUDE, Scope::Project), FailurePolicy::Deny);
        assert_eq!(said(Dialect::CODEX, Scope::Project), FailurePolicy::Allow);
        assert_eq!(said(Dialect::CLAUDE, Scope::User), FailurePolicy::Unwritten);
    }
}
