//! `posix_spawn`, with everything a hook program's start needs.
//!
//! Unsafe code, of which there is only this and one line in [`watched`](super::watched) (ADR 0007). The standard library's `Command` cannot give a
//! child default signal dispositions, nor close descriptors the embedder forgot to mark, without a
//! `pre_exec` closure, and a closure makes it fork: the cost of a start would grow with the
//! embedder's memory. `posix_spawn` does all of it and shares the parent's memory until the exec.

#![expect(
    unsafe_code,
    reason = "ADR 0007: no safe crate offers these attributes of posix_spawn"
)]

use std::{
    ffi::{CStr, CString, c_int},
    io, mem,
    os::fd::{AsRawFd, BorrowedFd},
    ptr,
};

use rustix::process::Pid;

/// What is started, and with what.
pub(super) struct Order<'a> {
    /// The absolute path of the program.
    pub(super) program: &'a CStr,
    /// The words the program sees, its own name first.
    pub(super) argv: &'a [CString],
    /// `NAME=value` of each variable; nothing else is inherited.
    pub(super) environment: &'a [CString],
    /// The working directory.
    pub(super) directory: &'a CStr,
    /// What becomes standard input, output and error; none of them a standard stream already.
    pub(super) streams: [BorrowedFd<'a>; 3],
}

/// Starts a program in a session, and so in a process group, of its own, with default signal
/// dispositions, an empty signal mask, and no descriptor but the three streams.
///
/// Without a controlling terminal, a hook whose `git` or `ssh` asks for a password fails at once;
/// in a mere process group it would be stopped by the terminal until its deadline.
pub(super) fn spawn(order: &Order<'_>) -> io::Result<Pid> {
    let mut actions = Actions::new()?;
    actions.change_directory(order.directory)?;
    for (stream, target) in order.streams.iter().zip(0..) {
        actions.duplicate(stream.as_raw_fd(), target)?;
    }
    actions.close_all_others()?;
    let attributes = Attributes::new()?;
    let argv = pointers(order.argv);
    let environment = pointers(order.environment);
    let mut pid = 0;
    // SAFETY: the path is a C string; both arrays end with a null pointer and their strings are borrowed for the whole
    // call; the actions and attributes were initialised above.
    let status = unsafe {
        libc::posix_spawn(
            &raw mut pid,
            order.program.as_ptr(),
            &raw const actions.0,
            &raw const attributes.0,
            argv.as_ptr(),
            environment.as_ptr(),
        )
    };
    check(status)?;
    Pid::from_raw(pid).ok_or_else(|| io::Error::other("posix_spawn gave no process id"))
}

/// These functions return the error instead of setting `errno`.
fn check(status: c_int) -> io::Result<()> {
    if status == 0 {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(status))
    }
}

/// The null-terminated array C expects; the strings stay borrowed from `strings`.
fn pointers(strings: &[CString]) -> Vec<*mut libc::c_char> {
    let strings = strings.iter().map(|string| string.as_ptr().cast_mut());
    strings.chain([ptr::null_mut()]).collect()
}

/// What the child does between its birth and the exec.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        // SAFETY: the type is plain data (a struct of integers and pointers, or one pointer), for which all zeroes is
        // a value; `init` then makes it a valid one before it is used.
        let mut actions = unsafe { mem::zeroed() };
        // SAFETY: a valid, exclusive pointer.
        check(unsafe { libc::posix_spawn_file_actions_init(&raw mut actions) })?;
        Ok(Self(actions))
    }

    fn change_directory(&mut self, directory: &CStr) -> io::Result<()> {
        // SAFETY: initialised in `new`; the string is copied by the call.
        check(unsafe {
            libc::posix_spawn_file_actions_addchdir_np(&raw mut self.0, directory.as_ptr())
        })
    }

    fn duplicate(&mut self, source: c_int, target: c_int) -> io::Result<()> {
        // SAFETY: initialised in `new`; descriptors are plain numbers here.
        check(unsafe { libc::posix_spawn_file_actions_adddup2(&raw mut self.0, source, target) })
    }

    /// Also what the embedder forgot to mark close-on-exec.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn close_all_others(&mut self) -> io::Result<()> {
        // SAFETY: initialised in `new`.
        check(unsafe { libc::posix_spawn_file_actions_addclosefrom_np(&raw mut self.0, 3) })
    }

    /// Apple has an attribute for it; elsewhere close-on-exec has to do.
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    #[expect(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "one signature on every system"
    )]
    fn close_all_others(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, and destroyed once.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

/// What the child is, other than its descriptors.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new() -> io::Result<Self> {
        // SAFETY: plain data as in `Actions::new`, initialised before use.
        let mut attributes = unsafe { mem::zeroed() };
        // SAFETY: a valid, exclusive pointer.
        check(unsafe { libc::posix_spawnattr_init(&raw mut attributes) })?;
        let mut attributes = Self(attributes);
        attributes.set_flags()?;
        attributes.set_signals()?;
        Ok(attributes)
    }

    fn set_flags(&mut self) -> io::Result<()> {
        let flags = OWN_SESSION
            | libc::POSIX_SPAWN_SETSIGDEF
            | libc::POSIX_SPAWN_SETSIGMASK
            | CLOSE_BY_DEFAULT;
        let flags = libc::c_short::try_from(flags).map_err(io::Error::other)?;
        // SAFETY: initialised in `new`.
        check(unsafe { libc::posix_spawnattr_setflags(&raw mut self.0, flags) })
    }

    /// Every disposition at its default, nothing blocked: a guard's shell idioms behave as in a terminal.
    fn set_signals(&mut self) -> io::Result<()> {
        // SAFETY: a signal set is plain data; both are filled by the calls below before they are read. Their pointers
        // are valid and exclusive, and the attributes were initialised in `new`.
        unsafe {
            let mut set: libc::sigset_t = mem::zeroed();
            libc::sigfillset(&raw mut set);
            check(libc::posix_spawnattr_setsigdefault(
                &raw mut self.0,
                &raw const set,
            ))?;
            libc::sigemptyset(&raw mut set);
            check(libc::posix_spawnattr_setsigmask(
                &raw mut self.0,
                &raw const set,
            ))
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, and destroyed once.
        unsafe { libc::posix_spawnattr_destroy(&raw mut self.0) };
    }
}

/// The `libc` crate does not name it for Apple's systems; it is in their `spawn.h`.
#[cfg(target_vendor = "apple")]
const OWN_SESSION: c_int = 0x0400;
#[cfg(not(target_vendor = "apple"))]
const OWN_SESSION: c_int = libc::POSIX_SPAWN_SETSID as c_int;

#[cfg(target_vendor = "apple")]
const CLOSE_BY_DEFAULT: c_int = libc::POSIX_SPAWN_CLOEXEC_DEFAULT;
#[cfg(not(target_vendor = "apple"))]
const CLOSE_BY_DEFAULT: c_int = 0;
