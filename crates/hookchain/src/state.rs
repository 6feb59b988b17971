//! Where this program keeps what it has to know again, for one user of the machine.

use std::{ffi::OsString, path::PathBuf};

/// Why there is no such place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoState {
    /// Neither the variable nor the user's folder says where.
    NoHome,
    /// What was said is no whole path.
    Relative(PathBuf),
}

/// Where programs keep their state: what `XDG_STATE_HOME` says, or `.local/state` in the folder of the user. An empty variable is
/// not set, as the rule of the XDG base directories has it.
#[expect(
    clippy::disallowed_methods,
    reason = "the command is its own host, and finds the folder of its user"
)]
pub(crate) fn base() -> Result<PathBuf, NoState> {
    base_of(std::env::var_os("XDG_STATE_HOME"), || {
        hook_source::home(std::env::var_os("HOME"))
    })
}

fn base_of(
    said: Option<OsString>,
    home: impl FnOnce() -> Option<PathBuf>,
) -> Result<PathBuf, NoState> {
    let said = said.filter(|said| !said.is_empty()).map(PathBuf::from);
    let base = match said {
        Some(said) => said,
        None => home().ok_or(NoState::NoHome)?.join(".local/state"),
    };
    if base.is_absolute() {
        Ok(base)
    } else {
        Err(NoState::Relative(base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_has_to_be_a_whole_path() {
        let home = || Some(PathBuf::from("/home/me"));
        let below_home = Ok(PathBuf::from("/home/me/.local/state"));
        assert_eq!(base_of(None, home), below_home);
        assert_eq!(base_of(Some("".into()), home), below_home);
        assert_eq!(base_of(Some("/s".into()), || None), Ok("/s".into()));
        let relative = |path: &str| Err(NoState::Relative(path.into()));
        assert_eq!(base_of(Some("here".into()), home), relative("here"));
        assert_eq!(
            base_of(None, || Some("me".into())),
            relative("me/.local/state")
        );
        assert_eq!(base_of(None, || None), Err(NoState::NoHome));
    }
}
