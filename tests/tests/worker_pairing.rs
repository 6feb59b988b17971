//! No answer is ever given to another question, and no question is lost, whatever workers do and
//! whoever kills them.
//!
//! Each question has a number of its own, and each line that a worker prints holds the number that it
//! is about. `HOOKCHAIN_QUESTIONS` says how many are asked; a few thousand unless it does.
//!
//! How long questions wait beyond their deadline is printed, and bounded only where `HOOKCHAIN_OVERSHOOT_MS` says how
//! far: on a machine that does nothing else.
#![cfg(target_os = "linux")]

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fmt,
    ops::Range,
    process,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use hook_config::HookSpec;
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest};
use hook_runner::{Consultation, HookFailure, HookRunner, WorkerFailure};
use hookchain_tests::{
    Bench, Workspace,
    census::{Census, alone, assert_nobody_in, processes},
    dropped_after, worker,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

/// How many are asked unless somebody says so.
const QUESTIONS: u64 = 3000;

/// How many are under way at once.
const AT_ONCE: usize = 32;

/// What a worker has for one answer that is late now and then.
const SHORT: Duration = Duration::from_millis(200);

/// What one has that means to answer: more than a busy machine takes to start it, and a machine that does nothing else.
const AMPLE: Duration = Duration::from_secs(20);
const ENOUGH: Duration = Duration::from_secs(2);

/// No question takes so long, even on a machine that is busy with others: one that is late is ended at its deadline,
/// and nobody waits for the answer of a worker that is dead.
const LIMIT: Duration = Duration::from_secs(8);

fn said<T: FromStr>(name: &str) -> Option<T> {
    env::var(name).ok().and_then(|said| said.parse().ok())
}

fn questions() -> u64 {
    said("HOOKCHAIN_QUESTIONS").unwrap_or(QUESTIONS)
}

/// How far beyond its deadline a question may wait, where somebody answers for the machine.
fn bound() -> Option<Duration> {
    said("HOOKCHAIN_OVERSHOOT_MS").map(Duration::from_millis)
}

/// What a worker has that nobody slows down.
fn ample() -> Duration {
    if bound().is_some() { ENOUGH } else { AMPLE }
}

fn runtimes() -> [Runtime; 2] {
    let threads = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let current = Builder::new_current_thread().enable_all().build();
    [current.expect("a runtime"), threads.expect("a runtime")]
}

/// A clock that never stands still long enough for anybody to be left alone.
fn hurried() -> impl Fn() -> Instant + Send + Sync {
    let (start, moved) = (Instant::now(), AtomicU64::new(0));
    move || start + Duration::from_secs(11 * moved.fetch_add(1, Ordering::Relaxed))
}

fn bench(workspace: &Workspace, hook: HookSpec, timeout: Duration) -> Bench {
    let day = Duration::from_secs(24 * 60 * 60);
    let hook = hook.with_max_age(day).with_max_idle(day);
    Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks([hook.with_timeout(timeout)])
            .with_workers(4)
            .with_clock(hurried()),
    )
}

fn question(workspace: &Workspace, number: u64) -> HookRequest {
    let input = format!(r#"{{"n":{number}}}"#);
    let call = HookCall::new("agent-1", "shell", format!("call-{number}"), input);
    HookRequest::from_call(HookEvent::PreToolUse, workspace.path(), &call)
}

/// What came of one question.
struct Came {
    number: u64,
    /// As what it came out.
    out: String,
    /// How long it waited for a worker, and then for the end.
    queued: Duration,
    took: Duration,
}

impl Came {
    /// Its own answer, or a failure with a name.
    fn of(consultation: &Consultation, number: u64, in_all: Duration) -> Self {
        let step = &consultation.trail[0];
        let out = match (&consultation.outcome, &step.failure) {
            (HookOutcome::Modify { input, .. }, None) => {
                let own = json!({"n": number});
                assert_eq!(
                    input.value(),
                    &own,
                    "question {number} got another one's answer"
                );
                "answered".into()
            }
            // On a busy machine the pipes of a killed program may close long before its end can be seen.
            (HookOutcome::Deny(_), Some(HookFailure::Worker(WorkerFailure::Closed))) => {
                "closed".into()
            }
            (HookOutcome::Deny(_), Some(failure)) => failure.kind().to_string(),
            other => panic!("question {number} came out as {other:?}"),
        };
        Self {
            number,
            out,
            queued: step.queued,
            took: in_all.saturating_sub(step.queued),
        }
    }

    fn dropped(number: u64) -> Self {
        Self {
            number,
            out: "dropped".into(),
            queued: Duration::ZERO,
            took: Duration::ZERO,
        }
    }
}

/// What came of many.
struct Tally {
    /// How many questions came out how.
    out: BTreeMap<String, u64>,
    timeout: Duration,
    /// How far beyond its deadline each waited, the longest last.
    beyond: Vec<Duration>,
    /// How long one took at most, and as what it came out.
    longest: (Duration, String),
}

impl Tally {
    fn of(all: Vec<Came>, timeout: Duration) -> Self {
        let longest = all.iter().max_by_key(|came| came.took);
        let longest = longest.map(|came| (came.took, came.out.clone()));
        let mut out = BTreeMap::new();
        let mut beyond = Vec::with_capacity(all.len());
        for came in all {
            assert!(
                came.took < LIMIT,
                "question {} took {:?} after {:?}, and was {}",
                came.number,
                came.took,
                came.queued,
                came.out
            );
            beyond.push(came.took.saturating_sub(timeout));
            *out.entry(came.out).or_default() += 1;
        }
        beyond.sort_unstable();
        let tally = Self {
            out,
            timeout,
            beyond,
            longest: longest.unwrap_or_default(),
        };
        if let Some(bound) = bound() {
            assert!(tally.worst() <= bound, "{tally}");
        }
        tally
    }

    /// How many there were.
    fn len(&self) -> u64 {
        self.out.values().sum()
    }

    fn answered(&self) -> u64 {
        self.out.get("answered").copied().unwrap_or_default()
    }

    fn worst(&self) -> Duration {
        self.beyond.last().copied().unwrap_or_default()
    }

    /// What so many of a thousand waited at most, of those that waited beyond their deadline at all or of everybody.
    fn at(&self, per_mille: usize, late_only: bool) -> Duration {
        let on_time = self.beyond.partition_point(Duration::is_zero);
        let of = &self.beyond[if late_only { on_time } else { 0 }..];
        of.get((of.len() * per_mille / 1000).min(of.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let late = self.beyond.iter().filter(|beyond| !beyond.is_zero());
        write!(
            f,
            "{:?}; one took {:?} at most, and was {}; beyond the deadline of {:?} waited {}: worst {:?}, p99.9 {:?} of all, {:?} of those, \
             median {:?} of those",
            self.out,
            self.longest.0,
            self.longest.1,
            self.timeout,
            late.count(),
            self.worst(),
            self.at(999, false),
            self.at(999, true),
            self.at(500, true),
        )
    }
}

/// Asks one; whoever asks loses interest after so many polls.
async fn ask(runner: HookRunner, request: HookRequest, number: u64, polls: usize) -> Came {
    let since = Instant::now();
    match dropped_after(polls, runner.consult(request)).await {
        Some(consultation) => Came::of(&consultation, number, since.elapsed()),
        None => Came::dropped(number),
    }
}

/// Asks all of them, so many at once.
async fn ask_all(
    bench: &Bench,
    workspace: &Workspace,
    numbers: Range<u64>,
    polls: fn(u64) -> usize,
) -> Vec<Came> {
    let mut all = Vec::new();
    let mut running = JoinSet::new();
    for number in numbers {
        let (runner, request) = (bench.runner.clone(), question(workspace, number));
        running.spawn(ask(runner, request, number, polls(number)));
        if running.len() >= AT_ONCE {
            all.extend(running.join_next().await);
        }
    }
    while let Some(one) = running.join_next().await {
        all.push(one);
    }
    all.into_iter()
        .map(|one| one.expect("its own answer"))
        .collect()
}

/// Nobody loses interest.
fn to_the_end(_number: u64) -> usize {
    usize::MAX
}

#[test]
fn no_answer_is_given_to_another_question_whatever_workers_print() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    let workspace = Workspace::new();
    let bench = bench(&workspace, worker("unruly", &["unruly=1"]), SHORT);
    let all = questions();
    let [current, threads] = runtimes();
    let first = current.block_on(ask_all(&bench, &workspace, 0..all / 2, to_the_end));
    let second = threads.block_on(ask_all(&bench, &workspace, all / 2..all, to_the_end));
    let mut seen = BTreeSet::new();
    for (flavour, came) in [("one thread", first), ("several", second)] {
        let tally = Tally::of(came, SHORT);
        println!("on {flavour}: {tally}");
        assert_eq!(tally.len(), all / 2, "none is lost");
        assert!(tally.answered() > all / 2 * 9 / 10, "most are: {tally}");
        seen.extend(tally.out.into_keys());
    }
    // The worker draws what it does, and one half alone may lack a rare kind.
    for kind in ["timeout", "exit", "protocol", "not_an_answer"] {
        assert!(seen.contains::<str>(kind), "no {kind} in {seen:?}");
    }
    drop((current, threads));
    drop(bench);
    empty.assert_unchanged("unruly workers");
    assert_nobody_in(workspace.path());
}

/// Kills one of this process's children after the other until it is told to stop; how many it was.
fn kill_at_random(until: &AtomicBool) -> u64 {
    let own = process::id();
    let (mut killed, mut turn) = (0, 0_usize);
    while !until.load(Ordering::Relaxed) {
        let children: Vec<_> = processes()
            .into_iter()
            .filter(|one| one.parent == own && one.is_alive())
            .collect();
        turn = turn.wrapping_mul(31).wrapping_add(7);
        if let Some(child) = children.get(turn % children.len().max(1)) {
            let pid = Pid::from_raw(i32::try_from(child.id).expect("an id")).expect("an id");
            killed += u64::from(kill_process(pid, Signal::KILL).is_ok());
        }
        thread::yield_now();
    }
    killed
}

#[test]
fn a_question_whose_worker_is_killed_is_answered_or_fails_by_name() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    let all = questions();
    for runtime in runtimes() {
        let workspace = Workspace::new();
        let bench = bench(&workspace, worker("nonce", &["repeat=line nonce"]), ample());
        let stop = Arc::new(AtomicBool::new(false));
        let hunter = thread::spawn({
            let stop = Arc::clone(&stop);
            move || kill_at_random(&stop)
        });
        let came = runtime.block_on(ask_all(&bench, &workspace, 0..all, to_the_end));
        stop.store(true, Ordering::Relaxed);
        let killed = hunter.join().expect("no panic");
        let tally = Tally::of(came, ample());
        println!("{killed} were killed: {tally}");
        assert_eq!(tally.len(), all, "none is lost");
        assert!(
            killed > 10 && tally.answered() > 0,
            "{killed} were killed: {tally}"
        );
        let named = ["answered", "closed", "signal"];
        let mut kinds = tally.out.keys();
        assert!(kinds.all(|kind| named.contains(&kind.as_str())), "{tally}");
        drop(runtime);
        drop(bench);
        assert_nobody_in(workspace.path());
    }
    empty.assert_unchanged("the killing");
}

#[test]
fn a_question_that_is_dropped_harms_no_other() {
    let _alone = alone();
    let every_third = |number: u64| {
        if number.is_multiple_of(3) {
            usize::try_from(number % 17).expect("a count")
        } else {
            usize::MAX
        }
    };
    for runtime in runtimes() {
        let workspace = Workspace::new();
        let bench = bench(&workspace, worker("nonce", &["repeat=line nonce"]), ample());
        let all = questions() / 3;
        let came = runtime.block_on(ask_all(&bench, &workspace, 0..all, every_third));
        let tally = Tally::of(came, ample());
        println!("{tally}");
        assert_eq!(tally.len(), all, "none is lost");
        let named: Vec<_> = tally.out.keys().map(String::as_str).collect();
        assert_eq!(named, ["answered", "dropped"], "{:?}", bench.reports());
        assert_eq!(bench.reports(), Vec::<String>::new());
    }
}
