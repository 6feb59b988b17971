//! Which file of an agent is meant.

use std::{
    io,
    path::{Path, PathBuf},
};

use hook_dialect::{Dialect, bridge::Bridge, config::DialectConfig};

use super::{error::SettingsError, file::File, toml};
use crate::bridge::args::SettingsScope;

/// A file of an agent's settings.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) bridge: &'static Bridge,
    pub(super) path: PathBuf,
    pub(super) format: Syntax,
    /// Where Codex keeps what its user trusts.
    pub(super) trust: Option<PathBuf>,
    /// The project whose settings they are, out of which nothing leads.
    pub(super) project: Option<PathBuf>,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Toml,
}

impl Place {
    /// The file that the agent reads and that its hooks belong into.
    pub(super) fn of(
        bridge: &'static Bridge,
        scope: SettingsScope,
        workspace: &Path,
    ) -> Result<Self, SettingsError> {
        let config = DialectConfig::default();
        let is_claude = bridge.dialect.name == Dialect::CLAUDE.name;
        let (user, below, variable) = if is_claude {
            (config.claude_dir(), ".claude", "CLAUDE_CONFIG_DIR")
        } else {
            (config.codex_home(), ".codex", "CODEX_HOME")
        };
        let project = match scope {
            SettingsScope::User => None,
            SettingsScope::Project => Some(project(workspace)?),
        };
        let folder = match &project {
            None => user.map(Path::to_owned),
            Some(project) => Some(project.join(below)),
        };
        let folder = folder.ok_or(SettingsError::NoHome { variable })?;
        let json = |name: &str| Self {
            bridge,
            path: folder.join(name),
            format: Syntax::Json,
            trust: config
                .codex_home()
                .filter(|_| !is_claude)
                .map(|home| home.join("config.toml")),
            project: project.clone(),
        };
        if is_claude {
            return Ok(json("settings.json"));
        }
        let hooks = json("hooks.json");
        let tables = hooks.in_toml();
        // Hooks in both files of a folder are read, and Codex warns about it at every start.
        if exists(&hooks.path) {
            return Ok(hooks);
        }
        let text = tables.read()?.text.unwrap_or_default();
        Ok(if toml::declares_hooks(&text) {
            tables
        } else {
            hooks
        })
    }

    /// The file in which trust in its hooks is kept.
    pub(super) fn trust_place(&self) -> Option<Self> {
        Some(Self {
            path: self.trust.clone()?,
            format: Syntax::Toml,
            project: None,
            ..self.clone()
        })
    }

    /// The file as it is now.
    pub(super) fn read(&self) -> Result<File, SettingsError> {
        File::read(&self.path, self.project.as_deref())
    }

    /// The same folder's other file.
    fn in_toml(&self) -> Self {
        Self {
            path: self.path.with_file_name("config.toml"),
            format: Syntax::Toml,
            ..self.clone()
        }
    }

    /// Every file in which the entries may be.
    pub(super) fn all(&self) -> Vec<Self> {
        let mut all = vec![self.clone()];
        let hooks = self.path.with_file_name("hooks.json");
        if self.format == Syntax::Json && self.trust.is_some() {
            all.push(self.in_toml());
        } else if self.format == Syntax::Toml {
            all.push(Self {
                path: hooks,
                format: Syntax::Json,
                ..self.clone()
            });
        }
        all.retain(|place| exists(&place.path));
        if all.is_empty() {
            all.push(self.clone());
        }
        all
    }
}

/// The root of the project, by the path that keys of trust have, too.
fn project(workspace: &Path) -> Result<PathBuf, SettingsError> {
    let path = workspace.to_owned();
    let real = workspace.canonicalize().ok().filter(|real| real.is_dir());
    real.ok_or(SettingsError::NoProject { path })
}

fn exists(path: &Path) -> bool {
    !matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
}
