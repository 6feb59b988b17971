//! An agent's folder of the user, and what says so.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::error::DialectConfigError;

/// An agent's folder of the user, and what says so.
#[derive(Clone, Debug)]
pub(super) enum UserFolder {
    /// The embedder wants none.
    Unwanted,
    /// The embedder says so, or it is in the user's folder. It need not be there.
    Known(PathBuf),
    /// The agent's own variable says so. It has to be there.
    Named {
        variable: &'static str,
        path: PathBuf,
    },
    /// Nothing says which folder is the user's.
    Unknown { variable: &'static str },
}

impl UserFolder {
    pub(super) fn of(
        name: &'static str,
        variable: impl Fn(&str) -> Option<OsString>,
        home: Option<&Path>,
        below: &str,
    ) -> Self {
        let named = variable(name).filter(|value| !value.is_empty());
        match (named, home) {
            (Some(path), _) => Self::Named {
                variable: name,
                path: path.into(),
            },
            (None, Some(home)) => Self::Known(home.join(below)),
            (None, None) => Self::Unknown { variable: name },
        }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Known(path) | Self::Named { path, .. } => Some(path),
            Self::Unwanted | Self::Unknown { .. } => None,
        }
    }

    /// Why what the user declared could be elsewhere.
    pub(super) fn fault(&self) -> Option<DialectConfigError> {
        match self {
            // Below a folder that is relative, what the user declares would be the workspace's to say.
            Self::Known(path) | Self::Named { path, .. } if path.is_relative() => {
                let (variable, path) = (self.variable(), path.clone());
                Some(DialectConfigError::RelativeUserFolder { variable, path })
            }
            Self::Unwanted | Self::Known(_) => None,
            Self::Named { variable, path } => {
                let source = match fs::metadata(path) {
                    Ok(metadata) if metadata.is_dir() => return None,
                    Ok(_no_folder) => io::ErrorKind::NotADirectory.into(),
                    Err(error) => error,
                };
                let (variable, path) = (*variable, path.clone());
                Some(DialectConfigError::NamedUserFolder {
                    variable,
                    path,
                    source,
                })
            }
            Self::Unknown { variable } => Some(DialectConfigError::NoUserFolder { variable }),
        }
    }

    const fn variable(&self) -> &'static str {
        match self {
            Self::Named { variable, .. } | Self::Unknown { variable } => variable,
            Self::Unwanted | Self::Known(_) => "HOME",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(named: &str, home: Option<&str>) -> Option<&'static str> {
        let folder = UserFolder::of(
            "CODEX_HOME",
            |_| Some(named.into()),
            home.map(Path::new),
            ".codex",
        );
        folder.fault().map(|error| error.code())
    }

    #[test]
    fn a_folder_that_is_named_has_to_be_there_and_one_at_home_has_not() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().to_str().expect("UTF-8");
        assert_eq!(code(root, None), None);
        assert_eq!(
            code(&format!("{root}/gone"), Some(root)),
            Some("named_user_folder")
        );
        assert_eq!(code("/dev/null", Some(root)), Some("named_user_folder"));
        assert_eq!(code("", Some("/no/such/home")), None);
        assert_eq!(code("", None), Some("no_user_folder"));
    }

    #[test]
    fn no_relative_path_leads_to_what_the_user_declares() {
        assert_eq!(code("codex", None), Some("relative_user_folder"));
        assert_eq!(code("", Some("home")), Some("relative_user_folder"));
    }
}
