//! Both ends of the conversation, out of the reach of everything else.
#![expect(
    clippy::disallowed_types,
    reason = "the two streams of the program; no other file is touched"
)]

use std::{
    fs::File,
    io::{stderr, stdin, stdout},
    os::fd::AsFd,
};

use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::ServeErrorKind;

/// Where questions come from and answers go.
pub(super) struct Streams {
    pub(super) questions: File,
    pub(super) answers: File,
}

impl Streams {
    /// Takes standard input and output for the conversation. What the rest of the program, or a program that it starts, then
    /// finds in their place are nothing to read and standard error.
    ///
    /// What is left of input that was read ahead through [`stdin`] belongs to whoever read it.
    pub(super) fn take() -> Result<Self, ServeErrorKind> {
        // Neither is handed on to programs that are started.
        let questions = stdin().as_fd().try_clone_to_owned();
        let answers = stdout().as_fd().try_clone_to_owned();
        let streams = Self {
            questions: questions.map_err(ServeErrorKind::Read)?.into(),
            answers: answers.map_err(ServeErrorKind::Write)?.into(),
        };
        let nothing = File::open("/dev/null").map_err(ServeErrorKind::Read)?;
        dup2_stdin(nothing).map_err(|error| ServeErrorKind::Read(error.into()))?;
        dup2_stdout(stderr()).map_err(|error| ServeErrorKind::Write(error.into()))?;
        Ok(streams)
    }
}
