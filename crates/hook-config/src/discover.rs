//! Finding the hooks files that exist.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{HookConfigError, HookOrigin, HooksConfig, HooksFile, read};

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there is the operator and there is the workspace"
)]
pub enum HooksScope {
    /// The operator's own file, for every workspace.
    Global,
    /// The file in the workspace.
    Workspace,
}

/// A hooks file that exists, as it was read.
///
/// Its text has been read once and is not read again, so that what is checked is what is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HooksSource {
    /// The file, as it was looked for.
    pub path: PathBuf,
    /// Whose file it is.
    pub scope: HooksScope,
    /// What is in it, without a byte order mark.
    pub text: String,
}

impl HooksSource {
    /// Reads the text as a hooks file, whose hooks then know where they were declared.
    ///
    /// # Errors
    ///
    /// [`HookConfigError::Invalid`], with every problem there is.
    pub fn parse(&self) -> Result<HooksFile, HookConfigError> {
        let origin = |line| {
            let path = self.path.clone();
            match self.scope {
                HooksScope::Global => HookOrigin::GlobalFile { path, line },
                HooksScope::Workspace => HookOrigin::WorkspaceFile { path, line },
            }
        };
        HooksFile::parse_at(&self.text, origin).map_err(|error| HookConfigError::Invalid {
            path: self.path.clone(),
            text: self.text.clone(),
            problems: error.problems,
            warnings: error.warnings,
        })
    }
}

/// The hooks files that exist, in consultation order: the operator's, then the workspace's.
///
/// The operator's comes first so that what it refuses keeps a program of the workspace from being
/// started. A file that both paths lead to is read once. With
/// [`supplied_only`](HooksConfig::supplied_only) nothing is looked for.
///
/// # Errors
///
/// When a file exists and cannot be read as text, when nobody can say whether it exists, and when
/// the workspace is not a directory. Several errors come back together. What the text says is not
/// looked at; see [`HooksSource::parse`].
pub fn discover(
    workspace: &Path,
    config: &HooksConfig,
) -> Result<Vec<HooksSource>, HookConfigError> {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for found in search(workspace, config) {
        match found {
            Ok(source) => sources.push(source),
            Err(error) => errors.push(error),
        }
    }
    HookConfigError::of(errors).map_or(Ok(sources), Err)
}

/// Each file that exists, or why it cannot be read, in consultation order.
pub(crate) fn search(
    workspace: &Path,
    config: &HooksConfig,
) -> Vec<Result<HooksSource, HookConfigError>> {
    let mut seen = Vec::new();
    let candidates = [
        (HooksScope::Global, global_path(config)),
        (HooksScope::Workspace, workspace_path(workspace, config)),
    ];
    candidates
        .into_iter()
        .filter_map(|(scope, path)| {
            path.and_then(|path| read_new(path, scope, &mut seen))
                .transpose()
        })
        .collect()
}

fn global_path(config: &HooksConfig) -> Result<Option<PathBuf>, HookConfigError> {
    let path = config.global_path();
    if let (Some(_), Some(directory)) = (&path, config.global_dir())
        && let Some(variable) = directory.variable
        && !directory.path.is_absolute()
    {
        let path = directory.path.clone();
        return Err(HookConfigError::RelativeGlobalDir { variable, path });
    }
    Ok(path)
}

fn workspace_path(
    workspace: &Path,
    config: &HooksConfig,
) -> Result<Option<PathBuf>, HookConfigError> {
    let Some(path) = config.workspace_path(workspace) else {
        return Ok(None);
    };
    let failed = |source| HookConfigError::Workspace {
        path: workspace.to_owned(),
        source,
    };
    let metadata = fs::metadata(workspace).map_err(failed)?;
    if metadata.is_dir() {
        Ok(Some(path))
    } else {
        Err(failed(io::ErrorKind::NotADirectory.into()))
    }
}

/// Reads the file, unless there is none or it was read already.
fn read_new(
    path: Option<PathBuf>,
    scope: HooksScope,
    seen: &mut Vec<read::FileId>,
) -> Result<Option<HooksSource>, HookConfigError> {
    let Some(path) = path else {
        return Ok(None);
    };
    let Some(opened) = read::open(&path)? else {
        return Ok(None);
    };
    if seen.contains(opened.id()) {
        return Ok(None);
    }
    let (id, text) = opened.read();
    seen.push(id);
    let text = text?;
    Ok(Some(HooksSource { path, scope, text }))
}

#[cfg(test)]
mod tests;
