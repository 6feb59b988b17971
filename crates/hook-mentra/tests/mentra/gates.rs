//! The order in which a call meets mentra's own gates, and who is named when one of them refuses a rewrite.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use hook_mentra::MentraHooks;
use hookchain_tests::Workspace;
use mentra::{
    error::RuntimeError,
    test::{MockRuntime, MockRuntimeBuilder},
    tool::{ToolAuthorizationDecision, ToolAuthorizationRequest, ToolAuthorizer},
};
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{
        Shown, agent, chain, declare, model_calling, one_call, refused, say, take_turn, workspace,
    },
};

const PIN: &str =
    r#"{"decision":"modify","input":{"command":"ls -l"},"reason":"no more than a look"}"#;

/// Lets through what it is asked about, or not, and keeps the inputs.
#[derive(Clone, Default)]
struct Authorizer {
    denies: bool,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Authorizer {
    fn denying() -> Self {
        Self {
            denies: true,
            ..Self::default()
        }
    }

    fn asked(&self) -> Vec<Value> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[async_trait]
impl ToolAuthorizer for Authorizer {
    async fn authorize(
        &self,
        request: &ToolAuthorizationRequest,
    ) -> Result<ToolAuthorizationDecision, RuntimeError> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(request.preview.raw_input.clone());
        Ok(if self.denies {
            ToolAuthorizationDecision::deny("not by this account")
        } else {
            ToolAuthorizationDecision::allow()
        })
    }
}

/// A tool that wants a command, on both of mentra's lanes.
fn lanes() -> [Probe; 2] {
    let tool = || {
        Probe::new("shell").with_schema(json!({
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"]
        }))
    };
    [tool(), tool().in_parallel()]
}

fn model() -> MockRuntimeBuilder {
    model_calling(&[("shell", json!({"command": "rm -r /"}))])
}

async fn shown(mock: &MockRuntime, workspace: &Workspace, tool: &Probe) -> Shown {
    mock.runtime().register_tool(tool.clone());
    take_turn(&mut agent(mock, workspace.path(), None))
        .await
        .remove(0)
}

#[tokio::test]
async fn the_authorizer_is_asked_about_the_call_as_the_hooks_left_it() {
    let workspace = workspace(&[("pin", "", &say(PIN))]);
    for tool in lanes() {
        let authorizer = Authorizer::default();
        let mock = model().with_tool_authorizer(authorizer.clone()).build();
        let mock = mock.expect("a runtime");
        let _guarded = chain(&workspace).register(mock.runtime());
        assert_eq!(shown(&mock, &workspace, &tool).await, Shown::text("ran"));
        assert_eq!(authorizer.asked(), [json!({"command": "ls -l"})]);
        assert_eq!(tool.seen(), [json!({"command": "ls -l"})]);
    }
}

#[tokio::test]
async fn nobody_is_asked_to_authorize_a_call_that_a_hook_denies() {
    let workspace = workspace(&[("guard", "", &say(r#"{"decision":"deny"}"#))]);
    for tool in lanes() {
        let authorizer = Authorizer::default();
        let mock = model().with_tool_authorizer(authorizer.clone()).build();
        let mock = mock.expect("a runtime");
        let _guarded = chain(&workspace).register(mock.runtime());
        assert_eq!(
            shown(&mock, &workspace, &tool).await,
            refused("denied by hook 'guard'")
        );
        assert_eq!(authorizer.asked(), Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_rewrite_that_the_authorizer_denies_is_denied_in_the_name_of_its_hook() {
    let workspace = workspace(&[("pin", "", &say(PIN))]);
    for tool in lanes() {
        let mock = model().with_tool_authorizer(Authorizer::denying()).build();
        let mock = mock.expect("a runtime");
        let _guarded = chain(&workspace).register(mock.runtime());
        let expected = "Tool execution denied: mixed execution hooks (execution hook 'hookchain': hook 'pin') \
                        rewrote this call; the rewritten call then failed: not by this account";
        assert_eq!(
            shown(&mock, &workspace, &tool).await,
            Shown::error(expected)
        );
        assert_eq!(tool.seen(), Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_rewrite_that_does_not_fit_the_schema_is_refused_in_the_name_of_its_hook() {
    let wrong = r#"{"decision":"modify","input":{"command":["ls"]},"reason":"as words"}"#;
    let workspace = workspace(&[("words", "", &say(wrong))]);
    for tool in lanes() {
        let authorizer = Authorizer::default();
        let mock = model().with_tool_authorizer(authorizer.clone()).build();
        let mock = mock.expect("a runtime");
        let _guarded = chain(&workspace).register(mock.runtime());
        let shown = shown(&mock, &workspace, &tool).await;
        let words = shown.content.to_display_string();
        let source = "Blocked by mixed execution hook: mixed execution hooks (execution hook 'hookchain': hook \
                      'words') rewrote 'shell' into input that does not fit its schema: ";
        assert!(shown.is_error && words.starts_with(source), "{words}");
        assert_eq!(
            (tool.seen(), authorizer.asked()),
            (Vec::<Value>::new(), Vec::<Value>::new())
        );
    }
}

#[tokio::test]
async fn a_rewritten_call_that_the_tool_fails_is_told_in_the_name_of_its_hook() {
    let workspace = workspace(&[("pin", "", &say(PIN))]);
    let tool = Probe::new("shell").failing("no such file");
    let expected = "mixed execution hooks (execution hook 'hookchain': hook 'pin') rewrote this call; \
                    the rewritten call then failed: no such file";
    assert_eq!(
        one_call(&workspace, &tool, json!({})).await,
        Shown::error(expected)
    );
}

#[tokio::test]
async fn a_rewrite_cannot_move_a_call_that_must_run_alone_among_others() {
    let alone = r#"{"decision":"modify","input":{"alone":true}}"#;
    let workspace = workspace(&[("alone", "", &say(alone))]);
    let tool = Probe::new("shell").in_parallel();
    let shown = one_call(&workspace, &tool, json!({})).await;
    let expected = "Blocked by mixed execution hook: mixed execution hooks (execution hook 'hookchain': hook 'alone') \
                    changed 'shell' from a parallel call into ExclusiveLocalMutation; refusing to run mutating work \
                    in the parallel lane";
    assert_eq!(shown, Shown::error(expected));
    assert_eq!(tool.seen(), Vec::<Value>::new());
}

#[tokio::test]
async fn every_hand_that_touched_a_call_is_named_also_across_chains() {
    let host = workspace(&[("host-pin", "", &say(PIN))]);
    let workspace = Workspace::new();
    let (first, second) = (
        say(r#"{"decision":"modify","input":{"command":"ls"}}"#),
        say(r#"{"decision":"modify","input":{"command":7},"reason":"a number"}"#),
    );
    declare(
        &workspace,
        &[("first", "", &first), ("second", "", &second)],
    );
    let [tool, _] = lanes();
    let mock = model().build().expect("a runtime");
    let of_host = chain(&host).for_any_directory().with_name("host");
    let _host = of_host.register(mock.runtime());
    let _guarded = chain(&workspace).register(mock.runtime());
    let shown = shown(&mock, &workspace, &tool).await;
    let words = shown.content.to_display_string();
    let hands = "mixed execution hooks (execution hook 'host': hook 'host-pin'; execution hook 'hookchain': hook \
                 'first'; hook 'second') rewrote 'shell'";
    assert!(words.contains(hands), "{words}");
}

/// On the older seams the decisions hold as well; who rewrote a call is not told there.
#[tokio::test]
async fn the_older_seams_carry_the_same_decisions() {
    let deny = say(r#"{"decision":"deny","reason":"not here"}"#);
    let replace = say(r#"{"decision":"replace","output":"gone"}"#);
    let workspace = workspace(&[
        ("pin", r#""tools":["shell"]"#, &say(PIN)),
        ("guard", r#""tools":["push"]"#, &deny),
        ("redact", r#""event":"post_tool_use""#, &replace),
    ]);
    let hooks: MentraHooks = chain(&workspace);
    let calls = [
        ("shell", json!({"command": "rm -r /"})),
        ("push", json!({})),
    ];
    let mock = model_calling(&calls)
        .with_pre_hook(hooks.clone())
        .with_post_hook(hooks)
        .build()
        .expect("a runtime");
    let (shell, push) = (Probe::new("shell"), Probe::new("push"));
    mock.runtime().register_tool(shell.clone());
    mock.runtime().register_tool(push.clone());
    let shown = take_turn(&mut agent(&mock, workspace.path(), None)).await;
    assert_eq!(shell.seen(), [json!({"command": "ls -l"})]);
    assert_eq!(push.seen(), Vec::<Value>::new());
    // The older seam after a call is also asked about calls that did not run.
    let replaced_refusal = Shown::error("gone");
    assert_eq!(shown, [Shown::text("gone"), replaced_refusal]);
}
