//! What lies on the way to the folder.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
};

use super::{UNEXPECTED, there};
use crate::serve::{
    error::ServeError,
    identity::{TEMPORARY, variable},
};

/// As many links as the system follows.
const MAX_LINKS: usize = 40;

/// What may be on no way to the folder.
pub(super) struct Way {
    folders: Vec<((u64, u64), &'static str)>,
}

impl Way {
    /// What may be on none, for bridges of this workspace.
    pub(super) fn of(workspace: &Path) -> Self {
        let temporary = TEMPORARY.into_iter().filter_map(variable);
        let temporary = temporary.filter_map(|path| fs::metadata(path).ok());
        let temporary = temporary.map(|found| (found, "temporary files are kept"));
        let workspace = fs::metadata(workspace).ok();
        let workspace = workspace.map(|found| (found, "the workspace is"));
        let folders = temporary.chain(workspace);
        let folders = folders.map(|(found, why)| ((found.dev(), found.ino()), why));
        Self {
            folders: folders.collect(),
        }
    }

    /// Refuses a folder that may not be on the way.
    pub(super) fn visit(&self, path: &Path, found: &Metadata) -> Result<(), ServeError> {
        let same = (found.dev(), found.ino());
        let named = self.folders.iter().find(|(folder, _)| *folder == same);
        let why = match named {
            Some((_, why)) => why,
            None if found.mode() & 0o002 != 0 => "everybody may write",
            None => return Ok(()),
        };
        let through = path.to_owned();
        Err(ServeError::Through { through, why })
    }

    /// Visits each folder on the way, those that links lead through as well. The path without links; nothing when it is not there.
    pub(super) fn follow(&self, path: &Path) -> Result<Option<PathBuf>, ServeError> {
        let mut ahead: VecDeque<OsString> = parts(path);
        let root = Path::new("/");
        let mut at = root.to_owned();
        if let Some(found) = there(root)? {
            self.visit(root, &found)?;
        }
        let mut links = 0;
        while let Some(part) = ahead.pop_front() {
            if part == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            let Some(found) = there(&next)? else {
                return Ok(None);
            };
            if !found.is_symlink() {
                is_folder(&next, &found)?;
                self.visit(&next, &found)?;
                at = next;
                continue;
            }
            links += 1;
            let target = fs::read_link(&next).ok().filter(|_| links <= MAX_LINKS);
            let target = target.ok_or(ServeError::Unsafe {
                path: next,
                flaw: "it is a link that leads nowhere",
            })?;
            if target.is_absolute() {
                root.clone_into(&mut at);
            }
            let mut before = parts(&target);
            before.append(&mut ahead);
            ahead = before;
        }
        Ok(Some(at))
    }
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    });
    parts.collect()
}

/// A folder on the way may be another user's, but it has to be one.
fn is_folder(path: &Path, found: &Metadata) -> Result<(), ServeError> {
    if found.is_dir() {
        return Ok(());
    }
    Err(ServeError::Unsafe {
        path: path.to_owned(),
        flaw: UNEXPECTED,
    })
}
