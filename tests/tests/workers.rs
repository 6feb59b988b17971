//! Hooks of the mode `worker`: kept, asked line by line, replaced when it is time.
#![cfg(target_os = "linux")]

use std::{
    collections::HashSet,
    fs,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use hook_config::{HookMode, HookSpec, OnFailure};
use hook_contract::{HookEvent, HookOutcome};
use hook_runner::{Consultation, Decision, HookRunner, HookRunnerBuilder};
use hookchain_tests::{
    Bench, Workspace, after, before,
    census::{assert_gone, is_alive, processes},
    denial, fake_hook, in_time, worker,
};
use serde_json::json;

/// A clock that stands still until it is moved.
#[derive(Clone)]
struct Clock {
    start: Instant,
    moved: Arc<AtomicU64>,
}

impl Clock {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            moved: Arc::default(),
        }
    }

    fn tick(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).expect("a time");
        self.moved.fetch_add(millis, Ordering::Relaxed);
    }

    fn of(&self, builder: HookRunnerBuilder) -> Bench {
        let (start, moved) = (self.start, Arc::clone(&self.moved));
        let now = move || start + Duration::from_millis(moved.load(Ordering::Relaxed));
        Bench::of(builder.with_clock(now))
    }
}

/// Who has been started, by the file that each marks first.
fn started(workspace: &Workspace) -> Vec<String> {
    workspace.lines("pids")
}

async fn ask(bench: &Bench, workspace: &Workspace) -> Consultation {
    bench.consult(before(workspace, "{}")).await
}

#[track_caller]
fn assert_allowed(consultation: &Consultation, bench: &Bench) {
    assert_eq!(
        consultation.outcome,
        HookOutcome::Allow,
        "{:?}",
        bench.reports()
    );
}

#[tokio::test]
async fn one_process_answers_one_question_after_the_other() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line echo"];
    let bench = Bench::new(&workspace, [worker("guard", &steps)]);
    for number in 1..=20_u64 {
        let input = format!(r#"{{"n":{number},"wide":12345678901234567890123}}"#);
        let consultation = bench.consult(before(&workspace, &input)).await;
        let HookOutcome::Modify {
            input: seen,
            reason,
        } = &consultation.outcome
        else {
            panic!("it echoes: {:?}", bench.reports());
        };
        assert!(seen.text().contains(&input), "{seen:?}");
        assert_eq!(reason.as_deref(), Some("worker 'guard'"));
        let step = &consultation.trail[0];
        assert_eq!(
            (step.who.kind(), step.decision),
            ("worker", Some(Decision::Modify))
        );
        let life = step.worker.expect("a worker");
        assert_eq!(life.answered, number);
        assert_eq!((step.exit, step.stderr.as_deref()), (None, None));
        assert!(step.bytes_sent > input.len() && step.bytes_received > step.bytes_sent);
    }
    assert_eq!(started(&workspace).len(), 1);
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[tokio::test]
async fn both_events_and_every_answer_are_the_same_as_for_other_hooks() {
    let workspace = Workspace::new();
    let deny = worker("guard", &["repeat=line deny=not~this"]).with_tools(["shell"]);
    let replace = worker("redact", &[r#"repeat=line replace="gone""#]);
    let observer = worker("observer", &["repeat=line exit=3"]).with_on_failure(OnFailure::Allow);
    let event = HookEvent::PostToolUse;
    let hooks = [deny, replace.with_event(event), observer.with_event(event)];
    let bench = Bench::new(&workspace, hooks);
    let outcome = bench.decide("{}").await;
    assert_eq!(
        outcome,
        HookOutcome::deny("denied by worker 'guard': not this")
    );
    let consultation = bench.consult(after(&workspace, "\"a token\"", true)).await;
    let HookOutcome::Replace {
        output, is_error, ..
    } = consultation.outcome
    else {
        panic!("it replaces: {:?}", bench.reports());
    };
    assert_eq!((output.text(), is_error), ("\"gone\"", true));
    let decisions: Vec<_> = consultation
        .trail
        .iter()
        .map(|step| step.decision)
        .collect();
    assert_eq!(decisions, [Some(Decision::Replace), None]);
}

#[tokio::test]
async fn a_worker_is_given_what_every_program_is_given() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [worker("look", &["repeat=line report"])]);
    for _ in 0..2 {
        let HookOutcome::Modify { input: report, .. } = bench.decide("{}").await else {
            panic!("it reports: {:?}", bench.reports());
        };
        let pipes = json!({"0": "pipe", "1": "pipe", "2": "pipe"});
        assert_eq!(report["descriptors"], pipes);
        assert_eq!(report["group"], report["process"]);
        assert_eq!(report["session"], report["process"]);
        assert_eq!(report["directory"], json!(workspace.path()));
        assert_eq!(report["environment"]["HOOKCHAIN_DEPTH"], "1");
        assert!(report["environment"].get("CARGO_MANIFEST_DIR").is_none());
    }
}

#[tokio::test]
async fn questions_and_answers_of_any_size_pass() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker("echo", &["mark=pids", "repeat=line echo"])],
    );
    for size in [0, 1, 4000, 65_000, 65_536, 1 << 20, (3 << 20) + 1, 10] {
        let input = format!(r#"{{"text":"{}"}}"#, "x".repeat(size));
        let HookOutcome::Modify { input: seen, .. } = bench.decide(&input).await else {
            panic!("it echoes: {:?}", bench.reports());
        };
        assert_eq!(
            seen["saw"]["input"]["text"].as_str().map(str::len),
            Some(size)
        );
    }
    assert_eq!(started(&workspace).len(), 1);
}

#[tokio::test]
async fn further_questions_wait_for_the_one_process() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker("nonce", &["mark=pids", "repeat=line nonce"])],
    );
    let tasks: Vec<_> = (0..50_u32)
        .map(|number| {
            let input = format!(r#"{{"n":{number}}}"#);
            let (bench, request) = (bench.clone(), before(&workspace, &input));
            tokio::spawn(async move { bench.consult(request).await })
        })
        .collect();
    let mut queued = 0;
    for (number, task) in (0_u32..).zip(tasks) {
        let consultation = in_time(task).await.expect("no panic");
        let HookOutcome::Modify { input, .. } = consultation.outcome else {
            panic!("it answers: {:?}", bench.reports());
        };
        assert_eq!(input.value(), &json!({"n": number}));
        queued += usize::from(consultation.trail[0].queued > Duration::ZERO);
    }
    assert_eq!((queued, started(&workspace).len()), (49, 1));
}

#[tokio::test]
async fn waiting_for_a_process_is_not_the_questions_own_time() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line mark=asked wait-for=go allow"];
    let patient = worker("slow", &steps).with_timeout(Duration::from_secs(3));
    let bench = Bench::new(&workspace, [patient]);
    let first = ask(&bench, &workspace);
    let second = async {
        while workspace.lines("asked").is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        ask(&bench, &workspace).await
    };
    // The first is too late; the second had waited as long, and has all of its own time left.
    let go = async {
        while workspace.lines("asked").len() < 2 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        workspace.write("go", "now\n", 0o644);
    };
    let all = Box::pin(async { tokio::join!(first, second, go) });
    let (first, second, ()) = in_time(all).await;
    assert_eq!(first.trail[0].decision, None);
    assert_allowed(&second, &bench);
    assert!(second.trail[0].queued > second.trail[0].took);
}

#[tokio::test]
async fn a_hook_may_have_several_processes_and_none_is_started_that_is_not_needed() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line mark=log wait-for=log:3 allow"];
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([worker("guard", &steps)])
        .with_workers(3);
    let bench = Bench::of(builder);
    // Nobody answers before three have been asked, so three are asked at once.
    let three = Box::pin(async {
        tokio::join!(
            ask(&bench, &workspace),
            ask(&bench, &workspace),
            ask(&bench, &workspace)
        )
    });
    let (a, b, c) = in_time(three).await;
    for consultation in [&a, &b, &c] {
        assert_allowed(consultation, &bench);
        assert_eq!(consultation.trail[0].queued, Duration::ZERO);
    }
    for _ in 0..5 {
        assert_allowed(&ask(&bench, &workspace).await, &bench);
    }
    assert_eq!(started(&workspace).len(), 3);
}

#[tokio::test]
async fn warming_up_starts_all_and_reports_those_that_cannot_be() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line allow"];
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([
            worker("guard", &steps),
            HookSpec::new("absent", ["./absent"])
                .with_mode(HookMode::Worker)
                .with_tools(["other"]),
            worker("second", &steps),
        ])
        .with_workers(2);
    let bench = Bench::of(builder);
    in_time(bench.runner.warm_up()).await;
    in_time(bench.runner.warm_up()).await;
    while started(&workspace).len() < 4 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let consultation = ask(&bench, &workspace).await;
    assert_allowed(&consultation, &bench);
    assert_eq!(consultation.trail[1].worker.expect("a worker").answered, 1);
    assert_eq!(started(&workspace).len(), 4);
    let absent = format!(
        "there is no file {}",
        workspace.path().join("./absent").display()
    );
    let said = format!(
        "worker 'absent' could not be started: {absent}; it is tried again when it is asked"
    );
    assert_eq!(bench.reports(), [said.clone(), said]);
}

#[tokio::test]
async fn a_process_that_nobody_asks_takes_no_place() {
    let workspace = Workspace::new();
    let hooks = ["a", "b", "c"].map(|name| worker(name, &["mark=pids", "repeat=line allow"]));
    let builder = HookRunner::builder(workspace.path())
        .with_hooks(hooks)
        .with_max_programs(1);
    let bench = Bench::of(builder);
    for _ in 0..3 {
        let consultation = ask(&bench, &workspace).await;
        assert_allowed(&consultation, &bench);
        assert!(
            consultation
                .trail
                .iter()
                .all(|step| step.queued == Duration::ZERO)
        );
    }
    assert_eq!(started(&workspace).len(), 3);
}

#[tokio::test]
async fn a_program_that_changed_on_disk_is_replaced_before_the_next_question() {
    let workspace = Workspace::new();
    let program = workspace.path().join("guard");
    let replace_program = || {
        let next = workspace.path().join("next");
        fs::copy(fake_hook(), &next).expect("a copy");
        fs::rename(next, &program).expect("replaced");
    };
    replace_program();
    let hook = HookSpec::new("guard", ["./guard", "mark=pids", "repeat=line allow"]);
    let bench = Bench::new(&workspace, [hook.with_mode(HookMode::Worker)]);
    for round in 1..=3 {
        for _ in 0..2 {
            assert_allowed(&ask(&bench, &workspace).await, &bench);
        }
        assert_eq!(started(&workspace).len(), round);
        replace_program();
    }
    let path = workspace.path().join("./guard");
    let said = format!(
        "worker 'guard': was replaced before this question, because {} has changed",
        path.display()
    );
    assert_eq!(bench.reports(), [said.clone(), said]);
    // Whoever was replaced has been told that its input is over.
    assert_gone(&started(&workspace)[0]);
    fs::remove_file(&program).expect("removed");
    let outcome = bench.decide("{}").await;
    assert!(
        denial(&outcome).contains("could not be started: there is no file"),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_script_that_an_interpreter_runs_is_watched_too() {
    let workspace = Workspace::new();
    let answering = |answer: &str| {
        let text = format!("while read -r call; do echo '{{\"decision\":\"{answer}\"}}'; done\n");
        workspace.write("guard.sh", text, 0o644);
    };
    answering("allow");
    let hook = HookSpec::new("guard", ["sh", "guard.sh"]).with_mode(HookMode::Worker);
    let bench = Bench::new(&workspace, [hook]);
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    answering("deny");
    let outcome = bench.decide("{}").await;
    assert_eq!(outcome, HookOutcome::deny("denied by worker 'guard'"));
}

#[tokio::test]
async fn a_worker_serves_so_many_questions_and_no_more() {
    let workspace = Workspace::new();
    let hook = worker("guard", &["mark=pids", "repeat=line allow"]).with_max_questions(2);
    let bench = Bench::new(&workspace, [hook]);
    for question in 0..5_u64 {
        let consultation = ask(&bench, &workspace).await;
        assert_allowed(&consultation, &bench);
        let life = consultation.trail[0].worker.expect("a worker");
        assert_eq!(life.answered, question % 2 + 1);
    }
    assert_eq!(started(&workspace).len(), 3);
    // One that has served is let go at once, and not at the next question.
    assert_gone(&started(&workspace)[1]);
    assert!(is_alive(&started(&workspace)[2]));
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[tokio::test]
async fn a_worker_is_replaced_at_its_age() {
    let workspace = Workspace::new();
    let hook = worker("guard", &["mark=pids", "repeat=line allow"]);
    let clock = Clock::new();
    let builder = HookRunner::builder(workspace.path());
    let bench = clock.of(builder.with_hooks([hook.with_max_age(Duration::from_secs(60))]));
    for (age, pids) in [(0, 1), (59, 1), (1, 2), (59, 2), (2, 3)] {
        clock.tick(Duration::from_secs(age));
        assert_allowed(&ask(&bench, &workspace).await, &bench);
        assert_eq!(started(&workspace).len(), pids);
    }
}

#[tokio::test]
async fn a_worker_that_nobody_asks_is_let_go() {
    let workspace = Workspace::new();
    let steps = ["mark=pids", "repeat=line allow"];
    let hook = |tool| {
        worker(tool, &steps)
            .with_tools([tool])
            .with_max_idle(Duration::from_secs(60))
    };
    let clock = Clock::new();
    let builder = HookRunner::builder(workspace.path());
    let bench = clock.of(builder.with_hooks([hook("shell"), hook("write")]));
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    clock.tick(Duration::from_secs(59));
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    let first = started(&workspace);
    assert_eq!(first.len(), 1, "it was asked in time");
    clock.tick(Duration::from_secs(60));
    // Whatever the runner is asked next, the one that waits is let go.
    let mut other = before(&workspace, "{}");
    other.tool_name = "write".into();
    assert_allowed(&bench.consult(other).await, &bench);
    assert_gone(&first[0]);
    assert_eq!(started(&workspace).len(), 2);
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    assert_eq!(started(&workspace).len(), 3);
}

#[tokio::test]
async fn what_is_printed_as_errors_goes_with_the_question_and_never_holds_up_a_worker() {
    let workspace = Workspace::new();
    let steps = [
        "mark=pids",
        "repeat=line error=before flood-err=3000000 error=last allow",
    ];
    let bench = Bench::new(&workspace, [worker("guard", &steps)]);
    for _ in 0..3 {
        let consultation = ask(&bench, &workspace).await;
        assert_allowed(&consultation, &bench);
        let stderr = consultation.trail[0].stderr.as_deref().expect("errors");
        assert!(
            stderr.starts_with("beforex") && stderr.ends_with("xlast"),
            "{stderr}"
        );
        assert!(stderr.contains("bytes left out") && stderr.len() < 5000);
    }
    // More than the pipe holds, when nobody asks: it goes on as soon as somebody does.
    let steps = ["mark=idle", "repeat=line allow flood-err=300000"];
    let bench = Bench::new(&workspace, [worker("guard", &steps)]);
    for _ in 0..10 {
        assert_allowed(&ask(&bench, &workspace).await, &bench);
    }
    assert_eq!(
        (started(&workspace).len(), workspace.lines("idle").len()),
        (1, 1)
    );
}

#[tokio::test]
async fn a_worker_may_close_its_standard_error() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker(
            "guard",
            &["mark=pids", "close=2", "repeat=line allow"],
        )],
    );
    for _ in 0..3 {
        assert_allowed(&ask(&bench, &workspace).await, &bench);
    }
    assert_eq!(started(&workspace).len(), 1);
}

#[tokio::test]
async fn white_space_around_an_answer_is_no_second_answer() {
    let workspace = Workspace::new();
    // Blank lines before and after, CRLF line ends, a byte order mark, an answer in several pieces.
    let answer = "0a0d0a207b226465636973696f6e223a22616c6c6f77227d0d0a0a";
    let steps = format!("repeat=line hex={answer}");
    let drip = format!("repeat=line drip={answer}");
    let mark = "repeat=line hex=efbbbf7b226465636973696f6e223a22616c6c6f77227d0a";
    for steps in [steps.as_str(), &drip, mark] {
        let bench = Bench::new(&workspace, [worker("guard", &["mark=pids", steps])]);
        for _ in 0..3 {
            assert_allowed(&ask(&bench, &workspace).await, &bench);
        }
    }
    assert_eq!(started(&workspace).len(), 3);
}

#[tokio::test]
async fn a_program_that_ends_after_its_answer_is_started_again_and_a_note_says_so() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker("once", &["mark=pids", "line", "allow"])],
    );
    for question in 0..4 {
        let consultation = ask(&bench, &workspace).await;
        assert_allowed(&consultation, &bench);
        assert_eq!(consultation.notes.len(), usize::from(question > 0));
        assert_eq!(consultation.trail[0].worker.expect("a worker").answered, 1);
    }
    assert_eq!(started(&workspace).len(), 4);
    let said = "worker 'once': had ended with status 0 after 1 answers, and was started again for this question; a \
                worker reads one line after the other until the end of its input, a program that answers once is \
                declared without a mode";
    assert_eq!(bench.reports(), [said, said, said]);
}

#[tokio::test]
async fn a_worker_that_died_while_nobody_asked_it_fails_nobody() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [worker("guard", &["mark=pids", "repeat=line allow"])],
    );
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    let pid: i32 = started(&workspace)[0].parse().expect("a process id");
    let pid = rustix::process::Pid::from_raw(pid).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
    let is_zombie = || {
        let id = u32::try_from(pid.as_raw_nonzero().get()).expect("an id");
        processes()
            .iter()
            .any(|one| one.id == id && !one.is_alive())
    };
    while !is_zombie() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_allowed(&ask(&bench, &workspace).await, &bench);
    let said = "worker 'guard': had ended with signal 9 (SIGKILL) after 1 answers, and was started again for this question";
    assert_eq!(bench.reports(), [said]);
    let pids: HashSet<_> = started(&workspace).into_iter().collect();
    assert_eq!(pids.len(), 2);
}

#[tokio::test]
async fn a_hook_that_fails_again_and_again_is_left_alone_for_a_while() {
    let workspace = Workspace::new();
    let clock = Clock::new();
    let hook = worker("guard", &["mark=pids", "line", "exit=7"]);
    let bench = clock.of(HookRunner::builder(workspace.path()).with_hooks([hook]));
    let ended = "worker 'guard' ended with status 7 before it answered; the call was denied";
    let alone = |failures: u32, left: u32| {
        format!(
            "worker 'guard' has failed {failures} times in a row and is left alone for another {left} ms; the last \
             time it ended with status 7 before it answered; the call was denied"
        )
    };
    let millis = Duration::from_millis;
    for _ in 0..3 {
        ask(&bench, &workspace).await;
    }
    let outcome = bench.decide("{}").await;
    let told =
        "denied, because worker 'guard' has failed 3 times in a row and is left alone for a moment";
    assert_eq!(outcome, HookOutcome::deny(told));
    clock.tick(millis(60));
    let consultation = ask(&bench, &workspace).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind().as_str(), "left_alone");
    clock.tick(millis(40));
    ask(&bench, &workspace).await;
    ask(&bench, &workspace).await;
    clock.tick(millis(200));
    ask(&bench, &workspace).await;
    let expected = [
        ended.into(),
        ended.into(),
        ended.into(),
        alone(3, 100),
        alone(3, 40),
        ended.into(),
        alone(4, 200),
        ended.into(),
    ];
    assert_eq!(bench.reports(), expected);
    assert_eq!(started(&workspace).len(), 5);
}

#[tokio::test]
async fn a_program_that_was_corrected_is_asked_at_once() {
    let workspace = Workspace::new();
    workspace.write("guard.sh", "#!/bin/sh\nexit 1\n", 0o755);
    let hook = HookSpec::new("guard", ["./guard.sh"]).with_mode(HookMode::Worker);
    let clock = Clock::new();
    let bench = clock.of(HookRunner::builder(workspace.path()).with_hooks([hook]));
    for _ in 0..4 {
        ask(&bench, &workspace).await;
    }
    assert!(
        bench.reports()[3].contains("left alone"),
        "{:?}",
        bench.reports()
    );
    let text = "#!/bin/sh\nwhile read -r call; do echo '{\"decision\":\"allow\"}'; done\n";
    workspace.write("guard.sh", text, 0o755);
    assert_allowed(&ask(&bench, &workspace).await, &bench);
}
