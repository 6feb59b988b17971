//! The rows about recording, and about summing up what was recorded.

use std::{
    hint::black_box,
    io,
    path::Path,
    time::{Duration, Instant},
};

use hook_audit::{Audit, Capture, Reader, Summary};
use hook_contract::{
    HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait,
};
use hook_runner::HookRunner;
use hookchain_bench::{
    allocations,
    calls::Size,
    measure::{by_turns, ratio},
    runtimes,
};
use tokio::runtime::Runtime;

use crate::{
    processes::allowed,
    row::{Row, shown},
};

/// How many consultations are recorded before what was recorded is waited for.
const SMALL_BATCH: u32 = 200;

/// How many records are summed up. The design speaks of ten times as many, in ten times the time.
const RECORDS: u32 = 100_000;
const RECORDS_EACH: u32 = 3;

const PATIENCE: Duration = Duration::from_secs(60);

struct Agree;

#[async_trait]
impl Interceptor for Agree {
    fn name(&self) -> &str {
        "agree"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::Allow)
    }
}

/// A runner, and the recorder it has.
struct Recorded {
    runner: HookRunner,
    audit: Option<Audit>,
}

impl Recorded {
    fn nowhere() -> Self {
        Self {
            runner: HookRunner::new("/", vec![]).with_interceptor(Agree),
            audit: None,
        }
    }

    fn in_directory(directory: &Path, capture: Capture) -> io::Result<Self> {
        let audit = Audit::builder(directory).with_capture(capture).start();
        let audit = audit.map_err(io::Error::other)?;
        Ok(Self {
            runner: Self::nowhere().runner.with_recorder(audit.clone()),
            audit: Some(audit),
        })
    }

    /// How long one of so many consultations takes. That they are written is waited for afterwards.
    fn time(&self, runtime: &Runtime, size: Size, count: u32) -> Duration {
        let call = size.call();
        let took = runtime.block_on(async {
            let since = Instant::now();
            for _ in 0..count {
                allowed(&black_box(self.runner.decide(&call).await));
            }
            since.elapsed() / count
        });
        if let Some(audit) = &self.audit {
            assert!(audit.flush(PATIENCE), "the disk takes longer than a minute");
        }
        took
    }
}

pub(crate) fn rows(rounds: usize) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (flavour, runtime) in runtimes::both()? {
        rows.push(recording(flavour, &runtime, rounds)?);
        rows.push(recording_in_full(flavour, &runtime, rounds)?);
    }
    rows.extend(summing_up(rounds)?);
    Ok(rows)
}

/// What recording adds to a small consultation.
fn recording(flavour: &str, runtime: &Runtime, rounds: usize) -> io::Result<Row> {
    let directory = tempfile::tempdir()?;
    let recorded = Recorded::in_directory(directory.path(), Capture::Digests)?;
    let time = |of: &Recorded| of.time(runtime, Size::Small, SMALL_BATCH);
    let (without, with) = medians(rounds, &recorded, time);
    let beyond = with.saturating_sub(without);
    let what = format!("recording a small call, beyond the same without, {flavour}");
    let mut row = Row::of_time(what, beyond, Duration::from_micros(5));
    let ratio = ratio(with, without);
    let (with, without) = (shown(with), shown(without));
    row.measured = format!("{} ({with} to {without}, {ratio:.2} x)", shown(beyond));
    Ok(row)
}

/// What recording everything adds to a large consultation, against the cost of encoding the call once.
fn recording_in_full(flavour: &str, runtime: &Runtime, rounds: usize) -> io::Result<Row> {
    let directory = tempfile::tempdir()?;
    let recorded = Recorded::in_directory(directory.path(), Capture::Full)?;
    let time = |of: &Recorded| of.time(runtime, Size::Large, 1);
    let (without, with) = medians(rounds, &recorded, time);
    let call = Size::Large.call();
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &call);
    let [encoding] = by_turns(
        rounds,
        [&mut || drop(black_box(hook_wire::encode_request(&request)))],
    );
    let beyond = with.saturating_sub(without);
    let what = format!(
        "recording a 1 MiB call in full, beyond the same without, to encoding it, {flavour}"
    );
    let detail = format!("{} to {}", shown(beyond), shown(encoding));
    Ok(Row::of_ratio(what, ratio(beyond, encoding), 1.0, &detail))
}

/// The median times without a recorder and with this one, measured by turns.
fn medians(
    rounds: usize,
    recorded: &Recorded,
    time: impl Fn(&Recorded) -> Duration,
) -> (Duration, Duration) {
    let plain = Recorded::nowhere();
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        times.0.push(time(&plain));
        times.1.push(time(recorded));
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    (median(times.0), median(times.1))
}

/// The time and memory that it takes to sum up many records.
fn summing_up(rounds: usize) -> io::Result<[Row; 2]> {
    const MOST: usize = 100 << 20;
    let [(_, runtime), _] = runtimes::both()?;
    let directory = tempfile::tempdir()?;
    let recorded = Recorded::in_directory(directory.path(), Capture::Digests)?;
    for _ in 0..RECORDS.div_ceil(RECORDS_EACH * SMALL_BATCH) {
        recorded.time(&runtime, Size::Small, SMALL_BATCH);
    }
    let sum_up = || {
        let summary = summary(directory.path()).unwrap_or_default();
        assert!(
            summary.wait().count() >= u64::from(RECORDS / RECORDS_EACH),
            "it is recorded"
        );
    };
    let ((), peak) = allocations::peak_of(sum_up);
    let [time] = by_turns(rounds.div_ceil(30), [&mut || sum_up()]);
    #[expect(clippy::cast_precision_loss, reason = "a few MiB")]
    let mib = |bytes: usize| format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20));
    let memory = Row {
        what: "peak memory of that".into(),
        must: format!("<= {}", mib(MOST)),
        measured: mib(peak),
        peer: String::new(),
        holds: peak <= MOST,
    };
    let what = format!("summing up {RECORDS} records");
    Ok([Row::of_time(what, time, Duration::from_millis(200)), memory])
}

fn summary(directory: &Path) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut reader = Reader::open(directory).map_err(io::Error::other)?;
    while let Some(line) = reader.next_line().map_err(io::Error::other)? {
        summary.add(&line);
    }
    Ok(summary)
}
