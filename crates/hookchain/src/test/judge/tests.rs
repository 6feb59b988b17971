use hook_config::HookSpec;
use hook_contract::{HookCall, HookEvent, HookRequest};
use hook_runner::HookRunner;

use super::*;

/// What one hook, which prints this, makes of a call in the workspace `/`.
fn judged(event: HookEvent, answer: &str) -> Consultation {
    let hook = HookSpec::new(
        "guard",
        ["sh", "-c", &format!("cat >&2; printf '%s' '{answer}'")],
    )
    .with_event(event);
    let runner = HookRunner::new("/", vec![hook]).with_reporter(|_| ());
    let call = HookCall::new("a", "shell", "c", r#"{"command":"/copy/x"}"#);
    let request = match event {
        HookEvent::PostToolUse => {
            HookRequest::from_result("/".as_ref(), &call, Json::from(Value::from("text")), false)
        }
        HookEvent::PreToolUse | _ => HookRequest::from_call(event, "/".as_ref(), &call),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .expect("a runtime")
        .block_on(runner.consult(request))
}

fn expecting(outcome: Outcome) -> Expectation {
    Expectation {
        outcome,
        by: None,
        reason_contains: None,
        input: None,
        output: None,
        is_error: None,
        max_ms: None,
        asked: None,
        failed: Vec::new(),
        context: None,
    }
}

fn template(text: &str) -> Template {
    Template(text.into())
}

#[track_caller]
fn check(expect: &Expectation, judged: &Consultation, expected: &[&str]) {
    let found: Vec<_> = compare(expect, judged, "/copy")
        .into_iter()
        .map(|mismatch| {
            let diff = mismatch.diff.iter().map(|line| match line {
                DiffLine::Text(tag, text) => format!("\n{tag}{text}"),
                DiffLine::Gap => "\n~".into(),
            });
            let diff: String = diff.collect();
            format!("{}: {}{diff}", mismatch.what, mismatch.message)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_denial_is_compared_by_who_and_why() {
    let denied = judged(
        HookEvent::PreToolUse,
        r#"{"decision":"deny","reason":"not in /copy"}"#,
    );
    let mut expect = expecting(Outcome::Deny);
    check(&expect, &denied, &[]);
    expect.by = Some("guard".into());
    expect.reason_contains = Some(template("in {{workspace}}"));
    expect.asked = Some(vec!["guard".into()]);
    expect.max_ms = Some(600_000);
    check(&expect, &denied, &[]);

    expect.by = Some("other".into());
    expect.reason_contains = Some(template("{{workspace}}/x"));
    expect.asked = Some(Vec::new());
    check(
        &expect,
        &denied,
        &[
            "by: expected `other` to decide, found `guard`",
            "reason_contains: expected the reason to hold `{{workspace}}/x`; is `denied by hook 'guard': not in {{workspace}}`",
            "asked: expected nobody to be asked, found `guard`",
        ],
    );
    check(
        &expecting(Outcome::Modify),
        &denied,
        &["outcome: expected modify, found deny: denied by hook 'guard': not in {{workspace}}"],
    );
}

#[test]
fn a_hook_that_fails_has_not_denied() {
    let failed = judged(HookEvent::PreToolUse, "nonsense");
    let mut expect = expecting(Outcome::Deny);
    let message = "failed: expected nobody to fail, found `guard`; a hook that gives no answer has not decided anything";
    check(&expect, &failed, &[message]);
    expect.failed = vec!["guard".into()];
    expect.by = Some("guard".into());
    check(&expect, &failed, &[]);
    let fine = judged(HookEvent::PreToolUse, r#"{"decision":"deny"}"#);
    check(
        &expect,
        &fine,
        &["failed: expected `guard` to fail, found nobody"],
    );
}

#[test]
fn a_call_about_which_nobody_is_asked_tests_nothing() {
    let unasked = Consultation::of(HookOutcome::Allow);
    let mut expect = expecting(Outcome::Allow);
    let message = "asked: nobody was asked about this call, so nothing was tested; `hookchain explain` says why; if that is what is expected, write \
                   \"asked\": []";
    check(&expect, &unasked, &[message]);
    expect.asked = Some(Vec::new());
    check(&expect, &unasked, &[]);
    expect.asked = Some(vec!["a".into(), "b".into()]);
    check(
        &expect,
        &unasked,
        &["asked: expected `a`, `b` to be asked, found nobody"],
    );
}

#[test]
fn a_new_input_is_compared_digit_for_digit_and_in_any_order() {
    let rewritten = judged(
        HookEvent::PreToolUse,
        r#"{"decision":"modify","input":{"z":"/copy/x","n":1.10,"list":[{"b":1,"a":2}]}}"#,
    );
    let mut expect = expecting(Outcome::Modify);
    expect.input = Some(template(
        r#"{"n": 1.10, "list": [{"a": 2, "b": 1}], "z": "{{workspace}}/x"}"#,
    ));
    check(&expect, &rewritten, &[]);
    expect.input = Some(template(
        r#"{"n": 1.1, "list": [{"a": 2, "b": 1}], "z": "{{workspace}}/x"}"#,
    ));
    check(
        &expect,
        &rewritten,
        &[r#"input: the new input differs (- expected, + found)
     }
   ],
-  "n": 1.1,
+  "n": 1.10,
   "z": "{{workspace}}/x"
 }"#],
    );
}

#[test]
fn a_new_output_is_compared_as_text_where_it_is_text() {
    let replaced = judged(
        HookEvent::PostToolUse,
        r#"{"decision":"replace","output":"a\nb\n","is_error":false}"#,
    );
    let mut expect = expecting(Outcome::Replace);
    expect.output = Some(template(r#""a\nb\n""#));
    expect.is_error = Some(false);
    check(&expect, &replaced, &[]);
    expect.output = Some(template(r#""a\nc\n""#));
    expect.is_error = Some(true);
    check(
        &expect,
        &replaced,
        &[
            "output: the new output differs (- expected, + found)\n a\n-c\n+b",
            "is_error: expected is_error to be true, found false",
        ],
    );
}

#[test]
fn a_wish_that_a_person_agrees_is_an_outcome_of_its_own() {
    let answer = r#"{"decision":"ask","reason":"careful","input":{"command":"ls"}}"#;
    let judged = judged(HookEvent::PreToolUse, answer);
    let mut expect = expecting(Outcome::Ask);
    expect.by = Some("guard".into());
    expect.reason_contains = Some(template("careful"));
    expect.input = Some(template(r#"{"command":"ls"}"#));
    check(&expect, &judged, &[]);
    expect.by = Some("other".into());
    check(
        &expect,
        &judged,
        &["by: expected `other` to decide, found `guard`"],
    );
    expect.by = None;
    // What the host says where no person answers is no reason of the ask.
    for words in ["the call was not made", "run it by hand"] {
        expect.reason_contains = Some(template(words));
        let message = format!(
            "reason_contains: expected the reason to hold `{words}`; is `hook 'guard': careful`"
        );
        check(&expect, &judged, &[&message]);
    }
    let deny = expecting(Outcome::Deny);
    let found = compare(&deny, &judged, "/copy");
    assert_eq!((found.len(), found[0].what), (1, "outcome"));
    assert!(found[0].message.starts_with("expected deny, found ask: "));
}

#[test]
fn another_form_is_not_taken_for_there_beside_an_ask_that_has_none() {
    let answer = r#"{"decision":"ask","reason":"careful"}"#;
    let mut expect = expecting(Outcome::Ask);
    expect.input = Some(template(r#"{"command":"ls"}"#));
    let none = |what| {
        format!("{what}: expected another `{what}` beside the ask, and no hook rewrote the call")
    };
    check(
        &expect,
        &judged(HookEvent::PreToolUse, answer),
        &[&none("input")],
    );
    let mut expect = expecting(Outcome::Ask);
    expect.output = Some(template(r#""[redacted]""#));
    expect.is_error = Some(false);
    check(
        &expect,
        &judged(HookEvent::PostToolUse, answer),
        &[&none("output"), &none("is_error")],
    );
}

#[test]
fn words_for_the_model_are_compared_by_their_parts() {
    let told = judged(
        HookEvent::PreToolUse,
        r#"{"decision":"allow","context":"2 warnings in /copy/x"}"#,
    );
    let silent = judged(HookEvent::PreToolUse, r#"{"decision":"allow"}"#);
    let mut expect = expecting(Outcome::Allow);
    expect.context = Some(vec![template("2 warnings"), template("{{workspace}}/x")]);
    check(&expect, &told, &[]);
    check(
        &expect,
        &silent,
        &["context: expected the model to be told `2 warnings`, `{{workspace}}/x`, found nothing"],
    );
    expect.context = Some(Vec::new());
    check(&expect, &silent, &[]);
    check(
        &expect,
        &told,
        &["context: expected the model to be told nothing, found `2 warnings in {{workspace}}/x`"],
    );
}

#[test]
fn time_is_what_the_hooks_took() {
    let mut slow = judged(HookEvent::PreToolUse, r#"{"decision":"allow"}"#);
    for step in &mut slow.trail {
        step.took = Duration::from_micros(10_400);
    }
    let mut expect = expecting(Outcome::Allow);
    expect.max_ms = Some(11);
    check(&expect, &slow, &[]);
    expect.max_ms = Some(10);
    check(
        &expect,
        &slow,
        &["max_ms: expected 10 ms at most, found 10.4 ms"],
    );
}
