//! Where a declared hook comes from.

use std::{fmt, path::PathBuf};

/// Where a [`HookSpec`](crate::HookSpec) was declared.
///
/// It decides nothing: every declared hook is asked under the same rules. It is there for whoever
/// reads a denial and wants to know which line of which file to change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever shows an origin must have a place for each"
)]
pub enum HookOrigin {
    /// Given by the host as a value.
    #[default]
    Supplied,
    /// An entry of the operator's own hooks file.
    GlobalFile {
        /// The file, as it was looked for.
        path: PathBuf,
        /// The line on which the entry begins, from 1.
        line: usize,
    },
    /// An entry of the hooks file in the workspace.
    WorkspaceFile {
        /// The file, as it was looked for.
        path: PathBuf,
        /// The line on which the entry begins, from 1.
        line: usize,
    },
}

impl HookOrigin {
    /// `supplied`, `global` or `workspace`.
    #[must_use]
    pub const fn scope(&self) -> &'static str {
        match self {
            Self::Supplied => "supplied",
            Self::GlobalFile { .. } => "global",
            Self::WorkspaceFile { .. } => "workspace",
        }
    }
}

/// The scope, and for a file its path and line: `workspace /src/app/.basis/hooks.json:4`.
impl fmt::Display for HookOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scope())?;
        match self {
            Self::Supplied => Ok(()),
            Self::GlobalFile { path, line } | Self::WorkspaceFile { path, line } => {
                write!(f, " {}:{line}", path.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_shown_as_scope_path_and_line() {
        let path = PathBuf::from("ws/.basis/hooks.json");
        let shown = [
            HookOrigin::default().to_string(),
            HookOrigin::GlobalFile {
                path: "g/hooks.json".into(),
                line: 1,
            }
            .to_string(),
            HookOrigin::WorkspaceFile { path, line: 4 }.to_string(),
        ];
        assert_eq!(
            shown,
            [
                "supplied",
                "global g/hooks.json:1",
                "workspace ws/.basis/hooks.json:4"
            ]
        );
    }
}
