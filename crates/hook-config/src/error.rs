//! Why the declared hooks cannot be used.

use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use hook_source::{Diagnostic, FileError, Shown};
use thiserror::Error;

use crate::HookSpecError;

/// Why the declared hooks cannot be used.
///
/// None of these may be taken for "no hooks": somebody declared guards, and going on without them
/// would remove them silently. Show the error, and start nothing until it is corrected.
///
/// ```
/// use hook_config::{HookSpec, HooksConfig, load};
///
/// let supplied = vec![HookSpec::new("", ["./guard.sh"])];
/// let config = HooksConfig::new().with_supplied(supplied);
/// let error = load("/no/such/workspace".as_ref(), &config).unwrap_err();
/// let codes: Vec<_> = error.each().iter().map(|error| error.code()).collect();
/// assert_eq!(codes, ["supplied", "workspace"]);
/// assert_eq!(
///     error.each()[1].to_string(),
///     "cannot look for hooks in the workspace /no/such/workspace; pass an existing directory"
/// );
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HookConfigError {
    /// The workspace is not a directory that can be looked into, so nobody knows which guards it
    /// has. Pass the root of an existing workspace.
    #[error("cannot look for hooks in the workspace {}; pass an existing directory", .path.display())]
    #[non_exhaustive]
    Workspace {
        /// The workspace as it was passed.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The environment names the global directory by a relative path, which would make the
    /// operator's guards depend on the directory the runtime was started in. Set an absolute path.
    #[error("{variable} names {} as the hooks directory, which is not an absolute path; set an absolute one, or unset it", .path.display())]
    #[non_exhaustive]
    RelativeGlobalDir {
        /// The variable.
        variable: &'static str,
        /// The directory it names.
        path: PathBuf,
    },
    /// The environment names the global directory, or the one it is in, and no folder is there: the operator's guards may be
    /// on a disk that is not mounted, or the name is a slip. Correct the variable, or unset it.
    #[error("{variable} names {} for the user's hooks file, and that is no folder that can be looked into; make it, correct {variable}, or unset it", .path.display())]
    #[non_exhaustive]
    NamedGlobalDir {
        /// The variable.
        variable: &'static str,
        /// What it names.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Nothing says where the operator's guards are: no variable names a folder that is there, and neither does the user
    /// database. Set `HOME`, or set `BASIS_CONFIG_DIR` to the folder of the file (an empty folder where there is none). A host
    /// that wants no global file says [`without_global_dir`](crate::HooksConfig::without_global_dir).
    #[error(
        "cannot tell where the user's hooks file is: none of BASIS_CONFIG_DIR, XDG_CONFIG_HOME and HOME names a folder that is there, and the system has noted none for this account; set HOME, or set BASIS_CONFIG_DIR to the folder of that file (an empty one if there is none)"
    )]
    NoGlobalDir,
    /// The file cannot be read, or cannot even be looked for; or something else stands in its place. Repair that.
    #[error(transparent)]
    Unreadable(FileError),
    /// The file was read and is wrong. Correct every problem; each is shown on a line of its own.
    #[error("{}", problem_lines(.path, .problems))]
    #[non_exhaustive]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What was read, without a byte order mark; the spans of the problems refer to it. Where
        /// the file is not UTF-8, the broken bytes are replaced.
        text: String,
        /// What is wrong, in the order of the text; at least one.
        problems: Vec<Diagnostic>,
        /// What is allowed and probably not meant, in the order of the text.
        warnings: Vec<Diagnostic>,
    },
    /// A hook that the host supplied as a value is wrong. Correct the host.
    #[error("{}", supplied_lines(*.index, .error))]
    #[non_exhaustive]
    Supplied {
        /// Which of the supplied hooks, from 0.
        index: usize,
        /// What is wrong with it.
        error: HookSpecError,
    },
    /// Several of the above, in consultation order, each shown on lines of its own.
    #[error("{}", several_lines(.0))]
    #[non_exhaustive]
    Several(Vec<HookConfigError>),
}

impl HookConfigError {
    /// The single errors: those of [`HookConfigError::Several`], or this one.
    #[must_use]
    pub fn each(&self) -> &[Self] {
        if let Self::Several(errors) = self {
            errors
        } else {
            std::slice::from_ref(self)
        }
    }

    /// The file or directory this is about. Several errors are about no single one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Workspace { path, .. }
            | Self::RelativeGlobalDir { path, .. }
            | Self::NamedGlobalDir { path, .. }
            | Self::Invalid { path, .. } => Some(path),
            Self::Unreadable(error) => Some(error.path()),
            Self::NoGlobalDir | Self::Supplied { .. } | Self::Several(_) => None,
        }
    }

    /// One word for the kind, which does not change with the message: `dangling_link`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Workspace { .. } => "workspace",
            Self::RelativeGlobalDir { .. } => "relative_global_dir",
            Self::NamedGlobalDir { .. } => "named_global_dir",
            Self::NoGlobalDir => "no_global_dir",
            Self::Unreadable(error) => error.code(),
            Self::Invalid { .. } => "invalid",
            Self::Supplied { .. } => "supplied",
            Self::Several(_) => "several",
        }
    }

    /// One error out of however many there are; nothing when there are none.
    pub(crate) fn of(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() > 1 {
            return Some(Self::Several(errors));
        }
        errors.pop()
    }
}

fn problem_lines(path: &Path, problems: &[Diagnostic]) -> String {
    let path = path.display();
    let lines = problems.iter().map(|problem| format!("{path}:{problem}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn supplied_lines(index: usize, error: &HookSpecError) -> String {
    let lines = error.problems.iter().map(|problem| {
        let (name, told) = (Shown(&error.name), problem.sentence());
        format!("supplied hook {} (`{name}`): {told}", index + 1)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The errors one below the other, each with its causes: `source` has room for one cause only.
fn several_lines(errors: &[HookConfigError]) -> String {
    let mut lines = String::new();
    for error in errors {
        let start = if lines.is_empty() { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _infallible = write!(lines, "{start}{error}");
        if let Some(cause) = std::error::Error::source(error) {
            let _infallible = write!(lines, ": {cause}");
        }
    }
    lines
}
