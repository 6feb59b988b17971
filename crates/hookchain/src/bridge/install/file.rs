//! A file that is read with care, and replaced at once or not at all.
//!
//! It knows bytes, names and owners, and nothing of settings.

use std::{
    ffi::{OsStr, OsString},
    fs::Metadata,
    io,
    os::{fd::OwnedFd, unix::fs::MetadataExt as _},
    path::{Path, PathBuf},
};

use hook_source::{FileError, FileReader};

use super::{
    error::SettingsError,
    stage::{self, Attributes},
    swap::{self, Seat, Swapped},
};

/// A file of settings as it was read.
#[derive(Debug)]
pub(super) struct File {
    /// The file, as it is named.
    pub(super) path: PathBuf,
    /// Where it really is, behind links.
    pub(super) real: PathBuf,
    /// What is in it; nothing when there is none.
    pub(super) text: Option<String>,
    /// What the system knows of it.
    pub(super) metadata: Option<Metadata>,
    attributes: Attributes,
}

/// What the copy of a file as it was before is called; the next ones have a number as well.
const BEFORE: &str = ".before-hookchain";
/// How many copies there may be.
const COPIES: usize = 9;

impl File {
    /// Reads it. The settings of a project are not outside of it, whatever links it holds.
    pub(super) fn read(path: &Path, project: Option<&Path>) -> Result<Self, SettingsError> {
        let mut reader = FileReader::new("a file of settings");
        if let Some(project) = project {
            reader = reader.within(project);
        }
        let refused = |error| SettingsError::of_file(path, error);
        let Some(opened) = reader.open(path).map_err(refused)? else {
            let real = absent(path, project)?;
            return Ok(Self {
                path: path.to_owned(),
                real,
                text: None,
                metadata: None,
                attributes: Attributes::default(),
            });
        };
        let unreadable = |source| SettingsError::Read {
            path: path.to_owned(),
            source,
        };
        let metadata = opened.file().metadata().map_err(unreadable)?;
        let attributes = Attributes::of(opened.file()).map_err(unreadable)?;
        let bytes = opened.bytes().map_err(refused)?;
        let text = String::from_utf8(bytes).map_err(|_bytes| SettingsError::NotUtf8 {
            path: path.to_owned(),
        })?;
        let real = path.canonicalize().map_err(unreadable)?;
        inside(path, &real, project)?;
        // The path may lead to another file by now.
        let found = real.symlink_metadata().map_err(unreadable)?;
        if (found.dev(), found.ino()) != (metadata.dev(), metadata.ino()) {
            let path = path.to_owned();
            return Err(SettingsError::Changed { path });
        }
        Ok(Self {
            path: path.to_owned(),
            real,
            text: Some(text),
            metadata: Some(metadata),
            attributes,
        })
    }

    /// The copies that lie beside it, with what is in each. What is no file of text is none.
    pub(super) fn copies(&self) -> Vec<(PathBuf, String)> {
        let reader = FileReader::new("a copy of settings").without_link();
        let copy = |number| {
            let path = self.real.with_file_name(self.copy_name(number));
            let bytes = reader.open(&path).ok()??.bytes().ok()?;
            Some((path, String::from_utf8(bytes).ok()?))
        };
        (1..=COPIES).filter_map(copy).collect()
    }

    /// Takes a copy away, when it still holds this.
    pub(super) fn remove_copy(&self, path: &Path, text: &str) -> Result<(), SettingsError> {
        let failed = |source| SettingsError::Write {
            path: path.to_owned(),
            source,
        };
        let folder = self.folder().map_err(failed)?;
        let name = path.file_name().unwrap_or_default();
        let (seat, aside) = (seat(&folder, name), stage::name());
        if seat
            .empty(&aside, text.as_bytes(), &mut |_step| {})
            .map_err(failed)?
            == Swapped::Done
        {
            seat.remove(&aside).map_err(failed)?;
        }
        Ok(())
    }

    /// Puts this text in the place of what was read. Where a copy is wanted, it lies beside the file before anything changes.
    pub(super) fn replace(
        &self,
        text: &str,
        wants_copy: bool,
    ) -> Result<Option<PathBuf>, SettingsError> {
        self.has_one_name()?;
        let failed = |source| self.failed(source);
        stage::make_folder(self.parent()).map_err(failed)?;
        let folder = self.folder().map_err(failed)?;
        let seat = seat(&folder, self.name());
        let copy = match &self.text {
            Some(old) if wants_copy => Some(self.copy(&folder, old)?),
            _ => None,
        };
        let swapped = self.stage(&folder, text).and_then(|staged| {
            let swapped = match &self.text {
                Some(old) => seat.exchange(&staged, old.as_bytes(), &mut |_step| {}),
                None => seat.fill(&staged),
            };
            if !matches!(swapped, Ok(Swapped::Done)) {
                drop(seat.remove(&staged));
            }
            Ok((swapped.map_err(failed)?, staged))
        });
        match swapped {
            Ok((Swapped::Done, staged)) => self.put_aside(&folder, &staged, copy),
            failed => {
                if let (Some(copy), Some(old)) = (&copy, &self.text) {
                    self.remove_copy(copy, old)?;
                }
                Err(failed.err().unwrap_or_else(|| self.changed()))
            }
        }
    }

    /// What came out of the seat takes the place of the copy that was made of it, or is of no use. A program that had it open may
    /// have written into it since: then it is the copy of that.
    fn put_aside(
        &self,
        folder: &OwnedFd,
        name: &OsStr,
        copy: Option<PathBuf>,
    ) -> Result<Option<PathBuf>, SettingsError> {
        let failed = |source| self.failed(source);
        let Some(old) = &self.text else {
            return Ok(None);
        };
        let seat = seat(folder, self.name());
        if let Some(copy) = copy {
            // Where the two could not change places, nothing has come out.
            let _gone_already = seat.replace_by(copy.file_name().unwrap_or_default(), name);
            return Ok(Some(copy));
        }
        if seat.holds_or_is_gone(name, old.as_bytes()) {
            drop(seat.remove(name));
            return Ok(None);
        }
        for number in 1..=COPIES {
            let copy = self.copy_name(number);
            let filled = self::seat(folder, &copy).fill(name).map_err(failed)?;
            if filled == Swapped::Done {
                return Ok(Some(self.real.with_file_name(copy)));
            }
        }
        Ok(Some(self.real.with_file_name(name)))
    }

    /// Makes a copy of what was read, under the first name that is free.
    fn copy(&self, folder: &OwnedFd, text: &str) -> Result<PathBuf, SettingsError> {
        let staged = self.stage(folder, text)?;
        for number in 1..=COPIES {
            let name = self.copy_name(number);
            match seat(folder, &name).fill(&staged) {
                Ok(Swapped::Done) => return Ok(self.real.with_file_name(name)),
                Ok(Swapped::Changed) => {}
                Err(source) => {
                    drop(seat(folder, self.name()).remove(&staged));
                    return Err(self.failed(source));
                }
            }
        }
        drop(seat(folder, self.name()).remove(&staged));
        let path = self.real.with_file_name(self.copy_name(COPIES));
        Err(SettingsError::Copies { path })
    }

    /// Writes a text beside the file, and tells the name.
    fn stage(&self, folder: &OwnedFd, text: &str) -> Result<OsString, SettingsError> {
        let (old, attributes) = (self.metadata.as_ref(), &self.attributes);
        let staged = stage::write(&swap::path_of(folder, self.parent()), text, old, attributes);
        let staged = staged.map_err(|error| error.about(&self.path))?;
        Ok(staged.file_name().unwrap_or_default().to_owned())
    }

    /// Takes away what was read.
    pub(super) fn remove(&self) -> Result<(), SettingsError> {
        let failed = |source| self.failed(source);
        let folder = self.folder().map_err(failed)?;
        let (seat, aside) = (seat(&folder, self.name()), stage::name());
        let text = self.text.as_deref().unwrap_or_default();
        match seat
            .empty(&aside, text.as_bytes(), &mut |_step| {})
            .map_err(failed)?
        {
            Swapped::Done => seat.remove(&aside).map_err(failed),
            Swapped::Changed => Err(self.changed()),
        }
    }

    fn copy_name(&self, number: usize) -> OsString {
        let mut name = self.name().to_owned();
        name.push(BEFORE);
        if number > 1 {
            name.push(format!("-{number}"));
        }
        name
    }

    fn name(&self) -> &OsStr {
        self.real.file_name().unwrap_or_default()
    }

    fn parent(&self) -> &Path {
        let parent = self.real.parent();
        let parent = parent.filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new("."))
    }

    /// The folder, opened: what is done from here on is done in it, whatever its path leads to. It has to be the one in which
    /// the file was found, and no link that took its place.
    fn folder(&self) -> io::Result<OwnedFd> {
        let folder = swap::folder(self.parent())?;
        let real = std::fs::canonicalize(swap::path_of(&folder, self.parent()))?;
        if real == std::path::absolute(self.parent())? {
            Ok(folder)
        } else {
            Err(io::Error::other("its folder was replaced meanwhile"))
        }
    }

    /// A file with several names would be parted from the others.
    fn has_one_name(&self) -> Result<(), SettingsError> {
        match &self.metadata {
            Some(metadata) if metadata.nlink() > 1 => Err(SettingsError::Names {
                path: self.path.clone(),
                names: metadata.nlink(),
            }),
            _ => Ok(()),
        }
    }

    fn failed(&self, source: io::Error) -> SettingsError {
        let path = self.path.clone();
        SettingsError::Write { path, source }
    }

    fn changed(&self) -> SettingsError {
        let path = self.path.clone();
        SettingsError::Changed { path }
    }
}

fn seat<'a>(folder: &'a OwnedFd, name: &'a OsStr) -> Seat<'a> {
    Seat { folder, name }
}

/// Where a file that is not there would be, behind links of folders.
fn absent(path: &Path, project: Option<&Path>) -> Result<PathBuf, SettingsError> {
    let unreadable = |source| SettingsError::Read {
        path: path.to_owned(),
        source,
    };
    let path = std::path::absolute(path).map_err(unreadable)?;
    let there = path.ancestors().skip(1).find(|folder| folder.exists());
    let there = there.unwrap_or(Path::new("/"));
    let real = there.canonicalize().map_err(unreadable)?;
    inside(&path, &real, project)?;
    Ok(real.join(path.strip_prefix(there).unwrap_or(Path::new(""))))
}

/// Refuses what is not in the project, if it is one's settings.
fn inside(path: &Path, real: &Path, project: Option<&Path>) -> Result<(), SettingsError> {
    let Some(project) = project else {
        return Ok(());
    };
    let project = project
        .canonicalize()
        .map_err(|source| SettingsError::Read {
            path: path.to_owned(),
            source,
        })?;
    if real.starts_with(&project) {
        return Ok(());
    }
    let error = FileError::outside(path, &project);
    Err(SettingsError::of_file(path, error))
}
