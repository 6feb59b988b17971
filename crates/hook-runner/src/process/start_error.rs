//! Why a program could not be started, said so that its author can mend it.
//!
//! The operating system answers a failed start with one number for many causes. This module looks
//! at the files involved and names the cause. It only looks; it never decides.

use std::{
    error::Error as _,
    io,
    path::{Path, PathBuf},
};

use rustix::io::Errno;
use thiserror::Error;

use super::look::{last_guess, obstacles};

/// Why a hook program could not be started. Each says what to change.
///
/// ```
/// use std::{path::Path, time::Duration};
///
/// use hook_runner::{
///     StartError,
///     program::{Environment, Limits, Program},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let environment = Environment::baseline([("POLICY", "strict")]);
/// let program = Program::new(["/no/such/guard.sh"], Path::new("/"), &environment);
/// let error = program.run(b"{}", Limits::new(Duration::from_secs(60))).await.unwrap_err();
/// assert!(matches!(&error, StartError::NotFound { path, .. } if path == Path::new("/no/such/guard.sh")));
/// assert_eq!(error.to_string(), "there is no file /no/such/guard.sh");
/// # }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// A bare name that no directory of the hook's `PATH` holds. Install the program, or write a
    /// path with a `/` for one in the workspace.
    #[error(
        "no program `{name}` in {}; {}",
        directories(searched),
        words_or_slash(name)
    )]
    #[non_exhaustive]
    NotOnPath {
        /// The name as it was declared.
        name: String,
        /// Where it was looked for; empty and relative entries of `PATH` are not searched.
        searched: Vec<PathBuf>,
    },
    /// No file at the path. Correct the path, or restore the file.
    #[error(
        "there is no file {}{}",
        path.display(),
        elsewhere.as_deref().map(below).unwrap_or_default()
    )]
    #[non_exhaustive]
    NotFound {
        /// The path that was tried.
        path: PathBuf,
        /// A file with the same relative path in a folder below, where there is one.
        elsewhere: Option<PathBuf>,
    },
    /// The path is a symbolic link that leads nowhere. Repair the link.
    #[error("there is no file {}, which is a symbolic link to {}", path.display(), target.display())]
    #[non_exhaustive]
    DanglingLink {
        /// The path that was tried.
        path: PathBuf,
        /// What the link says.
        target: PathBuf,
    },
    /// A directory above the file may not be searched. Look at its permissions.
    #[error("{} cannot be reached; look at the permissions of the directories above it", path.display())]
    #[non_exhaustive]
    Unreachable {
        /// The path that was tried.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The workspace directory is gone or no directory. Give the runner one that exists.
    #[error("the workspace {} is not a directory any more", path.display())]
    #[non_exhaustive]
    NoWorkspace {
        /// The workspace.
        path: PathBuf,
    },
    /// The path is a directory. Name the program in it.
    #[error("{} is a directory, not a program", path.display())]
    #[non_exhaustive]
    Directory {
        /// The path.
        path: PathBuf,
    },
    /// The path is a pipe, a socket or a device. Name a program.
    #[error("{} is not a file that can be run, but a pipe, a socket or a device; name a program", path.display())]
    #[non_exhaustive]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file's mode forbids running it. Give it the bit with `chmod +x`.
    #[error("{} is not executable (mode {mode:04o}); run `chmod +x` on it", path.display())]
    #[non_exhaustive]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Something else forbids running the file: a directory above it, or a `noexec` mount.
    #[error(
        "{} may not be run, although it is executable; look at the directories above it and at `noexec` mounts",
        path.display()
    )]
    #[non_exhaustive]
    Forbidden {
        /// The file.
        path: PathBuf,
    },
    /// The interpreter in the `#!` line does not exist or cannot be run. Correct the line.
    #[error("the interpreter `{interpreter}` in the `#!` line of {} does not exist or cannot be run", path.display())]
    #[non_exhaustive]
    Interpreter {
        /// The script.
        path: PathBuf,
        /// The interpreter as it is written.
        interpreter: String,
    },
    /// The `#!` line ends in a carriage return, which is then part of the interpreter's name. Save
    /// the script with Unix line ends.
    #[error(
        "the `#!` line of {} ends in a carriage return (CRLF line ends), so the system looks for `{interpreter}\\r`; \
         save the script with LF line ends",
        path.display()
    )]
    #[non_exhaustive]
    CarriageReturn {
        /// The script.
        path: PathBuf,
        /// The interpreter without the carriage return.
        interpreter: String,
    },
    /// The file is neither a script with a `#!` line nor a program of this system. Add the line.
    #[error(
        "{} does not start with a `#!` line and is no program of this system; begin a script with a line like \
         `#!/bin/sh`",
        path.display()
    )]
    #[non_exhaustive]
    NoInterpreterLine {
        /// The file.
        path: PathBuf,
    },
    /// A byte order mark, which editors do not show, stands before the `#!`. Save the script without one.
    #[error(
        "{} begins with a byte order mark, so the system does not see its `#!` line; save the script as UTF-8 without one",
        path.display()
    )]
    #[non_exhaustive]
    ByteOrderMark {
        /// The script.
        path: PathBuf,
    },
    /// The file exists, but not the loader it names. It was built for another system; rebuild it.
    #[error("{} exists, but the loader it needs does not; it was built for another system", path.display())]
    #[non_exhaustive]
    Loader {
        /// The file.
        path: PathBuf,
    },
    /// The file was still open for writing at the deadline. Let whatever writes it finish.
    #[error("{} is being written by another process", path.display())]
    #[non_exhaustive]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Hooks start agents that run hooks, too many levels deep. Keep a hook from asking itself.
    #[error(
        "recursion: hooks are nested {depth} levels deep (HOOKCHAIN_DEPTH), and at {limit} no hook is started any more"
    )]
    #[non_exhaustive]
    Recursion {
        /// The depth as it stands in the environment.
        depth: String,
        /// The depth at which nothing is started.
        limit: u32,
    },
    /// The command or the environment cannot be handed to the system at all. Correct it.
    #[error("{what}")]
    #[non_exhaustive]
    Unusable {
        /// What is wrong.
        what: String,
    },
    /// The system has no process, descriptor or memory left. Try again with fewer at once.
    #[error("the system is out of {what}")]
    #[non_exhaustive]
    Exhausted {
        /// What there is none left of.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Anything else the system answered.
    #[error("{} could not be started", path.display())]
    #[non_exhaustive]
    Other {
        /// The program.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl StartError {
    /// What happened, without where the host looked and what the author of the hook is to do.
    pub(crate) fn for_model(&self) -> String {
        if let Self::NotOnPath { name, .. } = self {
            return format!("there is no program `{name}`");
        }
        let text = self.to_string();
        let (what, _advice) = text.split_once("; ").unwrap_or((&text, ""));
        match self.source() {
            Some(source) => format!("{what}: {source}"),
            None => what.to_owned(),
        }
    }

    /// What to do about it. The message ends with it, or leaves it to the reader.
    pub(super) fn help(&self) -> Option<String> {
        Some(match self {
            Self::NotOnPath { name, .. } => words_or_slash(name),
            Self::NotAFile { .. } => "name a program".into(),
            Self::NotExecutable { .. } => "run `chmod +x` on it".into(),
            Self::Forbidden { .. } => {
                "look at the directories above it and at `noexec` mounts".into()
            }
            Self::Unreachable { .. } => {
                "look at the permissions of the directories above it".into()
            }
            Self::CarriageReturn { .. } => "save the script with LF line ends".into(),
            Self::NoInterpreterLine { .. } => "begin a script with a line like `#!/bin/sh`".into(),
            Self::ByteOrderMark { .. } => "save the script as UTF-8 without one".into(),
            Self::NotFound {
                elsewhere: Some(file),
                ..
            } => format!("write the path of {}", file.display()),
            Self::NotFound { path, .. } => not_as_a_shell_reads_it(path)
                .unwrap_or_else(|| "correct the path, or restore the file".into()),
            Self::DanglingLink { .. } => "repair the link".into(),
            Self::Directory { .. } => "name the program in it".into(),
            Self::Interpreter { interpreter, .. } if !interpreter.contains('/') => {
                format!("a `#!` line holds a path: write `#!/usr/bin/env {interpreter}`")
            }
            Self::Interpreter { .. } => "correct the line, or install the interpreter".into(),
            Self::NoWorkspace { .. }
            | Self::Loader { .. }
            | Self::Busy { .. }
            | Self::Recursion { .. }
            | Self::Unusable { .. }
            | Self::Exhausted { .. }
            | Self::Other { .. } => return None,
        })
    }

    /// One word for the kind, which does not change with the message.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::NotOnPath { .. } => "program_not_on_path",
            Self::NotFound { .. } => "program_not_found",
            Self::DanglingLink { .. } => "program_is_dangling_link",
            Self::Unreachable { .. } => "program_unreachable",
            Self::NoWorkspace { .. } => "workspace",
            Self::Directory { .. } => "program_is_directory",
            Self::NotAFile { .. } => "program_is_no_file",
            Self::NotExecutable { .. } => "not_executable",
            Self::Forbidden { .. } => "may_not_be_run",
            Self::Interpreter { .. } => "interpreter_not_found",
            Self::CarriageReturn { .. } => "carriage_return",
            Self::NoInterpreterLine { .. } | Self::ByteOrderMark { .. } => "no_interpreter_line",
            Self::Loader { .. } => "other_system",
            Self::Busy { .. } => "busy",
            Self::Recursion { .. } => "recursion",
            Self::Unusable { .. } => "unusable",
            Self::Exhausted { .. } => "exhausted",
            Self::Other { .. } => "not_started",
        }
    }
}

/// What to write in place of a bare name that is not found.
fn words_or_slash(name: &str) -> String {
    if name.contains(char::is_whitespace) {
        format!("each word is an element of its own: write {}", array(name))
    } else {
        format!("a program in the workspace is written with a slash, like `./{name}`")
    }
}

/// What to write in place of a path that only a shell would have made another of.
fn not_as_a_shell_reads_it(path: &Path) -> Option<String> {
    let is_for_a_shell = |part: &std::ffi::OsStr| {
        let part = part.as_encoded_bytes();
        part.starts_with(b"~") || part.starts_with(b"$")
    };
    if let Some(part) = path.iter().find(|part| is_for_a_shell(part)) {
        return Some(format!(
            "no shell reads the command, so `{}` stands for itself: write the path out",
            part.display()
        ));
    }
    let text = path.to_str()?;
    let program = text
        .match_indices(char::is_whitespace)
        .filter_map(|(end, _)| text.get(..end))
        .find(|program| Path::new(program).is_file())?;
    Some(format!(
        "`{program}` is a file: write each argument as an element of its own"
    ))
}

/// Where a file is that was looked for a folder above.
fn below(file: &Path) -> String {
    format!(
        "; {} is one: a relative path begins where the hook is started, and not where its hooks file is",
        file.display()
    )
}

/// A command line as a hooks file has it.
fn array(line: &str) -> String {
    let words: Vec<_> = line
        .split_whitespace()
        .map(|word| format!("{word:?}"))
        .collect();
    format!("[{}]", words.join(", "))
}

/// A list of directories in a message.
pub(super) fn directories(searched: &[PathBuf]) -> String {
    if searched.is_empty() {
        return "an empty PATH".into();
    }
    let searched: Vec<_> = searched
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    searched.join(", ")
}

/// Names the cause of a start that failed with `error`.
pub(super) fn explain(error: io::Error, program: &Path, workspace: &Path) -> StartError {
    let path = program.to_owned();
    let errno = Errno::from_io_error(&error);
    if let Some(what) = errno.and_then(exhausted) {
        return StartError::Exhausted {
            what,
            source: error,
        };
    }
    match errno {
        Some(Errno::TXTBSY) => StartError::Busy { path },
        Some(Errno::TOOBIG) => StartError::Unusable {
            what: "the command and its environment are larger than the system allows".into(),
        },
        Some(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::NOEXEC | Errno::ISDIR) => {
            let seen = obstacles(program, workspace).into_iter().next();
            seen.or_else(|| last_guess(program))
                .unwrap_or(StartError::Other {
                    path,
                    source: error,
                })
        }
        _ => StartError::Other {
            path,
            source: error,
        },
    }
}

fn exhausted(errno: Errno) -> Option<&'static str> {
    match errno {
        Errno::AGAIN => Some("processes (see `ulimit -u`)"),
        Errno::MFILE => Some("file descriptors for this process (see `ulimit -n`)"),
        Errno::NFILE => Some("file descriptors"),
        Errno::NOMEM => Some("memory"),
        _ => None,
    }
}
