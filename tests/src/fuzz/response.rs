//! What a program may print.

use hook_contract::Rewrite;
use hook_wire::{
    Decision, DecodeError, DecodeNote, HookResponse, MAX_CONTEXT_BYTES, MAX_REASON_BYTES,
    decode_response, encode_response,
};
use serde_json::Value;

use super::strict::{strict, without_mark};

/// How long the text of an error is at most, in bytes: a quote of 200 characters, escaped, and words.
const LONGEST_ERROR: usize = 8 * 1024;

/// Any bytes get one verdict; consent is only what every reader of JSON takes for it, and a denial or an ask
/// that every reader can read stays one.
pub fn response(printed: &[u8]) {
    let verdict = decode_response(printed);
    assert_eq!(verdict, decode_response(printed), "one verdict");
    let text = std::str::from_utf8(printed).ok();
    let read = text.and_then(|text| strict(without_mark(text)));
    if let Some(Value::Object(read)) = &read {
        for stop in [Decision::Deny, Decision::Ask] {
            if read
                .get("decision")
                .is_some_and(|word| word == stop.as_str())
            {
                let decided = verdict.as_ref().map(|decoded| decoded.response.decision());
                assert_eq!(decided, Ok(stop), "a legible {stop}");
            }
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

/// Everything but a denial and an ask, which may be read generously, is what the second reader reads; and so are those where
/// it reads them.
fn is_what_it_says(response: &HookResponse, read: Option<&Value>) {
    let decision = response.decision();
    let stops = [Decision::Deny, Decision::Ask].contains(&decision);
    let Some(read) = read else {
        assert!(stops, "an answer is one JSON value with one reading");
        return;
    };
    assert!(read.is_object());
    assert_eq!(read["decision"], decision.as_str());
    if let Some(reason) = response.reason() {
        is_text_of(reason, &read["reason"], MAX_REASON_BYTES);
    }
    match response.context() {
        [] => {
            let said = read["context"].as_str().unwrap_or_default();
            assert_eq!(said.trim(), "", "words for the model are not lost");
        }
        [context] => is_text_of(context, &read["context"], MAX_CONTEXT_BYTES),
        several => panic!("one text is printed: {several:?}"),
    }
    match response.rewrite() {
        Some(Rewrite::Input(input)) => {
            assert!(input.is_object() && input.text().starts_with('{'));
            assert_eq!(strict(input.text()).as_ref(), Some(&read["input"]));
        }
        Some(Rewrite::Output {
            output, is_error, ..
        }) => {
            assert_eq!(strict(output.text()).as_ref(), Some(&read["output"]));
            assert_eq!(*is_error, read["is_error"].as_bool());
        }
        Some(other) => panic!("{other:?}"),
        None => assert!(![Decision::Modify, Decision::Replace].contains(&decision)),
    }
}

/// It is what was said, or as much of it as there may be.
fn is_text_of(text: &str, said: &Value, most: usize) {
    let said = said.as_str().expect("it is text");
    assert!(text == said || said.len() > most && text.len() <= most);
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
    let silent = match (response.decision(), response.reason()) {
        (Decision::Deny, None) => vec![DecodeNote::DenyWithoutReason],
        (Decision::Ask, None) => vec![DecodeNote::AskWithoutReason],
        _ => Vec::new(),
    };
    assert_eq!(again.notes, silent);
}

/// An error is for a person at a terminal: bounded, and without anything that a terminal obeys.
fn is_shown(error: &DecodeError) {
    let text = error.to_string();
    assert!((1..LONGEST_ERROR).contains(&text.len()), "{text}");
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(!error.kind().summary().is_empty());
}
