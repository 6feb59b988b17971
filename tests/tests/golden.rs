//! The conformance set: each case goes through the contract, the wire, the runner and a real program.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use hook_contract::{
    Approval, ApprovalRequest, Approver, Facts, HookEvent, HookRequest, InterceptorError, Json,
    Kinds, Rewrite, Tool, ToolKnowledge, async_trait,
};
use hook_runner::{Consultation, HookRunner, HookRunnerBuilder};
use hook_wire::{
    Decision, RequestLine, decode_request, decode_response, encode_request, encode_response,
};
use hookchain_tests::{Bench, Workspace, as_json, fake};
use serde_json::json;

struct Golden {
    name: String,
    request: String,
    response: PathBuf,
    outcome: Json,
    /// What comes of it when a person agrees, where one is asked.
    agreed: Option<Json>,
}

impl Golden {
    fn read(root: &Path, case: &Path) -> Self {
        let text = |name: &str| fs::read_to_string(case.join(name));
        let name = case.strip_prefix(root).expect("below it");
        let json = |text: String| Json::parse(&text).expect("JSON");
        Self {
            name: name.display().to_string(),
            request: text("request.json").expect("a file"),
            response: case.join("response.json"),
            outcome: json(text("outcome.json").expect("a file")),
            agreed: text("agreed.json").ok().map(json),
        }
    }

    fn request(&self) -> HookRequest {
        serde_json::from_str(&self.request).expect(&self.name)
    }

    /// A runner with one hook, which takes these steps; it sees what is known of the call where the case knows anything.
    fn runner(&self, workspace: &Workspace, steps: &[&str]) -> HookRunnerBuilder {
        let request = self.request();
        let hook = fake("golden", steps).with_event(request.event);
        let builder = HookRunner::builder(workspace.path());
        if !knows_anything(&request) {
            return builder.with_hooks([hook]);
        }
        builder
            .with_hooks([hook.with_facts()])
            .with_tools(Arc::new(Told(request)))
    }

    /// The steps of a program that prints the response.
    fn answering(&self) -> String {
        format!("file={}", self.response.display())
    }
}

/// Whether the request says more than every hook is told.
fn knows_anything(request: &HookRequest) -> bool {
    let plain = RequestLine::new(request).expect("a path in UTF-8");
    RequestLine::with_facts(request).expect("a path in UTF-8") != plain
}

/// Knows of every tool and every call what stands in the request of the case.
struct Told(HookRequest);

impl ToolKnowledge for Told {
    fn kinds(&self, _tool_name: &str) -> Kinds {
        let tool = self.0.tool.clone().unwrap_or_default();
        tool.kinds.into_iter().collect()
    }

    fn tool(&self, _request: &HookRequest) -> Tool {
        self.0.tool.clone().unwrap_or_default()
    }

    fn knows_facts(&self) -> bool {
        true
    }

    fn facts(&self, _request: &HookRequest) -> Option<Facts> {
        self.0.facts.clone()
    }
}

/// Agrees to everything, and remembers what it was asked.
struct Agrees(Arc<Mutex<Vec<ApprovalRequest>>>);

#[async_trait]
impl Approver for Agrees {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        self.0.lock().expect("a lock").push(request.clone());
        Ok(Approval::granted())
    }
}

fn golden() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/v1");
    let mut golden = Vec::new();
    for event in HookEvent::ALL {
        let folder = root.join(event.as_str());
        for entry in fs::read_dir(folder).expect("cases of each event") {
            golden.push(Golden::read(&root, &entry.expect("a case").path()));
        }
    }
    golden.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(golden.len() >= 36, "{}", golden.len());
    golden
}

/// The outcome with the words for the model beside it, in order.
fn as_told(consultation: &Consultation) -> Json {
    let outcome = as_json(&consultation.outcome);
    let context = consultation.context.iter().map(|context| &context.text);
    let context: Vec<_> = context.collect();
    if context.is_empty() {
        return outcome;
    }
    let members = outcome.text().strip_suffix('}').expect("an object");
    Json::parse(&format!("{members},\"context\":{}}}", json!(context))).expect("made of JSON")
}

#[test]
fn a_request_is_read_and_written_as_it_stands() {
    for case in golden() {
        let read = case.request();
        assert!(case.name.starts_with(read.event.as_str()), "{}", case.name);
        let decoded = decode_request(case.request.as_bytes()).expect(&case.name);
        assert_eq!(decoded, read, "{}", case.name);
        let written = if knows_anything(&read) {
            let line = RequestLine::with_facts(&read).expect("a path in UTF-8");
            line.to_bytes()
        } else {
            encode_request(&read).expect("a path in UTF-8")
        };
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
        if let Some(Rewrite::Input(input)) = decoded.response.rewrite() {
            let text = String::from_utf8(printed).expect("UTF-8");
            assert!(text.contains(input.text()), "{}: {input}", case.name);
        }
    }
}

#[tokio::test]
async fn a_program_that_prints_the_response_leads_to_the_outcome() {
    let workspace = Workspace::new();
    for case in golden() {
        let bench = Bench::of(case.runner(&workspace, &["read", &case.answering()]));
        let consultation = bench.consult(case.request()).await;
        assert_eq!(as_told(&consultation), case.outcome, "{}", case.name);
    }
}

#[tokio::test]
async fn a_person_is_asked_about_an_ask_and_about_nothing_else() {
    let workspace = Workspace::new();
    let mut asks = 0;
    for case in golden() {
        let asked = Arc::default();
        let builder = case
            .runner(&workspace, &["read", &case.answering()])
            .with_approver(Agrees(Arc::clone(&asked)));
        let consultation = Bench::of(builder).consult(case.request()).await;
        let expected = case.agreed.as_ref().unwrap_or(&case.outcome);
        assert_eq!(as_told(&consultation), *expected, "{}", case.name);
        let asked = asked.lock().expect("a lock");
        assert_eq!(
            asked.len(),
            usize::from(case.agreed.is_some()),
            "{}",
            case.name
        );
        let decoded = decode_response(&fs::read(&case.response).expect("a file"));
        let said = decoded.map(|decoded| decoded.response);
        for request in &*asked {
            let response = said.as_ref().expect("an ask");
            assert_eq!(response.decision(), Decision::Ask, "{}", case.name);
            assert_eq!(request.by.len(), 1, "{}", case.name);
            let by = &request.by[0];
            assert_eq!(by.reason.as_deref(), response.reason(), "{}", case.name);
            assert_eq!(request.then, consultation.outcome, "{}", case.name);
            asks += 1;
        }
    }
    assert!(asks >= 7, "{asks}");
}

#[tokio::test]
async fn a_program_is_given_the_request_byte_for_byte() {
    let workspace = Workspace::new();
    for case in golden() {
        let bench = Bench::of(case.runner(&workspace, &["read", "echo"]));
        let outcome = bench.consult(case.request()).await.outcome;
        let text = as_json(&outcome);
        let saw = format!(r#"{{"saw":{}}}"#, case.request.trim_end());
        assert!(text.text().contains(&saw), "{}: {text}", case.name);
    }
}

#[tokio::test]
async fn a_program_that_does_not_ask_for_it_is_not_told_what_is_known() {
    let workspace = Workspace::new();
    let mut known = 0;
    for case in golden() {
        let request = case.request();
        if !knows_anything(&request) {
            continue;
        }
        let hook = fake("golden", &["read", "echo"]).with_event(request.event);
        let builder = HookRunner::builder(workspace.path())
            .with_hooks([hook])
            .with_tools(Arc::new(Told(request.clone())));
        let plain = encode_request(&request).expect("a path in UTF-8");
        let plain = String::from_utf8(plain).expect("UTF-8");
        let text = as_json(&Bench::of(builder).consult(request).await.outcome);
        let saw = format!(r#"{{"saw":{}}}"#, plain.trim_end());
        assert!(text.text().contains(&saw), "{}: {text}", case.name);
        known += 1;
    }
    assert!(known >= 2, "{known}");
}
