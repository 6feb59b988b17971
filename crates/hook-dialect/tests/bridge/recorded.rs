//! Everything that the agents were seen to send goes through the bridge, and what is answered is read by the agents' own
//! rules: it has the effect that the chain decided.
//!
//! The rules are the strict profiles, which the recordings of both agents are compared with.

use std::fs;

use hook_contract::{HookEvent, HookOutcome, Json};
use hook_dialect::{
    Decision, HookOutput,
    bridge::{Answer, Asked, Bridge, Reading, Replacement, Rewrite},
};
use hook_runner::Consultation;
use serde_json::{Value, json};

use crate::kit::{Speaker, Streams, consulted, heard, vectors};

/// What is answered when the chain decided this, and said nothing beside it.
fn answered(asked: &Asked, outcome: HookOutcome) -> Answer {
    asked.answer(&Consultation::of(outcome))
}

/// Each recorded payload of an agent, read.
fn each(bridge: &'static Bridge, folder: &str, mut look: impl FnMut(&str, &Value, Reading)) {
    let mut files: Vec<_> = fs::read_dir(vectors(folder))
        .expect("the recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    for path in &files {
        let bytes = fs::read(path).expect("a recording");
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let reading = bridge
            .read(&bytes)
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let payload: Value = serde_json::from_slice(&bytes).expect("JSON");
        look(name, &payload, reading);
    }
    println!("{folder}: {} payloads", files.len());
    assert!(files.len() > 40, "{folder}: only {}", files.len());
}

const AGENTS: [(&Bridge, &str); 2] = [
    (Bridge::CLAUDE, "oracle-claude/payloads"),
    (Bridge::CODEX, "oracle-codex/payloads/stdin"),
];

/// Each recorded question of both agents about a tool call.
pub(crate) fn each_call(mut look: impl FnMut(&str, &'static Bridge, &Value, &Asked)) {
    for (bridge, folder) in AGENTS {
        each(bridge, folder, |name, payload, reading| {
            if let Reading::Tool(asked) = reading {
                look(name, bridge, payload, &asked);
            }
        });
    }
}

#[test]
fn the_chain_is_asked_what_the_agent_asked() {
    for (bridge, folder) in AGENTS {
        let mut tools = 0;
        each(bridge, folder, |name, payload, reading| {
            let asked = match reading {
                Reading::NothingToSay { event } => {
                    assert_eq!(payload["hook_event_name"], event, "{name}");
                    assert!(bridge.row(event).is_none(), "{name}");
                    return;
                }
                Reading::Tool(asked) => asked,
            };
            tools += 1;
            let request = asked.request("/repo".as_ref()).expect("a question");
            assert_eq!(payload["hook_event_name"], asked.event_name(), "{name}");
            assert_eq!(request.tool_name, payload["tool_name"], "{name}");
            assert_eq!(request.input, payload["tool_input"], "{name}");
            let agent = payload.get("agent_id").unwrap_or(&payload["session_id"]);
            assert_eq!(request.agent_id, *agent, "{name}");
            let output = payload.get("tool_response").or(payload.get("error"));
            assert_eq!(request.output.as_ref().map(Json::value), output, "{name}");
            let failed = payload.get("error").is_some();
            assert_eq!(request.is_error, output.map(|_| failed), "{name}");
            let moment = if output.is_some() {
                HookEvent::PostToolUse
            } else {
                HookEvent::PreToolUse
            };
            assert_eq!(request.event, moment, "{name}");
        });
        assert!(tools > 15, "{folder}: {tools}");
    }
}

#[test]
fn what_is_allowed_is_left_to_the_agent() {
    each_call(|name, bridge, _, asked| {
        let answer = answered(asked, HookOutcome::Allow);
        let stdout = String::new();
        assert_eq!(answer, Answer::Nothing { stdout }, "{name}");
        let chain = [
            Speaker::broken("oops"),
            Speaker::says(hook_contract::Answer::allow()),
        ];
        let told = asked.answer(&consulted(asked, chain));
        let heard = heard(bridge, asked.event_name(), &told, Streams::Both);
        let (decision, failure) = (heard.decision, heard.failure);
        assert_eq!((decision, failure), (None, None), "{name}");
        let message = heard.system_message.expect("a word for the user");
        assert!(
            message.starts_with("interceptor 'broken' "),
            "{name}: {message}"
        );
        assert_eq!(heard.additional_context, None, "{name}");
    });
}

#[test]
fn a_denial_is_heard_whichever_stream_is_lost() {
    each_call(|name, bridge, _, asked| {
        for streams in [Streams::Both, Streams::NoStdout, Streams::NoStderr] {
            let deny = Speaker::says(hook_contract::Answer::deny("not today"));
            let answer = asked.answer(&consulted(asked, [Speaker::broken("oops"), deny]));
            let heard = heard(bridge, asked.event_name(), &answer, streams);
            assert!(heard.refuses(), "{name}, {streams:?}: {heard:?}");
            assert_eq!(heard.failure, None, "{name}, {streams:?}");
            let reason = heard.reason.expect("a reason");
            assert!(
                reason.starts_with("denied by interceptor 'speaker': not today"),
                "{name}, {streams:?}: {reason}"
            );
        }
    });
}

#[test]
fn another_input_is_taken_or_the_call_is_refused() {
    let mut taken = 0;
    each_call(|name, bridge, payload, asked| {
        if asked.event() != HookEvent::PreToolUse {
            return;
        }
        let rewrite = bridge.row(asked.event_name()).expect("a row").rewrite;
        let mut input = payload["tool_input"].clone();
        let first = input
            .as_object_mut()
            .expect("an object")
            .values_mut()
            .next();
        *first.expect("a member") = json!("changed");
        let answer = answered(asked, HookOutcome::modify(input.clone()));
        let heard_with = |streams| heard(bridge, asked.event_name(), &answer, streams);
        for streams in [Streams::Both, Streams::NoStderr] {
            let heard = heard_with(streams);
            let output = heard.updated_input.as_ref().map(Json::value);
            // A rewrite gives no permission where the agent tells the two apart.
            let (refuses, input, decision) = match rewrite {
                Rewrite::Unsaid => (true, None, heard.decision),
                Rewrite::Alone => (false, Some(&input), None),
                _ => (false, Some(&input), Some(Decision::Allow)),
            };
            assert_eq!(heard.refuses(), refuses, "{name}: {heard:?}");
            assert_eq!((output, heard.decision), (input, decision), "{name}");
            assert_eq!(heard.failure, None, "{name}");
            taken += usize::from(!refuses);
        }
        assert!(heard_with(Streams::NoStdout).refuses(), "{name}");
    });
    assert!(taken > 20, "{taken}");
}

/// The result as the model then has it; nothing when the agent's own stays.
fn shown(asked: &Asked, row: Replacement, heard: &HookOutput) -> Option<String> {
    match row {
        Replacement::AsReason => heard.reason.clone().filter(|_| heard.refuses()),
        Replacement::InShape => heard.updated_tool_output.as_ref().map(|output| {
            let text = match asked.tool_name() {
                "Bash" => &output["stdout"],
                "Read" => &output["file"]["content"],
                _ => output.value(),
            };
            text.as_str().expect("a text").to_owned()
        }),
        _ => None,
    }
}

#[test]
fn another_result_is_taken_or_stands_beside_the_first_with_a_word_about_it() {
    let mut taken = 0;
    each_call(|name, bridge, _, asked| {
        if asked.event() != HookEvent::PostToolUse {
            return;
        }
        let row = bridge.row(asked.event_name()).expect("a row");
        for (outcome, text) in [
            (HookOutcome::replace(json!("another"), false), "another"),
            (HookOutcome::deny("why"), "why"),
        ] {
            let answer = answered(asked, outcome);
            let heard_with = |streams| heard(bridge, asked.event_name(), &answer, streams);
            let heard = heard_with(Streams::Both);
            assert_eq!(heard.failure, None, "{name}");
            let shown = shown(asked, row.replacement, &heard);
            taken += usize::from(shown.is_some());
            let shown = shown.unwrap_or_else(|| {
                assert_eq!(heard.decision, Some(Decision::Block), "{name}");
                let reason = heard.reason.clone().expect("a reason");
                assert!(reason.contains("use"), "{name}: {reason}");
                reason
            });
            assert!(shown.contains(text), "{name}: {shown}");
            assert!(heard_with(Streams::NoStdout).refuses(), "{name}");
        }
    });
    assert!(taken > 20, "{taken}");
}

#[test]
fn the_shapes_that_claude_code_was_seen_to_take_are_given() {
    // `post-updated` of the recordings took these members, `post-updated-string` and `post-updated-partial` were left out.
    let result =
        json!({"stdout": "out-original", "stderr": "", "interrupted": false, "isImage": false});
    let payload = json!({
        "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "x"},
        "tool_response": result, "tool_use_id": "t",
    });
    let Ok(Reading::Tool(asked)) = Bridge::CLAUDE.read(payload.to_string().as_bytes()) else {
        panic!("a tool event");
    };
    for given in [
        json!("O-new"),
        json!({"stdout": "O-new"}),
        json!(null),
        json!([1]),
    ] {
        let answer = answered(&asked, HookOutcome::replace(given, false));
        let heard = heard(Bridge::CLAUDE, "PostToolUse", &answer, Streams::Both);
        let output = heard.updated_tool_output.expect("another result");
        let mut names: Vec<_> = output.as_object().expect("an object").keys().collect();
        names.sort_unstable();
        assert_eq!(names, ["interrupted", "isImage", "stderr", "stdout"]);
        assert!(output["stdout"].is_string() && output["interrupted"].is_boolean());
    }
}
