//! Where a server listens, and why nobody else can.

use std::{
    fs::{self, DirBuilder, Metadata},
    io,
    os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use super::{
    error::ServeError,
    identity::{Identity, variable},
};

/// A directory of the user's own, and in it a socket and the file that makes its server the only one.
///
/// The directory is looked at before anything in it is used, and after somebody has answered there, the system is asked who
/// that was: what an attacker has put there first is refused, and not repaired.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    directory: PathBuf,
    socket: PathBuf,
    lock: PathBuf,
}

/// What is in the place of the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Socket,
}

/// The address of a socket has 108 bytes on Linux and 104 on macOS, the last of them a NUL.
const LONGEST: usize = 103;

impl Place {
    /// The place of this server.
    pub(crate) fn of(identity: &Identity) -> Self {
        let runtime = variable("XDG_RUNTIME_DIR").map(PathBuf::from);
        Self::in_runtime(runtime.as_deref(), identity.name())
    }

    fn in_runtime(runtime: Option<&Path>, name: &str) -> Self {
        let file = format!("{name}.sock");
        let room = |directory: &PathBuf| directory.as_os_str().len() + 1 + file.len() <= LONGEST;
        let runtime = runtime.filter(|path| path.is_absolute());
        let directory = runtime
            .map(|path| path.join("hookchain"))
            .filter(room)
            .unwrap_or_else(|| {
                let user = rustix::process::geteuid().as_raw();
                format!("/tmp/hookchain-{user}").into()
            });
        Self {
            socket: directory.join(file),
            lock: directory.join(format!("{name}.lock")),
            directory,
        }
    }

    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(super) fn lock(&self) -> &Path {
        &self.lock
    }

    /// What is there, if it can only be the user's own.
    pub(crate) fn look(&self) -> Result<Found, ServeError> {
        let Some(directory) = there(&self.directory)? else {
            return Ok(Found::Nothing);
        };
        own(&self.directory, &directory, directory.is_dir())?;
        let Some(socket) = there(&self.socket)? else {
            return Ok(Found::Nothing);
        };
        own(&self.socket, &socket, socket.file_type().is_socket())?;
        Ok(Found::Socket)
    }

    /// Makes the directory, unless it is there.
    pub(super) fn make(&self) -> Result<(), ServeError> {
        match DirBuilder::new().mode(0o700).create(&self.directory) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                return Err(ServeError::Listen {
                    path: self.directory.clone(),
                    source,
                });
            }
            Ok(()) | Err(_) => {}
        }
        match there(&self.directory)? {
            Some(found) => own(&self.directory, &found, found.is_dir()),
            None => Err(ServeError::Listen {
                path: self.directory.clone(),
                source: io::ErrorKind::NotFound.into(),
            }),
        }
    }
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

fn own(path: &Path, found: &Metadata, is_as_expected: bool) -> Result<(), ServeError> {
    let flaw = if !is_as_expected {
        "it is something else than is expected there"
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "it belongs to another user"
    } else if found.mode() & 0o077 != 0 {
        "its mode lets other users in"
    } else {
        return Ok(());
    };
    let path = path.to_owned();
    Err(ServeError::Unsafe { path, flaw })
}

/// Whether two looks have seen the same file.
pub(super) fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Removes a file if it is still this one.
pub(super) fn remove(path: &Path, own: &Metadata) {
    let found = path.symlink_metadata();
    if found.is_ok_and(|found| is_same(&found, own)) {
        let _gone_or_left = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    };

    use super::*;

    fn flaw(place: &Place) -> &'static str {
        match place.look() {
            Err(ServeError::Unsafe { flaw, .. }) => flaw,
            other => panic!("{other:?}"),
        }
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
    }

    #[test]
    fn only_what_is_the_users_own_is_used() {
        let runtime = tempfile::tempdir().expect("a directory");
        let place = Place::in_runtime(Some(runtime.path()), "name");
        assert_eq!(place.look().expect("nothing"), Found::Nothing);
        place.make().expect("made");
        assert_eq!(place.look().expect("nothing"), Found::Nothing);
        let listener = UnixListener::bind(place.socket()).expect("bound");
        mode(place.socket(), 0o600);
        assert_eq!(place.look().expect("a socket"), Found::Socket);
        mode(place.socket(), 0o666);
        assert_eq!(flaw(&place), "its mode lets other users in");
        drop(listener);
        fs::remove_file(place.socket()).expect("removed");
        fs::write(place.socket(), "").expect("written");
        assert_eq!(flaw(&place), "it is something else than is expected there");
        mode(&place.directory, 0o750);
        assert_eq!(flaw(&place), "its mode lets other users in");
        assert!(place.make().is_err(), "it is not repaired");
    }

    #[test]
    fn a_link_is_not_followed() {
        let runtime = tempfile::tempdir().expect("a directory");
        let elsewhere = tempfile::tempdir().expect("a directory");
        mode(elsewhere.path(), 0o700);
        let place = Place::in_runtime(Some(runtime.path()), "name");
        symlink(elsewhere.path(), &place.directory).expect("linked");
        assert_eq!(flaw(&place), "it is something else than is expected there");
        assert!(place.make().is_err(), "it is not used either");
    }

    #[test]
    fn an_address_that_has_no_room_and_a_relative_one_are_not_used() {
        let long = PathBuf::from(format!("/{}", "a".repeat(100)));
        for runtime in [None, Some(long.as_path()), Some(Path::new("run"))] {
            let place = Place::in_runtime(runtime, "name");
            assert!(place.directory.starts_with("/tmp"), "{place:?}");
        }
    }
}
