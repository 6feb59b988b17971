//! The end of patience.

use std::{
    io::{self, Write},
    sync::mpsc,
    thread,
    time::Duration,
};

use hook_contract::shown;

use super::error::BridgeError;

/// Ends the process when there is no answer in time, whatever it waits for: an agent that never closes its end of standard
/// input, or never reads. The agent's own time limit lies behind it, and with Codex that would let the call pass.
///
/// Dropped, it is called off.
pub(super) struct Watchdog {
    _called_off: mpsc::Sender<()>,
}

/// What the chain gets on top of its own limit, to kill what it started and say so.
const GRACE: Duration = Duration::from_secs(5);

/// How long a reader of standard error is waited for.
const LAST_WORD: Duration = Duration::from_secs(1);

impl Watchdog {
    /// Starts to count. A system that has no thread left runs no hook either, and then the chain says so.
    pub(super) fn start(within: Duration) -> Self {
        let (called_off, over) = mpsc::channel();
        let watch = move || {
            if over.recv_timeout(within + GRACE) == Err(mpsc::RecvTimeoutError::Timeout) {
                end(within);
            }
        };
        let _without = thread::Builder::new().name("watchdog".into()).spawn(watch);
        Self {
            _called_off: called_off,
        }
    }
}

#[expect(
    clippy::exit,
    reason = "the thread that would return is the one that is stuck"
)]
fn end(within: Duration) {
    let reason = BridgeError::Late(within.as_secs()).reason();
    let (told, done) = mpsc::channel();
    let tell = move || {
        let _nobody_reads = writeln!(io::stderr(), "{}", shown::lines(&reason));
        let _over = told.send(());
    };
    let _without = thread::Builder::new().spawn(tell);
    let _told_or_not = done.recv_timeout(LAST_WORD);
    std::process::exit(2)
}
