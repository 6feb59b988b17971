//! Workers that misbehave when nobody asks them, several at once, and in ways that nobody would by accident.
#![cfg(target_os = "linux")]

use std::{
    collections::HashMap,
    fs,
    time::{Duration, Instant},
};

use hook_config::{HookMode, HookSpec};
use hook_contract::HookOutcome;
use hook_runner::{Consultation, FailureKind, HookFailure, HookRunner};
use hookchain_tests::{
    Bench, Workspace, before,
    census::{assert_gone, assert_nobody_in, is_alive},
    fake_hook, in_time, worker,
};

/// Long enough to see that a worker will not answer, and no longer.
const SHORT: Duration = Duration::from_millis(400);

fn pids(workspace: &Workspace) -> Vec<String> {
    workspace.lines("pids")
}

async fn until(is_so: impl Fn() -> bool) {
    in_time(async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}

async fn ask(bench: &Bench, workspace: &Workspace) -> Consultation {
    bench.consult(before(workspace, "{}")).await
}

fn failure(consultation: &Consultation) -> Option<FailureKind> {
    let failure = consultation.trail[0].failure.as_ref();
    failure.map(HookFailure::kind)
}

/// So many questions at once, and what came of them.
async fn ask_at_once(bench: &Bench, workspace: &Workspace, count: usize) -> Vec<Consultation> {
    let asked = (0..count).map(|_| {
        let (runner, request) = (bench.runner.clone(), before(workspace, "{}"));
        tokio::spawn(async move { runner.consult(request).await })
    });
    let asked: Vec<_> = asked.collect();
    in_time(async {
        let mut all = Vec::new();
        for one in asked {
            all.push(one.await.expect("no panic"));
        }
        all
    })
    .await
}

/// A worker that answers one question and then, before it is asked the next, does this; what comes of the next question,
/// and that each question after such a one is answered again.
async fn when_idle(steps: &[&str], ends: bool, expected: Option<FailureKind>) {
    let workspace = Workspace::new();
    let mut all = vec!["mark=pids", "line", "allow", "wait-for=idle"];
    all.extend(steps);
    let bench = Bench::new(&workspace, [worker("guard", &all).with_timeout(SHORT)]);
    for round in 1..=3 {
        let _gone = fs::remove_file(workspace.path().join("idle"));
        let first = ask(&bench, &workspace).await;
        assert_eq!(first.outcome, HookOutcome::Allow, "{:?}", bench.reports());
        workspace.write("idle", "now\n", 0o644);
        let last = || pids(&workspace).pop().expect("one was started");
        if ends {
            until(|| !is_alive(&last())).await;
        } else {
            until(|| workspace.lines("done").len() == round).await;
        }
        let second = ask(&bench, &workspace).await;
        assert_eq!(
            failure(&second),
            expected,
            "{steps:?} {:?}",
            bench.reports()
        );
        if expected.is_none() {
            assert_eq!(second.outcome, HookOutcome::Allow);
            assert_eq!(second.notes.len(), 1, "{:?}", second.notes);
            // The one that answered it ends as well, before the next round.
            until(|| !is_alive(&last())).await;
        }
    }
    in_time(bench.runner.shutdown()).await;
    for pid in pids(&workspace) {
        assert_gone(&pid);
    }
    assert_nobody_in(workspace.path());
}

#[tokio::test]
async fn one_that_ends_while_nobody_asks_it_fails_nobody() {
    when_idle(&["exit=0"], true, None).await;
    when_idle(&["exit=3"], true, None).await;
    when_idle(&["signal=9"], true, None).await;
    // What holds its pipes goes with it, and does not read the next question in its place.
    when_idle(&["spawn-holding=ignore-term~hang", "exit=0"], true, None).await;
}

#[tokio::test]
async fn one_that_goes_wrong_while_nobody_asks_it_fails_the_next_question_and_no_other() {
    let protocol = Some(FailureKind::Protocol);
    when_idle(&["close=1", "mark=done", "hang"], false, protocol).await;
    when_idle(&["print=half", "mark=done", "hang"], false, protocol).await;
    when_idle(&["mark=done", "flood-out=endless"], false, protocol).await;
    let timeout = Some(FailureKind::Timeout);
    when_idle(&["close=0", "mark=done", "hang"], false, timeout).await;
    when_idle(&["mark=done", "stop"], false, timeout).await;
}

#[tokio::test]
async fn one_that_is_stopped_is_killed_at_its_deadline_and_at_the_end() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "line", "allow", "line", "stop"];
    let bench = Bench::new(&workspace, [worker("guard", &steps).with_timeout(SHORT)]);
    assert_eq!(failure(&ask(&bench, &workspace).await), None);
    let asked = ask(&bench, &workspace).await;
    assert_eq!(failure(&asked), Some(FailureKind::Timeout));
    assert_gone(&pids(&workspace)[0]);
    assert_eq!(failure(&ask(&bench, &workspace).await), None);
    let second = pids(&workspace).pop().expect("another one");
    let id: i32 = second.parse().expect("a process id");
    let id = rustix::process::Pid::from_raw(id).expect("a process id");
    rustix::process::kill_process(id, rustix::process::Signal::STOP).expect("stopped");
    in_time(bench.runner.shutdown()).await;
    assert_gone(&second);
}

#[tokio::test]
async fn line_ends_without_end_hold_up_nobody() {
    let workspace = Workspace::new();
    // An answer that leaves much room for what is read next.
    let steps = [
        "mark=pids",
        "line",
        "answer-of=60000",
        "hex=0a",
        "line",
        "flood-blank=endless",
    ];
    let bench = Bench::new(&workspace, [worker("guard", &steps).with_timeout(SHORT)]);
    for _ in 0..2 {
        assert_eq!(failure(&ask(&bench, &workspace).await), None);
        let mut waited = Duration::ZERO;
        let asked = tokio::select! {
            asked = ask(&bench, &workspace) => asked,
            () = look_at_the_clock(&mut waited) => unreachable!("it goes on and on"),
        };
        assert_eq!(failure(&asked), Some(FailureKind::Timeout));
        assert!(
            waited < Duration::from_secs(5),
            "others waited {waited:?} for the thread"
        );
    }
}

/// Again and again; the longest time between two looks.
async fn look_at_the_clock(longest: &mut Duration) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(1)).await;
        *longest = (*longest).max(last.elapsed());
        last = Instant::now();
    }
}

#[tokio::test]
async fn a_program_that_is_replaced_while_it_is_asked_answers_and_then_goes() {
    let workspace = Workspace::new();
    let program = workspace.path().join("guard");
    let replace = || {
        let next = workspace.path().join("next");
        fs::copy(fake_hook(), &next).expect("a copy");
        fs::rename(next, &program).expect("replaced");
    };
    replace();
    let steps = [
        "./guard",
        "mark=pids",
        "repeat=line mark=asked wait-for=go allow",
    ];
    let bench = Bench::new(
        &workspace,
        [HookSpec::new("guard", steps).with_mode(HookMode::Worker)],
    );
    let meanwhile = async {
        until(|| workspace.has("asked")).await;
        replace();
        workspace.write("go", "now\n", 0o644);
    };
    let (asked, ()) = tokio::join!(ask(&bench, &workspace), meanwhile);
    assert_eq!(asked.outcome, HookOutcome::Allow, "{:?}", bench.reports());
    let next = ask(&bench, &workspace).await;
    assert_eq!(next.outcome, HookOutcome::Allow, "{:?}", bench.reports());
    assert_eq!(next.trail[0].worker.expect("a worker").answered, 1);
    assert_eq!(pids(&workspace).len(), 2);
    assert_eq!(next.notes.len(), 1, "{:?}", next.notes);
    // Nothing is left of it where it was removed while it is asked.
    fs::remove_file(&program).expect("removed");
    let gone = ask(&bench, &workspace).await;
    assert_eq!(failure(&gone), Some(FailureKind::Start));
}

#[tokio::test]
async fn a_slow_one_among_several_fails_its_own_question_only() {
    let workspace = Workspace::new();
    // Whoever is asked first hangs; the others are asked all the others.
    let steps = [
        "mark=pids",
        "line",
        "mark=first",
        "wait-for=first:3",
        "allow",
        "repeat=line allow",
    ];
    let slow = [
        "mark=pids",
        "line",
        "mark=first",
        "wait-for=first:3",
        "hang",
    ];
    let text = format!(
        "#!/bin/sh\nif mkdir slow 2>/dev/null; then exec {0} {1}; else exec {0} {2}; fi\n",
        fake_hook(),
        slow.map(|step| format!("'{step}'")).join(" "),
        steps.map(|step| format!("'{step}'")).join(" "),
    );
    workspace.write("guard.sh", text, 0o755);
    let hook = HookSpec::new("guard", ["./guard.sh"]).with_mode(HookMode::Worker);
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([hook.with_timeout(Duration::from_secs(6))])
        .with_workers(3);
    let bench = Bench::of(builder);
    let mut came = HashMap::new();
    for consultation in ask_at_once(&bench, &workspace, 200).await {
        *came.entry(failure(&consultation)).or_insert(0) += 1;
    }
    let expected = HashMap::from([(None, 199), (Some(FailureKind::Timeout), 1)]);
    assert_eq!(came, expected, "{:?}", bench.reports());
    assert!(
        (3..=4).contains(&pids(&workspace).len()),
        "{:?}",
        pids(&workspace)
    );
}

#[tokio::test]
async fn what_answers_once_and_ends_answers_all_of_many_that_ask_at_once() {
    let workspace = Workspace::new();
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([worker("once", &["mark=pids", "line", "allow"])])
        .with_workers(3);
    let bench = Bench::of(builder);
    for consultation in ask_at_once(&bench, &workspace, 60).await {
        assert_eq!(
            consultation.outcome,
            HookOutcome::Allow,
            "{:?}",
            bench.reports()
        );
    }
    assert_eq!(pids(&workspace).len(), 60);
}

#[tokio::test]
async fn those_that_fail_at_once_are_one_reason_to_pause_and_not_several() {
    let workspace = Workspace::new();
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([worker(
            "guard",
            &[
                "mark=pids",
                "line",
                "mark=asked",
                "wait-for=asked:8",
                "exit=7",
            ],
        )])
        .with_workers(8)
        .with_max_programs(8);
    // A clock that stands still: what is left of the pause is all of it.
    let now = Instant::now();
    let bench = Bench::of(builder.with_clock(move || now));
    let came = ask_at_once(&bench, &workspace, 50).await;
    let failed = |kind| came.iter().filter(|one| failure(one) == Some(kind)).count();
    let (exited, left_alone) = (failed(FailureKind::Exit), failed(FailureKind::LeftAlone));
    // The first two that fail may be followed by two more before the third begins the pause.
    assert!((8..=10).contains(&exited), "{exited}");
    assert_eq!(exited + left_alone, 50);
    assert_eq!(pids(&workspace).len(), exited);
    let alone = "has failed 3 times in a row and is left alone for another 100 ms";
    let told = bench
        .reports()
        .into_iter()
        .filter(|one| one.contains(alone));
    assert_eq!(told.count(), left_alone, "{:?}", bench.reports());
}
