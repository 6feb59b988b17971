//! Deadlines, what happens after a program has ended, and what is left of it.
#![cfg(target_os = "linux")]

use std::time::Duration;

use hook_config::OnFailure;
use hook_contract::HookOutcome;
use hook_runner::{Consultation, FailureKind};
use hookchain_tests::{
    Bench, Workspace, before,
    census::{assert_gone, assert_group_gone, assert_nobody_in, is_alive},
    denial, fake,
};
use rustix::process::{Pid, Signal, kill_process};

/// A deadline that every program here means to miss.
const SHORT: Duration = Duration::from_millis(400);

/// The same for those that are to have done something by then.
const LONGER: Duration = Duration::from_millis(1500);

async fn late(workspace: &Workspace, timeout: Duration, steps: &[&str]) -> Consultation {
    let bench = Bench::new(workspace, [fake("late", steps).with_timeout(timeout)]);
    let consultation = bench.consult(before(workspace, "{}")).await;
    assert_eq!(
        denial(&consultation.outcome),
        format!(
            "denied, because hook 'late' did not finish within {} ms and was killed",
            timeout.as_millis()
        ),
        "{steps:?}"
    );
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Timeout);
    assert_eq!(consultation.trail[0].exit, None);
    consultation
}

#[tokio::test]
async fn at_the_deadline_everything_is_killed_whatever_it_was_doing() {
    let cases: [&[&str]; 11] = [
        &["mark=ran", "hang"],
        &["read", "allow", "mark=ran", "hang"],
        &["ignore-term", "mark=ran", "hang"],
        &["mark=ran", "stop"],
        &["mark=ran", "flood-err=endless"],
        &["close=0", "close=1", "close=2", "mark=ran", "hang"],
        &["spawn-holding=mark=ran hang", "wait-for=ran", "hang"],
        &["spawn-detached=mark=ran hang", "wait-for=ran", "hang"],
        &[
            "spawn-holding=ignore-term mark=ran hang",
            "wait-for=ran",
            "allow",
            "hang",
        ],
        &[
            "spawn-holding=spawn-holding=mark=ran~stop",
            "wait-for=ran",
            "hang",
        ],
        &["mark=ran", "drip=7b22", "hang"],
    ];
    for steps in cases {
        let workspace = Workspace::new();
        late(&workspace, SHORT, steps).await;
        for id in workspace.lines("ran") {
            assert_gone(&id);
        }
        assert_nobody_in(workspace.path());
    }
}

#[tokio::test]
async fn an_answer_before_the_deadline_of_a_program_that_hangs_does_not_count() {
    let workspace = Workspace::new();
    let consultation = late(
        &workspace,
        LONGER,
        &["read", "allow", "error=still here", "hang"],
    )
    .await;
    assert_eq!(consultation.trail[0].stderr.as_deref(), Some("still here"));
    let hook = fake("observer", &["read", "deny=no", "hang"])
        .with_timeout(SHORT)
        .with_on_failure(OnFailure::Allow);
    let bench = Bench::new(&workspace, [hook]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    assert_eq!(
        bench.reports(),
        [
            "hook 'observer' did not finish within 400 ms and was killed; it was passed over (on_failure is allow)"
        ]
    );
}

#[tokio::test]
async fn a_group_that_forks_on_while_it_is_killed_leaves_nobody() {
    for _ in 0..3 {
        let workspace = Workspace::new();
        let steps = ["mark=leader", "spawn-holding=breed", "hang"];
        late(&workspace, LONGER, &steps).await;
        assert_group_gone(&workspace.lines("leader").concat());
    }
}

#[tokio::test]
async fn a_program_that_prints_too_much_is_killed_at_once_with_its_group() {
    let workspace = Workspace::new();
    let steps = [
        "spawn-holding=mark=child hang",
        "wait-for=child",
        "flood-out=endless",
    ];
    let bench = Bench::new(&workspace, [fake("flood", &steps)]);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::TooLarge);
    assert_gone(&workspace.lines("child").concat());
    assert_nobody_in(workspace.path());
}

#[tokio::test]
async fn a_background_process_that_holds_a_pipe_is_killed_and_the_answer_counts() {
    let held: [(&[&str], &[&str]); 3] = [
        (&[], &[]),
        (&["read"], &[]),
        // The program lets go of its own end; the child does not.
        (&[], &["close=1"]),
    ];
    for (first, last) in held {
        let workspace = Workspace::new();
        let mut steps = first.to_vec();
        steps.extend(["spawn-holding=mark=child hang", "wait-for=child", "deny=no"]);
        steps.extend(last);
        let bench = Bench::new(&workspace, [fake("guard", &steps)]);
        let consultation = bench.consult(before(&workspace, "{}")).await;
        assert_eq!(
            consultation.outcome,
            HookOutcome::deny("denied by hook 'guard': no")
        );
        let note = "hook 'guard': left a background process that held its output open; its process group was killed, and the answer \
                    counts. Detach such a process with `>/dev/null 2>&1 &`";
        assert_eq!(bench.reports(), [note]);
        assert_eq!(consultation.notes[0].to_string(), note);
        assert_gone(&workspace.lines("child").concat());
    }
}

#[tokio::test]
async fn a_background_process_that_goes_on_printing_cannot_change_the_answer_into_two() {
    let workspace = Workspace::new();
    // It ends by itself within the time that a held pipe gets.
    let steps = [
        "spawn-holding=mark=child drip=0a0a",
        "wait-for=child",
        "allow",
    ];
    let bench = Bench::new(&workspace, [fake("guard", &steps)]);
    assert_eq!(
        bench.decide("{}").await,
        HookOutcome::Allow,
        "{:?}",
        bench.reports()
    );
}

#[tokio::test]
async fn a_background_process_that_floods_a_held_pipe_is_too_much_output() {
    let workspace = Workspace::new();
    let steps = [
        "spawn-holding=mark=child flood-out=endless",
        "wait-for=child",
        "exit=0",
    ];
    let builder = hook_runner::HookRunner::builder(workspace.path())
        .with_hooks([fake("guard", &steps)])
        .with_max_answer_bytes(100_000);
    let consultation = Bench::of(builder).consult(before(&workspace, "{}")).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert!(
        matches!(
            failure.kind(),
            FailureKind::TooLarge | FailureKind::NotAnAnswer
        ),
        "{failure}"
    );
    assert_gone(&workspace.lines("child").concat());
}

#[tokio::test]
async fn a_status_other_than_zero_fails_although_a_background_process_holds_the_pipe() {
    let workspace = Workspace::new();
    let steps = [
        "spawn-holding=mark=child hang",
        "wait-for=child",
        "allow",
        "exit=4",
    ];
    let bench = Bench::new(&workspace, [fake("guard", &steps)]);
    assert_eq!(
        bench.decide("{}").await,
        HookOutcome::deny("denied, because hook 'guard' ended with status 4")
    );
    assert_gone(&workspace.lines("child").concat());
}

#[tokio::test]
async fn a_background_process_that_let_go_of_the_pipes_is_left_alone() {
    for steps in [
        ["spawn-detached=mark=child hang", "wait-for=child", "allow"],
        // Forked twice and in a session of its own, as a daemon is.
        [
            "spawn-detached=setsid spawn-detached=mark=child~hang",
            "wait-for=child",
            "allow",
        ],
    ] {
        let workspace = Workspace::new();
        let bench = Bench::new(&workspace, [fake("guard", &steps)]);
        assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
        assert_eq!(bench.reports(), Vec::<String>::new());
        let child = workspace.lines("child").concat();
        assert!(is_alive(&child), "it was killed");
        let id = Pid::from_raw(child.parse().expect("a process id")).expect("a process id");
        kill_process(id, Signal::KILL).expect("killed");
    }
}

#[tokio::test]
async fn a_daemon_that_keeps_the_pipes_cannot_hold_up_the_call() {
    let workspace = Workspace::new();
    let steps = [
        "spawn-holding=setsid mark=child hang",
        "wait-for=child",
        "allow",
    ];
    let bench = Bench::new(&workspace, [fake("guard", &steps)]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    assert_eq!(bench.reports().len(), 1);
    // Out of the group, it is out of reach; it ends by itself, or here.
    let child = workspace.lines("child").concat();
    let id = Pid::from_raw(child.parse().expect("a process id")).expect("a process id");
    kill_process(id, Signal::KILL).expect("it was there");
}

#[tokio::test]
async fn the_deadline_counts_from_before_the_start_to_the_last_byte() {
    let workspace = Workspace::new();
    // The program ends in time, with a pipe that stays open; the extra time is not past the deadline.
    let steps = ["spawn-holding=mark=child hang", "wait-for=child", "allow"];
    let bench = Bench::new(&workspace, [fake("guard", &steps)]);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert!(consultation.trail[0].took < hookchain_tests::PATIENCE);
}
