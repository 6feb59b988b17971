//! Turns that end before the hooks have answered. By `/proc`, so on Linux only.

use std::time::Duration;

use hookchain_tests::{PATIENCE, Workspace, census::assert_nobody_in};
use mentra::{
    ContentBlock,
    error::RuntimeError,
    runtime::{CancellationToken, RunOptions},
};
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{agent, chain, model_calling, workspace},
};

/// Starts a child that ignores polite signals, as it does itself, and hangs.
const HANGS: &str = "trap '' TERM INT HUP\n\
                     sh -c \"trap '' TERM INT HUP; echo >child; exec sleep 30\" &\n\
                     echo >hook\n\
                     wait";

fn hanging(timeout_ms: u64, event: &str) -> Workspace {
    let fields = format!(r#""event":"{event}","timeout_ms":{timeout_ms}"#);
    workspace(&[("hangs", &fields, HANGS)])
}

/// Returns once the hook and its child run.
async fn both_run(workspace: &Workspace) {
    let mut look = tokio::time::interval(Duration::from_millis(2));
    while !(workspace.has("hook") && workspace.has("child")) {
        look.tick().await;
    }
}

#[tokio::test]
async fn a_turn_that_is_dropped_takes_the_hook_and_its_child_with_it() {
    for event in ["pre_tool_use", "post_tool_use"] {
        let workspace = hanging(60_000, event);
        let mock = model_calling(&[("shell", json!({}))])
            .build()
            .expect("a runtime");
        mock.runtime().register_tool(Probe::new("shell"));
        let _guarded = chain(&workspace).register(mock.runtime());
        let mut agent = agent(&mock, workspace.path(), None);
        let ended = tokio::select! {
            ended = agent.send(vec![ContentBlock::text("go on")]) => Some(ended),
            () = both_run(&workspace) => None,
        };
        assert!(ended.is_none(), "{event}: {ended:?}");
        assert_nobody_in(workspace.path());
    }
}

#[tokio::test]
async fn a_hook_that_times_out_while_the_turn_is_cancelled_denies_and_leaves_nobody() {
    for tool in [Probe::new("shell"), Probe::new("shell").in_parallel()] {
        let workspace = hanging(500, "pre_tool_use");
        let mock = model_calling(&[("shell", json!({}))])
            .build()
            .expect("a runtime");
        mock.runtime().register_tool(tool.clone());
        let _guarded = chain(&workspace).register(mock.runtime());
        let mut agent = agent(&mock, workspace.path(), None);
        let token = CancellationToken::default();
        let options = RunOptions {
            cancellation: Some(token.clone()),
            ..RunOptions::default()
        };
        let cancel = async {
            both_run(&workspace).await;
            token.cancel();
        };
        let run = Box::pin(agent.run(vec![ContentBlock::text("go on")], options));
        let both = tokio::time::timeout(PATIENCE, async { tokio::join!(run, cancel) });
        let (ended, ()) = both.await.expect("the hook's deadline ends the turn");
        assert!(matches!(ended, Err(RuntimeError::Cancelled)), "{ended:?}");
        assert_eq!(tool.seen(), Vec::<Value>::new());
        assert_nobody_in(workspace.path());
    }
}
