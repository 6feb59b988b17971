//! What a person's answer, or the lack of one, means.

use std::{future::pending, time::Duration};

use hook_wire::MAX_REASON_BYTES;

use super::*;
use crate::{
    Asked, Reply,
    testing::{after, call},
};

const COMMAND: &str = r#"{"command":"make deploy"}"#;

fn asker() -> Mine {
    says("deploys", Answer::ask("this deploys"))
}

/// What comes of an ask with this person, and what the operator reads.
async fn asked_of(person: Person) -> (Consultation, Vec<String>) {
    let runner = runner_of([asker()]).with_approver(person);
    let (runner, reports) = Reports::built(runner);
    let consultation = runner.consult(before(COMMAND)).await;
    (consultation, reports.all())
}

/// The denial of a call that no person agreed to.
fn not_made(why: &str) -> HookOutcome {
    HookOutcome::deny(format!(
        "the call was not made, because a person has to agree, and {why} (asked by policy 'deploys': this deploys); a \
         person can run it by hand: make deploy"
    ))
}

#[tokio::test]
async fn a_person_who_agrees_lets_the_call_happen() {
    for remember in [false, true] {
        let granted = Approval::Granted { remember };
        let (consultation, reports) = asked_of(Person::saying(granted)).await;
        assert_eq!(consultation.outcome, HookOutcome::Allow);
        assert_eq!(*settled(&consultation), Settled::Granted { remember });
        assert_eq!(reports, Vec::<String>::new());
    }
}

#[tokio::test]
async fn after_a_yes_no_participant_is_asked_again() {
    let person = Person::saying(Approval::granted());
    let participants = [asker(), says("lint", Answer::allow())];
    let consultation = consult_with(&person, before(COMMAND), participants).await;
    assert_eq!(
        words(&consultation),
        [("deploys", "ask"), ("lint", "allow")]
    );
}

#[tokio::test]
async fn a_person_who_refuses_denies_in_their_own_words() {
    let cases = [
        (
            Some("not on a Friday"),
            "not approved: not on a Friday (asked by policy 'deploys': this deploys)",
        ),
        (
            None,
            "not approved by the person who was asked (asked by policy 'deploys': this deploys)",
        ),
        (
            Some(""),
            "not approved by the person who was asked (asked by policy 'deploys': this deploys)",
        ),
    ];
    for (reason, words) in cases {
        let reason = reason.map(str::to_owned);
        let refused = Approval::Refused(reason.clone());
        let (consultation, reports) = asked_of(Person::saying(refused)).await;
        assert_eq!(consultation.outcome, HookOutcome::deny(words));
        assert_eq!(*settled(&consultation), Settled::Refused(reason));
        assert_eq!(reports, Vec::<String>::new());
    }
}

#[tokio::test]
async fn what_a_person_says_is_cut_where_a_programs_words_are() {
    let refused = Approval::refused("no".repeat(MAX_REASON_BYTES));
    let (consultation, _) = asked_of(Person::saying(refused)).await;
    let Settled::Refused(Some(reason)) = settled(&consultation) else {
        panic!("a refusal")
    };
    assert!(reason.len() <= MAX_REASON_BYTES && reason.ends_with("[cut]"));
    let denial = consultation.outcome.reason().expect("a denial");
    assert!(denial.len() < MAX_REASON_BYTES + 100, "{}", denial.len());
}

#[tokio::test]
async fn a_yes_after_the_deadline_is_none_whatever_the_timer_saw() {
    let agrees = Person::saying(Approval::granted());
    let runner = runner_of([asker()])
        .with_approver(agrees)
        .with_approval_timeout(Duration::ZERO);
    let (runner, reports) = Reports::built(runner);
    let consultation = runner.consult(before(COMMAND)).await;
    assert_eq!(consultation.outcome, not_made("none answered within 0 s"));
    assert_eq!(
        reports.all(),
        ["host 'approval': the approver did not answer within 0 s"]
    );
}

#[tokio::test]
async fn without_an_approver_the_call_is_denied_with_how_to_run_it_by_hand() {
    let (runner, reports) = Reports::built(runner_of([asker()]));
    let denied = not_made("none can be asked here");
    let consultation = runner.consult(before(COMMAND)).await;
    assert_eq!(consultation.outcome, denied);
    let why = Settled::Unanswered("none can be asked here".into());
    assert_eq!(*settled(&consultation), why);
    assert_eq!(
        runner.decide(&call(COMMAND)).await,
        denied,
        "decide sees it"
    );
    assert_eq!(reports.all(), Vec::<String>::new(), "nothing is broken");
}

/// Panics when it is dropped, after it said yes.
struct AgreesAndPanics;

impl Drop for AgreesAndPanics {
    fn drop(&mut self) {
        panic!("on drop");
    }
}

impl Future for AgreesAndPanics {
    type Output = Result<Approval, InterceptorError>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::task::Poll::Ready(Ok(Approval::granted()))
    }
}

#[tokio::test]
async fn an_approver_that_breaks_denies_and_the_model_reads_nothing_of_it() {
    let broken: [(Person, &str); 4] = [
        (
            Person::new(|_| Box::pin(ready(Err("https://chat/token=hunter2 is down".into())))),
            "host 'approval': the approver failed: https://chat/token=hunter2 is down",
        ),
        (
            Person::new(|_| panic!("when starting")),
            "host 'approval': the approver panicked: when starting",
        ),
        (
            Person::new(|_| Box::pin(async { panic!("when polled") })),
            "host 'approval': the approver panicked: when polled",
        ),
        (
            Person::new(|_| Box::pin(AgreesAndPanics)),
            "host 'approval': the approver panicked: on drop",
        ),
    ];
    for (person, report) in broken {
        let (consultation, reports) = asked_of(person.clone()).await;
        let why = "the host's way to ask one failed";
        assert_eq!(consultation.outcome, not_made(why));
        assert_eq!(*settled(&consultation), Settled::Unanswered(why.into()));
        assert_eq!(reports, [report]);
        let notes: Vec<_> = consultation.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [report],
            "a host without a reporter hears of it, too"
        );
        assert_eq!(person.asked().len(), 1, "it is not tried again");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_who_does_not_answer_by_the_deadline_denies() {
    let never = Person::new(|_| Box::pin(pending()));
    let since = tokio::time::Instant::now();
    let (consultation, reports) = asked_of(never.clone()).await;
    assert_eq!(since.elapsed().as_secs(), 600, "ten minutes unless set");
    assert_eq!(consultation.outcome, not_made("none answered within 600 s"));
    assert_eq!(
        reports,
        ["host 'approval': the approver did not answer within 600 s"]
    );

    let runner = runner_of([asker()]).with_approver(never);
    let runner = runner.with_approval_timeout(Duration::from_secs(3));
    let since = tokio::time::Instant::now();
    let outcome = Reports::built(runner).0.decide(&call(COMMAND)).await;
    assert_eq!(since.elapsed().as_secs(), 3);
    assert_eq!(outcome, not_made("none answered within 3 s"));
}

#[tokio::test(start_paused = true)]
async fn a_person_has_what_is_left_of_the_budget_where_the_host_says_so() {
    async fn late() -> Reply {
        tokio::time::sleep(Duration::from_secs(4)).await;
        Reply::new(Ok(Answer::ask("this deploys")))
    }
    let late_asker = || Mine::new(policy("deploys"), |_| Box::pin(late()));
    for (budget, timeout, within, left) in [
        (10, 60, true, 6),
        (10, 6, true, 6),
        (10, 3, true, 3),
        (10, 60, false, 60),
        (u64::MAX, 60, true, 60),
    ] {
        let never = Person::new(|_| Box::pin(pending()));
        let runner = runner_of([late_asker()])
            .with_approver(never)
            .with_budget(Duration::from_secs(budget))
            .with_approval_timeout(Duration::from_secs(timeout));
        let runner = if within {
            runner.with_approval_within_budget()
        } else {
            runner
        };
        let (runner, _) = Reports::built(runner);
        let since = tokio::time::Instant::now();
        let outcome = runner.decide(&call(COMMAND)).await;
        assert_eq!(since.elapsed().as_secs(), 4 + left, "{budget} {timeout}");
        assert_eq!(outcome, not_made(&format!("none answered within {left} s")));
    }
}

#[test]
fn the_deadline_of_a_person_is_kept_in_a_runtime_without_a_clock() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let never = Person::new(|_| Box::pin(pending()));
    let runner = runner_of([asker()]).with_approver(never);
    let runner = runner.with_approval_timeout(Duration::from_millis(20));
    let (runner, _) = Reports::built(runner);
    let outcome = runtime
        .expect("a runtime")
        .block_on(runner.decide(&call(COMMAND)));
    assert_eq!(outcome, not_made("none answered within 0.02 s"));
}

#[tokio::test]
async fn a_command_is_shown_harmless_and_only_if_it_is_short() {
    let said = async |input: &str| {
        let (runner, _) = Reports::built(runner_of([asker()]));
        let outcome = runner.decide(&call(input)).await;
        outcome.reason().expect("a denial").to_owned()
    };
    let escaped = said(r#"{"command":"echo \u001b[31m\nrm"}"#).await;
    assert!(!escaped.contains(['\u{1b}', '\n']), "{escaped:?}");
    assert!(escaped.contains("a person can run it by hand: echo "));
    let long = said(&format!(r#"{{"command":"{}"}}"#, "x".repeat(501))).await;
    assert!(long.ends_with("; a person can do it by hand"), "{long}");
    let other = said(r#"{"path":"a"}"#).await;
    assert!(other.ends_with("; a person can do it by hand"), "{other}");
}

#[tokio::test]
async fn what_was_asked_stands_in_the_consultation() {
    let person = Person::saying(Approval::granted());
    let consultation = consult_with(&person, after(serde_json::json!(1), false), [asker()]).await;
    let Asked {
        by,
        first,
        then,
        settled,
    } = consultation.asked.expect("it was asked");
    let questions = person.asked();
    let [request] = &questions[..] else {
        panic!("one question")
    };
    assert_eq!((&by, &then), (&request.by, &request.then));
    assert_eq!(*first, request.first);
    assert_eq!(settled, Settled::Granted { remember: false });
}
