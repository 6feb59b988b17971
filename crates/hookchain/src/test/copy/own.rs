//! The folders for copies that this process has made and not removed yet, and those that a killed one has left.
//!
//! A folder is held by a lock as long as its process lives. So one that nothing holds is left, and the next process that makes one
//! removes it.

use std::{
    fs::{self, File, Permissions},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hook_source::FileReader;
use rustix::fs::{FlockOperation, flock};

static OWN: Mutex<Own> = Mutex::new(Own {
    folders: Vec::new(),
    is_over: false,
    has_swept: false,
});

/// What the folders are called, before letters that differ.
const PREFIX: &str = "hookchain-test-";
/// The file in a folder that its process has locked.
const HELD: &str = "held";
/// How many entries of the folder for temporary files are looked at.
const LOOKED_AT: usize = 10_000;

struct Own {
    /// The folders that there are, or that may still be there.
    folders: Vec<(PathBuf, File)>,
    /// Whether no further folder is made.
    is_over: bool,
    /// Whether what others have left was removed.
    has_swept: bool,
}

/// How often a folder is removed into which something is still put.
const ROUNDS: usize = 100;

fn own() -> MutexGuard<'static, Own> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a folder that is closed to other accounts, and known until it is removed.
pub(super) fn make() -> io::Result<PathBuf> {
    let mut own = own();
    if own.is_over {
        return Err(io::ErrorKind::Interrupted.into());
    }
    if !std::mem::replace(&mut own.has_swept, true) {
        sweep(&std::env::temp_dir());
    }
    let folder = tempfile::Builder::new()
        .prefix(PREFIX)
        .permissions(Permissions::from_mode(0o700))
        .tempdir()?;
    let held = File::create_new(folder.path().join(HELD))?;
    flock(&held, FlockOperation::LockExclusive)?;
    let folder = folder.keep();
    own.folders.push((folder.clone(), held));
    Ok(folder)
}

/// Removes the folders of this user that no process holds. What cannot be looked at stays.
fn sweep(temporary: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let entries = fs::read_dir(temporary).into_iter().flatten();
    for entry in entries.take(LOOKED_AT).flatten() {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let path = entry.path();
        let is_own =
            || fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && found.uid() == user);
        if is_named && is_own() && is_left(&path) {
            let _again_next_time = remove_whole(&path);
        }
    }
}

/// Whether no process holds the folder any more.
fn is_left(folder: &Path) -> bool {
    let reader = FileReader::new("a lock").without_link();
    let held = folder.join(HELD);
    let opened = reader.open(&held).ok().flatten();
    opened.is_some_and(|held| flock(held.file(), FlockOperation::NonBlockingLockExclusive).is_ok())
}

/// Removes a folder, also where parts of it cannot be written.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    remove_whole(folder)?;
    own().folders.retain(|(other, _)| other != folder);
    Ok(())
}

/// Removes every folder that is left, and has no further one made. For a process that ends at once, while others of its
/// threads may be at work in the folders.
pub(in crate::test) fn remove_all() {
    let mut own = own();
    own.is_over = true;
    for (folder, _held) in std::mem::take(&mut own.folders) {
        for _ in 0..ROUNDS {
            let _again = remove_whole(&folder);
            if fs::symlink_metadata(&folder).is_err() {
                break;
            }
        }
    }
}

fn remove_whole(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_protected) => {
            make_writable(folder)?;
            fs::remove_dir_all(folder)
        }
    }
}

fn make_writable(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_writable(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_what_is_held_is_not() {
        let temporary = tempfile::tempdir().expect("a folder");
        let at = |name: &str| temporary.path().join(name);
        for name in [
            "hookchain-test-left",
            "hookchain-test-held",
            "hookchain-test-without",
            "other-left",
        ] {
            fs::create_dir_all(at(name).join("ws/deep")).expect("made");
            if !name.ends_with("without") {
                fs::write(at(name).join(HELD), "").expect("written");
            }
        }
        fs::set_permissions(
            at("hookchain-test-left/ws/deep"),
            Permissions::from_mode(0o500),
        )
        .expect("its mode");
        std::os::unix::fs::symlink(at("other-left"), at("hookchain-test-link")).expect("a link");
        let held = File::open(at("hookchain-test-held").join(HELD)).expect("opened");
        flock(&held, FlockOperation::LockExclusive).expect("held");
        sweep(temporary.path());
        let left = |name: &str| at(name).exists();
        assert!(!left("hookchain-test-left"));
        for name in [
            "hookchain-test-held",
            "hookchain-test-without",
            "hookchain-test-link",
            "other-left/ws",
        ] {
            assert!(left(name), "{name}");
        }
    }
}
