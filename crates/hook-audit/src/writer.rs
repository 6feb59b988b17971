//! The one thread that writes: messages become records, and records lines of a file.
//!
//! It is the only place that waits for a disk. When a disk does not take what it should, it keeps what it has and tries
//! again with growing pauses; the queue before it fills up meanwhile, and then records are counted instead of kept.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use crate::{
    Record, RecordsLost, StoreError, Timestamp, Trouble,
    queue::{Batch, Queue},
    scribe::Scribe,
    store::{Lines, Store},
};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long nothing is said again of records that are lost because they come too fast, and how long at most it takes
/// until something is.
const QUIET: Duration = Duration::from_secs(60);

/// How many records there were.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) written: AtomicU64,
    pub(crate) lost: AtomicU64,
}

pub(crate) type Report = Arc<dyn Fn(&Trouble) + Send + Sync>;

pub(crate) struct Writer {
    pub(crate) queue: Arc<Queue>,
    pub(crate) tally: Arc<Tally>,
    pub(crate) scribe: Scribe,
    pub(crate) store: Store,
    pub(crate) report: Report,
    pub(crate) wall_clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    pub(crate) losses: Losses,
    /// Nothing can be written, which was said.
    pub(crate) is_outage: bool,
}

/// What is lost and not yet said.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    unrecorded: u64,
    unreported: u64,
    /// Since when something is unreported, and when something was reported last.
    since: Option<Instant>,
    reported: Option<Instant>,
}

/// Lines that are to be written.
#[derive(Debug, Default)]
struct Pending {
    lines: Lines,
    /// How many lost records the first line tells of. None when it is a record as any other.
    told: u64,
}

/// Runs the writer until the queue is closed. A panic in it ends recording, and nothing else.
pub(crate) fn run(mut writer: Writer) {
    let ended = catch_unwind(AssertUnwindSafe(|| writer.write_all()));
    writer.queue.writer_is_gone();
    if let Err(panic) = ended {
        let message = words_of(panic.as_ref());
        writer.say(&Trouble::Panicked { message });
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "something that is no text".into())
}

impl Writer {
    fn write_all(&mut self) {
        // Whether it matters is found out by the first write.
        drop(self.store.make_directory());
        loop {
            let batch = self.queue.take();
            let (weight, is_last) = (batch.weight, batch.is_last);
            let messages = batch.messages.len() as u64;
            let is_calm = batch.dropped == 0;
            let mut pending = self.encode(batch);
            self.write(&mut pending);
            self.queue.settle(messages, weight);
            if is_last {
                return self.finish();
            }
            self.say_losses(is_calm);
        }
    }

    fn encode(&mut self, batch: Batch) -> Pending {
        self.lose(batch.dropped);
        let mut pending = self.loss();
        for message in batch.messages {
            if let Some(record) = self.scribe.record(message) {
                pending.lines.push(&record);
            }
        }
        pending
    }

    /// Writes every line, however long it takes, unless recording is to end.
    fn write(&mut self, pending: &mut Pending) {
        let mut pause = FIRST_PAUSE;
        while let Some(error) = self.try_to_write(pending) {
            // However often it is tried, such a line will not fit.
            let is_hopeless = error.is_about_size() && !pending.lines.is_empty();
            if !std::mem::replace(&mut self.is_outage, true) {
                self.say(&Trouble::Unwritable(error));
            }
            if is_hopeless {
                self.give_up(pending, 1);
                continue;
            }
            if pending.lines.is_empty() {
                return;
            }
            if self.queue.rest(pause) {
                // Once more, and no longer: whoever closes the recorder waits for it. What goes wrong is said already.
                drop(self.try_to_write(pending));
                return self.give_up(pending, pending.lines.len());
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Writes what can be written, and takes it out of what is pending.
    fn try_to_write(&mut self, pending: &mut Pending) -> Option<StoreError> {
        let before = pending.lines.len();
        let today = Timestamp::from((self.wall_clock)()).date();
        let result = self.store.append(&mut pending.lines, today);
        let mut written = (before - pending.lines.len()) as u64;
        self.is_outage &= written == 0 || result.is_err();
        if written > 0 && std::mem::take(&mut pending.told) > 0 {
            written -= 1;
        }
        self.tally.written.fetch_add(written, Ordering::Relaxed);
        while let Some(trouble) = self.store.trouble() {
            self.say(&Trouble::Housekeeping(trouble));
        }
        result.err()
    }

    /// Loses the first lines that are pending.
    fn give_up(&mut self, pending: &mut Pending, lines: usize) {
        pending.lines.take_out(lines);
        let mut records = lines as u64;
        if records > 0 && pending.told > 0 {
            // What it told of has yet to be recorded.
            self.losses.unrecorded += std::mem::take(&mut pending.told);
            records -= 1;
        }
        self.lose(records);
    }

    /// Records and reports what was lost since, and makes sure of the rest.
    fn finish(&mut self) {
        let mut pending = self.loss();
        // Whatever is in the way is said already.
        drop(self.try_to_write(&mut pending));
        if let Err(error) = self.store.sync() {
            self.say(&Trouble::Unwritable(error));
        }
        self.say_all_losses();
    }

    fn lose(&mut self, records: u64) {
        let losses = &mut self.losses;
        losses.unrecorded += records;
        losses.unreported += records;
        if records > 0 {
            losses.since.get_or_insert_with(Instant::now);
        }
        self.tally.lost.fetch_add(records, Ordering::Relaxed);
    }

    /// A line that tells of what was lost, if something was.
    fn loss(&mut self) -> Pending {
        let mut pending = Pending {
            told: std::mem::take(&mut self.losses.unrecorded),
            ..Pending::default()
        };
        if pending.told > 0 {
            pending.lines.push(&Record::Lost(RecordsLost {
                at: (self.wall_clock)().into(),
                recorder: self.scribe.recorder().to_owned(),
                records: pending.told,
            }));
        }
        pending
    }

    /// Says what was lost once nothing more is, but not more than once a minute.
    fn say_losses(&mut self, is_calm: bool) {
        let is_long_ago = |time: Option<Instant>| time.is_some_and(|time| time.elapsed() >= QUIET);
        let Losses {
            since, reported, ..
        } = self.losses;
        let may_be_said = is_calm && (reported.is_none() || is_long_ago(reported));
        if !self.is_outage && (may_be_said || is_long_ago(since)) {
            self.say_all_losses();
        }
    }

    fn say_all_losses(&mut self) {
        let losses = &mut self.losses;
        let records = std::mem::take(&mut losses.unreported);
        if records > 0 {
            (losses.since, losses.reported) = (None, Some(Instant::now()));
            self.say(&Trouble::Lost { records });
        }
    }

    fn say(&self, trouble: &Trouble) {
        let report = &self.report;
        // A reporter that panics must not end recording.
        let _panic = catch_unwind(AssertUnwindSafe(|| report(trouble)));
    }
}
