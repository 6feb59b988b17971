//! What stays of a result beside its content: images, events, pages.

use hookchain_tests::Workspace;
use mentra::{
    AgentConfig, ContentBlock, ImageSource, RuntimePolicy, ToolResultPagingConfig, tool::ToolOutput,
};
use serde_json::json;

use crate::{
    probe::Probe,
    scene::{
        Shown, agent, agent_with, chain, config, model_calling, say, take_turn, told, turn,
        workspace,
    },
};

/// Replaces `secret` wherever it stands in the output, which is text on one line.
const REDACTS: &str = r#"read -r question
output=$(printf '%s' "$question" | sed 's/.*"output":\("\([^"\\]\|\\.\)*"\).*/\1/; s/secret/[gone]/g')
printf '{"decision":"replace","output":%s}\n' "$output""#;

fn reviewing(script: &str) -> Workspace {
    workspace(&[("reviews", r#""event":"post_tool_use""#, script)])
}

async fn images_after(script: &str) -> (Vec<Shown>, usize) {
    let workspace = reviewing(script);
    let output = ToolOutput::text("a secret").with_image(ImageSource::Url {
        url: "https://example.org/a.png".to_owned(),
    });
    let mock = model_calling(&[("look", json!({}))])
        .build()
        .expect("a runtime");
    mock.runtime()
        .register_tool(Probe::new("look").returning(output));
    let _guarded = chain(&workspace).register(mock.runtime());
    let mut agent = agent(&mock, workspace.path(), None);
    let shown = take_turn(&mut agent).await;
    let blocks = agent.history().iter().flat_map(|message| &message.content);
    let images = blocks.filter(|block| matches!(block, ContentBlock::Image { .. }));
    (shown, images.count())
}

#[tokio::test]
async fn images_stay_unless_the_result_becomes_an_error() {
    for (script, expected, images) in [
        (say(r#"{"decision":"allow"}"#), Shown::text("a secret"), 1),
        (REDACTS.to_owned(), Shown::text("a [gone]"), 1),
        (
            say(r#"{"decision":"deny"}"#),
            Shown::error("denied by hook 'reviews'"),
            0,
        ),
        (
            say(r#"{"decision":"replace","output":"bad","is_error":true}"#),
            Shown::error("bad"),
            0,
        ),
    ] {
        assert_eq!(images_after(&script).await, (vec![expected], images));
    }
}

#[tokio::test]
async fn events_tell_the_true_result_whatever_the_model_is_shown() {
    for (script, expected) in [
        (REDACTS.to_owned(), Shown::text("a [gone]")),
        (
            say(r#"{"decision":"deny"}"#),
            Shown::error("denied by hook 'reviews'"),
        ),
    ] {
        let workspace = reviewing(&script);
        let mock = model_calling(&[("shell", json!({}))])
            .build()
            .expect("a runtime");
        mock.runtime()
            .register_tool(Probe::new("shell").returning(ToolOutput::text("a secret")));
        let _guarded = chain(&workspace).register(mock.runtime());
        let mut agent = agent(&mock, workspace.path(), None);
        let mut events = agent.subscribe_events();
        assert_eq!(take_turn(&mut agent).await, [expected]);
        assert_eq!(told(&mut events), [Shown::text("a secret")]);
    }
}

#[tokio::test]
async fn hooks_review_the_whole_result_and_the_model_cannot_page_around_them() {
    let lines: Vec<String> = (1..=40).map(|line| format!("{line} secret")).collect();
    let full = lines.join("\n");
    let workspace = reviewing(REDACTS);
    let second_page = json!({"tool_use_id": "tool-1", "start_line": 20});
    let mock = model_calling(&[("shell", json!({}))]);
    let mock = turn(mock, &[("read_tool_result", second_page)])
        .with_policy(RuntimePolicy::permissive())
        .build()
        .expect("a runtime");
    mock.runtime()
        .register_tool(Probe::new("shell").returning(ToolOutput::text(full.as_str())));
    let _guarded = chain(&workspace).register(mock.runtime());
    let paged = AgentConfig {
        tool_result_paging: Some(ToolResultPagingConfig {
            threshold_bytes: 100,
            page_bytes: 100,
        }),
        ..config(workspace.path())
    };
    let mut agent = agent_with(&mock, paged, None);
    let mut events = agent.subscribe_events();

    let first = take_turn(&mut agent).await.remove(0);
    let first = first.content.to_display_string();
    assert!(first.starts_with("1 [gone]\n2 [gone]\n"), "{first}");
    assert!(first.contains("of 40"), "{first}");
    assert_eq!(told(&mut events), [Shown::text(full)]);

    let second = take_turn(&mut agent).await.remove(0);
    let second = second.content.to_display_string();
    assert!(second.starts_with("20 [gone]\n"), "{second}");
    assert!(!format!("{first}{second}").contains("secret"));
}
