//! What was done to a file of settings, so that it can be undone and nothing else is.
//!
//! A record lies in the user's own state folder, because what lies beside the settings may have come with a repository. It
//! only ever allows more: without a record no file and no copy is removed, and no program but this one is known.

use std::{
    fs::{self, Metadata},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use hook_source::FileReader;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::state;

/// What is known of one file of settings.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The file, by its real path.
    file: String,
    /// The programs that entries in it may start.
    #[serde(default)]
    pub(super) programs: Vec<String>,
    /// The file as it was written last.
    #[serde(default)]
    wrote: Option<Wrote>,
    /// The copies that were made of it.
    #[serde(default)]
    copies: Vec<Kept>,
    /// Where the record lies.
    #[serde(skip)]
    place: Option<PathBuf>,
}

/// A file that this program has written, as the system knew it afterwards.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Wrote {
    /// Whether there was no file before the first time.
    made: bool,
    device: u64,
    inode: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    digest: String,
}

/// A copy of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    path: PathBuf,
    digest: String,
}

impl Record {
    /// What is known of the file with this real path. A record that cannot be read says nothing.
    pub(super) fn of(real: &Path) -> Self {
        let state = state::base().ok().map(|base| base.join("hookchain"));
        Self::read_in(state, real)
    }

    fn read_in(state: Option<PathBuf>, real: &Path) -> Self {
        let name = format!("{}.json", digest(real.as_os_str().as_encoded_bytes()));
        let place = state.map(|state| state.join("installed").join(name));
        let reader = FileReader::new("a record of an installation").without_link();
        let file = |place: &PathBuf| reader.read(place).ok().flatten();
        let text = place.as_ref().and_then(file).map(|file| file.text);
        let record = text.and_then(|text| serde_json::from_str::<Self>(&text).ok());
        let file = real.display().to_string();
        let record = record.filter(|record| record.file == file);
        Self {
            file,
            place,
            ..record.unwrap_or_default()
        }
    }

    /// Notes that entries in the file may start this program.
    pub(super) fn starts(&mut self, program: &str) {
        if !self.programs.iter().any(|known| known == program) {
            self.programs.push(program.to_owned());
        }
    }

    /// Notes that the file was written, with this text, and whether there was none before the first time.
    pub(super) fn has_written(&mut self, metadata: &Metadata, text: &str, made: bool) {
        self.wrote = Some(Wrote::of(metadata, text, made));
    }

    /// Whether the file is just as it was written last: all that others have in it is in an earlier copy.
    pub(super) fn wrote(&self, metadata: &Metadata, text: &str) -> bool {
        self.was_written(metadata, text, false) || self.made(metadata, text)
    }

    /// Whether there was no file before, and it is just as it was written last.
    pub(super) fn made(&self, metadata: &Metadata, text: &str) -> bool {
        self.was_written(metadata, text, true)
    }

    fn was_written(&self, metadata: &Metadata, text: &str, made: bool) -> bool {
        self.wrote.as_ref() == Some(&Wrote::of(metadata, text, made))
    }

    /// Notes that a copy with this text was made.
    pub(super) fn has_kept(&mut self, path: PathBuf, text: &str) {
        let digest = digest(text.as_bytes());
        self.copies.push(Kept { path, digest });
    }

    /// Whether that copy was made by this program, and is as it was made.
    pub(super) fn kept(&self, path: &Path, text: &str) -> bool {
        let digest = digest(text.as_bytes());
        let same = |kept: &Kept| kept.path == path && kept.digest == digest;
        self.copies.iter().any(same)
    }

    /// Notes that a copy is gone.
    pub(super) fn forgets(&mut self, path: &Path) {
        self.copies.retain(|kept| kept.path != path);
    }

    /// Notes that the file is without entries, or gone.
    pub(super) fn is_over(&mut self) {
        self.programs.clear();
        self.wrote = None;
    }

    /// Writes the record, or removes one that says nothing any more.
    pub(super) fn save(&self) -> io::Result<()> {
        let Some(place) = &self.place else {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "neither XDG_STATE_HOME nor HOME names a folder",
            ));
        };
        if self.programs.is_empty() && self.wrote.is_none() && self.copies.is_empty() {
            return match fs::remove_file(place) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let folder = place.parent().unwrap_or(place);
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec(self).map_err(io::Error::other)?)?;
        file.as_file().sync_all()?;
        file.persist(place).map_err(|refused| refused.error)?;
        Ok(())
    }
}

impl Wrote {
    fn of(metadata: &Metadata, text: &str, made: bool) -> Self {
        Self {
            made,
            device: metadata.dev(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            digest: digest(text.as_bytes()),
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        for half in [byte >> 4, byte & 15] {
            text.push(char::from_digit(half.into(), 16).unwrap_or('0'));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_what_was_done_and_nothing_of_another_file() {
        let state = tempfile::tempdir().expect("a folder");
        let file = state.path().join("settings.json");
        let other = state.path().join("other.json");
        for path in [&file, &other] {
            fs::write(path, "{}").expect("written");
        }
        let metadata = |path: &Path| fs::metadata(path).expect("its metadata");
        let read = |path: &Path| Record::read_in(Some(state.path().join("s")), path);
        let mut record = read(&file);
        assert!(!record.made(&metadata(&file), "{}"));
        record.starts("/opt/hookchain");
        record.starts("/opt/hookchain");
        record.has_written(&metadata(&file), "{}", true);
        record.has_kept("copy".into(), "old");
        record.save().expect("saved");
        let record = read(&file);
        assert_eq!(record.programs, ["/opt/hookchain"]);
        assert!(record.made(&metadata(&file), "{}"));
        assert!(!record.made(&metadata(&file), "{ }"));
        assert!(!record.made(&metadata(&other), "{}"));
        assert!(record.wrote(&metadata(&file), "{}"));
        assert!(record.kept(Path::new("copy"), "old"));
        assert!(!record.kept(Path::new("copy"), "new"));
        assert!(!record.kept(Path::new("copy-2"), "old"));
        assert!(read(&other).programs.is_empty());
    }

    #[test]
    fn a_record_that_says_nothing_is_removed() {
        let state = tempfile::tempdir().expect("a folder");
        let read = || Record::read_in(Some(state.path().to_owned()), Path::new("/f"));
        let mut record = read();
        record.save().expect("nothing to save");
        record.starts("p");
        record.save().expect("saved");
        let count = || fs::read_dir(state.path().join("installed")).map_or(0, Iterator::count);
        assert_eq!(count(), 1);
        record.is_over();
        record.save().expect("removed");
        assert_eq!(count(), 0);
        assert!(Record::read_in(None, Path::new("/f")).save().is_err());
    }
}
