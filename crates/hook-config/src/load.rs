//! Every declared hook, in the order in which they are asked.

use std::path::Path;

use crate::{
    ApproverSpec, HookConfigError, HookConfigWarning, HookSpec, HooksConfig, HooksFile,
    HooksSource, RecordSpec, discover::search, validate,
};

/// What [`load`] found.
///
/// ```
/// use hook_config::{HooksConfig, RecordSpec, load};
///
/// let global = tempfile::tempdir()?;
/// let text = r#"{"schema": 1, "record": {"dir": "/var/log/hooks"}, "hooks": [], "note": 1}"#;
/// std::fs::write(global.path().join("hooks.json"), text)?;
/// let config = HooksConfig::new().with_global_dir(global.path());
/// let loaded = load(tempfile::tempdir()?.path(), &config)?;
/// assert_eq!(loaded.hooks, []);
/// assert_eq!(loaded.record, Some(RecordSpec::new("/var/log/hooks")));
/// assert_eq!((loaded.warnings.len(), loaded.sources.len()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedHooks {
    /// The hooks in consultation order: supplied, global, workspace.
    pub hooks: Vec<HookSpec>,
    /// Where what they say is recorded, if the operator's file declares it. This crate records nothing.
    pub record: Option<RecordSpec>,
    /// The program that puts a call to a person, if the operator's file declares one. This crate starts nothing.
    pub approver: Option<ApproverSpec>,
    /// What is allowed and probably not meant. Show it to whoever wrote the file.
    pub warnings: Vec<HookConfigWarning>,
    /// The files the hooks come from; the spans of the warnings refer to their texts.
    pub sources: Vec<HooksSource>,
}

impl LoadedHooks {
    fn add(&mut self, file: HooksFile, source: HooksSource) {
        self.hooks.extend(file.hooks);
        if file.record.is_some() {
            self.record = file.record;
        }
        if file.approver.is_some() {
            self.approver = file.approver;
        }
        let warnings = file.warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| HookConfigWarning {
                path: source.path.clone(),
                warning,
            }));
        self.sources.push(source);
    }
}

/// Every declared hook, in the order in which they are asked: those the host supplies, the
/// operator's, the workspace's.
///
/// Whether the programs exist is not looked at: a hook may be installed later, and one that is not
/// there when it is asked has failed, which its `on_failure` decides.
///
/// ```
/// use hook_config::{HookSpec, HooksConfig, load};
///
/// let workspace = tempfile::tempdir()?;
/// std::fs::create_dir(workspace.path().join(".basis"))?;
/// std::fs::write(
///     workspace.path().join(".basis/hooks.json"),
///     r#"{"schema": 1, "hooks": [{"name": "no-force-push", "command": ["./.basis/hooks/no-force-push.sh"]}]}"#,
/// )?;
///
/// let own = HookSpec::new("own", ["/usr/local/bin/own-hook"]);
/// let config = HooksConfig::new().with_supplied(vec![own]);
/// let loaded = load(workspace.path(), &config)?;
///
/// let names: Vec<_> = loaded.hooks.iter().map(|hook| hook.name.as_str()).collect();
/// assert_eq!(names, ["own", "no-force-push"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When anything about any supplied hook or any file is wrong; everything is told at once. An error
/// must never be taken for "no hooks".
pub fn load(workspace: &Path, config: &HooksConfig) -> Result<LoadedHooks, HookConfigError> {
    let mut errors = Vec::new();
    let mut loaded = LoadedHooks {
        hooks: config.supplied().to_vec(),
        ..LoadedHooks::default()
    };
    for (index, hook) in loaded.hooks.iter().enumerate() {
        if let Err(error) = validate(hook) {
            errors.push(HookConfigError::Supplied { index, error });
        }
    }
    for found in search(workspace, config) {
        match found.and_then(|source| Ok((source.parse()?, source))) {
            Ok((file, source)) => loaded.add(file, source),
            Err(error) => errors.push(error),
        }
    }
    HookConfigError::of(errors).map_or(Ok(loaded), Err)
}

#[cfg(test)]
mod tests;
