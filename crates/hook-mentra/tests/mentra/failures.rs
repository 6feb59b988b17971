//! Hooks that give no answer: the call does not happen, and the turn goes on.

use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
use hook_mentra::MentraHooks;
use mentra::tool::ToolOutput;
use serde_json::json;

use crate::{
    probe::Probe,
    scene::{Shown, one_call_through, refused, runner, workspace},
};

/// Ways to break, and how the model reads of each.
const BROKEN: [(&str, &str); 4] = [
    ("exit 3", "ended with status 3"),
    ("echo nonsense", "gave no answer: "),
    ("read -r question", "gave no answer: "),
    ("kill -9 $$", "ended with signal 9"),
];

#[tokio::test]
async fn a_hook_that_breaks_before_the_call_denies_it_and_is_reported() {
    for (script, words) in BROKEN {
        let workspace = workspace(&[("guard", "", script)]);
        let (runner, reports) = runner(workspace.path());
        let hooks = MentraHooks::new(runner.build().expect("a runner"));
        let tool = Probe::new("shell");
        let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
        let reason = format!("denied, because hook 'guard' {words}");
        let (refusal, shown) = (refused(&reason), shown.content.to_display_string());
        assert!(
            shown.starts_with(&refusal.content.to_display_string()),
            "{shown}"
        );
        assert_eq!(tool.seen().len(), 0);
        assert_eq!(reports.all().len(), 1, "{:?}", reports.all());
    }
}

#[tokio::test]
async fn a_hook_that_breaks_after_the_call_withholds_the_result() {
    for (script, words) in BROKEN {
        let workspace = workspace(&[("guard", r#""event":"post_tool_use""#, script)]);
        let hooks = MentraHooks::new(runner(workspace.path()).0.build().expect("a runner"));
        let tool = Probe::new("shell").returning(ToolOutput::text("secret"));
        let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
        let text = shown.content.to_display_string();
        assert!(shown.is_error, "{text}");
        let reason = format!("denied, because hook 'guard' {words}");
        assert!(text.starts_with(&reason), "{text}");
    }
}

#[tokio::test]
async fn a_hook_that_may_break_is_passed_over_and_reported() {
    let fields = r#""on_failure":"allow""#;
    let workspace = workspace(&[("looks-on", fields, "exit 3")]);
    let (runner, reports) = runner(workspace.path());
    let hooks = MentraHooks::new(runner.build().expect("a runner"));
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
    assert_eq!((shown, tool.seen().len()), (Shown::text("ran"), 1));
    assert_eq!(
        reports.all(),
        [
            "hook 'looks-on' ended with status 3; it was passed over (on_failure is allow)"
                .to_owned()
        ]
    );
}

/// Panics instead of answering.
struct Panics;

#[async_trait]
impl Interceptor for Panics {
    fn name(&self) -> &str {
        "shaky"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        panic!("out of order")
    }
}

#[tokio::test]
async fn a_panic_of_an_interceptor_ends_neither_the_turn_nor_the_runtime() {
    let workspace = workspace(&[]);
    let runner = runner(workspace.path()).0.with_interceptor(Panics);
    let hooks = MentraHooks::new(runner.build().expect("a runner"));
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
    assert_eq!(
        shown,
        refused("denied, because interceptor 'shaky' panicked")
    );
    assert_eq!(tool.seen().len(), 0);
}

#[tokio::test]
async fn a_closed_runner_denies_also_calls_that_concern_no_hook() {
    let workspace = workspace(&[]);
    let hooks = MentraHooks::new(runner(workspace.path()).0.build().expect("a runner"));
    hooks.runner().close().await;
    let tool = Probe::new("shell");
    let shown = one_call_through(&hooks, &workspace, &tool, json!({})).await;
    assert_eq!(
        shown,
        refused("denied, because the hooks of this host are closed: no hook can be asked any more")
    );
    assert_eq!(tool.seen().len(), 0);
}
