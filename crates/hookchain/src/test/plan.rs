//! What of a workspace is copied: looked at once, for every case.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, Metadata},
    io,
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hook_source::FileError;
use ignore::WalkBuilder;
use thiserror::Error;

use super::ignored::Ignored;

/// How many files and directories a copy may have.
pub(super) const MAX_ENTRIES: usize = 200_000;

/// What holds hooks and their tests; copied whole, whatever git ignores.
const ALWAYS: &str = ".basis";

/// What nobody copies.
pub(super) const NEVER: &str = ".git";

/// Everything that is copied of a workspace, parents first.
#[derive(Debug)]
pub(super) struct Plan {
    /// Without symbolic links.
    pub(super) root: PathBuf,
    pub(super) entries: Vec<Entry>,
    /// How large a copy may be.
    pub(super) max_bytes: u64,
}

/// One file, directory or symbolic link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Below the root.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Directory { mode: u32 },
    File,
    Link { target: Target },
}

/// What a symbolic link of the copy leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// This path, as it is.
    AsItIs(PathBuf),
    /// This path below the root of the copy.
    InCopy(PathBuf),
}

/// What is copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) with_ignored: bool,
    pub(super) max_bytes: u64,
}

/// Why a workspace is not copied.
#[derive(Debug, Error)]
pub(crate) enum CopyError {
    #[error("cannot look into the workspace {}; pass the root of one", .path.display())]
    Workspace { path: PathBuf, source: io::Error },
    #[error("cannot look at everything in the workspace; repair it, or have .gitignore name it")]
    Walk(#[source] ignore::Error),
    /// What git ignores cannot be told.
    #[error(transparent)]
    Ignored(FileError),
    #[error(
        "a copy of the workspace would be larger than {mib} MiB; have .gitignore name what the cases do not need, or raise \
         the limit with --max-copy"
    )]
    TooLarge { mib: u64 },
    #[error(
        "a copy of the workspace would have more than {MAX_ENTRIES} files; have .gitignore name what the cases do not need"
    )]
    TooMany,
    #[error("cannot copy {}", .path.display())]
    Copy { path: PathBuf, source: io::Error },
    #[error("cannot make a directory for the copy")]
    Directory(#[source] io::Error),
    #[error("the directory for temporary files has a path that is not UTF-8: {}", .0.display())]
    Name(PathBuf),
    #[error("interrupted")]
    Interrupted,
}

impl CopyError {
    pub(super) const fn too_large(max_bytes: u64) -> Self {
        let mib = max_bytes / (1024 * 1024);
        Self::TooLarge { mib }
    }
}

impl Plan {
    /// Looks at the workspace, until `stop` is set.
    pub(super) fn make(
        workspace: &Path,
        extent: Extent,
        stop: &AtomicBool,
    ) -> Result<Self, CopyError> {
        let root = fs::canonicalize(workspace)
            .and_then(|root| fs::read_dir(&root).map(|_| root))
            .map_err(|source| CopyError::Workspace {
                path: workspace.to_owned(),
                source,
            })?;
        let mut plan = Self {
            root,
            entries: Vec::new(),
            max_bytes: extent.max_bytes,
        };
        let mut bytes = 0;
        let mut seen = HashSet::new();
        let ignored = (!extent.with_ignored).then(|| Arc::new(Ignored::of(&plan.root)));
        let walks = plan.walks(ignored.as_ref());
        for found in walks.iter().flat_map(WalkBuilder::build) {
            if stop.load(Ordering::Relaxed) {
                return Err(CopyError::Interrupted);
            }
            let found = found.map_err(CopyError::Walk)?;
            if let Some(error) = ignored.as_ref().and_then(|ignored| ignored.fault()) {
                return Err(CopyError::Ignored(error));
            }
            let metadata = found.metadata().map_err(CopyError::Walk)?;
            let is_new = plan.add(found.path(), &metadata, &mut seen)?;
            if is_new && metadata.is_file() {
                bytes += metadata.len();
            }
            if bytes > extent.max_bytes {
                return Err(CopyError::too_large(extent.max_bytes));
            }
        }
        // Of what is the last to be looked at, nothing may be left to hear of it.
        if let Some(error) = ignored.and_then(|ignored| ignored.fault()) {
            return Err(CopyError::Ignored(error));
        }
        // A link in its place stays one, as any other; a walk would follow it.
        let always = plan.root.join(ALWAYS);
        if let Ok(link) = always.symlink_metadata() {
            plan.add(&always, &link, &mut seen)?;
        }
        Ok(plan)
    }

    /// The whole workspace, and then what must not be missing of it.
    fn walks(&self, ignored: Option<&Arc<Ignored>>) -> Vec<WalkBuilder> {
        // The files that say what git ignores are read here, with care, and not by the walk.
        let walk = |root: PathBuf, ignored: Option<Arc<Ignored>>| {
            let mut walk = WalkBuilder::new(root);
            walk.standard_filters(false).filter_entry(move |entry| {
                let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
                let holds = |ignored: &Arc<Ignored>| ignored.holds(entry.path(), is_directory);
                entry.file_name() != OsStr::new(NEVER) && !ignored.as_ref().is_some_and(holds)
            });
            walk
        };
        let all = walk(self.root.clone(), ignored.cloned());
        let always = self.root.join(ALWAYS);
        let is_directory = always.symlink_metadata().is_ok_and(|found| found.is_dir());
        let always = is_directory.then(|| walk(always, None));
        [all].into_iter().chain(always).collect()
    }

    /// Says whether it was not there yet.
    fn add(
        &mut self,
        path: &Path,
        metadata: &Metadata,
        seen: &mut HashSet<PathBuf>,
    ) -> Result<bool, CopyError> {
        let Ok(below) = path.strip_prefix(&self.root) else {
            return Ok(false);
        };
        if below.as_os_str().is_empty() || !seen.insert(below.to_owned()) {
            return Ok(false);
        }
        let kind = if metadata.is_dir() {
            let mode = metadata.permissions().mode();
            Kind::Directory { mode }
        } else if metadata.is_symlink() {
            let target = fs::read_link(path).map_err(|source| CopyError::Copy {
                path: path.to_owned(),
                source,
            })?;
            Kind::Link {
                target: self.target(below, target),
            }
        } else if metadata.is_file() {
            Kind::File
        } else {
            // A pipe, a socket or a device has nothing to copy.
            return Ok(false);
        };
        if self.entries.len() >= MAX_ENTRIES {
            return Err(CopyError::TooMany);
        }
        self.entries.push(Entry {
            path: below.to_owned(),
            kind,
        });
        Ok(true)
    }

    /// A link that leads into the workspace, by whatever way, leads to the same place in the copy: a hook that writes to it
    /// must not change the original. One that leads out of the workspace leads where it led.
    fn target(&self, link: &Path, target: PathBuf) -> Target {
        let directory = link.parent().unwrap_or(Path::new(""));
        if target.is_relative() && stays_below(directory, &target) {
            return Target::AsItIs(target);
        }
        if let Ok(below) = target.strip_prefix(&self.root)
            && stays_below(Path::new(""), below)
        {
            return Target::InCopy(below.to_owned());
        }
        // An absolute target takes the place of what it is joined to.
        let path = self.root.join(directory).join(target);
        match resolved(&path).strip_prefix(&self.root) {
            Ok(below) => Target::InCopy(below.to_owned()),
            Err(_outside) => Target::AsItIs(path),
        }
    }
}

/// Whether a path that begins in this directory of the workspace never leaves the workspace, as it is written.
fn stays_below(directory: &Path, path: &Path) -> bool {
    let mut depth = directory.components().count();
    for part in path.components() {
        match part {
            Component::ParentDir if depth == 0 => return false,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    true
}

/// The path without symbolic links, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let there = path
        .ancestors()
        .find_map(|part| Some((part, fs::canonicalize(part).ok()?)));
    let Some((part, real)) = there else {
        return path.to_owned();
    };
    match path.strip_prefix(part) {
        Ok(rest) => real.join(rest),
        Err(_always_below) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests;
