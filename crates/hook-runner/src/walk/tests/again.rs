//! Asking the higher ranks again about what a lower rank rewrote, before a call.

use serde_json::json;

use super::*;
use crate::{
    Rank, Ranks,
    testing::{consult, user, workspace},
};

/// The guard of the demonstration: it denies whatever removes things.
fn guard(identity: Identity) -> Mine {
    Mine::saying(identity, |call| {
        let command = call.input["command"].as_str().unwrap_or_default();
        if command.contains("rm -rf") {
            Answer::deny("no rm -rf")
        } else {
            Answer::allow()
        }
    })
}

/// Runs this whatever it was asked about.
fn runs(identity: Identity, command: &'static str) -> Mine {
    Mine::saying(identity, move |_| {
        Answer::modify(json!({"command": command}))
    })
}

/// Puts this before every command.
fn wraps(identity: Identity, word: &'static str) -> Mine {
    Mine::saying(identity, move |call| {
        let command = call.input["command"].as_str().unwrap_or_default();
        Answer::modify(json!({"command": format!("{word} {command}")}))
    })
}

fn agrees(identity: Identity) -> Mine {
    Mine::saying(identity, |_| Answer::allow())
}

fn ls() -> HookRequest {
    before(r#"{"command":"ls"}"#)
}

/// The names of those that were asked, with the pass.
fn passes(consultation: &Consultation) -> Vec<(&str, u8)> {
    let steps = consultation.trail.iter();
    steps.map(|step| (step.who.name(), step.pass)).collect()
}

/// The command that would run.
fn command(consultation: &Consultation) -> String {
    let HookOutcome::Modify { input, .. } = &consultation.outcome else {
        panic!("a rewrite, not {:?}", consultation.outcome)
    };
    input["command"].as_str().expect("a command").to_owned()
}

#[tokio::test]
async fn a_guard_of_a_higher_rank_judges_what_a_lower_rank_wrote() {
    for guard in [guard(policy("guard")), guard(user("guard"))] {
        let who = guard.identity().to_string();
        let helpful = runs(workspace("helpful"), "rm -rf ~");
        let consultation = consult(ls(), [guard, helpful]).await;
        assert_eq!(
            consultation.outcome,
            HookOutcome::deny(format!("denied by {who}: no rm -rf"))
        );
        let expected = [("guard", 1), ("helpful", 1), ("guard", 2)];
        assert_eq!(passes(&consultation), expected);
    }
}

#[tokio::test]
async fn one_of_the_same_rank_is_not_asked_again() {
    let ranks: [fn(&str) -> Identity; 3] = [policy, user, workspace];
    for of_rank in ranks {
        let participants = [
            guard(of_rank("guard")),
            runs(of_rank("helpful"), "rm -rf ~"),
        ];
        let consultation = consult(ls(), participants).await;
        assert_eq!(command(&consultation), "rm -rf ~", "as basis does it");
        assert_eq!(passes(&consultation), [("guard", 1), ("helpful", 1)]);
    }
}

#[tokio::test]
async fn the_outer_file_of_a_workspace_ranks_above_the_inner_one() {
    let outer = guard(workspace("outer")).with_ranks(Ranks::both(Rank::workspace(0)));
    let inner = runs(workspace("inner"), "rm -rf ~").with_ranks(Ranks::both(Rank::workspace(1)));
    let consultation = consult(ls(), [outer, inner]).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by hook 'outer': no rm -rf")
    );
}

#[tokio::test]
async fn a_higher_rank_that_allows_agrees() {
    let participants = [agrees(user("guard")), runs(workspace("helpful"), "ls -l")];
    let consultation = consult(ls(), participants).await;
    assert_eq!(command(&consultation), "ls -l");
    let expected = [("guard", 1), ("helpful", 1), ("guard", 2)];
    assert_eq!(passes(&consultation), expected);
}

#[tokio::test]
async fn a_higher_rank_that_gives_the_same_form_back_agrees() {
    let echoes = Mine::saying(user("echo"), |call| Answer::modify(call.input.clone()));
    let reorders = Mine::saying(user("echo"), |call| {
        let both = call.input["a"] == 1;
        Answer::modify(if both {
            hook_contract::Json::parse(r#"{"b":2,"a":1}"#).expect("JSON")
        } else {
            call.input.clone()
        })
    });
    for echo in [echoes, reorders] {
        let host = agrees(policy("host"));
        let writes = Mine::saying(workspace("helpful"), |_| {
            Answer::modify(hook_contract::Json::parse(r#"{"a":1,"b":2}"#).expect("JSON"))
        });
        let consultation = consult(ls(), [host, echo, writes]).await;
        let expected = [
            ("host", 1),
            ("echo", 1),
            ("helpful", 1),
            ("host", 2),
            ("echo", 2),
        ];
        assert_eq!(passes(&consultation), expected, "and no third round");
        assert!(matches!(consultation.outcome, HookOutcome::Modify { .. }));
    }
}

#[tokio::test]
async fn a_rewrite_that_changes_nothing_starts_nothing() {
    let same = Mine::saying(workspace("helpful"), |call| {
        Answer::modify(call.input.clone())
    });
    let consultation = consult(ls(), [agrees(user("guard")), same]).await;
    assert_eq!(passes(&consultation), [("guard", 1), ("helpful", 1)]);
    assert_eq!(command(&consultation), "ls", "it is a rewrite all the same");
}

#[tokio::test]
async fn a_higher_rank_that_insists_has_the_last_word() {
    // It repeats its own rewrite: what it wrote runs, and not what the lower rank made of it.
    let participants = [
        runs(user("pin"), "make v1"),
        runs(workspace("helpful"), "make v2"),
    ];
    let consultation = consult(ls(), participants).await;
    assert_eq!(command(&consultation), "make v1");
    let expected = [("pin", 1), ("helpful", 1), ("pin", 2)];
    assert_eq!(passes(&consultation), expected);
}

#[tokio::test]
async fn two_ranks_that_insist_end_in_a_denial_that_names_both() {
    let participants = [
        runs(policy("host"), "make v1"),
        runs(user("pin"), "make v2"),
        runs(workspace("helpful"), "make v3"),
    ];
    let consultation = consult(ls(), participants).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny(
            "denied, because policy 'host' and hook 'pin' do not agree on the form of the call: each rewrites what the \
             other left"
        )
    );
    let expected = [
        ("host", 1),
        ("pin", 1),
        ("helpful", 1),
        ("host", 2),
        ("pin", 2),
        ("host", 3),
    ];
    assert_eq!(passes(&consultation), expected);
}

#[tokio::test]
async fn in_the_last_round_an_allow_agrees() {
    // The host rewrites what has no version, and agrees to any version.
    let host = Mine::saying(policy("host"), |call| {
        let command = call.input["command"].as_str().unwrap_or_default();
        if command == "ls" {
            Answer::modify(json!({"command": "ls v0"}))
        } else {
            Answer::allow()
        }
    });
    let participants = [
        host,
        runs(user("pin"), "make v1"),
        runs(workspace("helpful"), "make v2"),
    ];
    let consultation = consult(ls(), participants).await;
    assert_eq!(command(&consultation), "make v1");
    let expected = [
        ("host", 1),
        ("pin", 1),
        ("helpful", 1),
        ("host", 2),
        ("pin", 2),
        ("host", 3),
    ];
    assert_eq!(passes(&consultation), expected);
}

#[tokio::test]
async fn a_rewrite_of_a_higher_rank_does_not_launder_what_a_lower_one_wrote() {
    let participants = [
        wraps(policy("sandbox"), "bwrap --"),
        guard(user("guard")),
        runs(workspace("helpful"), "rm -rf ~"),
    ];
    let consultation = consult(ls(), participants).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by hook 'guard': no rm -rf")
    );
    let last = consultation.trail.last().expect("a step");
    let asked = last.request.as_ref().expect("kept for a trail");
    assert_eq!(asked.input["command"], "bwrap -- rm -rf ~");
}

#[tokio::test]
async fn one_that_is_not_concerned_is_not_asked_again() {
    struct Elsewhere(Identity);

    #[hook_contract::async_trait]
    impl Participant for Elsewhere {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, subject: &Subject<'_>) -> bool {
            subject.tool_name == "other"
        }

        async fn ask(&self, _: &crate::Question) -> Reply {
            panic!("it is not concerned")
        }
    }

    let runner = runner_of([]).with_participant(Elsewhere(policy("elsewhere")));
    let runner = runner.with_participant(runs(workspace("helpful"), "ls -l"));
    let consultation = Reports::built(runner).0.consult(ls()).await;
    assert_eq!(passes(&consultation), [("helpful", 1)]);
    assert_eq!(command(&consultation), "ls -l");
}

#[tokio::test]
async fn an_observer_that_fails_when_it_is_asked_again_is_passed_over() {
    let observer = Mine::new(user("observer"), |question| {
        assert!(!question.request().again, "broken");
        Box::pin(ready(Reply::new(Ok(Answer::allow()))))
    });
    let observer = observer.with_on_failure(OnFailure::Allow);
    let consultation = consult(ls(), [observer, runs(workspace("helpful"), "ls -l")]).await;
    assert_eq!(command(&consultation), "ls -l");
    assert_eq!(
        words(&consultation).last().copied(),
        Some(("observer", "failed"))
    );
}

#[tokio::test]
async fn asks_stay_whatever_the_higher_rank_says_of_the_final_form() {
    let asks_once = |again: Answer| {
        let first = Answer::ask("this deploys");
        let say = move |call: &HookRequest| if call.again { &again } else { &first }.clone();
        Mine::saying(user("deploys"), say)
    };
    let person = Person::saying(Approval::granted());
    let cases = [
        (Answer::allow(), "hook 'deploys': this deploys"),
        (Answer::ask("this deploys"), "hook 'deploys': this deploys"),
        (
            Answer::ask("now it deploys twice"),
            "hook 'deploys': this deploys\nhook 'deploys': now it deploys twice",
        ),
    ];
    for (again, reasons) in cases {
        let participants = [asks_once(again), runs(workspace("helpful"), "ls -l")];
        let consultation = consult_with(&person, ls(), participants).await;
        assert_eq!(command(&consultation), "ls -l");
        let asked = person.asked();
        let request = asked.last().expect("a question");
        assert_eq!(request.reasons(), reasons);
        assert!(!request.call.again, "the person is asked once");
        assert_eq!(request.call.input["command"], "ls -l");
    }
    assert_eq!(person.asked().len(), 3);
}
