//! A file that is read, and replaced at once or not at all.

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::error::SettingsError;

/// A file of settings as it was read.
#[derive(Debug)]
pub(super) struct File {
    /// The file, as it is named.
    pub(super) path: PathBuf,
    /// Where it really is, behind links.
    real: PathBuf,
    /// What is in it; nothing when there is none.
    pub(super) text: Option<String>,
    mode: u32,
}

/// What the copy of a file as it was before is called.
const BEFORE: &str = ".before-hookchain";

impl File {
    /// Reads it.
    pub(super) fn read(path: &Path) -> Result<Self, SettingsError> {
        let named = || path.to_owned();
        let unreadable = |source| SettingsError::Read {
            path: named(),
            source,
        };
        let absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        match path.symlink_metadata() {
            Err(error) if absent(&error) => {
                return Ok(Self {
                    path: named(),
                    real: named(),
                    text: None,
                    mode: 0o644,
                });
            }
            Err(source) => return Err(unreadable(source)),
            Ok(_) => {}
        }
        let real = match path.canonicalize() {
            Err(error) if absent(&error) => return Err(SettingsError::Dangling { path: named() }),
            found => found.map_err(unreadable)?,
        };
        let found = fs::metadata(&real).map_err(unreadable)?;
        if !found.is_file() {
            return Err(SettingsError::NoFile { path: named() });
        }
        let bytes = fs::read(&real).map_err(unreadable)?;
        let text =
            String::from_utf8(bytes).map_err(|_bytes| SettingsError::NotUtf8 { path: named() })?;
        Ok(Self {
            path: named(),
            real,
            text: Some(text),
            mode: found.permissions().mode() & 0o7777,
        })
    }

    /// The copy of the file as it was before the bridge was put in.
    pub(super) fn backup(&self) -> PathBuf {
        let mut name = self.real.file_name().unwrap_or_default().to_owned();
        name.push(BEFORE);
        self.real.with_file_name(name)
    }

    /// What is in the copy, if there is one.
    pub(super) fn before(&self) -> Option<String> {
        fs::read_to_string(self.backup()).ok()
    }

    /// Puts this text in the place of what was read.
    pub(super) fn replace(&self, text: &str) -> Result<(), SettingsError> {
        let failed = |source| self.failed(source);
        let temporary = self.staged(&self.real, text).map_err(failed)?;
        self.unchanged()?;
        let kept = temporary.persist(&self.real);
        kept.map_err(|refused| self.failed(refused.error))?;
        Ok(())
    }

    /// Takes away what was read.
    pub(super) fn remove(&self) -> Result<(), SettingsError> {
        self.unchanged()?;
        fs::remove_file(&self.real).map_err(|source| self.failed(source))
    }

    /// Keeps a copy of what was read. An older one is of an installation that is gone.
    pub(super) fn keep(&self) -> Result<Option<PathBuf>, SettingsError> {
        let Some(text) = &self.text else {
            self.forget()?;
            return Ok(None);
        };
        let path = self.backup();
        let failed = |source| SettingsError::Write {
            path: path.clone(),
            source,
        };
        let temporary = self.staged(&path, text).map_err(failed)?;
        temporary
            .persist(&path)
            .map_err(|refused| failed(refused.error))?;
        Ok(Some(path))
    }

    /// Takes the copy away.
    pub(super) fn forget(&self) -> Result<(), SettingsError> {
        let path = self.backup();
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(SettingsError::Write { path, source })
            }
            _ => Ok(()),
        }
    }

    fn failed(&self, source: io::Error) -> SettingsError {
        let path = self.path.clone();
        SettingsError::Write { path, source }
    }

    fn unchanged(&self) -> Result<(), SettingsError> {
        let now = match fs::read(&self.real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(self.failed(source)),
            Ok(bytes) => Some(bytes),
        };
        if now.as_deref() == self.text.as_ref().map(String::as_bytes) {
            return Ok(());
        }
        let path = self.path.clone();
        Err(SettingsError::Changed { path })
    }

    /// The whole text under another name, in the directory where it is to be, with the mode of the file.
    fn staged(&self, to: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut temporary = tempfile::Builder::new()
            .prefix(".hookchain-")
            .permissions(Permissions::from_mode(self.mode))
            .tempfile_in(folder)?;
        temporary.write_all(text.as_bytes())?;
        // The umask took something away.
        temporary
            .as_file()
            .set_permissions(Permissions::from_mode(self.mode))?;
        temporary.as_file().sync_all()?;
        Ok(temporary)
    }
}
