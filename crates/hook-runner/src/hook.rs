//! A program declared in a hooks file, started once for each question.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use hook_contract::{Answer, CommandTransport, HookSpec, OnFailure, Subject, async_trait};
use hook_wire::{DecodeError, EncodeError, RequestLine, decode_response};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout_at,
};

use crate::{
    HookFailure, Identity, Participant, Question, Reply,
    process::{self, Ending, Exit, Grounds, Input, Limits, Program, Run},
};

/// What tells the time, except for deadlines.
pub(crate) type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// What all programs of one runner share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) grounds: Arc<Grounds>,
    /// How many programs may run at once.
    pub(crate) places: Arc<Semaphore>,
    /// How long a question waits for its turn.
    pub(crate) queue_timeout: Duration,
    pub(crate) max_answer_bytes: usize,
    /// How many processes each worker may have.
    pub(crate) workers: usize,
    pub(crate) clock: Clock,
}

impl Shared {
    /// The program of a hook, where it belongs.
    pub(crate) fn program(&self, command: &CommandTransport) -> Program {
        let (directory, environment) = self.grounds.of(command.directory.as_deref());
        Program::new(&command.argv, directory, environment)
    }

    /// One of the runner's places, and whether it had to be waited for.
    ///
    /// # Errors
    ///
    /// When none became free in time.
    pub(crate) async fn place(&self) -> Result<(SemaphorePermit<'_>, bool), HookFailure> {
        self.turn(&self.places, None).await
    }

    /// A permit, and whether it had to be waited for, from `since` on.
    ///
    /// # Errors
    ///
    /// When none became free in time.
    pub(crate) async fn turn<'s>(
        &self,
        permits: &'s Semaphore,
        since: Option<tokio::time::Instant>,
    ) -> Result<(SemaphorePermit<'s>, bool), HookFailure> {
        if let Ok(permit) = permits.try_acquire() {
            return Ok((permit, false));
        }
        let waited = self.queue_timeout;
        let until = since
            .unwrap_or_else(tokio::time::Instant::now)
            .checked_add(waited);
        let permit = match until {
            Some(until) => timeout_at(until, permits.acquire()).await,
            None => Ok(permits.acquire().await),
        };
        // The semaphores are never closed.
        match permit {
            Ok(Ok(permit)) => Ok((permit, true)),
            Ok(Err(_)) | Err(_) => Err(HookFailure::NoPlace { waited }),
        }
    }

    pub(crate) fn now(&self) -> Instant {
        (self.clock)()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("grounds", &self.grounds)
            .finish_non_exhaustive()
    }
}

/// One declared hook.
#[derive(Debug)]
pub(crate) struct Hook {
    identity: Identity,
    spec: HookSpec,
    program: Program,
    shared: Shared,
}

impl Hook {
    pub(crate) fn new(spec: HookSpec, command: &CommandTransport, shared: &Shared) -> Self {
        Self {
            identity: Identity::declared("hook", &spec),
            program: shared.program(command),
            spec,
            shared: shared.clone(),
        }
    }

    fn reply_of(&self, run: &Run) -> Reply {
        let received = run.stdout.len();
        let mut reply = Reply::from(HookFailure::TimedOut {
            timeout: self.spec.timeout(),
        });
        match run.ending {
            Ending::TimedOut => {}
            Ending::TooMuchOutput => {
                let limit = self.shared.max_answer_bytes;
                reply.answer = Err(HookFailure::NotAnAnswer(DecodeError::too_large(
                    limit,
                    &run.stdout,
                )));
            }
            Ending::Exited(exit) => {
                reply.exit = Some(exit);
                reply.answer = self.judge(exit, run, &mut reply.notes);
            }
        }
        if run.held_open {
            reply.notes.push(
                "left a background process that held its output open; its process group was killed, and the answer counts. \
                 Detach such a process with `>/dev/null 2>&1 &`"
                    .into(),
            );
        }
        reply.stderr = run.stderr.to_text();
        reply.with_bytes(run.sent, received)
    }

    /// The exit status first: a program that crashed after printing has decided nothing.
    fn judge(&self, exit: Exit, run: &Run, notes: &mut Vec<String>) -> Result<Answer, HookFailure> {
        if exit != Exit::Code(0) {
            let hint = hint(&self.program, exit);
            return Err(HookFailure::Exited {
                exit,
                hint: hint.or_else(|| denied_as_elsewhere(exit, run)),
            });
        }
        let decoded = decode_response(&run.stdout).map_err(HookFailure::NotAnAnswer)?;
        notes.extend(decoded.notes.iter().map(ToString::to_string));
        Ok(decoded.response)
    }
}

#[async_trait]
impl Participant for Hook {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        self.spec.concerns(subject)
    }

    fn on_failure(&self) -> OnFailure {
        self.spec.on_failure
    }

    fn wants_facts(&self) -> bool {
        self.spec.facts
    }

    fn declaration(&self) -> Option<&HookSpec> {
        Some(&self.spec)
    }

    async fn ask(&self, question: &Question) -> Reply {
        let line = match line_for(&self.spec, question) {
            Ok(line) => line,
            Err(error) => return HookFailure::Request(error.clone()).into(),
        };
        let since = tokio::time::Instant::now();
        let (_place, waited) = match self.shared.place().await {
            Ok(place) => place,
            Err(failure) => {
                let queued = since.elapsed();
                return Reply {
                    queued,
                    ..failure.into()
                };
            }
        };
        let queued = if waited {
            since.elapsed()
        } else {
            Duration::ZERO
        };
        let limits = Limits::new(self.spec.timeout(), self.shared.max_answer_bytes);
        let pieces: Vec<_> = line.pieces().collect();
        let mut reply = match self.program.run(Input::new(&pieces), limits).await {
            Ok(run) => self.reply_of(&run),
            Err(error) => HookFailure::Start(error).into(),
        };
        reply.queued = queued;
        reply
    }
}

/// What is to be said of a program that denies as hooks of Claude Code and Codex do: with status 2, and the reason as an error.
fn denied_as_elsewhere(exit: Exit, run: &Run) -> Option<String> {
    let says_why = || {
        run.stderr
            .to_text()
            .is_some_and(|text| !text.trim().is_empty())
    };
    let as_elsewhere = exit == Exit::Code(2) && run.stdout.trim_ascii().is_empty() && says_why();
    as_elsewhere.then(|| {
        "status 2 with the reason on stderr is how a hook for Claude Code or Codex denies; declare such a hook in their settings, or \
         print {\"decision\":\"deny\",\"reason\":\"…\"} and end with status 0"
            .into()
    })
}

/// The request as the entry wants it: with or without what is known of the call.
pub(crate) fn line_for<'q>(
    spec: &HookSpec,
    question: &'q Question,
) -> Result<&'q RequestLine, &'q EncodeError> {
    if spec.facts {
        question.encoded_with_facts()
    } else {
        question.encoded()
    }
}

/// What such an ending usually means.
pub(crate) fn hint(program: &Program, exit: Exit) -> Option<String> {
    let has_carriage_return = || {
        let path = program.path();
        path.is_ok_and(|path| process::has_carriage_return(&path))
    };
    let line_ends = || program.inspect().line_ends();
    match exit {
        Exit::Unknown => Some(
            "its status was taken by somebody else: the host ignores SIGCHLD, or waits for children that are not its \
             own"
                .into(),
        ),
        Exit::Code(127) if has_carriage_return() => Some(
            "its `#!` line ends in a carriage return (CRLF line ends); save the script with LF line ends".into(),
        ),
        Exit::Code(126) => line_ends().or_else(|| Some("126 mostly means that a program it called is not executable".into())),
        Exit::Code(127) => line_ends().or_else(|| Some("127 mostly means that a program it called was not found".into())),
        Exit::Code(_) => line_ends(),
        Exit::Signal(_) => None,
    }
}
