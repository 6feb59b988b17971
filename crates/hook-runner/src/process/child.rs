//! A started program that this process must kill, wait for and forget, in that order.
//!
//! As long as it has not been waited for, its process id, which is also its group's, cannot be
//! given to anybody else; so every signal is sent before the wait. "Signal sent" is not "dead":
//! only a wait result is.

use std::{
    fmt, io,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus},
};

use super::watched::Watched;

/// How often a group is stopped and killed. A group signal reaches every member at once on the
/// systems we know; the further rounds are for members that were being born.
const KILL_ROUNDS: usize = 3;

/// How long the death of a killed program is waited for while a consultation waits for its outcome.
const DEATH_LIMIT: Duration = Duration::from_millis(40);

/// How long it is waited for when a consultation is dropped, which blocks whoever drops it. A killed
/// program dies as soon as it is scheduled; only a system call that cannot be interrupted takes longer.
const DROP_LIMIT: Duration = Duration::from_millis(500);

/// How often a program that has no descriptor is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(1);

/// How a program ended.
///
/// ```
/// use hook_runner::Exit;
///
/// assert_eq!(Exit::Code(3).to_string(), "status 3");
/// assert_eq!(Exit::Signal(9).to_string(), "signal 9 (SIGKILL)");
/// assert_eq!(Exit::Unknown.to_string(), "an unknown status");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// It exited with this status.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// It ended, and somebody else took the status: the host ignores `SIGCHLD`, or waits for
    /// children that are not its own.
    Unknown,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "status {code}"),
            Self::Signal(signal) => match name_of(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            Self::Unknown => f.write_str("an unknown status"),
        }
    }
}

/// The name under which people know a signal that ends a program; rustix has names of its own.
fn name_of(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGVTALRM => "SIGVTALRM",
        libc::SIGPROF => "SIGPROF",
        libc::SIGSYS => "SIGSYS",
        _ => return None,
    })
}

impl Exit {
    fn of(status: &WaitIdStatus) -> Self {
        if let Some(code) = status.exit_status() {
            Self::Code(code)
        } else if let Some(signal) = status.terminating_signal() {
            Self::Signal(signal)
        } else {
            Self::Unknown
        }
    }
}

/// A program that was started and not waited for yet, and what tells that it has ended.
#[derive(Debug)]
pub(super) struct Child {
    process: Process,
    watch: Watch,
}

/// The process alone. Dropping it kills its group and waits, unless that was done.
#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    reaped: bool,
    /// Whether it may have ended long before anybody looks.
    is_kept: bool,
}

/// What tells that a program has ended.
#[derive(Debug)]
enum Watch {
    /// A descriptor that becomes readable; Linux 5.3 and later.
    Descriptor(Watched),
    /// `SIGCHLD`, for systems without such descriptors.
    Signal(tokio::signal::unix::Signal),
}

impl Child {
    /// Takes responsibility for a program that was just started.
    pub(super) fn adopt(pid: Pid) -> io::Result<Self> {
        Self::with_watch(pid, || watch(pid))
    }

    fn with_watch(pid: Pid, watch: impl FnOnce() -> io::Result<Watch>) -> io::Result<Self> {
        // First of all: watching can fail, and an async runtime without I/O panics.
        let process = Process {
            pid,
            reaped: false,
            is_kept: false,
        };
        started().push(pid);
        let watch = watch()?;
        Ok(Self { process, watch })
    }

    /// Will be kept: when it ends is up to it.
    pub(super) fn keep(&mut self) {
        self.process.is_kept = true;
    }

    /// Watches it from the runtime that is current now.
    pub(super) fn move_here(&mut self) -> io::Result<()> {
        self.watch = watch(self.process.pid)?;
        Ok(())
    }

    /// The process, which nobody watches any more.
    pub(super) fn into_process(self) -> Process {
        self.process
    }

    /// Ready when the program has ended; how it ended is left for [`reap`](Self::reap).
    pub(super) fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<Exit> {
        match &mut self.watch {
            Watch::Descriptor(descriptor) => {
                // The readiness is never cleared: an ended program stays ended.
                let _ready = ready!(descriptor.poll_readable(cx));
                Poll::Ready(peek(self.process.pid).unwrap_or(Exit::Unknown))
            }
            Watch::Signal(signal) => {
                // Asked until it has nothing new, so that the task is woken by the next signal.
                while signal.poll_recv(cx) == Poll::Ready(Some(())) {}
                peek(self.process.pid).map_or(Poll::Pending, Poll::Ready)
            }
        }
    }

    /// Kills the whole process group, the program itself included.
    pub(super) fn kill_group(&self) {
        self.process.kill_group();
    }

    /// Gives the process id back to the system. Only for a program that has ended.
    pub(super) fn reap(mut self) {
        forget(self.process.pid);
        self.process.reaped = try_reap(self.process.pid);
    }

    /// Kills the group, waits for the program's end as long as that is reasonable, and forgets it.
    pub(super) async fn kill(mut self) {
        self.process.kill_group();
        let ended = std::future::poll_fn(|cx| self.poll_ended(cx));
        // Whichever it was: on a busy machine the program may have died and the runtime not know it.
        let _in_time = tokio::time::timeout(DEATH_LIMIT, ended).await;
        // A member that was being born when the others died.
        self.process.kill_group();
        forget(self.process.pid);
        self.process.reaped = try_reap(self.process.pid);
        if !self.process.reaped {
            self.process.reaped = true;
            leave_to_later(self.process.pid);
        }
    }
}

impl Process {
    /// Kills the whole process group, unless its number may belong to somebody else by now.
    ///
    /// A host that takes the status of every child, or ignores `SIGCHLD`, gives the number back when
    /// the program ends. One that was started for a question is signalled before it can be used
    /// again; one that is kept may have ended an hour ago.
    fn kill_group(&self) {
        let is_child = wait(self.pid, WaitIdOptions::NOWAIT).is_ok();
        if is_child || !self.is_kept {
            kill_group(self.pid);
        }
    }

    /// Whether the program has ended; it stays to be reaped.
    pub(super) fn has_ended(&self) -> bool {
        peek(self.pid).is_some()
    }

    /// Blocks until the program has ended or the time is over.
    pub(super) fn wait(&self, limit: Duration) {
        wait_for_death(self.pid, limit);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill_group();
            forget(self.pid);
            reap_soon(self.pid);
        }
    }
}

fn watch(pid: Pid) -> io::Result<Watch> {
    match watch_by_descriptor(pid) {
        Err(error) if is_unsupported(&error) => watch_by_signal(),
        result => result,
    }
}

#[cfg(target_os = "linux")]
fn watch_by_descriptor(pid: Pid) -> io::Result<Watch> {
    let descriptor = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::NONBLOCK)?;
    Watched::readable(descriptor).map(Watch::Descriptor)
}

#[cfg(not(target_os = "linux"))]
fn watch_by_descriptor(_pid: Pid) -> io::Result<Watch> {
    Err(Errno::NOSYS.into())
}

/// An old kernel, a sandbox that forbids the call, or a program that is gone because the host
/// ignores `SIGCHLD`.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::SRCH)
    )
}

fn watch_by_signal() -> io::Result<Watch> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child()).map(Watch::Signal)
}

/// How the program ended, if it has; it stays to be reaped.
fn peek(pid: Pid) -> Option<Exit> {
    match wait(pid, WaitIdOptions::NOWAIT) {
        Ok(status) => status.as_ref().map(Exit::of),
        Err(_no_such_child) => Some(Exit::Unknown),
    }
}

/// Whether the program is gone, be it by this call or by somebody else's.
fn try_reap(pid: Pid) -> bool {
    !matches!(wait(pid, WaitIdOptions::empty()), Ok(None))
}

fn wait(pid: Pid, options: WaitIdOptions) -> rustix::io::Result<Option<WaitIdStatus>> {
    let options = options | WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    rustix::io::retry_on_intr(|| rustix::process::waitid(WaitId::Pid(pid), options))
}

/// Stops the group before it is killed, so that nothing in it can fork on meanwhile.
fn kill_group(pid: Pid) {
    for _ in 0..KILL_ROUNDS {
        // An error means that nobody is left, or nobody whom this process may signal.
        let _nobody = rustix::process::kill_process_group(pid, Signal::STOP);
        if rustix::process::kill_process_group(pid, Signal::KILL).is_err() {
            return;
        }
    }
}

/// Waits for a killed program without an async runtime.
fn reap_soon(pid: Pid) {
    let since = Instant::now();
    while !try_reap(pid) {
        let Some(left) = DROP_LIMIT.checked_sub(since.elapsed()) else {
            return leave_to_later(pid);
        };
        wait_for_death(pid, left);
    }
}

/// Waits until the program has ended or the time is over.
fn wait_for_death(pid: Pid, limit: Duration) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    #[cfg(target_os = "linux")]
    if let Ok(limit) = Timespec::try_from(limit)
        && let Ok(descriptor) =
            rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::NONBLOCK)
    {
        let _ended = poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], Some(&limit));
        return;
    }
    let _ = pid;
    if let Ok(pause) = Timespec::try_from(limit.min(PAUSE)) {
        let _over = poll(&mut [], Some(&pause));
    }
}

/// Leaves a program that does not die to the next start.
fn leave_to_later(pid: Pid) {
    ORPHANS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(pid);
}

/// Programs that were killed and had not died in time, as in an uninterruptible wait of the kernel.
static ORPHANS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Programs that are neither killed nor waited for. The number of each is its own as long as it is here.
static STARTED: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn started() -> MutexGuard<'static, Vec<Pid>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Before its number is given back to the system.
fn forget(pid: Pid) {
    let mut started = started();
    if let Some(place) = started.iter().position(|other| *other == pid) {
        started.swap_remove(place);
    }
}

/// Kills the group of each program that is neither killed nor waited for.
pub(crate) fn kill_all() {
    for pid in &*started() {
        // A host that takes the status of every child may have given the number away.
        if wait(*pid, WaitIdOptions::NOWAIT).is_ok() {
            kill_group(*pid);
        }
    }
}

/// Forgets those of the killed programs that have died meanwhile.
pub(crate) fn reap_orphans() {
    if let Ok(mut orphans) = ORPHANS.try_lock() {
        orphans.retain(|pid| !try_reap(*pid));
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::CString, fs::File, os::fd::AsFd};

    use super::*;
    use crate::process::spawn;

    /// Watches a shell the way systems without process descriptors do.
    fn shell_watched_by_signal(command: &str) -> Child {
        let null = File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
            .expect("a file");
        let pid = spawn::spawn(&spawn::Order {
            program: c"/bin/sh",
            argv: &["sh", "-c", command].map(|word| CString::new(word).expect("no NUL")),
            environment: &[],
            directory: c"/",
            streams: [null.as_fd(); 3],
        });
        Child::with_watch(pid.expect("started"), watch_by_signal).expect("watched")
    }

    #[tokio::test]
    async fn a_program_can_be_watched_without_a_process_descriptor() {
        let mut child = shell_watched_by_signal("exit 5");
        let exit = std::future::poll_fn(|cx| child.poll_ended(cx)).await;
        assert_eq!(exit, Exit::Code(5));
        let pid = child.process.pid;
        child.reap();
        assert_eq!(
            peek(pid),
            Some(Exit::Unknown),
            "it is nobody's child any more"
        );

        let child = shell_watched_by_signal("sleep 600");
        let pid = child.process.pid;
        child.kill().await;
        assert_eq!(peek(pid), Some(Exit::Unknown), "killed and reaped");

        let child = shell_watched_by_signal("sleep 600");
        let pid = child.process.pid;
        drop(child);
        assert_eq!(peek(pid), Some(Exit::Unknown), "killed and reaped");
    }

    #[test]
    fn an_exit_is_told_in_words() {
        assert_eq!(Exit::Code(3).to_string(), "status 3");
        assert_eq!(Exit::Signal(9).to_string(), "signal 9 (SIGKILL)");
        assert_eq!(Exit::Signal(6).to_string(), "signal 6 (SIGABRT)");
        assert_eq!(Exit::Signal(14).to_string(), "signal 14 (SIGALRM)");
        assert_eq!(Exit::Signal(40).to_string(), "signal 40");
        assert_eq!(Exit::Unknown.to_string(), "an unknown status");
    }
}
