//! The processes of one worker hook that nobody asks at the moment.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hook_contract::CommandTransport;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    backoff::{Backoff, LeftAlone},
    failure::WorkerFailure,
};
use crate::{
    hook::{Clock, Shared},
    process::{Edition, Farewell, Kept, Pace, reap_orphans},
};

/// A process, and what is remembered of it.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) kept: Kept,
    pub(super) past: Past,
}

#[derive(Debug)]
pub(super) struct Past {
    /// The files it was started from.
    pub(super) edition: Edition,
    born: Instant,
    idle_since: Instant,
    /// How many questions it has answered.
    pub(super) answered: u64,
    /// Whether its last answer that was no denial named the call.
    pub(super) names: bool,
}

impl Member {
    pub(super) fn new(kept: Kept, edition: Edition, now: Instant) -> Self {
        let past = Past {
            edition,
            born: now,
            idle_since: now,
            answered: 0,
            names: false,
        };
        Self { kept, past }
    }
}

impl Past {
    pub(super) fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.born)
    }

    pub(super) fn answered_one(self, names: Option<bool>) -> Self {
        Self {
            answered: self.answered + 1,
            names: names.unwrap_or(self.names),
            ..self
        }
    }
}

/// Up to so many processes, each asked by one question at a time.
pub(super) struct Pool {
    /// As many as there may be processes; whoever has one may ask one.
    slots: Semaphore,
    size: u32,
    bounds: Bounds,
    clock: Clock,
    state: Mutex<State>,
}

/// When a process has served long enough.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    questions: u64,
    age: Duration,
    idle: Duration,
}

impl Bounds {
    fn is_due(&self, past: &Past, now: Instant) -> bool {
        past.answered >= self.questions || past.age(now) >= self.age
    }

    fn is_forgotten(&self, past: &Past, now: Instant) -> bool {
        now.saturating_duration_since(past.idle_since) >= self.idle
    }
}

#[derive(Debug, Default)]
struct State {
    /// Whether its programs take a piece of a question for the whole.
    in_pieces: bool,
    /// Whether an answer of its programs, other than a denial, did not name its call.
    is_unnamed: bool,
    /// The last one was asked last.
    idle: Vec<Member>,
    backoff: Backoff,
}

impl Pool {
    pub(super) fn new(program: &CommandTransport, shared: &Shared) -> Self {
        let size = shared.workers.clamp(1, Semaphore::MAX_PERMITS.min(1 << 16));
        Self {
            slots: Semaphore::new(size),
            size: u32::try_from(size).unwrap_or(1),
            bounds: Bounds {
                questions: program.max_questions,
                age: program.max_age,
                idle: program.max_idle,
            },
            clock: Arc::clone(&shared.clock),
            state: Mutex::default(),
        }
    }

    /// The rights to ask one process each.
    pub(super) const fn slots(&self) -> &Semaphore {
        &self.slots
    }

    /// How a question is put to a process.
    pub(super) fn pace(&self, past: &Past) -> Pace {
        let state = self.state();
        if past.names && !state.is_unnamed {
            Pace::AtOnce
        } else if state.in_pieces {
            Pace::Watched
        } else {
            Pace::Measured
        }
    }

    /// What is known of its programs' answers from one of them: whether it names its call, unless it is a denial.
    pub(super) fn answered(&self, names: Option<bool>) {
        if names == Some(false) {
            self.state().is_unnamed = true;
        }
    }

    /// Its programs are not asked in two pieces any more; false when that was known.
    pub(super) fn takes_pieces(&self) -> bool {
        !std::mem::replace(&mut self.state().in_pieces, true)
    }

    /// The slots that nobody has now.
    pub(super) fn free_slots(&self) -> Vec<SemaphorePermit<'_>> {
        std::iter::from_fn(|| self.slots.try_acquire().ok()).collect()
    }

    /// Waits until nobody asks any more; nobody can as long as this is held.
    pub(super) async fn every_slot(&self) -> Option<SemaphorePermit<'_>> {
        self.slots.acquire_many(self.size).await.ok()
    }

    /// How many processes wait.
    pub(super) fn idle(&self) -> usize {
        self.state().idle.len()
    }

    /// One that may be asked. Those that may not any more are let go; a note says so where it was
    /// not their time.
    pub(super) fn take(&self, notes: &mut Vec<String>) -> Option<Member> {
        let now = (self.clock)();
        let mut farewell = Farewell::default();
        let mut state = self.state();
        let taken = loop {
            let Some(member) = state.idle.pop() else {
                break None;
            };
            if self.bounds.is_due(&member.past, now) || self.bounds.is_forgotten(&member.past, now)
            {
                farewell.add(member.kept);
            } else if let Some(changed) = member.past.edition.changed() {
                notes.push(replaced(changed));
                farewell.add(member.kept);
            } else {
                break Some(member);
            }
        };
        drop(state);
        farewell.see_off();
        taken
    }

    /// Takes one back that may be asked again, or lets it go when it has served long enough.
    pub(super) fn put_back(&self, mut member: Member) {
        let now = (self.clock)();
        member.past.idle_since = now;
        if self.bounds.is_due(&member.past, now) {
            let mut farewell = Farewell::default();
            farewell.add(member.kept);
            farewell.see_off();
        } else {
            self.state().idle.push(member);
        }
    }

    /// Lets those go that have served long enough, or that nobody has asked for too long.
    pub(super) fn tidy(&self) {
        let mut state = self.state();
        if state.idle.is_empty() {
            return;
        }
        let now = (self.clock)();
        let gone = state.idle.extract_if(.., |member| {
            self.bounds.is_due(&member.past, now) || self.bounds.is_forgotten(&member.past, now)
        });
        let mut farewell = Farewell::default();
        for member in gone {
            farewell.add(member.kept);
        }
        drop(state);
        farewell.see_off();
    }

    /// Lets all of them go.
    pub(super) fn empty(&self, farewell: &mut Farewell) {
        reap_orphans();
        let idle = std::mem::take(&mut self.state().idle);
        for member in idle {
            farewell.add(member.kept);
        }
    }

    pub(super) fn succeeded(&self) {
        self.state().backoff.succeeded();
    }

    /// One had to be ended; `what` says why.
    pub(super) fn failed(&self, what: String, edition: &Edition) {
        let now = (self.clock)();
        self.state().backoff.failed(now, what, edition);
    }

    /// What whoever asks is told while nobody may.
    pub(super) fn left_alone(&self) -> Option<WorkerFailure> {
        let now = (self.clock)();
        let LeftAlone {
            failures,
            left,
            last,
        } = self.state().backoff.left_alone(now)?;
        Some(WorkerFailure::LeftAlone {
            failures,
            left,
            last,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut farewell = Farewell::default();
        self.empty(&mut farewell);
        farewell.see_off();
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("size", &self.size)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

fn replaced(changed: &Path) -> String {
    format!(
        "was replaced before this question, because {} has changed",
        changed.display()
    )
}
