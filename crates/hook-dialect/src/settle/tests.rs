//! What failures mean.

use hook_contract::Json;
use serde_json::json;

use super::*;
use crate::Dialect;

fn settled(profile: Profile, event: &str, policy: FailurePolicy, failure: Failure) -> HookOutput {
    let event = profile.dialect.event(event).expect("an event");
    HookOutput::failed(failure).settled(event, policy, profile)
}

#[test]
fn a_guard_that_could_not_answer_refuses_what_is_about_to_happen() {
    let profile = Dialect::CLAUDE.guarded();
    for failure in [
        Failure::TimedOut,
        Failure::Signal(9),
        Failure::ExitStatus(127),
        Failure::WrongEvent,
    ] {
        for (event, refuses) in [
            ("PreToolUse", true),
            ("PostToolUse", false),
            ("Stop", false),
        ] {
            let output = settled(profile, event, FailurePolicy::Unwritten, failure.clone());
            assert_eq!(output.refuses(), refuses, "{event} {failure}");
            assert!(output.failure.is_some());
        }
        for policy in [FailurePolicy::Allow, FailurePolicy::Unwritten] {
            let profile = if policy == FailurePolicy::Allow {
                profile
            } else {
                Dialect::CLAUDE.strict()
            };
            assert!(!settled(profile, "PreToolUse", policy, failure.clone()).refuses());
        }
    }
    let status = Failure::ExitStatus(1);
    assert!(!settled(profile, "PreToolUse", FailurePolicy::Unwritten, status).refuses());
}

#[test]
fn the_agents_own_setting_covers_every_failure_where_it_has_an_effect() {
    let profile = Dialect::CLAUDE.strict();
    for (event, blocks) in [
        ("PreToolUse", true),
        ("PermissionRequest", true),
        ("PostToolUse", true),
        ("UserPromptSubmit", true),
        ("PreCompact", true),
        ("Stop", false),
        ("SessionStart", false),
    ] {
        let output = settled(profile, event, FailurePolicy::Block, Failure::ExitStatus(1));
        assert_eq!(output.refuses(), blocks, "{event}");
    }
}

#[test]
fn what_stands_beside_a_failure_that_refuses_is_gone() {
    let profile = Dialect::CLAUDE.strict();
    let event = profile.dialect.event("PreToolUse").expect("an event");
    let output = HookOutput {
        decision: Some(Decision::Allow),
        updated_input: Some(Json::from(json!({}))),
        ..HookOutput::failed(Failure::ExitStatus(1))
    };
    let output = output.settled(event, FailurePolicy::Block, profile);
    assert_eq!(output.decision, Some(Decision::Block));
    assert_eq!(output.updated_input, None);
    assert_eq!(
        output.reason.as_deref(),
        Some("a hook failed, and its settings say that this blocks (onFailure)")
    );
    assert_eq!(output.ignored.len(), 2);
}

#[test]
fn a_refusal_stands_whatever_failed_beside_it() {
    let profile = Dialect::CLAUDE.strict();
    let event = profile.dialect.event("PreToolUse").expect("an event");
    let output = HookOutput {
        decision: Some(Decision::Deny),
        reason: Some("r".into()),
        ..HookOutput::failed(Failure::ExitStatus(1))
    };
    assert_eq!(
        output.clone().settled(event, FailurePolicy::Allow, profile),
        output
    );
}
