//! What a collector receives.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    thread,
};

use hook_config::HookSpec;
use hook_contract::{HookCall, HookOutcome};
use hook_runner::HookRunner;
use hookchain_otlp::{provider, subscriber, turn};
use serde_json::Value;

/// Takes one request, and gives back its first line and its body.
fn collect_one(listener: &TcpListener) -> (String, String) {
    let (mut stream, _from) = listener.accept().expect("somebody who exports");
    let mut reader = BufReader::new(stream.try_clone().expect("the same"));
    let mut first = String::new();
    reader.read_line(&mut first).expect("a line");
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().expect("a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body");
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
    stream.write_all(answer.as_bytes()).expect("an answer");
    let first = first.trim().to_owned();
    (first, String::from_utf8(body).expect("UTF-8"))
}

/// The attributes of a span or event that are text.
fn texts(of: &Value) -> BTreeMap<String, String> {
    let attributes = of["attributes"].as_array().expect("attributes");
    attributes
        .iter()
        .filter_map(|attribute| {
            let text = attribute["value"]["stringValue"].as_str()?;
            Some((attribute["key"].as_str()?.to_owned(), text.to_owned()))
        })
        .collect()
}

#[test]
fn a_collector_gets_the_turn_the_consultation_and_the_question_one_within_the_other() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its number");
    let collector = thread::spawn(move || collect_one(&listener));

    let provider = provider(&format!("http://{address}/v1/traces")).expect("an address");
    let workspace = tempfile::tempdir().expect("a directory");
    let runner = HookRunner::new(workspace.path(), vec![HookSpec::new("gone", ["./gone"])])
        .with_reporter(|_| ());
    let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"a secret"}"#);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let outcome = tracing::subscriber::with_default(subscriber(&provider), || {
        runtime.block_on(turn(&runner, &call))
    });
    assert!(matches!(outcome, HookOutcome::Deny(_)));
    provider.shutdown().expect("everything is sent");

    let (first, body) = collector.join().expect("a request");
    assert_eq!(first, "POST /v1/traces HTTP/1.1");
    assert!(!body.contains("a secret"));
    let sent: Value = serde_json::from_str(&body).expect("JSON");
    let spans = sent["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .expect("spans");
    let span = |name: &str| {
        let mut found = spans.iter().filter(|span| span["name"] == name);
        let span = found.next().expect(name);
        assert!(found.next().is_none(), "one {name}");
        span
    };
    let (turn, consult, ask) = (
        span("agent.turn"),
        span("hookchain.consult"),
        span("hookchain.ask"),
    );
    assert_eq!(spans.len(), 3);
    assert_eq!(consult["parentSpanId"], turn["spanId"]);
    assert_eq!(ask["parentSpanId"], consult["spanId"]);
    let told = texts(consult);
    assert_eq!(told["tool_name"], "shell");
    assert_eq!(told["outcome"], "deny");
    let told = texts(ask);
    assert_eq!(
        (
            told["name"].as_str(),
            told["decision"].as_str(),
            told["failure"].as_str()
        ),
        ("gone", "failed", "start")
    );
    let events = ask["events"].as_array().expect("events");
    assert_eq!(texts(&events[0])["decision"], "failed");
}
