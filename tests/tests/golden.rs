//! The conformance set: each case goes through the contract, the wire, the runner and a real program.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hook_contract::{HookEvent, HookRequest, Json};
use hook_wire::{HookResponse, decode_request, decode_response, encode_request, encode_response};
use hookchain_tests::{Bench, Workspace, as_json, fake};

struct Golden {
    name: String,
    request: String,
    response: PathBuf,
    outcome: Json,
}

fn golden() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/v1");
    let mut golden = Vec::new();
    for event in HookEvent::ALL {
        let folder = root.join(event.as_str());
        for entry in fs::read_dir(folder).expect("cases of each event") {
            let case = entry.expect("a case").path();
            let text = |name: &str| fs::read_to_string(case.join(name)).expect("a file");
            golden.push(Golden {
                name: case
                    .strip_prefix(&root)
                    .expect("below it")
                    .display()
                    .to_string(),
                request: text("request.json"),
                response: case.join("response.json"),
                outcome: Json::parse(&text("outcome.json")).expect("JSON"),
            });
        }
    }
    golden.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(golden.len() >= 15, "{}", golden.len());
    golden
}

#[test]
fn a_request_is_read_and_written_as_it_stands() {
    for case in golden() {
        let read: HookRequest = serde_json::from_str(&case.request).expect(&case.name);
        assert!(case.name.starts_with(read.event.as_str()), "{}", case.name);
        let decoded = decode_request(case.request.as_bytes()).expect(&case.name);
        assert_eq!(decoded, read, "{}", case.name);
        let written = encode_request(&read).expect("a path in UTF-8");
        assert_eq!(
            String::from_utf8(written).expect("UTF-8"),
            case.request,
            "{}",
            case.name
        );
    }
}

#[test]
fn a_response_that_is_an_answer_can_be_read_again_as_it_was_written() {
    for case in golden() {
        let printed = fs::read(&case.response).expect("a file");
        let Ok(decoded) = decode_response(&printed) else {
            assert!(case.name.ends_with("is-no-answer"), "{}", case.name);
            continue;
        };
        let again = decode_response(&encode_response(&decoded.response)).expect(&case.name);
        assert_eq!(again.response, decoded.response, "{}", case.name);
        if let HookResponse::Modify { input, .. } = &decoded.response {
            let text = String::from_utf8(printed).expect("UTF-8");
            assert!(text.contains(input.text()), "{}: {input}", case.name);
        }
    }
}

#[tokio::test]
async fn a_program_that_prints_the_response_leads_to_the_outcome() {
    let workspace = Workspace::new();
    for case in golden() {
        let request: HookRequest = serde_json::from_str(&case.request).expect(&case.name);
        let file = format!("file={}", case.response.display());
        let hook = fake("golden", &["read", &file]).with_event(request.event);
        let outcome = Bench::new(&workspace, [hook])
            .consult(request)
            .await
            .outcome;
        assert_eq!(as_json(&outcome), case.outcome, "{}", case.name);
    }
}

#[tokio::test]
async fn a_program_is_given_the_request_byte_for_byte() {
    let workspace = Workspace::new();
    for case in golden() {
        let request: HookRequest = serde_json::from_str(&case.request).expect(&case.name);
        let hook = fake("golden", &["read", "echo"]).with_event(request.event);
        let outcome = Bench::new(&workspace, [hook])
            .consult(request)
            .await
            .outcome;
        let text = as_json(&outcome);
        let saw = format!(r#"{{"saw":{}}}"#, case.request.trim_end());
        assert!(text.text().contains(&saw), "{}: {text}", case.name);
    }
}
