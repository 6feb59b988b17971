//! Which server decides what a bridge would.

use std::{
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File},
    io::{self, Read},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use hook_runner::BASELINE;
use sha2::{Digest, Sha256};

use super::error::ServeError;

/// A server by everything that its decisions depend on, hooks files aside.
///
/// It is the name of the socket. A bridge of another version, in another environment or with other rights computes another
/// name, and so never gets an answer from a server that would ask its hooks in another way than the bridge itself.
///
/// Three things are no part of the name, because one agent may give each call others, and each name is a server of its own: the
/// budget of a call, which is told with it; the folder for temporary files, for which hooks get the server's own
/// ([`TEMPORARY`]); and the limits of the process, which the bridge compares with those in the server's record.
#[derive(Debug)]
pub(crate) struct Identity {
    name: String,
    workspace: PathBuf,
    program: String,
    limits: String,
}

/// Changes with what is said on the socket.
const PROTOCOL: &str = "hookchain serve 3";

/// The variables that name the folder for temporary files.
pub(super) const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// What of the environment a hooks file is looked for by, beside the home directory.
const PLACES: [&str; 2] = ["BASIS_CONFIG_DIR", "XDG_CONFIG_HOME"];

/// What of a process its children have too, and may see in what they decide: who it is, and what it may do.
const RIGHTS: [&str; 10] = [
    "Umask",
    "Uid",
    "Gid",
    "Groups",
    "CapInh",
    "CapPrm",
    "CapEff",
    "CapBnd",
    "NoNewPrivs",
    "Seccomp",
];

/// What a process sees of the system.
const NAMESPACES: [&str; 5] = ["mnt", "net", "pid", "user", "ipc"];

impl Identity {
    /// The server for a workspace.
    pub(crate) fn of(workspace: &Path) -> Result<Self, ServeError> {
        let unreachable = |source| ServeError::Workspace {
            path: workspace.to_owned(),
            source,
        };
        // Hooks are told the path as it was found, and whatever is in its place now is another workspace.
        let found = std::path::absolute(workspace).map_err(unreachable)?;
        let real = workspace.canonicalize().map_err(unreachable)?;
        let place = fs::metadata(&real).map_err(unreachable)?;
        let mut digest = Pieces::default();
        digest.add(PROTOCOL.as_bytes());
        digest.add(env!("CARGO_PKG_VERSION").as_bytes());
        let program = program().map_err(ServeError::Program)?;
        digest.add(program.as_bytes());
        digest.add(found.as_os_str().as_bytes());
        digest.add(real.as_os_str().as_bytes());
        digest.numbers(&[place.dev(), place.ino()]);
        digest.numbers(&[rustix::process::geteuid().as_raw().into()]);
        for (name, value) in variables() {
            digest.add(name.as_bytes());
            digest.add(value.as_bytes());
        }
        surroundings(&mut digest);
        Ok(Self {
            name: digest.name(),
            workspace: found,
            program,
            limits: limits(),
        })
    }

    /// The name, in 32 letters and digits: the address of a socket has little room.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The workspace as hooks are told it.
    pub(crate) fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The program that runs, as a word that only the same file has.
    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// The limits of this process, as a word that only the same limits have.
    pub(super) fn limits(&self) -> &str {
        &self.limits
    }
}

/// The variables on which a decision depends, as far as they are set: what hooks get, and where their files are.
pub(crate) fn variables() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = BASELINE.into_iter().chain(PLACES);
    let names = names.filter(|name| !TEMPORARY.contains(name));
    names.filter_map(|name| variable(name).map(|value| (name, value)))
}

/// Whether this process was started by a hook. How deep it is counts for what it starts, so that nobody can do it in its place.
pub(crate) fn is_within_a_hook() -> bool {
    variable("HOOKCHAIN_DEPTH").is_some()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bridge and its server compare their environments here"
)]
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The very program that runs, also when another one is in its place by now.
fn program() -> io::Result<String> {
    if cfg!(target_os = "linux") {
        program_at(Path::new("/proc/self/exe"))
    } else {
        program_at(&std::env::current_exe()?)
    }
}

/// The file of a program, as a word that no other file has and that changes with the file.
pub(super) fn program_at(path: &Path) -> io::Result<String> {
    let file = fs::metadata(path)?;
    let times = [
        file.mtime(),
        file.mtime_nsec(),
        file.ctime(),
        file.ctime_nsec(),
    ];
    let mut digest = Pieces::default();
    for time in times {
        digest.add(&time.to_le_bytes());
    }
    digest.numbers(&[file.dev(), file.ino(), file.size()]);
    Ok(digest.name())
}

/// What the system grants this process at most.
fn limits() -> String {
    let mut digest = Pieces::default();
    digest.add(&at_once("/proc/self/limits"));
    digest.name()
}

/// Rights and namespaces. What cannot be read is the same for both, or leads to different names.
fn surroundings(digest: &mut Pieces) {
    let status = at_once("/proc/self/status");
    for line in status.split(|byte| *byte == b'\n') {
        let name = line.split(|byte| *byte == b':').next();
        if RIGHTS.iter().any(|right| name == Some(right.as_bytes())) {
            digest.add(line);
        }
    }
    for name in NAMESPACES {
        let namespace = fs::read_link(Path::new("/proc/self/ns").join(name));
        digest.add(namespace.unwrap_or_default().as_os_str().as_bytes());
    }
    let root = fs::metadata(Path::new("/proc/self").join("root"));
    digest.numbers(&root.map_or([0; 2], |root| [root.dev(), root.ino()]));
}

/// What a file of the system says of the process, with room for all of it: such a file has no size by which to make some.
fn at_once(path: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(8 << 10);
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut text));
    match read {
        Ok(_length) => text,
        Err(_absent) => Vec::new(),
    }
}

/// A digest of pieces that no other pieces have.
#[derive(Default)]
struct Pieces(Sha256);

impl Pieces {
    fn add(&mut self, piece: &[u8]) {
        self.0
            .update(u64::try_from(piece.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.0.update(piece);
    }

    fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.add(&number.to_le_bytes());
        }
    }

    fn name(self) -> String {
        let digest = self.0.finalize();
        digest
            .iter()
            .take(16)
            .fold(String::new(), |mut name, byte| {
                let _never_fails = write!(name, "{byte:02x}");
                name
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(workspace: &Path) -> String {
        let identity = Identity::of(workspace);
        identity.expect("named").name().to_owned()
    }

    #[test]
    fn the_name_is_the_same_for_the_same_and_differs_with_each_part() {
        let (one, other) = (
            tempfile::tempdir().expect("made"),
            tempfile::tempdir().expect("made"),
        );
        let (one, other) = (one.path(), other.path());
        let link = other.join("link");
        std::os::unix::fs::symlink(one, &link).expect("linked");
        assert_eq!(name(one), name(one));
        assert_eq!(name(one).len(), 32);
        let names = [name(one), name(other), name(&link)];
        for (index, name) in names.iter().enumerate() {
            assert!(
                !names.iter().skip(index + 1).any(|other| other == name),
                "{index}"
            );
        }
    }

    #[test]
    fn a_directory_that_was_replaced_is_another_workspace() {
        let place = tempfile::tempdir().expect("made");
        let (workspace, moved) = (place.path().join("w"), place.path().join("m"));
        fs::create_dir(&workspace).expect("made");
        let before = name(&workspace);
        fs::rename(&workspace, moved).expect("moved");
        fs::create_dir(&workspace).expect("made");
        assert_ne!(before, name(&workspace));
    }

    #[test]
    fn a_program_that_was_replaced_is_another_one() {
        let place = tempfile::tempdir().expect("made");
        let (program, new) = (place.path().join("p"), place.path().join("n"));
        for file in [&program, &new] {
            fs::write(file, "same").expect("written");
        }
        let word = || program_at(&program).expect("there");
        let before = word();
        assert_eq!(before, word());
        fs::rename(&new, &program).expect("replaced");
        assert_ne!(before, word());
        fs::remove_file(&program).expect("removed");
        assert!(program_at(&program).is_err());
    }

    #[test]
    fn folders_for_temporary_files_are_no_part_of_the_name() {
        for name in TEMPORARY {
            assert!(BASELINE.contains(&name), "{name}");
            assert!(variables().all(|(known, _)| known != name), "{name}");
        }
    }

    #[test]
    fn pieces_do_not_run_together() {
        let digest = |pieces: &[&str]| {
            let mut digest = Pieces::default();
            for piece in pieces {
                digest.add(piece.as_bytes());
            }
            digest.name()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
