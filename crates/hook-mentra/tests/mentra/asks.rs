//! Hooks that leave a call to a person.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::{
    Approval, ApprovalRequest, Approver, HookEvent, HookOutcome, InterceptorError, async_trait,
};
use hook_mentra::MentraHooks;
use hookchain_tests::Workspace;
use mentra::tool::ToolOutput;
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{Reports, Shown, one_call, one_call_through, refused, runner, say, workspace},
};

const ASK: &str = r#"{"decision":"ask","reason":"this deploys"}"#;

/// A person that gives this answer, and what the person was shown.
#[derive(Clone)]
struct Person {
    says: fn() -> Result<Approval, InterceptorError>,
    shown: Arc<Mutex<Vec<ApprovalRequest>>>,
}

impl Person {
    fn saying(says: fn() -> Result<Approval, InterceptorError>) -> Self {
        Self {
            says,
            shown: Arc::default(),
        }
    }

    fn shown(&self) -> Vec<ApprovalRequest> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.clone()
    }
}

#[async_trait]
impl Approver for Person {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push(request.clone());
        (self.says)()
    }
}

fn agrees() -> Person {
    Person::saying(|| Ok(Approval::granted()))
}

/// A hook that says this at the event.
fn saying(event: &str, answer: &str) -> Workspace {
    let event = format!(r#""event":"{event}""#);
    workspace(&[("deploys", &event, &say(answer))])
}

fn chain(workspace: &Workspace, person: &Person) -> (MentraHooks, Reports) {
    let (builder, reports) = runner(workspace.path());
    let runner = builder.with_approver(person.clone()).build();
    (MentraHooks::new(runner.expect("a runner")), reports)
}

fn command() -> Value {
    json!({"command": "make deploy"})
}

#[tokio::test]
async fn a_call_that_a_person_agrees_to_runs_as_it_was_made() {
    let (workspace, person) = (saying("pre_tool_use", ASK), agrees());
    let (hooks, reports) = chain(&workspace, &person);
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, command()).await;
    assert_eq!((shown, tool.seen()), (Shown::text("ran"), vec![command()]));
    assert_eq!(reports.all(), Vec::<String>::new());

    let [request] = &*person.shown() else {
        panic!("one question");
    };
    assert_eq!(request.reasons(), "hook 'deploys': this deploys");
    assert_eq!(request.call.event, HookEvent::PreToolUse);
    assert_eq!(request.call.cwd.as_deref(), workspace.path().to_str());
    assert_eq!(
        (&request.call, &request.then),
        (&request.first, &HookOutcome::Allow)
    );
}

#[tokio::test]
async fn a_person_agrees_to_the_call_that_runs() {
    let answer =
        r#"{"decision":"ask","reason":"this deploys","input":{"command":"make -n deploy"}}"#;
    let (workspace, person) = (saying("pre_tool_use", answer), agrees());
    let tool = Probe::new("shell");
    one_call_through(&chain(&workspace, &person).0, &workspace, &tool, command()).await;
    let rehearsal = json!({"command": "make -n deploy"});
    assert_eq!(tool.seen(), std::slice::from_ref(&rehearsal));
    let asked: Vec<_> = person
        .shown()
        .iter()
        .map(|request| {
            (
                request.first.input.value().clone(),
                request.call.input.value().clone(),
            )
        })
        .collect();
    assert_eq!(asked, [(command(), rehearsal)]);
}

#[tokio::test]
async fn a_rewrite_beside_an_ask_is_refused_in_the_name_of_its_hook() {
    let answer = r#"{"decision":"ask","input":{"command":7}}"#;
    let (workspace, person) = (saying("pre_tool_use", answer), agrees());
    let tool = Probe::new("shell").with_schema(json!({
        "type": "object",
        "properties": {"command": {"type": "string"}}
    }));
    let shown = one_call_through(&chain(&workspace, &person).0, &workspace, &tool, command()).await;
    let words = shown.content.to_display_string();
    assert!(
        words.contains("execution hook 'hookchain': hook 'deploys'"),
        "{words}"
    );
    assert_eq!(tool.seen(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_call_that_a_person_refuses_does_not_run_and_the_model_reads_why() {
    let workspace = saying("pre_tool_use", ASK);
    let person = Person::saying(|| Ok(Approval::refused("not on a Friday")));
    let tool = Probe::new("shell");
    let shown = one_call_through(&chain(&workspace, &person).0, &workspace, &tool, command()).await;
    assert_eq!(
        shown,
        refused("not approved: not on a Friday (asked by hook 'deploys': this deploys)")
    );
    assert_eq!(tool.seen(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_call_that_no_person_was_asked_about_does_not_run_and_can_be_run_by_hand() {
    let answer = r#"{"decision":"ask","reason":"this deploys","context":"staging is free"}"#;
    let workspace = saying("pre_tool_use", answer);
    let tool = Probe::new("shell");
    assert_eq!(
        one_call(&workspace, &tool, command()).await,
        refused(
            "the call was not made, because a person has to agree, and none can be asked here (asked by hook 'deploys': \
             this deploys); a person can run it by hand: make deploy\n\nhook 'deploys': staging is free"
        )
    );
    assert_eq!(tool.seen(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_way_to_ask_that_fails_denies_and_its_words_are_the_operators() {
    let workspace = saying("pre_tool_use", ASK);
    let person = Person::saying(|| Err("https://chat.example/hook?token=s3cr3t is gone".into()));
    let (hooks, reports) = chain(&workspace, &person);
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, command()).await;
    assert_eq!(
        shown,
        refused(
            "the call was not made, because a person has to agree, and the host's way to ask one failed (asked by hook \
             'deploys': this deploys); a person can run it by hand: make deploy"
        )
    );
    assert_eq!(
        reports.all(),
        ["host 'approval': the approver failed: https://chat.example/hook?token=s3cr3t is gone"]
    );
    assert_eq!(tool.seen(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_result_that_is_asked_about_is_shown_when_a_person_agrees_and_withheld_otherwise() {
    let answer = r#"{"decision":"ask","reason":"it names customers","output":"[names]"}"#;
    let workspace = saying("post_tool_use", answer);
    let tool = Probe::new("shell").returning(ToolOutput::text("Ada"));
    let person = agrees();
    let shown = one_call_through(&chain(&workspace, &person).0, &workspace, &tool, command()).await;
    assert_eq!(shown, Shown::text("[names]"));
    assert_eq!(
        one_call(&workspace, &tool, command()).await,
        Shown::error(
            "the result is withheld, because a person has to agree, and none can be asked here (asked by hook 'deploys': \
             it names customers)"
        )
    );
}
