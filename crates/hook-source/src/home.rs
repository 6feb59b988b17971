//! The folder of the user, below which programs keep what the user told them.

#[cfg(not(unix))]
#[path = "home/other.rs"]
mod system;
#[cfg(unix)]
#[path = "home/unix.rs"]
mod system;

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// The folder of the user: what `HOME` says, or else what the system has noted for the account.
///
/// `said` is the value of `HOME`. A service, a timer or a container often has none, or one that names nothing; what the user
/// keeps at home is there all the same. So a value that is empty, and one that names nothing or no folder, counts for nothing. One
/// that is relative, or cannot be looked at, is given back as it is: reading below it fails, and the reader says why.
///
/// Nothing comes back when neither names a folder that is there. That is not to be taken for a user who keeps nothing.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let said = Some(folder.path().as_os_str().to_owned());
/// assert_eq!(hook_source::home(said), Some(folder.path().to_owned()));
/// assert_eq!(hook_source::home(Some("".into())), hook_source::home(None), "as the system has noted it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn home(said: Option<OsString>) -> Option<PathBuf> {
    first(said, system::noted)
}

fn first(said: Option<OsString>, noted: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    let said = said.filter(|said| !said.is_empty()).map(PathBuf::from);
    if let Some(said) = said.filter(|said| said.is_relative() || may_be_there(said)) {
        return Some(said);
    }
    noted().filter(|noted| noted.is_absolute() && noted.is_dir())
}

/// Whether a folder is at the path, or the system does not say that there is none.
fn may_be_there(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => !matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_has_noted_counts_where_the_variable_names_no_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let (said, noted) = (root.path().join("said"), root.path().join("noted"));
        for folder in [&said, &noted] {
            fs::create_dir(folder).expect("a folder");
        }
        let file = root.path().join("file");
        fs::write(&file, "").expect("a file");
        let found = |said: &Path| first(Some(said.into()), || Some(noted.clone()));
        assert_eq!(found(&said), Some(said.clone()));
        for nothing in [
            Path::new(""),
            &root.path().join("gone"),
            &file,
            &file.join("x"),
        ] {
            assert_eq!(found(nothing), Some(noted.clone()), "{}", nothing.display());
        }
        assert_eq!(first(None, || Some(noted.clone())), Some(noted.clone()));
        assert_eq!(found(Path::new("some/where")), Some("some/where".into()));
    }

    #[test]
    fn an_account_without_a_folder_that_is_there_has_none() {
        let root = tempfile::tempdir().expect("a folder");
        let noted = |path: &str| first(None, || Some(path.into()));
        assert_eq!(noted("/nonexistent/home/of/nobody"), None);
        assert_eq!(noted(""), None);
        assert_eq!(noted("."), None, "relative to wherever it was started");
        let gone = root.path().join("gone").into_os_string();
        assert_eq!(first(Some(gone), || None), None);
    }
}
