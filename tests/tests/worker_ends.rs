//! When workers end: nothing of them outlives the runner, whoever drops what and where.
#![cfg(target_os = "linux")]

use std::{
    fs,
    time::{Duration, Instant},
};

use hook_config::{HookMode, HookSpec};
use hook_contract::HookOutcome;
use hook_runner::{Decision, HookRunner};
use hookchain_tests::{
    Bench, Workspace, before,
    census::{Census, alone, assert_gone, assert_nobody_in, is_alive, is_nobody_in},
    dropped_after, in_time, worker,
};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

fn runtimes() -> [Runtime; 2] {
    let threads = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let current = Builder::new_current_thread().enable_all().build();
    [current.expect("a runtime"), threads.expect("a runtime")]
}

/// Says goodbye when its input ends, which takes it a moment.
fn polite(workspace: &Workspace) -> HookSpec {
    let text = "#!/bin/sh\necho $$ >>pids\nwhile read -r call; do echo '{\"decision\":\"allow\"}'; done\necho >>bye\n";
    workspace.write("polite.sh", text, 0o755);
    HookSpec::new("polite", ["./polite.sh"]).with_mode(HookMode::Worker)
}

/// Goes on when its input ends, and so does what it has started.
fn stubborn() -> HookSpec {
    worker(
        "stubborn",
        &[
            "mark=pids",
            "spawn-holding=mark=pids ignore-term hang",
            "wait-for=pids:2",
            "line",
            "allow",
            "ignore-term",
            "hang",
        ],
    )
}

/// One of the two: an array of both would keep the other's descriptors open.
fn runtime(flavour: usize) -> Runtime {
    runtimes().into_iter().nth(flavour).expect("a runtime")
}

async fn until(is_so: impl Fn() -> bool) {
    let look = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    in_time(look).await;
}

fn assert_all_gone(workspace: &Workspace) {
    for pid in workspace.lines("pids") {
        assert_gone(&pid);
    }
    assert_nobody_in(workspace.path());
}

#[test]
fn a_runner_that_is_dropped_outside_a_runtime_waits_for_its_workers() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    for flavour in 0..2 {
        let runtime = runtime(flavour);
        let workspace = Workspace::new();
        let bench = Bench::of(
            HookRunner::builder(workspace.path())
                .with_hooks([polite(&workspace), polite(&workspace)])
                .with_workers(2),
        );
        runtime.block_on(async {
            in_time(bench.runner.warm_up()).await;
            assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
        });
        drop(runtime);
        let clone = bench.clone();
        drop(bench);
        assert_eq!(clone.runner.workspace(), workspace.path());
        drop(clone);
        assert_eq!(workspace.lines("bye").len(), 4, "they had the time");
        empty.assert_unchanged("the drop");
    }
}

#[test]
fn a_worker_that_goes_on_is_killed_with_its_group_wherever_the_runner_is_dropped() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    let ways: [fn(&Runtime, Bench); 4] = [
        |_, bench| drop(bench),
        |runtime, bench| runtime.block_on(async { in_time(bench.runner.shutdown()).await }),
        // Nobody runs the task that sees to it, and the runtime ends.
        |runtime, bench| runtime.block_on(async { drop(bench) }),
        |runtime, bench| {
            // A task of this runtime kills them after their second.
            let workspace = bench.runner.workspace().to_owned();
            runtime.block_on(async {
                drop(bench);
                until(|| is_nobody_in(&workspace)).await;
            });
        },
    ];
    for way in ways {
        for flavour in 0..2 {
            let runtime = runtime(flavour);
            let workspace = Workspace::new();
            let bench = Bench::new(&workspace, [stubborn()]);
            assert_eq!(runtime.block_on(bench.decide("{}")), HookOutcome::Allow);
            let since = Instant::now();
            way(&runtime, bench);
            drop(runtime);
            assert!(
                since.elapsed() < Duration::from_secs(5),
                "a second is what they get"
            );
            assert_eq!(workspace.lines("pids").len(), 2);
            assert_all_gone(&workspace);
            empty.assert_unchanged("the drop");
        }
    }
}

#[test]
fn a_runner_that_is_dropped_in_a_runtime_gives_its_workers_time() {
    let _alone = alone();
    for runtime in runtimes() {
        let workspace = Workspace::new();
        let bench = Bench::new(&workspace, [polite(&workspace)]);
        runtime.block_on(async {
            assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
            drop(bench);
            until(|| !workspace.lines("bye").is_empty()).await;
        });
        assert_all_gone(&workspace);
    }
}

#[test]
fn a_shutdown_lets_workers_answer_first_and_the_runner_can_be_used_again() {
    let _alone = alone();
    runtime(0).block_on(shut_down_and_go_on());
}

async fn shut_down_and_go_on() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line mark=asked wait-for=go allow"];
    let bench = Bench::new(&workspace, [worker("guard", &steps), polite(&workspace)]);
    let asked = bench.decide("{}");
    let shutdown = async {
        until(|| workspace.has("asked")).await;
        let shutdown = in_time(bench.runner.shutdown());
        let go = async { workspace.write("go", "now\n", 0o644) };
        tokio::join!(shutdown, go)
    };
    let (outcome, _) = tokio::join!(asked, shutdown);
    assert_eq!(outcome, HookOutcome::Allow, "{:?}", bench.reports());
    // The second worker may have been asked before the shutdown or after it.
    in_time(bench.runner.shutdown()).await;
    let before_that = workspace.lines("pids");
    assert_all_gone(&workspace);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    assert_eq!(workspace.lines("pids").len(), before_that.len() + 2);
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[test]
fn a_shutdown_that_is_dropped_leaves_nothing_behind_the_runner() {
    let _alone = alone();
    let [runtime, _] = runtimes();
    let workspace = Workspace::new();
    let first = Bench::new(&workspace, [polite(&workspace)]);
    assert_eq!(runtime.block_on(first.decide("{}")), HookOutcome::Allow);
    runtime.block_on(in_time(first.runner.shutdown()));
    assert_all_gone(&workspace);
    let empty = Census::take();
    for polls in 0..3 {
        let workspace = Workspace::new();
        let bench = Bench::new(&workspace, [stubborn()]);
        assert_eq!(runtime.block_on(bench.decide("{}")), HookOutcome::Allow);
        let done = runtime.block_on(dropped_after(polls, bench.runner.shutdown()));
        assert!(done.is_none(), "it does not end by itself");
        drop(bench);
        assert_all_gone(&workspace);
        empty.assert_unchanged("the drop");
    }
}

/// One question in that runtime, and who answered it.
fn ask(runtime: &Runtime, bench: &Bench, workspace: &Workspace, number: u32) -> u64 {
    let request = before(workspace, &format!(r#"{{"n":{number}}}"#));
    let consultation = runtime.block_on(bench.consult(request));
    let HookOutcome::Modify { input, .. } = &consultation.outcome else {
        panic!("it answers: {:?}", bench.reports());
    };
    assert_eq!(input.value(), &json!({"n": number}));
    consultation.trail[0].worker.expect("a worker").answered
}

#[test]
fn a_worker_may_be_asked_from_one_runtime_after_the_other() {
    let _alone = alone();
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker("nonce", &["mark=pids", "repeat=line nonce"])],
    );
    let mut number = 0;
    let mut expect = |runtime: &Runtime, bench: &Bench| {
        number += 1;
        assert_eq!(ask(runtime, bench, &workspace, number), u64::from(number));
    };
    // By turns while both live, then in those that come after both are gone.
    let [current, threads] = runtimes();
    for _ in 0..5 {
        expect(&current, &bench);
        expect(&threads, &bench);
        expect(&threads, &bench);
    }
    drop((current, threads));
    for _ in 0..3 {
        for runtime in runtimes() {
            expect(&runtime, &bench);
            expect(&runtime, &bench);
        }
    }
    let pids = workspace.lines("pids");
    assert_eq!(pids.len(), 1);
    assert!(is_alive(&pids[0]));
    drop(bench);
    assert_all_gone(&workspace);
}

#[test]
fn a_worker_may_be_asked_from_two_runtimes_at_once() {
    let _alone = alone();
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line nonce"];
    let bench = Bench::new(&workspace, [worker("nonce", &steps)]);
    let ask_many = |flavour: usize| {
        let runtime = runtime(flavour);
        for number in 0..200 {
            let number = u32::try_from(flavour * 1000 + number).expect("a number");
            ask(&runtime, &bench, &workspace, number);
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(|| ask_many(0));
        threads.spawn(|| ask_many(1));
    });
    assert_eq!(workspace.lines("pids").len(), 1);
}

/// Drops a question after so many polls, once with a new process, once with one that has answered;
/// whether it was answered by then. The next question gets its own answer in any case.
fn drop_after(polls: usize, runtime: &Runtime, bench: &Bench, workspace: &Workspace) -> bool {
    let empty = Census::take();
    let mut is_answered = false;
    for warm in [false, true] {
        let number = u32::try_from(2 * polls + usize::from(warm)).expect("a number");
        if warm {
            ask(runtime, bench, workspace, 1_000_000 + number);
        }
        let request = before(workspace, &format!(r#"{{"n":{number}}}"#));
        let asked = bench.runner.consult(request);
        let done = runtime.block_on(in_time(dropped_after(polls, asked)));
        is_answered = done.is_some();
        ask(runtime, bench, workspace, 2_000_000 + number);
        runtime.block_on(in_time(bench.runner.shutdown()));
        empty.assert_unchanged(&format!("{polls} polls, warm: {warm}"));
    }
    is_answered
}

#[test]
fn a_question_that_is_dropped_takes_its_worker_with_it_and_no_other_gets_its_answer() {
    let _alone = alone();
    for runtime in runtimes() {
        let workspace = Workspace::new();
        // The answer comes after a flood of errors, so that there is something to be polled for.
        let steps = ["repeat=line flood-err=100000 nonce"];
        let bench = Bench::new(&workspace, [worker("nonce", &steps)]);
        ask(&runtime, &bench, &workspace, 0);
        runtime.block_on(in_time(bench.runner.shutdown()));
        let answered = (0..500).find(|polls| drop_after(*polls, &runtime, &bench, &workspace));
        assert!(answered.is_some_and(|polls| polls > 1), "{answered:?}");
        assert_nobody_in(workspace.path());
        assert_eq!(bench.reports(), Vec::<String>::new());
    }
}

#[test]
fn whoever_is_dropped_while_waiting_for_a_worker_leaves_it_alone() {
    let _alone = alone();
    let [runtime, _] = runtimes();
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line mark=asked wait-for=go nonce"];
    let bench = Bench::new(&workspace, [worker("nonce", &steps)]);
    runtime.block_on(async {
        let first = {
            let (bench, request) = (bench.clone(), before(&workspace, r#"{"n":1}"#));
            tokio::spawn(async move { bench.consult(request).await })
        };
        until(|| workspace.has("asked")).await;
        for _ in 0..3 {
            let waiting = bench.runner.consult(before(&workspace, r#"{"n":2}"#));
            assert!(dropped_after(1, waiting).await.is_none());
        }
        workspace.write("go", "now\n", 0o644);
        let first = in_time(first).await.expect("no panic");
        assert_eq!(first.trail[0].decision, Some(Decision::Modify));
    });
    assert_eq!(ask(&runtime, &bench, &workspace, 3), 2);
    assert_eq!(workspace.lines("pids").len(), 1);
}

#[test]
fn a_runtime_that_is_shut_down_in_the_middle_of_a_question_leaves_nothing() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    for flavour in 0..2 {
        let runtime = runtime(flavour);
        let workspace = Workspace::new();
        let steps = [
            "mark=pids",
            "spawn-holding=mark=pids hang",
            "line",
            "mark=asked",
            "hang",
        ];
        let bench = Bench::of(
            HookRunner::builder(workspace.path())
                .with_hooks([worker("stuck", &steps)])
                .with_workers(3),
        );
        for _ in 0..5 {
            let (bench, request) = (bench.clone(), before(&workspace, "{}"));
            drop(runtime.spawn(async move { bench.runner.consult(request).await }));
        }
        let all = || workspace.lines("asked").len() == 3 && workspace.lines("pids").len() == 6;
        runtime.block_on(until(all));
        drop(runtime);
        assert_eq!(workspace.lines("pids").len(), 6);
        assert_all_gone(&workspace);
        drop(bench);
        empty.assert_unchanged("the end of the runtime");
    }
}

#[test]
fn the_last_runner_may_go_with_its_runtime() {
    let _alone = alone();
    drop(runtimes());
    let empty = Census::take();
    for flavour in 0..2 {
        let runtime = runtime(flavour);
        let workspace = Workspace::new();
        let bench = Bench::new(&workspace, [stubborn()]);
        let asked = before(&workspace, "{}");
        let task = runtime.spawn(async move {
            let consultation = bench.consult(asked).await;
            assert_eq!(consultation.outcome, HookOutcome::Allow);
            fs::write(consultation_done(&bench), "").expect("written");
            std::future::pending::<()>().await;
        });
        runtime.block_on(until(|| workspace.has("done")));
        drop(task);
        drop(runtime);
        assert_all_gone(&workspace);
        empty.assert_unchanged("the end of the runtime");
    }
}

fn consultation_done(bench: &Bench) -> std::path::PathBuf {
    bench.runner.workspace().join("done")
}
