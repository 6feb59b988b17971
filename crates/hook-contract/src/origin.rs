//! Where a declared hook comes from.

use std::{fmt, path::PathBuf};

/// Where a [`HookSpec`](crate::HookSpec) was declared: by the host, or at a place of a hooks file.
///
/// It decides the order and the rank of a hook: hooks that the host supplies are asked first, then those of the
/// operator's file, then those of the workspace's. A denial and a record name it, so that the entry can be found.
///
/// ```
/// use hook_contract::HookOrigin;
///
/// let origin = HookOrigin::WorkspaceFile { path: "/src/app/.basis/hooks.json".into(), line: 4, column: 5 };
/// assert_eq!(origin.to_string(), "workspace /src/app/.basis/hooks.json:4");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that ranks or shows an origin must have a place for each"
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
        /// The column at which the entry begins, in characters, from 1.
        column: usize,
    },
    /// An entry of the hooks file in the workspace.
    WorkspaceFile {
        /// The file, as it was looked for.
        path: PathBuf,
        /// The line on which the entry begins, from 1.
        line: usize,
        /// The column at which the entry begins, in characters, from 1.
        column: usize,
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
            Self::GlobalFile { path, line, .. } | Self::WorkspaceFile { path, line, .. } => {
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
                column: 3,
            }
            .to_string(),
            HookOrigin::WorkspaceFile {
                path,
                line: 4,
                column: 5,
            }
            .to_string(),
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
