//! Whether the files that a kept program was started from are still the same.
//!
//! A program that is started for each question is always what the disk holds; a kept one must be
//! replaced when that changes. What decides are the program itself and the scripts and programs among
//! its arguments, because of `python3 guard.py` and `nice ./guard` only the second is the author's.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::look::first_bytes;

/// What an argument's name ends in when it is a script. Other files that are named, such as a log
/// or a database, may change with every question.
const SCRIPTS: [&str; 31] = [
    "awk", "bash", "cjs", "cts", "exs", "fish", "jar", "jq", "js", "jsx", "ksh", "lua", "mjs",
    "mts", "nu", "php", "pl", "ps1", "py", "pyc", "pyz", "r", "rb", "rego", "scm", "sed", "sh",
    "tcl", "ts", "tsx", "zsh",
];

/// What a file begins with that the system can start, whatever its name: a script that names its interpreter, and
/// programs of Linux and macOS (for one processor of either byte order, and for several).
const PROGRAMS: [&[u8]; 5] = [
    b"#!",
    b"\x7fELF",
    b"\xcf\xfa\xed\xfe",
    b"\xfe\xed\xfa\xcf",
    b"\xca\xfe\xba\xbe",
];

/// The files of a program at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edition(Vec<(PathBuf, Option<Mark>)>);

/// What changes when a file does, short of reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    /// Also moves when somebody sets the time of the last modification back.
    changed: (i64, i64),
}

impl Edition {
    /// Of this program and those of its arguments that name scripts or programs.
    pub(super) fn of(program: Option<PathBuf>, arguments: impl Iterator<Item = PathBuf>) -> Self {
        let scripts = arguments.filter(|path| is_code(path));
        let files = program.into_iter().chain(scripts);
        Self(files.map(|path| (path.clone(), mark(&path))).collect())
    }

    /// The first file that is not as it was; one that is gone is not either.
    pub(crate) fn changed(&self) -> Option<&Path> {
        let mut files = self.0.iter();
        let (path, _) = files.find(|(path, then)| then.is_none() || mark(path) != *then)?;
        Some(path)
    }
}

fn is_code(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.is_file() && (extension.is_some_and(|it| SCRIPTS.contains(&it)) || begins_as_program(path))
}

/// Whether the system would start it. What cannot be read is judged by its name alone.
fn begins_as_program(path: &Path) -> bool {
    first_bytes(path, 4).is_ok_and(|start| PROGRAMS.iter().any(|magic| start.starts_with(magic)))
}

/// Through links, because what they lead to is what runs.
fn mark(path: &Path) -> Option<Mark> {
    let metadata = fs::metadata(path).ok()?;
    Some(Mark {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_and_its_scripts_are_watched_and_its_other_files_are_not() {
        let root = tempfile::tempdir().expect("a directory");
        let file = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::write(&path, text).expect("a file");
            path
        };
        let (program, script, log) = (file("run", "1"), file("guard.py", "1"), file("log", "1"));
        let absent = root.path().join("absent.py");
        let edition = || {
            let arguments = [script.clone(), log.clone(), absent.clone(), "-u".into()];
            Edition::of(Some(program.clone()), arguments.into_iter())
        };

        let first = edition();
        assert_eq!(first.changed(), None);
        file("log", "longer");
        file("absent.py", "there now");
        assert_eq!(first.changed(), None);
        file("guard.py", "other");
        assert_eq!(first.changed(), Some(script.as_path()));

        let second = edition();
        let size = fs::metadata(&program).expect("a file").len();
        fs::rename(file("new", "2"), &program).expect("replaced");
        assert_eq!(fs::metadata(&program).expect("a file").len(), size);
        assert_eq!(second.changed(), Some(program.as_path()));

        for (name, code) in [
            ("guard.jq", ".x"),
            ("guard", "#!/bin/sh\n"),
            ("binary", "\x7fELF"),
        ] {
            let path = file(name, code);
            let before = Edition::of(None, [path.clone()].into_iter());
            assert_eq!(before.changed(), None);
            file(name, &format!("{code} and more"));
            assert_eq!(before.changed(), Some(path.as_path()), "{name}");
        }

        let third = edition();
        fs::remove_file(&program).expect("removed");
        assert_eq!(third.changed(), Some(program.as_path()));
    }
}
