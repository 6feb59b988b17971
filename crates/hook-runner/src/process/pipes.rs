//! The three streams between this process and a program: pipes, or sockets where those are asked for.

use std::{
    io,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
};

use rustix::io::Errno;

/// The first descriptor that is not a standard stream.
const FIRST_FREE: i32 = 3;

/// What a pipe holds by default.
const DEFAULT_CAPACITY: usize = 64 * 1024;

/// What a pipe is made to hold at most: enough that two processes on two cores seldom wait for each other, and little
/// enough that what one writes is still in the cache of the core when the other reads it. A system lets a user have
/// 64 MiB in such pipes.
const MAX_CAPACITY: usize = 256 * 1024;

/// What a program is given on its standard input, in pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(&'a [&'a [u8]]);

impl<'a> Input<'a> {
    pub(crate) const fn new(pieces: &'a [&'a [u8]]) -> Self {
        Self(pieces)
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    /// Writes what follows the first `sent` bytes until the pipe is full; whether that was all.
    pub(super) fn write_to(self, pipe: &OwnedFd, sent: &mut usize) -> io::Result<bool> {
        self.write_up_to(usize::MAX, pipe, sent)
    }

    /// The same for no more than the first `end` bytes.
    pub(super) fn write_up_to(
        self,
        end: usize,
        pipe: &OwnedFd,
        sent: &mut usize,
    ) -> io::Result<bool> {
        while let Some(rest) = self.rest_of_a_piece(*sent) {
            let wanted = rest.len().min(end.saturating_sub(*sent));
            if wanted == 0 {
                break;
            }
            match rustix::io::write(pipe, rest.split_at(wanted).0) {
                Ok(count) => *sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// What is left of the piece that the first `sent` bytes end in; nothing when all is sent.
    fn rest_of_a_piece(self, mut sent: usize) -> Option<&'a [u8]> {
        for piece in self.0 {
            match piece.get(sent..) {
                Some([]) | None => sent -= piece.len(),
                rest => return rest,
            }
        }
        None
    }
}

/// What a program's standard streams are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Pipes, which can also be opened by a path such as `/dev/stdin`.
    #[default]
    Pipes,
    /// Sockets, which cannot.
    Sockets,
}

impl Kind {
    /// The end that is read and the end that is written.
    fn pair(self) -> io::Result<(OwnedFd, OwnedFd)> {
        let (reader, writer) = match self {
            Self::Pipes => close_on_exec_pipe()?,
            Self::Sockets => {
                let (reader, writer) = UnixStream::pair()?;
                (reader.into(), writer.into())
            }
        };
        Ok((
            above_standard_streams(reader)?,
            above_standard_streams(writer)?,
        ))
    }
}

/// Both ends of the program's standard streams.
#[derive(Debug)]
pub(super) struct Pipes {
    /// The program's end of its standard input.
    ///
    /// It is kept open here until the program has exited: a pipe with a reader never raises
    /// `SIGPIPE` and never answers `EPIPE`, so a program that does not read its input is no special
    /// case, and an embedder with `SIGPIPE` at its default is not killed by one.
    pub(super) stdin_reader: OwnedFd,
    /// Where input is written; closed already when all of it fitted into the pipe.
    pub(super) stdin: Option<OwnedFd>,
    /// How many bytes of the input are in the pipe already.
    pub(super) sent: usize,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    stdout_writer: OwnedFd,
    stderr_writer: OwnedFd,
}

impl Pipes {
    /// Opens the pipes. A small input is written before the program exists, and needs no further
    /// wake-up. A large one gets a larger pipe and is written while the program is coming up.
    pub(super) fn open(input: Input<'_>, kind: Kind) -> io::Result<Self> {
        let mut pipes = Self::of(kind)?;
        let Some(stdin) = &pipes.stdin else {
            return Ok(pipes);
        };
        enlarge(stdin, input.len());
        if input.len() <= DEFAULT_CAPACITY && input.write_to(stdin, &mut pipes.sent)? {
            pipes.stdin = None;
        }
        Ok(pipes)
    }

    /// Opens the pipes to a program that is told something later.
    pub(super) fn empty() -> io::Result<Self> {
        Self::of(Kind::Pipes)
    }

    fn of(kind: Kind) -> io::Result<Self> {
        let (stdin_reader, stdin) = kind.pair()?;
        let (stdout, stdout_writer) = kind.pair()?;
        let (stderr, stderr_writer) = kind.pair()?;
        for ours in [&stdin, &stdout, &stderr] {
            rustix::fs::fcntl_setfl(ours, rustix::fs::OFlags::NONBLOCK)?;
        }
        Ok(Self {
            stdin_reader,
            stdin: Some(stdin),
            sent: 0,
            stdout,
            stderr,
            stdout_writer,
            stderr_writer,
        })
    }

    /// What becomes the program's standard input, output and error.
    pub(super) fn child_ends(&self) -> [BorrowedFd<'_>; 3] {
        [&self.stdin_reader, &self.stdout_writer, &self.stderr_writer].map(AsFd::as_fd)
    }

    /// The ends that stay here once the program holds its own.
    pub(super) fn into_our_ends(self) -> OurEnds {
        OurEnds {
            stdin_reader: self.stdin_reader,
            stdin: self.stdin,
            sent: self.sent,
            stdout: self.stdout,
            stderr: self.stderr,
        }
    }
}

/// The ends of the pipes that stay in this process.
pub(super) struct OurEnds {
    pub(super) stdin_reader: OwnedFd,
    pub(super) stdin: Option<OwnedFd>,
    pub(super) sent: usize,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

#[cfg(not(target_vendor = "apple"))]
fn close_on_exec_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// There is no `pipe2` here. What another thread starts between the two calls may inherit the pipe;
/// what this module starts closes everything it was not given.
#[cfg(target_vendor = "apple")]
fn close_on_exec_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe()?;
    for end in [&reader, &writer] {
        rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC)?;
    }
    Ok((reader, writer))
}

/// The same end, but no standard stream, even in a process that closed its own.
fn above_standard_streams(end: OwnedFd) -> io::Result<OwnedFd> {
    if end.as_raw_fd() >= FIRST_FREE {
        return Ok(end);
    }
    Ok(rustix::io::fcntl_dupfd_cloexec(&end, FIRST_FREE)?)
}

/// Makes room for a large input, where the system lets us: fewer switches between the two processes.
#[cfg(target_os = "linux")]
pub(super) fn enlarge(pipe: &OwnedFd, wanted: usize) {
    if wanted > DEFAULT_CAPACITY {
        // A smaller pipe works as well, only with more wake-ups.
        let _size = rustix::pipe::fcntl_setpipe_size(pipe, wanted.min(MAX_CAPACITY));
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn enlarge(_pipe: &OwnedFd, _wanted: usize) {}
