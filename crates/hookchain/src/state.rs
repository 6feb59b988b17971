//! Where this program keeps what it has to know again, for one user of the machine.

use std::{ffi::OsString, path::PathBuf};

/// The folder: `hookchain` below `XDG_STATE_HOME`, or below `.local/state` in the folder of the user.
///
/// The rule is that of the XDG base directories: a value that is empty or relative counts for nothing.
#[expect(
    clippy::disallowed_methods,
    reason = "the command is its own host, and finds the folder of its user"
)]
pub(crate) fn folder() -> Option<PathBuf> {
    at(
        std::env::var_os("XDG_STATE_HOME"),
        hook_source::home(std::env::var_os("HOME")),
    )
}

fn at(said: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    let said = said.map(PathBuf::from).filter(|said| said.is_absolute());
    let below_home = || Some(home.filter(|home| home.is_absolute())?.join(".local/state"));
    Some(said.or_else(below_home)?.join("hookchain"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_folder_counts_for_nothing() {
        let home = || Some(PathBuf::from("/home/me"));
        let below_home = Some(PathBuf::from("/home/me/.local/state/hookchain"));
        assert_eq!(at(None, home()), below_home);
        assert_eq!(at(Some("".into()), home()), below_home);
        assert_eq!(at(Some("here".into()), home()), below_home);
        assert_eq!(at(Some("/s".into()), None), Some("/s/hookchain".into()));
        assert_eq!(at(None, Some("me".into())), None);
        assert_eq!(at(None, None), None);
    }
}
