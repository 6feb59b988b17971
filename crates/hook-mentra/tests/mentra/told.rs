//! What hooks are told of a call beside the call itself.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::{
    Facts, HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, Kind, Kinds,
    ToolKnowledge, async_trait,
};
use hook_mentra::MentraHooks;
use hookchain_tests::Workspace;
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{Shown, agent, model_calling, one_call_through, refused, runner, take_turn},
};

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Listens(Arc<Mutex<Vec<HookRequest>>>);

impl Listens {
    fn keep(&self, request: &HookRequest) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(request.clone());
    }

    /// The directory, the session and what else each question told.
    fn told(&self) -> Vec<(Option<String>, Option<String>, Option<Value>)> {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = told.iter().map(|request| {
            let extensions = request.extensions.as_ref();
            (
                request.cwd.clone(),
                request.session_id.clone(),
                extensions.map(|json| json.value().clone()),
            )
        });
        all.collect()
    }
}

#[async_trait]
impl Interceptor for Listens {
    fn name(&self) -> &str {
        "listens"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.keep(call);
        Ok(HookOutcome::Allow)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.keep(result);
        Ok(HookOutcome::Allow)
    }
}

fn listening(workspace: &Workspace) -> (MentraHooks, Listens) {
    let listens = Listens::default();
    let builder = runner(workspace.path()).0.with_interceptor(listens.clone());
    let hooks = MentraHooks::new(builder.build().expect("a runner"));
    (hooks, listens)
}

#[tokio::test]
async fn hooks_are_told_where_the_agent_works_on_both_sides_of_a_call() {
    let workspace = Workspace::new();
    let below = workspace.path().join("below");
    std::fs::create_dir(&below).expect("a directory");
    for directory in [workspace.path(), &below] {
        let (hooks, listens) = listening(&workspace);
        let mock = model_calling(&[("shell", json!({}))]);
        let mock = mock.build().expect("a runtime");
        mock.runtime().register_tool(Probe::new("shell"));
        let hooks = hooks.for_directories_below();
        let _guarded = hooks.register(mock.runtime());
        let shown = take_turn(&mut agent(&mock, directory, None)).await;
        assert_eq!(shown, [Shown::text("ran")]);
        let told = (directory.to_str().map(str::to_owned), None, None);
        assert_eq!(listens.told(), [told.clone(), told]);
    }
}

#[tokio::test]
async fn hooks_are_told_the_session_and_whatever_else_the_host_knows() {
    let workspace = Workspace::new();
    let (hooks, listens) = listening(&workspace);
    let hooks = hooks.with_call_details(|mut call| {
        // Only what mentra does not tell counts.
        call.tool_name = "another".into();
        call.input_json = r#"{"command":"another"}"#.into();
        call.with_session_id("session-7")
            .with_extensions(json!({"ticket": "OPS-12"}))
    });
    let input = json!({"command": "ls"});
    let tool = Probe::new("shell");
    one_call_through(&hooks, &workspace, &tool, input.clone()).await;
    let cwd = workspace.path().to_str().map(str::to_owned);
    let told = (
        cwd,
        Some("session-7".to_owned()),
        Some(json!({"ticket": "OPS-12"})),
    );
    assert_eq!(listens.told(), [told.clone(), told]);
    let asked = listens.0.lock().expect("no panic").clone();
    let calls: Vec<_> = asked
        .iter()
        .map(|request| (request.tool_name.as_str(), request.input.value()))
        .collect();
    assert_eq!(calls, [("shell", &input), ("shell", &input)]);
    assert_eq!(tool.seen(), [input]);
}

#[tokio::test]
async fn a_panic_of_the_hosts_description_denies_the_call() {
    let workspace = Workspace::new();
    let (hooks, listens) = listening(&workspace);
    let hooks = hooks.with_call_details(|_call| panic!("out of order"));
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
    assert_eq!(
        shown,
        refused(
            "denied before any hook was asked: the host's code that describes calls to hooks panicked"
        )
    );
    assert_eq!((tool.seen().len(), listens.told().len()), (0, 0));
}

/// Knows that every tool is a shell, and nothing of what a call does.
struct Shells;

impl ToolKnowledge for Shells {
    fn kinds(&self, _tool_name: &str) -> Kinds {
        [Kind::Shell].into_iter().collect()
    }

    fn knows_facts(&self) -> bool {
        true
    }

    fn facts(&self, _request: &HookRequest) -> Option<Facts> {
        Some(Facts::new())
    }
}

#[tokio::test]
async fn a_program_is_told_what_is_known_where_its_entry_wants_facts() {
    let keeps = "#!/bin/sh\nread -r question\nprintf '%s\\n' \"$question\" >>\"$1\"\necho '{\"decision\":\"allow\"}'\n";
    let workspace = Workspace::new();
    workspace.write("keep.sh", keeps, 0o755);
    let hooks = [
        HookSpec::new("plain", ["./keep.sh", "plain"]),
        HookSpec::new("knowing", ["./keep.sh", "knowing"])
            .with_kinds([Kind::Shell])
            .with_facts(),
    ];
    let builder = runner(workspace.path()).0.with_tools(Arc::new(Shells));
    let runner = builder.with_hooks(hooks).build().expect("a runner");
    let hooks =
        MentraHooks::new(runner).with_call_details(|call| call.with_session_id("session-7"));
    one_call_through(&hooks, &workspace, &Probe::new("run"), json!({})).await;
    let asked = |name: &str| -> Value {
        serde_json::from_str(&workspace.lines(name).concat()).expect("one question")
    };
    let (plain, knowing) = (asked("plain"), asked("knowing"));
    assert_eq!(plain.get("cwd"), None);
    assert_eq!(plain.get("session_id"), None);
    let mut expected = plain;
    expected["cwd"] = workspace.path().to_str().into();
    expected["session_id"] = "session-7".into();
    expected["tool"] = json!({"kinds": ["shell"]});
    expected["facts"] = json!({"coverage": "full"});
    assert_eq!(knowing, expected);
}
