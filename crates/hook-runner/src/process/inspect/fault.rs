//! What is wrong with a program, said so that its author can mend it.

use std::path::PathBuf;

use thiserror::Error;

use crate::process::{
    exposure::{Exposure, ExposureKind, Writers},
    start_error::{StartError, directories},
};

/// Something that is wrong with the program of a hook, and which word of the command it is about.
///
/// ```
/// use hook_runner::HookRunner;
///
/// let workspace = tempfile::tempdir()?;
/// let runner = HookRunner::new(workspace.path(), vec![]);
/// let inspection = runner.inspect(&["/bin/sh".to_owned(), "guard.sh".to_owned()]);
/// let fault = &inspection.faults[0];
/// assert_eq!((fault.word, fault.kind.code()), (1, "script_not_found"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ProgramFault {
    /// Which word of the command, from 0.
    pub word: usize,
    /// What it is.
    pub kind: FaultKind,
}

/// The ways in which the program of a hook is wrong, as far as that can be seen without starting it.
///
/// ```
/// use hook_runner::HookRunner;
///
/// let workspace = tempfile::tempdir()?;
/// let runner = HookRunner::new(workspace.path(), vec![]);
/// let guard = runner.workspace().join("guard.sh");
/// std::fs::write(&guard, "#!/bin/sh\n")?;
///
/// let fault = runner.inspect(&["./guard.sh".to_owned()]).faults.remove(0).kind;
/// assert_eq!(fault.code(), "not_executable");
/// assert_eq!(fault.help().as_deref(), Some("run `chmod +x` on it"));
/// assert_eq!(fault.to_string(), format!("{}; run `chmod +x` on it", fault.what()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// It could not be started.
    #[error(transparent)]
    Start(StartError),
    /// The `#!` line ends in a carriage return, which the interpreter gets as a part of its argument. Save the script with
    /// Unix line ends.
    #[error(
        "the `#!` line of {} ends in a carriage return (CRLF line ends), which `{interpreter}` takes for a part of its \
         argument; {SAVE_WITH_LF}",
        path.display()
    )]
    #[non_exhaustive]
    CarriageReturn {
        /// The script.
        path: PathBuf,
        /// The interpreter.
        interpreter: String,
    },
    /// A line of a script ends in a carriage return, which the shell that reads it takes for a part of the line. Save the
    /// script with Unix line ends.
    #[error(
        "line {line} of {} ends in a carriage return (CRLF line ends), which `{interpreter}` takes for a part of the line; \
         {SAVE_WITH_LF}",
        path.display()
    )]
    #[non_exhaustive]
    LineEnds {
        /// The script.
        path: PathBuf,
        /// The first such line, from 1.
        line: usize,
        /// The shell.
        interpreter: String,
    },
    /// What `env` is asked to run is in no directory of the hook's `PATH`. Install it, or correct the name.
    #[error("`env`{} finds no program `{name}` in {}; {}", in_line_of(script.as_ref()), directories(searched), env_help(name))]
    #[non_exhaustive]
    EnvProgram {
        /// The script whose `#!` line asks for it; nothing when the command does.
        script: Option<PathBuf>,
        /// The program.
        name: String,
        /// Where it was looked for.
        searched: Vec<PathBuf>,
    },
    /// There is no file for the interpreter to run. Correct the path, or restore the file.
    #[error("there is no file {} for `{interpreter}` to run; {RESTORE}", path.display())]
    #[non_exhaustive]
    NoScript {
        /// The interpreter.
        interpreter: String,
        /// The file as it is looked for.
        path: PathBuf,
    },
    /// A file of the command is reached through the workspace, and the hook is not the workspace's: what the workspace holds
    /// would decide what the hook does. Move the file out of it.
    #[error("{} is reached through the workspace {}, which decides what is found there, and this hook is not the workspace's; {MOVE_OUT}", path.display(), workspace.display())]
    #[non_exhaustive]
    InWorkspace {
        /// The file.
        path: PathBuf,
        /// The workspace, without symbolic links.
        workspace: PathBuf,
    },
    /// Others than the owner can change what the hook runs. Take their permission away.
    #[error("{}; {}", exposed(.0), exposed_help(.0))]
    Exposed(Exposure),
}

const SAVE_WITH_LF: &str = "save the script with LF line ends";
const MOVE_OUT: &str = "keep the file beside the hooks file, or elsewhere outside of workspaces";
const RESTORE: &str = "correct the path, or restore the file";

impl FaultKind {
    /// One word for the kind, which does not change with the message: `not_executable`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Start(error) => error.code(),
            Self::CarriageReturn { .. } | Self::LineEnds { .. } => "carriage_return",
            Self::EnvProgram { .. } => "program_not_on_path",
            Self::NoScript { .. } => "script_not_found",
            Self::InWorkspace { .. } => "in_workspace",
            Self::Exposed(exposure) => match exposure.writers {
                Writers::Everybody => "writable_by_everybody",
                Writers::Group => "writable_by_group",
            },
        }
    }

    /// Whether it is about line ends that are not those of a shell.
    #[must_use]
    pub fn is_of_line_ends(&self) -> bool {
        self.code() == "carriage_return"
    }

    /// What to do about it. The message ends with it, unless it says as much by itself.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Start(error) => error.help(),
            Self::CarriageReturn { .. } | Self::LineEnds { .. } => Some(SAVE_WITH_LF.into()),
            Self::EnvProgram { name, .. } => Some(env_help(name)),
            Self::NoScript { .. } => Some(RESTORE.into()),
            Self::InWorkspace { .. } => Some(MOVE_OUT.into()),
            Self::Exposed(exposure) => Some(exposed_help(exposure)),
        }
    }

    /// What is wrong: the message without the help.
    #[must_use]
    pub fn what(&self) -> String {
        let message = self.to_string();
        let help = self.help().map(|help| format!("; {help}"));
        let what = help.and_then(|help| Some(message.strip_suffix(&help)?.to_owned()));
        what.unwrap_or(message)
    }
}

fn in_line_of(script: Option<&PathBuf>) -> String {
    script.map_or_else(String::new, |path| {
        format!(" in the `#!` line of {}", path.display())
    })
}

fn env_help(name: &str) -> String {
    if name.contains([' ', '\t']) {
        format!("it gets all of the line as one name: write `#!/usr/bin/env -S {name}`")
    } else {
        "install it, or correct the name".into()
    }
}

fn exposed(exposure: &Exposure) -> String {
    let Exposure {
        path,
        mode,
        kind,
        writers,
    } = exposure;
    let path = path.display();
    let writers = match writers {
        Writers::Everybody => "everybody",
        Writers::Group => "its group",
    };
    match kind {
        ExposureKind::File => format!("{path} can be changed by {writers} (mode {mode:04o})"),
        ExposureKind::Directory => format!(
            "the directory {path} can be changed by {writers} (mode {mode:04o}), who can put something else in the \
             place of what is in it"
        ),
        ExposureKind::SearchedBefore => format!(
            "the directory {path} can be changed by {writers} (mode {mode:04o}) and stands in the PATH before the one \
             with the program, so that another program can be put first"
        ),
    }
}

fn exposed_help(exposure: &Exposure) -> String {
    let change = match exposure.writers {
        Writers::Everybody => "run `chmod o-w` on it",
        Writers::Group => "run `chmod g-w` on it",
    };
    match exposure.kind {
        ExposureKind::File | ExposureKind::Directory => change.into(),
        ExposureKind::SearchedBefore => format!("take it out of the PATH, or {change}"),
    }
}
