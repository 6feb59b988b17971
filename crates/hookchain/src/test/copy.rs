//! A copy of the workspace for one case, which is gone when the case is over.

mod own;

use std::{
    fs::{self, File, Permissions},
    io::{self, Read},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use hook_source::FileReader;

pub(super) use self::own::remove_all;
use super::{
    case::NewFile,
    plan::{CopyError, Kind, Plan, Target},
};
use crate::streams::diagnose;

/// A copy of a workspace in a directory of its own. Dropping it removes both.
#[derive(Debug)]
pub(super) struct Copy {
    /// Readable by nobody else, since the workspace may not be.
    directory: PathBuf,
    root: PathBuf,
    /// The root as text.
    shown: String,
}

impl Copy {
    /// Copies what the plan says, until `stop` is set.
    pub(super) fn of(plan: &Plan, stop: &AtomicBool) -> Result<Self, CopyError> {
        let copy = Self::empty(&plan.root)?;
        let mut modes = Vec::new();
        let mut left = plan.max_bytes;
        for entry in &plan.entries {
            if stop.load(Ordering::Relaxed) {
                return Err(CopyError::Interrupted);
            }
            let (from, to) = (plan.root.join(&entry.path), copy.root.join(&entry.path));
            let done = match &entry.kind {
                Kind::Directory { mode } => {
                    modes.push((to.clone(), *mode));
                    fs::create_dir(&to)
                }
                Kind::File => match copy_file(&from, &to, &mut left, stop) {
                    Ok(true) => Ok(()),
                    Ok(false) if stop.load(Ordering::Relaxed) => {
                        return Err(CopyError::Interrupted);
                    }
                    Ok(false) => return Err(CopyError::too_large(plan.max_bytes)),
                    Err(error) => Err(error),
                },
                Kind::Link { target } => match target {
                    Target::AsItIs(target) => symlink(target, &to),
                    Target::InCopy(below) => symlink(copy.root.join(below), &to),
                },
            };
            done.map_err(|source| CopyError::Copy { path: from, source })?;
        }
        // Last, because nothing can be put into a directory that cannot be written.
        for (path, mode) in modes.into_iter().rev() {
            fs::set_permissions(&path, Permissions::from_mode(mode))
                .map_err(|source| CopyError::Copy { path, source })?;
        }
        Ok(copy)
    }

    fn empty(original: &Path) -> Result<Self, CopyError> {
        let directory = own::make().map_err(CopyError::Directory)?;
        let mut copy = Self {
            root: directory.clone(),
            directory,
            shown: String::new(),
        };
        // What a program that asks where it is would be told.
        let directory = fs::canonicalize(&copy.directory).map_err(CopyError::Directory)?;
        let name = original.file_name().and_then(|name| name.to_str());
        copy.root = directory.join(name.unwrap_or("workspace"));
        let Some(shown) = copy.root.to_str() else {
            return Err(CopyError::Name(copy.root.clone()));
        };
        copy.shown = shown.to_owned();
        fs::create_dir(&copy.root).map_err(CopyError::Directory)?;
        Ok(copy)
    }

    /// The root of the copied workspace.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The same as text.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Creates a file of a case. No part of its path may be a symbolic link, which could lead out of the copy.
    pub(super) fn create(&self, file: &NewFile) -> io::Result<()> {
        let mut directory = self.root.clone();
        for part in file.path.parent().unwrap_or(Path::new("")).components() {
            directory.push(part);
            match directory.symlink_metadata() {
                Ok(found) if found.is_dir() => {}
                Ok(found) if found.is_symlink() => {
                    return Err(io::Error::other(
                        "a directory of its path is a symbolic link",
                    ));
                }
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::create_dir(&directory)?;
                }
                Err(error) => return Err(error),
            }
        }
        let path = self.root.join(&file.path);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::write(&path, file.text.text(&self.shown))?;
        let mode = if file.executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, Permissions::from_mode(mode))
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        if let Err(error) = own::remove(&self.directory) {
            let directory = self.directory.display();
            diagnose(&format!("warning: cannot remove {directory}: {error}"));
        }
    }
}

/// How much is copied before it is looked whether the run is to end.
const CHUNK: u64 = 16 * 1024 * 1024;

/// Copies what a regular file holds, and its mode. Says whether that is all: not when more than `left` would be copied, and not
/// when `stop` is set.
///
/// The workspace may have changed since it was looked at. A file that is not there any more is one that was removed in the
/// meantime, such as an editor's. One that became something else is not opened, and one that grows has an end.
fn copy_file(from: &Path, to: &Path, left: &mut u64, stop: &AtomicBool) -> io::Result<bool> {
    let reader = FileReader::new("a file of the workspace").without_link();
    let Some(opened) = reader.open(from).map_err(io::Error::other)? else {
        return Ok(true);
    };
    let source = opened.into_file();
    let mut target = File::create_new(to)?;
    loop {
        let most = CHUNK.min(left.saturating_add(1));
        let copied = io::copy(&mut (&source).take(most), &mut target)?;
        if copied == 0 {
            break;
        }
        match left.checked_sub(copied) {
            Some(rest) if !stop.load(Ordering::Relaxed) => *left = rest,
            Some(_) | None => return Ok(false),
        }
    }
    target.set_permissions(source.metadata()?.permissions())?;
    Ok(true)
}

#[cfg(test)]
mod tests;
