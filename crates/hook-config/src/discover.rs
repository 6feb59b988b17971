//! Finding the hooks files that exist.

use std::{
    fs, io,
    path::{self, Path, PathBuf},
};

use hook_source::{FileError, FileId, FileReader};

use crate::{
    Examined, HookConfigError, HookOrigin, HooksConfig, HooksFile, HostSupport, config::GlobalDir,
    file, words,
};

/// How a hooks file is read.
const READER: FileReader = FileReader::new("a hooks file");

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
///
/// ```
/// use hook_config::{HookOrigin, HooksConfig, discover};
///
/// let global = tempfile::tempdir()?;
/// let path = global.path().join("hooks.json");
/// std::fs::write(&path, "{\"schema\": 1, \"hooks\": [\n{\"name\": \"guard\", \"command\": [\"/bin/guard\"]}]}")?;
///
/// let config = HooksConfig::new().with_global_dir(global.path());
/// let sources = discover(tempfile::tempdir()?.path(), &config)?;
/// let file = sources[0].parse()?;
/// assert_eq!(*file.hooks[0].origin(), HookOrigin::GlobalFile { path, line: 2, column: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HooksSource {
    /// The file, as it was looked for.
    pub path: PathBuf,
    /// Whose file it is.
    pub scope: HooksScope,
    /// What is in it, without a byte order mark.
    pub text: String,
    /// What the host can do with an entry ([`HooksConfig::host`]).
    pub host: HostSupport,
    /// The folder that the programs of the entries belong to and run in, by an absolute path wherever that can be told;
    /// `None` is the workspace. It is the folder of the operator's file, unless that file is the workspace's as well.
    pub directory: Option<PathBuf>,
}

impl HooksSource {
    /// Reads the text as a hooks file, whose hooks then know where they were declared.
    ///
    /// # Errors
    ///
    /// [`HookConfigError::Invalid`], with every problem there is.
    pub fn parse(&self) -> Result<HooksFile, HookConfigError> {
        let examined = self.examine();
        HooksFile::of(examined).map_err(|error| HookConfigError::Invalid {
            path: self.path.clone(),
            text: self.text.clone(),
            problems: error.problems,
            warnings: error.warnings,
        })
    }

    /// Everything that can be said about the text, whether or not it is a hooks file. For whoever
    /// helps its author; for asking hooks there is [`parse`](Self::parse).
    #[must_use]
    pub fn examine(&self) -> Examined {
        let origin = |line, column| {
            let path = self.path.clone();
            match self.scope {
                HooksScope::Global => HookOrigin::GlobalFile { path, line, column },
                HooksScope::Workspace => HookOrigin::WorkspaceFile { path, line, column },
            }
        };
        let mut examined = file::examine(&self.text, &self.host, origin);
        let approver = examined.approver.as_mut();
        if let Some(approver) = approver.and_then(|approver| approver.spec.as_mut()) {
            approver.directory = folder(&self.path);
        }
        if let Some(directory) = &self.directory {
            for entry in &mut examined.entries {
                let spec = entry.spec.take();
                entry.spec = spec.map(|spec| spec.with_directory(directory));
            }
        }
        examined
    }
}

/// The folder of a file, by an absolute path wherever that can be told.
fn folder(path: &Path) -> PathBuf {
    let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.parent().map(Path::to_owned).unwrap_or_default()
}

/// A place where a hooks file is looked for, and what is there.
///
/// ```
/// use hook_config::{HooksConfig, HooksScope, survey};
///
/// let workspace = tempfile::tempdir()?;
/// let candidates = survey(workspace.path(), &HooksConfig::new().with_global_dir("/etc/agent"));
/// let looked_for: Vec<_> = candidates.into_iter().map(|candidate| (candidate.scope, candidate.path)).collect();
/// assert_eq!(
///     looked_for,
///     [
///         (HooksScope::Global, "/etc/agent/hooks.json".into()),
///         (HooksScope::Workspace, workspace.path().join(".basis/hooks.json")),
///     ]
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// Whose file it would be.
    pub scope: HooksScope,
    /// The file, as it is looked for.
    pub path: PathBuf,
    /// What is there.
    pub found: Found,
}

/// What is where a hooks file is looked for.
///
/// ```
/// use hook_config::{Found, HooksConfig, survey};
///
/// let workspace = tempfile::tempdir()?;
/// std::fs::create_dir_all(workspace.path().join(".basis/hooks.json"))?;
/// let candidates = survey(workspace.path(), &HooksConfig::new());
/// let Found::Unusable(error) = &candidates[0].found else {
///     panic!("a directory stands where the file is looked for");
/// };
/// assert_eq!(error.path(), Some(&*candidates[0].path));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Found {
    /// Nothing, so this scope declares no hooks.
    Nothing,
    /// The file that an earlier candidate led to; it is read once, and its hooks are the earlier one's.
    #[non_exhaustive]
    Same {
        /// The path of the earlier candidate.
        first: PathBuf,
    },
    /// A file. What its text says has not been looked at.
    File(HooksSource),
    /// Something that cannot be used, or nobody can say what: an error, and never "no hooks".
    Unusable(HookConfigError),
}

/// The hooks files that exist, in consultation order: the operator's, then the workspace's.
///
/// The operator's comes first so that what it refuses keeps a program of the workspace from being
/// started. A file that both paths lead to is read once. With
/// [`supplied_only`](HooksConfig::supplied_only) nothing is looked for.
///
/// ```
/// use hook_config::{HooksConfig, HooksScope, discover};
///
/// let workspace = tempfile::tempdir()?;
/// assert_eq!(discover(workspace.path(), &HooksConfig::new())?, [], "there is no file");
///
/// std::fs::write(workspace.path().join("guards.json"), r#"{"schema": 1}"#)?;
/// let sources = discover(workspace.path(), &HooksConfig::new().with_workspace_file("guards.json"))?;
/// assert_eq!(sources[0].scope, HooksScope::Workspace);
/// assert_eq!(sources[0].text, r#"{"schema": 1}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a file exists and cannot be read as text, when it cannot be told whether it exists, when the
/// workspace's file leads out of the workspace, and when the workspace is not a directory. Several errors come back together. What the text says is not
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
    let candidates = survey(workspace, config).into_iter();
    candidates
        .filter_map(|candidate| match candidate.found {
            Found::Nothing | Found::Same { .. } => None,
            Found::File(source) => Some(Ok(source)),
            Found::Unusable(error) => Some(Err(error)),
        })
        .collect()
}

/// Each place where a hooks file is looked for, in consultation order, and what is there.
///
/// For whoever tells an author which files count and why. There is no candidate for a scope whose
/// file is not looked for at all: without a global directory, or without a file name.
///
/// ```
/// use hook_config::{Found, HooksConfig, HooksScope, survey};
///
/// let workspace = tempfile::tempdir()?;
/// let candidates = survey(workspace.path(), &HooksConfig::new());
/// assert_eq!(candidates.len(), 1, "no global directory is known");
/// assert_eq!(candidates[0].scope, HooksScope::Workspace);
/// assert!(matches!(candidates[0].found, Found::Nothing));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn survey(workspace: &Path, config: &HooksConfig) -> Vec<Candidate> {
    let looked_for = [
        (HooksScope::Global, config.global_path()),
        (HooksScope::Workspace, config.workspace_path(workspace)),
    ];
    let (mut candidates, mut seen) = (Vec::new(), Vec::new());
    for (scope, path) in looked_for {
        let Some(path) = path else { continue };
        let fault = match scope {
            HooksScope::Global => config.global_dir().and_then(GlobalDir::fault),
            HooksScope::Workspace => workspace_fault(workspace),
        };
        let reader = match scope {
            HooksScope::Workspace if config.is_in_workspace() => READER.within(workspace),
            HooksScope::Workspace | HooksScope::Global => READER,
        };
        let found = fault.map_or_else(|| look(&path, scope, config, (&reader, &mut seen)), Err);
        let found = found.unwrap_or_else(Found::Unusable);
        if let Found::Same { first } = &found
            && READER.within(workspace).lies_inside(first).is_ok()
        {
            belongs_to_workspace(&mut candidates, first);
        }
        candidates.push(Candidate { scope, path, found });
    }
    candidates
}

/// The operator's file that lies in the workspace, and is its file as well, was written for the workspace. One that a link
/// of the workspace leads to was not.
fn belongs_to_workspace(candidates: &mut [Candidate], path: &Path) {
    for candidate in candidates {
        if let Found::File(source) = &mut candidate.found
            && source.path == path
        {
            source.directory = None;
        }
    }
}

fn workspace_fault(workspace: &Path) -> Option<HookConfigError> {
    let source = match fs::metadata(workspace) {
        Ok(metadata) if metadata.is_dir() => return None,
        Ok(_no_directory) => io::ErrorKind::NotADirectory.into(),
        Err(error) => error,
    };
    let path = workspace.to_owned();
    Some(HookConfigError::Workspace { path, source })
}

/// Reads the file, unless there is none or it was read already.
fn look(
    path: &Path,
    scope: HooksScope,
    config: &HooksConfig,
    (reader, seen): (&FileReader, &mut Vec<(FileId, PathBuf)>),
) -> Result<Found, HookConfigError> {
    // The operator's own file is known, wherever it lies.
    let known = READER.open(path).map_err(unreadable)?;
    let known = known.and_then(|opened| seen.iter().find(|(id, _)| id == opened.id()));
    if let Some((_, first)) = known {
        let first = first.clone();
        return Ok(Found::Same { first });
    }
    let Some(opened) = reader.open(path).map_err(unreadable)? else {
        return Ok(Found::Nothing);
    };
    let (id, text) = opened.read();
    let path = path.to_owned();
    seen.push((id, path.clone()));
    let text = text.map_err(unreadable)?;
    let directory = (scope == HooksScope::Global).then(|| folder(&path));
    Ok(Found::File(HooksSource {
        path,
        directory,
        scope,
        text,
        host: config.host().clone(),
    }))
}

/// A text that is no UTF-8 is a file with a problem; what else there is, is no text.
fn unreadable(error: FileError) -> HookConfigError {
    let FileError::NotText {
        path, text, span, ..
    } = error
    else {
        return HookConfigError::Unreadable(error);
    };
    HookConfigError::Invalid {
        path,
        problems: vec![words::not_utf8().at(&text, span)],
        warnings: Vec::new(),
        text,
    }
}

#[cfg(test)]
mod tests;
