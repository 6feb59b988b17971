//! The recorder.

mod builder;

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant, SystemTime},
};

use hook_contract::HookRequest;
use hook_runner::{Consultation, Recorded, Recorder, Step};

pub use self::builder::{AuditBuilder, StartError};
use crate::{
    Capture,
    message::{Answered, Begun, Concluded, Ended, HandsAsksOn, Invoked, Message, What},
    queue::Queue,
    writer::Tally,
};

/// How long the last handle waits, when it is dropped, for what was recorded to be written.
const FAREWELL: Duration = Duration::from_secs(2);

/// Records every consultation of the runners it is given to, in a directory of files.
///
/// Cheap to clone; any number of runners may share one. What happens in a consultation is handed over to a thread that the
/// recorder owns, and the consultation goes on: it never waits for a disk or a lock of another process. What cannot be
/// written is counted ([`lost`](Self::lost)), recorded where recording goes on, and reported once.
///
/// When the last clone is dropped, what was handed over is written, for two seconds at most;
/// [`close`](Self::close) takes as long as it is told, and says how it went.
///
/// ```
/// use std::time::Duration;
///
/// use hook_audit::{Audit, Capture};
/// use hook_contract::HookCall;
/// use hook_runner::HookRunner;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let audit = Audit::builder(directory).with_capture(Capture::Redacted).start()?;
/// let runner = HookRunner::new("/repo", vec![]).with_recorder(audit.clone());
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// runner.decide(&call).await;
/// # });
/// let closed = audit.close(Duration::from_secs(5));
/// assert_eq!((closed.written, closed.lost), (1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Audit {
    handle: Arc<Handle>,
}

struct Handle {
    queue: Arc<Queue>,
    tally: Arc<Tally>,
    settings: Settings,
}

/// What is needed on the consulting task.
#[derive(Clone)]
struct Settings {
    capture: Capture,
    stderr_chars: usize,
    turn: Option<Arc<Turn>>,
    hands_asks_on: HandsAsksOn,
    clock: Arc<dyn Fn() -> Instant + Send + Sync>,
    wall_clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

/// Says which turn of the agent a request belongs to.
type Turn = dyn Fn(&HookRequest) -> Option<String> + Send + Sync;

/// How recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closed {
    /// Records that were written.
    pub written: u64,
    /// Records that were lost.
    pub lost: u64,
    /// Whether everything that was handed over is written or counted as lost. If not, the writer is still at it, as long
    /// as the process lives.
    pub is_settled: bool,
}

impl Audit {
    /// A recorder that writes to this directory, with everything that can be set about it.
    pub fn builder(directory: impl Into<std::path::PathBuf>) -> AuditBuilder {
        AuditBuilder::new(directory.into())
    }

    /// Records that were written so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.handle.tally.written.load(Ordering::Relaxed)
    }

    /// Records that were lost so far.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.handle.lost()
    }

    /// Waits until everything that was recorded before is written or counted as lost. Says whether it is.
    ///
    /// Blocks the thread for up to `patience`: not for a consulting task.
    #[must_use = "it may not be"]
    pub fn flush(&self, patience: Duration) -> bool {
        self.handle.queue.flush(patience)
    }

    /// Ends recording, for every clone, and waits until everything is written or counted as lost. Calls that are put
    /// through the chain from now on are not recorded.
    ///
    /// Blocks the thread for up to `patience`.
    #[expect(clippy::must_use_candidate, reason = "how it went need not matter")]
    pub fn close(&self, patience: Duration) -> Closed {
        let is_settled = self.handle.queue.close(patience);
        Closed {
            written: self.written(),
            lost: self.lost(),
            is_settled,
        }
    }
}

impl Handle {
    fn lost(&self) -> u64 {
        self.tally.lost.load(Ordering::Relaxed) + self.queue.dropped()
    }

    fn now(&self) -> SystemTime {
        (self.settings.wall_clock)()
    }

    fn tell(&self, consultation: u64, what: What) {
        self.queue.offer(Message { consultation, what });
    }

    fn begun(&self, request: &Arc<HookRequest>) -> What {
        let settings = &self.settings;
        What::Begun(Box::new(Begun {
            since: (settings.clock)(),
            request: Arc::clone(request),
            turn: settings.turn.as_ref().and_then(|turn| turn(request)),
        }))
    }

    fn answered(&self, step: &Step) -> What {
        let Settings {
            capture,
            stderr_chars,
            ..
        } = self.settings;
        What::Answered(Box::new(Answered::of(
            step,
            self.now(),
            capture,
            stderr_chars,
        )))
    }

    /// The end of a consultation; one without a result was dropped.
    fn ended(&self, result: Option<&Consultation>) -> What {
        What::Ended(Box::new(Ended {
            at: self.now(),
            until: (self.settings.clock)(),
            result: result.map(|result| {
                let Settings {
                    capture,
                    hands_asks_on,
                    ..
                } = self.settings;
                Concluded::of(result, capture, hands_asks_on)
            }),
        }))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.queue.close(FAREWELL);
    }
}

impl Recorder for Audit {
    fn record(&self, event: Recorded<'_>) {
        let handle = &self.handle;
        match event {
            Recorded::Begun {
                consultation,
                request,
                ..
            } => handle.tell(consultation, handle.begun(request)),
            Recorded::Invoked {
                consultation,
                who,
                pass,
                request,
                ..
            } => {
                let invoked = Invoked {
                    at: handle.now(),
                    who: who.clone(),
                    pass,
                    request: Arc::clone(request),
                };
                handle.tell(consultation, What::Invoked(Box::new(invoked)));
            }
            Recorded::Answered {
                consultation, step, ..
            } => handle.tell(consultation, handle.answered(step)),
            Recorded::Concluded {
                consultation,
                result,
                ..
            } => handle.tell(consultation, handle.ended(Some(result))),
            Recorded::Abandoned { consultation, .. } => {
                handle.tell(consultation, handle.ended(None));
            }
            // An event that is newer than this crate has no record.
            _ => {}
        }
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit")
            .field("capture", &self.handle.settings.capture)
            .field("written", &self.written())
            .field("lost", &self.lost())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
