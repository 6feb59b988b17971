//! What every Unix says of a process.

use std::io;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// The system does not say.
pub(crate) const fn started(_pid: u32) -> Option<u64> {
    None
}

/// Whether there is such a process. Which program it runs is not shown.
pub(crate) fn is_running(pid: u32, _since: Option<u64>, _program: &str) -> io::Result<bool> {
    Ok(test_kill_process(known(pid)?).is_ok())
}

/// Asks the process to end.
pub(crate) fn end(pid: u32, _since: Option<u64>, _program: &str) -> io::Result<()> {
    Ok(kill_process(known(pid)?, Signal::TERM)?)
}

fn known(pid: u32) -> io::Result<Pid> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}
