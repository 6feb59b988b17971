//! What several hooks decide together.

use hook_contract::Json;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn output(decision: Option<Decision>, reason: &str) -> HookOutput {
    HookOutput {
        decision,
        reason: Some(reason.to_owned()),
        ..HookOutput::default()
    }
}

fn rewriting(decision: Option<Decision>, to: &str) -> HookOutput {
    HookOutput {
        updated_input: Some(Json::from(json!(to))),
        ..output(decision, "")
    }
}

#[test]
fn no_hooks_decide_nothing() {
    assert_eq!(merge(&[]), MergedOutcome::default());
}

#[test]
fn the_strongest_decision_counts_and_its_reasons_are_joined() {
    use Decision::{Allow, Approve, Ask, Block, Defer, Deny};
    for (decisions, verdict, reason) in [
        (vec![Allow, Approve], Verdict::Allow, None),
        (vec![Ask, Allow, Ask], Verdict::Ask, Some("0\n\n2")),
        (vec![Ask, Defer, Allow], Verdict::Defer, Some("1")),
        (
            vec![Block, Defer, Deny, Approve],
            Verdict::Deny,
            Some("0\n\n2"),
        ),
    ] {
        let outputs = decisions.into_iter().enumerate();
        let outputs: Vec<_> = outputs
            .map(|(i, d)| output(Some(d), &i.to_string()))
            .collect();
        let merged = merge(&outputs);
        assert_eq!(
            (merged.decision, merged.reason.as_deref()),
            (verdict, reason)
        );
    }
}

#[test]
fn the_first_that_stops_says_why() {
    let stopping = |continues, why: &str| HookOutput {
        continues: Some(continues),
        stop_reason: Some(why.to_owned()),
        ..HookOutput::default()
    };
    let outputs = [
        stopping(true, "a"),
        stopping(false, "b"),
        stopping(false, "c"),
    ];
    let merged = merge(&outputs);
    assert_eq!(
        (merged.stop, merged.stop_reason.as_deref()),
        (true, Some("b"))
    );
}

#[test]
fn the_last_rewrite_written_down_counts_or_the_last_that_finished() {
    let outputs = [
        rewriting(Some(Decision::Allow), "a"),
        rewriting(None, "b"),
        output(None, ""),
    ];
    let text = |merged: MergedOutcome| merged.updated_input.map(|json| json.text().to_owned());
    assert_eq!(text(merge(&outputs)).as_deref(), Some("\"b\""));
    let finished = |order: &[usize]| text(merge_as_finished(&outputs, order));
    assert_eq!(finished(&[1, 0, 2]).as_deref(), Some("\"a\""));
    assert_eq!(finished(&[9]), None);
}

#[test]
fn a_rewrite_beside_a_denial_or_a_deferral_is_gone() {
    for (decision, kept) in [
        (Decision::Deny, false),
        (Decision::Defer, false),
        (Decision::Ask, true),
        (Decision::Allow, true),
    ] {
        let merged = merge(&[rewriting(None, "a"), output(Some(decision), "")]);
        assert_eq!(merged.updated_input.is_some(), kept, "{decision}");
    }
}

fn any_output() -> impl Strategy<Value = HookOutput> {
    use Decision::{Allow, Approve, Ask, Block, Defer, Deny};
    let decision = prop::option::of(prop::sample::select(vec![
        Allow, Approve, Ask, Block, Defer, Deny,
    ]));
    let text = || prop::option::of("[a-c ]{0,3}");
    (
        decision,
        text(),
        text(),
        prop::option::of(any::<bool>()),
        text(),
        any::<bool>(),
    )
        .prop_map(
            |(decision, reason, context, continues, message, rewrites)| HookOutput {
                decision,
                reason,
                additional_context: context,
                continues,
                system_message: message,
                updated_input: rewrites.then(|| Json::from(json!({}))),
                failure: rewrites.then_some(Failure::TimedOut),
                ..HookOutput::default()
            },
        )
}

proptest! {
    #[test]
    fn the_order_does_not_matter_for_the_decision(
        (outputs, shuffled) in prop::collection::vec(any_output(), 0..8)
            .prop_flat_map(|outputs| (Just(outputs.clone()), Just(outputs).prop_shuffle()))
    ) {
        let (one, other) = (merge(&outputs), merge(&shuffled));
        prop_assert_eq!(one.decision, other.decision);
        prop_assert_eq!(one.stop, other.stop);
        prop_assert_eq!(one.updated_input.is_some(), other.updated_input.is_some());
        prop_assert_eq!(one.failures.len(), other.failures.len());
    }

    #[test]
    fn one_more_hook_never_weakens_the_decision(
        outputs in prop::collection::vec(any_output(), 0..6), more in any_output()
    ) {
        let before = merge(&outputs).decision;
        let after = merge(&[outputs, vec![more]].concat()).decision;
        prop_assert!(after >= before);
    }
}
