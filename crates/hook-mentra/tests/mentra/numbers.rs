//! Digits on the way through mentra, which holds numbers in 64 bits unless some crate of the program asked for more.

use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, Json, async_trait};
use hook_mentra::MentraHooks;
use hook_runner::HookRunner;
use hookchain_tests::Workspace;
use mentra::runtime::{BeforeDecision, ExecutionHookParticipant, PreExecutionContext};
use serde_json::{Value, json};

use crate::{
    probe::Probe,
    scene::{one_call, refused, say, workspace},
};

const LONG: &str = r#"{"id":12345678901234567890123}"#;

fn any_length() -> bool {
    serde_json::from_str::<Value>(LONG).is_ok_and(|value| format!("{value}") == LONG)
}

#[tokio::test]
async fn numbers_of_64_bits_reach_the_tool_digit_for_digit() {
    let input = r#"{"a":18446744073709551615,"b":-9223372036854775808,"c":[0.1,2.5e-7,1.50,1e2]}"#;
    let answer = format!(r#"{{"decision":"modify","input":{input}}}"#);
    let workspace = workspace(&[("pin", "", &say(&answer))]);
    let tool = Probe::new("pay");
    one_call(&workspace, &tool, json!({})).await;
    let seen = tool.seen();
    let [seen] = seen.as_slice() else {
        panic!("one call, not {seen:?}");
    };
    assert_eq!(seen["a"], u64::MAX);
    assert_eq!(seen["b"], i64::MIN);
    let floats: Vec<_> = (0..4).map(|index| seen["c"][index].as_f64()).collect();
    assert_eq!(floats, [Some(0.1), Some(2.5e-7), Some(1.5), Some(100.0)]);
}

#[tokio::test]
async fn a_rewrite_with_a_number_that_mentra_would_round_does_not_run() {
    let answer = format!(r#"{{"decision":"modify","input":{LONG},"reason":"the full id"}}"#);
    let workspace = workspace(&[("fills-in", "", &say(&answer))]);
    let tool = Probe::new("pay");
    let shown = one_call(&workspace, &tool, json!({})).await;
    if any_length() {
        assert_eq!(
            tool.seen(),
            [serde_json::from_str::<Value>(LONG).expect("JSON")]
        );
        return;
    }
    assert_eq!(tool.seen(), Vec::<Value>::new());
    let held = serde_json::from_str::<Value>(LONG).expect("JSON");
    assert_eq!(
        shown,
        refused(&format!(
            "denied after the rewrite by hook 'fills-in': the input now has the number \
             12345678901234567890123, which the tool would get as {}; a string keeps its digits",
            held["id"]
        ))
    );
}

/// Says that it looked, or rewrites one member and leaves the others.
struct Touches(Option<&'static str>);

#[async_trait]
impl Interceptor for Touches {
    fn name(&self) -> &str {
        "touches"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        let Some(member) = self.0 else {
            return Ok(HookOutcome::Allow);
        };
        let mut input = call.input.value().clone();
        input[member] = "touched".into();
        Ok(HookOutcome::modify(Json::from(input)))
    }
}

/// What mentra is handed: the text itself, which no parser of this test has touched.
#[tokio::test]
async fn the_text_of_an_input_is_handed_on_as_it_is() {
    let workspace = Workspace::new();
    let input = r#"{"z":1.50,"id":12345678901234567, "a":"x"}"#;
    let context = PreExecutionContext {
        agent_id: "agent-1".into(),
        tool_name: "pay".into(),
        tool_call_id: "call-1".into(),
        input_json: input.into(),
        working_directory: workspace.path().to_owned(),
    };
    let decide = async |interceptor| {
        let runner = HookRunner::new(workspace.path(), vec![]).with_interceptor(interceptor);
        let hooks = MentraHooks::new(runner);
        hooks.before(&context).await.expect("never an error")
    };
    assert_eq!(decide(Touches(None)).await, BeforeDecision::Continue);
    let BeforeDecision::Modify {
        input_json,
        attribution,
    } = decide(Touches(Some("a"))).await
    else {
        panic!("a rewrite");
    };
    assert_eq!(attribution.as_deref(), Some("interceptor 'touches'"));
    let expected = Json::parse(r#"{"a":"touched","id":12345678901234567,"z":1.50}"#);
    assert_eq!(Json::parse(&input_json), expected);
}
