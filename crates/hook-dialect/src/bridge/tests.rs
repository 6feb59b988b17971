use hook_contract::HookOutcome;
use hook_runner::Consultation;
use serde_json::json;

use super::*;

fn asked(bridge: &'static Bridge, payload: &str) -> Asked {
    match bridge.read(payload.as_bytes()) {
        Ok(Reading::Tool(asked)) => *asked,
        other => panic!("{other:?}"),
    }
}

fn before(bridge: &'static Bridge, tool: &str, input: &str) -> Asked {
    asked(
        bridge,
        &format!(
            r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input},"tool_use_id":"t"}}"#
        ),
    )
}

fn after(bridge: &'static Bridge, tool: &str, result: &str) -> Asked {
    asked(
        bridge,
        &format!(
            r#"{{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"{tool}","tool_input":{{}},"tool_response":{result},"tool_use_id":"t"}}"#
        ),
    )
}

/// What is answered when the chain decided this, and said nothing beside it.
fn answered(asked: &Asked, outcome: HookOutcome) -> Answer {
    asked.answer(&Consultation::of(outcome))
}

fn said(answer: &Answer) -> serde_json::Value {
    let (Answer::Nothing { stdout } | Answer::Said { stdout, .. } | Answer::Refused { stdout, .. }) =
        answer;
    serde_json::from_str(stdout).expect("an object")
}

#[track_caller]
fn fault(bridge: &'static Bridge, payload: &str) -> String {
    bridge
        .read(payload.as_bytes())
        .expect_err("no payload")
        .to_string()
}

#[test]
fn a_payload_that_is_not_known_is_a_fault_that_says_why() {
    let claude = Bridge::CLAUDE;
    let cases = [
        (
            " \n",
            "Claude Code sent nothing on standard input; this command is for its hook settings",
        ),
        (
            "[]",
            "what Claude Code sent is no JSON object: invalid type: sequence, expected an object at line 1 column 0",
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","hook_event_name":"Stop"}"#,
            "`hook_event_name` stands twice in what Claude Code sent, and has two readings",
        ),
        (
            r#"{"session_id":"s"}"#,
            "`hook_event_name` is missing in what Claude Code sent; Claude Code may be newer than 2.1.332, and this \
             program too old for it",
        ),
        (
            r#"{"hook_event_name":"BeforeTool","tool_name":"x"}"#,
            "`BeforeTool` is no event of Claude Code 2.1.332; leave it out of the hook settings, or use a newer hookchain",
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":""}"#,
            "`tool_name` is not a text in what Claude Code sent; Claude Code may be newer than 2.1.332, and this program \
             too old for it",
        ),
    ];
    for (payload, message) in cases {
        assert_eq!(fault(claude, payload), message);
    }
    let fault = claude.read(b"\xff{}").expect_err("no text");
    assert_eq!(fault.to_string(), "what Claude Code sent is not UTF-8");
}

#[test]
fn nothing_of_a_tool_event_may_be_missing_or_of_another_type() {
    let whole = json!({
        "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {},
        "tool_response": null, "tool_use_id": "t", "news": [1],
    });
    for bridge in Bridge::ALL {
        let read = |value: &serde_json::Value| bridge.read(value.to_string().as_bytes());
        assert!(matches!(read(&whole), Ok(Reading::Tool(_))));
        for name in [
            "session_id",
            "hook_event_name",
            "tool_name",
            "tool_input",
            "tool_response",
            "tool_use_id",
        ] {
            let mut less = whole.clone();
            less.as_object_mut().expect("an object").remove(name);
            assert!(matches!(read(&less), Err(PayloadFault::Missing { name: n, .. }) if n == name));
            if !["tool_input", "tool_response"].contains(&name) {
                let mut other = whole.clone();
                other[name] = json!(7);
                assert!(
                    matches!(read(&other), Err(PayloadFault::NotText { name: n, .. }) if n == name)
                );
            }
        }
    }
}

#[test]
fn the_agent_is_the_subagent_where_one_calls() {
    let with = |agent: &str| {
        let payload = format!(
            r#"{{"session_id":"s"{agent},"hook_event_name":"PreToolUse","tool_name":"x","tool_input":1,"tool_use_id":"t"}}"#
        );
        asked(Bridge::CODEX, &payload).call.agent_id
    };
    assert_eq!(with(""), "s");
    assert_eq!(with(r#","agent_id":null"#), "s");
    assert_eq!(with(r#","agent_id":"a1""#), "a1");
}

#[test]
fn the_request_has_what_the_payload_says_beside_the_call() {
    let payload = r#"{"session_id":"s","transcript_path":"/t","cwd":"/repo/sub","permission_mode":"plan","effort":{"n":1.50},
        "hook_event_name":"PostToolUse","tool_name":"x","tool_input":{"a":1},"tool_response":"r","tool_use_id":"t",
        "agent_id":"a1","agent_type":"explorer","news":[12345678901234567890123]}"#;
    let request = asked(Bridge::CLAUDE, payload).request("/w".as_ref());
    let request = request.expect("a question");
    assert_eq!(request.cwd.as_deref(), Some("/repo/sub"));
    assert_eq!(request.session_id.as_deref(), Some("s"));
    let extensions = request.extensions.expect("what else is said");
    assert_eq!(
        extensions.text(),
        r#"{"claude":{"transcript_path":"/t","permission_mode":"plan","effort":{"n":1.50},"hook_event_name":"PostToolUse","agent_type":"explorer","news":[12345678901234567890123]}}"#
    );
}

#[test]
fn what_cannot_be_relied_on_is_left_out_of_the_request() {
    let read = |more: &str| {
        let payload = format!(
            r#"{{"session_id":"s","turn_id":"7","hook_event_name":"PermissionRequest","tool_name":"x","tool_input":{{}}{more}}}"#
        );
        let request = asked(Bridge::CODEX, &payload).request("/w".as_ref());
        request.expect("a question")
    };
    let text = |request: &hook_contract::HookRequest| {
        let extensions = request.extensions.as_ref();
        extensions.map(|extensions| extensions.text().to_owned())
    };
    let event = r#"{"codex":{"hook_event_name":"PermissionRequest"}}"#;
    for cwd in [r#","cwd":"sub""#, r#","cwd":null"#, r#","cwd":"""#, ""] {
        let request = read(cwd);
        assert_eq!(
            (request.cwd.as_deref(), text(&request).as_deref()),
            (None, Some(event))
        );
    }
    // Two readings, half a character, and what is nested too deep.
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for value in [r#"{"a":1,"a":2}"#, r#""\ud800""#, &deep] {
        let request = read(&format!(r#","model":{value},"permission_mode":"default""#));
        let expected =
            r#"{"codex":{"hook_event_name":"PermissionRequest","permission_mode":"default"}}"#;
        assert_eq!(text(&request).as_deref(), Some(expected), "{value}");
    }
}

#[test]
fn an_input_or_a_result_with_two_readings_is_never_asked_about() {
    let twice = before(Bridge::CLAUDE, "x", r#"{"a":1,"a":2}"#);
    let error = twice.request("/w".as_ref()).expect_err("two readings");
    assert!(error.to_string().starts_with(
        "denied before any hook was asked: the input of the call cannot be read as one value ("
    ));
    let half = after(Bridge::CLAUDE, "x", r#""\ud800""#);
    let error = half.request("/w".as_ref()).expect_err("half a character");
    assert!(error.to_string().contains("the result of the call"));
}

#[test]
fn codex_takes_the_command_alone_and_no_rewrite_loses_a_part() {
    let asked = before(Bridge::CODEX, "Bash", r#"{"command":"a"}"#);
    let answer = |input| answered(&asked, HookOutcome::modify(input));
    assert_eq!(
        said(&answer(json!({"command": "b"}))),
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "b"}
        }})
    );
    for input in [
        json!({"command": "b", "timeout": 5}),
        json!({"command": 7}),
        json!({}),
    ] {
        assert!(matches!(answer(input), Answer::Refused { .. }));
    }
    let other = before(Bridge::CODEX, "mcp__a__b", r#"{"text":"a"}"#);
    let answer = answered(&other, HookOutcome::modify(json!({"text": "b", "more": 1})));
    assert!(matches!(answer, Answer::Said { .. }));
}

#[test]
fn a_rewrite_that_a_request_for_permission_cannot_take_is_a_refusal_unless_it_changes_nothing() {
    let asked = asked(
        Bridge::CODEX,
        r#"{"session_id":"s","turn_id":"7","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"a","description":"why"}}"#,
    );
    let answer = |input| answered(&asked, HookOutcome::modify(input));
    assert_eq!(
        answer(json!({"command": "a"})),
        Answer::Nothing {
            stdout: String::new()
        }
    );
    let refused = answer(json!({"command": "b"}));
    assert_eq!(
        said(&refused)["hookSpecificOutput"]["decision"]["behavior"],
        "deny"
    );
}

#[test]
fn another_result_gets_the_shape_of_the_tool() {
    let result = r#"{"stdout":"secret","stderr":"s","interrupted":false,"isImage":false}"#;
    let asked = after(Bridge::CLAUDE, "Bash", result);
    let output = |outcome: &HookOutcome| {
        said(&answered(&asked, outcome.clone()))["hookSpecificOutput"]["updatedToolOutput"].clone()
    };
    let text = json!({"stdout": "o", "stderr": "", "interrupted": false, "isImage": false});
    assert_eq!(output(&HookOutcome::replace(json!("o"), false)), text);
    let whole = json!({"stdout": "o", "stderr": "e", "interrupted": true, "isImage": false});
    assert_eq!(output(&HookOutcome::replace(whole.clone(), false)), whole);
    let other = output(&HookOutcome::replace(json!({"stdout": "o"}), false));
    assert_eq!(other["stdout"], r#"{"stdout":"o"}"#);
    let withheld = output(&HookOutcome::deny("why"));
    assert_eq!(withheld["stdout"], "[a hook withheld this result: why]");
    assert_eq!(withheld["stderr"], "");
}

#[test]
fn a_long_output_of_the_shell_leaves_no_way_to_the_old_one() {
    let result =
        r#"{"stdout":"secret","stderr":"","persistedOutputPath":"/x","persistedOutputSize":9}"#;
    let asked = after(Bridge::CLAUDE, "Bash", result);
    let output = |outcome: &HookOutcome| {
        said(&answered(&asked, outcome.clone()))["hookSpecificOutput"]["updatedToolOutput"].clone()
    };
    let text = json!({"stdout": "o", "stderr": ""});
    assert_eq!(output(&HookOutcome::replace(json!("o"), false)), text);
    let whole =
        json!({"stdout": "o", "stderr": "", "persistedOutputPath": "/x", "persistedOutputSize": 9});
    assert_eq!(output(&HookOutcome::replace(whole, false)), text);
    let withheld = json!({"stdout": "[a hook withheld this result: why]", "stderr": ""});
    assert_eq!(output(&HookOutcome::deny("why")), withheld);
}

#[test]
fn whatever_was_read_can_become_a_text() {
    let picture =
        r#"{"type":"image","file":{"base64":"AA==","type":"image/png","originalSize":1}}"#;
    for result in [picture, r#"{"type":"new kind"}"#, "null"] {
        let asked = after(Bridge::CLAUDE, "Read", result);
        for (outcome, text) in [
            (HookOutcome::replace(json!("o"), false), "o"),
            (
                HookOutcome::deny("why"),
                "[a hook withheld this result: why]",
            ),
        ] {
            assert_eq!(
                said(&answered(&asked, outcome.clone()))["hookSpecificOutput"]["updatedToolOutput"],
                json!({"type": "text", "file": {
                    "filePath": "", "content": text, "numLines": 1, "startLine": 1, "totalLines": 1,
                }})
            );
        }
    }
}

#[test]
fn a_result_that_stays_visible_is_said_to_be() {
    let asked = after(
        Bridge::CLAUDE,
        "Write",
        r#"{"type":"create","content":"secret"}"#,
    );
    let Answer::Refused { stderr, .. } = answered(&asked, HookOutcome::deny("why")) else {
        panic!("refused")
    };
    assert_eq!(
        stderr,
        "why\nClaude Code cannot withhold this result of Write, and you may have seen it; do not use it\n"
    );
    let Answer::Refused { stderr, .. } = answered(&asked, HookOutcome::replace(json!("o"), true))
    else {
        panic!("beside it")
    };
    assert_eq!(
        stderr,
        "a hook put another result in the place of this one, which Claude Code cannot take out for Write; use this one \
         alone:\n[a hook marked this result as a failure]\no\n"
    );
    // The same members with the same words: it is a result of the tool.
    let alike = HookOutcome::replace(json!({"type": "create", "content": ""}), false);
    let alike = answered(&asked, alike);
    assert!(matches!(alike, Answer::Said { .. }));
    let word = HookOutcome::replace(json!({"type": "other", "content": ""}), false);
    let word = answered(&asked, word);
    assert!(matches!(word, Answer::Refused { .. }));
}

#[test]
fn an_answer_of_the_other_moment_is_a_denial() {
    let asked = before(Bridge::CLAUDE, "x", "{}");
    let answer = answered(&asked, HookOutcome::replace(json!(1), false));
    assert!(matches!(answer, Answer::Refused { .. }));
    let asked = after(Bridge::CODEX, "x", "1");
    let answer = answered(&asked, HookOutcome::modify(json!({})));
    assert!(matches!(answer, Answer::Refused { .. }));
}

#[test]
fn digits_and_reasons_arrive_as_they_are() {
    let asked = before(Bridge::CLAUDE, "x", r#"{"id":1}"#);
    let input =
        hook_contract::Json::parse(r#"{"id":123456789012345678901234567890.50}"#).expect("JSON");
    let Answer::Said { stdout, .. } = answered(&asked, HookOutcome::modify(input)) else {
        panic!("said")
    };
    assert!(stdout.contains(r#""updatedInput":{"id":123456789012345678901234567890.50}"#));
    let Answer::Refused { stderr, .. } = answered(&asked, HookOutcome::deny(" \n")) else {
        panic!("refused")
    };
    assert_eq!(
        stderr,
        "the hooks of this workspace denied it, and gave no reason\n"
    );
}

/// A participant that wants a person to agree to another input.
struct Drier;

#[hook_contract::async_trait]
impl hook_contract::Interceptor for Drier {
    fn name(&self) -> &str {
        "drier"
    }

    async fn intercept(
        &self,
        call: &hook_contract::HookRequest,
    ) -> Result<HookOutcome, hook_contract::InterceptorError> {
        let answer = self.answer(call).await?;
        Ok(answer.without_a_person())
    }

    async fn answer(
        &self,
        _call: &hook_contract::HookRequest,
    ) -> Result<hook_contract::Answer, hook_contract::InterceptorError> {
        let input = hook_contract::Rewrite::Input(json!({"command": "dry"}).into());
        Ok(hook_contract::Answer::ask("sure?").with_rewrite(input))
    }
}

#[tokio::test]
async fn another_input_is_not_handed_on_in_a_mode_that_was_not_seen_to_take_it() {
    let mut asked = before(Bridge::CLAUDE, "Bash", r#"{"command":"wet"}"#);
    asked.permission_mode = Some("default".to_owned());
    asked.attendance = Attendance::Attended;
    let runner = hook_runner::HookRunner::builder("/repo").with_interceptor(Drier);
    let runner = runner.build().expect("built");
    let request = asked.request("/repo".as_ref()).expect("a question");
    let consultation = runner.consult(request).await;
    let seen = asked.answer(&consultation);
    assert_eq!(
        said(&seen)["hookSpecificOutput"]["permissionDecision"],
        "ask"
    );
    // Otherwise the original would run after a yes to the other form.
    let row = asked.row.asks.first().expect("a row");
    let takes_none = AskRow {
        takes_input: false,
        ..*row
    };
    asked.row = Box::leak(Box::new(BridgeRow {
        asks: Box::leak(Box::new([takes_none])),
        ..*asked.row
    }));
    let unseen = asked.answer(&consultation);
    assert!(matches!(unseen, Answer::Refused { .. }), "{unseen:?}");
}
