//! The folders for copies that this process has made and not removed yet.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

static OWN: Mutex<Own> = Mutex::new(Own {
    folders: Vec::new(),
    is_over: false,
});

struct Own {
    /// The folders that there are, or that may still be there.
    folders: Vec<PathBuf>,
    /// Whether no further folder is made.
    is_over: bool,
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
    let folder = tempfile::Builder::new()
        .prefix("hookchain-test-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()?
        .keep();
    own.folders.push(folder.clone());
    Ok(folder)
}

/// Removes a folder, also where parts of it cannot be written.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    remove_whole(folder)?;
    own().folders.retain(|other| other != folder);
    Ok(())
}

/// Removes every folder that is left, and has no further one made. For a process that ends at once, while others of its
/// threads may be at work in the folders.
pub(in crate::test) fn remove_all() {
    let mut own = own();
    own.is_over = true;
    for folder in std::mem::take(&mut own.folders) {
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
