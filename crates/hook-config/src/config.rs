//! Where hooks are looked for.

mod global;

use std::path::{Component, Path, PathBuf};

use hook_contract::ToolKnowledge;

pub(crate) use self::global::GlobalDir;
use crate::{HookSpec, HostSupport};

/// Where the workspace's hooks file is, relative to the workspace root.
pub const DEFAULT_WORKSPACE_HOOKS_FILE: &str = ".basis/hooks.json";

/// Where the operator's own hooks file is, relative to the global directory.
pub const DEFAULT_GLOBAL_HOOKS_FILE: &str = "hooks.json";

/// Where [`discover`](crate::discover) and [`load`](crate::load) look for hooks.
///
/// [`HooksConfig::default`] is what a user expects, and the only place in this crate that reads the
/// environment; [`HooksConfig::new`] reads nothing and knows no global directory.
///
/// ```
/// use hook_config::HooksConfig;
///
/// let config = HooksConfig::new().with_global_dir("/etc/agent");
/// assert_eq!(config.global_path(), Some("/etc/agent/hooks.json".into()));
/// assert_eq!(config.supplied_only().global_path(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HooksConfig {
    workspace_file: PathBuf,
    global_file: PathBuf,
    global_dir: Option<GlobalDir>,
    supplied: Vec<HookSpec>,
    host: HostSupport,
}

impl Default for HooksConfig {
    /// The default file names, and the global directory that the environment names:
    /// `$BASIS_CONFIG_DIR`, else `$XDG_CONFIG_HOME/basis`, else `.config/basis` in the user's folder.
    ///
    /// The user's folder is what `HOME` says, or else what the system has noted for the account
    /// ([`hook_source::home`]). A variable that is empty counts as not set.
    ///
    /// Guards that are somewhere must not be off because a variable is missing or wrong, and whether they are in place must not
    /// depend on where the runtime was started. So this is refused when hooks are loaded: a relative path
    /// ([`RelativeGlobalDir`](crate::HookConfigError::RelativeGlobalDir)), a `BASIS_CONFIG_DIR` or an `XDG_CONFIG_HOME` that names
    /// no folder ([`NamedGlobalDir`](crate::HookConfigError::NamedGlobalDir)), and that nothing names a folder
    /// ([`NoGlobalDir`](crate::HookConfigError::NoGlobalDir)). A host that wants no global file says so by
    /// [`without_global_dir`](Self::without_global_dir). That the user's folder or `$XDG_CONFIG_HOME` holds no `basis` folder
    /// is no error.
    fn default() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that reads the environment"
        )]
        let global_dir =
            GlobalDir::from_environment(|variable| std::env::var_os(variable), hook_source::home);
        Self {
            global_dir: Some(global_dir),
            ..Self::new()
        }
    }
}

impl HooksConfig {
    /// The default file in the workspace, no global directory and no supplied hooks. Reads no
    /// environment.
    #[must_use]
    pub fn new() -> Self {
        Self {
            workspace_file: DEFAULT_WORKSPACE_HOOKS_FILE.into(),
            global_file: DEFAULT_GLOBAL_HOOKS_FILE.into(),
            global_dir: None,
            supplied: Vec::new(),
            host: HostSupport::new(),
        }
    }

    /// Hooks the host supplies as values, in place of those supplied before. They are asked before
    /// those from files.
    #[must_use]
    pub fn with_supplied(self, supplied: Vec<HookSpec>) -> Self {
        Self { supplied, ..self }
    }

    /// The same, for a host that reaches hooks also by the transport of this key: an entry may have the key in place of
    /// `command`, and what stands under it is kept as it is for the transport to judge.
    ///
    /// A key that is a field of every entry, such as `tools`, stays that field.
    ///
    /// ```
    /// use hook_config::{HooksConfig, HooksFile};
    ///
    /// let config = HooksConfig::new().with_transport_key("http");
    /// let text = r#"{"schema": 1, "hooks": [{"name": "policy", "http": {"url": "https://policy"}}]}"#;
    /// let file = HooksFile::parse_for(text, config.host())?;
    /// assert_eq!(file.hooks[0].transport.key(), "http");
    /// assert_eq!(file.hooks[0].config().unwrap()["url"], "https://policy");
    ///
    /// let error = HooksFile::parse(text).unwrap_err();
    /// assert!(error.to_string().contains("this host has no transport `http`"));
    /// # Ok::<(), hook_config::InvalidFile>(())
    /// ```
    #[must_use]
    pub fn with_transport_key(self, key: impl Into<String>) -> Self {
        Self {
            host: self.host.with_transport_key(key),
            ..self
        }
    }

    /// Lets entries have `kinds`, and `facts` where the knowledge has facts. Give the runner the same knowledge
    /// (`HookRunnerBuilder::with_tools`).
    ///
    /// Without it, an entry with `kinds` or with `"facts": true` is an error: its hook would be asked about other calls than its
    /// author meant, or would miss what it reads.
    #[must_use]
    pub fn with_tools(self, tools: &dyn ToolKnowledge) -> Self {
        Self {
            host: self.host.with_tools(tools),
            ..self
        }
    }

    /// The workspace's hooks file, relative to the workspace root; empty means that none is looked
    /// for.
    ///
    /// A file that is in the workspace by this path has to be there: a link that leads out of the workspace is an error.
    #[must_use]
    pub fn with_workspace_file(self, file: impl Into<PathBuf>) -> Self {
        Self {
            workspace_file: file.into(),
            ..self
        }
    }

    /// The operator's hooks file, relative to the global directory; empty means that none is looked
    /// for.
    #[must_use]
    pub fn with_global_file(self, file: impl Into<PathBuf>) -> Self {
        Self {
            global_file: file.into(),
            ..self
        }
    }

    /// The global directory. It need not exist.
    #[must_use]
    pub fn with_global_dir(self, directory: impl Into<PathBuf>) -> Self {
        Self {
            global_dir: Some(GlobalDir::Host(directory.into())),
            ..self
        }
    }

    /// The same without a global directory.
    #[must_use]
    pub fn without_global_dir(self) -> Self {
        Self {
            global_dir: None,
            ..self
        }
    }

    /// The supplied hooks and no files: nothing is looked for and nothing is read, not even whether
    /// the workspace exists.
    #[must_use]
    pub fn supplied_only(self) -> Self {
        Self {
            workspace_file: PathBuf::new(),
            global_dir: None,
            ..self
        }
    }

    /// What the host can do with an entry: its transports, and what it knows of its tools.
    #[must_use]
    pub const fn host(&self) -> &HostSupport {
        &self.host
    }

    /// The keys of transports beside `command`, in the order in which they were named.
    #[must_use]
    pub fn transport_keys(&self) -> &[String] {
        self.host.transport_keys()
    }

    /// The supplied hooks.
    #[must_use]
    pub fn supplied(&self) -> &[HookSpec] {
        &self.supplied
    }

    /// Where the operator's hooks file is looked for, if it is.
    ///
    /// `~/.config/basis/hooks.json`, to the letter, where it would be there and nothing says which folder is the user's.
    #[must_use]
    pub fn global_path(&self) -> Option<PathBuf> {
        let directory = self.global_dir.as_ref()?;
        (!self.global_file.as_os_str().is_empty()).then(|| directory.path().join(&self.global_file))
    }

    /// Where the hooks file of `workspace` is looked for, if it is.
    #[must_use]
    pub fn workspace_path(&self, workspace: &Path) -> Option<PathBuf> {
        (!self.workspace_file.as_os_str().is_empty()).then(|| workspace.join(&self.workspace_file))
    }

    /// Whether the workspace's file is in the workspace, as the host says it. Then no link of the workspace leads elsewhere:
    /// what is read is shown to people and to models.
    pub(crate) fn is_in_workspace(&self) -> bool {
        let mut parts = self.workspace_file.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    }

    /// As if the environment held this one variable.
    #[cfg(test)]
    pub(crate) fn in_environment(variable: &'static str, value: &str) -> Self {
        let environment = |name: &str| (name == variable).then(|| value.into());
        let home = |_said| panic!("a variable names the folder");
        Self {
            global_dir: Some(GlobalDir::from_environment(environment, home)),
            ..Self::new()
        }
    }

    pub(crate) const fn global_dir(&self) -> Option<&GlobalDir> {
        self.global_dir.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_name_is_not_looked_for() {
        let config = HooksConfig::new()
            .with_global_dir("/g")
            .with_global_file("")
            .with_workspace_file("");
        assert_eq!(config.global_path(), None);
        assert_eq!(config.workspace_path(Path::new("/w")), None);
    }

    #[test]
    fn supplied_hooks_survive_when_no_file_is_read() {
        let hooks = vec![HookSpec::new("guard", ["guard.sh"])];
        let config = HooksConfig::new()
            .with_global_dir("/g")
            .with_supplied(hooks.clone())
            .supplied_only();
        assert_eq!(config.supplied(), hooks);
        assert_eq!(config.global_path(), None);
        assert_eq!(config.workspace_path(Path::new("/w")), None);
    }
}
