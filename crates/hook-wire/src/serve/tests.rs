use std::path::Path;

use hook_contract::{HookCall, HookEvent};

use super::*;
use crate::encode_request;

fn line(tool: &str) -> String {
    let call = HookCall::new("agent-1", tool, "call-1", "{}");
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
    String::from_utf8(encode_request(&request).expect("UTF-8")).expect("UTF-8")
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the loop hands the request over"
)]
fn judge(request: HookRequest) -> Result<HookResponse, String> {
    match request.tool_name.as_str() {
        "read" => Ok(HookResponse::allow()),
        "shell" => Ok(HookResponse::deny("no shell")),
        "deploy" => Ok(HookResponse::ask("this deploys")),
        "lint" => Ok(HookResponse::allow().with_context("2 warnings")),
        tool => Err(format!("what is {tool}?")),
    }
}

/// What [`judge`] prints for `input`, and how its loop ends.
fn run(input: &str) -> (String, Result<(), ServeError>) {
    let mut printed = Vec::new();
    let ended = serve_on(input.as_bytes(), &mut printed, judge);
    (String::from_utf8(printed).expect("UTF-8"), ended)
}

const ALLOW: &str = "{\"decision\":\"allow\",\"tool_call_id\":\"call-1\"}\n";
const DENY: &str = "{\"decision\":\"deny\",\"reason\":\"no shell\",\"tool_call_id\":\"call-1\"}\n";
const ASK: &str =
    "{\"decision\":\"ask\",\"reason\":\"this deploys\",\"tool_call_id\":\"call-1\"}\n";
const TELL: &str =
    "{\"decision\":\"allow\",\"context\":\"2 warnings\",\"tool_call_id\":\"call-1\"}\n";

/// Every way the loop goes: the input, what is printed, and the error.
fn table() -> Vec<(String, String, Option<&'static str>)> {
    let [read, shell] = ["read", "shell"].map(line);
    vec![
        (String::new(), String::new(), None),
        (read.clone(), ALLOW.into(), None),
        (read.trim_end().into(), ALLOW.into(), None),
        (
            format!("{read}{shell}\r\n{read}\n \n"),
            format!("{ALLOW}{DENY}{ALLOW}"),
            None,
        ),
        (
            format!("{}{}", line("deploy"), line("lint")),
            format!("{ASK}{TELL}"),
            None,
        ),
        (
            format!("{shell}{}{read}", line("teleport")),
            DENY.into(),
            Some("the hook could not decide question 2: what is teleport?"),
        ),
        (
            format!("{read}{{}}\n{read}"),
            ALLOW.into(),
            Some("question 2 is not a request: the request has no `hook_schema`; send one"),
        ),
    ]
}

#[test]
fn one_line_is_answered_and_so_are_many() {
    for (input, expected, error) in table() {
        let (printed, ended) = run(&input);
        assert_eq!(printed, expected, "{input}");
        let said = ended.err().map(|error| format!("{error:?}"));
        assert_eq!(said.as_deref(), error, "{input}");
    }
}

#[test]
fn a_question_of_megabytes_is_answered() {
    let call = HookCall::new("a", "read", "call-1", "{}");
    let output = serde_json::Value::from("x\n".repeat(2 << 20));
    let request = HookRequest::from_result(Path::new("/repo"), &call, output, false);
    let line = encode_request(&request).expect("UTF-8");
    // A reader that gives little at a time, as a pipe does.
    let reader = io::BufReader::with_capacity(4096, line.as_slice());
    let mut printed = Vec::new();
    serve_on(reader, &mut printed, |question: HookRequest| {
        assert_eq!(question, request);
        HookResponse::allow()
    })
    .expect("an answer");
    assert_eq!(printed, ALLOW.as_bytes());
}

#[test]
fn each_answer_names_its_own_call_whatever_the_hook_does_with_the_request() {
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for id in ["", "1", "a \"b\"\\\n\u{2028}é", "1"] {
        let call = HookCall::new("a", "read", id, "{}");
        let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
        input.extend(encode_request(&request).expect("UTF-8"));
        let id = serde_json::Value::from(id);
        expected.push(format!(
            "{{\"decision\":\"allow\",\"tool_call_id\":{id}}}\n"
        ));
    }
    let mut printed = Vec::new();
    let hook = |mut request: HookRequest| {
        request.tool_call_id = "another".into();
        HookResponse::allow()
    };
    serve_on(input.as_slice(), &mut printed, hook).expect("answers");
    assert_eq!(String::from_utf8(printed), Ok(expected.concat()));
}

/// Fails at the first flush, and remembers what it was given.
struct Gone;

impl Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

impl io::Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn each_answer_is_flushed_and_a_failure_to_do_so_ends_the_loop() {
    let input = line("read").repeat(2);
    let error = serve_on(input.as_bytes(), Gone, judge).expect_err("nobody listens");
    assert!(matches!(error.kind(), ServeErrorKind::Write(_)));
    assert_eq!(
        format!("{error:?}"),
        "could not write the answer to question 1: broken pipe"
    );
}

#[test]
fn a_failure_to_read_ends_the_loop() {
    let error = serve_on(io::BufReader::new(Gone), Vec::new(), judge).expect_err("unreadable");
    assert_eq!(
        format!("{error:?}"),
        "could not read question 1: connection reset"
    );
}

#[test]
fn a_panic_passes_through_and_prints_nothing() {
    let mut printed = Vec::new();
    let input = line("read");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        serve_on(input.as_bytes(), &mut printed, |_| -> HookResponse {
            std::panic::panic_any("the hook is broken")
        })
    }));
    let payload = panicked.expect_err("the panic");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the hook is broken"));
    assert_eq!(printed, b"");
}

#[cfg(feature = "async")]
#[tokio::test(flavor = "current_thread")]
async fn the_asynchronous_loop_does_the_same() {
    for (input, expected, error) in table() {
        let mut printed = Vec::new();
        let hook = async |request: HookRequest| {
            tokio::task::yield_now().await;
            judge(request)
        };
        let ended = asynchronous::serve_async_on(input.as_bytes(), &mut printed, hook).await;
        assert_eq!(
            String::from_utf8(printed).expect("UTF-8"),
            expected,
            "{input}"
        );
        let said = ended.err().map(|error| format!("{error:?}"));
        assert_eq!(said.as_deref(), error, "{input}");
    }
}
