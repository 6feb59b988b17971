//! What a hook puts into the environment of the commands that follow.

use std::{
    env, fs,
    io::Read,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use super::new_file::new_file;

/// How much of such a file is read.
const MAX_BYTES: u64 = 64 * 1024;

/// A file that one hook may write to; it is gone with this.
#[derive(Debug)]
pub(super) struct Exports {
    path: PathBuf,
}

impl Exports {
    /// An empty file; nothing where none can be made, because no hook decides by it.
    pub(super) fn new() -> Option<Self> {
        let (path, _empty) = new_file(&env::temp_dir(), "hookchain-exports").ok()?;
        Some(Self { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What was written; nothing when that is nothing, is no text, or is too much.
    pub(super) fn written(&self) -> Option<String> {
        let mut text = String::new();
        // What stands there now may be a pipe, which must not be waited for.
        let flags = i32::try_from(OFlags::NONBLOCK.bits()).ok()?;
        let mut options = fs::OpenOptions::new();
        let file = options
            .read(true)
            .custom_flags(flags)
            .open(&self.path)
            .ok()?;
        file.metadata().ok()?.is_file().then_some(())?;
        file.take(MAX_BYTES + 1).read_to_string(&mut text).ok()?;
        let whole = text.len() as u64 <= MAX_BYTES;
        (whole && !text.trim().is_empty()).then_some(text)
    }
}

impl Drop for Exports {
    fn drop(&mut self) {
        // Whoever has removed it already has done this.
        let _gone = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    #[test]
    fn a_file_is_there_for_as_long_as_its_hook_runs() {
        let exports = Exports::new().expect("a file");
        assert_eq!(exports.written(), None);
        fs::write(exports.path(), "export A=1\n").expect("written");
        assert_eq!(exports.written().as_deref(), Some("export A=1\n"));
        fs::write(exports.path(), "x".repeat(70_000)).expect("written");
        assert_eq!(exports.written(), None);
        let other = Exports::new().expect("another file");
        assert_ne!(exports.path(), other.path());
        let path = exports.path().to_owned();
        drop(exports);
        assert!(!path.exists());
    }

    #[test]
    fn a_pipe_in_its_place_is_not_waited_for() {
        let exports = Exports::new().expect("a file");
        fs::remove_file(exports.path()).expect("removed");
        mkfifoat(CWD, exports.path(), Mode::RUSR | Mode::WUSR).expect("a pipe");
        assert_eq!(exports.written(), None);
    }
}
