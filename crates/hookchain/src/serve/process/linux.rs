//! What Linux says of a process.

use std::{fs, io, os::fd::OwnedFd, path::Path};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};

use crate::serve::identity::program_at;

/// The place of the time of its begin among what `/proc/<pid>/stat` says behind the name.
const BEGIN: usize = 19;

/// When the process began, in ticks since the system did. Together with the process id it names one process.
pub(crate) fn started(pid: u32) -> Option<u64> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets, and may hold any byte.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    rest.split_ascii_whitespace().nth(BEGIN)?.parse().ok()
}

/// Whether this very process runs, and no other program than that one, as far as the system shows it. A process
/// that is closed to others (see `seclusion.rs`) shows its program to root alone.
pub(crate) fn is_running(pid: u32, since: Option<u64>, program: &str) -> io::Result<bool> {
    runs(&open(pid)?, (pid, since), program)
}

fn runs(process: &OwnedFd, (pid, since): (u32, Option<u64>), program: &str) -> io::Result<bool> {
    if since.is_none() || started(pid) != since {
        return Ok(false);
    }
    let shown = program_at(Path::new(&format!("/proc/{pid}/exe")));
    let is_other = match shown {
        Ok(shown) => shown != program,
        Err(error) => error.kind() != io::ErrorKind::PermissionDenied,
    };
    // What was read was read of this process only if it has not ended meanwhile.
    Ok(!is_other && lives(process)?)
}

/// Asks this very process to end, if it runs that program as far as the system shows it.
pub(crate) fn end(pid: u32, since: Option<u64>, program: &str) -> io::Result<()> {
    let process = open(pid)?;
    if !runs(&process, (pid, since), program)? {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(pidfd_send_signal(&process, Signal::TERM)?)
}

fn open(pid: u32) -> io::Result<OwnedFd> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(pidfd_open(pid, PidfdFlags::empty())?)
}

fn lives(process: &OwnedFd) -> io::Result<bool> {
    let at_once = Timespec::default();
    let ended = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&at_once))?;
    Ok(ended == 0)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn own() -> (u32, String) {
        let program = program_at(Path::new("/proc/self/exe")).expect("shown");
        (std::process::id(), program)
    }

    #[test]
    fn a_process_is_its_id_its_begin_and_its_program() {
        let (pid, program) = own();
        let since = started(pid);
        assert!(since.is_some());
        assert!(is_running(pid, since, &program).expect("shown"));
        let later = since.map(|since| since + 1);
        for (since, program) in [(later, &*program), (None, &program), (since, "another")] {
            assert!(
                !is_running(pid, since, program).expect("shown"),
                "{since:?}"
            );
        }
        assert!(end(pid, later, &program).is_err(), "this process goes on");
        assert!(end(pid, since, "another").is_err(), "and now as well");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process to look at")]
    fn a_process_that_has_ended_is_none() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("started");
        let since = started(child.id());
        let program = PathBuf::from(format!("/proc/{}/exe", child.id()));
        let program = program_at(&program).expect("shown");
        end(child.id(), since, &program).expect("it was there");
        // Until it is waited for, its id and the time of its begin are still known.
        let pid = child.id();
        let process = open(pid).expect("there");
        let mut ended = [PollFd::new(&process, PollFlags::IN)];
        poll(&mut ended, None).expect("its end");
        assert_eq!(started(pid), since);
        assert!(!is_running(pid, since, &program).unwrap_or(false));
        assert!(end(pid, since, &program).is_err());
        child.wait().expect("its status");
        assert!(open(pid).is_err());
    }
}
