//! Programs that end or let go at the worst moment.

use hook_config::OnFailure;
use hook_contract::HookOutcome;
use hookchain_tests::{Bench, Workspace, census::assert_gone, fake};

/// An input that no pipe holds.
fn large() -> String {
    format!(r#"{{"text":"{}"}}"#, "x".repeat(5 << 20))
}

#[tokio::test]
async fn a_child_that_holds_the_unread_input_cannot_hold_up_the_call() {
    let workspace = Workspace::new();
    let steps = ["spawn-holding=mark=child hang", "wait-for=child", "deny=no"];
    let bench = Bench::new(&workspace, [fake("guard", &steps)]);
    let denied = HookOutcome::deny("denied by hook 'guard': no");
    assert_eq!(bench.decide(&large()).await, denied);
    assert_gone(&workspace.lines("child").concat());
}

#[tokio::test]
async fn an_answer_into_a_closed_stream_is_none() {
    let workspace = Workspace::new();
    for steps in [
        &["close=1", "allow"] as &[&str],
        &["read", "close=2", "close=1", "allow"],
        &["close=1", "close=0", "allow", "close=2"],
        &["close=0", "close=1", "close=2", "allow"],
    ] {
        let hook = fake("mute", steps);
        let bench = Bench::new(&workspace, [hook.clone()]);
        let said = "denied, because hook 'mute' gave no answer: it printed nothing, and silence is not consent";
        assert_eq!(
            bench.decide("{}").await,
            HookOutcome::deny(said),
            "{steps:?}"
        );
        let lenient = Bench::new(&workspace, [hook.with_on_failure(OnFailure::Allow)]);
        assert_eq!(lenient.decide("{}").await, HookOutcome::Allow);
        assert_eq!(lenient.reports().len(), 1);
    }
}

#[tokio::test]
async fn half_an_answer_is_none_whoever_was_to_print_the_rest() {
    let workspace = Workspace::new();
    let half = r#"print={"decision":"#;
    let rest = r#"print="allow"}"#;
    let bench = Bench::new(
        &workspace,
        [fake("whole", &[half, "flood-err=100000", rest])],
    );
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    for steps in [
        &[half] as &[&str],
        &[half, "close=1", rest],
        &[half, "spawn-detached=allow"],
    ] {
        let bench = Bench::new(&workspace, [fake("half", steps)]);
        let said = "denied, because hook 'half' gave no answer: what it printed is not JSON";
        assert_eq!(
            bench.decide("{}").await,
            HookOutcome::deny(said),
            "{steps:?}"
        );
    }
}
