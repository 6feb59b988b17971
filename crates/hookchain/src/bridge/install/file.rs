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
        Ok(Self {
            path: path.to_owned(),
            real: path.canonicalize().map_err(unreadable)?,
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
        let staged = self.stage(text)?;
        let swapped = match &self.text {
            Some(old) => seat.exchange(&staged, old.as_bytes(), &mut |_step| {}),
            None => seat.fill(&staged),
        };
        // What is under this name now is what was read, or what was to be written: it is in the copy, or of no use. Where the
        // two could not change places nothing is there any more.
        if swapped.is_ok() {
            drop(seat.remove(&staged));
        }
        match swapped.map_err(failed)? {
            Swapped::Done => Ok(copy),
            Swapped::Changed => {
                if let (Some(copy), Some(old)) = (&copy, &self.text) {
                    self.remove_copy(copy, old)?;
                }
                Err(self.changed())
            }
        }
    }

    /// Makes a copy of what was read, under the first name that is free.
    fn copy(&self, folder: &OwnedFd, text: &str) -> Result<PathBuf, SettingsError> {
        let staged = self.stage(text)?;
        for number in 1..=COPIES {
            let name = self.copy_name(number);
            let filled = seat(folder, &name).fill(&staged);
            match filled.map_err(|source| self.failed(source))? {
                Swapped::Done => return Ok(self.real.with_file_name(name)),
                Swapped::Changed => {}
            }
        }
        drop(seat(folder, self.name()).remove(&staged));
        let path = self.real.with_file_name(self.copy_name(COPIES));
        Err(SettingsError::Copies { path })
    }

    /// Writes a text beside the file, and tells the name.
    fn stage(&self, text: &str) -> Result<OsString, SettingsError> {
        let (old, attributes) = (self.metadata.as_ref(), &self.attributes);
        let staged = stage::write(self.parent(), text, old, attributes);
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

    fn folder(&self) -> io::Result<OwnedFd> {
        swap::folder(self.parent())
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
    if let Some(project) = project {
        let project = project.canonicalize().map_err(unreadable)?;
        if !real.starts_with(&project) {
            let error = FileError::outside(&path, &project);
            return Err(SettingsError::of_file(&path, error));
        }
    }
    Ok(real.join(path.strip_prefix(there).unwrap_or(Path::new(""))))
}
