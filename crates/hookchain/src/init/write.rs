//! Files that appear all of them or none, and replace nothing.

use std::{
    fs::{self, DirBuilder, Permissions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Component, Path, PathBuf},
};

use tempfile::NamedTempFile;
use thiserror::Error;

use super::starter::NewFile;

/// Why nothing was written.
#[derive(Debug, Error)]
pub(crate) enum InitError {
    #[error("{} {} already; nothing was written", listed(.paths), if .paths.len() == 1 { "exists" } else { "exist" })]
    Exists { paths: Vec<PathBuf> },
    #[error(
        "{} is a symbolic link, and what is behind it may not be part of the workspace; nothing was written",
        .path.display()
    )]
    Link { path: PathBuf },
    #[error("{} is not a directory; nothing was written", .path.display())]
    NotADirectory { path: PathBuf },
    #[error("cannot write {}; nothing was written", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Writes the files below `root`, which must exist.
pub(super) fn all(root: &Path, files: &[NewFile]) -> Result<(), InitError> {
    if !fs::metadata(root).is_ok_and(|found| found.is_dir()) {
        let path = root.to_owned();
        return Err(InitError::NotADirectory { path });
    }
    let mut paths = Vec::new();
    for file in files {
        refuse_links(root, file.path)?;
        let path = path(root, file.path);
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(InitError::Write { path, source }),
            Ok(_) => paths.push(path),
        }
    }
    if !paths.is_empty() {
        return Err(InitError::Exists { paths });
    }
    let mut undo = Undo::default();
    let mut staged = Vec::new();
    for file in files {
        let path = path(root, file.path);
        let written = undo
            .directories_above(root, file.path)
            .and_then(|directory| stage(file, &directory));
        match written {
            Ok(temporary) => staged.push((path, temporary)),
            Err(source) => return Err(InitError::Write { path, source }),
        }
    }
    for (path, temporary) in staged {
        match temporary.persist_noclobber(&path) {
            Ok(_file) => undo.files.push(path),
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(InitError::Exists { paths: vec![path] });
            }
            Err(refused) => {
                let source = refused.error;
                return Err(InitError::Write { path, source });
            }
        }
    }
    undo.keep();
    Ok(())
}

/// Where a file is, without a `./` in front that nobody writes.
pub(super) fn path(root: &Path, below: impl AsRef<Path>) -> PathBuf {
    let path = root.join(below);
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

fn listed(paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| path.display().to_string());
    paths.collect::<Vec<_>>().join(", ")
}

/// A link in place of a directory would lead somewhere else.
fn refuse_links(root: &Path, below: &str) -> Result<(), InitError> {
    let mut directories: Vec<&Path> = Path::new(below).ancestors().skip(1).collect();
    directories.reverse();
    for directory in directories.into_iter().skip(1) {
        let path = path(root, directory);
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => return Err(InitError::Link { path }),
            Ok(found) if !found.is_dir() => return Err(InitError::NotADirectory { path }),
            Ok(_) => {}
            // Neither is anything below it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(InitError::Write { path, source }),
        }
    }
    Ok(())
}

/// The whole file under another name, in the directory where it is to be.
fn stage(file: &NewFile, directory: &Path) -> io::Result<NamedTempFile> {
    let mode = if file.executable { 0o755 } else { 0o644 };
    let mut temporary = tempfile::Builder::new()
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(directory)?;
    temporary.write_all(file.text.as_bytes())?;
    temporary.flush()?;
    Ok(temporary)
}

/// What was made so far; removed again unless it is kept.
#[derive(Default)]
struct Undo {
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Undo {
    /// Makes the directories on the way to a file.
    fn directories_above(&mut self, root: &Path, below: &str) -> io::Result<PathBuf> {
        let mut path = root.to_owned();
        for part in Path::new(below)
            .parent()
            .into_iter()
            .flat_map(Path::components)
        {
            if !matches!(part, Component::Normal(_)) {
                continue;
            }
            path.push(part);
            // Whatever the umask: where others may write, `check` finds fault with the hooks.
            match DirBuilder::new().mode(0o755).create(&path) {
                Ok(()) => self.directories.push(path.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(path)
    }

    fn keep(mut self) {
        self.files.clear();
        self.directories.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        for file in &self.files {
            let _stays = fs::remove_file(file);
        }
        // A directory in which somebody else has put something stays.
        for directory in self.directories.iter().rev() {
            let _stays = fs::remove_dir(directory);
        }
    }
}
