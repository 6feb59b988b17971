//! Where the repository of a workspace begins.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::load::absolute;

/// The folder that holds `.git`, a folder in a repository and a file in a worktree: the workspace itself or the nearest
/// folder above it. Nothing where there is none.
pub(super) fn root(workspace: &Path) -> Option<PathBuf> {
    let workspace = absolute(workspace);
    let mut above = workspace.ancestors();
    above
        .find(|folder| folder.join(".git").exists())
        .map(Path::to_owned)
}

/// The root of the repository where it lies above the workspace and belongs to the workspace's owner.
///
/// In a folder that everybody may write to, such as `/tmp`, another account could make a repository of everything below.
pub(super) fn root_above(workspace: &Path) -> Option<PathBuf> {
    let owner = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.uid());
    // As for git, an empty folder of that name is no repository.
    let is_one = |folder: &&Path| {
        let git = folder.join(".git");
        git.is_file() || git.join("HEAD").exists()
    };
    let root = absolute(workspace).ancestors().find(is_one)?.to_owned();
    let is_own = owner(&root.join(".git"))? == owner(workspace)?;
    (is_own && root != absolute(workspace)).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_with_git_is_the_root_whether_git_is_a_folder_or_a_file() {
        let machine = tempfile::tempdir().expect("a folder");
        let at = |path: &str| machine.path().join(path);
        fs::create_dir_all(at("repo/.git")).expect("a repository");
        fs::write(at("repo/.git/HEAD"), "ref: refs/heads/main\n").expect("a repository");
        fs::create_dir_all(at("repo/tree/sub/folder")).expect("folders");
        assert_eq!(root_above(&at("repo/tree/sub")), Some(at("repo")));
        assert_eq!(root_above(&at("repo")), None);
        fs::create_dir(at("repo/tree/sub/.git")).expect("an empty folder");
        assert_eq!(root_above(&at("repo/tree/sub/folder")), Some(at("repo")));
        fs::write(at("repo/tree/.git"), "gitdir: ../.git/worktrees/tree\n").expect("a worktree");
        assert_eq!(
            root_above(&at("repo/tree/sub/folder")),
            Some(at("repo/tree"))
        );
        assert_eq!(root(&at("repo/tree")), Some(at("repo/tree")));
    }
}
