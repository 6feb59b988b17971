//! What a runtime may ask about.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use hook_contract::{
    HookCall, HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, Json,
    async_trait, json::MAX_DEPTH,
};
use hook_runner::HookRunner;
use hook_wire::{decode_request, encode_request};

use super::{
    now::now,
    strict::{is_grammatical, strict},
};

/// Where the calls are made.
const WORKSPACE: &str = "/workspace";

/// Separates the parts; it stands in no text.
const SEPARATOR: u8 = 0xff;

/// A call as the bytes describe it: the input, the tool's name, the agent's, and the result if
/// there are any more. The request is read back from its line as it was made, and an input with two
/// readings reaches nobody.
pub fn request(bytes: &[u8]) {
    let mut parts = bytes.split(|byte| *byte == SEPARATOR);
    let mut text = || parts.next().map(String::from_utf8_lossy);
    let input = text().unwrap_or_default();
    let tool = text().unwrap_or_default();
    let agent = text().unwrap_or_default();
    let call = HookCall::new(agent, tool, "call-1", input.clone());
    let request = match text() {
        None => HookRequest::from_call(HookEvent::PreToolUse, Path::new(WORKSPACE), &call),
        Some(output) => {
            let is_error = output.len().is_multiple_of(2);
            let output = Json::parse(&output)
                .unwrap_or_else(|_text| serde_json::Value::from(output.as_ref()).into());
            HookRequest::from_result(Path::new(WORKSPACE), &call, output, is_error)
        }
    };
    holds_the_input(&request, &input);
    is_read_back(&request);
    reaches_whom_it_may(&call, &request);
}

/// The input is the text itself, or a value that every reader of JSON would read from it.
fn holds_the_input(request: &HookRequest, text: &str) {
    match strict(text) {
        // What a reserved key hides, or what is out of range, is carried as text.
        Some(value) if request.input.as_str() != Some(text) => {
            assert_eq!(strict(request.input.text()), Some(value));
            assert_eq!(request.ambiguity(), None);
        }
        Some(_) => {}
        None => {
            assert_eq!(request.input.as_str(), Some(text));
            // What is grammatical and cannot be held is too deep, or is read by others in their own ways.
            let may_be_too_deep = text.matches(['[', '{']).count() > MAX_DEPTH;
            match request.ambiguity() {
                Some(_) => assert!(is_grammatical(text), "{text}"),
                None => assert!(!is_grammatical(text) || may_be_too_deep, "{text}"),
            }
        }
    }
}

fn is_read_back(request: &HookRequest) {
    let line = encode_request(request).expect("the path is UTF-8");
    let object = line.strip_suffix(b"\n").expect("a line");
    assert!(!object.contains(&b'\n'), "one line");
    let again = decode_request(&line).expect("a request");
    // That it was ambiguous is nothing that stands on the wire.
    assert_eq!(again, request.clone().with_input(request.input.clone()));
    assert_eq!(encode_request(&again).as_ref(), Ok(&line), "byte for byte");
}

/// Remembers what it was asked.
struct Witness(Arc<Mutex<Vec<HookRequest>>>);

#[async_trait]
impl Interceptor for Witness {
    fn name(&self) -> &str {
        "witness"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.0.lock().expect("a lock").push(call.clone());
        Ok(HookOutcome::Allow)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.intercept(result).await
    }
}

fn reaches_whom_it_may(call: &HookCall, request: &HookRequest) {
    let seen = Arc::default();
    // With a number, nobody asks the system how many cores it has, which takes longer than the rest.
    let runner = HookRunner::builder(WORKSPACE)
        .with_max_programs(1)
        .with_interceptor(Witness(Arc::clone(&seen)))
        .build()
        .expect("a runner");
    let outcome = match (&request.output, request.is_error) {
        (Some(output), Some(flag)) => now(runner.review(call, output.clone(), flag)),
        _ => now(runner.decide(call)),
    };
    let seen = seen.lock().expect("a lock");
    if request.ambiguity().is_some() {
        assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
        assert_eq!(*seen, []);
    } else {
        assert_eq!(outcome, HookOutcome::Allow);
        assert_eq!(*seen, std::slice::from_ref(request));
    }
}
