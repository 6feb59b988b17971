//! The least that a question to a program can cost: `posix_spawn`, write, read, `waitpid`.
//!
//! Blocking, without a runtime, without a deadline, without looking at anything. Nobody could offer
//! this as a hook engine; it is what the operating system asks for. The program gets the
//! environment that a hook gets, because a shell with a shorter `PATH` and no locale is faster.

#![expect(unsafe_code, reason = "the floor is the bare system calls")]

use std::{
    ffi::{CString, c_int},
    fs::File,
    io::{self, Read, Write},
    mem,
    os::{fd::FromRawFd, unix::ffi::OsStrExt},
    path::Path,
    ptr,
    time::Duration,
};

/// Starts the program, gives it the input, and returns what it printed.
///
/// # Errors
///
/// Whatever the system answered.
pub fn ask(program: &Path, input: &[u8]) -> io::Result<Vec<u8>> {
    ask_words(&[program.display().to_string()], input)
}

/// The same with arguments.
///
/// # Errors
///
/// Whatever the system answered.
pub fn ask_words(words: &[String], input: &[u8]) -> io::Result<Vec<u8>> {
    let mut started = PingPong::start(words)?;
    if let Some(mut stdin) = started.stdin.take() {
        stdin.write_all(input)?;
    }
    let mut printed = Vec::new();
    started.stdout.read_to_end(&mut printed)?;
    Ok(printed)
}

/// The time on the clock that every process of the machine shares.
#[must_use]
pub fn now() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid for the call, and the clock exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds)
        + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default())
}

/// The least that a question to a program that runs already can cost: a write and a read that block.
#[derive(Debug)]
pub struct PingPong {
    pid: libc::pid_t,
    stdin: Option<File>,
    stdout: File,
}

impl PingPong {
    /// Starts the program.
    ///
    /// # Errors
    ///
    /// Whatever the system answered.
    pub fn start(words: &[String]) -> io::Result<Self> {
        let (stdin_reader, stdin) = pipe()?;
        let (stdout, stdout_writer) = pipe()?;
        let pid = spawn(words, stdin_reader, stdout_writer)?;
        // SAFETY: the four descriptors were made above and are each given away once; these two are the program's now.
        unsafe {
            libc::close(stdin_reader);
            libc::close(stdout_writer);
        }
        // SAFETY: as above; the files own them from here on.
        let (stdin, stdout) = unsafe { (File::from_raw_fd(stdin), File::from_raw_fd(stdout)) };
        Ok(Self {
            pid,
            stdin: Some(stdin),
            stdout,
        })
    }

    /// Writes a line and reads one; returns how many bytes it had.
    ///
    /// # Errors
    ///
    /// Whatever the system answered.
    pub fn ask(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Some(stdin) = &mut self.stdin {
            stdin.write_all(line)?;
        }
        let mut buffer = [0; 4096];
        let mut count = 0;
        loop {
            let read = self.stdout.read(&mut buffer)?;
            count += read;
            if read == 0 || buffer.get(read - 1) == Some(&b'\n') {
                return Ok(count);
            }
        }
    }
}

impl Drop for PingPong {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let mut status = 0;
        // SAFETY: a child of this process, waited for once.
        unsafe { libc::waitpid(self.pid, &raw mut status, 0) };
    }
}

fn pipe() -> io::Result<(c_int, c_int)> {
    let mut ends = [0; 2];
    // SAFETY: room for the two descriptors.
    match unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } {
        0 => Ok((ends[0], ends[1])),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What a hook is given of this process's environment.
const BASELINE: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "USER", "LOGNAME"];

fn variables() -> io::Result<Vec<CString>> {
    let mut variables = Vec::new();
    for name in BASELINE {
        #[expect(
            clippy::disallowed_methods,
            reason = "the variables that a hook is given too"
        )]
        if let Some(value) = std::env::var_os(name) {
            variables.push(CString::new(
                [name.as_bytes(), b"=", value.as_bytes()].concat(),
            )?);
        }
    }
    Ok(variables)
}

fn spawn(words: &[String], stdin: c_int, stdout: c_int) -> io::Result<libc::pid_t> {
    let words = words.iter().map(|word| CString::new(word.as_str()));
    let words: Vec<_> = words.collect::<Result<_, _>>()?;
    let pointers = words.iter().map(|word| word.as_ptr().cast_mut());
    let argv: Vec<_> = pointers.chain([ptr::null_mut()]).collect();
    let variables = variables()?;
    let environment: Vec<_> = variables
        .iter()
        .map(|variable| variable.as_ptr().cast_mut())
        .chain([ptr::null_mut()])
        .collect();
    let mut pid = 0;
    // SAFETY: the actions are initialised before they are used and destroyed after; every pointer is valid for the
    // call, and both arrays end with a null pointer.
    let status = unsafe {
        let mut actions: libc::posix_spawn_file_actions_t = mem::zeroed();
        libc::posix_spawn_file_actions_init(&raw mut actions);
        libc::posix_spawn_file_actions_adddup2(&raw mut actions, stdin, 0);
        libc::posix_spawn_file_actions_adddup2(&raw mut actions, stdout, 1);
        let status = libc::posix_spawn(
            &raw mut pid,
            argv.first().copied().unwrap_or_default(),
            &raw const actions,
            ptr::null(),
            argv.as_ptr(),
            environment.as_ptr(),
        );
        libc::posix_spawn_file_actions_destroy(&raw mut actions);
        status
    };
    if status == 0 {
        Ok(pid)
    } else {
        Err(io::Error::from_raw_os_error(status))
    }
}
