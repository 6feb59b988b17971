//! What a worker does wrong, what its author is told, and that the next question is none the worse.
#![cfg(target_os = "linux")]

use std::{fs, time::Duration};

use hook_config::{HookSpec, OnFailure};
use hook_contract::HookOutcome;
use hook_runner::{FailureKind, HookFailure, HookRunner};
use hookchain_tests::{Bench, Workspace, before, denial, in_time, worker};

/// Long enough to see that a worker will not answer, and no longer.
const SHORT: Duration = Duration::from_millis(400);

/// Asks once: the kind of failure, and what the operator reads.
async fn fault(workspace: &Workspace, hook: HookSpec) -> (FailureKind, String) {
    let name = hook.name.clone();
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks([hook])
            .with_max_answer_bytes(100_000),
    );
    let consultation = bench.consult(before(workspace, r#"{"n":1}"#)).await;
    let failure = consultation.trail[0].failure.as_ref();
    let kind = failure.map(HookFailure::kind);
    assert!(
        matches!(consultation.outcome, HookOutcome::Deny(_)),
        "{consultation:?}"
    );
    let report = bench.reports().concat();
    let prefix = format!("worker '{name}' ");
    let report = report
        .strip_prefix(&prefix)
        .unwrap_or_else(|| panic!("it is not named: {report}"))
        .to_owned();
    (kind.expect("a failure"), report)
}

#[track_caller]
fn says(came: &(FailureKind, String), kind: FailureKind, words: &str) {
    assert_eq!(came.0, kind, "{came:?}");
    let expected = format!("{words}; the call was denied");
    assert!(
        came.1.starts_with(&expected),
        "\n{}\nand not\n{expected}",
        came.1
    );
}

async fn check(steps: &[&str], kind: FailureKind, words: &str) {
    let workspace = Workspace::new();
    let hook = worker("guard", steps).with_timeout(if kind == FailureKind::Timeout {
        SHORT
    } else {
        Duration::from_secs(60)
    });
    let came = fault(&workspace, hook).await;
    says(&came, kind, words);
}

const ALLOW: &str = r#"{"decision":"allow"}"#;

#[tokio::test]
async fn a_program_that_reads_to_the_end_of_its_input_is_told_to_read_lines() {
    let late = "did not answer within 400 ms and was killed";
    let words = format!(
        "{late}; it has read the question and printed nothing: if it reads to the end of its input, let it read one \
         line at a time, because a worker's input stays open; if it prints through a buffer, let it flush after each \
         answer; a program that answers once is declared without a mode"
    );
    check(&["read", "allow"], FailureKind::Timeout, &words).await;
    check(&["line", "hang"], FailureKind::Timeout, &words).await;
}

#[tokio::test]
async fn what_is_late_is_told_apart_by_how_far_it_got() {
    let late = "did not answer within 400 ms and was killed";
    let words = format!(
        "{late}; it has read nothing of the question: a worker reads one line from its standard input for each"
    );
    check(&["hang"], FailureKind::Timeout, &words).await;
    let words = format!(
        "{late}; what it has printed is no whole line: end each answer with a line end, and flush"
    );
    let print = format!("print={ALLOW}");
    check(&["line", &print, "hang"], FailureKind::Timeout, &words).await;

    let workspace = Workspace::new();
    let steps = ["line", "allow", "repeat=line hang"];
    let bench = Bench::new(&workspace, [worker("guard", &steps).with_timeout(SHORT)]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    bench.decide("{}").await;
    assert_eq!(
        bench.reports(),
        [format!("worker 'guard' {late}; the call was denied")]
    );
}

#[tokio::test]
async fn a_worker_that_ends_while_it_is_asked_is_told_how_it_ended() {
    let check = async |steps: &[&str], kind, words: &str| check(steps, kind, words).await;
    let exit = FailureKind::Exit;
    let words = "ended with status 0 before it answered; a worker answers one line after the other until the end of \
                 its input";
    check(&["line", "exit=0"], exit, words).await;
    check(&["exit=0"], exit, words).await;
    check(
        &["line", "exit=3"],
        exit,
        "ended with status 3 before it answered",
    )
    .await;
    let words = "ended with status 127 before it answered; 127 mostly means that a program it called was not found";
    check(&["line", "exit=127"], exit, words).await;
    let words = "ended with signal 9 (SIGKILL) before it answered";
    check(&["line", "signal=9"], FailureKind::Signal, words).await;
    let words = "ended with status 0 in the middle of its answer; an answer ends with a line end";
    let print = format!("print={ALLOW}");
    check(&["line", &print, "exit=0"], exit, words).await;
    check(&["line", "print={\"deci"], exit, words).await;
    // Somebody else holds the pipe, so its end is not the end of the output.
    let steps = ["line", "spawn-holding=hang", "exit=4"];
    check(&steps, exit, "ended with status 4 before it answered").await;
}

#[tokio::test]
async fn a_worker_that_closes_its_output_and_goes_on_is_not_waited_for() {
    let words = "closed its standard output before it answered; a worker keeps it open until its input ends";
    check(&["line", "close=1", "hang"], FailureKind::Protocol, words).await;
    check(&["close=1", "hang"], FailureKind::Protocol, words).await;
}

/// What is said of a line that came before the question was read.
fn unasked(printed: &str) -> String {
    format!(
        "printed `{printed}` before it had read the question; a worker reads one line from its standard input, answers \
         it with one line, and reads the next; logs belong on stderr"
    )
}

#[tokio::test]
async fn a_line_before_the_question_was_read_is_no_answer() {
    let protocol = FailureKind::Protocol;
    check(&["allow", "hang"], protocol, &unasked(ALLOW)).await;
    check(&["hex=72656164790a", "hang"], protocol, &unasked("ready")).await;
    let workspace = Workspace::new();
    let big = format!(r#"{{"text":"{}"}}"#, "x".repeat(3 << 20));
    let hook = worker("guard", &["read=1000000", "allow", "hang"]);
    let bench = Bench::new(&workspace, [hook]);
    assert!(matches!(bench.decide(&big).await, HookOutcome::Deny(_)));
    let said = unasked(ALLOW);
    assert_eq!(
        bench.reports(),
        [format!("worker 'guard' {said}; the call was denied")]
    );
}

#[tokio::test]
async fn more_than_one_line_for_a_question_is_no_answer() {
    let two = format!("hex={}", hex(&format!("{ALLOW}\n{ALLOW}\n")));
    let words = "printed more than one line for a question; after the answer came `{\"decision\":\"allow\"}`; print one \
                 line for each question, logs belong on stderr";
    check(&["line", &two, "hang"], FailureKind::Protocol, words).await;
    let logged = format!("hex={}", hex(&format!("{ALLOW}\ndone\n")));
    let words = words.replace(ALLOW, "done");
    check(&["line", &logged, "hang"], FailureKind::Protocol, &words).await;
}

#[tokio::test]
async fn a_denial_stays_one_whatever_comes_after_it() {
    let workspace = Workspace::new();
    let deny = format!(
        "hex={}",
        hex("{\"decision\":\"deny\",\"reason\":\"no\"}\n{\"decision\":\"allow\"}\n")
    );
    let hook = worker("guard", &["mark=pids", "line", &deny, "hang"]);
    let bench = Bench::new(&workspace, [hook.with_on_failure(OnFailure::Allow)]);
    for _ in 0..2 {
        let outcome = bench.decide("{}").await;
        assert_eq!(outcome, HookOutcome::deny("denied by worker 'guard': no"));
    }
    let said = "worker 'guard': printed more than one line for a question, and was replaced; after its denial came \
                `{\"decision\":\"allow\"}`";
    assert_eq!(bench.reports(), [said, said]);
    assert_eq!(workspace.lines("pids").len(), 2);
}

#[tokio::test]
async fn what_was_printed_before_the_question_belongs_to_none() {
    let workspace = Workspace::new();
    let late = format!("hex={}", hex(&format!("{ALLOW}\n")));
    let repeated = format!("repeat=line allow wait-for=more {late} mark=printed");
    let bench = Bench::new(&workspace, [worker("guard", &["mark=pids", &repeated])]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    workspace.write("more", "now\n", 0o644);
    in_time(async {
        while !workspace.has("printed") {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
    let outcome = bench.decide("{}").await;
    let told = "denied, because worker 'guard' printed something before it had read the question";
    assert_eq!(denial(&outcome), told);
    let said = format!("worker 'guard' {}; the call was denied", unasked(ALLOW));
    assert_eq!(bench.reports(), [said]);
    fs::remove_file(workspace.path().join("more")).expect("removed");
    assert_eq!(
        bench.decide("{}").await,
        HookOutcome::Allow,
        "by another one"
    );
    assert_eq!(workspace.lines("pids").len(), 2);
}

#[tokio::test]
async fn an_answer_that_names_another_call_is_none() {
    let words = "answered another call than it was asked about: its `tool_call_id` is `\"call-0\"`, and the question's \
                 is \"call-1\"; answer each question before the next one is read";
    check(
        &["line", "nonce-of=call-0", "hang"],
        FailureKind::Protocol,
        words,
    )
    .await;
    let workspace = Workspace::new();
    // The same name deeper in the answer is the tool's own.
    for steps in ["repeat=line nonce", "repeat=line echo"] {
        let bench = Bench::new(&workspace, [worker("guard", &[steps])]);
        let outcome = bench.decide(r#"{"n":1}"#).await;
        assert!(
            matches!(outcome, HookOutcome::Modify { .. }),
            "{:?}",
            bench.reports()
        );
    }
}

#[tokio::test]
async fn a_line_that_is_no_answer_is_explained() {
    let kind = FailureKind::NotAnAnswer;
    let over_lines = format!("hex={}", hex("{\n  \"decision\": \"allow\"\n}\n"));
    let words = "gave no answer: a worker's answer is one line, and this one goes on; print it without line breaks \
                 (printed: `{`); the call was denied";
    let workspace = Workspace::new();
    let came = fault(&workspace, worker("guard", &["line", &over_lines, "hang"])).await;
    assert_eq!(came.0, kind);
    assert_eq!(came.1, words);
    let log = format!("hex={}", hex(&format!("checking the call\n{ALLOW}\n")));
    let came = fault(&workspace, worker("guard", &["line", &log, "hang"])).await;
    assert!(
        came.1
            .contains("logs and whatever a shell profile prints belong on stderr"),
        "{came:?}"
    );
    let too_large = ["line", "answer-of=100001", "hang"];
    let came = fault(&workspace, worker("guard", &too_large)).await;
    assert_eq!(came.0, FailureKind::TooLarge);
    let came = fault(&workspace, worker("guard", &["line", "flood-out=endless"])).await;
    assert_eq!(came.0, FailureKind::TooLarge);
}

#[tokio::test]
async fn after_every_fault_another_process_answers_the_next_question() {
    let two = format!("hex={}", hex(&format!("{ALLOW}\n{ALLOW}\n")));
    let faults: [&[&str]; 8] = [
        &["hang"],
        &["exit=1"],
        &["signal=9"],
        &["close=1", "hang"],
        &[&two],
        &["print=nonsense", "exit=0"],
        &["flood-out=endless"],
        &["spawn-holding=ignore-term hang", "ignore-term", "hang"],
    ];
    for fault in faults {
        let workspace = Workspace::new();
        // Whoever is started first answers once, and then does it.
        let mut steps = vec![
            "mark=pids",
            "line",
            "mark=first",
            "wait-for=first:2",
            "allow",
            "line",
        ];
        steps.extend(fault);
        let hook = worker("guard", &steps)
            .with_timeout(SHORT)
            .with_on_failure(OnFailure::Allow);
        let bench = Bench::new(&workspace, [hook]);
        workspace.write("first", "one\n", 0o644);
        for round in 1..=3 {
            let fine = bench.consult(before(&workspace, "{}")).await;
            assert_eq!(
                fine.trail[0].failure.as_ref().map(HookFailure::kind),
                None,
                "{fault:?}"
            );
            let broken = bench.consult(before(&workspace, "{}")).await;
            assert!(broken.trail[0].failure.is_some(), "{fault:?}");
            assert_eq!(broken.outcome, HookOutcome::Allow, "it is passed over");
            assert_eq!(workspace.lines("pids").len(), round, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn what_a_worker_printed_as_errors_is_in_the_report_of_its_failure() {
    let workspace = Workspace::new();
    let hook = worker(
        "guard",
        &["line", "error=Traceback: no such table", "exit=1"],
    );
    let (_, report) = fault(&workspace, hook).await;
    assert!(
        report.ends_with("; it printed on stderr:\nTraceback: no such table"),
        "{report}"
    );
}

fn hex(text: &str) -> String {
    use std::fmt::Write;
    text.bytes().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("written");
        digits
    })
}
