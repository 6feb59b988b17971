//! Everything that can be set about a recorder.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    io,
    path::PathBuf,
    process,
    sync::Arc,
    thread,
    time::{Instant, SystemTime},
};

use hook_contract::{HookRequest, RecordCapture, RecordSpec};
use thiserror::Error;

use super::{Audit, Handle, Settings};
use crate::{
    Capture, Digest, Redaction, Retention, STDERR_SUMMARY_CHARS, StoreError, SyncPolicy, Timestamp,
    Trouble,
    captured::Capturing,
    message::HandsAsksOn,
    queue::Queue,
    scribe::Scribe,
    store::{self, Store},
    writer::{self, Losses, Report, Tally, Writer},
};

/// How large a file becomes before the next part is begun, unless set.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// How much may wait to be written, unless set.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// Sets up an [`Audit`].
///
/// ```
/// use std::time::Duration;
///
/// use hook_audit::{Audit, Capture, Redaction, Retention, SyncPolicy};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let audit = Audit::builder(directory)
///     .with_capture(Capture::Redacted)
///     .with_redaction(Redaction::default().with_key("badge number"))
///     .with_retention(Retention::default().keep_days(30))
///     .with_sync(SyncPolicy::Every(Duration::from_secs(1)))
///     .with_reporter(|trouble| eprintln!("agent: {trouble}"))
///     .start()?;
/// # drop(audit);
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder records nothing until it is started"]
pub struct AuditBuilder {
    store: store::Settings,
    settings: Settings,
    redaction: Redaction,
    max_waiting_bytes: usize,
    report: Report,
}

/// The writer's thread could not be started.
///
/// The process has as many threads as it may. Go on without records, or end.
#[derive(Debug, Error)]
#[error(
    "could not start the thread that writes records; the process has as many threads as it may have"
)]
#[non_exhaustive]
pub struct StartError {
    /// What the system said.
    pub source: io::Error,
}

impl AuditBuilder {
    /// A recorder as the operator's own hooks file declares it. What the file does not say is at its default.
    ///
    /// ```
    /// use hook_audit::AuditBuilder;
    /// use hook_config::HooksConfig;
    /// use hook_runner::HookRunner;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let workspace = tempfile::tempdir()?;
    /// # let workspace = workspace.path();
    /// let loaded = hook_config::load(workspace, &HooksConfig::new())?;
    /// let mut runner = HookRunner::new(workspace, loaded.hooks);
    /// if let Some(spec) = &loaded.record {
    ///     runner = runner.with_recorder(AuditBuilder::declared(spec).start()?);
    /// }
    /// # drop(runner);
    /// # Ok(())
    /// # }
    /// ```
    pub fn declared(spec: &RecordSpec) -> Self {
        let capture = match spec.capture {
            RecordCapture::Digests => Capture::Digests,
            RecordCapture::Redacted => Capture::Redacted,
            RecordCapture::Full => Capture::Full,
        };
        let mut retention = Retention::default();
        if let Some(days) = spec.keep_days {
            retention = retention.keep_days(days);
        }
        if let Some(mib) = spec.keep_mib {
            retention = retention.keep_bytes(mib.saturating_mul(1 << 20));
        }
        let mut builder = Self::new(spec.dir.clone())
            .with_capture(capture)
            .with_retention(retention);
        builder.store.is_chained = spec.chain;
        builder
    }

    pub(super) fn new(directory: PathBuf) -> Self {
        Self {
            store: store::Settings {
                directory,
                max_file_bytes: MAX_FILE_BYTES,
                retention: Retention::default(),
                sync: SyncPolicy::default(),
                is_chained: false,
            },
            settings: Settings {
                capture: Capture::default(),
                stderr_chars: STDERR_SUMMARY_CHARS,
                turn: None,
                hands_asks_on: HandsAsksOn::default(),
                clock: Arc::new(Instant::now),
                wall_clock: Arc::new(SystemTime::now),
            },
            redaction: Redaction::default(),
            max_waiting_bytes: MAX_WAITING_BYTES,
            report: Arc::new(report_on_stderr),
        }
    }

    /// How much of inputs and outputs is kept. Unless set, sizes and digests.
    pub fn with_capture(mut self, capture: Capture) -> Self {
        self.settings.capture = capture;
        self
    }

    /// What is masked, except where everything is captured. Unless set, see [`Redaction::default`].
    pub fn with_redaction(mut self, redaction: Redaction) -> Self {
        self.redaction = redaction;
        self
    }

    /// How many characters are kept of what a program printed as errors. Unless set, 500.
    pub fn with_stderr_chars(mut self, characters: usize) -> Self {
        self.settings.stderr_chars = characters;
        self
    }

    /// Says which turn of the agent a request belongs to, for its records. Called on the consulting task.
    pub fn with_turn(
        mut self,
        turn: impl Fn(&HookRequest) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.settings.turn = Some(Arc::new(turn));
        self
    }

    /// How large a file becomes before the next part of the day is begun. Unless set, 64 MiB.
    pub fn with_max_file_bytes(mut self, bytes: u64) -> Self {
        self.store.max_file_bytes = bytes;
        self
    }

    /// Which old files are removed. Unless set, none is.
    pub fn with_retention(mut self, retention: Retention) -> Self {
        self.store.retention = retention;
        self
    }

    /// When what was written is known to be on the disk. Unless set, when the system gets to it.
    pub fn with_sync(mut self, sync: SyncPolicy) -> Self {
        self.store.sync = sync;
        self
    }

    /// Gives each line the digest of the one before, so that altered, missing and reordered lines are found by
    /// [`verify`](crate::verify).
    ///
    /// Whoever records to the same directory must do the same. The end of a chain can be cut off unnoticed, unless its
    /// last digest is kept somewhere else.
    pub fn with_chain(mut self) -> Self {
        self.store.is_chained = true;
        self
    }

    /// Records a question that no person answered as handed on, and not as a denial: the caller of the runtime reads
    /// [`Consultation::asked`](hook_runner::Consultation::asked), asks a person itself, and may run the call.
    pub fn with_asks_handed_on(mut self) -> Self {
        self.settings.hands_asks_on = HandsAsksOn(true);
        self
    }

    /// How many bytes may wait in memory to be written. Past it, calls that begin are not recorded, and the records they
    /// would have had are counted. Unless set, 64 MiB.
    pub fn with_max_waiting_bytes(mut self, bytes: usize) -> Self {
        self.max_waiting_bytes = bytes;
        self
    }

    /// Where trouble with recording is told. Unless set, standard error. Called on the writer's thread, so it must not wait
    /// for the recorder.
    pub fn with_reporter(mut self, report: impl Fn(&Trouble) + Send + Sync + 'static) -> Self {
        self.report = Arc::new(report);
        self
    }

    /// The monotonic clock that times consultations; for tests. Steps are timed by the runner's.
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// The clock that dates records and files; for tests.
    pub fn with_wall_clock(
        mut self,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        self.settings.wall_clock = Arc::new(clock);
        self
    }

    /// Whether records could be written now: makes the directory and today's file. For a host that would rather not start
    /// without records; a recorder that is started does without, reports it, and tries again.
    ///
    /// # Errors
    ///
    /// When the directory or the file cannot be made or opened.
    pub fn check(&self) -> Result<(), StoreError> {
        let today = Timestamp::from((self.settings.wall_clock)()).date();
        Store::new(self.store.clone()).check(today)
    }

    /// Starts recording. That the directory cannot be used is reported, and is no error here.
    ///
    /// # Errors
    ///
    /// When the writer's thread cannot be started.
    pub fn start(self) -> Result<Audit, StartError> {
        let queue = Arc::new(Queue::new(self.max_waiting_bytes));
        let tally = Arc::new(Tally::default());
        let capturing = Capturing {
            level: self.settings.capture,
            redaction: self.redaction,
        };
        let writer = Writer {
            queue: Arc::clone(&queue),
            tally: Arc::clone(&tally),
            scribe: Scribe::new(recorder((self.settings.wall_clock)()), capturing),
            store: Store::new(self.store),
            report: self.report,
            wall_clock: Arc::clone(&self.settings.wall_clock),
            losses: Losses::default(),
            is_outage: false,
        };
        thread::Builder::new()
            .name("hook-audit".into())
            .spawn(move || writer::run(writer))
            .map_err(|source| StartError { source })?;
        Ok(Audit {
            handle: Arc::new(Handle {
                queue,
                tally,
                settings: self.settings,
            }),
        })
    }
}

/// What no other recorder is called, in this process or another, now or later.
fn recorder(now: SystemTime) -> String {
    const DIGITS: usize = 12;
    let now = Timestamp::from(now).to_string();
    let process = process::id().to_le_bytes();
    // The standard library's hash tables have random keys of their own.
    let random = RandomState::new().hash_one(&now).to_le_bytes();
    let digest = Digest::of_parts([now.as_bytes(), &process[..], &random[..]]);
    format!("{digest:.DIGITS$}")
}

#[expect(
    clippy::print_stderr,
    reason = "the documented default of a host that sets no reporter"
)]
fn report_on_stderr(trouble: &Trouble) {
    eprintln!("hookchain: {trouble}");
}

impl fmt::Debug for AuditBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditBuilder")
            .field("store", &self.store)
            .field("capture", &self.settings.capture)
            .field("redaction", &self.redaction)
            .finish_non_exhaustive()
    }
}
