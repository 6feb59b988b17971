use std::{task::Poll, time::Duration};

use hook_contract::{Answer, OnFailure, async_trait};

use super::*;
use crate::{
    HookFailure, Identity, Origin, Question, Ranks, Reply, TimeLimit,
    testing::{Armed, Mine, WORKSPACE, mine, user},
};

#[tokio::test]
async fn an_interceptor_that_fails_or_panics_denies_and_is_reported() {
    let failing = With("vault", |_: &HookRequest| Err("unreachable".into()));
    let panicking = With("vault", |_: &HookRequest| panic!("lost {}", "it"));
    let expected = [
        ("could not answer", "answered with an error: unreachable"),
        ("panicked", "panicked: lost it"),
    ];
    let runners = [
        HookRunner::new("/ws", vec![]).with_interceptor(failing),
        HookRunner::new("/ws", vec![]).with_interceptor(panicking),
    ];
    for (runner, (told, said)) in runners.into_iter().zip(expected) {
        let (runner, reports) = Reports::of(runner);
        let outcome = runner.decide(&call("{}")).await;
        assert_eq!(
            outcome,
            HookOutcome::deny(format!("denied, because interceptor 'vault' {told}"))
        );
        assert_eq!(
            reports.all(),
            [format!("interceptor 'vault' {said}; the call was denied")]
        );
    }
}

#[tokio::test]
async fn a_panic_after_a_denial_or_the_end_of_the_budget_lets_nothing_through() {
    let denies = mine(|| Box::pin(Armed(|| Poll::Ready(Reply::new(Ok(Answer::deny("no")))))));
    let (runner, reports) = Reports::built(denies);
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'remote': no")
    );
    assert_eq!(
        reports.all(),
        ["policy 'remote': panicked when its work was dropped; the denial stands"]
    );

    let hangs = mine(|| Box::pin(Armed(|| Poll::Pending))).with_budget(Duration::from_millis(20));
    let outcome = hangs.build().expect("a runner").decide(&call("{}")).await;
    assert!(matches!(&outcome, HookOutcome::Deny(reason) if reason.contains("20 ms")));
}

#[tokio::test]
async fn a_panic_anywhere_in_a_participant_is_a_failure_of_it() {
    let builders = [
        mine(|| panic!("at once")),
        mine(|| Box::pin(async { panic!("later") })),
        mine(|| Box::pin(Armed(|| Poll::Ready(Reply::new(Ok(Answer::allow())))))),
    ];
    for builder in builders {
        let (runner, reports) = Reports::built(builder);
        assert_eq!(
            runner.decide(&call("{}")).await,
            HookOutcome::Allow,
            "its on_failure is allow"
        );
        let [report] = &reports.all()[..] else {
            panic!("one report")
        };
        assert!(report.starts_with("policy 'remote' panicked: "), "{report}");
        assert!(
            report.ends_with("; it was passed over (on_failure is allow)"),
            "{report}"
        );
    }
}

#[tokio::test]
async fn a_participant_that_panics_about_whom_it_concerns_is_asked() {
    struct Unsure(Identity);

    #[async_trait]
    impl Participant for Unsure {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, _subject: &Subject<'_>) -> bool {
            panic!("no idea")
        }

        async fn ask(&self, _question: &Question) -> Reply {
            Reply::new(Ok(Answer::deny("no")))
        }
    }

    let unsure = Unsure(Identity::new("policy", "unsure", Origin::Host));
    let runner = HookRunner::builder("/ws")
        .with_participant(unsure)
        .build()
        .expect("a runner");
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by policy 'unsure': no")
    );
}

/// Panics wherever it is asked about itself. It fails about a one and denies a two.
struct Speechless(Identity);

#[async_trait]
impl Participant for Speechless {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        panic!("applies_to")
    }

    fn on_failure(&self) -> OnFailure {
        panic!("on_failure")
    }

    fn ranks(&self) -> Ranks {
        panic!("ranks")
    }

    fn time_limit(&self) -> TimeLimit {
        panic!("time_limit")
    }

    async fn ask(&self, question: &Question) -> Reply {
        if question.request().input["n"] == 1 {
            return Reply::new(Err(HookFailure::Interceptor("broken".into())));
        }
        let is_safe = question.request().input["n"] != 2;
        Reply::new(Ok(if is_safe {
            Answer::allow()
        } else {
            Answer::deny("not two")
        }))
    }

    async fn close(&self) {
        panic!("close")
    }
}

#[tokio::test]
async fn a_participant_that_panics_about_itself_counts_as_the_strictest() {
    let speechless = Speechless(user("speechless"));
    let makes_two = Mine::saying(user("makes-two"), |_| Answer::modify(json!({"n": 2})));
    let builder = HookRunner::builder(WORKSPACE).with_participant(speechless);
    let (runner, reports) = Reports::built(builder.with_participant(makes_two));
    assert_eq!(
        runner.decide(&call(r#"{"n":1}"#)).await,
        HookOutcome::deny("denied, because hook 'speechless' could not answer"),
        "its failure denies"
    );
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by hook 'speechless': not two"),
        "it is asked again about what a hook of the same file wrote"
    );
    runner.close().await;
    let all = reports.all();
    let closed = all.last().map(String::as_str);
    let expected = "hook 'speechless' panicked when it was closed: close";
    assert_eq!(closed, Some(expected));
}
