//! Which workspace a question is about.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hook_config::DEFAULT_WORKSPACE_HOOKS_FILE;
use hook_dialect::bridge::Bridge;

use super::error::BridgeError;

/// The workspace whose hooks are asked.
///
/// The agent was started in the project or in a directory of it. What the call itself names as its working directory does
/// not count: whoever could choose it would choose the guard.
pub(super) fn of(bridge: &Bridge, given: Option<&Path>) -> Result<PathBuf, BridgeError> {
    let from = match given {
        Some(given) => return existing(given.to_owned()),
        None => existing(start(bridge)?)?,
    };
    with_hooks(&from)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the agent says there where it was started"
)]
fn start(bridge: &Bridge) -> Result<PathBuf, BridgeError> {
    let named = bridge.project.and_then(std::env::var_os);
    match named.filter(|value| !value.is_empty()) {
        Some(named) => Ok(named.into()),
        None => std::env::current_dir().map_err(|_gone| BridgeError::NoDirectory {
            path: PathBuf::from("."),
        }),
    }
}

fn existing(path: PathBuf) -> Result<PathBuf, BridgeError> {
    if fs::metadata(&path).is_ok_and(|found| found.is_dir()) {
        return Ok(path);
    }
    Err(BridgeError::NoDirectory { path })
}

/// The one directory with a hooks file, from here up to the root of the repository; without one, here.
fn with_hooks(from: &Path) -> Result<PathBuf, BridgeError> {
    let above: Vec<&Path> = from.ancestors().collect();
    let root = above.iter().position(|path| is_there(&path.join(".git")));
    let inside = above.get(..=root.unwrap_or(0)).unwrap_or_default();
    let mut holding = inside
        .iter()
        .filter(|path| is_there(&path.join(DEFAULT_WORKSPACE_HOOKS_FILE)));
    match (holding.next(), holding.next_back()) {
        (None, _) => Ok(from.to_owned()),
        (Some(one), None) => Ok((*one).to_owned()),
        (Some(inner), Some(outer)) => Err(BridgeError::TwoWorkspaces {
            outer: (*outer).to_owned(),
            inner: (*inner).to_owned(),
        }),
    }
}

/// Also when it cannot be looked at: only what is certainly absent is absent.
fn is_there(path: &Path) -> bool {
    !matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(directories: &[&str]) -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a directory");
        for path in directories {
            fs::create_dir_all(place.path().join(path)).expect("made");
        }
        place
    }

    #[test]
    fn the_hooks_of_the_repository_are_found_from_any_directory_in_it() {
        let place = place(&["repo/.git", "repo/.basis/hooks.json", "repo/a/b"]);
        let repo = place.path().join("repo");
        for below in ["", "a", "a/b"] {
            assert_eq!(
                with_hooks(&repo.join(below))
                    .expect("one")
                    .canonicalize()
                    .ok(),
                repo.canonicalize().ok()
            );
        }
    }

    #[test]
    fn above_the_repository_and_without_one_nothing_is_looked_for() {
        let place = place(&[".basis/hooks.json", "repo/.git", "repo/a", "loose/a"]);
        for here in ["repo/a", "loose/a"] {
            let here = place.path().join(here);
            assert_eq!(with_hooks(&here).expect("one"), here);
        }
    }

    #[test]
    fn two_files_that_would_both_guard_are_an_error() {
        let place = place(&[
            "repo/.git",
            "repo/.basis/hooks.json",
            "repo/a/.basis/hooks.json",
        ]);
        let error = with_hooks(&place.path().join("repo/a")).expect_err("two");
        assert!(matches!(error, BridgeError::TwoWorkspaces { .. }));
        assert!(error.reason().contains("say which with --workspace"));
    }

    #[test]
    fn a_directory_that_is_gone_is_an_error() {
        let place = place(&[]);
        let gone = place.path().join("gone");
        let error = of(Bridge::CODEX, Some(&gone)).expect_err("gone");
        assert!(matches!(error, BridgeError::NoDirectory { path } if path == gone));
    }
}
