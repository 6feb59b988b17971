//! Each thing a hook can say, from the model's call to what the model is shown.

use hookchain_tests::Workspace;
use mentra::tool::{ToolOutput, ToolResultContent};
use serde_json::json;

use crate::{
    probe::Probe,
    scene::{Shown, one_call, refused, say, workspace},
};

/// A hook that keeps the question and allows.
const LOOKS_ON: &str =
    "read -r question\nprintf '%s\\n' \"$question\" >>asked\necho '{\"decision\":\"allow\"}'";

fn answering(event: &str, answer: &str) -> Workspace {
    workspace(&[("guard", &format!(r#""event":"{event}""#), &say(answer))])
}

#[tokio::test]
async fn an_allowed_call_runs_as_it_was_made_and_its_result_stands() {
    let workspace = workspace(&[
        ("before", "", LOOKS_ON),
        ("after", r#""event":"post_tool_use""#, LOOKS_ON),
    ]);
    let tool = Probe::new("shell").returning(ToolOutput::text(" two\nlines \n"));
    let input = json!({"b": [1.5, "\u{2028}"], "a": 18_446_744_073_709_551_615_u64});
    let shown = one_call(&workspace, &tool, input.clone()).await;
    assert_eq!(shown, Shown::text(" two\nlines \n"));
    assert_eq!(tool.seen(), std::slice::from_ref(&input));

    let asked = workspace.lines("asked");
    let asked: Vec<serde_json::Value> = asked
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [before, after] = asked.as_slice() else {
        panic!("two questions, not {asked:?}");
    };
    assert!(before["agent_id"].as_str().is_some_and(|id| !id.is_empty()));
    let expected = json!({
        "hook_schema": 1,
        "event": "pre_tool_use",
        "workspace": workspace.path(),
        "agent_id": before["agent_id"],
        "tool_call_id": "tool-1",
        "tool_name": "shell",
        "input": input,
    });
    assert_eq!(*before, expected);
    let mut expected = expected;
    expected["event"] = "post_tool_use".into();
    expected["output"] = " two\nlines \n".into();
    expected["is_error"] = false.into();
    assert_eq!(*after, expected);
}

#[tokio::test]
async fn a_denied_call_does_not_run_and_the_model_reads_why() {
    let workspace = answering("pre_tool_use", r#"{"decision":"deny","reason":"not here"}"#);
    let tool = Probe::new("shell");
    assert_eq!(
        one_call(&workspace, &tool, json!({})).await,
        refused("denied by hook 'guard': not here")
    );
    assert_eq!(tool.seen(), Vec::<serde_json::Value>::new());
}

#[tokio::test]
async fn a_modified_call_runs_with_the_new_input_and_is_reviewed_with_it() {
    let rewrite = r#"{"decision":"modify","input":{"command":"ls","n":[1,2.5]},"reason":"less"}"#;
    let workspace = workspace(&[
        ("pin", "", &say(rewrite)),
        ("after", r#""event":"post_tool_use""#, LOOKS_ON),
    ]);
    let tool = Probe::new("shell");
    let shown = one_call(&workspace, &tool, json!({"command": "rm -r /"})).await;
    assert_eq!(shown, Shown::text("ran"));
    let input = json!({"command": "ls", "n": [1, 2.5]});
    assert_eq!(tool.seen(), std::slice::from_ref(&input));
    let asked: serde_json::Value =
        serde_json::from_str(&workspace.lines("asked").concat()).expect("JSON");
    assert_eq!(asked["input"], input);
}

#[tokio::test]
async fn a_replaced_result_is_what_the_model_sees() {
    for (before, output, after) in [
        (
            ToolOutput::text("secret"),
            r#""gone""#,
            ToolResultContent::text("gone"),
        ),
        (
            ToolOutput::text("secret"),
            r#"{"n":null}"#,
            ToolResultContent::Structured(json!({"n": null})),
        ),
        (
            ToolOutput::structured(json!({"a": "secret"})),
            r#"{"a":"gone"}"#,
            ToolResultContent::Structured(json!({"a": "gone"})),
        ),
        (
            ToolOutput::structured(json!("secret")),
            r#""gone""#,
            ToolResultContent::Structured(json!("gone")),
        ),
    ] {
        let answer = format!(r#"{{"decision":"replace","output":{output}}}"#);
        let workspace = answering("post_tool_use", &answer);
        let tool = Probe::new("shell").returning(before);
        let shown = one_call(&workspace, &tool, json!({})).await;
        assert_eq!(shown, Shown::of(after));
    }
}

#[tokio::test]
async fn the_flag_for_errors_stays_unless_a_hook_says_otherwise() {
    let replacing = |more: &str| {
        let answer = format!(r#"{{"decision":"replace","output":"other"{more}}}"#);
        answering("post_tool_use", &answer)
    };
    let works = Probe::new("shell");
    let fails = Probe::new("shell").failing("broken");
    for (more, of_success, of_failure) in [
        ("", false, true),
        (r#","is_error":true"#, true, true),
        (r#","is_error":false"#, false, false),
    ] {
        let workspace = replacing(more);
        for (tool, is_error) in [(&works, of_success), (&fails, of_failure)] {
            let expected = Shown {
                is_error,
                ..Shown::text("other")
            };
            assert_eq!(one_call(&workspace, tool, json!({})).await, expected);
        }
    }
}

#[tokio::test]
async fn a_denied_result_is_withheld_in_the_chains_own_words() {
    let workspace = answering("post_tool_use", r#"{"decision":"deny","reason":"a key"}"#);
    let tool = Probe::new("shell").returning(ToolOutput::text("secret"));
    assert_eq!(
        one_call(&workspace, &tool, json!({})).await,
        Shown::error("denied by hook 'guard': a key")
    );
    assert_eq!(tool.seen().len(), 1);
}
