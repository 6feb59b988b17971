//! What a program may print.

use hook_contract::Rewrite;
use hook_wire::{
    Decision, DecodeError, HookResponse, MAX_CONTEXT_BYTES, MAX_REASON_BYTES, decode_response,
    encode_response,
};
use serde_json::Value;

use super::strict::{strict, without_mark};

/// How long the text of an error is at most, in bytes: a quote of 200 characters, escaped, and words.
const LONGEST_ERROR: usize = 8 * 1024;

/// Any bytes get one verdict; consent is only what every reader of JSON takes for it, and a denial
/// that every reader can read stays one.
pub fn response(printed: &[u8]) {
    let verdict = decode_response(printed);
    assert_eq!(verdict, decode_response(printed), "one verdict");
    let text = std::str::from_utf8(printed).ok();
    let read = text.and_then(|text| strict(without_mark(text)));
    for stop in [Decision::Deny, Decision::Ask] {
        if let Some(Value::Object(read)) = &read
            && read
                .get("decision")
                .is_some_and(|word| word == stop.as_str())
        {
            let decided = verdict.as_ref().map(|decoded| decoded.response.decision());
            assert_eq!(decided, Ok(stop), "a legible denial or ask");
        }
    }
    match verdict {
        Err(error) => is_shown(&error),
        Ok(decoded) => {
            for note in &decoded.notes {
                assert!(!note.to_string().is_empty());
            }
            is_what_it_says(&decoded.response, read.as_ref());
            is_read_back(&decoded.response);
        }
    }
}

/// Everything but a denial and an ask, which may be read generously, is what the second reader reads.
fn is_what_it_says(response: &HookResponse, read: Option<&Value>) {
    let decision = response.decision();
    if matches!(decision, Decision::Deny | Decision::Ask) {
        return;
    }
    let read = read.expect("an answer is one JSON value with one reading");
    assert!(read.is_object());
    assert_eq!(read["decision"], decision.as_str());
    if let Some(reason) = response.reason() {
        let said = read["reason"].as_str().expect("a reason is text");
        assert!(
            reason == said || said.len() > MAX_REASON_BYTES && reason.len() <= MAX_REASON_BYTES
        );
    }
    for said in response.context() {
        let whole = read["context"].as_str().expect("context is text");
        assert!(
            said == whole || whole.len() > MAX_CONTEXT_BYTES && said.len() <= MAX_CONTEXT_BYTES
        );
    }
    match response.rewrite() {
        Some(Rewrite::Input(input)) => {
            assert_eq!(decision, Decision::Modify);
            assert!(input.is_object() && input.text().starts_with('{'));
            assert_eq!(strict(input.text()).as_ref(), Some(&read["input"]));
        }
        Some(Rewrite::Output {
            output, is_error, ..
        }) => {
            assert_eq!(decision, Decision::Replace);
            assert_eq!(strict(output.text()).as_ref(), Some(&read["output"]));
            assert_eq!(*is_error, read["is_error"].as_bool());
        }
        Some(other) => panic!("{other:?}"),
        None => assert_eq!(decision, Decision::Allow),
    }
}

/// Written and read again, it is the same answer, and nothing is odd about it any more but a denial or an ask
/// without a reason.
fn is_read_back(response: &HookResponse) {
    let printed = encode_response(response);
    let line = printed.strip_suffix(b"\n").expect("a line");
    assert!(!line.contains(&b'\n'), "one line");
    let again = decode_response(&printed).expect("an answer");
    assert_eq!(again.response, *response);
    assert_eq!(encode_response(&again.response), printed, "digit for digit");
    let stops = matches!(response.decision(), Decision::Deny | Decision::Ask);
    let silent = stops && response.reason().is_none();
    assert_eq!(again.notes.len(), usize::from(silent), "{:?}", again.notes);
}

/// An error is for a person at a terminal: bounded, and without anything that a terminal obeys.
fn is_shown(error: &DecodeError) {
    let text = error.to_string();
    assert!((1..LONGEST_ERROR).contains(&text.len()), "{text}");
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(!error.kind().summary().is_empty());
}
