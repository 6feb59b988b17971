//! Declared hooks that this host cannot reach.

mod transports;

use std::sync::Mutex;

use hook_contract::{
    Answer, Facts, HookEvent, HookMode, HookOrigin, HookOutcome, HookRequest, InterceptorError,
    Kind, Kinds, OnFailure, Subject, async_trait,
};
use serde_json::json;

use super::*;
use crate::{
    BuildProblemKind, FailureKind,
    testing::{Reports, WORKSPACE, before, call},
};

#[test]
fn a_runner_made_from_another_keeps_its_workspace() {
    let runner = HookRunnerBuilder::new("relative".into()).build_or_deny();
    assert!(runner.workspace().is_absolute());
    assert_eq!(runner.inner.settings.workspace, runner.workspace());
}

/// Says of itself that it is asked about nothing, may hang for a day and is passed over: none of it counts, because the
/// entry decides.
struct Remote {
    answer: Says,
}

/// What it answers, if it does.
type Says = fn() -> Option<Result<Answer, InterceptorError>>;

#[async_trait]
impl Interceptor for Remote {
    fn name(&self) -> &str {
        "not the entry's name"
    }

    fn kind(&self) -> &str {
        "not the key"
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        false
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Allow
    }

    fn timeout(&self) -> Option<Duration> {
        Some(Duration::from_secs(24 * 60 * 60))
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }

    async fn answer(&self, _call: &HookRequest) -> Result<Answer, InterceptorError> {
        match (self.answer)() {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }
}

/// A transport whose participants say this.
fn remote(answer: Says) -> impl TransportFactory + 'static {
    move |_: &HookSpec, _: &Path| Ok(Arc::new(Remote { answer }) as Arc<dyn Interceptor>)
}

const DENIES: Says = || Some(Ok(Answer::deny("no")));

/// A hook that is reached by `http` and declared on that line of the workspace's file.
fn http(name: &str, line: usize) -> HookSpec {
    let path = "/ws/.basis/hooks.json".into();
    HookSpec::over(name, "http", json!({"url": "https://policy/ask"})).with_origin(
        HookOrigin::WorkspaceFile {
            path,
            line,
            column: 5,
        },
    )
}

fn builder() -> HookRunnerBuilder {
    HookRunner::builder(WORKSPACE)
}

/// Knows kinds and no facts.
struct KindsAlone;

impl ToolKnowledge for KindsAlone {
    fn kinds(&self, _tool_name: &str) -> Kinds {
        [Kind::Shell].into_iter().collect()
    }
}

#[test]
fn a_transport_that_the_host_does_not_have_is_an_error_that_says_where_and_what_to_do() {
    let error = builder()
        .with_transport("mcp", remote(DENIES))
        .with_hooks([http("policy", 4)])
        .build()
        .expect_err("no http");
    assert_eq!(
        error.to_string(),
        "hook 'policy' (workspace /ws/.basis/hooks.json:4): it is reached by `http`, and this host reaches hooks by \
         `command`, `mcp`; register the transport with `with_transport`, or declare a program"
    );
    let [problem] = &error.problems[..] else {
        panic!("one problem")
    };
    assert_eq!(*problem.hook, http("policy", 4));
    assert!(matches!(
        &problem.kind,
        BuildProblemKind::UnknownTransport { key, known, .. } if key == "http" && known == &["command", "mcp"]
    ));
}

#[test]
fn settings_that_a_transport_refuses_are_an_error_in_its_words() {
    let refuses = |spec: &HookSpec, _: &Path| -> Result<Arc<dyn Interceptor>, InterceptorError> {
        let url = spec.config().and_then(|settings| settings["url"].as_str());
        Err(format!(
            "{} must begin with http://localhost",
            url.unwrap_or("`url`")
        )
        .into())
    };
    let error = builder()
        .with_transport("http", refuses)
        .with_hooks([http("policy", 4)])
        .build()
        .expect_err("refused");
    assert_eq!(
        error.to_string(),
        "hook 'policy' (workspace /ws/.basis/hooks.json:4): its `http` cannot be used: https://policy/ask must begin with \
         http://localhost"
    );
}

#[test]
fn kinds_and_facts_need_a_host_that_knows_its_tools() {
    let kinds = HookSpec::new("kinds", ["true"]).with_kinds([Kind::Shell]);
    let facts = HookSpec::new("facts", ["true"]).with_facts();
    let built = |tools: Option<Arc<dyn ToolKnowledge>>, hook: &HookSpec| {
        let builder = builder().with_hooks([hook.clone()]);
        let builder = match tools {
            Some(tools) => builder.with_tools(tools),
            None => builder,
        };
        builder
            .build()
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let said = |field: &str| {
        format!(
            "hook '{field}' (supplied): it asks for `{field}`, and this host does not know its tools; set them with \
             `with_tools`"
        )
    };
    assert_eq!(built(None, &kinds), Err(said("kinds")));
    assert_eq!(built(None, &facts), Err(said("facts")));
    let kinds_alone = || Some(Arc::new(KindsAlone) as Arc<dyn ToolKnowledge>);
    assert_eq!(built(kinds_alone(), &kinds), Ok(()));
    assert_eq!(built(kinds_alone(), &facts), Err(said("facts")));
}

#[test]
fn every_hook_that_cannot_be_built_is_told_of_at_once_and_nothing_is_run() {
    let directory = tempfile::tempdir().expect("a directory");
    let mark = |mode| {
        let words = ["sh", "-c", "touch started"];
        HookSpec::new("marks", words).with_mode(mode)
    };
    let error = HookRunner::builder(directory.path())
        .with_hooks([http("second", 9), http("third", 12)])
        .with_hooks([mark(HookMode::Oneshot), mark(HookMode::Worker)])
        .with_hooks([HookSpec::new("first", ["true"]).with_facts()])
        .build()
        .expect_err("three problems");
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(|line| line.split(':').next()).collect();
    assert_eq!(
        lines,
        [
            Some("hook 'first' (supplied)"),
            Some("hook 'second' (workspace /ws/.basis/hooks.json"),
            Some("hook 'third' (workspace /ws/.basis/hooks.json"),
        ]
    );
    assert_eq!(error.problems.len(), 3);
    assert!(!directory.path().join("started").exists());
}

#[tokio::test]
async fn a_runner_that_is_made_without_a_result_denies_whatever_on_failure_says() {
    for on_failure in OnFailure::ALL {
        let hook = http("policy", 4)
            .with_tools(["shell"])
            .with_on_failure(on_failure);
        let runner = HookRunner::new(WORKSPACE, vec![hook]);
        let (runner, reports) = Reports::of(runner);
        let consultation = runner.consult(before("{}")).await;
        // The model reads nothing of the host's settings, and the operator reads what to do.
        assert_eq!(
            consultation.outcome,
            HookOutcome::deny("denied, because hook 'policy' cannot be asked by this host")
        );
        let reports = reports.all();
        let [report] = &reports[..] else {
            panic!("one report")
        };
        assert!(
            report.starts_with(
                "hook 'policy' cannot be asked: it is reached by `http`, and this host"
            ) && report.ends_with("; the call was denied"),
            "{report}"
        );
        let failure = consultation.trail[0].failure.as_ref().expect("a failure");
        assert_eq!(failure.kind(), FailureKind::Unbuilt);
        let other = hook_contract::HookCall::new("agent-1", "edit", "call-1", "{}");
        assert_eq!(
            runner.decide(&other).await,
            HookOutcome::Allow,
            "it is about another tool"
        );
    }
}

#[tokio::test]
async fn a_hook_whose_kinds_are_unknown_here_denies_every_tool_at_its_event() {
    let hook = HookSpec::new("guard", ["true"])
        .with_tools(["edit"])
        .with_kinds([Kind::Fetch])
        .with_on_failure(OnFailure::Allow);
    let (runner, _) = Reports::of(HookRunner::new(WORKSPACE, vec![hook]));
    let outcome = runner.decide(&call("{}")).await;
    assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
    let review = runner.review(&call("{}"), json!(1), false).await;
    assert_eq!(review, HookOutcome::Allow);
}
