//! The second signal: the end at once, whatever the run waits for.

use std::{io, thread};

use hook_runner::program;

use super::copy;
use crate::signals::Signals;

/// Listens on a thread of its own: the one that runs the cases may be stuck, in a file system that does not answer or before a
/// reader that does not read. The first signal is the run's own; the second kills what was started, removes what was copied,
/// and ends the process.
pub(super) fn listen() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut signals = {
        let _entered = runtime.enter();
        Signals::listen()?
    };
    let wait = move || {
        let signal = runtime.block_on(async {
            signals.received().await;
            signals.received().await
        });
        end(signal);
    };
    let named = thread::Builder::new().name("impatience".into());
    named.spawn(wait).map(|_listens| ())
}

#[expect(
    clippy::exit,
    reason = "the thread that would return may be the one that is stuck"
)]
fn end(signal: u8) {
    program::kill_all();
    copy::remove_all();
    // What was started meanwhile; its folder is gone.
    program::kill_all();
    std::process::exit(128 + i32::from(signal))
}
