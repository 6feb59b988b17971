//! Where the way to a file leads through.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

/// How many symbolic links are followed; the system stops there as well.
const MAX_LINKS: usize = 40;

/// Whether the way to `path` leads through `folder`, whose path has no symbolic links, at any point: what holds the folder
/// then says what is found at the path. A link on the way counts where it stands and where it leads. So does a path that
/// leads to nothing as yet.
pub(super) fn leads_through(path: &Path, folder: &Path) -> bool {
    let mut ahead: VecDeque<OsString> = parts(path);
    let mut reached = PathBuf::new();
    let mut links = 0;
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            reached.pop();
        } else {
            reached.push(part);
        }
        if reached.starts_with(folder) {
            return true;
        }
        let Ok(target) = fs::read_link(&reached) else {
            continue;
        };
        links += 1;
        if links > MAX_LINKS {
            // It leads nowhere, and nothing is found at it.
            return false;
        }
        reached.pop();
        for part in parts(&target).into_iter().rev() {
            ahead.push_front(part);
        }
    }
    false
}

/// The root, names and `..`; pushing the root takes the place of what was there.
fn parts(path: &Path) -> VecDeque<OsString> {
    let parts = path.components();
    parts
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

/// The folder without symbolic links, as far as it exists.
pub(super) fn real(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// The folder, without symbolic links, that came with the workspace: the outermost repository in which it lies, and else the
/// workspace itself. An agent may have been started anywhere in a clone, and the whole clone is another's.
///
/// A repository in which the user's own folder lies as well is the user's: a home may be one.
pub(super) fn came_along(workspace: &Path, own: &Path) -> PathBuf {
    let (workspace, own) = (real(workspace), real(own));
    let outermost = workspace
        .ancestors()
        .filter(|folder| {
            !own.starts_with(folder) && fs::symlink_metadata(folder.join(".git")).is_ok()
        })
        .last();
    outermost.unwrap_or(&workspace).to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clone_comes_along_as_a_whole_and_a_home_does_not() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |path: &str| real(root.path()).join(path);
        for path in [
            "home/.git",
            "home/.config/basis",
            "home/clone/.git",
            "home/clone/vendor/sub",
            "plain/sub",
        ] {
            fs::create_dir_all(at(path)).expect("made");
        }
        fs::write(
            at("home/clone/vendor/.git"),
            "gitdir: ../.git/modules/vendor",
        )
        .expect("a submodule");
        let own = at("home/.config/basis");
        for (workspace, came) in [
            ("home/clone", "home/clone"),
            ("home/clone/vendor", "home/clone"),
            ("home/clone/vendor/sub", "home/clone"),
            ("home", "home"),
            ("plain/sub", "plain/sub"),
        ] {
            assert_eq!(came_along(&at(workspace), &own), at(came), "{workspace}");
        }
    }

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn each_step_of_the_way_counts_and_not_only_its_end() {
        let root = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(root.path()).expect("its path");
        for folder in ["ws/bin", "ws-2/bin", "tools"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        symlink(root.join("tools"), root.join("ws/out")).expect("a link");
        symlink("ws/out", root.join("around")).expect("a link");
        symlink("ws", root.join("alias")).expect("a link");
        symlink("loop", root.join("loop")).expect("a link");
        let leads = |path: &str| leads_through(&root.join(path), &root.join("ws"));
        for inside in [
            "ws",
            "ws/bin",
            "ws/not/yet",
            "tools/../ws/bin",
            "ws-2/../alias/bin",
            "alias/not-yet",
            "ws/out",
            "around",
            "ws/../tools",
        ] {
            assert!(leads(inside), "{inside}");
        }
        for outside in ["tools", "ws-2/bin", "", "loop", "not/yet", "wsx"] {
            assert!(!leads(outside), "{outside}");
        }
    }
}
