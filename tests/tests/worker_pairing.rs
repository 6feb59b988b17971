//! No answer is ever given to another question, and no question is lost, whatever workers do and
//! whoever kills them.
//!
//! Each question has a number of its own, and each line that a worker prints holds the number that it
//! is about. `HOOKCHAIN_QUESTIONS` says how many are asked; a few thousand unless it does.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeMap,
    env,
    ops::Range,
    process,
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

/// What one has that means to answer: more than a busy machine takes to start it.
const AMPLE: Duration = Duration::from_secs(20);

/// No question takes so long, even on a machine that is busy with others: one that is late is ended at its deadline,
/// and nobody waits for the answer of a worker that is dead.
const LIMIT: Duration = Duration::from_secs(8);

fn questions() -> u64 {
    let said = env::var("HOOKCHAIN_QUESTIONS").ok();
    said.and_then(|said| said.parse().ok()).unwrap_or(QUESTIONS)
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

/// How many questions came out how.
type Tally = BTreeMap<String, u64>;

/// What came of one question: its own answer, or a failure with a name.
fn outcome_of(consultation: &Consultation, number: u64, took: Duration) -> String {
    let step = &consultation.trail[0];
    let took = took.saturating_sub(step.queued);
    assert!(took < LIMIT, "question {number} took {took:?}");
    match (&consultation.outcome, &step.failure) {
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
        (HookOutcome::Deny(_), Some(HookFailure::Worker(WorkerFailure::Closed))) => "closed".into(),
        (HookOutcome::Deny(_), Some(failure)) => failure.kind().to_string(),
        other => panic!("question {number} came out as {other:?}"),
    }
}

/// Asks one; whoever asks loses interest after so many polls.
async fn ask(runner: HookRunner, request: HookRequest, number: u64, polls: usize) -> String {
    let since = Instant::now();
    match dropped_after(polls, runner.consult(request)).await {
        Some(consultation) => outcome_of(&consultation, number, since.elapsed()),
        None => "dropped".into(),
    }
}

/// Asks all of them, so many at once.
async fn ask_all(
    bench: &Bench,
    workspace: &Workspace,
    numbers: Range<u64>,
    polls: fn(u64) -> usize,
) -> Tally {
    let mut tally = Tally::new();
    let mut running = JoinSet::new();
    for number in numbers {
        let (runner, request) = (bench.runner.clone(), question(workspace, number));
        running.spawn(ask(runner, request, number, polls(number)));
        if running.len() >= AT_ONCE {
            count(&mut tally, running.join_next().await);
        }
    }
    while let Some(one) = running.join_next().await {
        count(&mut tally, Some(one));
    }
    tally
}

/// Nobody loses interest.
fn to_the_end(_number: u64) -> usize {
    usize::MAX
}

fn count(tally: &mut Tally, one: Option<Result<String, tokio::task::JoinError>>) {
    if let Some(one) = one {
        *tally.entry(one.expect("its own answer")).or_default() += 1;
    }
}

fn answered(tally: &Tally) -> u64 {
    tally.get("answered").copied().unwrap_or_default()
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
    let tally = current.block_on(ask_all(&bench, &workspace, 0..all / 2, to_the_end));
    let more = threads.block_on(ask_all(&bench, &workspace, all / 2..all, to_the_end));
    println!("on one thread: {tally:?}\non several: {more:?}");
    for tally in [tally, more] {
        assert_eq!(tally.values().sum::<u64>(), all / 2, "none is lost");
        assert!(
            answered(&tally) > all / 2 * 9 / 10,
            "most are answered: {tally:?}"
        );
        for kind in ["timeout", "exit", "protocol", "not_an_answer"] {
            assert!(tally.contains_key(kind), "no {kind} in {tally:?}");
        }
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
        let bench = bench(&workspace, worker("nonce", &["repeat=line nonce"]), AMPLE);
        let stop = Arc::new(AtomicBool::new(false));
        let hunter = thread::spawn({
            let stop = Arc::clone(&stop);
            move || kill_at_random(&stop)
        });
        let tally = runtime.block_on(ask_all(&bench, &workspace, 0..all, to_the_end));
        stop.store(true, Ordering::Relaxed);
        let killed = hunter.join().expect("no panic");
        println!("{killed} were killed: {tally:?}");
        assert_eq!(tally.values().sum::<u64>(), all, "none is lost");
        assert!(
            killed > 10 && answered(&tally) > 0,
            "{killed} were killed: {tally:?}"
        );
        let named = ["answered", "closed", "signal"];
        assert!(
            tally.keys().all(|kind| named.contains(&kind.as_str())),
            "{tally:?}"
        );
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
        let bench = bench(&workspace, worker("nonce", &["repeat=line nonce"]), AMPLE);
        let all = questions() / 3;
        let tally = runtime.block_on(ask_all(&bench, &workspace, 0..all, every_third));
        println!("{tally:?}");
        assert_eq!(tally.values().sum::<u64>(), all, "none is lost");
        let named: Vec<_> = tally.keys().map(String::as_str).collect();
        assert_eq!(named, ["answered", "dropped"], "{:?}", bench.reports());
        assert_eq!(bench.reports(), Vec::<String>::new());
    }
}
