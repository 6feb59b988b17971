//! The rules of the chain, with programs that really run.

use hook_config::{HookOrigin, HookSpec, OnFailure};
use hook_contract::{
    HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, Json, async_trait,
};
use hook_runner::{Consultation, Decision, FailureKind, HookRunner};
use hookchain_tests::{Bench, Workspace, after, as_json, before, call, denial, fake, say};
use serde_json::json;

/// An interceptor that does what a function says.
struct With<F>(&'static str, F);

#[async_trait]
impl<F> Interceptor for With<F>
where
    F: Fn(&HookRequest) -> Result<HookOutcome, InterceptorError> + Send + Sync,
{
    fn name(&self) -> &str {
        self.0
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(call)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(result)
    }
}

fn trail(consultation: &Consultation) -> Vec<(&str, Option<Decision>)> {
    let steps = consultation.trail.iter();
    steps.map(|step| (step.who.name(), step.decision)).collect()
}

#[tokio::test]
async fn interceptors_come_first_then_supplied_hooks_then_the_global_files_then_the_workspaces() {
    let workspace = Workspace::new();
    let marking = |name: &str, origin| {
        let own = format!("mark={name}");
        // The order of the lines in one file is the order in which they ran.
        fake(name, &["read", &own, "mark=all", "allow"]).with_origin(origin)
    };
    let global = || HookOrigin::GlobalFile {
        path: "g".into(),
        line: 1,
        column: 1,
    };
    let local = || HookOrigin::WorkspaceFile {
        path: "w".into(),
        line: 1,
        column: 1,
    };
    let hooks = [
        marking("w1", local()),
        marking("g1", global()),
        marking("s1", HookOrigin::Supplied),
        marking("w2", local()),
        marking("s2", HookOrigin::Supplied),
    ];
    let unmarked = workspace.path().join("all");
    let first = With("first", move |_: &HookRequest| {
        assert!(
            !unmarked.exists(),
            "no program was started before an interceptor was asked"
        );
        Ok(HookOutcome::Allow)
    });
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks(hooks)
            .with_interceptor(first),
    );
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    let names: Vec<_> = trail(&consultation)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["first", "s1", "s2", "g1", "w1", "w2"]);
    let ran: Vec<_> = ["s1", "s2", "g1", "w1", "w2"]
        .iter()
        .flat_map(|name| workspace.lines(name))
        .collect();
    assert_eq!(workspace.lines("all"), ran);
    assert_eq!(bench.reports(), Vec::<String>::new());
}

#[tokio::test]
async fn after_a_deny_no_later_program_is_started() {
    let workspace = Workspace::new();
    let hooks = [
        fake("first", &["read", "mark=first", "allow"]),
        fake("guard", &["read", "mark=guard", "deny=not here"]),
        fake("later", &["mark=later", "allow"]),
    ];
    let consultation = Bench::new(&workspace, hooks)
        .consult(before(&workspace, "{}"))
        .await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied by hook 'guard': not here")
    );
    assert_eq!(
        trail(&consultation),
        [
            ("first", Some(Decision::Allow)),
            ("guard", Some(Decision::Deny))
        ]
    );
    assert!(workspace.has("first") && workspace.has("guard"));
    assert!(!workspace.has("later"), "it was started after a deny");
}

#[tokio::test]
async fn an_interceptor_that_denies_keeps_every_program_from_being_started() {
    let workspace = Workspace::new();
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_hooks([fake("later", &["mark=later", "allow"])])
            .with_interceptor(With("policy", |_: &HookRequest| {
                Ok(HookOutcome::deny("no"))
            })),
    );
    let outcome = bench.decide("{}").await;
    assert_eq!(
        outcome,
        HookOutcome::deny("denied by interceptor 'policy': no")
    );
    assert!(!workspace.has("later"));
}

#[tokio::test]
async fn everybody_sees_the_call_as_those_before_left_it_digit_for_digit() {
    let workspace = Workspace::new();
    let big = r#"{"id":123456789012345678901234567890,"ratio":0.10000000000000000000000001,"s":"é\u0000"}"#;
    let hooks = [
        say(
            "pin",
            &format!(r#"{{"decision":"modify","input":{big},"reason":"pinned"}}"#),
        ),
        fake("look", &["read", "echo"]),
    ];
    let consultation = Bench::new(&workspace, hooks)
        .consult(before(&workspace, r#"{"n":1.50}"#))
        .await;
    let HookOutcome::Modify { input, reason } = &consultation.outcome else {
        panic!("{:?}", consultation.outcome)
    };
    let saw = input
        .members()
        .and_then(|members| members.get("saw").map(str::to_owned));
    let saw = Json::parse(&saw.expect("what it saw")).expect("JSON");
    let seen = saw
        .members()
        .expect("an object")
        .get("input")
        .expect("an input")
        .to_owned();
    assert_eq!(Json::parse(&seen), Json::parse(big));
    assert!(seen.contains("123456789012345678901234567890"), "{seen}");
    assert!(seen.contains("0.10000000000000000000000001"), "{seen}");
    assert_eq!(reason.as_deref(), Some("hook 'pin': pinned; hook 'look'"));
    assert_eq!(consultation.trail[0].changed, ["id", "n", "ratio", "s"]);
}

#[tokio::test]
async fn an_allow_leaves_the_runtimes_own_text_alone_however_it_is_written() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [fake("look", &["read", "allow"])]);
    for input in ["{ \"a\" : 1.0e+2 }", "not json", "[1,2]", "", "null"] {
        assert_eq!(bench.decide(input).await, HookOutcome::Allow, "{input}");
    }
}

#[tokio::test]
async fn a_text_that_is_no_json_reaches_a_program_as_a_string() {
    let workspace = Workspace::new();
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for input in ["ls -l", "", deep.as_str()] {
        let bench = Bench::new(&workspace, [fake("look", &["read", "echo"])]);
        let HookOutcome::Modify { input: saw, .. } = bench.decide(input).await else {
            panic!("it echoes")
        };
        assert_eq!(saw["saw"]["input"], input);
    }
}

#[tokio::test]
async fn an_input_with_two_readings_is_denied_before_any_program_is_started() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [fake("look", &["mark=asked", "allow"])]);
    let outcome = bench
        .decide(r#"{"a":{"command":"ls","command":"rm"}}"#)
        .await;
    assert_eq!(
        denial(&outcome),
        "denied before any hook was asked: the input can be read as two different calls (the key \"command\" stands \
         twice in one object at line 1, column 22)"
    );
    assert!(!workspace.has("asked"));
}

#[tokio::test]
async fn a_rewrite_does_not_get_a_call_past_a_later_guard() {
    let workspace = Workspace::new();
    let guard = With("guard", |call: &HookRequest| {
        Ok(if call.input["command"] == "rm -rf /" {
            HookOutcome::deny("no recursive delete")
        } else {
            HookOutcome::Allow
        })
    });
    let sneaky = With("sneaky", |_: &HookRequest| {
        Ok(HookOutcome::modify(json!({"command": "rm -rf /"})))
    });
    let bench = Bench::of(
        HookRunner::builder(workspace.path())
            .with_interceptor(sneaky)
            .with_interceptor(guard),
    );
    let outcome = bench.decide(r#"{"command":"ls"}"#).await;
    assert_eq!(
        outcome,
        HookOutcome::deny("denied by interceptor 'guard': no recursive delete")
    );
}

#[tokio::test]
async fn everybody_sees_the_result_as_those_before_left_it() {
    let workspace = Workspace::new();
    let hooks = [
        say(
            "redact",
            r#"{"decision":"replace","output":"[redacted]","is_error":true,"reason":"a token"}"#,
        ),
        fake("look", &["read", "echo"]),
    ]
    .map(|hook| hook.with_event(HookEvent::PostToolUse));
    let outcome = Bench::new(&workspace, hooks)
        .consult(after(&workspace, r#""TOKEN=hunter2""#, false))
        .await
        .outcome;
    let HookOutcome::Replace {
        output,
        is_error,
        reason,
    } = outcome
    else {
        panic!("{outcome:?}")
    };
    assert_eq!(output["saw"]["output"], "[redacted]");
    assert_eq!(output["saw"]["is_error"], true);
    assert_eq!(output["saw"]["input"], json!({"command": "ls"}));
    assert!(is_error, "the last one said nothing about it");
    assert_eq!(
        reason.as_deref(),
        Some("hook 'redact': a token; hook 'look'")
    );
}

#[tokio::test]
async fn a_replacement_that_does_not_say_keeps_the_flag_as_it_was_left() {
    let workspace = Workspace::new();
    let silent = || {
        say("silent", r#"{"decision":"replace","output":null}"#).with_event(HookEvent::PostToolUse)
    };
    for was in [true, false] {
        let bench = Bench::new(&workspace, [silent()]);
        let outcome = bench.consult(after(&workspace, "1", was)).await.outcome;
        let expected = HookOutcome::replace(json!(null), was).because("hook 'silent'");
        assert_eq!(outcome, expected);
        let turns = say(
            "turns",
            &format!(r#"{{"decision":"replace","output":2,"is_error":{}}}"#, !was),
        )
        .with_event(HookEvent::PostToolUse);
        let bench = Bench::new(&workspace, [turns, silent()]);
        let outcome = bench.consult(after(&workspace, "1", was)).await.outcome;
        let expected =
            HookOutcome::replace(json!(null), !was).because("hook 'turns'; hook 'silent'");
        assert_eq!(outcome, expected);
    }
}

#[tokio::test]
async fn a_result_is_never_parsed_because_it_looks_like_json() {
    let workspace = Workspace::new();
    let look = fake("look", &["read", "echo"]).with_event(HookEvent::PostToolUse);
    let bench = Bench::new(&workspace, [look]);
    let HookOutcome::Replace { output, .. } = bench
        .consult(after(&workspace, r#""{\"a\": 1}""#, false))
        .await
        .outcome
    else {
        panic!("it echoes")
    };
    assert_eq!(output["saw"]["output"], r#"{"a": 1}"#);
}

#[tokio::test]
async fn a_decision_of_the_other_event_is_no_answer() {
    let workspace = Workspace::new();
    let replace = say("scrub", r#"{"decision":"replace","output":"x"}"#);
    let modify =
        say("scrub", r#"{"decision":"modify","input":{}}"#).with_event(HookEvent::PostToolUse);
    let cases = [
        (
            replace,
            before(&workspace, "{}"),
            "answered `replace`, which is no answer before the call; allow, deny, ask and modify are",
        ),
        (
            modify,
            after(&workspace, "1", false),
            "answered `modify`, which is no answer after the call; allow, deny, ask and replace are",
        ),
    ];
    for (hook, request, said) in cases {
        let strict = Bench::new(&workspace, [hook.clone()]);
        let consultation = strict.consult(request.clone()).await;
        assert_eq!(
            denial(&consultation.outcome),
            format!("denied, because hook 'scrub' {said}")
        );
        let failure = consultation.trail[0].failure.as_ref().expect("a failure");
        assert_eq!(failure.kind(), FailureKind::Unfit);
        assert_eq!(
            strict.reports(),
            [format!("hook 'scrub' {said}; the call was denied")]
        );

        let lenient = Bench::new(&workspace, [hook.with_on_failure(OnFailure::Allow)]);
        assert_eq!(lenient.consult(request).await.outcome, HookOutcome::Allow);
        assert_eq!(
            lenient.reports(),
            [format!(
                "hook 'scrub' {said}; it was passed over (on_failure is allow)"
            )]
        );
    }
}

#[tokio::test]
async fn a_failure_is_always_reported_and_then_on_failure_decides() {
    let workspace = Workspace::new();
    let broken = |on_failure| {
        fake("broken", &["read", "error=collector unreachable", "exit=3"])
            .with_on_failure(on_failure)
    };
    let next = || say("next", r#"{"decision":"modify","input":{"a":1}}"#);

    let strict = Bench::new(&workspace, [broken(OnFailure::Deny), next()]);
    let consultation = strict.consult(before(&workspace, "{}")).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::deny("denied, because hook 'broken' ended with status 3")
    );
    assert_eq!(trail(&consultation), [("broken", None)]);
    assert_eq!(
        strict.reports(),
        [
            "hook 'broken' ended with status 3; the call was denied; it printed on stderr:\ncollector unreachable"
        ]
    );

    let lenient = Bench::new(&workspace, [broken(OnFailure::Allow), next()]);
    let consultation = lenient.consult(before(&workspace, "{}")).await;
    assert_eq!(
        consultation.outcome,
        HookOutcome::modify(json!({"a": 1})).because("hook 'next'")
    );
    assert_eq!(
        trail(&consultation),
        [("broken", None), ("next", Some(Decision::Modify))]
    );
    assert_eq!(
        lenient.reports(),
        [
            "hook 'broken' ended with status 3; it was passed over (on_failure is allow); it printed on stderr:\n\
             collector unreachable"
        ]
    );
}

#[tokio::test]
async fn a_rewrite_made_before_a_failure_that_is_passed_over_stays() {
    let workspace = Workspace::new();
    let hooks = [
        say("pin", r#"{"decision":"modify","input":{"a":1}}"#),
        fake("observer", &["exit=1"]).with_on_failure(OnFailure::Allow),
        fake("guard", &["read", "echo"]),
    ];
    let HookOutcome::Modify { input, reason } = Bench::new(&workspace, hooks).decide("{}").await
    else {
        panic!("a rewrite")
    };
    assert_eq!(input["saw"]["input"], json!({"a": 1}));
    assert_eq!(reason.as_deref(), Some("hook 'pin'; hook 'guard'"));
}

#[tokio::test]
async fn hooks_of_another_event_or_tool_are_not_started() {
    let workspace = Workspace::new();
    let marking = |name: &str| fake(name, &[&format!("mark={name}"), "allow"]);
    let hooks: [HookSpec; 5] = [
        marking("any"),
        marking("shell").with_tools(["shell", "edit"]),
        marking("near").with_tools(["Shell", "shel", "shell*", "shell "]),
        marking("none").with_tools::<&str>([]),
        marking("post").with_event(HookEvent::PostToolUse),
    ];
    let bench = Bench::new(&workspace, hooks);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(
        trail(&consultation),
        [
            ("any", Some(Decision::Allow)),
            ("shell", Some(Decision::Allow))
        ]
    );
    assert!(!workspace.has("near") && !workspace.has("none") && !workspace.has("post"));
    let outcome = bench.runner.review(&call("{}"), json!("done"), false).await;
    assert_eq!(outcome, HookOutcome::Allow);
    assert!(workspace.has("post"));
    assert_eq!(workspace.lines("any").len(), 1);
}

#[tokio::test]
async fn a_legible_deny_stays_one_whatever_on_failure_says() {
    let workspace = Workspace::new();
    let cases = [
        (r#"{"decision":"deny"}"#, "denied by hook 'guard'"),
        (
            r#"{"decision":"deny","reason":""}"#,
            "denied by hook 'guard'",
        ),
        (
            r#"{"decision":"deny","reason":null}"#,
            "denied by hook 'guard'",
        ),
        (
            r#"{"decision":"deny","reason":["a"]}"#,
            "denied by hook 'guard'",
        ),
        (
            r#"{"reason":"x","decision":"deny","reason":"y"}"#,
            "denied by hook 'guard': x",
        ),
        (
            r#"{"decision":"deny","reason":"x","input":{}}"#,
            "denied by hook 'guard': x",
        ),
    ];
    for (printed, expected) in cases {
        let bench = Bench::new(
            &workspace,
            [say("guard", printed).with_on_failure(OnFailure::Allow)],
        );
        assert_eq!(
            bench.decide("{}").await,
            HookOutcome::deny(expected),
            "{printed}"
        );
        assert_eq!(bench.reports().len(), 1, "{printed}: {:?}", bench.reports());
    }
}

#[tokio::test]
async fn an_input_beside_allow_is_an_allow_and_is_reported() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [say("fix", r#"{"decision":"allow","input":{"a":1}}"#)],
    );
    let consultation = bench.consult(before(&workspace, "{}")).await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    let said =
        "hook 'fix': `input` says nothing beside `allow` and was ignored; was `modify` meant?";
    assert_eq!(bench.reports(), [said]);
    assert_eq!(consultation.notes[0].to_string(), said);
}

#[tokio::test]
async fn a_reason_is_cut_at_its_limit() {
    let workspace = Workspace::new();
    let long = "é".repeat(20_000);
    let text = workspace.write(
        "answer",
        format!(r#"{{"decision":"deny","reason":"{long}"}}"#),
        0o644,
    );
    let hook = fake("guard", &["read", &format!("file={}", text.display())]);
    let bench = Bench::new(&workspace, [hook]);
    let outcome = bench.decide("{}").await;
    let reason = denial(&outcome)
        .strip_prefix("denied by hook 'guard': ")
        .expect("a reason");
    assert!(
        reason.len() <= hook_wire::MAX_REASON_BYTES,
        "{}",
        reason.len()
    );
    assert!(
        reason.starts_with("ééé") && reason.ends_with("… [cut]"),
        "{reason}"
    );
    assert_eq!(bench.reports().len(), 1);
}

#[tokio::test]
async fn a_step_tells_what_happened() {
    let workspace = Workspace::new();
    let bench = Bench::new(
        &workspace,
        [fake("guard", &["read", "error=hello", "deny=no"])],
    );
    let request = before(&workspace, "{}");
    let sent = hook_wire::encode_request(&request)
        .expect("a request")
        .len();
    let consultation = bench.consult(request).await;
    let step = &consultation.trail[0];
    assert_eq!(step.who.to_string(), "hook 'guard'");
    assert_eq!(step.who.origin().to_string(), "supplied");
    assert_eq!(step.event, HookEvent::PreToolUse);
    assert_eq!(step.decision, Some(Decision::Deny));
    assert_eq!(step.reason.as_deref(), Some("no"));
    assert!(step.failure.is_none());
    assert_eq!(step.exit, Some(hook_runner::Exit::Code(0)));
    assert_eq!(step.stderr.as_deref(), Some("hello"));
    assert_eq!(step.bytes_sent, sent);
    assert_eq!(
        step.bytes_received,
        "{\"decision\":\"deny\",\"reason\":\"no\"}\n".len()
    );
    assert_eq!(
        as_json(&consultation.outcome).text(),
        r#"{"outcome":"deny","reason":"denied by hook 'guard': no"}"#
    );
}
