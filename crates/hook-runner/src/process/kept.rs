//! A program that is kept and asked line by line: one line in, one line out, strictly in turn.
//!
//! Where nothing in a line says which question it answers, the order must. A line is the answer to a
//! question only if it came after the question was taken, and alone:
//!
//! - **before** a question is written, what is in the output pipe already belongs to no question;
//! - **while** all of it but its [end](turn::END) is written: a program that has taken so much and waits for the rest is
//!   in the middle of reading, so that what it has printed until then is in the pipe, and belongs to no
//!   question. Only then it is given the end ([`Pace::Measured`]);
//! - **with** the line, the input pipe must have been emptied: a program that has not read the
//!   question has not answered it, whatever it printed;
//! - **after** the line end, nothing but white space may follow in what was read with it.
//!
//! A program that names the call in its answers needs no such proof, and gets the question at once ([`Pace::AtOnce`]). One
//! that takes each piece of its input for a whole question cannot be asked in two pieces; its output is looked at once more a
//! moment after its line ([`Pace::Watched`]).
//!
//! What this cannot tell apart: a program with several threads that names no call, and prints for one question while it has
//! taken the next one.
//!
//! Whatever else comes ends the program, and with its pipes goes everything that it may still print:
//! no line can reach a question that was put to its successor.
//!
//! **Runtimes.** The pipes stay registered with the runtime they were last used in, because
//! registering them for each question would double the calls to the system. A program may be asked from
//! another runtime next, when the first may be gone and would never wake anybody; so each question
//! begins by moving them to the runtime that is current, unless it is the same one.
//!
//! **Cancellation.** A question owns the program it is put to. When it is dropped, so is the program,
//! which kills its process group: its answer would come too late for anybody.
//!
//! Errors are read while a question is asked, as much as there is, and as little as nobody looks at
//! is kept. Between two questions a program that floods its errors waits for the next one.

mod turn;

use std::{io, os::fd::OwnedFd};

use memchr::memchr;
use tokio::{
    runtime::{self, Handle},
    time::Instant,
};

use self::turn::Turn;
use super::{
    child::{Child, Exit},
    excerpt::Excerpt,
    farewell::Leaving,
    pipes::{Input, OurEnds, Pipes},
    watched::Watched,
};

/// The space for an answer at first, and the most of it that is kept between two questions.
const FIRST_CAPACITY: usize = 1024;
const KEPT_CAPACITY: usize = 64 * 1024;

/// A program that waits for questions. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct Kept {
    // The first to be dropped: a program that is dead does not notice that its pipes are closed.
    child: Child,
    /// Where child and pipes are registered.
    runtime: runtime::Id,
    /// See [`Pipes::stdin_reader`]; it also tells how much of a question was not taken yet.
    stdin_reader: OwnedFd,
    stdin: Watched,
    stdout: Watched,
    stderr: Option<Watched>,
    /// What it printed for the question at hand.
    printed: Vec<u8>,
}

/// What came of one question.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) kept: Kept,
    pub(crate) reply: Heard,
    /// Whether it seems to take a piece of a question for the whole.
    pub(crate) in_pieces: bool,
    /// The beginning and the end of what it printed as errors since the last answer.
    pub(crate) stderr: Excerpt,
    /// How many bytes of the question it was given.
    pub(crate) sent: usize,
}

/// How a program replied.
#[derive(Debug)]
pub(crate) enum Heard {
    /// With a line in time: [`Kept::line`]. What came with it is [`Kept::rest`].
    Line,
    /// Before it was asked: [`Kept::printed`].
    Unasked,
    /// With a line, before it had read the question.
    Early,
    /// Not until the deadline.
    Late(Unanswered),
    /// With more than it may print.
    TooMuch,
    /// By closing its output.
    Closed,
    /// By ending.
    Ended(Exit, Unanswered),
    /// It can no longer be listened to.
    Lost(io::Error),
}

/// How a question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As a whole; the answer is to name the call.
    AtOnce,
    /// Its end when the rest was taken.
    Measured,
    /// As a whole, and for a moment nothing may follow the answer.
    Watched,
}

/// How far a program got with a question that it did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unanswered {
    /// Whether it read anything of the question.
    pub(crate) taken: bool,
    /// Whether it printed a part of a line.
    pub(crate) begun: bool,
}

impl Kept {
    pub(super) fn new(mut child: Child, pipes: Pipes) -> io::Result<Self> {
        child.keep();
        let OurEnds {
            stdin_reader,
            stdin,
            stdout,
            stderr,
            ..
        } = pipes.into_our_ends();
        let stdin = stdin.ok_or_else(|| io::Error::other("the input has ended"))?;
        Ok(Self {
            child,
            runtime: Handle::current().id(),
            stdin_reader,
            stdin: Watched::writable(stdin)?,
            stdout: Watched::readable(stdout)?,
            stderr: Some(Watched::readable(stderr)?),
            printed: Vec::with_capacity(FIRST_CAPACITY),
        })
    }

    /// Puts one question, and waits for the line that answers it.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills the process group and reaps the program.
    pub(crate) async fn ask(
        mut self,
        question: Input<'_>,
        pace: Pace,
        deadline: Instant,
        limit: usize,
    ) -> Exchange {
        self.printed.clear();
        self.printed.shrink_to(KEPT_CAPACITY);
        let mut turn = Turn::new(&mut self, question, limit);
        let reply = turn.take(pace, deadline).await;
        if !matches!(reply, Heard::Line) {
            turn.sweep_errors();
        }
        let (sent, stderr) = turn.into_sent_and_errors();
        // It has taken the question but for its end, and did something with it.
        let taken = sent.saturating_sub(usize::try_from(self.unread()).unwrap_or(usize::MAX));
        let in_pieces = pace == Pace::Measured
            && taken + turn::END == question.len()
            && !matches!(reply, Heard::Line | Heard::Late(_) | Heard::Lost(_));
        Exchange {
            kept: self,
            reply,
            in_pieces,
            stderr,
            sent,
        }
    }

    /// What it printed for the last question.
    pub(crate) fn printed(&self) -> &[u8] {
        &self.printed
    }

    /// The line that answers the last question, without its end.
    pub(crate) fn line(&self) -> &[u8] {
        self.halves().0
    }

    /// What was read together with that line, white space in front left out.
    pub(crate) fn rest(&self) -> &[u8] {
        self.halves().1.trim_ascii_start()
    }

    fn halves(&self) -> (&[u8], &[u8]) {
        let end = memchr(b'\n', &self.printed).unwrap_or(self.printed.len());
        let (line, rest) = self.printed.split_at(end);
        (line, rest)
    }

    /// Kills the group, and waits for the program's end as long as that is reasonable.
    pub(crate) async fn kill(self) {
        self.child.kill().await;
    }

    /// Ends the input.
    pub(super) fn into_leaving(self) -> Leaving {
        drop((self.stdin, self.stdin_reader));
        let printed = [Some(self.stdout), self.stderr].into_iter().flatten();
        Leaving {
            process: self.child.into_process(),
            printed: printed.map(Watched::into_descriptor).collect(),
        }
    }

    fn move_here(&mut self) -> io::Result<()> {
        self.child.move_here()?;
        for pipe in [&mut self.stdin, &mut self.stdout]
            .into_iter()
            .chain(&mut self.stderr)
        {
            pipe.move_here()?;
        }
        self.runtime = Handle::current().id();
        Ok(())
    }

    /// How many bytes of its input it has not read yet.
    fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.stdin_reader).unwrap_or(0)
    }
}
