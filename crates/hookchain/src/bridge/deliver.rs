//! Handing an answer over.

use std::{
    io::{self, Write},
    os::fd::AsFd,
};

use hook_contract::shown;
use hook_dialect::bridge::Answer;
use rustix::fs::{FileType, fstat, stat};

use crate::status::Status;

/// Writes the answer, and says how the process ends.
///
/// An answer that has an effect and does not arrive whole becomes a refusal, and a refusal is said on the stream that is
/// left. With exit status 2 both agents take nothing from standard output that lets a call pass, also when it is cut off.
pub(super) fn deliver(answer: Answer) -> Status {
    let (stdout, stderr) = match answer {
        Answer::Nothing { stdout } => {
            if !stdout.is_empty() {
                // It is a word for the user, and nobody is left to tell of its loss.
                let _nobody_reads = write(&mut io::stdout().lock(), &stdout);
            }
            return Status::Done;
        }
        Answer::Said { stdout, otherwise } => match write(&mut io::stdout().lock(), &stdout) {
            Ok(()) => return Status::Done,
            Err(_lost) => (String::new(), otherwise),
        },
        Answer::Refused { stdout, stderr } => (stdout, stderr),
    };
    // The agent shows it to a person, as it shows it to the model.
    let reason = write(&mut io::stderr().lock(), &shown::lines(&stderr));
    let object = write(&mut io::stdout().lock(), &stdout);
    // Codex takes exit status 2 without a word on standard error for a mistake, and runs the call.
    if reason.is_err() && object.is_ok() {
        return Status::Done;
    }
    Status::Blocked
}

/// Writes all of it to somebody.
fn write(stream: &mut (impl Write + AsFd), text: &str) -> io::Result<()> {
    if text.trim().is_empty() || leads_nowhere(&*stream) {
        return Err(io::ErrorKind::NotConnected.into());
    }
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Whether it is the null device, which also stands in for a stream that was closed before the start.
fn leads_nowhere(stream: impl AsFd) -> bool {
    let (Ok(this), Ok(null)) = (fstat(stream), stat("/dev/null")) else {
        return false;
    };
    FileType::from_raw_mode(this.st_mode) == FileType::CharacterDevice
        && this.st_rdev == null.st_rdev
}
