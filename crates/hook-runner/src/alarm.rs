//! Waiting for a moment, in any async runtime.
//!
//! In a tokio runtime that keeps time it is tokio's timer. Anywhere else a thread keeps the time, so that a participant
//! which never answers is cut wherever a host polls its consultation.

use std::{
    panic::catch_unwind,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use tokio::{
    runtime::Handle,
    time::{Instant, Sleep, sleep_until},
};

use crate::process;

/// Rings once, at its time.
pub(crate) enum Alarm {
    Timer(Pin<Box<Sleep>>),
    Thread(Watch),
}

impl Alarm {
    /// Rings after this time. One that is too long for the clock never rings.
    pub(crate) fn after(time: Duration) -> Option<Self> {
        let until = Instant::now().checked_add(time)?;
        if Handle::try_current().is_ok() {
            // Tokio says only by a panic that this runtime keeps no time.
            let timer = catch_unwind(|| Box::pin(sleep_until(until)));
            if let Ok(sleep) = timer {
                return Some(Self::Timer(sleep));
            }
        }
        Some(Self::Thread(Watch::start(time)))
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Self::Timer(sleep) => process::poll_time(sleep.as_mut(), cx),
            Self::Thread(watch) => watch.poll(cx),
        }
    }
}

/// A thread that keeps one time, and ends with its alarm.
pub(crate) struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    waker: Option<Waker>,
}

impl Watch {
    fn start(time: Duration) -> Self {
        let shared = Arc::new(Shared::default());
        let kept = Arc::clone(&shared);
        let started = thread::Builder::new()
            .name("hookchain-alarm".into())
            .spawn(move || kept.keep(time));
        if started.is_err() {
            // No time can be kept, so none is left.
            shared.end();
        }
        Self(shared)
    }

    fn poll(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.0.lock();
        if state.is_over {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.lock().waker = None;
        self.0.end();
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the time, or for the end of the alarm.
    fn keep(&self, time: Duration) {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), time, |state| !state.is_over);
        drop(waited);
        self.end();
    }

    fn end(&self) {
        let waker = {
            let mut state = self.lock();
            state.is_over = true;
            state.waker.take()
        };
        self.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
