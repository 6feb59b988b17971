//! Starting a program once, for transports that ask programs in words of their own.
//!
//! It is what the hooks of this crate are started with: no shell unless one is named, its own process group, one deadline
//! for everything, input written while output is drained, and nothing left behind. What the bytes mean, and what a
//! failure leads to, is the transport's business.
//!
//! ```
//! use std::{path::Path, time::Duration};
//!
//! use hook_runner::{
//!     Exit,
//!     program::{Ending, Environment, Limits, Program},
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), hook_runner::StartError> {
//! let environment = Environment::baseline([("GREETING", "hello")]);
//! let program = Program::shell("echo \"$GREETING $(cat)\"", Path::new("/"), &environment);
//! let run = program.run(b"world", Limits::new(Duration::from_secs(5))).await?;
//! assert_eq!(run.ending, Ending::Exited(Exit::Code(0)));
//! assert_eq!(run.stdout, b"hello world\n");
//! # Ok(())
//! # }
//! ```

use std::{
    ffi::{OsStr, OsString},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
    thread::available_parallelism,
    time::Duration,
};

use hook_wire::MAX_RESPONSE_BYTES;

pub use crate::process::Ending;
use crate::{
    Inspection, StartError,
    process::{self, Input},
};

/// The shell of every system, for commands that are a line of text.
const SHELL: &str = "/bin/sh";

/// How many programs run at once for each core, unless set.
const A_CORE: usize = 4;

/// How many programs a host runs at once unless it is set: 4 for each core this process may use.
///
/// Asked of the system once: it reads files of it, and a runner is built anew by each of its `with_…` methods.
///
/// ```
/// use hook_runner::{HookRunner, program::at_once};
///
/// // Another part of the host starts programs as well.
/// let runner = HookRunner::builder("/repo").with_max_programs(at_once() / 2).build()?;
/// assert_eq!(at_once() % 4, 0);
/// # Ok::<(), hook_runner::BuildError>(())
/// ```
#[must_use]
pub fn at_once() -> usize {
    static AT_ONCE: LazyLock<usize> =
        LazyLock::new(|| A_CORE * available_parallelism().map_or(1, NonZero::get));
    *AT_ONCE
}

/// Kills every program that this process has started and that has not ended, hooks and workers among them, and waits for
/// none.
///
/// For a host that has to end at once, while what asks the programs is stuck. Otherwise dropping what asks them is enough.
///
/// ```standalone_crate
/// use std::{path::Path, time::Duration};
///
/// use hook_runner::{
///     Exit,
///     program::{self, Ending, Environment, Limits, Program},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), hook_runner::StartError> {
/// let environment = Environment::baseline([("PATH", "/usr/bin:/bin")]);
/// let program = Program::shell("echo started; sleep 600", Path::new("/"), &environment);
/// let mut end = |printed: &[u8]| {
///     if !printed.is_empty() {
///         program::kill_all();
///     }
/// };
/// let run = program.run_heard(b"", Limits::new(Duration::from_secs(60)), &mut end).await?;
/// assert_eq!(run.ending, Ending::Exited(Exit::Signal(9)));
/// # Ok(())
/// # }
/// ```
pub fn kill_all() {
    process::kill_all();
}

/// What a program is started with; cheap to clone.
///
/// Of a `PATH`, only the absolute entries are kept: a repository cannot plant a program. `HOOKCHAIN_DEPTH` counts how deep
/// in hooks a program is, whatever is said here.
///
/// ```
/// use std::{path::Path, time::Duration};
///
/// use hook_runner::program::{Environment, Limits, Program};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), hook_runner::StartError> {
/// let environment = Environment::baseline([("PATH", "bin:/bin"), ("POLICY", "lax")]).with([("POLICY", "strict")]);
/// let program = Program::shell("echo $PATH $POLICY", Path::new("/"), &environment);
/// let run = program.run(b"", Limits::new(Duration::from_secs(60))).await?;
/// assert_eq!(run.stdout, b"/bin strict\n", "the relative entry is not kept");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Environment(Arc<process::Environment>);

impl Environment {
    /// PATH, HOME, TMPDIR, TMP, TEMP, LANG, `LC_ALL`, TZ, USER and LOGNAME of this process, and these variables.
    #[must_use]
    pub fn baseline<N, V>(added: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        Self(Arc::new(process::Environment::new(&[], &pairs(added))))
    }

    /// Those variables of this process that `keep` says yes to, by name and value, and these.
    #[must_use]
    pub fn inherited<N, V>(
        keep: impl Fn(&OsStr, &OsStr) -> bool,
        added: impl IntoIterator<Item = (N, V)>,
    ) -> Self
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        Self(Arc::new(process::Environment::inheriting(
            keep,
            &pairs(added),
        )))
    }

    /// The same for a program that belongs to `directory` and whose code the workspace must not supply: without entries of
    /// `PATH` and its kin that lead through the workspace, without variables that have interpreters run further code
    /// (`BASH_ENV`, `NODE_OPTIONS`, `LD_PRELOAD`), and with `HOOKCHAIN_WORKSPACE`. What lies in the workspace itself is its
    /// own: then nothing is left out.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hook_runner::program::{Environment, Program};
    ///
    /// let environment = Environment::baseline([("PATH", "/repo/bin:/bin")]);
    /// let apart = environment.apart_from(Path::new("/repo"), Path::new("/home/ada/.config/basis"));
    /// let program = Program::new(["sh"], Path::new("/home/ada/.config/basis"), &apart);
    /// assert_eq!(program.path()?, Path::new("/bin/sh"));
    /// # Ok::<(), hook_runner::StartError>(())
    /// ```
    #[must_use]
    pub fn apart_from(&self, workspace: &Path, directory: &Path) -> Self {
        Self(Arc::new(self.0.apart_from(workspace, directory)))
    }

    /// The same and these, in place of those of the same names. `PATH` stays as it is.
    #[must_use]
    pub fn with<N, V>(&self, added: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        Self(Arc::new(self.0.plus(&pairs(added))))
    }
}

fn pairs<N: Into<OsString>, V: Into<OsString>>(
    given: impl IntoIterator<Item = (N, V)>,
) -> Vec<(OsString, OsString)> {
    let given = given.into_iter();
    given
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

/// What is started, where and with what; cheap to clone.
///
/// ```
/// use std::path::Path;
///
/// use hook_runner::program::{Environment, Program};
///
/// let environment = Environment::baseline([("PATH", "/no/such/directory:/bin")]);
/// let program = Program::new(["sh", "./guard.sh"], Path::new("/repo"), &environment);
/// assert_eq!(program.words(), ["sh", "./guard.sh"]);
/// assert_eq!(program.path()?, Path::new("/bin/sh"));
/// # Ok::<(), hook_runner::StartError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program(process::Program);

/// What one run may take.
///
/// ```
/// use std::{path::Path, time::Duration};
///
/// use hook_runner::program::{Ending, Environment, Limits, Program};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), hook_runner::StartError> {
/// let environment = Environment::baseline([("POLICY", "strict")]);
/// let program = Program::shell("echo too much", Path::new("/"), &environment);
/// let limits = Limits::new(Duration::from_secs(60)).with_max_output_bytes(3);
/// assert_eq!(program.run(b"", limits).await?.ending, Ending::TooMuchOutput);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From before the start to the last byte; at most a day. At it, the process group is killed.
    pub timeout: Duration,
    /// How many bytes it may print; one more and it is killed.
    pub max_output_bytes: usize,
    /// How many bytes are kept of the beginning of standard error, and of its end.
    pub max_error_bytes: usize,
    /// How long output that something else still holds open is read after the program has ended.
    pub grace: Duration,
}

impl Limits {
    /// 8 MiB of output, 2 KiB from each end of standard error, and 100 ms after the end.
    #[must_use]
    pub const fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            max_output_bytes: MAX_RESPONSE_BYTES,
            max_error_bytes: process::KEPT,
            grace: process::GRACE,
        }
    }

    /// The same with another limit of output.
    #[must_use]
    pub const fn with_max_output_bytes(self, max_output_bytes: usize) -> Self {
        Self {
            max_output_bytes,
            ..self
        }
    }

    /// The same with more or less kept of each end of standard error.
    #[must_use]
    pub const fn with_max_error_bytes(self, max_error_bytes: usize) -> Self {
        Self {
            max_error_bytes,
            ..self
        }
    }

    /// The same with another time for output that something else still holds open.
    #[must_use]
    pub const fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }
}

/// What a program did.
///
/// ```
/// use std::{path::Path, time::Duration};
///
/// use hook_runner::{
///     Exit,
///     program::{Ending, Environment, Limits, Program},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), hook_runner::StartError> {
/// let environment = Environment::baseline([("POLICY", "strict")]);
/// let program = Program::shell("cat; echo why >&2; exit 3", Path::new("/"), &environment);
/// let run = program.run(b"hello", Limits::new(Duration::from_secs(60))).await?;
/// assert_eq!(run.ending, Ending::Exited(Exit::Code(3)));
/// assert_eq!((&*run.stdout, run.stderr.as_deref(), run.sent), (&b"hello"[..], Some("why"), 5));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// What it printed, up to the limit.
    pub stdout: Vec<u8>,
    /// What it printed as errors, trimmed, with a mark where bytes were left out; nothing when it is blank.
    pub stderr: Option<String>,
    /// How many bytes of the input it was given.
    pub sent: usize,
    /// Whether something outlived it and held its output open, so that its process group was killed.
    pub held_open: bool,
}

impl Program {
    /// A program and its arguments, without a shell.
    ///
    /// A name without a `/` is looked for along the environment's `PATH`; a relative path with one belongs to the
    /// directory.
    #[must_use]
    pub fn new(
        words: impl IntoIterator<Item = impl Into<String>>,
        directory: impl Into<Arc<Path>>,
        environment: &Environment,
    ) -> Self {
        let words: Vec<String> = words.into_iter().map(Into::into).collect();
        let environment = Arc::clone(&environment.0);
        Self(process::Program::new(&words, directory.into(), environment))
    }

    /// A line for `/bin/sh -c`.
    #[must_use]
    pub fn shell(
        line: impl Into<String>,
        directory: impl Into<Arc<Path>>,
        environment: &Environment,
    ) -> Self {
        let words = [SHELL.to_owned(), "-c".to_owned(), line.into()];
        Self::new(words, directory, environment)
    }

    /// A line for the shell that the system has noted for the user; `/bin/sh` where it has noted none. `$SHELL` is not
    /// looked at.
    #[must_use]
    pub fn user_shell(
        line: impl Into<String>,
        directory: impl Into<Arc<Path>>,
        environment: &Environment,
    ) -> Self {
        let shell = process::user_shell().and_then(|path| path.into_os_string().into_string().ok());
        let shell = shell.unwrap_or_else(|| SHELL.to_owned());
        Self::new(
            [shell, "-c".to_owned(), line.into()],
            directory,
            environment,
        )
    }

    /// The same program in another directory and environment; nothing of it is copied.
    #[must_use]
    pub fn placed(&self, directory: impl Into<Arc<Path>>, environment: &Environment) -> Self {
        let environment = Arc::clone(&environment.0);
        Self(self.0.placed(directory.into(), environment))
    }

    /// The same program with sockets for its standard streams in place of pipes. Those cannot be opened by a path such as
    /// `/dev/stdin`.
    ///
    /// ```
    /// use std::{path::Path, time::Duration};
    ///
    /// use hook_runner::{
    ///     Exit,
    ///     program::{Ending, Environment, Limits, Program},
    /// };
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), hook_runner::StartError> {
    /// let environment = Environment::baseline([("PATH", "/usr/bin:/bin")]);
    /// let limits = Limits::new(Duration::from_secs(60));
    /// let by_path = Program::shell("cat /dev/stdin", Path::new("/"), &environment);
    /// assert_eq!(by_path.run(b"asked", limits).await?.stdout, b"asked");
    /// # #[cfg(target_os = "linux")] {
    /// let run = by_path.with_sockets().run(b"asked", limits).await?;
    /// assert_eq!(run.ending, Ending::Exited(Exit::Code(1)));
    /// # }
    /// let plain = Program::shell("cat", Path::new("/"), &environment).with_sockets();
    /// assert_eq!(plain.run(b"asked", limits).await?.stdout, b"asked");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_sockets(self) -> Self {
        Self(self.0.with_sockets())
    }

    /// The words of the command.
    #[must_use]
    pub fn words(&self) -> &[String] {
        self.0.words()
    }

    /// The path that would be started: a path as it stands, from the directory, whether or not a file is there; a bare name
    /// where the `PATH` holds it.
    ///
    /// # Errors
    ///
    /// [`StartError::NotOnPath`] when no directory of the `PATH` holds the bare name.
    pub fn path(&self) -> Result<PathBuf, StartError> {
        self.0.path()
    }

    /// Looks at the program as a start would meet it. Starts nothing.
    #[must_use]
    pub fn inspect(&self) -> Inspection {
        self.0.inspect()
    }

    /// Runs it once: `input` on its standard input, then end of file.
    ///
    /// # Errors
    ///
    /// When it could not be started, with the reason in words.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills the process group and reaps the program.
    pub async fn run(&self, input: &[u8], limits: Limits) -> Result<Run, StartError> {
        self.run_heard(input, limits, &mut |_printed| {}).await
    }

    /// The same; `heard` is told everything that was printed so far, whenever that may have become more.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// # Cancellation
    ///
    /// As [`run`](Self::run).
    pub async fn run_heard(
        &self,
        input: &[u8],
        limits: Limits,
        heard: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<Run, StartError> {
        let limits = process::Limits {
            timeout: limits.timeout,
            max_output_bytes: limits.max_output_bytes,
            max_error_bytes: limits.max_error_bytes,
            grace: limits.grace,
        };
        let pieces = [input];
        let run = self.0.run_heard(Input::new(&pieces), limits, heard).await?;
        Ok(Run {
            ending: run.ending,
            stderr: run.stderr.to_text(),
            stdout: run.stdout,
            sent: run.sent,
            held_open: run.held_open,
        })
    }
}

#[cfg(test)]
mod tests;
