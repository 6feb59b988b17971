//! A text under another name, in the folder where it is to be, with the owner, mode and attributes that it is to have.

use std::{
    ffi::{CString, OsString},
    fs::{self, File, Metadata, Permissions},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Gid, Uid, XattrFlags},
    io::Errno,
};

use super::error::SettingsError;

/// What files beside the settings are called while something is done.
const PREFIX: &str = ".hookchain-";
/// The mode of a new file.
const MODE: u32 = 0o644;
/// How much an attribute may hold, and all of their names: what Linux allows.
const LARGEST: usize = 64 * 1024;

/// The extended attributes of a file, access control lists among them.
#[derive(Debug, Default)]
pub(super) struct Attributes(Vec<(CString, Vec<u8>)>);

/// Why a text could not be staged.
#[derive(Debug)]
pub(super) enum StageError {
    /// What the file has now cannot be kept.
    Kept { what: String, source: io::Error },
    /// The system does not do it.
    Write(io::Error),
}

impl From<io::Error> for StageError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl StageError {
    pub(super) fn about(self, path: &Path) -> SettingsError {
        let path = path.to_owned();
        match self {
            Self::Kept { what, source } => SettingsError::Kept { path, what, source },
            Self::Write(source) => SettingsError::Write { path, source },
        }
    }
}

impl Attributes {
    /// Those of an open file.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let mut names = vec![0_u8; LARGEST];
        let length = match rustix::fs::flistxattr(file, names.as_mut_slice()) {
            Ok(length) => length,
            Err(Errno::NOTSUP) => 0,
            Err(error) => return Err(error.into()),
        };
        names.truncate(length);
        let mut all = Vec::new();
        for name in names
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
        {
            let name = CString::new(name).map_err(io::Error::other)?;
            let mut value = vec![0_u8; LARGEST];
            let length = match rustix::fs::fgetxattr(file, &name, value.as_mut_slice()) {
                Ok(length) => length,
                // It is gone, or only for the system to read.
                Err(Errno::NODATA | Errno::PERM | Errno::ACCESS) => continue,
                Err(error) => return Err(error.into()),
            };
            value.truncate(length);
            all.push((name, value));
        }
        Ok(Self(all))
    }

    fn give(&self, file: &File) -> Result<(), StageError> {
        for (name, value) in &self.0 {
            let given = rustix::fs::fsetxattr(file, name, value, XattrFlags::empty());
            // A label of the system, which has labelled the new file itself.
            let of_system = name.to_bytes().starts_with(b"security.");
            if let Err(error) = given
                && !of_system
            {
                let what = format!("its attribute {}", name.to_string_lossy());
                let source = error.into();
                return Err(StageError::Kept { what, source });
            }
        }
        Ok(())
    }
}

/// A name in a folder that no file has.
pub(super) fn name() -> OsString {
    let made = tempfile::Builder::new()
        .prefix(PREFIX)
        .make(|path| Ok(path.to_owned()));
    let name = made
        .ok()
        .and_then(|made| made.as_file().file_name().map(ToOwned::to_owned));
    name.unwrap_or_else(|| format!("{PREFIX}{}", std::process::id()).into())
}

/// Writes the text. What a file has that is to be replaced, the new one has as well.
pub(super) fn write(
    folder: &Path,
    text: &str,
    old: Option<&Metadata>,
    attributes: &Attributes,
) -> Result<PathBuf, StageError> {
    let mode = old.map_or(MODE, |old| old.permissions().mode() & 0o7777);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    let mut temporary = builder
        .permissions(Permissions::from_mode(0o600))
        .tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    let file = temporary.as_file();
    let owner = match old {
        Some(old) => Some((old.uid(), old.gid())),
        None => inherited(folder)?,
    };
    if let Some((user, group)) = owner {
        own(file, user, group)?;
    }
    // A change of the owner takes some bits away, and the umask did others.
    file.set_permissions(Permissions::from_mode(mode))?;
    attributes.give(file)?;
    file.sync_all()?;
    let path = temporary.into_temp_path().keep();
    Ok(path.map_err(|refused| refused.error)?)
}

/// Makes a folder and those above it. Under another name than their user's own, they belong to whom the nearest one belongs.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .collect();
    for folder in missing.into_iter().rev() {
        fs::create_dir(folder)?;
        let above = folder.parent().unwrap_or(Path::new("/"));
        if let Some((user, group)) = inherited(above)? {
            std::os::unix::fs::chown(folder, Some(user), Some(group))?;
        }
    }
    Ok(())
}

/// To whom a new file in this folder belongs, where that is not whom the system gives it to: `sudo` is no reason for a
/// user's settings to be another's.
fn inherited(folder: &Path) -> io::Result<Option<(u32, u32)>> {
    let found = fs::metadata(folder)?;
    let root = rustix::process::geteuid().is_root();
    Ok((root && found.uid() != 0).then(|| (found.uid(), found.gid())))
}

fn own(file: &File, user: u32, group: u32) -> Result<(), StageError> {
    let now = file.metadata()?;
    let uid = (now.uid() != user).then(|| Uid::from_raw(user));
    let gid = (now.gid() != group).then(|| Gid::from_raw(group));
    if uid.is_none() && gid.is_none() {
        return Ok(());
    }
    rustix::fs::fchown(file, uid, gid).map_err(|error| {
        let what = format!("its owner {user}:{group}");
        let source = error.into();
        StageError::Kept { what, source }
    })
}
