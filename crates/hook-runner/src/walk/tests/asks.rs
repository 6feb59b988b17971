//! What an ask does in the chain, before a person hears of it.

use hook_contract::Rewrite;
use serde_json::json;

use super::*;
use crate::testing::{after, call};

fn input(value: serde_json::Value) -> Rewrite {
    Rewrite::Input(value.into())
}

#[tokio::test]
async fn an_ask_ends_nothing_and_later_participants_are_asked() {
    let person = Person::saying(Approval::granted());
    let participants = [
        says("deploys", Answer::ask("this deploys")),
        says("lint", Answer::allow()),
    ];
    let consultation = consult_with(&person, before("{}"), participants).await;
    assert_eq!(
        words(&consultation),
        [("deploys", "ask"), ("lint", "allow")]
    );
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test]
async fn a_later_deny_wins_and_the_approver_is_never_called() {
    let person = Person::saying(Approval::granted());
    let denials = [
        says("guard", Answer::deny("no")),
        Mine::new(policy("guard"), |_| panic!("broken")),
    ];
    for guard in denials {
        let participants = [says("deploys", Answer::ask("this deploys")), guard];
        let consultation = consult_with(&person, before("{}"), participants).await;
        let HookOutcome::Deny(reason) = &consultation.outcome else {
            panic!("a denial")
        };
        assert!(reason.contains("policy 'guard'"), "{reason}");
        assert_eq!(consultation.asked, None, "no person had a say");
    }
    assert_eq!(person.asked(), []);
}

#[tokio::test]
async fn rewrites_go_on_after_an_ask() {
    let person = Person::saying(Approval::granted());
    let sees = Mine::saying(policy("guard"), |call| {
        assert_eq!(call.input["command"], "make -n deploy");
        Answer::allow()
    });
    let participants = [
        says("deploys", Answer::ask("this deploys")),
        says(
            "dry-run",
            Answer::modify(json!({"command": "make -n deploy"})).with_reason("a dry run"),
        ),
        sees,
    ];
    let request = before(r#"{"command":"make deploy"}"#);
    let consultation = consult_with(&person, request, participants).await;
    let expected = HookOutcome::modify(json!({"command": "make -n deploy"}))
        .because("policy 'dry-run': a dry run");
    assert_eq!(consultation.outcome, expected);
    assert_eq!(person.asked()[0].then, expected);
}

#[tokio::test]
async fn two_asks_are_one_question_with_both_reasons_in_order() {
    let person = Person::saying(Approval::granted());
    let participants = [
        says("deploys", Answer::ask("this deploys")),
        says("quiet", Answer::ask_without_reason()),
        says("costs", Answer::ask("this costs money")),
    ];
    let consultation = consult_with(&person, before("{}"), participants).await;
    let asked = person.asked();
    let [request] = &asked[..] else {
        panic!("one question")
    };
    assert_eq!(
        request.reasons(),
        "policy 'deploys': this deploys\npolicy 'quiet'\npolicy 'costs': this costs money"
    );
    assert_eq!(consultation.asked.expect("it was asked").by, request.by);
}

#[tokio::test]
async fn the_approver_is_shown_the_first_and_the_final_form_once() {
    let person = Person::saying(Approval::granted());
    let asks = Answer::ask("dry run instead?").with_rewrite(input(json!({"command": "b"})));
    let participants = [
        says("dry-run", asks),
        says("pin", Answer::modify(json!({"command": "c"}))),
    ];
    let consultation = consult_with(&person, before(r#"{"command":"a"}"#), participants).await;
    let asked = person.asked();
    let [request] = &asked[..] else {
        panic!("one question")
    };
    assert_eq!(request.first.input["command"], "a");
    assert_eq!(request.call.input["command"], "c");
    assert!(!request.call.again && !request.first.again);
    let HookOutcome::Modify { input, reason } = &consultation.outcome else {
        panic!("a rewrite")
    };
    assert_eq!(input["command"], "c");
    // What an asker says is for the person, and stands in the question.
    assert_eq!(reason.as_deref(), Some("policy 'dry-run'; policy 'pin'"));
    let told = consultation.asked.expect("it was asked");
    assert_eq!(told.first.input["command"], "a");
    assert_eq!(told.then, request.then);
}

#[tokio::test]
async fn on_failure_allow_never_turns_an_ask_into_an_allow() {
    let unfit = [
        (
            Answer::ask("why").with_rewrite(Rewrite::output(json!("x"), None)),
            "answered `ask` about an `output`, which is no rewrite before the call; an `input` is",
        ),
        (
            Answer::ask("why").with_rewrite(input(json!("ls"))),
            "answered `ask` with an input that is not a JSON object; a tool's input is one",
        ),
    ];
    let person = Person::saying(Approval::granted());
    for (answer, said) in unfit {
        let asker = says("odd", answer).with_on_failure(OnFailure::Allow);
        let (runner, reports) = Reports::built(runner_of([asker]).with_approver(person.clone()));
        let consultation = runner.consult(before("{}")).await;
        assert_eq!(
            consultation.outcome,
            HookOutcome::deny(format!("denied, because policy 'odd' {said}"))
        );
        let reports = reports.all();
        let [report] = &reports[..] else {
            panic!("one report")
        };
        assert!(report.ends_with("; the call was denied"), "{report}");
        assert_eq!(consultation.trail[0].on_failure, OnFailure::Deny);
    }
    let after_call = Answer::ask("why").with_rewrite(input(json!({})));
    let asker = says("odd", after_call).with_on_failure(OnFailure::Allow);
    let consultation = consult_with(&person, after(json!("x"), false), [asker]).await;
    assert!(matches!(consultation.outcome, HookOutcome::Deny(_)));
    assert_eq!(person.asked(), [], "there is no form to agree to");

    let unanswered = says("odd", Answer::ask("why")).with_on_failure(OnFailure::Allow);
    let (runner, _) = Reports::built(runner_of([unanswered]));
    let outcome = runner.decide(&call("{}")).await;
    assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
}

#[tokio::test]
async fn a_panic_after_an_ask_does_not_take_it_back() {
    use std::task::Poll;

    use crate::{Reply, testing::Armed};

    let asker = Mine::new(policy("odd"), |_| {
        Box::pin(Armed(|| Poll::Ready(Reply::new(Ok(Answer::ask("why"))))))
    });
    let asker = asker.with_on_failure(OnFailure::Allow);
    let (runner, reports) = Reports::built(runner_of([asker]));
    let consultation = runner.consult(before("{}")).await;
    assert!(matches!(consultation.outcome, HookOutcome::Deny(_)));
    assert_eq!(consultation.asked.expect("it was asked").by.len(), 1);
    assert_eq!(
        reports.all(),
        ["policy 'odd': panicked when its work was dropped; the ask stands"]
    );
}

#[tokio::test]
async fn after_a_call_an_ask_withholds_the_result() {
    let asker = || says("secrets", Answer::ask("this looks like a key"));
    let (runner, _) = Reports::built(runner_of([asker()]));
    let withheld = HookOutcome::deny(
        "the result is withheld, because a person has to agree, and none can be asked here (asked by policy 'secrets': \
         this looks like a key)",
    );
    let consultation = runner.consult(after(json!("key"), false)).await;
    assert_eq!(consultation.outcome, withheld);
    let reviewed = call("{}");
    let review = runner.review(&reviewed, json!("key"), false);
    assert_eq!(review.await, withheld, "review sees it");

    let person = Person::saying(Approval::granted());
    let consultation = consult_with(&person, after(json!("key"), false), [asker()]).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    let rewrite = Rewrite::output(json!("k…"), Some(true));
    let asks = says("secrets", Answer::ask("is this all?").with_rewrite(rewrite));
    let consultation = consult_with(&person, after(json!("key"), false), [asks]).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::replace(json!("k…"), true).because("policy 'secrets'")
    );
}
