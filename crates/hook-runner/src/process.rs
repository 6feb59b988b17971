//! Starting a program, talking to it, and making sure that nothing of it is left.
//!
//! This module is the only place in the workspace that starts anything, and all that the operating
//! system decides lives below it. It knows bytes, deadlines and exit statuses; it does not know what
//! a hook is, what the bytes mean, or what a failure means for a call.
//!
//! One run is: resolve the program to an absolute path ([`resolve`]), start it by `posix_spawn`
//! ([`spawn`]), move bytes until it has exited ([`talk`]), and reap it
//! ([`child`]). Dropping the future at any point kills the program's whole process group and waits
//! for it.
//!
//! A program can also be kept and be asked line by line ([`kept`]), until the files it is made of
//! have changed ([`edition`]) or it is let go ([`farewell`]).
//!
//! [`inspect`] looks at the same files as a start would, and starts nothing.

mod child;
mod edition;
mod environment;
mod excerpt;
mod exposure;
mod farewell;
mod grounds;
mod inspect;
mod kept;
mod look;
mod pipes;
mod resolve;
mod spawn;
mod start_error;
mod talk;
mod user_shell;
mod watched;
mod way;

use std::{
    ffi::{CString, OsStr},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

pub use self::{
    child::Exit,
    environment::BASELINE,
    exposure::{Exposure, ExposureKind, Writers, exposures},
    inspect::{FaultKind, Inspection, ProgramFault},
    start_error::StartError,
    talk::Ending,
};
pub(crate) use self::{
    child::{kill_all, reap_orphans},
    edition::Edition,
    environment::Environment,
    excerpt::KEPT,
    farewell::Farewell,
    grounds::Grounds,
    kept::{Exchange, Heard, Kept, Pace, Unanswered},
    look::has_carriage_return,
    pipes::Input,
    talk::{GRACE, Run, poll_time},
    user_shell::user_shell,
};

/// The longest time a program may be given: one day. A longer one is cut to it.
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// How long the first wait for a program file that is being written takes; each further one is twice as long.
const FIRST_BUSY_WAIT: Duration = Duration::from_millis(1);

/// What is started, in which directory and environment. Everything that stays the same between two
/// runs is prepared here once.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The words of the command as they were declared.
    words: Arc<[String]>,
    /// The same as the operating system takes them; nothing when a word holds a NUL.
    argv: Option<Arc<[CString]>>,
    workspace: Arc<Path>,
    environment: Arc<Environment>,
    streams: pipes::Kind,
}

/// What one run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// From before the start to the last byte.
    pub(crate) timeout: Duration,
    /// How many bytes of standard output are read; one more and the program is killed.
    pub(crate) max_output_bytes: usize,
    /// How many bytes are kept of the beginning of standard error, and of its end.
    pub(crate) max_error_bytes: usize,
    /// How long a pipe that something still holds is read after the program itself has ended.
    pub(crate) grace: Duration,
}

impl Limits {
    /// What a hook may take.
    pub(crate) const fn new(timeout: Duration, max_output_bytes: usize) -> Self {
        Self {
            timeout,
            max_output_bytes,
            max_error_bytes: KEPT,
            grace: GRACE,
        }
    }
}

impl Program {
    pub(crate) fn new(
        words: &[String],
        workspace: Arc<Path>,
        environment: Arc<Environment>,
    ) -> Self {
        let argv = words
            .iter()
            .map(|word| CString::new(word.as_str()).ok())
            .collect();
        Self {
            words: words.into(),
            argv,
            workspace,
            environment,
            streams: pipes::Kind::Pipes,
        }
    }

    /// The same program with sockets for its standard streams, when it is run once.
    pub(crate) fn with_sockets(self) -> Self {
        let streams = pipes::Kind::Sockets;
        Self { streams, ..self }
    }

    /// Runs the program once: `input` on its standard input, then end of file.
    ///
    /// # Errors
    ///
    /// When it could not be started, with the reason in words.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills the process group and reaps the program.
    pub(crate) async fn run(&self, input: Input<'_>, limits: Limits) -> Result<Run, StartError> {
        self.run_heard(input, limits, &mut |_printed| {}).await
    }

    /// The same; `heard` is told what was printed so far, whenever that may have become more.
    pub(crate) async fn run_heard(
        &self,
        input: Input<'_>,
        limits: Limits,
        heard: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<Run, StartError> {
        let deadline = Instant::now() + limits.timeout.min(MAX_TIMEOUT);
        reap_orphans();
        let open = || pipes::Pipes::open(input, self.streams);
        let started = self.start(deadline, open, talk::Started::new).await?;
        Ok(talk::talk(started, input, deadline, limits, heard).await)
    }

    /// Starts the program to be kept and asked line by line.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// # Cancellation
    ///
    /// Dropping the future leaves nothing; dropping what it gives kills the process group.
    pub(crate) async fn keep(&self, deadline: Instant) -> Result<Kept, StartError> {
        reap_orphans();
        self.start(deadline, pipes::Pipes::empty, Kept::new).await
    }

    /// Starts the program; a file that is being written is waited for until the deadline.
    async fn start<T>(
        &self,
        deadline: Instant,
        open: impl Fn() -> io::Result<pipes::Pipes>,
        adopt: impl Fn(child::Child, pipes::Pipes) -> io::Result<T>,
    ) -> Result<T, StartError> {
        let mut wait = FIRST_BUSY_WAIT;
        loop {
            match self.try_start(&open, &adopt) {
                Err(StartError::Busy { .. }) if Instant::now() + wait < deadline => {
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
                result => return result,
            }
        }
    }

    fn try_start<T>(
        &self,
        open: impl Fn() -> io::Result<pipes::Pipes>,
        adopt: impl Fn(child::Child, pipes::Pipes) -> io::Result<T>,
    ) -> Result<T, StartError> {
        let (Some(argv), Some(word)) = (&self.argv, self.words.first()) else {
            return Err(StartError::Unusable {
                what: "a word of the command holds a NUL byte, or the command is empty".into(),
            });
        };
        let environment = self.environment.variables()?;
        let path = self.path_of(word)?;
        let explain = |error| start_error::explain(error, &path, &self.workspace);
        let usable = |path: &Path| {
            CString::new(path.as_os_str().as_bytes()).map_err(|_nul| StartError::Unusable {
                what: format!("the path {} holds a NUL byte", path.display()),
            })
        };
        let pipes = open().map_err(explain)?;
        let pid = spawn::spawn(&spawn::Order {
            program: &usable(&path)?,
            argv,
            environment,
            directory: &usable(&self.workspace)?,
            streams: pipes.child_ends(),
        })
        .map_err(explain)?;
        let child = child::Child::adopt(pid).map_err(explain)?;
        adopt(child, pipes).map_err(explain)
    }
}

impl Program {
    /// The same program in another directory and environment.
    pub(crate) fn placed(&self, directory: Arc<Path>, environment: Arc<Environment>) -> Self {
        Self {
            words: Arc::clone(&self.words),
            argv: self.argv.clone(),
            workspace: directory,
            environment,
            streams: self.streams,
        }
    }

    /// The words of the command as they were declared.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// The absolute path of the file that is started.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub(crate) fn path(&self) -> Result<PathBuf, StartError> {
        self.path_of(self.words.first().map_or("", String::as_str))
    }

    /// The files that decide what the program does, as they are now.
    pub(crate) fn edition(&self) -> Edition {
        let program = self.path().ok();
        let arguments = self.words.iter().skip(1);
        Edition::of(program, arguments.map(|word| join(&self.workspace, word)))
    }

    /// Looks at the program as a start would meet it, and at who could change it. Starts nothing.
    pub(crate) fn inspect(&self) -> Inspection {
        inspect::inspect(&self.words, &self.workspace, self.environment.search_path())
    }

    fn path_of(&self, word: &str) -> Result<PathBuf, StartError> {
        resolve::resolve(word, &self.workspace, self.environment.search_path())
    }
}

/// The path of a program as the operating system would be given it; for diagnostics.
fn join(workspace: &Path, word: &str) -> PathBuf {
    workspace.join(OsStr::new(word))
}

#[cfg(test)]
mod tests;
