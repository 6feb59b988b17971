use std::path::Path;

use hook_contract::HookCall;
use serde_json::json;

use super::*;
use crate::Origin;

fn before(input_json: &str) -> Chain {
    let call = HookCall::new("agent-1", "shell", "call-1", input_json);
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call);
    Chain::new(request.into(), None)
}

fn after(output: impl Into<Json>, is_error: bool) -> Chain {
    let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    let request = HookRequest::from_result(Path::new("/ws"), &call, output, is_error);
    Chain::new(request.into(), None)
}

fn hook(name: &str) -> Identity {
    Identity::new("hook", name, Origin::Host)
}

fn exact(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

fn modify(input: impl Into<Json>, reason: Option<&str>) -> Answer {
    let answer = Answer::modify(input);
    match reason {
        Some(reason) => answer.with_reason(reason),
        None => answer,
    }
}

fn replace(output: impl Into<Json>, is_error: Option<bool>) -> Answer {
    let answer = Answer::replace(output);
    match is_error {
        Some(is_error) => answer.with_is_error(is_error),
        None => answer,
    }
}

/// Takes an answer of a hook whose failures deny.
fn take(chain: &mut Chain, name: &str, response: Answer) -> Advance {
    chain.advance(&hook(name), OnFailure::Deny, Ok(response))
}

#[test]
fn a_chain_nobody_touched_allows() {
    let mut chain = before("{}");
    let step = take(&mut chain, "guard", Answer::allow().with_reason("fine"));
    assert_eq!(
        (step.decision, step.reason.as_deref()),
        (Some(Decision::Allow), Some("fine"))
    );
    assert_eq!(chain.finish(), HookOutcome::Allow);
    assert_eq!(after(json!("x"), true).finish(), HookOutcome::Allow);
}

#[test]
fn a_deny_names_who_denied_and_on_which_transport() {
    for (kind, reason, words) in [
        ("hook", Some("not here"), "denied by hook 'guard': not here"),
        ("interceptor", None, "denied by interceptor 'guard'"),
        ("policy", Some(""), "denied by policy 'guard'"),
    ] {
        let who = Identity::new(kind, "guard", Origin::Host);
        let answer = match reason {
            Some(reason) => Answer::deny(reason),
            None => Answer::deny_without_reason(),
        };
        let step = before("{}").advance(&who, OnFailure::Allow, Ok(answer));
        assert_eq!(step.end, Some(HookOutcome::deny(words)));
    }
}

#[test]
fn the_next_participant_sees_the_rewrite_and_every_hand_is_named() {
    let mut chain = before(r#"{"command":"deploy --token abc","id":1}"#);
    let step = take(
        &mut chain,
        "redact",
        modify(json!({"command": "deploy", "id": 1}), Some("a token")),
    );
    assert_eq!(
        (step.decision, step.changed),
        (Some(Decision::Modify), vec!["command".to_owned()])
    );
    assert_eq!(chain.question().request().input["command"], "deploy");
    take(
        &mut chain,
        "pin",
        modify(json!({"command": "deploy", "ref": "v1"}), None),
    );
    assert_eq!(
        chain.finish(),
        HookOutcome::Modify {
            input: exact(r#"{"command":"deploy","ref":"v1"}"#),
            reason: Some("hook 'redact': a token; hook 'pin'".into()),
        }
    );
}

#[test]
fn a_rewrite_before_the_call_is_one_of_the_input_whatever_else_the_request_holds() {
    let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call);
    let mut chain = Chain::new(
        request
            .with_output(json!("of an earlier call"), false)
            .into(),
        None,
    );
    take(&mut chain, "pin", modify(json!({"ref": "v1"}), None));
    assert_eq!(
        chain.finish(),
        HookOutcome::modify(json!({"ref": "v1"})).because("hook 'pin'")
    );
}

#[test]
fn a_rewrite_is_the_whole_input_and_not_merged() {
    let mut chain = before(r#"{"command":"make","elevated":true}"#);
    let step = take(
        &mut chain,
        "plan",
        modify(json!({"command": "make plan"}), None),
    );
    assert_eq!(step.changed, ["command", "elevated"]);
    let HookOutcome::Modify { input, .. } = chain.finish() else {
        panic!("a rewrite")
    };
    assert_eq!(input.text(), r#"{"command":"make plan"}"#);
}

#[test]
fn a_rewrite_by_in_process_code_keeps_the_digits_it_did_not_touch() {
    let mut chain = before(r#"{"id":123456789012345678901234567890,"price":0.10,"force":true}"#);
    let mut input = chain.question().request().input.value().clone();
    input["force"] = false.into();
    take(&mut chain, "soften", modify(input, None));
    assert_eq!(
        chain.question().request().input,
        exact(r#"{"id":123456789012345678901234567890,"price":0.10,"force":false}"#)
    );
}

#[test]
fn a_replacement_that_says_nothing_of_failure_leaves_the_flag() {
    for flag in [true, false] {
        let mut chain = after(json!("TOKEN=abc"), flag);
        take(&mut chain, "redact", replace(json!("TOKEN=?"), None));
        assert_eq!(chain.question().request().is_error, Some(flag));
        take(
            &mut chain,
            "annotate",
            replace(json!("TOKEN=? (redacted)"), Some(!flag)),
        );
        assert_eq!(
            chain.finish(),
            HookOutcome::Replace {
                output: json!("TOKEN=? (redacted)").into(),
                is_error: !flag,
                reason: Some("hook 'redact'; hook 'annotate'".into()),
            }
        );
    }
}

#[test]
fn an_answer_that_does_not_fit_is_a_failure_and_changes_nothing() {
    type Case = (fn() -> Chain, Answer, &'static str);
    let cases: [Case; 4] = [
        (
            || after(json!("x"), false),
            modify(json!({}), None),
            "answered `modify`, which is no answer after the call; allow, deny, ask and replace are",
        ),
        (
            || before("{}"),
            replace(json!("x"), None),
            "answered `replace`, which is no answer before the call; allow, deny, ask and modify are",
        ),
        (
            || before("{}"),
            modify(json!("ls"), None),
            "answered `modify` with an input that is not a JSON object; a tool's input is one",
        ),
        (
            || before("{}"),
            modify(exact("[1]"), None),
            "answered `modify` with an input that is not a JSON object; a tool's input is one",
        ),
    ];
    for (chain, response, said) in cases {
        let mut denying = chain();
        let step = take(&mut denying, "confused", response.clone());
        assert_eq!(step.decision, None);
        let words = format!("denied, because hook 'confused' {said}");
        assert_eq!(step.end, Some(HookOutcome::deny(words)));

        let mut passing = chain();
        let step = passing.advance(&hook("confused"), OnFailure::Allow, Ok(response));
        assert_eq!((step.decision, step.end), (None, None));
        assert_eq!(step.failure.expect("a failure").to_string(), said);
        assert_eq!(passing.finish(), HookOutcome::Allow);
    }
}

#[test]
fn a_rewrite_whose_digits_nobody_can_restore_is_not_taken() {
    let ids = r#"{"ids":[12345678901234567890123,12345678901234567890124]}"#;
    let mut chain = before(ids);
    let mut input = chain.question().request().input.value().clone();
    let Some(ids) = input["ids"].as_array_mut() else {
        panic!("an array")
    };
    ids.remove(0);
    let step = take(&mut chain, "drop-first", modify(input.clone(), None));
    // With `arbitrary_precision` switched on somewhere in the program nothing is ever lost.
    let nothing_was_lost = Json::from(input).text().contains("12345678901234567890124");
    if nothing_was_lost {
        assert_eq!(step.decision, Some(Decision::Modify));
    } else {
        assert!(matches!(step.failure, Some(HookFailure::DigitsLost(_))));
        assert!(matches!(step.end, Some(HookOutcome::Deny(_))));
    }
}

#[test]
fn a_rewrite_that_others_would_read_differently_is_not_taken() {
    let hidden = json!({"$serde_json::private::RawValue": "{\"command\":\"rm -rf /\"}"});
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    for input in [hidden, json!({"deep": deep})] {
        let step = take(
            &mut before(r#"{"command":"ls"}"#),
            "odd",
            modify(input, None),
        );
        assert_eq!(step.decision, None);
        assert!(matches!(
            step.failure,
            Some(HookFailure::RewriteUnreadable(_))
        ));
        assert!(matches!(step.end, Some(HookOutcome::Deny(_))));
    }
}

#[test]
fn the_model_reads_nothing_that_a_broken_hook_printed() {
    let printed = hook_wire::decode_response(b"found: TOKEN=hunter2").expect_err("no answer");
    for failure in [
        HookFailure::NotAnAnswer(printed),
        HookFailure::Panicked("TOKEN=hunter2".into()),
        HookFailure::Interceptor("https://policy/?token=hunter2: 500".into()),
        HookFailure::Transport("answered hunter2".into()),
        HookFailure::Unbuilt("its `http` cannot be used: no key hunter2".into()),
    ] {
        assert!(failure.to_string().contains("hunter2"), "the operator does");
        let step = after(json!("TOKEN=hunter2"), false).advance(
            &hook("redact"),
            OnFailure::Deny,
            Err(failure),
        );
        let Some(HookOutcome::Deny(reason)) = step.end else {
            panic!("a denial")
        };
        assert!(!reason.contains("hunter2"), "{reason}");
    }
}

#[test]
fn a_failure_after_a_rewrite_keeps_the_rewrite() {
    let mut chain = before(r#"{"command":"a"}"#);
    take(&mut chain, "first", modify(json!({"command": "b"}), None));
    let failure = HookFailure::Transport("is unreachable".into());
    let step = chain.advance(&hook("observer"), OnFailure::Allow, Err(failure));
    assert_eq!(step.end, None);
    assert_eq!(
        chain.finish(),
        HookOutcome::Modify {
            input: json!({"command": "b"}).into(),
            reason: Some("hook 'first'".into()),
        }
    );
}

#[test]
fn a_rewrite_to_the_same_value_is_still_somebodys_rewrite() {
    let mut chain = before(r#"{"a":{"x":1,"y":2}}"#);
    let step = take(
        &mut chain,
        "noop",
        modify(exact(r#"{"a":{"y":2,"x":1}}"#), None),
    );
    assert_eq!(step.changed, Vec::<String>::new());
    assert!(matches!(chain.finish(), HookOutcome::Modify { .. }));
}

#[test]
fn what_changed_is_found_in_an_object_of_very_many_members() {
    let object = |last: &str| {
        let members = (0..200_000).map(|n| format!("\"k{n}\":{n},"));
        format!("{{{}\"z\":{last}}}", members.collect::<String>())
    };
    let mut chain = before(&object("1"));
    let step = take(&mut chain, "one", modify(exact(&object("2")), None));
    assert_eq!(step.changed, ["z"]);
}
