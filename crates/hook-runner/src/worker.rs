//! A program declared as a worker: started once, kept, and asked one line after the other.
//!
//! # The life of a process
//!
//! ```text
//!            start                     question                     due, shutdown, drop
//!  (nobody) ───────►  idle in the pool ────────►  asked  ────────►  let go: end of input, 1 s, kill
//!                            ▲                      │
//!                            └──── its answer ──────┤
//!                                                   └─ anything else, or dropped: killed
//! ```
//!
//! A process belongs to the pool while nobody asks it, and to the question while it is asked. That
//! ownership is the whole of cancellation: a question that is dropped takes its process with it,
//! because an answer that comes afterwards would be the answer to the next one.
//!
//! # What a question waits for
//!
//! First for a process of its hook ([`Pool::slot`]), then for a place among all programs of the
//! runner; both count as queued and not against the deadline. A process that nobody asks holds no
//! place: the limit is there for programs that work. Whoever waits for a place holds a slot and
//! nobody who holds a place waits for a slot, so the two cannot block each other.
//!
//! # What goes wrong
//!
//! Whatever is not one line in time is the failure of the question at hand, and the end of the
//! process ([`kept`](crate::process::Kept) says what is checked). After three in a row the hook is
//! left alone for a while ([`Backoff`](backoff::Backoff)). A process that ended while nobody asked
//! it, or before it took anything of the question, has failed nobody: the question is put to a new
//! one, and a note says what happened, because a program that ends after every answer is no worker.

mod backoff;
mod failure;
mod pool;
mod verdict;

use std::time::Duration;

use hook_contract::{
    CommandTransport, HookSpec, MAX_HOOK_TIMEOUT, OnFailure, Subject, async_trait,
};
use tokio::{sync::SemaphorePermit, time::Instant};

pub use self::failure::{Delay, WorkerFailure};
use self::{
    pool::{Member, Pool},
    verdict::{Asked, Verdict},
};
use crate::{
    HookFailure, Identity, Participant, Question, Reply, WorkerLife,
    hook::{Shared, line_for},
    process::{Exit, Farewell, Heard, Input, Program},
};

/// The right to ask: a place among all programs, and a process of the hook. The place is given back first.
type Turn<'s> = (SemaphorePermit<'s>, SemaphorePermit<'s>);

/// One declared hook whose program is kept.
#[derive(Debug)]
pub(crate) struct Worker {
    identity: Identity,
    spec: HookSpec,
    program: Program,
    shared: Shared,
    pool: Pool,
}

impl Worker {
    pub(crate) fn new(spec: HookSpec, program: &CommandTransport, shared: &Shared) -> Self {
        Self {
            identity: Identity::declared("worker", &spec),
            program: shared.program(program),
            pool: Pool::new(program, shared),
            spec,
            shared: shared.clone(),
        }
    }

    /// Starts every process that there may be and is not.
    ///
    /// # Errors
    ///
    /// When one could not be started; the others are not tried.
    pub(crate) async fn warm_up(&self) -> Result<(), HookFailure> {
        let slots = self.pool.free_slots();
        for _ in self.pool.idle()..slots.len() {
            let member = self.start(Instant::now() + self.spec.timeout()).await?;
            self.pool.put_back(member);
        }
        Ok(())
    }

    /// Adds every process to a farewell, once it has answered what it is being asked.
    pub(crate) async fn let_go(&self, farewell: &mut Farewell) {
        let _all = self.pool.every_slot().await;
        self.pool.empty(farewell);
    }

    /// The same for those that nobody asks now.
    pub(crate) fn let_idle_go(&self, farewell: &mut Farewell) {
        self.pool.empty(farewell);
    }

    /// Lets those go that nobody has asked anything for too long.
    pub(crate) fn tidy(&self) {
        self.pool.tidy();
    }

    /// A process of the hook and a place among all programs, and whether either had to be waited for.
    async fn turn(&self, since: Instant) -> Result<(Turn<'_>, bool), HookFailure> {
        let (slot, waited) = self.shared.turn(self.pool.slots(), Some(since)).await?;
        let (place, waited_more) = self.shared.turn(&self.shared.places, Some(since)).await?;
        Ok(((place, slot), waited || waited_more))
    }

    async fn start(&self, deadline: Instant) -> Result<Member, HookFailure> {
        // Looked at first: what changes while it starts is then noticed before the next question.
        let edition = self.program.edition();
        let kept = self.program.keep(deadline).await;
        let kept = kept.map_err(HookFailure::Start)?;
        Ok(Member::new(kept, edition, self.shared.now()))
    }

    /// Puts the question to a process of the pool, else to a new one.
    async fn put(&self, question: &Question, line: Input<'_>, deadline: Instant) -> Reply {
        let mut notes = Vec::new();
        loop {
            let (member, is_new) = match self.pool.take(&mut notes) {
                Some(member) => (member, false),
                None => match self.start(deadline).await {
                    Ok(member) => (member, true),
                    Err(failure) => return Verdict::from(failure).into_reply(notes),
                },
            };
            let Member { kept, past } = member;
            let pace = self.pool.pace(&past);
            let limit = self.shared.max_answer_bytes;
            let exchange = kept.ask(line, pace, deadline, limit).await;
            if exchange.in_pieces && is_new && self.pool.takes_pieces() {
                exchange.kept.kill().await;
                continue;
            }
            if let Heard::Ended(exit, unanswered) = exchange.reply
                && !is_new
                && !unanswered.taken
                && !unanswered.begun
            {
                notes.push(ended_by_itself(exit, past.answered));
                exchange.kept.kill().await;
                continue;
            }
            let context = Asked {
                call: &question.request().tool_call_id,
                timeout: self.spec.timeout(),
                max_answer_bytes: self.shared.max_answer_bytes,
                answered: past.answered,
                pace,
                program: &self.program,
            };
            let verdict = Verdict::of(&exchange, context);
            self.pool.answered(verdict.names);
            let worker = WorkerLife {
                age: past.age(self.shared.now()),
                answered: past.answered + u64::from(verdict.is_answer()),
            };
            if verdict.is_sound {
                self.pool.succeeded();
                self.pool.put_back(Member {
                    kept: exchange.kept,
                    past: past.answered_one(verdict.names),
                });
            } else {
                self.pool.failed(verdict.complaint(), &past.edition);
                exchange.kept.kill().await;
            }
            return Reply {
                stderr: exchange.stderr.to_text(),
                bytes_sent: exchange.sent,
                worker: Some(worker),
                ..verdict.into_reply(notes)
            };
        }
    }
}

#[async_trait]
impl Participant for Worker {
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
        let since = Instant::now();
        let turn = self.turn(since).await;
        let waited = turn.as_ref().map_or(true, |(_, waited)| *waited);
        let queued = if waited {
            since.elapsed()
        } else {
            Duration::ZERO
        };
        let refused = |failure: HookFailure| Reply {
            queued,
            ..failure.into()
        };
        let _turn = match turn {
            Ok((turn, _)) => turn,
            Err(failure) => return refused(failure),
        };
        if let Some(failure) = self.pool.left_alone() {
            return refused(failure.into());
        }
        let pieces: Vec<_> = line.pieces().collect();
        let deadline = Instant::now() + self.spec.timeout().min(MAX_HOOK_TIMEOUT);
        let mut reply = self.put(question, Input::new(&pieces), deadline).await;
        reply.queued = queued;
        reply
    }
}

impl From<WorkerFailure> for HookFailure {
    fn from(failure: WorkerFailure) -> Self {
        Self::Worker(failure)
    }
}

impl From<WorkerFailure> for Reply {
    fn from(failure: WorkerFailure) -> Self {
        HookFailure::from(failure).into()
    }
}

/// What is said of a process that ended when nobody asked it.
fn ended_by_itself(exit: Exit, answered: u64) -> String {
    let advice = if exit == Exit::Code(0) {
        "; a worker reads one line after the other until the end of its input, a program that answers once is \
         declared without a mode"
    } else {
        ""
    };
    format!(
        "had ended with {exit} after {answered} answers, and was started again for this question{advice}"
    )
}
