//! What is left after a consultation that went wrong at an odd place: nothing.
#![cfg(target_os = "linux")]

use std::{
    fs::{self, OpenOptions},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use hook_config::HookSpec;
use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
use hook_runner::{FailureKind, HookFailure, HookRunner};
use hookchain_tests::{
    Bench, PATIENCE, Workspace, before,
    census::{Census, alone, assert_gone},
    denial, dropped_after, fake, fake_hook, in_time,
};
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    let built = Builder::new_current_thread().enable_all().build();
    built.expect("a runtime")
}

/// How many are being asked at this moment, and how many have been.
#[derive(Debug, Default)]
struct Count {
    now: AtomicUsize,
    ever: AtomicUsize,
}

struct Asked(Arc<Count>);

impl Asked {
    fn new(count: &Arc<Count>) -> Self {
        count.now.fetch_add(1, Ordering::Relaxed);
        count.ever.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Gives way to others several times before it agrees.
struct Hesitant(Arc<Count>);

#[async_trait]
impl Interceptor for Hesitant {
    fn name(&self) -> &str {
        "hesitant"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        let _asked = Asked::new(&self.0);
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        Ok(HookOutcome::Allow)
    }
}

#[test]
fn at_every_await_of_a_mixed_chain_everybody_who_is_asked_is_dropped() {
    let _alone = alone();
    let runtime = runtime();
    let workspace = Workspace::new();
    let count = Arc::new(Count::default());
    let builder = HookRunner::builder(workspace.path())
        .with_interceptor(Hesitant(Arc::clone(&count)))
        .with_interceptor(Hesitant(Arc::clone(&count)))
        .with_budget(PATIENCE)
        .with_hooks([
            fake("a", &["read", "flood-err=200000", "echo"]),
            fake("b", &["read", "allow"]),
        ]);
    let bench = Bench::of(builder);
    runtime.block_on(bench.decide("{}"));
    let empty = Census::take();
    let mut polls = 0;
    loop {
        let asked = bench.runner.consult(before(&workspace, "{}"));
        let done = runtime.block_on(in_time(dropped_after(polls, asked)));
        assert_eq!(count.now.load(Ordering::Relaxed), 0, "after {polls} polls");
        empty.assert_unchanged(&format!("{polls} polls"));
        if let Some(consultation) = done {
            // Both interceptors are asked again about what the first hook rewrote.
            assert_eq!(consultation.trail.len(), 6);
            break;
        }
        polls += 1;
    }
    assert!(
        polls > 13,
        "each interceptor alone gives way three times in each pass: {polls}"
    );
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[test]
fn whoever_is_dropped_in_the_queue_takes_no_place_from_the_others() {
    let _alone = alone();
    let runtime = runtime();
    let workspace = Workspace::new();
    let stuck = fake("stuck", &["mark=stuck", "hang"]).with_tools(["slow"]);
    let quick = fake("quick", &["read", "allow"]).with_tools(["shell"]);
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([stuck, quick])
        .with_max_programs(1);
    let bench = Bench::of(builder);
    runtime.block_on(bench.decide("{}"));
    let empty = Census::take();
    runtime.block_on(async {
        let mut slow = before(&workspace, "{}");
        slow.tool_name = "slow".into();
        let holder = tokio::spawn({
            let runner = bench.runner.clone();
            async move { runner.consult(slow).await }
        });
        while !workspace.has("stuck") {
            tokio::task::yield_now().await;
        }
        for _ in 0..3 {
            let queued = bench.runner.consult(before(&workspace, "{}"));
            let done = dropped_after(1, queued).await;
            assert!(done.is_none(), "the only place is taken");
        }
        // One that waits on gets the place when its holder is dropped.
        let waiting = tokio::spawn({
            let bench = bench.clone();
            async move { bench.decide("{}").await }
        });
        tokio::task::yield_now().await;
        holder.abort();
        assert!(holder.await.is_err(), "it was dropped");
        assert_eq!(
            in_time(waiting).await.expect("no panic"),
            HookOutcome::Allow
        );
        assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    });
    assert_gone(&workspace.lines("stuck").concat());
    empty.assert_unchanged("the queue");
}

#[test]
fn whoever_waits_for_a_program_that_is_being_written_can_be_dropped() {
    let _alone = alone();
    let runtime = runtime();
    let workspace = Workspace::new();
    let path = workspace.path().join("guard");
    fs::copy(fake_hook(), &path).expect("a copy");
    let hook = HookSpec::new("guard", ["./guard", "read", "allow"]).with_timeout(PATIENCE);
    let bench = Bench::new(&workspace, [hook]);
    assert_eq!(runtime.block_on(bench.decide("{}")), HookOutcome::Allow);
    let empty = Census::take();
    let writer = OpenOptions::new().append(true).open(&path);
    let writer = writer.expect("a writer");
    for polls in 0..5 {
        let asked = bench.runner.consult(before(&workspace, "{}"));
        let done = runtime.block_on(in_time(dropped_after(polls, asked)));
        assert!(done.is_none(), "it is being written");
    }
    drop(writer);
    empty.assert_unchanged("a program that is being written");
    assert_eq!(runtime.block_on(bench.decide("{}")), HookOutcome::Allow);
}

#[test]
fn a_program_may_end_while_its_input_is_still_being_written() {
    let _alone = alone();
    let runtime = runtime();
    let workspace = Workspace::new();
    let input = format!(r#"{{"text":"{}"}}"#, "x".repeat(5 << 20));
    runtime.block_on(Bench::new(&workspace, [fake("first", &["allow"])]).decide("{}"));
    let empty = Census::take();
    for bytes in [0, 1, 4096, 65_536, 65_537, 1 << 20, (1 << 20) + 1, 3 << 20] {
        let read = format!("read={bytes}");
        let endings: [(&[&str], Option<FailureKind>); 4] = [
            (&["allow"], None),
            (&["allow", "close=0"], None),
            (&["allow", "exit=3"], Some(FailureKind::Exit)),
            (&["allow", "signal=9"], Some(FailureKind::Signal)),
        ];
        for (ending, failure) in endings {
            let steps = [&[read.as_str()], ending].concat();
            let bench = Bench::new(&workspace, [fake("brief", &steps)]);
            let consultation = runtime.block_on(bench.consult(before(&workspace, &input)));
            let step = &consultation.trail[0];
            let came = step.failure.as_ref().map(HookFailure::kind);
            assert_eq!(came, failure, "{steps:?}");
            assert!(
                step.bytes_sent >= bytes && step.bytes_sent < input.len(),
                "{steps:?}"
            );
            empty.assert_unchanged(&format!("{steps:?}"));
        }
    }
}

#[test]
fn a_command_or_an_environment_that_is_too_large_is_explained_and_leaves_nothing() {
    let _alone = alone();
    let runtime = runtime();
    let workspace = Workspace::new();
    runtime.block_on(Bench::new(&workspace, [fake("first", &["allow"])]).decide("{}"));
    let empty = Census::take();
    let hook = || fake("guard", &["read", "allow"]);
    let builder = || HookRunner::builder(workspace.path());
    // The system limits one variable or word, and all of them together.
    let one = builder()
        .with_hooks([hook()])
        .with_env("BIG", "x".repeat(3 << 20));
    let all = (0..200).fold(builder().with_hooks([hook()]), |builder, number| {
        builder.with_env(format!("BIG_{number}"), "x".repeat(100_000))
    });
    let long = "x".repeat(3 << 20);
    let wordy = fake("guard", &["read", "allow", &long]);
    for builder in [one, all, builder().with_hooks([wordy])] {
        let outcome = runtime.block_on(Bench::of(builder).decide("{}"));
        let said = "denied, because hook 'guard' could not be started: the command and its environment are larger than \
                    the system allows";
        assert_eq!(denial(&outcome), said);
        empty.assert_unchanged("a start that failed");
    }
    let outcome = runtime.block_on(Bench::of(builder().with_hooks([hook()])).decide("{}"));
    assert_eq!(outcome, HookOutcome::Allow);
}
