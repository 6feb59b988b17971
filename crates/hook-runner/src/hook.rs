//! A program declared in a hooks file, started once for each question.

use std::{path::Path, sync::Arc, time::Duration};

use hook_config::{HookSpec, OnFailure};
use hook_contract::{HookEvent, async_trait};
use hook_wire::{DecodeError, decode_response};
use tokio::{sync::Semaphore, time::Instant};

use crate::{
    Answer, HookFailure, Identity, Origin, Participant, Question,
    process::{self, Ending, Environment, Exit, Input, Limits, Program, Run},
};

/// What all programs of one runner share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) workspace: Arc<Path>,
    pub(crate) environment: Arc<Environment>,
    /// How many programs may run at once.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) max_answer_bytes: usize,
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
    pub(crate) fn new(spec: HookSpec, shared: &Shared) -> Self {
        let origin = Origin::Declared(spec.origin().clone());
        Self {
            identity: Identity::new("hook", spec.name.clone(), origin),
            program: Program::new(
                &spec.command,
                Arc::clone(&shared.workspace),
                Arc::clone(&shared.environment),
            ),
            spec,
            shared: shared.clone(),
        }
    }

    fn answer_of(&self, run: &Run) -> Answer {
        let received = run.stdout.len();
        let mut answer = Answer::from(HookFailure::TimedOut {
            timeout: self.spec.timeout(),
        });
        match run.ending {
            Ending::TimedOut => {}
            Ending::TooMuchOutput => {
                let limit = self.shared.max_answer_bytes;
                answer.response = Err(HookFailure::NotAnAnswer(DecodeError::too_large(
                    limit,
                    &run.stdout,
                )));
            }
            Ending::Exited(exit) => {
                answer.exit = Some(exit);
                answer.response = self.judge(exit, &run.stdout, &mut answer.notes);
            }
        }
        if run.held_open {
            answer.notes.push(
                "left a background process that held its output open; its process group was killed, and the answer counts. \
                 Detach such a process with `>/dev/null 2>&1 &`"
                    .into(),
            );
        }
        answer.stderr = run.stderr.to_text();
        answer.with_bytes(run.sent, received)
    }

    /// The exit status first: a program that crashed after printing has decided nothing.
    fn judge(
        &self,
        exit: Exit,
        stdout: &[u8],
        notes: &mut Vec<String>,
    ) -> Result<hook_wire::HookResponse, HookFailure> {
        if exit != Exit::Code(0) {
            return Err(HookFailure::Exited {
                exit,
                hint: self.hint(exit),
            });
        }
        let decoded = decode_response(stdout).map_err(HookFailure::NotAnAnswer)?;
        notes.extend(decoded.notes.iter().map(ToString::to_string));
        Ok(decoded.response)
    }

    /// What such an ending usually means.
    fn hint(&self, exit: Exit) -> Option<String> {
        match exit {
            Exit::Unknown => Some(
                "its status was taken by somebody else: the host ignores SIGCHLD, or waits for children that are \
                 not its own"
                    .into(),
            ),
            Exit::Code(127) if self.has_carriage_return() => Some(
                "its `#!` line ends in a carriage return (CRLF line ends); save the script with LF line ends".into(),
            ),
            Exit::Code(126) => Some("126 mostly means that a program it called is not executable".into()),
            Exit::Code(127) => Some("127 mostly means that a program it called was not found".into()),
            Exit::Code(_) | Exit::Signal(_) => None,
        }
    }
}

#[async_trait]
impl Participant for Hook {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        self.spec.applies_to(event, tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        self.spec.on_failure
    }

    fn declaration(&self) -> Option<&HookSpec> {
        Some(&self.spec)
    }

    async fn ask(&self, question: &Question) -> Answer {
        let line = match question.encoded() {
            Ok(line) => line,
            Err(error) => return HookFailure::Request(error.clone()).into(),
        };
        let (_place, queued) = self.queue().await;
        let limits = Limits {
            timeout: self.spec.timeout(),
            max_output_bytes: self.shared.max_answer_bytes,
        };
        let pieces: Vec<_> = line.pieces().collect();
        let mut answer = match self.program.run(Input::new(&pieces), limits).await {
            Ok(run) => self.answer_of(&run),
            Err(error) => HookFailure::Start(error).into(),
        };
        answer.queued = queued;
        answer
    }
}

impl Hook {
    fn has_carriage_return(&self) -> bool {
        self.program
            .path()
            .is_ok_and(|path| process::has_carriage_return(&path))
    }

    /// Waits for one of the runner's places; says how long that took.
    async fn queue(&self) -> (Option<tokio::sync::SemaphorePermit<'_>>, Duration) {
        if let Ok(place) = self.shared.places.try_acquire() {
            return (Some(place), Duration::ZERO);
        }
        let since = Instant::now();
        // The semaphore is never closed; should it be one day, a program without a place is no harm.
        let place = self.shared.places.acquire().await.ok();
        (place, since.elapsed())
    }
}
