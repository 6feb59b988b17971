//! Closing a runner: no new consultation, and an end to wait for.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Notify, OnceCell};

use crate::{Participant, guarded};

/// How long a participant may take to end what it keeps running.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether a runner is closed, and how many consultations are running.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    is_closed: AtomicBool,
    running: AtomicUsize,
    ended: Notify,
    participants: OnceCell<()>,
}

impl Closing {
    /// One that is closed already if that is so, and of which nothing is running.
    pub(crate) fn new(is_closed: bool) -> Self {
        Self {
            is_closed: AtomicBool::new(is_closed),
            ..Self::default()
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// A consultation that runs until this is dropped. It looks at [`is_closed`](Self::is_closed) after this, so that
    /// closing waits for it or it is denied.
    pub(crate) fn enter(&self) -> Running<'_> {
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(self)
    }

    /// Closes, waits until no consultation runs, and ends what these participants keep running. Closing again waits for
    /// the same. Each participant has [`CLOSE_TIMEOUT`], and the operator hears of one that did not end in it.
    pub(crate) async fn close(&self, participants: &[Arc<dyn Participant>], report: impl Fn(&str)) {
        self.last_has_ended().await;
        let close = async || {
            for participant in participants {
                let closed = guarded::close(&**participant, CLOSE_TIMEOUT).await;
                let told = |missed| report(&format!("{} {missed}", participant.identity()));
                closed.unwrap_or_else(told);
            }
        };
        self.participants.get_or_init(close).await;
    }

    async fn last_has_ended(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if self.running.load(Ordering::SeqCst) == 0 {
                return;
            }
            ended.await;
        }
    }
}

/// One running consultation.
#[derive(Debug)]
pub(crate) struct Running<'c>(&'c Closing);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let is_last = self.0.running.fetch_sub(1, Ordering::SeqCst) == 1;
        // Closing looks at the count after it has closed, so that one of the two sees the other.
        if is_last && self.0.is_closed() {
            self.0.ended.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests;
