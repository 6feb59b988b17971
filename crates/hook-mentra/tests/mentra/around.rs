//! What mentra does around the seams: what reaches a model unreviewed, and what keeps a true result.

use hookchain_tests::Workspace;
use mentra::{
    AgentConfig, ContentBlock, RuntimePolicy, agent::AgentEvent, runtime::FileRuntimeStore,
    tool::ToolOutput,
};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use crate::{
    probe::Probe,
    scene::{
        agent, agent_with, chain, config, model_calling, refused, say, take_turn, turn, workspace,
    },
};

/// Puts `[gone]` in the place of every result.
fn redacting() -> Workspace {
    let answer = say(r#"{"decision":"replace","output":"[gone]"}"#);
    workspace(&[("redacts", r#""event":"post_tool_use""#, &answer)])
}

/// The model is told of it in a message of its own: no result, which a hook could review.
#[tokio::test]
async fn the_output_of_a_command_in_the_background_is_no_result() {
    let workspace = redacting();
    let call = json!({"command": "echo a secret"});
    let mock = model_calling(&[("background_run", call)])
        .text("done")
        .with_policy(RuntimePolicy::permissive())
        .build()
        .expect("a runtime");
    let _guarded = chain(&workspace).register(mock.runtime());
    let mut agent = agent(&mock, workspace.path(), None);
    let mut events = agent.subscribe_events();
    let shown = take_turn(&mut agent).await.remove(0);
    assert_eq!(shown.content.to_display_string(), "[gone]");
    loop {
        match events.recv().await {
            Ok(AgentEvent::BackgroundTaskFinished { .. }) => break,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => panic!("the command did not end"),
        }
    }
    take_turn(&mut agent).await;
    let said: Vec<String> = agent.history().iter().map(mentra::Message::text).collect();
    assert!(said.concat().contains("a secret"), "{said:?}");
}

#[tokio::test]
async fn a_command_in_the_background_can_be_denied() {
    let answer = say(r#"{"decision":"deny","reason":"in sight only"}"#);
    let workspace = workspace(&[("guard", r#""tools":["background_run"]"#, &answer)]);
    let call = json!({"command": "echo a secret >made"});
    let mock = model_calling(&[("background_run", call)])
        .with_policy(RuntimePolicy::permissive())
        .build()
        .expect("a runtime");
    let _guarded = chain(&workspace).register(mock.runtime());
    let shown = take_turn(&mut agent(&mock, workspace.path(), None)).await;
    assert_eq!(shown, [refused("denied by hook 'guard': in sight only")]);
    assert!(!workspace.has("made"));
}

/// What mentra left on disk of a result too long for its policy, which a hook replaced.
async fn kept_of_a_long_result(spill: bool) -> String {
    let workspace = redacting();
    let policy = RuntimePolicy::permissive()
        .with_max_tool_result_bytes(64)
        .spill_full_tool_output(spill);
    let mock = model_calling(&[("shell", json!({}))])
        .with_policy(policy)
        .with_store(FileRuntimeStore::new(workspace.above().join("store")))
        .build()
        .expect("a runtime");
    let long = "a secret\n".repeat(40);
    mock.runtime()
        .register_tool(Probe::new("shell").returning(ToolOutput::text(long)));
    let _guarded = chain(&workspace).register(mock.runtime());
    let mut settings: AgentConfig = config(workspace.path());
    settings.compaction.transcript_dir = workspace.above().join("transcripts");
    let mut agent = agent_with(&mock, settings, None);
    let shown = take_turn(&mut agent).await.remove(0);
    assert_eq!(shown.content.to_display_string(), "[gone]");
    let kept = workspace.above().join("transcripts/tool-output");
    let files = std::fs::read_dir(kept).into_iter().flatten();
    let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()));
    texts.map(|text| text.expect("text")).collect()
}

#[tokio::test]
async fn what_is_cut_from_a_long_result_is_kept_on_disk_unless_the_policy_says_no() {
    assert!(kept_of_a_long_result(true).await.contains("a secret"));
    assert_eq!(kept_of_a_long_result(false).await, "");
}

/// Metadata of a tool is for the host: it stays in the transcript, and the model never sees it.
#[tokio::test]
async fn details_of_a_result_are_not_reviewed_and_not_shown() {
    let workspace = redacting();
    let output = ToolOutput::text("a secret").with_details(json!({"raw": "a secret"}));
    let call = [("shell", json!({}))];
    let mock = turn(model_calling(&call), &call)
        .build()
        .expect("a runtime");
    mock.runtime()
        .register_tool(Probe::new("shell").returning(output));
    let _guarded = chain(&workspace).register(mock.runtime());
    let mut agent = agent(&mock, workspace.path(), None);
    for _turn in 0..2 {
        let shown = take_turn(&mut agent).await.remove(0);
        assert_eq!(shown.content.to_display_string(), "[gone]");
    }
    for request in mock.recorded_requests().await {
        assert!(!format!("{:?}", request.messages).contains("a secret"));
    }
    let said: Vec<&ContentBlock> = agent.history().iter().flat_map(|m| &m.content).collect();
    assert!(!format!("{said:?}").contains("a secret"));
}
