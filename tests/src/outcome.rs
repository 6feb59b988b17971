//! Outcomes in a form that is easy to compare and to write down.

use hook_contract::{HookOutcome, Json};

/// The outcome as one JSON object, with every digit: what a fixture's `outcome.json` holds.
#[must_use]
pub fn as_json(outcome: &HookOutcome) -> Json {
    let mut members = Vec::new();
    let mut add = |name: &str, value: &str| members.push(format!("\"{name}\":{value}"));
    match outcome {
        HookOutcome::Allow => add("outcome", r#""allow""#),
        HookOutcome::Deny(_) => add("outcome", r#""deny""#),
        HookOutcome::Modify { input, .. } => {
            add("outcome", r#""modify""#);
            add("input", input.text());
        }
        HookOutcome::Replace {
            output, is_error, ..
        } => {
            add("outcome", r#""replace""#);
            add("output", output.text());
            add("is_error", if *is_error { "true" } else { "false" });
        }
    }
    if let Some(reason) = outcome.reason() {
        add("reason", &serde_json::Value::from(reason).to_string());
    }
    Json::parse(&format!("{{{}}}", members.join(","))).expect("made of JSON")
}

/// The reason of a denial; any other outcome is a failed test.
#[track_caller]
#[must_use]
pub fn denial(outcome: &HookOutcome) -> &str {
    match outcome {
        HookOutcome::Deny(reason) => reason,
        other => panic!("expected a denial, not {other:?}"),
    }
}
