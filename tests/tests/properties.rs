//! The chain against a model of it: any participants, any answers, any numbers.

#[path = "properties/scripted.rs"]
mod scripted;

use std::{
    future::{pending, ready},
    pin::Pin,
    sync::Arc,
};

use hook_config::OnFailure;
use hook_contract::{
    Approval, ApprovalRequest, Approver, HookEvent, HookOutcome, HookRequest, InterceptorError,
    Subject,
};
use hook_runner::{HookRunner, Identity, Origin, Participant, Question, Rank, Ranks, Reply};
use hookchain_tests::{
    Bench, Workspace, call,
    model::{Beside, Says, Told, Voice, predict, told},
};
use proptest::prelude::*;

use self::scripted::{Log, Manner, Script, Scripted, hush, json};

/// Says this at once.
struct Person(Approval);

impl Approver for Person {
    fn approve<'a, 'b, 'c>(
        &'a self,
        _request: &'b ApprovalRequest,
    ) -> Pin<Box<dyn Future<Output = Result<Approval, InterceptorError>> + Send + 'c>>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        Box::pin(ready(Ok(self.0.clone())))
    }
}

/// What the runner told, and the places of those that were asked.
async fn real(
    scripts: &[Script],
    workspace: &Workspace,
    request: &HookRequest,
    person: Option<&Approval>,
) -> (Told, Vec<usize>) {
    hush();
    let log = Log::default();
    let mut builder = HookRunner::builder(workspace.path());
    for (index, script) in scripts.iter().cloned().enumerate() {
        let identity = Identity::new(script.voice.kind, script.voice.name.clone(), Origin::Host);
        let log = Arc::clone(&log);
        builder = builder.with_participant(Scripted {
            index,
            identity,
            script,
            log,
        });
    }
    if let Some(approval) = person {
        builder = builder.with_approver(Person(approval.clone()));
    }
    let bench = Bench::of(builder);
    let consultation = bench.consult(request.clone()).await;
    if let HookOutcome::Deny(reason) = &consultation.outcome {
        assert!(!reason.contains("secret"), "{reason}");
    }
    let told = told(&consultation);
    let log = std::mem::take(&mut *log.lock().expect("a lock"));
    let seen = log.iter().map(|(_, request)| {
        let result = request.output.clone().zip(request.is_error);
        (request.input.clone(), result)
    });
    let kept = told.trail.iter();
    let kept = kept.map(|step| (step.input.clone(), step.result.clone()));
    assert!(seen.eq(kept), "a step keeps what was asked");
    let asked: Vec<_> = log.iter().map(|(index, _)| *index).collect();
    let mut expected = Vec::new();
    for (index, step) in asked.iter().zip(&consultation.trail) {
        let notes = scripts[*index].notes().iter();
        expected.extend(notes.map(|note| format!("{}: {note}", step.who)));
        let meaning = match step.on_failure {
            OnFailure::Allow => "it was passed over (on_failure is allow)",
            OnFailure::Deny => "the call was denied",
        };
        let failure = step.failure.iter();
        expected.extend(failure.map(|failure| format!("{} {failure}; {meaning}", step.who)));
    }
    assert_eq!(bench.reports(), expected);
    (told, asked)
}

/// What the model says of the same.
fn model(scripts: &[Script], request: &HookRequest, person: Option<&Approval>) -> Told {
    let voices: Vec<_> = scripts.iter().map(Script::heard).collect();
    predict(&voices, request, person)
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

fn says() -> impl Strategy<Value = Says> {
    let beside = prop_oneof![
        3 => object().prop_map(Beside::Input),
        1 => value().prop_map(Beside::Input),
        3 => (value(), prop::option::of(any::<bool>()))
            .prop_map(|(output, flag)| Beside::Output(output, flag)),
    ];
    prop_oneof![
        4 => Just(Says::Allow),
        1 => reason().prop_map(Says::Deny),
        2 => (reason(), prop::option::of(beside))
            .prop_map(|(reason, beside)| Says::Ask(reason, beside)),
        4 => (object(), reason()).prop_map(|(input, reason)| Says::Modify(input, reason)),
        1 => (value(), reason()).prop_map(|(input, reason)| Says::Modify(input, reason)),
        4 => (value(), prop::option::of(any::<bool>()), reason())
            .prop_map(|(output, flag, reason)| Says::Replace(output, flag, reason)),
        2 => reason().prop_map(Says::EchoAsValue),
        2 => Just(Says::Wrap),
        2 => Just(Says::DenyAgain),
    ]
}

fn manner() -> impl Strategy<Value = Manner> {
    prop_oneof![
        18 => Just(Manner::Says),
        1 => Just(Manner::Fails),
        1 => Just(Manner::GivesNoAnswer),
        1 => Just(Manner::PanicsAtOnce),
        1 => Just(Manner::PanicsLater),
        1 => Just(Manner::PanicsOnDrop),
    ]
}

fn ranks() -> impl Strategy<Value = Ranks> {
    let all = [
        Ranks::both(Rank::INTERCEPTOR),
        Ranks::both(Rank::HOST),
        Ranks::both(Rank::MACHINE),
        Ranks::both(Rank::USER),
        Ranks::both(Rank::workspace(0)),
        Ranks::both(Rank::workspace(1)),
        Ranks::new(Rank::USER, Rank::workspace(0)),
    ];
    prop::sample::select(all.to_vec())
}

fn voice() -> impl Strategy<Value = Voice> {
    (
        prop::sample::select(&["interceptor", "hook", "policy"][..]),
        "[a-c]",
        prop_oneof![4 => Just((true, true)), 1 => any::<(bool, bool)>()],
        prop_oneof![4 => Just(None), 1 => Just(Some("shell")), 1 => Just(Some("Shell"))],
        prop_oneof![1 => Just(OnFailure::Deny), 2 => Just(OnFailure::Allow)],
        says(),
        prop::collection::vec(prop::sample::select(&["x", "y", " ", "x: z"][..]), 0..3),
        ranks(),
    )
        .prop_map(
            |(kind, name, events, tool, on_failure, says, context, ranks)| Voice {
                events,
                tool,
                on_failure,
                context: context.into_iter().map(str::to_owned).collect(),
                ranks,
                ..Voice::new(kind, name, says)
            },
        )
}

fn script() -> impl Strategy<Value = Script> {
    (
        voice(),
        reason(),
        manner(),
        prop::collection::vec("[a-z]{1,5}", 0..2),
        any::<bool>(),
    )
        .prop_map(|(voice, reason, manner, notes, pauses)| Script {
            voice,
            reason,
            manner,
            notes,
            pauses,
        })
}

fn person() -> impl Strategy<Value = Option<Approval>> {
    prop_oneof![
        Just(None),
        any::<bool>().prop_map(|remember| Some(Approval::Granted { remember })),
        reason().prop_map(|reason| Some(Approval::Refused(reason))),
    ]
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
        person in person(),
    ) {
        let workspace = Workspace::new();
        let request = request(&workspace, &input, result);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (told, _) = runtime.block_on(real(&scripts, &workspace, &request, person.as_ref()));
        prop_assert_eq!(told, model(&scripts, &request, person.as_ref()));
    }

    /// Each participant has judged the form that comes out, unless what was written since weighs as much as it does.
    #[test]
    fn what_a_lower_rank_wrote_never_gets_past_a_higher_one(
        scripts in prop::collection::vec(script(), 2..7),
        after in any::<bool>(),
    ) {
        let workspace = Workspace::new();
        let request = request(&workspace, r#"{"n":1}"#, after.then(|| ("1".to_owned(), false)));
        let granted = Approval::granted();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (told, asked) = runtime.block_on(real(&scripts, &workspace, &request, Some(&granted)));
        prop_assume!(!matches!(told.outcome, HookOutcome::Deny(_)));
        let ends = told.trail.iter().skip(1).map(|step| (&step.input, &step.result));
        let last = match &told.outcome {
            HookOutcome::Modify { input, .. } => (input.clone(), None),
            HookOutcome::Replace { output, is_error, .. } => {
                (request.input.clone(), Some((output.clone(), *is_error)))
            }
            _ => (request.input.clone(), request.output.clone().zip(request.is_error)),
        };
        let ends: Vec<_> = ends.chain([(&last.0, &last.1)]).collect();
        for (step, index) in asked.iter().enumerate().filter(|(step, index)| !asked[step + 1..].contains(index)) {
            let judges = scripts[*index].voice.ranks.judges;
            for (later, place) in asked.iter().enumerate().skip(step) {
                let begin = (&told.trail[later].input, &told.trail[later].result);
                let rewrites = scripts[*place].voice.ranks.rewrites;
                prop_assert!(begin == ends[later] || judges <= rewrites, "{:?}", told);
            }
        }
    }

    #[test]
    fn after_the_first_deny_nobody_is_asked_and_no_allow_comes_out(
        first in prop::collection::vec(script(), 0..4),
        last in prop::collection::vec(script(), 0..4),
        after in any::<bool>(),
    ) {
        let guard = Script {
            voice: Voice {
                on_failure: OnFailure::Allow,
                ..Voice::new("hook", "guard", Says::Deny(None))
            },
            reason: None,
            manner: Manner::Says,
            notes: Vec::new(),
            pauses: false,
        };
        let place = first.len();
        let scripts: Vec<_> = first.into_iter().chain([guard]).chain(last).collect();
        let workspace = Workspace::new();
        let request = request(&workspace, "{}", after.then(|| ("1".to_owned(), false)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let granted = Approval::granted();
        let (told, asked) = runtime.block_on(real(&scripts, &workspace, &request, Some(&granted)));
        prop_assert!(matches!(told.outcome, HookOutcome::Deny(_)), "{:?}", told);
        prop_assert!(told.asked.is_none(), "no person has a say: {:?}", told);
        prop_assert!(asked.iter().all(|index| *index <= place), "{:?}", told);
    }
}

#[tokio::test]
async fn a_participant_that_never_answers_does_not_stop_the_others_consultations() {
    struct Never(Identity);

    impl Participant for Never {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, subject: &Subject<'_>) -> bool {
            subject.event == HookEvent::PreToolUse
        }

        fn ask<'a, 'b, 'c>(
            &'a self,
            _question: &'b Question,
        ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'c>>
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
