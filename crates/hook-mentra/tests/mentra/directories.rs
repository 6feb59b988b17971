//! Where the agent works, and which workspace the hooks are of.

use std::path::{Path, PathBuf};

use hook_mentra::MentraHooks;
use hookchain_tests::Workspace;
use mentra::tool::ToolOutput;
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{Shown, agent, chain, model_calling, refused, say, take_turn, workspace},
};

/// A hook that says what it was told and where it runs.
const TELLS: &str = r#"read -r question
printf '%s\n' "$question" | sed 's/.*"workspace":"\([^"]*\)".*/\1/' >told
pwd >ran-in
echo '{"decision":"allow"}'"#;

async fn call_in(directory: &Path, hooks: &MentraHooks, tool: &Probe) -> Shown {
    let mock = model_calling(&[("shell", json!({}))])
        .build()
        .expect("a runtime");
    mock.runtime().register_tool(tool.clone());
    let _guarded = hooks.register(mock.runtime());
    let mut agent = agent(&mock, directory, None);
    take_turn(&mut agent).await.remove(0)
}

fn beside(workspace: &Workspace, name: &str) -> PathBuf {
    let directory = workspace.above().canonicalize().expect("a path").join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}

async fn is_asked_and_told_the_workspace(
    directory: &Path,
    hooks: &MentraHooks,
    workspace: &Workspace,
) {
    let tool = Probe::new("shell");
    let shown = call_in(directory, hooks, &tool).await;
    assert_eq!((shown, tool.seen()), (Shown::text("ran"), vec![json!({})]));
    let root = workspace.path().to_str().expect("UTF-8").to_owned();
    for file in ["told", "ran-in"] {
        assert_eq!(workspace.lines(file), [root.as_str()]);
    }
}

#[tokio::test]
async fn a_link_to_the_workspace_is_the_workspace() {
    let workspace = workspace(&[("tells", "", TELLS)]);
    let link = workspace.above().join("link");
    std::os::unix::fs::symlink(workspace.path(), &link).expect("a link");
    is_asked_and_told_the_workspace(&link, &chain(&workspace), &workspace).await;
}

#[tokio::test]
async fn a_chain_for_directories_below_is_asked_about_them_and_told_the_workspace() {
    let workspace = workspace(&[("tells", "", TELLS)]);
    let below = workspace.path().join("below");
    std::fs::create_dir(&below).expect("a directory");
    let hooks = chain(&workspace).for_directories_below();
    is_asked_and_told_the_workspace(&below, &hooks, &workspace).await;
}

/// Denies a relative path into `secrets`, as it must read it: against the workspace.
const NO_SECRETS: &str = r#"read -r question
case "$question" in
*'"path":"secrets/'*) echo '{"decision":"deny"}' ;;
*) echo '{"decision":"allow"}' ;;
esac"#;

#[tokio::test]
async fn no_guard_of_a_path_is_passed_by_working_beside_the_file() {
    let workspace = workspace(&[("no-secrets", "", NO_SECRETS)]);
    workspace.write("secrets/key", "a secret", 0o644);
    let mock = model_calling(&[("read", json!({"path": "key"}))])
        .build()
        .expect("a runtime");
    let tool = Probe::new("read");
    mock.runtime().register_tool(tool.clone());
    let _guarded = chain(&workspace).register(mock.runtime());
    let directory = workspace.path().join("secrets");
    let mut agent = agent(&mock, &directory, None);
    let shown = take_turn(&mut agent).await.remove(0);
    let reason = format!(
        "denied before any hook was asked: the agent works in {}, and the hooks are those of {}",
        directory.display(),
        workspace.path().display()
    );
    assert_eq!((shown, tool.seen()), (refused(&reason), vec![]));
}

#[tokio::test]
async fn a_call_outside_the_workspace_is_denied_and_nobody_is_asked() {
    let workspace = workspace(&[("tells", "", TELLS)]);
    for name in ["elsewhere", "wsx"] {
        let elsewhere = beside(&workspace, name);
        let tool = Probe::new("shell");
        let shown = call_in(&elsewhere, &chain(&workspace), &tool).await;
        let reason = format!(
            "denied before any hook was asked: the agent works in {}, and the hooks are those of {}",
            elsewhere.display(),
            workspace.path().display()
        );
        assert_eq!(shown, refused(&reason));
        assert_eq!(tool.seen(), Vec::<Value>::new());
        assert!(!workspace.has("told"));
    }
}

#[tokio::test]
async fn a_result_from_outside_the_workspace_is_withheld() {
    let allow = say(r#"{"decision":"allow"}"#);
    let workspace = workspace(&[("reads", r#""event":"post_tool_use""#, &allow)]);
    let elsewhere = beside(&workspace, "elsewhere");
    let tool = Probe::new("shell").returning(ToolOutput::text("secret"));
    let shown = call_in(&elsewhere, &chain(&workspace), &tool).await;
    let reason = format!(
        "the result is withheld before any hook was asked: the agent works in {}, and the hooks are those of {}",
        elsewhere.display(),
        workspace.path().display()
    );
    assert_eq!(shown, Shown::error(reason));
}

#[tokio::test]
async fn a_call_about_which_nobody_is_asked_may_be_anywhere() {
    let workspace = workspace(&[("tells", r#""tools":["other"]"#, TELLS)]);
    let elsewhere = beside(&workspace, "elsewhere");
    let tool = Probe::new("shell");
    let shown = call_in(&elsewhere, &chain(&workspace), &tool).await;
    assert_eq!(shown, Shown::text("ran"));
}

#[tokio::test]
async fn a_chain_for_any_directory_is_asked_and_told_its_own_workspace() {
    let workspace = workspace(&[("tells", "", TELLS)]);
    let elsewhere = beside(&workspace, "elsewhere");
    let tool = Probe::new("shell");
    let hooks = chain(&workspace).for_any_directory();
    let shown = call_in(&elsewhere, &hooks, &tool).await;
    assert_eq!(shown, Shown::text("ran"));
    let root = workspace.path().to_str().expect("UTF-8").to_owned();
    assert_eq!(workspace.lines("told"), [root.as_str()]);
    assert_eq!(workspace.lines("ran-in"), [root.as_str()]);
}
