//! What stands between the consulting tasks and the writer: bounded, and never waited for by a consultation.
//!
//! A consultation is taken as a whole or not at all: whether there is room is asked when it begins. One that was taken
//! is followed to its end even past the limit, because what it adds is mostly shared with the call; past twice the limit
//! the rest of it is cut. So a reader never sees a result without its question because of a full queue.

use std::{
    collections::HashMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::message::{Message, What};

/// How long the writer waits for more before it writes: what comes meanwhile need not wake it.
const LINGER: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(crate) struct Queue {
    /// From which weight on no new consultation is taken.
    limit: usize,
    state: Mutex<State>,
    /// Wakes the writer.
    work: Condvar,
    /// Wakes whoever waits for what was handed over to be written.
    progress: Condvar,
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<Message>,
    /// What the queue and the writer hold.
    weight: usize,
    /// The consultations under way of which nothing more is taken.
    refused: HashMap<u64, Refused>,
    /// Records that were not taken since the writer last asked.
    dropped: u64,
    /// How many messages were taken, and how many of them are written or lost.
    taken: u64,
    settled: u64,
    writer: Writer,
    /// Somebody waits for everything to be written.
    hurry: bool,
    closing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    /// The writer has never heard of it.
    Whole,
    /// The writer knows of its beginning.
    Rest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Writer {
    /// Writes, and will look here before it rests.
    #[default]
    Busy,
    /// Waits for the first message.
    Idle,
    /// Waits for further ones.
    Lingering,
    /// Is no more.
    Gone,
}

/// What the writer takes out at once.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) messages: Vec<Message>,
    /// What has to be settled when all of it is written or lost.
    pub(crate) weight: usize,
    /// Records that were not taken since the last time.
    pub(crate) dropped: u64,
    pub(crate) is_last: bool,
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            state: Mutex::default(),
            work: Condvar::new(),
            progress: Condvar::new(),
        }
    }

    /// Takes a message, or counts the record it would have made. Never waits for the writer.
    pub(crate) fn offer(&self, mut message: Message) {
        let mut weight = message.what.weight();
        let number = message.consultation;
        let mut state = self.lock();
        match &message.what {
            What::Begun(_) if state.weight >= self.limit || state.is_over() => {
                state.refused.insert(number, Refused::Whole);
                return;
            }
            What::Ended(_) => match state.refused.remove(&number) {
                None => {}
                Some(Refused::Whole) => return state.dropped += 1,
                // The writer must not wait for the rest of it.
                Some(Refused::Rest) => {
                    state.dropped += 1;
                    (message.what, weight) = (What::Cut, 0);
                }
            },
            What::Invoked(_) | What::Answered(_) => {
                let is_too_much = state.weight + weight > self.limit.saturating_mul(2);
                if is_too_much || state.refused.contains_key(&number) {
                    state.refused.entry(number).or_insert(Refused::Rest);
                    return state.dropped += 1;
                }
            }
            What::Begun(_) | What::Cut => {}
        }
        if state.writer == Writer::Gone {
            return state.dropped += u64::from(message.what.makes_a_record());
        }
        state.weight += weight;
        state.taken += 1;
        state.messages.push(message);
        self.wake(state);
    }

    /// Wakes the writer where it would otherwise rest too long.
    fn wake(&self, mut state: MutexGuard<'_, State>) {
        let is_wanted = match state.writer {
            Writer::Idle => true,
            Writer::Lingering => state.weight >= self.limit / 2,
            Writer::Busy | Writer::Gone => false,
        };
        if is_wanted {
            state.writer = Writer::Busy;
            drop(state);
            self.work.notify_one();
        }
    }

    /// Waits for messages and takes all that are there. The last batch is the one after [`close`](Self::close).
    pub(crate) fn take(&self) -> Batch {
        let mut state = self.lock();
        while state.messages.is_empty() && state.dropped == 0 && !state.closing {
            state.writer = Writer::Idle;
            state.hurry = false;
            state = self
                .work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let until = Instant::now() + LINGER;
        while state.may_linger(self.limit) {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                break;
            };
            state.writer = Writer::Lingering;
            state = wait_for(&self.work, state, left);
        }
        state.writer = Writer::Busy;
        state.hurry = false;
        Batch {
            messages: std::mem::take(&mut state.messages),
            weight: state.weight,
            dropped: std::mem::take(&mut state.dropped),
            is_last: state.closing,
        }
    }

    /// Says that everything that was taken out so far is written or lost; `weight` is what the batch said.
    pub(crate) fn settle(&self, messages: u64, weight: usize) {
        let mut state = self.lock();
        state.weight -= weight.min(state.weight);
        state.settled += messages;
        drop(state);
        self.progress.notify_all();
    }

    /// Lets the writer rest for that long, unless it is to end or somebody waits for it. Says whether it is to end.
    pub(crate) fn rest(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut state = self.lock();
        while !state.closing && !state.hurry {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                break;
            };
            // Not idle: no message needs to wake it.
            state.writer = Writer::Busy;
            state = wait_for(&self.work, state, left);
        }
        state.hurry = false;
        state.closing
    }

    /// Waits until everything that was handed over before is written or lost, and says whether it is.
    pub(crate) fn flush(&self, patience: Duration) -> bool {
        let mut state = self.lock();
        let wanted = state.taken;
        state.hurry = true;
        self.work.notify_one();
        self.wait_until(state, patience, |state| state.settled >= wanted)
    }

    /// Takes nothing more, and waits until the writer has ended. Says whether it has.
    pub(crate) fn close(&self, patience: Duration) -> bool {
        let mut state = self.lock();
        state.closing = true;
        self.work.notify_one();
        self.wait_until(state, patience, |state| state.writer == Writer::Gone)
    }

    /// The writer is no more: whatever comes from now on is counted and forgotten.
    pub(crate) fn writer_is_gone(&self) {
        let mut state = self.lock();
        let left = std::mem::take(&mut state.messages);
        let records = left.iter().filter(|left| left.what.makes_a_record());
        state.dropped += records.count() as u64;
        state.settled = state.taken;
        state.writer = Writer::Gone;
        drop(state);
        self.progress.notify_all();
    }

    /// Records that were not taken and that no batch has told of.
    pub(crate) fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    fn wait_until(
        &self,
        mut state: MutexGuard<'_, State>,
        patience: Duration,
        is_done: impl Fn(&State) -> bool,
    ) -> bool {
        let until = Instant::now().checked_add(patience);
        loop {
            if is_done(&state) {
                return true;
            }
            // Longer than the clock goes is a day at a time.
            let left = until.map_or(Duration::from_secs(86_400), |until| {
                until.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return false;
            }
            state = wait_for(&self.progress, state, left);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether nobody will write what begins now.
    fn is_over(&self) -> bool {
        self.closing || self.writer == Writer::Gone
    }

    fn may_linger(&self, limit: usize) -> bool {
        !self.closing && !self.hurry && self.weight < limit / 2
    }
}

fn wait_for<'a>(
    condition: &Condvar,
    state: MutexGuard<'a, State>,
    time: Duration,
) -> MutexGuard<'a, State> {
    let (state, _timed_out) = condition
        .wait_timeout(state, time)
        .unwrap_or_else(PoisonError::into_inner);
    state
}

#[cfg(test)]
mod tests;
