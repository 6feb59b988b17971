//! The folder of the operator's hooks file, and what says so.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use crate::HookConfigError;

/// Below the user's folder.
const BELOW_HOME: &str = ".config/basis";

/// The folder of the operator's hooks file, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GlobalDir {
    /// The host says so. It need not exist.
    Host(PathBuf),
    /// A variable of the environment says so.
    Named {
        variable: &'static str,
        /// What the variable names, which has to be there.
        folder: PathBuf,
        /// That folder, or one below it, which need not be there.
        path: PathBuf,
    },
    /// It is below the user's folder, and need not be there.
    Home(PathBuf),
    /// Nothing says which folder is the user's.
    Unknown,
}

impl GlobalDir {
    /// What the variables say; `home` says what the user's folder is, from the value of `HOME`.
    pub(crate) fn from_environment(
        variable: impl Fn(&str) -> Option<OsString>,
        home: impl FnOnce(Option<OsString>) -> Option<PathBuf>,
    ) -> Self {
        for (name, below) in [("BASIS_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "basis")] {
            let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
                continue;
            };
            let folder = PathBuf::from(value);
            let path = if below.is_empty() {
                folder.clone()
            } else {
                folder.join(below)
            };
            return Self::Named {
                variable: name,
                folder,
                path,
            };
        }
        home(variable("HOME")).map_or(Self::Unknown, |home| Self::Home(home.join(BELOW_HOME)))
    }

    /// The folder; as a person would write it where it is not known.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Host(path) | Self::Named { path, .. } | Self::Home(path) => path.clone(),
            Self::Unknown => Path::new("~").join(BELOW_HOME),
        }
    }

    /// Why no file may be looked for there, if none may: what the operator declared could be elsewhere.
    pub(crate) fn fault(&self) -> Option<HookConfigError> {
        let relative = |variable, path: &Path| {
            let path = path.to_owned();
            (!path.is_absolute()).then_some(HookConfigError::RelativeGlobalDir { variable, path })
        };
        match self {
            Self::Host(_) => None,
            Self::Named {
                variable,
                folder,
                path,
            } => relative(variable, path).or_else(|| {
                let source = match fs::metadata(folder) {
                    Ok(metadata) if metadata.is_dir() => return None,
                    Ok(_no_folder) => io::ErrorKind::NotADirectory.into(),
                    Err(error) => error,
                };
                Some(HookConfigError::NamedGlobalDir {
                    variable,
                    path: folder.clone(),
                    source,
                })
            }),
            Self::Home(path) => relative("HOME", path),
            Self::Unknown => Some(HookConfigError::NoGlobalDir),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(environment: &[(&str, &str)]) -> GlobalDir {
        let variable = |name: &str| {
            let (_, value) = environment.iter().find(|(variable, _)| *variable == name)?;
            Some(OsString::from(value))
        };
        // Every folder is there, and the system has noted one.
        GlobalDir::from_environment(variable, |said| {
            let said = said.filter(|said| !said.is_empty());
            Some(said.map_or_else(|| "/noted".into(), PathBuf::from))
        })
    }

    fn named(variable: &'static str, folder: &str, path: &str) -> GlobalDir {
        GlobalDir::Named {
            variable,
            folder: folder.into(),
            path: path.into(),
        }
    }

    #[test]
    fn the_first_variable_that_says_something_names_the_folder() {
        let (home, xdg) = (("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/x"));
        assert_eq!(found(&[]), GlobalDir::Home("/noted/.config/basis".into()));
        assert_eq!(
            found(&[home]),
            GlobalDir::Home("/home/a/.config/basis".into())
        );
        assert_eq!(
            found(&[home, xdg]),
            named("XDG_CONFIG_HOME", "/x", "/x/basis")
        );
        assert_eq!(
            found(&[home, xdg, ("BASIS_CONFIG_DIR", "/b")]),
            named("BASIS_CONFIG_DIR", "/b", "/b")
        );
    }

    #[test]
    fn an_empty_variable_is_as_good_as_none() {
        let empty = [
            ("BASIS_CONFIG_DIR", ""),
            ("XDG_CONFIG_HOME", ""),
            ("HOME", ""),
        ];
        assert_eq!(found(&empty), found(&[]));
    }

    #[test]
    fn where_nothing_says_what_the_users_folder_is_nothing_may_be_taken_for_no_hooks() {
        let unknown = GlobalDir::from_environment(|_| None, |_| None);
        assert_eq!(unknown.path(), Path::new("~/.config/basis"));
        let error = unknown.fault().expect("an error");
        assert_eq!(error.code(), "no_global_dir");
        assert!(error.to_string().contains("set HOME"), "{error}");
    }

    #[test]
    fn a_folder_that_is_named_has_to_be_there_and_what_is_below_it_has_not() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("file");
        fs::write(&file, "").expect("a file");
        let fault = |variable: &str, value: &Path| {
            let environment = |name: &str| (name == variable).then(|| value.into());
            GlobalDir::from_environment(environment, |_| None).fault()
        };
        for variable in ["BASIS_CONFIG_DIR", "XDG_CONFIG_HOME"] {
            assert!(fault(variable, root.path()).is_none());
            for wrong in [&file, &root.path().join("gone"), &file.join("x")] {
                let error = fault(variable, wrong).expect("an error");
                assert_eq!(error.code(), "named_global_dir", "{}", wrong.display());
                assert!(error.to_string().contains(variable), "{error}");
            }
            let error = fault(variable, Path::new("config")).expect("an error");
            assert_eq!(error.code(), "relative_global_dir");
        }
        let home = GlobalDir::Home("/no/such/home/.config/basis".into());
        assert!(home.fault().is_none(), "the default folder may be missing");
        let host = GlobalDir::Host("/no/such/folder".into());
        assert!(host.fault().is_none(), "so the host said");
        let relative = GlobalDir::Home("home/.config/basis".into());
        let error = relative.fault().expect("an error");
        assert_eq!(error.code(), "relative_global_dir");
    }
}
