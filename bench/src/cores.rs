//! Which cores this thread, and what is started from it, runs on.

#![expect(unsafe_code, reason = "no safe crate here offers these calls")]

use std::{io, mem};

/// A set of cores.
#[derive(Clone, Copy, Debug)]
pub struct Cores(libc::cpu_set_t);

impl Cores {
    /// Those that this thread may run on.
    ///
    /// # Errors
    ///
    /// Whatever the system answered.
    pub fn current() -> io::Result<Self> {
        // SAFETY: a set of bits, for which all zeroes is a value; the call fills it, and it is as large as it says.
        unsafe {
            let mut set: libc::cpu_set_t = mem::zeroed();
            check(libc::sched_getaffinity(0, size_of_val(&set), &raw mut set))?;
            Ok(Self(set))
        }
    }

    /// One of them, by its place among them; the last one if there are not so many.
    #[must_use]
    pub fn only(&self, place: usize) -> Self {
        let size = usize::try_from(libc::CPU_SETSIZE).unwrap_or_default();
        // SAFETY: the numbers are below the size of the set, for which all zeroes is a value.
        unsafe {
            let mut one: libc::cpu_set_t = mem::zeroed();
            let cores = (0..size).filter(|core| libc::CPU_ISSET(*core, &self.0));
            if let Some(core) = cores.take(place + 1).last() {
                libc::CPU_SET(core, &mut one);
            }
            Self(one)
        }
    }

    /// Runs on these from here on, and so does what is started.
    ///
    /// # Errors
    ///
    /// Whatever the system answered.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: the set is as large as it says, and only read.
        check(unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), &raw const self.0) })
    }
}

fn check(status: i32) -> io::Result<()> {
    if status == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
