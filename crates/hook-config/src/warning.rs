//! What is allowed in a hooks file, and probably not what its author wants.

use std::{fmt, path::PathBuf};

use hook_source::Diagnostic;

/// A warning and the file it is about.
///
/// Shown as `path:line:column: warning: hook: what is odd; what to do`.
///
/// ```
/// use hook_config::{HooksConfig, load};
///
/// let workspace = tempfile::tempdir()?;
/// std::fs::write(
///     workspace.path().join("guards.json"),
///     r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["./guard.sh"], "tools": []}]}"#,
/// )?;
/// let loaded = load(workspace.path(), &HooksConfig::new().with_workspace_file("guards.json"))?;
/// let warning = &loaded.warnings[0];
/// assert_eq!(warning.warning.code, "never_asked");
/// assert!(warning.to_string().ends_with(
///     "guards.json:1:79: warning: hook `guard`: `tools` is empty, so this hook is never asked; \
///      list tools, or leave the field out for every tool"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookConfigWarning {
    /// The file.
    pub path: PathBuf,
    /// What is odd in it.
    pub warning: Diagnostic,
}

impl fmt::Display for HookConfigWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.warning)
    }
}
