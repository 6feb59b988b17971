//! The folder of the user in which servers listen and their records are.

mod way;

use std::{
    ffi::OsString,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io,
    os::{
        fd::AsRawFd,
        unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use self::way::Way;
use super::error::ServeError;
use crate::state::{self, NoState};

/// The folder, opened. What is done in it is done in this folder, whichever one has its name by then.
///
/// Only the user can reach it, and nothing on the way to it is a folder into which a sandbox lets the commands of an agent write: no
/// folder into which everybody may write, not the workspace, not the one for temporary files. What is not so is refused, and
/// not repaired.
#[derive(Debug)]
pub(crate) struct State {
    path: PathBuf,
    folder: File,
}

/// Below what `XDG_STATE_HOME` names.
const BELOW: [&str; 2] = ["hookchain", "serve"];

impl State {
    /// The folder, if it is there.
    pub(super) fn find(workspace: &Path) -> Result<Option<Self>, ServeError> {
        Self::below(&base()?, workspace)
    }

    /// The folder, which is made unless it is there.
    pub(super) fn make(workspace: &Path) -> Result<Self, ServeError> {
        let base = base()?;
        if let Some(state) = Self::below(&base, workspace)? {
            return Ok(state);
        }
        let path = BELOW
            .iter()
            .fold(base.clone(), |path, name| path.join(name));
        let failed = |source| ServeError::Listen {
            path: path.clone(),
            source,
        };
        let mut folder = DirBuilder::new();
        folder.recursive(true).mode(0o700);
        folder.create(&path).map_err(failed)?;
        Self::below(&base, workspace)?.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))
    }

    fn below(base: &Path, workspace: &Path) -> Result<Option<Self>, ServeError> {
        let way = Way::of(workspace);
        let Some(mut path) = way.follow(base)? else {
            return Ok(None);
        };
        let mut last = None;
        for (name, closed_to_others) in BELOW.into_iter().zip([0o022, 0o077]) {
            path.push(name);
            let Some(found) = there(&path)? else {
                return Ok(None);
            };
            own(&path, &found, found.is_dir(), closed_to_others)?;
            way.visit(&path, &found)?;
            last = Some(found);
        }
        let failed = |source| ServeError::Listen {
            path: path.clone(),
            source,
        };
        let mut options = OpenOptions::new();
        options.read(true);
        options.custom_flags((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits().cast_signed());
        let folder = options.open(&path).map_err(failed)?;
        let opened = folder.metadata().map_err(failed)?;
        if !last.is_some_and(|last| is_same(&last, &opened)) {
            return Err(failed(io::ErrorKind::NotFound.into()));
        }
        Ok(Some(Self { path, folder }))
    }

    /// The path of a file in it, as a person is told it.
    pub(super) fn shown(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    /// The path by which this process reaches a file in it. It is short enough for the address of a socket.
    pub(super) fn at(&self, file: &str) -> PathBuf {
        self.here().join(file)
    }

    fn here(&self) -> PathBuf {
        if cfg!(target_os = "linux") {
            format!("/proc/self/fd/{}", self.folder.as_raw_fd()).into()
        } else {
            self.path.clone()
        }
    }

    /// What is there under this name; links are not followed.
    pub(super) fn look(&self, file: &str) -> Result<Option<Metadata>, ServeError> {
        there(&self.at(file))
    }

    /// Opens a file; links are not followed, and no pipe is waited for.
    pub(super) fn open(&self, file: &str, options: &mut OpenOptions) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
        options.open(self.at(file))
    }

    /// Removes a file, unless there is none.
    pub(super) fn remove(&self, file: &str) -> io::Result<()> {
        match fs::remove_file(self.at(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Removes a file if it is still this one.
    pub(super) fn remove_own(&self, file: &str, own: &Metadata) {
        if self.is(file, own) {
            let _gone_or_left = self.remove(file);
        }
    }

    /// Whether this file still has the name.
    pub(super) fn is(&self, file: &str, own: &Metadata) -> bool {
        let found = self.at(file).symlink_metadata();
        found.is_ok_and(|found| is_same(&found, own))
    }

    /// The names of the files in it.
    pub(super) fn files(&self) -> io::Result<Vec<String>> {
        let files = fs::read_dir(self.here())?;
        let names = files.map(|file| Ok(file?.file_name()));
        let names = names.collect::<io::Result<Vec<OsString>>>()?;
        Ok(names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .collect())
    }

    /// The folder, opened once more, for a lock of its own.
    pub(super) fn again(&self) -> io::Result<File> {
        File::open(self.here())
    }
}

/// What `XDG_STATE_HOME` says, or the place that it stands for.
fn base() -> Result<PathBuf, ServeError> {
    state::base().map_err(|error| match error {
        NoState::NoHome => ServeError::NoHome,
        NoState::Relative(path) => ServeError::Relative { path },
    })
}

/// What is at a path, links not followed.
fn there(path: &Path) -> Result<Option<Metadata>, ServeError> {
    match path.symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ServeError::Listen {
            path: path.to_owned(),
            source,
        }),
    }
}

const UNEXPECTED: &str = "it is something else than is expected there";

/// Refuses what is not the user's own, or has one of these bits in its mode.
pub(super) fn own(
    path: &Path,
    found: &Metadata,
    is_as_expected: bool,
    closed_to_others: u32,
) -> Result<(), ServeError> {
    let flaw = if !is_as_expected {
        UNEXPECTED
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "it belongs to another user"
    } else if found.mode() & closed_to_others != 0 {
        "its mode lets other users in"
    } else {
        return Ok(());
    };
    let path = path.to_owned();
    Err(ServeError::Unsafe { path, flaw })
}

/// Whether two looks have seen the same file.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(test)]
mod tests;
