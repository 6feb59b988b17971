//! Every way in which a program can answer wrongly, and what its author and the model are told.

use std::fmt::Write;

use hook_config::{HookSpec, OnFailure};
use hook_contract::HookOutcome;
use hook_runner::FailureKind;
use hookchain_tests::{Bench, Workspace, before, denial, fake, say, worker};

/// Asks the hook with both values of `on_failure`; gives what the model reads and what the operator does.
async fn refused(hook: HookSpec, kind: FailureKind) -> (String, String) {
    let workspace = Workspace::new();
    let shown = format!("{:?}", hook.command().and_then(|words| words.get(1..)));
    let lenient = Bench::new(&workspace, [hook.clone().with_on_failure(OnFailure::Allow)]);
    let consultation = lenient.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow, "{shown}");
    assert_eq!(consultation.trail[0].decision, None, "{shown}");
    let [report] = &lenient.reports()[..] else {
        panic!("{shown}: one report, not {:?}", lenient.reports())
    };
    let strict = Bench::new(&workspace, [hook]);
    let consultation = strict.consult(before(&workspace, "{}")).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), kind, "{shown}: {failure}");
    let reason = denial(&consultation.outcome);
    let told = format!("denied, because hook 'guard' {}", failure.for_model());
    assert_eq!(reason, told, "{shown}");
    let told = format!("hook 'guard' {failure}; it was passed over (on_failure is allow)");
    assert!(report.starts_with(&told), "{report}");
    (reason.to_owned(), failure.to_string())
}

#[tokio::test]
async fn what_is_not_an_answer_is_a_failure_that_says_what_to_change() {
    let printed: [&str; 28] = [
        "",
        " \n\t",
        "allow",
        "Now using node v22.0.0\n{\"decision\":\"allow\"}",
        "{\"decision\":\"allow\"",
        "{\"decision\":\"allow\",}",
        "{'decision': 'allow'}",
        r#"{"decision":"modify","input":{"ratio":NaN}}"#,
        "{\"decision\":\"allow\"}\ndone",
        "{\"decision\":\"deny\"}{\"decision\":\"allow\"}",
        r#"[{"decision":"allow"}]"#,
        r#""allow""#,
        "1",
        "null",
        "{}",
        r#"{"Decision":"allow"}"#,
        r#"{"decision":"Allow "}"#,
        r#"{"decision":"confirm"}"#,
        r#"{"decision":"block"}"#,
        r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#,
        r#"{"decision":true}"#,
        r#"{"decision":"allow","reason":3}"#,
        r#"{"decision":"modify"}"#,
        r#"{"decision":"modify","input":"{}"}"#,
        r#"{"decision":"replace"}"#,
        r#"{"decision":"deny","reason":"policy","decision":"allow"}"#,
        r#"{"decision":"modify","input":{"a":1,"a":2}}"#,
        r#"{"decision":"modify","input":{"$serde_json::private::Number":"1"}}"#,
    ];
    let mut table = String::new();
    for text in printed {
        let (model, operator) = refused(say("guard", text), FailureKind::NotAnAnswer).await;
        let shown = text.escape_debug();
        writeln!(table, "{shown}\n  model: {model}\n  operator: {operator}").expect("written");
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_no_answer() {
    let open = "7b226465636973696f6e223a22616c6c6f77222c22726561736f6e223a22";
    for (bytes, at) in [("ff", 30), ("c3", 30), ("eda080", 30)] {
        let hook = fake("guard", &["read", &format!("hex={open}{bytes}227d")]);
        let (model, operator) = refused(hook, FailureKind::NotAnAnswer).await;
        assert_eq!(
            model,
            "denied, because hook 'guard' gave no answer: what it printed is not UTF-8"
        );
        let said = format!("byte {at} of what it printed is not UTF-8");
        assert!(operator.contains(&said), "{operator}");
    }
}

#[tokio::test]
async fn a_byte_order_mark_white_space_and_crlf_are_accepted() {
    let workspace = Workspace::new();
    let printed = [
        "efbbbf7b226465636973696f6e223a2264656e79227d0d0a",
        "0d0a0d0a20097b226465636973696f6e223a2264656e79227d0d0a200a",
        "7b0d0a226465636973696f6e22203a200d0a2264656e79220d0a7d",
    ];
    for bytes in printed {
        let bench = Bench::new(
            &workspace,
            [fake("guard", &["read", &format!("hex={bytes}")])],
        );
        assert_eq!(
            bench.decide("{}").await,
            HookOutcome::deny("denied by hook 'guard'")
        );
    }
}

#[tokio::test]
async fn fields_nobody_knows_are_ignored() {
    let workspace = Workspace::new();
    let text = r#"{"v":2,"decision":"allow","more":{"a":[1]},"reason":"fine"}"#;
    let bench = Bench::new(&workspace, [say("guard", text)]);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(consultation.trail[0].reason.as_deref(), Some("fine"));
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[tokio::test]
async fn a_status_other_than_zero_is_a_failure_whatever_was_printed() {
    let cases = [
        ("exit=1", FailureKind::Exit, "status 1"),
        ("exit=2", FailureKind::Exit, "status 2"),
        ("exit=255", FailureKind::Exit, "status 255"),
        (
            "exit=126",
            FailureKind::Exit,
            "status 126; 126 mostly means that a program it called is not executable",
        ),
        (
            "exit=127",
            FailureKind::Exit,
            "status 127; 127 mostly means that a program it called was not found",
        ),
        ("crash", FailureKind::Exit, "status 101"),
        ("signal=9", FailureKind::Signal, "signal 9 (SIGKILL)"),
        ("signal=11", FailureKind::Signal, "signal 11 (SIGSEGV)"),
        ("signal=15", FailureKind::Signal, "signal 15 (SIGTERM)"),
        ("signal=6", FailureKind::Signal, "signal 6 (SIGABRT)"),
        ("signal=14", FailureKind::Signal, "signal 14 (SIGALRM)"),
    ];
    for (ending, kind, said) in cases {
        for answer in ["allow", "deny=no", "modify={}", "print="] {
            let (model, told) = refused(fake("guard", &["read", answer, ending]), kind).await;
            assert_eq!(told, format!("ended with {said}"));
            // What the author is to change is not for the model.
            let (status, _advice) = said.split_once(';').unwrap_or((said, ""));
            assert_eq!(
                model,
                format!("denied, because hook 'guard' ended with {status}")
            );
        }
    }
}

#[tokio::test]
async fn more_than_an_answer_may_have_is_a_failure_and_exactly_that_much_is_not() {
    let limit = hook_wire::MAX_RESPONSE_BYTES;
    let workspace = Workspace::new();
    let full = fake("guard", &["read", &format!("answer-of={limit}")]);
    let consultation = Bench::new(&workspace, [full])
        .consult(before(&workspace, "{}"))
        .await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(consultation.trail[0].bytes_received, limit);

    let over = fake("guard", &["read", &format!("answer-of={}", limit + 1)]);
    let (model, operator) = refused(over, FailureKind::TooLarge).await;
    assert!(
        model.ends_with("gave no answer: it printed more than is allowed"),
        "{model}"
    );
    let said = format!("gave no answer: it printed more than the {limit} bytes that are allowed");
    assert!(operator.starts_with(&said), "{operator}");

    let endless = fake("guard", &["flood-out=endless"]);
    refused(endless, FailureKind::TooLarge).await;
}

#[tokio::test]
async fn what_a_program_prints_as_errors_is_no_answer_and_no_failure() {
    let workspace = Workspace::new();
    let hook = fake(
        "guard",
        &[
            "read",
            "error-hex=7b7dff",
            "error={\"decision\":\"deny\"}",
            "allow",
        ],
    );
    let bench = Bench::new(&workspace, [hook]);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert_eq!(
        consultation.trail[0].stderr.as_deref(),
        Some("{}\u{fffd}{\"decision\":\"deny\"}")
    );
}

#[tokio::test]
async fn an_ask_is_an_answer_and_without_a_person_no_on_failure_makes_an_allow_of_it() {
    let workspace = Workspace::new();
    let printed = [
        r#"{"decision":"ask"}"#,
        r#"{"decision":"ask","reason":"why"}"#,
        // Legible, whatever else is wrong with it.
        r#"{"decision":"ask","reason":7}"#,
        r#"{"decision":"ask","input":[]}"#,
        r#"{"decision":"ask","output":1}"#,
        r#"{"decision":"ask","reason":"why","reason":"twice"}"#,
    ];
    for text in printed {
        let hook = say("guard", text).with_on_failure(OnFailure::Allow);
        let bench = Bench::new(&workspace, [hook]);
        let reason = denial(&bench.decide(r#"{"command":"make"}"#).await).to_owned();
        assert!(reason.contains("hook 'guard'"), "{text}: {reason}");
    }
    let bench = Bench::new(&workspace, [say("guard", printed[1])]);
    assert_eq!(
        denial(&bench.decide(r#"{"command":"make"}"#).await),
        "the call was not made, because a person has to agree, and none can be asked here (asked by hook 'guard': why); a \
         person can run it by hand: make"
    );
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[tokio::test]
async fn words_for_the_model_are_an_answers_own_and_kept_from_the_operator() {
    let workspace = Workspace::new();
    let tells = r#"{"decision":"allow","context":"two warnings"}"#;
    let hooks = [
        say("lint", tells),
        worker("kept", &["repeat=line tell=two~more"]),
        say("odd", r#"{"decision":"allow","context":["no text"]}"#),
    ];
    let bench = Bench::new(&workspace, hooks);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    let context = consultation.context.iter();
    let context: Vec<_> = context.map(ToString::to_string).collect();
    assert_eq!(
        context,
        ["hook 'lint': two warnings", "worker 'kept': two more"]
    );
    assert_eq!(
        bench.reports(),
        ["hook 'odd': the `context` is an array and is left out; it must be a string"]
    );
}
