//! Who could change what is found at a path.
//!
//! The mode of the file is the smaller half: whoever may write to a directory on the way to it puts another file in
//! its place.

use std::{
    ffi::OsString,
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf, absolute},
};

/// How many symbolic links are followed; the system stops there as well.
const MAX_LINKS: usize = 40;

/// A place that others than its owner can write to, on the way to a file or the file itself.
///
/// ```
/// use std::{fs, os::unix::fs::PermissionsExt};
///
/// use hook_runner::{FaultKind, exposures};
///
/// let directory = tempfile::tempdir()?;
/// let guard = directory.path().join("guard.sh");
/// fs::write(&guard, "#!/bin/sh\n")?;
/// fs::set_permissions(&guard, fs::Permissions::from_mode(0o757))?;
///
/// let exposure = exposures(&guard).pop().expect("the file can be written by everybody");
/// assert_eq!(
///     FaultKind::Exposed(exposure).to_string(),
///     format!("{} can be changed by everybody (mode 0757); run `chmod o-w` on it", guard.canonicalize()?.display())
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exposure {
    /// The file or directory.
    pub path: PathBuf,
    /// Its permission bits.
    pub mode: u32,
    /// What it is to the file that is looked for.
    pub kind: ExposureKind,
    /// Who can write to it.
    pub writers: Writers,
}

/// What a place that others can write to is to the file that is looked for.
///
/// ```
/// use std::{fs, os::unix::fs::PermissionsExt};
///
/// use hook_runner::{ExposureKind, exposures};
///
/// let directory = tempfile::tempdir()?;
/// let guard = directory.path().join("guard.sh");
/// fs::write(&guard, "#!/bin/sh\n")?;
/// fs::set_permissions(&guard, fs::Permissions::from_mode(0o755))?;
/// fs::set_permissions(&directory, fs::Permissions::from_mode(0o757))?;
///
/// let exposure = exposures(&guard).pop().expect("everybody can put another file in its place");
/// assert_eq!(exposure.kind, ExposureKind::Directory);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExposureKind {
    /// The file itself.
    File,
    /// A directory on the way to it, from which it can be taken away.
    Directory,
    /// A directory of the `PATH` that is searched before the one the program is in.
    SearchedBefore,
}

/// Who can write to a place, other than its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a mode has bits for a group and for everybody"
)]
pub enum Writers {
    /// The members of its group. Not the owner's private group, the one with the number of the user: it has one
    /// member, and on many systems every file is writable by it.
    Group,
    /// Everybody on the machine.
    Everybody,
}

/// Every place on the way to the file at `path`, and the file itself, that others than its owner can write to.
///
/// Symbolic links are followed, and the directories they are in count. A directory in which only the owner of a file may
/// remove it (with the sticky bit, such as the one for temporary files) does not. Who the owners are is not judged.
///
/// ```
/// use std::{fs, os::unix::fs::PermissionsExt};
///
/// use hook_runner::{Writers, exposures};
///
/// let directory = tempfile::tempdir()?;
/// let guard = directory.path().join("guard.sh");
/// fs::write(&guard, "#!/bin/sh\n")?;
/// fs::set_permissions(&guard, fs::Permissions::from_mode(0o757))?;
///
/// let found = exposures(&guard);
/// let last = found.last().expect("the file can be written by everybody");
/// assert_eq!((last.mode, last.writers), (0o757, Writers::Everybody));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn exposures(path: &Path) -> Vec<Exposure> {
    let mut found = Vec::new();
    walk(path, |path, metadata| {
        let sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
        let Some(writers) = writers(metadata).filter(|_| !sticky) else {
            return;
        };
        let kind = if metadata.is_dir() {
            ExposureKind::Directory
        } else if metadata.is_file() {
            ExposureKind::File
        } else {
            // A device or a pipe is written to by design.
            return;
        };
        found.push(Exposure {
            path: path.to_owned(),
            mode: metadata.mode() & 0o7777,
            kind,
            writers,
        });
    });
    found
}

/// The directory, when everybody can put a file into it. That nobody can take one away does not help here.
pub(super) fn open_to_everybody(directory: &Path) -> Option<Exposure> {
    let metadata = fs::metadata(directory).ok()?;
    let open = metadata.is_dir() && writers(&metadata) == Some(Writers::Everybody);
    open.then(|| Exposure {
        path: directory.to_owned(),
        mode: metadata.mode() & 0o7777,
        kind: ExposureKind::SearchedBefore,
        writers: Writers::Everybody,
    })
}

fn writers(metadata: &Metadata) -> Option<Writers> {
    writers_by(metadata.mode(), metadata.uid(), metadata.gid())
}

fn writers_by(mode: u32, user: u32, group: u32) -> Option<Writers> {
    let is_private_group = group == user && user != 0;
    if mode & 0o002 != 0 {
        Some(Writers::Everybody)
    } else if mode & 0o020 != 0 && !is_private_group {
        Some(Writers::Group)
    } else {
        None
    }
}

/// Visits every directory that is looked into on the way to the file, and the file, each by its real path. Ends where
/// the path does.
fn walk(path: &Path, mut visit: impl FnMut(&Path, &Metadata)) {
    // Without a working directory there is no absolute form, and no file either.
    let Ok(path) = absolute(path) else { return };
    let (mut real, mut links) = (PathBuf::new(), 0);
    let mut rest: Vec<OsString> = parts(&path);
    while let Some(part) = rest.pop() {
        let next = real.join(&part);
        if part == ".." {
            real.pop();
            continue;
        }
        let Ok(metadata) = fs::symlink_metadata(&next) else {
            return;
        };
        if metadata.is_symlink() {
            let Ok(target) = fs::read_link(&next) else {
                return;
            };
            links += 1;
            if links > MAX_LINKS {
                return;
            }
            rest.extend(parts(&target));
            continue;
        }
        visit(&next, &metadata);
        real = next;
    }
}

/// The parts of a path, the first one last. A root replaces what stands before it, as `join` does.
fn parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().rev();
    parts
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_private_group_is_nobody_else() {
        assert_eq!(writers_by(0o100_755, 1000, 1000), None);
        assert_eq!(writers_by(0o100_775, 1000, 1000), None);
        assert_eq!(writers_by(0o100_775, 1000, 100), Some(Writers::Group));
        assert_eq!(writers_by(0o100_775, 0, 0), Some(Writers::Group));
        assert_eq!(writers_by(0o100_777, 1000, 1000), Some(Writers::Everybody));
        assert_eq!(writers_by(0o040_702, 0, 0), Some(Writers::Everybody));
    }

    /// What can be written to on the way to `path`, below `root`.
    fn found(root: &Path, path: &str) -> Vec<(String, u32)> {
        // The directory for temporary files may be behind a link itself.
        let root = fs::canonicalize(root).expect("a directory");
        let found = exposures(&root.join(path)).into_iter();
        found
            .filter_map(|exposure| {
                let path = exposure.path.strip_prefix(&root).ok()?;
                Some((path.display().to_string(), exposure.mode))
            })
            .collect()
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    #[test]
    fn every_directory_on_the_way_counts_and_links_are_followed() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |relative: &str| root.path().join(relative);
        for (directory, mode) in [
            ("open", 0o757),
            ("open/in", 0o755),
            ("sticky", 0o1777),
            ("closed", 0o755),
        ] {
            fs::create_dir(path(directory)).expect("a directory");
            set_mode(&path(directory), mode);
        }
        for (file, mode) in [
            ("open/in/guard", 0o755),
            ("sticky/guard", 0o755),
            ("closed/guard", 0o752),
        ] {
            fs::write(path(file), "").expect("a file");
            set_mode(&path(file), mode);
        }
        symlink("../open/in/guard", path("closed/link")).expect("a link");
        symlink(path("open"), path("closed/way")).expect("a link");
        symlink("loop", path("loop")).expect("a link");

        let check = |path: &str, expected: &[(&str, u32)]| {
            let found = found(root.path(), path);
            let found: Vec<_> = found.iter().map(|(at, mode)| (&**at, *mode)).collect();
            assert_eq!(found, expected, "{path}");
        };
        let open = ("open", 0o757);
        check("open/in/guard", &[open]);
        check("closed/link", &[open]);
        check("closed/way/in/../in/guard", &[open]);
        check("closed/./guard", &[("closed/guard", 0o752)]);
        check("sticky/guard", &[]);
        check("open/absent", &[open]);
        check("loop", &[]);
    }

    #[test]
    fn a_directory_that_is_searched_first_is_open_with_the_sticky_bit_too() {
        let root = tempfile::tempdir().expect("a directory");
        set_mode(root.path(), 0o1777);
        let open = open_to_everybody(root.path()).expect("open");
        assert_eq!(
            (open.mode, open.kind),
            (0o1777, ExposureKind::SearchedBefore)
        );
        set_mode(root.path(), 0o770);
        assert_eq!(open_to_everybody(root.path()), None);
        assert_eq!(open_to_everybody(Path::new("/nowhere")), None);
    }
}
