//! Letting kept programs go: the end of their input, a second, and then the end of their group.
//!
//! Somebody has to be there when the second is over, and there is no thread for it. A caller that
//! can wait does so ([`Farewell::wait`]). Where a value is dropped instead, nobody can:
//!
//! - inside a runtime, one task of that runtime waits for all of them. If the runtime ends first, it
//!   drops the task, and that kills what is left;
//! - outside, whoever drops waits here, which a program that ends with its input makes short.
//!
//! On each of these ways the processes are owned by whoever waits, and dropping a process kills its
//! group and reaps it; so none of them can be forgotten.

use std::{
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

use tokio::runtime::Handle;

use super::{
    child::{Process, reap_orphans},
    excerpt::Excerpt,
    talk::{Read, SWEEP_READS, read_excerpt},
};

/// How long a program has to end by itself once its input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// Between two looks at those who are leaving: at first, and later.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(40);

/// Programs that are told to leave.
#[derive(Debug, Default)]
#[must_use = "what is dropped here is killed at once"]
pub(crate) struct Farewell(Vec<Leaving>);

/// One of them, and where it may still print: a full pipe would hold it up.
#[derive(Debug)]
pub(super) struct Leaving {
    pub(super) process: Process,
    pub(super) printed: Vec<OwnedFd>,
}

impl Farewell {
    /// Ends the input of one more.
    pub(crate) fn add(&mut self, kept: super::Kept) {
        self.0.push(kept.into_leaving());
    }

    /// Waits for all of them; those that have not ended within a second are killed.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills those that are left.
    pub(crate) async fn wait(mut self) {
        let until = tokio::time::Instant::now() + GRACE;
        let mut pause = FIRST_PAUSE;
        while !self.is_over() {
            let now = tokio::time::Instant::now();
            if now >= until {
                return;
            }
            tokio::time::sleep_until(until.min(now + pause)).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    /// The same for whoever cannot wait for it.
    pub(crate) fn see_off(self) {
        if self.0.is_empty() {
            return;
        }
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(self.wait())),
            Err(_outside) => self.wait_here(),
        }
    }

    fn wait_here(mut self) {
        let since = Instant::now();
        let mut pause = FIRST_PAUSE;
        while !self.is_over() {
            let (Some(left), Some(first)) = (GRACE.checked_sub(since.elapsed()), self.0.first())
            else {
                return;
            };
            first.process.wait(left.min(pause));
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    /// Parts with those that have ended, and empties the pipes of the others.
    fn is_over(&mut self) -> bool {
        reap_orphans();
        self.0.retain_mut(|leaving| !leaving.is_gone());
        self.0.is_empty()
    }
}

impl Leaving {
    fn is_gone(&mut self) -> bool {
        let ended = self.process.has_ended();
        self.printed.retain(|pipe| !is_at_end(pipe));
        ended
    }
}

/// Throws away what is in a pipe; whether it was all there will ever be.
fn is_at_end(pipe: &OwnedFd) -> bool {
    let mut nobody_reads_it = Excerpt::default();
    for _ in 0..SWEEP_READS {
        match read_excerpt(pipe, &mut nobody_reads_it) {
            Read::Some => {}
            Read::End => return true,
            Read::Nothing | Read::Enough => return false,
        }
    }
    false
}
