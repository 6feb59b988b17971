//! What is allowed in a hooks file, and probably not what its author wants.

use std::{fmt, path::PathBuf};

use hook_source::Diagnostic;

/// A warning and the file it is about.
///
/// Shown as `path:line:column: warning: hook: what is odd; what to do`.
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
