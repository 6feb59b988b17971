use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use hook_contract::{
    Answer, Facts, HookEvent, HookOutcome, HookSpec, Interceptor, InterceptorError, Kind, Kinds,
    Tool, async_trait,
};
use serde_json::json;

use super::*;
use crate::{
    HookRunner,
    testing::{Reports, WORKSPACE, before, call},
};

/// Knows the tool `shell`, and counts how often it was asked for the facts of each input.
#[derive(Default)]
struct Counting {
    kinds: AtomicUsize,
    facts: Mutex<Vec<String>>,
}

impl ToolKnowledge for Counting {
    fn kinds(&self, tool_name: &str) -> Kinds {
        self.kinds.fetch_add(1, Ordering::Relaxed);
        let shell = (tool_name == "shell").then_some(Kind::Shell);
        shell.into_iter().collect()
    }

    fn tool(&self, _request: &HookRequest) -> Tool {
        Tool::new([Kind::Shell])
    }

    fn knows_facts(&self) -> bool {
        true
    }

    fn facts(&self, request: &HookRequest) -> Option<Facts> {
        let input = request.input.to_string();
        self.facts.lock().expect("a lock").push(input);
        Some(Facts::new().with_unread("counted"))
    }
}

/// An interceptor of a transport, which writes down what it was told.
struct Told {
    log: Arc<Mutex<Vec<HookRequest>>>,
    answer: fn(&HookRequest) -> Answer,
}

#[async_trait]
impl Interceptor for Told {
    fn name(&self) -> &str {
        "told"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }

    async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
        self.log.lock().expect("a lock").push(call.clone());
        Ok((self.answer)(call))
    }
}

/// A hook that is reached by the transport `told`.
fn told(name: &str) -> HookSpec {
    HookSpec::over(name, "told", json!({}))
}

/// A runner of these hooks with that knowledge, and what they were told.
fn runner_of(
    tools: &Arc<Counting>,
    hooks: Vec<HookSpec>,
    answer: fn(&HookRequest) -> Answer,
) -> (HookRunner, Arc<Mutex<Vec<HookRequest>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    let told = move |_: &HookSpec, _: &std::path::Path| {
        let log = Arc::clone(&sink);
        Ok(Arc::new(Told { log, answer }) as Arc<dyn Interceptor>)
    };
    let builder = HookRunner::builder(WORKSPACE)
        .with_transport("told", told)
        .with_tools(Arc::clone(tools) as Arc<dyn ToolKnowledge>)
        .with_hooks(hooks);
    (Reports::built(builder).0, log)
}

#[tokio::test]
async fn facts_are_known_only_where_they_are_wanted() {
    let tools = Arc::new(Counting::default());
    let hooks = vec![told("plain"), told("kinds").with_kinds([Kind::Shell])];
    let (runner, log) = runner_of(&tools, hooks, |_| Answer::allow());
    assert_eq!(runner.decide(&call("{}")).await, HookOutcome::Allow);
    assert_eq!(log.lock().expect("a lock").len(), 2, "both are asked");
    assert!(
        log.lock()
            .expect("a lock")
            .iter()
            .all(|call| call.facts.is_none() && call.tool.is_none())
    );
    assert!(
        tools.facts.lock().expect("a lock").is_empty(),
        "none wants them"
    );
}

#[tokio::test]
async fn facts_are_computed_once_for_each_form() {
    let tools = Arc::new(Counting::default());
    let rewrites = |call: &HookRequest| {
        if call.input["n"] == 1 {
            Answer::modify(json!({"n": 2}))
        } else {
            // The same form, which is nothing new to know.
            Answer::modify(call.input.clone())
        }
    };
    let hooks = ["a", "b", "c", "d"].map(|name| told(name).with_facts());
    let (runner, log) = runner_of(&tools, hooks.into(), rewrites);
    runner.decide(&call(r#"{"n":1}"#)).await;
    let log = log.lock().expect("a lock");
    assert_eq!(log.len(), 4);
    assert!(
        log.iter()
            .all(|call| call.facts.is_some() && call.tool.is_some())
    );
    assert_eq!(
        *tools.facts.lock().expect("a lock"),
        [r#"{"n":1}"#, r#"{"n":2}"#]
    );
}

#[test]
fn what_is_known_of_a_form_is_known_when_it_is_asked_about_again() {
    let tools = Arc::new(Counting::default());
    let knowledge = Arc::clone(&tools) as Arc<dyn ToolKnowledge>;
    let question = Question::about(Arc::new(before(r#"{"n":1}"#)), Some(knowledge));
    assert!(question.known().facts.is_some());
    let again = question.again();
    assert!(again.request().again && again.known().again);
    assert_eq!(again.known().facts, question.known().facts);
    assert_eq!(tools.facts.lock().expect("a lock").len(), 1);
    assert_eq!(again.request().facts, None, "the others see no facts");
}

#[tokio::test]
async fn kinds_are_looked_up_once_for_each_consultation() {
    let tools = Arc::new(Counting::default());
    let hooks = vec![told("a").with_kinds([Kind::Shell]), told("b")];
    let (runner, log) = runner_of(&tools, hooks, |_| Answer::allow());
    runner.decide(&call("{}")).await;
    assert_eq!(tools.kinds.load(Ordering::Relaxed), 1);
    runner.review(&call("{}"), json!(1), false).await;
    assert_eq!(tools.kinds.load(Ordering::Relaxed), 2);
    runner.consult(before("{}")).await;
    assert_eq!(tools.kinds.load(Ordering::Relaxed), 3);
    assert_eq!(log.lock().expect("a lock").len(), 4, "two before each call");
}

#[tokio::test]
async fn where_the_knowledge_of_tools_panics_every_hook_that_names_kinds_is_asked() {
    struct Broken;

    impl ToolKnowledge for Broken {
        fn kinds(&self, _tool_name: &str) -> Kinds {
            panic!("a bug in the host")
        }
    }

    let denies = |_: &HookSpec, _: &std::path::Path| {
        let log = Arc::default();
        let answer = |_: &HookRequest| Answer::deny("no");
        Ok(Arc::new(Told { log, answer }) as Arc<dyn Interceptor>)
    };
    for kind in Kind::ALL {
        let hook = told("guard").with_kinds([*kind]);
        let runner = HookRunner::builder(WORKSPACE)
            .with_transport("told", denies)
            .with_tools(Arc::new(Broken))
            .with_hooks([hook]);
        let (runner, _) = Reports::built(runner);
        assert!(runner.asks(HookEvent::PreToolUse, "anything"));
        let expected = HookOutcome::deny("denied by told 'guard': no");
        assert_eq!(runner.decide(&call("{}")).await, expected, "{kind}");
    }
}

#[test]
fn a_request_is_encoded_once_for_each_way_to_write_it() {
    let question = Question::new(before(r#"{"n":1}"#));
    let at = |line: Result<&RequestLine, &EncodeError>| std::ptr::from_ref(line.expect("UTF-8"));
    assert_eq!(at(question.encoded()), at(question.encoded()));
    assert_eq!(
        at(question.encoded_with_facts()),
        at(question.encoded_with_facts())
    );
}

#[test]
fn a_question_at_rest_holds_no_encoding() {
    let question = Question::new(before("{}"));
    question.encoded().expect("UTF-8");
    question.encoded_with_facts().expect("UTF-8");
    let rested = question.at_rest();
    assert!(rested.plain.get().is_none() && rested.full.get().is_none());
    assert!(rested.known.get().is_none());
    assert_eq!(rested.request(), question.request());
}
