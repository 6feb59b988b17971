//! What can be seen of a program without starting it.
//!
//! The explanation of a failed start and the inspection before one both look here, so that they cannot say two things.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, AtFlags, CWD, accessat},
    io::Errno,
};

use super::{join, start_error::StartError};

/// How much of a file is read to find its `#!` line.
const FIRST_LINE_LIMIT: u64 = 256;

/// What a file is to whoever starts it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A script with a `#!` line.
    Script(Script),
    /// A program of this system, or of another of its kind.
    Native,
    /// A script whose `#!` line comes after a byte order mark.
    Marked,
    /// Text, or nothing at all: no program.
    Text,
    /// Bytes that may be a program to a system that was told of them.
    Unknown,
}

/// A `#!` line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// The interpreter as it is written, without a carriage return.
    pub(super) interpreter: String,
    /// All that follows it on the line, without white space and a carriage return around it; empty when nothing does.
    pub(super) argument: String,
    /// Whether the line ends in a carriage return.
    pub(super) carriage_return: bool,
}

impl Script {
    /// The carriage return is the end of the interpreter's name, and not of an argument's.
    fn spoils_the_interpreter(&self) -> bool {
        self.carriage_return && self.argument.is_empty()
    }
}

impl Form {
    /// Tells it by the first bytes of a file.
    fn of(start: &[u8]) -> Self {
        if let Some(script) = script(start) {
            Self::Script(script)
        } else if start.starts_with(b"\x7fELF") || start.starts_with(b"\xcf\xfa\xed\xfe") {
            Self::Native
        } else if start.starts_with(b"\xef\xbb\xbf#!") {
            Self::Marked
        } else if start.contains(&0) {
            Self::Unknown
        } else {
            Self::Text
        }
    }

    /// Reads the first bytes of a file; nothing when it cannot be read, which keeps nobody from running it.
    pub(super) fn at(path: &Path) -> Option<Self> {
        Some(Self::of(&first_bytes(path, FIRST_LINE_LIMIT).ok()?))
    }
}

/// Everything that keeps a program from being started, in the order in which the system meets it.
pub(super) fn obstacles(program: &Path, workspace: &Path) -> Vec<StartError> {
    let path = program.to_owned();
    if !workspace.is_dir() {
        let path = workspace.to_owned();
        return vec![StartError::NoWorkspace { path }];
    }
    let metadata = match fs::metadata(program) {
        Ok(metadata) => metadata,
        Err(error) => return vec![not_there(program, workspace, error)],
    };
    if metadata.is_dir() {
        return vec![StartError::Directory { path }];
    }
    if !metadata.is_file() {
        return vec![StartError::NotAFile { path }];
    }
    let mode = metadata.permissions().mode() & 0o7777;
    let forbidden = forbidden(program, mode, may_run(program));
    let unreadable = match Form::at(program) {
        Some(Form::Script(script)) => interpreter_fault(path, script, workspace),
        Some(Form::Text) => Some(StartError::NoInterpreterLine { path }),
        Some(Form::Marked) => Some(StartError::ByteOrderMark { path }),
        Some(Form::Native | Form::Unknown) | None => None,
    };
    forbidden.into_iter().chain(unreadable).collect()
}

/// Why a start failed although nothing can be seen that is in its way.
pub(super) fn last_guess(program: &Path) -> Option<StartError> {
    let path = program.to_owned();
    Some(match Form::at(program)? {
        Form::Script(_) => StartError::Forbidden { path },
        Form::Native => StartError::Loader { path },
        Form::Text | Form::Unknown => StartError::NoInterpreterLine { path },
        Form::Marked => StartError::ByteOrderMark { path },
    })
}

fn forbidden(program: &Path, mode: u32, may_run: bool) -> Option<StartError> {
    let path = program.to_owned();
    if mode & 0o111 == 0 {
        Some(StartError::NotExecutable { path, mode })
    } else if may_run {
        None
    } else {
        Some(StartError::Forbidden { path })
    }
}

fn not_there(program: &Path, workspace: &Path, source: io::Error) -> StartError {
    let path = program.to_owned();
    if source.kind() == io::ErrorKind::PermissionDenied {
        return StartError::Unreachable { path, source };
    }
    match fs::read_link(program) {
        Ok(target) => StartError::DanglingLink { path, target },
        Err(_no_link) => StartError::NotFound {
            elsewhere: below(program, workspace),
            path,
        },
    }
}

/// How many entries of a folder are looked at.
const LOOKED_AT: usize = 256;

/// A file with the same path from a folder directly in the working directory: mostly the one in which the hooks file is.
fn below(program: &Path, workspace: &Path) -> Option<PathBuf> {
    let relative: PathBuf = program.strip_prefix(workspace).ok()?.components().collect();
    let entries = fs::read_dir(workspace).ok()?.take(LOOKED_AT);
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join(&relative)))
        .filter(|path| fs::metadata(path).is_ok_and(|metadata| metadata.is_file()))
        .collect();
    // The folders of hooks come first, as they begin with a point.
    found.sort();
    found.into_iter().next()
}

fn interpreter_fault(path: PathBuf, script: Script, workspace: &Path) -> Option<StartError> {
    if script.spoils_the_interpreter() {
        let interpreter = script.interpreter;
        return Some(StartError::CarriageReturn { path, interpreter });
    }
    // The system looks from the working directory as well.
    let found = join(workspace, &script.interpreter);
    let is_program = fs::metadata(&found).is_ok_and(|metadata| metadata.is_file());
    (!is_program || !may_run(&found)).then_some(StartError::Interpreter {
        path,
        interpreter: script.interpreter,
    })
}

/// Whether this process may run the file, as far as the system says: it is not asked everywhere for the account that
/// counts, and another answer than "no" is none.
fn may_run(path: &Path) -> bool {
    let answer = accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS);
    !matches!(answer, Err(Errno::ACCESS | Errno::PERM))
}

/// The first bytes of a regular file. Nothing else is opened: a pipe must not make the reader wait for a writer, and a device
/// does something when it is opened. Whatever stands at the path by the time it is open is looked at once more.
pub(super) fn first_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let regular = |metadata: Metadata| {
        let no_file = || io::Error::other("it is not a regular file");
        metadata.is_file().then_some(()).ok_or_else(no_file)
    };
    regular(fs::metadata(path)?)?;
    let file = File::options()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    regular(file.metadata()?)?;
    let mut start = Vec::new();
    file.take(limit).read_to_end(&mut start)?;
    Ok(start)
}

fn script(start: &[u8]) -> Option<Script> {
    let line = start
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let line = String::from_utf8_lossy(line);
    let carriage_return = line.ends_with('\r');
    let blank = [' ', '\t'];
    let line = line.trim_end_matches('\r').trim_matches(blank);
    let (interpreter, argument) = line.split_once(blank).unwrap_or((line, ""));
    Some(Script {
        interpreter: interpreter.to_owned(),
        argument: argument.trim_matches(blank).to_owned(),
        carriage_return,
    })
}

/// How much of a script is looked through for carriage returns.
const SCRIPT_LIMIT: u64 = 256 * 1024;

/// The first line, from 1, of a script for a shell that ends in a carriage return, which a shell takes for a part of the
/// line. Comments are none: nothing reads them.
pub(super) fn line_with_carriage_return(path: &Path) -> Option<usize> {
    let text = first_bytes(path, SCRIPT_LIMIT).ok()?;
    let ends_so = |line: &[u8]| line.ends_with(b"\r") && !line.trim_ascii_start().starts_with(b"#");
    let mut lines = text.split(|byte| *byte == b'\n');
    lines.position(ends_so).map(|line| line + 1)
}

/// Whether the `#!` line of a script ends in a carriage return, which `env` and the like cannot
/// report: they exit with 127.
pub(crate) fn has_carriage_return(program: &Path) -> bool {
    matches!(Form::at(program), Some(Form::Script(script)) if script.carriage_return)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: &str, interpreter: &str, argument: &str, carriage_return: bool) {
        let expected = Script {
            interpreter: interpreter.to_owned(),
            argument: argument.to_owned(),
            carriage_return,
        };
        assert_eq!(Form::of(start.as_bytes()), Form::Script(expected));
    }

    #[test]
    fn the_first_line_of_a_script_is_read_as_the_system_reads_it() {
        check("#!/bin/sh\necho", "/bin/sh", "", false);
        check(
            "#!  /usr/bin/env  python3 -u \n",
            "/usr/bin/env",
            "python3 -u",
            false,
        );
        check("#!/bin/sh\r\necho\r\n", "/bin/sh", "", true);
        check("#!/usr/bin/env bash\r\n", "/usr/bin/env", "bash", true);
        check("#!", "", "", false);
    }

    #[test]
    fn a_line_that_a_shell_reads_with_a_carriage_return_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let line_of = |text: &str| {
            let path = folder.path().join("script");
            fs::write(&path, text).expect("a script");
            line_with_carriage_return(&path)
        };
        assert_eq!(line_of("#!/bin/sh\r\n# why\r\nexit 0\r\n"), Some(3));
        assert_eq!(line_of("echo a\n\r\n"), Some(2));
        assert_eq!(line_of("exit 0\r"), Some(1));
        assert_eq!(line_of("#!/bin/sh\r\necho 'a\rb'\n"), None);
        assert_eq!(line_of(""), None);
        assert_eq!(line_with_carriage_return(folder.path()), None);
    }

    #[test]
    fn a_program_that_this_account_may_not_run_is_told_from_one_that_nobody_may() {
        let said = |mode, may_run| {
            let error = forbidden(Path::new("/opt/guard"), mode, may_run);
            error.map_or("runs", |error| error.code())
        };
        assert_eq!(said(0o644, false), "not_executable");
        assert_eq!(said(0o700, false), "may_not_be_run");
        assert_eq!(said(0o700, true), "runs");
    }

    #[test]
    fn what_cannot_be_looked_at_is_not_said_to_be_missing() {
        let said = |kind| {
            not_there(
                Path::new("/nowhere/guard"),
                Path::new("/"),
                io::Error::from(kind),
            )
            .code()
        };
        assert_eq!(said(io::ErrorKind::PermissionDenied), "program_unreachable");
        assert_eq!(said(io::ErrorKind::NotFound), "program_not_found");
    }

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
        for path in [&*pipe, Path::new("/dev/zero"), folder.path()] {
            assert!(first_bytes(path, 4).is_err(), "{}", path.display());
            assert_eq!(Form::at(path), None, "{}", path.display());
        }
        let file = folder.path().join("file");
        fs::write(&file, "#!/bin/sh").expect("a file");
        assert_eq!(first_bytes(&file, 4).expect("readable"), b"#!/b");
    }

    #[test]
    fn what_is_no_script_is_told_apart_by_its_first_bytes() {
        assert_eq!(Form::of(b"\x7fELF\x02"), Form::Native);
        assert_eq!(Form::of(b"echo hello"), Form::Text);
        assert_eq!(Form::of(b""), Form::Text);
        assert_eq!(Form::of(b"\xca\xfe\xba\xbe\0\0"), Form::Unknown);
    }
}
