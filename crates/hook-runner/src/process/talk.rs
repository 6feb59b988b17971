//! Moving bytes to and from a running program until it has ended, in one task.
//!
//! Input is written while output and errors are drained, so no payload and no answer of any size
//! can deadlock. The program's end, not end of file, is what is waited for: what it wrote itself is
//! in the pipe by then, and a background child that still holds the pipe cannot hold up the call.

use std::{
    io,
    os::fd::OwnedFd,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use rustix::{buffer::spare_capacity, io::Errno};
use tokio::time::{Instant, Sleep, sleep_until};

use super::{
    Limits,
    child::{Child, Exit},
    excerpt::Excerpt,
    pipes::{Input, OurEnds, Pipes},
    watched::Watched,
};

/// How long a pipe that something still holds is read after the program itself has ended, unless set.
pub(crate) const GRACE: Duration = Duration::from_millis(100);

/// How many reads one stream gets before the others, the end of the program and the deadline are
/// looked at again.
pub(super) const READS_A_TURN: usize = 64;

/// How many reads a last look at a stream takes: more than a full pipe of the largest size, but an
/// end to what something else keeps writing.
pub(super) const SWEEP_READS: usize = 1024;

/// The space for an answer at first; most are shorter than this.
const FIRST_CAPACITY: usize = 1024;

/// How a conversation with a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs programs must act on each"
)]
pub enum Ending {
    /// The program ended by itself, in time.
    Exited(Exit),
    /// The deadline came first, and the program was killed.
    TimedOut,
    /// It printed more than it may, and was killed.
    TooMuchOutput,
}

/// What a program did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) ending: Ending,
    /// What it printed, up to the limit.
    pub(crate) stdout: Vec<u8>,
    /// The beginning and the end of what it printed as errors.
    pub(crate) stderr: Excerpt,
    /// How many bytes of the input it was given.
    pub(crate) sent: usize,
    /// Whether something outlived the program and held its output open, and was killed.
    pub(crate) held_open: bool,
}

/// A program that was just started, and the pipes to it.
pub(super) struct Started {
    child: Child,
    streams: Streams,
}

struct Streams {
    /// See [`Pipes::stdin_reader`].
    stdin_reader: OwnedFd,
    stdin: Option<Watched>,
    sent: usize,
    stdout: Option<Watched>,
    stderr: Option<Watched>,
    printed: Vec<u8>,
    errors: Excerpt,
}

impl Started {
    pub(super) fn new(child: Child, pipes: Pipes) -> io::Result<Self> {
        let OurEnds {
            stdin_reader,
            stdin,
            sent,
            stdout,
            stderr,
        } = pipes.into_our_ends();
        let stdin = stdin.map(Watched::writable);
        let streams = Streams {
            stdin_reader,
            stdin: stdin.transpose()?,
            sent,
            stdout: Some(Watched::readable(stdout)?),
            stderr: Some(Watched::readable(stderr)?),
            printed: Vec::with_capacity(FIRST_CAPACITY),
            errors: Excerpt::default(),
        };
        Ok(Self { child, streams })
    }
}

/// Talks to the program until it has ended or must be killed. `heard` is told what was printed so far, whenever that
/// may have become more.
pub(super) async fn talk(
    started: Started,
    input: Input<'_>,
    deadline: Instant,
    limits: Limits,
    heard: &mut (dyn FnMut(&[u8]) + Send),
) -> Run {
    let Started {
        mut child,
        mut streams,
    } = started;
    let limit = limits.max_output_bytes;
    streams.errors = Excerpt::keeping(limits.max_error_bytes);
    let mut timer = pin!(sleep_until(deadline));
    let ending = std::future::poll_fn(|cx| {
        streams.write(input, cx);
        streams.read(limit, cx);
        if streams.printed.len() > limit {
            return Poll::Ready(Ending::TooMuchOutput);
        }
        heard(&streams.printed);
        if let Poll::Ready(exit) = child.poll_ended(cx) {
            return Poll::Ready(Ending::Exited(exit));
        }
        poll_time(timer.as_mut(), cx).map(|()| Ending::TimedOut)
    })
    .await;
    let Ending::Exited(exit) = ending else {
        child.kill().await;
        return streams.into_run(ending, false);
    };
    drop(streams.stdin.take());
    streams.sweep(limit);
    let held_open = !streams.are_at_end() && streams.printed.len() <= limit && {
        timer
            .as_mut()
            .reset(deadline.min(Instant::now() + limits.grace));
        !streams.end_in_time(timer, limit).await
    };
    if held_open || streams.printed.len() > limit {
        child.kill_group();
        streams.sweep(limit);
    }
    child.reap();
    let ending = if streams.printed.len() > limit {
        Ending::TooMuchOutput
    } else {
        Ending::Exited(exit)
    };
    streams.into_run(ending, held_open)
}

/// Ready when the time is over. The clock is asked as well, because a timer shares its turn with
/// streams that never run dry.
pub(crate) fn poll_time(timer: Pin<&mut Sleep>, cx: &mut Context<'_>) -> Poll<()> {
    if Instant::now() >= timer.deadline() {
        return Poll::Ready(());
    }
    timer.poll(cx)
}

impl Streams {
    /// Writes what the pipe takes of the input; closes it when all is written.
    fn write(&mut self, input: Input<'_>, cx: &mut Context<'_>) {
        while let Some(pipe) = &self.stdin {
            let Poll::Ready(ready) = pipe.poll_writable(cx) else {
                return;
            };
            match (ready, input.write_to(pipe.descriptor(), &mut self.sent)) {
                (Ok(mut ready), Ok(false)) => ready.clear_ready(),
                // All of it is written, or nobody reads it.
                (_, Ok(_) | Err(_)) => self.stdin = None,
            }
        }
    }

    /// Reads what there is of both streams, a bounded part of it at a time.
    fn read(&mut self, limit: usize, cx: &mut Context<'_>) {
        let Self {
            printed, errors, ..
        } = self;
        let more_output = read_ready(&mut self.stdout, cx, |pipe| {
            read_answer(pipe, printed, limit)
        });
        let more_errors = read_ready(&mut self.stderr, cx, |pipe| read_excerpt(pipe, errors));
        if more_output || more_errors {
            cx.waker().wake_by_ref();
        }
    }

    /// Reads what is in the pipes now, without waiting to be told that there is something.
    fn sweep(&mut self, limit: usize) {
        let Self {
            printed, errors, ..
        } = self;
        sweep(&mut self.stdout, |pipe| read_answer(pipe, printed, limit));
        sweep(&mut self.stderr, |pipe| read_excerpt(pipe, errors));
    }

    fn are_at_end(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Reads on until both streams end; false when the time was over first or too much was printed.
    async fn end_in_time(&mut self, mut timer: Pin<&mut Sleep>, limit: usize) -> bool {
        std::future::poll_fn(|cx| {
            self.read(limit, cx);
            if self.are_at_end() {
                return Poll::Ready(true);
            }
            if self.printed.len() > limit {
                return Poll::Ready(false);
            }
            poll_time(timer.as_mut(), cx).map(|()| false)
        })
        .await
    }

    fn into_run(self, ending: Ending, held_open: bool) -> Run {
        drop(self.stdin_reader);
        Run {
            ending,
            stdout: self.printed,
            stderr: self.errors,
            sent: self.sent,
            held_open,
        }
    }
}

/// What one read of a pipe showed.
pub(super) enum Read {
    /// Bytes; there may be more.
    Some,
    /// Nothing yet.
    Nothing,
    /// The end: nobody can write to it any more.
    End,
    /// More than is wanted; the rest is left in the pipe.
    Enough,
}

/// Reads a stream until it has nothing more or its turn is over; true when its turn was over.
pub(super) fn read_ready(
    stream: &mut Option<Watched>,
    cx: &mut Context<'_>,
    mut read: impl FnMut(&OwnedFd) -> Read,
) -> bool {
    for _ in 0..READS_A_TURN {
        let Some(pipe) = stream else {
            return false;
        };
        let Poll::Ready(ready) = pipe.poll_readable(cx) else {
            return false;
        };
        match (ready, read(pipe.descriptor())) {
            (_, Read::Some) => {}
            (_, Read::Enough) => return false,
            (Ok(mut ready), Read::Nothing) => ready.clear_ready(),
            (Err(_), Read::Nothing) | (_, Read::End) => *stream = None,
        }
    }
    true
}

/// The same for what is in the pipe at this moment.
pub(super) fn sweep(stream: &mut Option<Watched>, mut read: impl FnMut(&OwnedFd) -> Read) {
    for _ in 0..SWEEP_READS {
        match stream.as_ref().map(|pipe| read(pipe.descriptor())) {
            Some(Read::Some) => {}
            Some(Read::End) => *stream = None,
            Some(Read::Nothing | Read::Enough) | None => return,
        }
    }
}

/// Reads a part of the answer; one byte more than the limit is enough to know.
pub(super) fn read_answer(pipe: &OwnedFd, printed: &mut Vec<u8>, limit: usize) -> Read {
    if printed.len() > limit {
        return Read::Enough;
    }
    if printed.len() == printed.capacity() {
        printed.reserve(printed.len());
    }
    of(rustix::io::read(pipe, spare_capacity(printed)))
}

pub(super) fn read_excerpt(pipe: &OwnedFd, errors: &mut Excerpt) -> Read {
    let mut buffer = [0; 4096];
    let count = rustix::io::read(pipe, &mut buffer);
    if let Ok(count) = count {
        errors.push(buffer.split_at(count).0);
    }
    of(count)
}

fn of(count: rustix::io::Result<usize>) -> Read {
    match count {
        Ok(0) => Read::End,
        Ok(_) | Err(Errno::INTR) => Read::Some,
        Err(Errno::AGAIN) => Read::Nothing,
        // A pipe that cannot be read has nothing more to say.
        Err(_) => Read::End,
    }
}
