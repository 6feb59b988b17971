//! A directory to run hooks in.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A workspace that is removed when it is dropped.
#[derive(Debug)]
pub struct Workspace {
    root: TempDir,
    path: PathBuf,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::named("ws")
    }

    /// An empty one whose directory has this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let root = tempfile::tempdir().expect("a directory");
        // The system's own spelling of it, which is what a program sees as its working directory.
        let path = root.path().canonicalize().expect("a path").join(name);
        fs::create_dir(&path).expect("a directory");
        Self { root, path }
    }

    /// Its directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory above, which belongs to it as well.
    #[must_use]
    pub fn above(&self) -> &Path {
        self.root.path()
    }

    /// Writes a file with these permission bits, and its directories.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("a mode");
        path
    }

    /// Whether a file of that name is in it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// The lines of a file that hooks mark; none when there is no such file.
    #[must_use]
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path.join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}
