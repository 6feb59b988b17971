//! The generated schemas against everything that is sent, answered and declared.

use std::{fs, path::Path};

use hook_audit::{Audit, Capture, Reader, Record};
use hook_config::{HooksFile, HostSupport, OnFailure};
use hook_contract::{
    Access, CommandFact, Facts, HookEvent, HookOutcome, HookRequest, Json, Kind, Kinds, PathFact,
    Redirect, Tool, ToolKnowledge, UrlFact,
};
use hook_wire::{DecodeNote, RequestLine, decode_request, decode_response, encode_request};
use hookchain_tests::{Bench, PATIENCE, Workspace, after, before, fake};
use jsonschema::Validator;
use serde_json::{Value, json};

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).expect("a schema of 2020-12");
    jsonschema::validator_for(schema).expect("a schema")
}

fn request() -> Value {
    hook_contract::schema::request().into()
}

fn response() -> Value {
    hook_wire::schema::response().into()
}

fn hooks_file() -> Value {
    hook_config::schema::hooks_file().into()
}

/// A host that can do with an entry whatever the schema knows.
fn able() -> HostSupport {
    struct Tools;

    impl ToolKnowledge for Tools {
        fn kinds(&self, _tool_name: &str) -> Kinds {
            Kinds::NONE
        }

        fn knows_facts(&self) -> bool {
            true
        }
    }

    HostSupport::new().with_tools(&Tools)
}

fn record() -> Value {
    hook_audit::schema::record().into()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn golden(file: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/v1");
    let mut texts = Vec::new();
    for event in HookEvent::ALL {
        for case in fs::read_dir(root.join(event.as_str())).expect("cases") {
            let path = case.expect("a case").path().join(file);
            texts.push(fs::read_to_string(path).expect("a file"));
        }
    }
    texts
}

#[track_caller]
fn accept(schema: &Validator, value: &Value) {
    let errors: Vec<_> = schema
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{value}");
}

#[test]
fn each_schema_says_who_it_is_and_accepts_its_own_examples() {
    for (schema, id) in [
        (request(), "urn:hookchain:hook-request.v1"),
        (response(), "urn:hookchain:hook-response.v1"),
        (hooks_file(), "urn:hookchain:hooks-file.v1"),
        (record(), "urn:hookchain:hook-record.v1"),
    ] {
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        assert_eq!(schema["$id"], id);
        assert!(
            schema["title"].is_string() && schema["description"].is_string(),
            "{id}"
        );
        let examples = schema["examples"].as_array().expect("examples").clone();
        assert!(!examples.is_empty(), "{id}");
        for example in examples {
            accept(&validator(&schema), &example);
        }
    }
}

/// What a program that was asked this really read.
async fn as_sent(workspace: &Workspace, request: HookRequest) -> Value {
    let hook = fake("look", &["read", "echo"]).with_event(request.event);
    match Bench::new(workspace, [hook]).consult(request).await.outcome {
        HookOutcome::Modify { input, .. } => input["saw"].clone(),
        HookOutcome::Replace { output, .. } => output["saw"].clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn everything_the_runner_sends_is_a_request() {
    let schema = validator(&request());
    let workspace = Workspace::named("a b é");
    let values = [
        "{}",
        "[]",
        "null",
        "true",
        "0",
        "-0.0",
        r#""text""#,
        r#"{"id":123456789012345678901234567890,"r":1e-30,"deep":{"a":[{"b":null}]}}"#,
    ];
    for text in values {
        accept(
            &schema,
            &as_sent(&workspace, before(&workspace, text)).await,
        );
        accept(
            &schema,
            &as_sent(&workspace, after(&workspace, text, true)).await,
        );
    }
    for text in ["", "ls -l", "{", &"[".repeat(500)] {
        accept(
            &schema,
            &as_sent(&workspace, before(&workspace, text)).await,
        );
    }
    for text in golden("request.json") {
        accept(&schema, &parsed(&text));
    }
}

/// The request with everything that can be known of it.
fn known(request: HookRequest) -> HookRequest {
    let mut push = CommandFact::new("git", ["git", "push"], [0, 8]);
    push.argv.push(None);
    push.through = vec!["sudo".into()];
    push.redirects = vec![Redirect::new(">", "out")];
    push.stdin = Some("pipe".into());
    push.cwd = Some("sub".into());
    let accesses = [Access::Read, Access::Write, Access::Delete, Access::List];
    let facts = accesses
        .into_iter()
        .map(|access| PathFact::new("/w/x", "x", access).within_workspace())
        .fold(Facts::new(), Facts::with_path)
        .with_command(push)
        .with_url(UrlFact::new("https://h/x", Some("h".into())))
        .with_url(UrlFact::new("x:", None))
        .with_unread("a variable");
    let tool = Tool::new(Kind::ALL.iter().copied())
        .with_agent("claude-code")
        .with_mcp(None, "run");
    let mut request = request.with_knowledge(tool, Some(facts)).asked_again();
    request.cwd = Some("/w/sub".into());
    request.session_id = Some("session-1".into());
    request.extensions = Some(Json::parse(r#"{"turn":1.50}"#).expect("JSON"));
    request
}

#[test]
fn what_is_known_of_a_call_is_a_request_too() {
    let schema = validator(&request());
    let workspace = Workspace::new();
    for asked in [
        before(&workspace, "{}"),
        after(&workspace, "null", true),
        known(before(&workspace, "{}")),
        known(after(&workspace, "1.50", false)),
        before(&workspace, "{}").with_knowledge(Tool::new([]), Some(Facts::new())),
    ] {
        let line = RequestLine::with_facts(&asked).expect("a path in UTF-8");
        let line = line.to_bytes();
        accept(&schema, &parsed(std::str::from_utf8(&line).expect("UTF-8")));
        assert_eq!(decode_request(&line).expect("a request"), asked);
    }
}

/// Members of a request that is about a result, each with a value that it cannot have.
fn wrong_members() -> Vec<(&'static str, Value)> {
    vec![
        ("hook_schema", json!(2)),
        ("hook_schema", json!("1")),
        ("event", json!("PreToolUse")),
        ("event", json!("before")),
        ("event", json!(null)),
        ("workspace", json!(null)),
        ("agent_id", json!(7)),
        ("tool_name", json!(["shell"])),
        ("tool_call_id", json!({})),
        ("is_error", json!("false")),
        ("is_error", json!(null)),
        ("cwd", json!(7)),
        ("cwd", json!(null)),
        ("session_id", json!({})),
        ("session_id", json!(null)),
        ("extensions", json!([])),
        ("extensions", json!(null)),
        ("tool", json!("shell")),
        ("tool", json!({})),
        ("tool", json!({"kinds": null})),
        ("tool", json!({"kinds": [7]})),
        ("tool", json!({"kinds": [], "agent": 7})),
        ("facts", json!([])),
        ("facts", json!({})),
        ("facts", json!({"coverage": true})),
        ("facts", json!({"coverage": "full", "unread": "all"})),
        (
            "facts",
            json!({"coverage": "full", "commands": [{"program": "rm", "argv": [7], "exact": true, "span": [0, 2]}]}),
        ),
        (
            "facts",
            json!({"coverage": "full", "commands": [{"program": "rm", "argv": [], "exact": true, "span": [0]}]}),
        ),
        (
            "facts",
            json!({"coverage": "full", "paths": [{"path": "/x", "as_written": "x", "access": "look", "in_workspace": true}]}),
        ),
        (
            "facts",
            json!({"coverage": "full", "urls": [{"host": "h"}]}),
        ),
        ("again", json!("true")),
        ("again", json!(null)),
    ]
}

#[test]
fn what_is_no_request_is_neither_one_to_the_schema_nor_to_the_reader() {
    let schema = validator(&request());
    let workspace = Workspace::new();
    let sound = |request: &HookRequest| {
        let line = encode_request(request).expect("a path in UTF-8");
        parsed(std::str::from_utf8(&line).expect("UTF-8"))
    };
    let (before, after) = (
        sound(&before(&workspace, "{}")),
        sound(&after(&workspace, "1", false)),
    );
    let mut malformed = vec![json!([]), json!("x"), json!(null), json!({})];
    for field in [
        "hook_schema",
        "event",
        "workspace",
        "agent_id",
        "tool_call_id",
        "tool_name",
        "input",
    ] {
        let mut without = before.clone();
        without.as_object_mut().expect("an object").remove(field);
        malformed.push(without);
    }
    for (field, value) in wrong_members() {
        let mut changed = after.clone();
        changed[field] = value;
        malformed.push(changed);
    }
    for value in malformed {
        assert!(!schema.is_valid(&value), "{value}");
        assert!(
            decode_request(value.to_string().as_bytes()).is_err(),
            "{value}"
        );
    }
}

#[test]
fn what_is_an_answer_is_one_to_the_schema_and_to_the_reader() {
    let schema = validator(&response());
    let answers = [
        r#"{"decision":"allow"}"#,
        r#"{"decision":"allow","reason":null}"#,
        r#"{"decision":"allow","reason":"fine","more":[1]}"#,
        r#"{"decision":"deny"}"#,
        r#"{"decision":"deny","reason":"no"}"#,
        r#"{"decision":"modify","input":{}}"#,
        r#"{"decision":"modify","input":{"id":123456789012345678901234567890},"reason":"x"}"#,
        r#"{"decision":"replace","output":null}"#,
        r#"{"decision":"replace","output":"x","is_error":true}"#,
        r#"{"decision":"replace","output":[1.50],"is_error":null,"reason":"x"}"#,
        r#"{"decision":"deny","tool_call_id":"call-1"}"#,
        r#"{"decision":"modify","input":{"tool_call_id":7},"tool_call_id":null}"#,
        r#"{"decision":"ask"}"#,
        r#"{"decision":"ask","reason":"this deploys"}"#,
        r#"{"decision":"ask","reason":null,"context":null}"#,
        r#"{"decision":"ask","input":{"id":123456789012345678901234567890},"reason":"x"}"#,
        r#"{"decision":"ask","output":null,"is_error":true,"reason":"x"}"#,
        r#"{"decision":"ask","output":[1.50],"is_error":null}"#,
        r#"{"decision":"allow","context":"2 warnings"}"#,
        r#"{"decision":"deny","reason":"no","context":"2 warnings"}"#,
        r#"{"decision":"ask","context":"2 warnings","tool_call_id":"call-1"}"#,
        r#"{"decision":"modify","input":{},"context":"2 warnings"}"#,
        r#"{"decision":"replace","output":1,"context":"","reason":"x"}"#,
    ];
    for text in answers {
        accept(&schema, &parsed(text));
        let decoded = decode_response(text.as_bytes());
        let decoded = decoded.unwrap_or_else(|error| panic!("{text}: {error}"));
        let odd = |note: &DecodeNote| {
            !matches!(
                note,
                DecodeNote::DenyWithoutReason | DecodeNote::AskWithoutReason
            )
        };
        assert!(!decoded.notes.iter().any(odd), "{:?}", decoded.notes);
        accept(&schema, &json!(decoded.response));
    }
    for text in golden("response.json") {
        let is_answer = decode_response(text.as_bytes()).is_ok();
        assert_eq!(schema.is_valid(&parsed(&text)), is_answer, "{text}");
    }
}

#[test]
fn what_is_no_answer_is_neither_one_to_the_schema_nor_to_the_reader() {
    let schema = validator(&response());
    let malformed = [
        "[]",
        "null",
        r#""allow""#,
        "{}",
        r#"{"decision":null}"#,
        r#"{"decision":true}"#,
        r#"{"decision":"Allow"}"#,
        r#"{"decision":"allow "}"#,
        r#"{"decision":"approve"}"#,
        r#"{"decision":"Ask"}"#,
        r#"{"decision":"confirm"}"#,
        r#"{"decision":["deny"]}"#,
        r#"{"Decision":"deny"}"#,
        r#"{"decision":"allow","reason":1}"#,
        r#"{"decision":"modify"}"#,
        r#"{"decision":"modify","input":null}"#,
        r#"{"decision":"modify","input":"{}"}"#,
        r#"{"decision":"modify","input":[]}"#,
        r#"{"decision":"modify","input":{},"reason":[]}"#,
        r#"{"decision":"replace"}"#,
        r#"{"decision":"replace","output":1,"is_error":"no"}"#,
        r#"{"decision":"replace","output":1,"is_error":0}"#,
        r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#,
    ];
    for text in malformed {
        assert!(!schema.is_valid(&parsed(text)), "{text}");
        assert!(decode_response(text.as_bytes()).is_err(), "{text}");
    }
    // The reader of one answer is more lenient about four things: it has nothing to compare a call with, ...
    let odd = r#"{"decision":"allow","tool_call_id":7}"#;
    assert!(!schema.is_valid(&parsed(odd)));
    let decoded = decode_response(odd.as_bytes()).expect("an answer");
    assert_eq!(decoded.other_call("7"), Some("7"));
    // ... a legible deny or ask stays one, ...
    for word in ["deny", "ask"] {
        let odd = format!(r#"{{"decision":"{word}","reason":["no"]}}"#);
        assert!(!schema.is_valid(&parsed(&odd)));
        let decoded = decode_response(odd.as_bytes()).expect("an answer");
        assert_eq!(decoded.response.decision().as_str(), word);
        assert!(matches!(
            decoded.notes[..],
            [DecodeNote::ReasonNotText { .. }]
        ));
    }
    // ... an ask stays one without the rewrite beside it, ...
    for odd in [
        r#"{"decision":"ask","reason":"x","input":[]}"#,
        r#"{"decision":"ask","reason":"x","input":null}"#,
    ] {
        assert!(!schema.is_valid(&parsed(odd)));
        let decoded = decode_response(odd.as_bytes()).expect("an ask");
        assert!(matches!(
            decoded.notes[..],
            [DecodeNote::RewriteLeftOut { field: "input", .. }]
        ));
    }
    // ... and a hook of before may use the name of the context for something else.
    let odd = r#"{"decision":"allow","context":{"repository":"tools"}}"#;
    assert!(!schema.is_valid(&parsed(odd)));
    let decoded = decode_response(odd.as_bytes()).expect("an allow");
    assert!(matches!(
        decoded.notes[..],
        [DecodeNote::ContextNotText { .. }]
    ));
}

#[test]
fn every_hooks_file_of_the_cases_that_can_be_used_is_one_to_the_schema() {
    let schema = validator(&hooks_file());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/native");
    let mut used = 0;
    for case in fs::read_dir(root).expect("the cases") {
        let path = case.expect("a case").path().join("hooks.json");
        let text = fs::read_to_string(&path).expect("a hooks file");
        if HooksFile::parse(&text).is_ok() {
            accept(&schema, &parsed(&text));
            used += 1;
        }
    }
    assert!(used > 30, "{used}");
}

#[test]
fn a_file_with_every_field_is_one_to_the_schema_and_can_be_used() {
    let schema = validator(&hooks_file());
    let hook =
        |more: &str| format!(r#"{{"schema":1,"hooks":[{{"name":"g","command":["./g"]{more}}}]}}"#);
    let files = [
        r#"{"schema":1,"hooks":[]}"#.to_owned(),
        r#"{"schema":1}"#.to_owned(),
        r#"{"$schema":"x","schema":1,"hooks":[]}"#.to_owned(),
        hook(""),
        hook(
            r#","tools":["shell"],"event":"post_tool_use","timeout_ms":1,"on_failure":"allow","mode":"worker""#,
        ),
        hook(
            r#","tools":[],"event":"pre_tool_use","timeout_ms":86400000,"on_failure":"deny","mode":"oneshot""#,
        ),
        hook(r#","tools":["deploy"],"kinds":["shell","web_search"],"facts":true"#),
        hook(r#","kinds":null,"facts":false"#),
        hook(r#","of_a_later_version":{"a":1}"#),
    ];
    for text in files {
        accept(&schema, &parsed(&text));
        let file = HooksFile::parse_for(&text, &able());
        assert!(file.is_ok(), "{text}: {file:?}");
    }
}

#[test]
fn what_is_no_hooks_file_is_neither_one_to_the_schema_nor_to_the_reader() {
    let schema = validator(&hooks_file());
    let hook = |text: &str| format!(r#"{{"schema":1,"hooks":[{text}]}}"#);
    let with = |more: &str| hook(&format!(r#"{{"name":"g","command":["./g"],{more}}}"#));
    let malformed = [
        "[]".to_owned(),
        "[1,[]]".to_owned(),
        "null".to_owned(),
        "{}".to_owned(),
        r#"{"hooks":[]}"#.to_owned(),
        r#"{"schema":2,"hooks":[]}"#.to_owned(),
        r#"{"schema":"1","hooks":[]}"#.to_owned(),
        r#"{"schema":1,"hooks":{}}"#.to_owned(),
        r#"{"schema":1,"hooks":null}"#.to_owned(),
        hook("[]"),
        hook(r#"["g",["./g"]]"#),
        hook(r#"{"command":["./g"]}"#),
        hook(r#"{"name":"g"}"#),
        hook(r#"{"name":"","command":["./g"]}"#),
        hook(r#"{"name":"g","command":[]}"#),
        hook(r#"{"name":"g","command":[""]}"#),
        hook(r#"{"name":"g","command":"./g --strict"}"#),
        hook(r#"{"name":"g","command":["./g",1]}"#),
        hook(r#"{"name":7,"command":["./g"]}"#),
        with(r#""tools":"shell""#),
        with(r#""tools":[1]"#),
        with(r#""kinds":"shell""#),
        with(r#""kinds":[]"#),
        with(r#""kinds":["bash"]"#),
        with(r#""kinds":[1]"#),
        with(r#""facts":null"#),
        with(r#""facts":"yes""#),
        with(r#""event":"PreToolUse""#),
        with(r#""event":"before""#),
        with(r#""timeout_ms":0"#),
        with(r#""timeout_ms":86400001"#),
        with(r#""timeout_ms":-1"#),
        with(r#""timeout_ms":1.5"#),
        with(r#""timeout_ms":"5s""#),
        with(r#""on_failure":"ignore""#),
        with(r#""on_failure":true"#),
        with(r#""mode":"daemon""#),
    ];
    for text in malformed {
        assert!(!schema.is_valid(&parsed(&text)), "{text}");
        assert!(HooksFile::parse_for(&text, &able()).is_err(), "{text}");
    }
}

/// Every line that is recorded of a call that is rewritten, of one that is denied, and of a result.
async fn recorded(capture: Capture) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = Audit::builder(directory.path())
        .with_capture(capture)
        .with_turn(|_| Some("turn-1".into()))
        .with_chain()
        .start()
        .expect("a thread");
    let workspace = Workspace::new();
    let hooks = [
        fake("rewrite", &["read", r#"modify={"n":1.00,"token":"x"}"#]).with_tools(["shell"]),
        fake("deny", &["read", "deny=no"]).with_on_failure(OnFailure::Allow),
        fake("crash", &["read", "crash"]).with_event(HookEvent::PostToolUse),
    ];
    let runner = Bench::new(&workspace, hooks)
        .runner
        .with_recorder(audit.clone());
    runner.consult(before(&workspace, r#"{"n":1}"#)).await;
    runner
        .consult(after(&workspace, r#"{"password":"x"}"#, true))
        .await;
    assert!(audit.close(PATIENCE).is_settled);
    let mut lines = Vec::new();
    let mut reader = Reader::open(directory.path()).expect("a directory");
    while let Some(line) = reader.next_line().expect("a line") {
        line.record().expect("a record");
        lines.push(String::from_utf8(line.bytes().to_vec()).expect("UTF-8"));
    }
    lines
}

#[tokio::test]
async fn everything_that_is_recorded_is_a_record() {
    let schema = validator(&record());
    for capture in [Capture::Digests, Capture::Redacted, Capture::Full] {
        let lines = recorded(capture).await;
        assert_eq!(lines.len(), 8, "{lines:#?}");
        for line in lines {
            accept(&schema, &parsed(&line));
        }
    }
    accept(
        &schema,
        &parsed(
            r#"{"hook_record":1,"type":"lost","at":"2026-11-30T00:00:00Z","recorder":"r","records":1}"#,
        ),
    );
}

#[tokio::test]
async fn what_is_no_record_is_neither_one_to_the_schema_nor_to_the_reader() {
    let schema = validator(&record());
    let mut malformed = vec![json!([]), json!({}), json!(null)];
    for line in recorded(Capture::Full).await {
        let sound = parsed(&line);
        let with = |name: &str, value: Value| {
            let mut changed = sound.clone();
            changed[name] = value;
            changed
        };
        malformed.extend(
            [
                with("hook_record", json!(2)),
                with("hook_record", json!("1")),
                with("type", json!("hook/asked")),
                with("type", json!(null)),
                with("at", json!(7)),
                with("consultation", json!(null)),
                with("duration_ms", json!("3 ms")),
                with("decision", json!("approve")),
                with("outcome", json!("approve")),
                with("input", json!({"bytes": -1})),
            ]
            .into_iter()
            // Fields that a record of that type does not have are of no concern.
            .filter(|changed| {
                let known = |name: &str| sound.get(name).is_some() == changed.get(name).is_some();
                ["duration_ms", "decision", "outcome", "input"]
                    .iter()
                    .all(|name| known(name))
            }),
        );
        for field in ["hook_record", "type", "at", "consultation"] {
            let mut without = sound.clone();
            without.as_object_mut().expect("an object").remove(field);
            malformed.push(without);
        }
    }
    for value in malformed {
        assert!(!schema.is_valid(&value), "{value}");
        assert!(Record::parse(&value.to_string()).is_err(), "{value}");
    }
}

#[test]
fn an_exact_number_is_a_number_to_every_schema() {
    let exact = r#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/w","agent_id":"a","tool_call_id":"c",
                    "tool_name":"t","input":123456789012345678901234567890.5e-3}"#;
    accept(&validator(&request()), &parsed(exact));
    let read = decode_request(exact.as_bytes()).expect("a request");
    assert_eq!(
        read.input,
        Json::parse("123456789012345678901234567890.5e-3").expect("JSON")
    );
}
