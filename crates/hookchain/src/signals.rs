//! The signals that ask the process to end.

use std::{future::poll_fn, io, task::Poll};

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens for them, in place of dying at once: what a consultation started must be killed first.
#[derive(Debug)]
pub(crate) struct Signals([(u8, Signal); 4]);

impl Signals {
    /// Starts to listen. From here on none of the signals ends the process by itself.
    pub(crate) fn listen() -> io::Result<Self> {
        let listener = |kind: SignalKind| {
            let number = u8::try_from(kind.as_raw_value()).unwrap_or(u8::MAX);
            signal(kind).map(|signal| (number, signal))
        };
        Ok(Self([
            listener(SignalKind::interrupt())?,
            listener(SignalKind::terminate())?,
            listener(SignalKind::hangup())?,
            listener(SignalKind::quit())?,
        ]))
    }

    /// Waits for one of them; says its number.
    pub(crate) async fn received(&mut self) -> u8 {
        poll_fn(|cx| {
            let mut signals = self.0.iter_mut();
            let received = signals
                .find_map(|(number, signal)| signal.poll_recv(cx).is_ready().then_some(*number));
            received.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}
