//! Writing answers on a thread of its own: a client that does not read must not keep a signal, or another line, waiting.

use std::{
    io,
    os::fd::AsFd as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FileType, fstat},
    io::Errno,
};
use tokio::sync::{Notify, mpsc, oneshot};

use super::places::Place;
use crate::{cli::Format, streams::Output};

/// How many bytes of answers may wait before no further call is begun.
const MOST: usize = 16 << 20;
/// What a pipe that is not full takes at once (`PIPE_BUF`).
const AT_ONCE: usize = 4096;

/// An answer, and the place of its line.
type Answer = (String, Option<Place>);

/// Hands answers to the thread that writes them.
#[derive(Debug)]
pub(super) struct Writer {
    answers: mpsc::UnboundedSender<Answer>,
    state: Arc<State>,
    stdout: io::Stdout,
    /// Whether it is a pipe or a socket, and outcomes go into it as they are.
    is_pipe: bool,
    ended: oneshot::Receiver<io::Error>,
    /// Told when the pipe has no other end any more.
    gone: Option<oneshot::Receiver<()>>,
}

/// What the thread tells of itself.
#[derive(Debug, Default)]
pub(super) struct State {
    /// How many bytes wait to be written.
    waiting: AtomicUsize,
    written: Notify,
}

impl State {
    /// Waits until something was written.
    pub(super) async fn has_written(&self) {
        self.written.notified().await;
    }
}

impl Writer {
    pub(super) fn start(format: Format, output: Output) -> io::Result<Self> {
        // What is in it is bounded by the places of the lines.
        let (answers, texts) = mpsc::unbounded_channel();
        let (failed, ended) = oneshot::channel();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let write = move || {
            if let Err(error) = write_all(texts, &shared, format, output) {
                let _over_already = failed.send(error);
            }
        };
        thread::Builder::new().name("answers".into()).spawn(write)?;
        let stdout = io::stdout();
        let is_pipe = fstat(&stdout).is_ok_and(|found| {
            let kind = FileType::from_raw_mode(found.st_mode);
            matches!(kind, FileType::Fifo | FileType::Socket)
        });
        Ok(Self {
            answers,
            state,
            is_pipe: is_pipe && format == Format::Json,
            gone: is_pipe.then(watch).transpose()?,
            stdout,
            ended,
        })
    }

    /// Has it written. The line that it answers keeps its place until then.
    pub(super) fn write(&self, answer: String, place: Option<Place>) {
        // A thread that is woken takes longer than all else together. An error is found again by the thread.
        if self.fits_at_once(&answer) && Output::raw(&answer).is_ok() {
            return;
        }
        self.state
            .waiting
            .fetch_add(answer.len(), Ordering::Relaxed);
        // Without the thread, its error is told.
        let _told_elsewhere = self.answers.send((answer, place));
    }

    /// Whether nothing waits, and the pipe takes the answer without keeping this thread.
    fn fits_at_once(&self, answer: &str) -> bool {
        let is_free = || {
            let mut ready = [PollFd::from_borrowed_fd(
                self.stdout.as_fd(),
                PollFlags::OUT,
            )];
            poll(&mut ready, Some(&Timespec::default())).is_ok()
                && ready.iter().all(|pipe| pipe.revents() == PollFlags::OUT)
        };
        self.is_pipe
            && answer.len() <= AT_ONCE
            && self.state.waiting.load(Ordering::Relaxed) == 0
            && is_free()
    }

    /// Whether so much waits to be written that no further call is begun.
    pub(super) fn is_full(&self) -> bool {
        self.state.waiting.load(Ordering::Relaxed) > MOST
    }

    /// What tells when something was written.
    pub(super) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state)
    }

    /// Waits for an answer that cannot be written, and for the end of the client: its open calls are of no use to anything then.
    pub(super) async fn failed(&mut self) -> io::Error {
        // The threads live as long as this does: the one ends after an error, the other is not started without a client.
        let gone = async {
            match &mut self.gone {
                Some(gone) => gone.await.is_ok(),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            error = &mut self.ended => error.unwrap_or_else(|_over| io::ErrorKind::BrokenPipe.into()),
            _told = gone => io::ErrorKind::BrokenPipe.into(),
        }
    }

    /// Waits until everything is written.
    pub(super) async fn finish(self) -> io::Result<()> {
        let Self { answers, ended, .. } = self;
        drop(answers);
        match ended.await {
            Ok(error) => Err(error),
            Err(_over) => Ok(()),
        }
    }
}

/// Waits on a thread of its own until the pipe has no other end: a client that was killed says nothing.
fn watch() -> io::Result<oneshot::Receiver<()>> {
    let (sender, gone) = oneshot::channel();
    let watch = move || {
        let stdout = io::stdout();
        let mut pipe = [PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::empty())];
        while let Err(Errno::INTR) = poll(&mut pipe, None) {}
        let _over_already = sender.send(());
    };
    thread::Builder::new().name("client".into()).spawn(watch)?;
    Ok(gone)
}

fn write_all(
    mut answers: mpsc::UnboundedReceiver<Answer>,
    state: &State,
    format: Format,
    output: Output,
) -> io::Result<()> {
    let mut between = "";
    while let Some((text, place)) = answers.blocking_recv() {
        match format {
            Format::Json => Output::raw(&text)?,
            Format::Human => output.styled(&[between, &text].concat())?,
        }
        between = "\n";
        state.waiting.fetch_sub(text.len(), Ordering::Relaxed);
        drop(place);
        state.written.notify_one();
    }
    Ok(())
}
