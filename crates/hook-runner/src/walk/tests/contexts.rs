//! Words for the model beside the decisions.

use hook_contract::HookSpec;
use serde_json::json;

use super::*;
use crate::{
    HookFailure,
    testing::{after, consult},
};

fn told(consultation: &Consultation) -> Vec<String> {
    let context = consultation.context.iter();
    context.map(ToString::to_string).collect()
}

#[tokio::test]
async fn words_stand_beside_each_decision_in_order_and_with_attribution() {
    let person = Person::saying(Approval::granted());
    let participants = [
        says("a", Answer::allow().with_context("allowed")),
        says("b", Answer::ask("why").with_context("asked")),
        says("c", Answer::modify(json!({})).with_context("modified")),
        says(
            "d",
            Answer::deny("no")
                .with_context("denied")
                .with_context("twice"),
        ),
        says("e", Answer::allow().with_context("not asked any more")),
    ];
    let consultation = consult_with(&person, before("{}"), participants).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by policy 'd': no")
    );
    let expected = [
        "policy 'a': allowed",
        "policy 'b': asked",
        "policy 'c': modified",
        "policy 'd': denied",
        "policy 'd': twice",
    ];
    assert_eq!(told(&consultation), expected, "delivered with a deny too");

    let replaces = says("r", Answer::replace(json!(2)).with_context("replaced"));
    let consultation = consult(after(json!(1), false), [replaces]).await;
    assert_eq!(told(&consultation), ["policy 'r': replaced"]);
}

#[tokio::test]
async fn word_for_word_the_same_is_said_by_the_first_alone() {
    let same = || Answer::allow().with_context("two warnings");
    let participants = [
        says("lint", same()),
        says("again", same()),
        says("other", Answer::allow().with_context("two warnings!")),
    ];
    let consultation = consult(before("{}"), participants).await;
    let expected = [
        "policy 'lint': two warnings",
        "policy 'other': two warnings!",
    ];
    assert_eq!(told(&consultation), expected);
}

#[tokio::test]
async fn a_participant_that_failed_says_nothing_to_the_model() {
    let unfit = Answer::replace(json!("x")).with_context("from an answer that is none");
    let fails = Mine::new(policy("broken"), |_| {
        let failure = HookFailure::Transport("secret".into());
        Box::pin(ready(Reply::from(failure)))
    });
    let participants = [
        says("unfit", unfit).with_on_failure(OnFailure::Allow),
        fails.with_on_failure(OnFailure::Allow),
        says("lint", Answer::allow().with_context("fine")),
    ];
    let consultation = consult(before("{}"), participants).await;
    assert_eq!(told(&consultation), ["policy 'lint': fine"]);
    assert_eq!(
        words(&consultation),
        [("unfit", "failed"), ("broken", "failed"), ("lint", "allow")]
    );
}

#[tokio::test]
async fn words_that_are_too_long_are_cut_and_the_operator_knows() {
    let long = Answer::allow().with_context("x".repeat(20_000));
    let runner = runner_of([says("lint", long)]);
    let (runner, reports) = Reports::built(runner);
    let consultation = runner.consult(before("{}")).await;
    assert_eq!(consultation.context[0].text.len(), 16 * 1024);
    let note = "policy 'lint': said 20000 bytes for the model, of which 3616 are left out: one answer may say 16384, and \
                all together 65536";
    assert_eq!(reports.all(), [note]);
}

#[tokio::test]
async fn a_program_says_words_beside_any_decision() {
    let script = r#"cat >/dev/null; echo '{"decision":"allow","context":"two warnings"}'"#;
    let hook = HookSpec::new("lint", ["sh", "-c", script]);
    let directory = tempfile::tempdir().expect("a directory");
    let runner = HookRunner::builder(directory.path()).with_hooks([hook]);
    let (runner, reports) = Reports::built(runner);
    let consultation = runner.consult(before("{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(told(&consultation), ["hook 'lint': two warnings"]);
    assert_eq!(reports.all(), Vec::<String>::new());
}
