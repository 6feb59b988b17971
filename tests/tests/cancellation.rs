//! Dropping a consultation at any point leaves nothing: no process, no zombie, no descriptor.
#![cfg(target_os = "linux")]

use std::time::Duration;

use hook_config::HookSpec;
use hookchain_tests::{
    Bench, Workspace, before,
    census::{Census, alone, assert_gone, assert_nobody_in},
    dropped_after, fake, in_time,
};
use tokio::runtime::{Builder, Runtime};

fn runtimes() -> [(&'static str, Runtime); 2] {
    let threads = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let current = Builder::new_current_thread().enable_all().build();
    [
        ("current_thread", current.expect("a runtime")),
        ("multi_thread", threads.expect("a runtime")),
    ]
}

/// Hooks that take several turns of the runtime, each for another reason.
fn hooks() -> Vec<(&'static str, Vec<HookSpec>, String)> {
    let big = format!(r#"{{"text":"{}"}}"#, "x".repeat(2 << 20));
    let small = || "{}".to_owned();
    vec![
        ("an allow", vec![fake("a", &["read", "allow"])], small()),
        (
            "two hooks",
            vec![fake("a", &["read", "allow"]), fake("b", &["read", "allow"])],
            small(),
        ),
        (
            "a big input",
            vec![fake("a", &["read", "echo"])],
            big.clone(),
        ),
        (
            "an unread input",
            vec![fake("a", &["flood-err=100000", "allow"])],
            big,
        ),
        (
            "a drip",
            vec![fake(
                "a",
                &["read", "drip=7b226465636973696f6e223a2264656e79227d"],
            )],
            small(),
        ),
        (
            "a flood of errors",
            vec![fake("a", &["flood-err=3000000", "allow"])],
            small(),
        ),
        (
            "a held pipe",
            vec![fake(
                "a",
                &["spawn-holding=mark=child hang", "wait-for=child", "allow"],
            )],
            small(),
        ),
        (
            "a hook that hangs",
            vec![fake("a", &["mark=a", "hang"]).with_timeout(Duration::from_millis(200))],
            small(),
        ),
        (
            "a start that fails",
            vec![HookSpec::new("a", ["./absent"])],
            small(),
        ),
    ]
}

/// Drops the consultation after no poll, one, two, and so on until it is done before that.
fn drop_at_every_point(
    runtime: &Runtime,
    bench: &Bench,
    workspace: &Workspace,
    input: &str,
    what: &str,
) {
    // What the runtime itself opens when it is first used is not the consultation's.
    runtime.block_on(bench.consult(before(workspace, "{}")));
    let empty = Census::take();
    for polls in 0..40 {
        let asked = bench.runner.consult(before(workspace, input));
        let done = runtime
            .block_on(in_time(dropped_after(polls, asked)))
            .is_some();
        empty.assert_unchanged(&format!("{what}, dropped after {polls} polls"));
        if done {
            break;
        }
    }
    assert_nobody_in(workspace.path());
}

#[test]
fn a_consultation_dropped_after_any_number_of_polls_leaves_nothing() {
    let _alone = alone();
    for (flavour, runtime) in runtimes() {
        for (what, hooks, input) in hooks() {
            let workspace = Workspace::new();
            let bench = Bench::new(&workspace, hooks);
            let what = format!("{what} on {flavour}");
            drop_at_every_point(&runtime, &bench, &workspace, &input, &what);
        }
    }
}

#[test]
fn a_consultation_dropped_while_a_program_runs_takes_its_whole_group_with_it() {
    let _alone = alone();
    for (flavour, runtime) in runtimes() {
        let workspace = Workspace::new();
        let steps = [
            "ignore-term",
            "spawn-holding=ignore-term mark=child hang",
            "wait-for=child",
            "mark=self",
            "stop",
        ];
        let bench = Bench::new(&workspace, [fake("a", &steps)]);
        runtime.block_on(Bench::new(&workspace, [fake("a", &["allow"])]).decide("{}"));
        let empty = Census::take();
        runtime.block_on(async {
            tokio::select! {
                biased;
                outcome = bench.decide("{}") => panic!("it does not end: {outcome:?}"),
                () = marked(&workspace, "self") => {}
            }
        });
        empty.assert_unchanged(flavour);
        assert_gone(&workspace.lines("self").concat());
        assert_gone(&workspace.lines("child").concat());
    }
}

async fn marked(workspace: &Workspace, name: &str) {
    let look = async {
        while workspace.lines(name).is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    in_time(look).await;
}

#[test]
fn a_runtime_that_is_shut_down_in_the_middle_takes_the_programs_with_it() {
    let _alone = alone();
    // The first runtime of a process opens descriptors that tokio keeps for good.
    drop(runtimes());
    for flavour in 0..2 {
        let empty = Census::take();
        let (flavour, runtime) = runtimes().into_iter().nth(flavour).expect("a runtime");
        let workspace = Workspace::new();
        let steps = [
            "spawn-holding=mark=child hang",
            "wait-for=child",
            "mark=self",
            "hang",
        ];
        let bench = Bench::new(&workspace, [fake("a", &steps)]);
        for _ in 0..3 {
            let (bench, request) = (bench.clone(), before(&workspace, "{}"));
            let task = async move { bench.runner.consult(request).await };
            drop(runtime.spawn(task));
        }
        runtime.block_on(async {
            while workspace.lines("self").len() < 3 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        drop(runtime);
        for id in workspace
            .lines("self")
            .iter()
            .chain(&workspace.lines("child"))
        {
            assert_gone(id);
        }
        assert_nobody_in(workspace.path());
        empty.assert_unchanged(flavour);
    }
}

/// Asks many at once and drops every other one after another number of polls.
async fn ask_many_and_drop_half(bench: &Bench, workspace: &Workspace) {
    let tasks: Vec<_> = (0..24)
        .map(|number| {
            let (bench, request) = (bench.clone(), before(workspace, "{}"));
            let polls = if number % 2 == 0 { usize::MAX } else { number };
            tokio::spawn(async move {
                in_time(Box::pin(dropped_after(polls, bench.consult(request)))).await
            })
        })
        .collect();
    for task in tasks {
        in_time(task).await.expect("no panic");
    }
}

#[test]
fn many_consultations_at_once_leave_nothing_when_half_of_them_are_dropped() {
    let _alone = alone();
    for (flavour, runtime) in runtimes() {
        let workspace = Workspace::new();
        let hook = fake("a", &["read", "flood-err=200000", "allow"]);
        let bench = Bench::new(&workspace, [hook]);
        runtime.block_on(bench.decide("{}"));
        let empty = Census::take();
        runtime.block_on(ask_many_and_drop_half(&bench, &workspace));
        empty.assert_unchanged(flavour);
    }
}
