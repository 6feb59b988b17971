//! What a host may be like and may ask for: odd process states, many questions at once, budgets.
#![cfg(target_os = "linux")]

use std::{
    collections::HashSet,
    fs,
    io::Read,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hook_contract::{HookEvent, HookOutcome};
use hook_runner::{FailureKind, HookRunner};
use hookchain_tests::{
    Bench, PATIENCE, Workspace, before,
    census::{assert_gone, assert_nobody_in},
    denial, fake, fake_hook, in_time, program,
};
use serde_json::{Value, json};
use tokio::runtime::Builder;

/// Runs a host that asks one fake hook, started through a shell that prepares its state. Gives the
/// state it was in and the outcomes.
fn embed(workspace: &Workspace, mode: &str, prepare: &str, steps: &[&str]) -> (Value, Vec<Value>) {
    let file = workspace.above().join("outcomes");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", prepare, "sh"]).arg(program("embedder"));
    command
        .arg(&file)
        .arg(mode)
        .arg(workspace.path())
        .arg(fake_hook())
        .args(steps);
    let status = finish(command.spawn().expect("started"));
    assert!(status.success(), "{mode} after {prepare}: {status}");
    let text = fs::read_to_string(&file).expect("outcomes");
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.next().expect("a state"), lines.collect())
}

/// Waits for a host that must not take as long as a hook that hangs.
fn finish(mut child: Child) -> std::process::ExitStatus {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if Instant::now() > until {
            child.kill().expect("killed");
            child.wait().expect("a child");
            panic!("the host did not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_host_that_dies_of_broken_pipes_does_not_die_of_a_hook_that_never_reads() {
    let workspace = Workspace::new();
    for steps in [
        &["allow"] as &[&str],
        &["close=0", "allow"],
        &["read=100", "close=0", "allow"],
    ] {
        let (state, outcomes) = embed(&workspace, "large", r#"exec "$@""#, steps);
        assert_eq!(
            state["ignores"]["pipe"], false,
            "the state is as it was meant to be"
        );
        assert_eq!(outcomes, [json!({"outcome": "allow"})], "{steps:?}");
    }
}

#[test]
fn a_host_that_ignores_the_end_of_its_children_gets_a_denial() {
    let workspace = Workspace::new();
    let prepare = r#"exec env --ignore-signal=CHLD "$@""#;
    let (state, outcomes) = embed(&workspace, "consult", prepare, &["read", "allow"]);
    assert_eq!(
        state["ignores"]["child"], true,
        "the state is as it was meant to be"
    );
    // What its author is to do is told to the operator.
    let reason = "denied, because hook 'hook' ended with an unknown status";
    assert_eq!(outcomes, [json!({"outcome": "deny", "reason": reason})]);
}

#[test]
fn a_host_may_have_closed_its_standard_streams() {
    for (closing, open) in [
        ("0<&-", [false, true, true]),
        ("1>&-", [true, false, true]),
        ("2>&-", [true, true, false]),
        ("0<&- 1>&- 2>&-", [false, false, false]),
    ] {
        let workspace = Workspace::new();
        let prepare = format!(r#"exec "$@" {closing}"#);
        let steps = ["read", "report", "error=words", "exit=0"];
        let (state, outcomes) = embed(&workspace, "consult", &prepare, &steps);
        assert_eq!(
            state["open"],
            json!(open),
            "the state is as it was meant to be"
        );
        let pipes = json!({"0": "pipe", "1": "pipe", "2": "pipe"});
        assert_eq!(
            outcomes[0]["input"]["descriptors"], pipes,
            "{closing}: {outcomes:?}"
        );
    }
}

#[test]
fn a_host_without_free_descriptors_gets_denials_and_then_goes_on() {
    let workspace = Workspace::new();
    let (_, outcomes) = embed(&workspace, "starved", r#"exec "$@""#, &["read", "allow"]);
    let (allowed, denied): (Vec<_>, Vec<_>) = outcomes
        .iter()
        .partition(|outcome| outcome["outcome"] == "allow");
    assert_eq!(allowed.len(), 2, "{outcomes:?}");
    assert!(
        denied.len() > 5,
        "three pipes need more than five descriptors: {outcomes:?}"
    );
    let reason = "denied, because hook 'hook' could not be started: the system is out of file descriptors for this \
                  process (see `ulimit -n`): Too many open files (os error 24)";
    for outcome in denied {
        assert_eq!(outcome["reason"], reason);
    }
    assert_nobody_in(workspace.path());
}

#[test]
fn a_hook_that_starts_an_agent_that_runs_the_same_hook_ends() {
    let workspace = Workspace::new();
    let log = workspace.above().join("log");
    let mut command = Command::new(program("embedder"));
    command
        .arg(&log)
        .arg("nested")
        .arg(workspace.path())
        .env_remove("HOOKCHAIN_DEPTH");
    let mut child = command.stdout(Stdio::piped()).spawn().expect("started");
    let mut printed = child.stdout.take().expect("a pipe");
    let mut answer = String::new();
    printed.read_to_string(&mut answer).expect("text");
    assert!(finish(child).success());
    let answer: Value = serde_json::from_str(&answer).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    let said = "denied, because hook 'nested' could not be started: recursion: hooks are nested 8 levels deep \
                (HOOKCHAIN_DEPTH), and at 8 no hook is started any more";
    assert!(reason.ends_with(said), "{reason}");
    assert_eq!(
        reason.matches("denied by hook 'nested': ").count(),
        8,
        "{reason}"
    );
    let asked = fs::read_to_string(&log).expect("a log").lines().count();
    assert_eq!(asked, 9, "the first one is started by no hook");
}

#[tokio::test]
async fn a_consultation_past_its_budget_is_denied_and_nothing_of_it_goes_on() {
    let workspace = Workspace::new();
    let hooks = [
        fake("quick", &["read", "allow"]),
        fake(
            "slow",
            &["spawn-holding=mark=child hang", "wait-for=child", "hang"],
        )
        .with_on_failure(hook_config::OnFailure::Allow),
        fake("never", &["mark=never", "allow"]),
    ];
    let budget = Duration::from_secs(3);
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks(hooks)
            .with_budget(budget),
    );
    let consultation = bench.consult(before(&workspace, "{}")).await;
    let said = "hook 'slow' had not answered when the budget of the whole consultation, 3000 ms, was used up";
    assert_eq!(
        denial(&consultation.outcome),
        format!("denied, because {said}")
    );
    assert_eq!(bench.reports(), [format!("{said}; the call was denied")]);
    let failure = consultation.trail[1].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Budget);
    assert!(!workspace.has("never"));
    assert_gone(&workspace.lines("child").concat());
    assert_nobody_in(workspace.path());
}

#[tokio::test]
async fn a_budget_that_is_not_used_up_changes_nothing() {
    let workspace = Workspace::new();
    for budget in [PATIENCE, Duration::MAX] {
        let builder = HookRunner::builder(workspace.path())
            .with_hooks([fake("quick", &["read", "deny=no"])])
            .with_budget(budget);
        let outcome = Bench::of(builder).decide("{}").await;
        assert_eq!(outcome, HookOutcome::deny("denied by hook 'quick': no"));
    }
}

#[tokio::test]
async fn at_most_so_many_programs_run_at_once() {
    const AT_ONCE: usize = 3;
    const QUESTIONS: usize = 9;
    let workspace = Workspace::new();
    // Nobody goes on before three have begun, so three did run at once.
    let steps = ["mark=log", "wait-for=log:3", "mark=log", "allow"];
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks([fake("guard", &steps)])
            .with_max_programs(AT_ONCE),
    );
    let tasks: Vec<_> = (0..QUESTIONS)
        .map(|_| {
            // Clones share the limit.
            let (runner, request) = (bench.runner.clone(), before(&workspace, "{}"));
            tokio::spawn(async move { runner.consult(request).await })
        })
        .collect();
    let mut waited = 0;
    for task in tasks {
        let consultation = in_time(task).await.expect("no panic");
        assert_eq!(consultation.outcome, HookOutcome::Allow);
        waited += usize::from(consultation.trail[0].queued > Duration::ZERO);
    }
    assert_eq!(waited, QUESTIONS - AT_ONCE);
    let mut running = HashSet::new();
    let mut most = 0;
    for id in workspace.lines("log") {
        if !running.remove(&id) {
            running.insert(id);
            most = most.max(running.len());
        }
    }
    assert_eq!(most, AT_ONCE);
}

#[tokio::test]
async fn waiting_for_a_place_is_not_the_hooks_own_time() {
    let workspace = Workspace::new();
    let hooks = [
        // Only one of the two events has each.
        fake("stuck", &["mark=stuck", "hang"]).with_timeout(Duration::from_secs(3)),
        fake("quick", &["read", "allow"])
            .with_event(HookEvent::PostToolUse)
            .with_timeout(Duration::from_secs(2)),
    ];
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks(hooks)
            .with_max_programs(1),
    );
    let second = async {
        while workspace.lines("stuck").is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        bench
            .consult(hookchain_tests::after(&workspace, "1", false))
            .await
    };
    let (first, second) = tokio::join!(bench.consult(before(&workspace, "{}")), second);
    assert_eq!(first.trail[0].decision, None);
    assert_eq!(second.outcome, HookOutcome::Allow);
    assert!(second.trail[0].queued > Duration::ZERO);
}

/// Asks so many at once; each must get the answer to its own question.
async fn ask_many(bench: &Bench) {
    let tasks: Vec<_> = (0..60)
        .map(|number: u32| {
            let bench = bench.clone();
            tokio::spawn(async move { bench.decide(&format!(r#"{{"n":{number}}}"#)).await })
        })
        .collect();
    for (number, task) in (0_u32..).zip(tasks) {
        let HookOutcome::Modify { input, .. } = in_time(task).await.expect("no panic") else {
            panic!("it echoes; {:?}", bench.reports())
        };
        assert_eq!(input["saw"]["input"], json!({"n": number}));
    }
}

#[test]
fn any_number_of_consultations_may_run_at_once_on_every_runtime() {
    let current = Builder::new_current_thread().enable_all().build();
    let threads = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    for runtime in [current, threads] {
        let workspace = Workspace::new();
        let bench = Bench::new(&workspace, [fake("echo", &["read", "echo"])]);
        runtime.expect("a runtime").block_on(ask_many(&bench));
    }
}
