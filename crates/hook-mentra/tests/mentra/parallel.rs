//! Many calls at once.

use mentra::tool::ToolOutput;
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{Shown, agent, chain, model_calling, refused, take_turn, workspace},
};

/// Denies odd numbers.
const EVEN_ONLY: &str = r#"read -r question
case $question in
  *'"n":'*[13579]'}'*) echo '{"decision":"deny","reason":"odd"}' ;;
  *) echo '{"decision":"allow"}' ;;
esac"#;

/// Puts the number of the call before the output.
const NUMBERS: &str = r#"read -r question
n=$(printf '%s' "$question" | sed 's/.*"n":\([0-9]*\).*/\1/')
printf '{"decision":"replace","output":"%s ran"}\n' "$n""#;

fn expected(count: usize) -> Vec<Shown> {
    let one = |n| match n % 2 {
        0 => Shown::text(format!("{n} ran")),
        _ => refused("denied by hook 'even-only': odd"),
    };
    (0..count).map(one).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_of_many_parallel_calls_has_its_own_decision_and_review() {
    let workspace = workspace(&[
        ("even-only", "", EVEN_ONLY),
        ("numbers", r#""event":"post_tool_use""#, NUMBERS),
    ]);
    let calls: Vec<_> = (0..8).map(|n| ("read", json!({"n": n}))).collect();
    let mock = model_calling(&calls).build().expect("a runtime");
    let tool = Probe::new("read").in_parallel();
    mock.runtime().register_tool(tool.clone());
    let _guarded = chain(&workspace).register(mock.runtime());
    let mut agent = agent(&mock, workspace.path(), None);
    assert_eq!(take_turn(&mut agent).await, expected(8));
    let mut ran: Vec<Value> = tool.seen();
    ran.sort_by_key(|input| input["n"].as_u64());
    let evens: Vec<_> = (0..8).step_by(2).map(|n| json!({"n": n})).collect();
    assert_eq!(ran, evens);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_of_one_runtime_are_guarded_at_the_same_time() {
    let workspace = workspace(&[
        ("even-only", "", EVEN_ONLY),
        ("numbers", r#""event":"post_tool_use""#, NUMBERS),
    ]);
    let calls: Vec<_> = (0..4).map(|n| ("read", json!({"n": n}))).collect();
    let hooks = chain(&workspace);
    let mut turns = Vec::new();
    for _agent in 0..6 {
        let mock = model_calling(&calls).build().expect("a runtime");
        let tool = Probe::new("read").returning(ToolOutput::text("ran"));
        mock.runtime().register_tool(tool);
        let hooks = hooks.clone();
        let directory = workspace.path().to_owned();
        turns.push(tokio::spawn(async move {
            let _guarded = hooks.register(mock.runtime());
            take_turn(&mut agent(&mock, &directory, None)).await
        }));
    }
    for turn in turns {
        assert_eq!(turn.await.expect("a turn"), expected(4));
    }
}
