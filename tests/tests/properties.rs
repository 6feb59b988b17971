//! The chain against a model of it: any participants, any answers, any numbers.

#[path = "properties/model.rs"]
mod model;
#[path = "properties/scripted.rs"]
mod scripted;

use std::{future::pending, pin::Pin, sync::Arc};

use hook_config::OnFailure;
use hook_contract::{HookEvent, HookOutcome, HookRequest};
use hook_runner::{Answer, HookFailure, HookRunner, Identity, Origin, Participant, Question};
use hookchain_tests::{Bench, Workspace, call};
use proptest::prelude::*;

use self::{
    model::{Told, model},
    scripted::{Log, Say, Script, Scripted, hush, json},
};

/// The same, as the runner told it. How a failure is worded is not the model's business; that it
/// names the participant is.
async fn real(scripts: &[Script], workspace: &Workspace, request: &HookRequest) -> Told {
    hush();
    let log = Log::default();
    let mut builder = HookRunner::builder(workspace.path());
    for (index, script) in scripts.iter().cloned().enumerate() {
        let identity = Identity::new(script.kind, script.name.clone(), Origin::Host);
        let log = Arc::clone(&log);
        builder = builder.with_participant(Scripted {
            index,
            identity,
            script,
            log,
        });
    }
    let bench = Bench::of(builder);
    let consultation = bench.consult(request.clone()).await;
    let mut failed = consultation
        .trail
        .iter()
        .filter(|step| step.failure.is_some());
    let reports = bench.reports().into_iter().map(|report| {
        let is_failure =
            report.ends_with("; the call was denied") || report.ends_with("(on_failure is allow)");
        if !is_failure {
            return report;
        }
        let step = failed.next().expect("a report for each failure");
        let failure = step.failure.as_ref().expect("a failure");
        assert!(
            report.starts_with(&format!("{} {failure}; ", step.who)),
            "{report}"
        );
        format!("{} failed", step.who)
    });
    let reports = reports.collect();
    let outcome = match consultation.outcome {
        HookOutcome::Deny(reason) if reason.starts_with("denied, because ") => {
            let last = consultation.trail.last().expect("somebody");
            let failure = last.failure.as_ref().expect("a failure");
            let who = format!("denied, because {}", last.who);
            assert_eq!(reason, format!("{who} {}", failure.for_model()));
            assert!(!reason.contains("secret"), "{reason}");
            HookOutcome::deny(who)
        }
        outcome => outcome,
    };
    let asked = log
        .lock()
        .expect("a lock")
        .drain(..)
        .map(|(index, request)| (index, request.input, request.output, request.is_error))
        .collect();
    Told {
        outcome: Some(outcome),
        asked,
        trail: consultation
            .trail
            .iter()
            .map(|step| {
                let kind = step.failure.as_ref().map(HookFailure::kind);
                (step.who.name().to_owned(), step.decision.as_str(), kind)
            })
            .collect(),
        reports,
    }
}

/// JSON text with numbers of any length, on as many levels as are of interest.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,30})",
        "-?(0|[1-9][0-9]{0,25})\\.[0-9]{1,30}",
        "-?[1-9](\\.[0-9]{1,20})?[eE][+-]?[0-9]{1,2}",
        "\"[a-zA-Z \u{e9}\u{1f6ab}]{0,8}\"",
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            object_of(inner),
        ]
    })
}

fn object_of(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::btree_map("[a-d]", inner, 0..4).prop_map(|members| {
        let members = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    })
}

fn object() -> impl Strategy<Value = String> {
    object_of(value())
}

fn reason() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[a-z;:' ]{0,10}")
}

fn say() -> impl Strategy<Value = Say> {
    prop_oneof![
        4 => reason().prop_map(Say::Allow),
        1 => reason().prop_map(Say::Deny),
        4 => (object(), reason()).prop_map(|(input, reason)| Say::Modify(input, reason)),
        1 => (value(), reason()).prop_map(|(input, reason)| Say::Modify(input, reason)),
        4 => (value(), prop::option::of(any::<bool>()), reason())
            .prop_map(|(output, flag, reason)| Say::Replace(output, flag, reason)),
        2 => reason().prop_map(Say::EchoAsValue),
        1 => Just(Say::Fail),
        1 => Just(Say::NoAnswer),
        1 => Just(Say::PanicAtOnce),
        1 => Just(Say::PanicLater),
        1 => Just(Say::PanicOnDrop),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    (
        prop::sample::select(&["interceptor", "hook", "policy"][..]),
        "[a-c]",
        prop_oneof![4 => Just((true, true)), 1 => any::<(bool, bool)>()],
        prop_oneof![4 => Just(None), 1 => Just(Some("shell")), 1 => Just(Some("Shell"))],
        prop_oneof![1 => Just(OnFailure::Deny), 2 => Just(OnFailure::Allow)],
        say(),
        prop::collection::vec("[a-z]{1,5}", 0..2),
        any::<bool>(),
    )
        .prop_map(
            |(kind, name, events, tool, on_failure, say, notes, pauses)| Script {
                kind,
                name,
                events,
                tool,
                on_failure,
                say,
                notes,
                pauses,
            },
        )
}

fn request(workspace: &Workspace, input: &str, result: Option<(String, bool)>) -> HookRequest {
    match result {
        None => HookRequest::from_call(HookEvent::PreToolUse, workspace.path(), &call(input)),
        Some((output, is_error)) => {
            HookRequest::from_result(workspace.path(), &call(input), json(&output), is_error)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_chain_does_what_the_model_says(
        scripts in prop::collection::vec(script(), 0..7),
        input in prop_oneof![4 => object(), 1 => value(), 1 => "[a-z ]{0,8}"],
        result in prop::option::of((value(), any::<bool>())),
    ) {
        let workspace = Workspace::new();
        let request = request(&workspace, &input, result);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let told = runtime.block_on(real(&scripts, &workspace, &request));
        prop_assert_eq!(told, model(&scripts, &request));
    }

    #[test]
    fn after_the_first_deny_nobody_is_asked_and_no_allow_comes_out(
        first in prop::collection::vec(script(), 0..4),
        last in prop::collection::vec(script(), 0..4),
        after in any::<bool>(),
    ) {
        let guard = Script {
            kind: "hook",
            name: "guard".into(),
            events: (true, true),
            tool: None,
            on_failure: OnFailure::Allow,
            say: Say::Deny(None),
            notes: Vec::new(),
            pauses: false,
        };
        let place = first.len();
        let scripts: Vec<_> = first.into_iter().chain([guard]).chain(last).collect();
        let workspace = Workspace::new();
        let request = request(&workspace, "{}", after.then(|| ("1".to_owned(), false)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let told = runtime.block_on(real(&scripts, &workspace, &request));
        prop_assert!(matches!(told.outcome, Some(HookOutcome::Deny(_))), "{:?}", told);
        prop_assert!(told.asked.iter().all(|(index, ..)| *index <= place), "{:?}", told);
    }
}

#[tokio::test]
async fn a_participant_that_never_answers_does_not_stop_the_others_consultations() {
    struct Never(Identity);

    impl Participant for Never {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, event: HookEvent, _tool_name: &str) -> bool {
            event == HookEvent::PreToolUse
        }

        fn ask<'a, 'b, 'c>(
            &'a self,
            _question: &'b Question,
        ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'c>>
        where
            'a: 'c,
            'b: 'c,
            Self: 'c,
        {
            Box::pin(pending())
        }
    }

    let workspace = Workspace::new();
    let never = Never(Identity::new("policy", "never", Origin::Host));
    let bench = Bench::of(HookRunner::builder(workspace.path()).with_participant(never));
    let stuck = bench.runner.consult(request(&workspace, "{}", None));
    let other = bench.consult(request(&workspace, "{}", Some(("1".to_owned(), true))));
    tokio::select! {
        biased;
        _ = stuck => panic!("it never answers"),
        consultation = other => assert_eq!(consultation.outcome, HookOutcome::Allow),
    }
}
