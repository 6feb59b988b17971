//! What the shared protocol library answers.

use hook_contract::Json;
use hook_dialect::{
    Decision, Dialect, Exit, HookOutput, Matcher, MatcherMode, MatcherSet, MergedOutcome,
    RegexLanguage, decode_output, merge, stderr_summary,
};
use serde_json::{Map, Value, json};

use crate::stored::{all_agree, rows};

#[test]
fn matchers_match_what_they_match_there() {
    let rows = rows("dsh", "matcher.json");
    let mut differences = Vec::new();
    for row in &rows {
        let mode = match row["mode"].as_str() {
            Some("claude") => Dialect::SHARED.matcher,
            _ => MatcherMode::regex(RegexLanguage::EcmaScript),
        };
        let matcher = Matcher::parse(row["matcher"].as_str(), mode);
        let query = row["query"].as_str().expect("a query");
        let found = json!([matcher.matches(query), matcher.problem().is_some()]);
        let in_a_set = !MatcherSet::new([matcher]).select(&[query]).is_empty();
        if found != json!([row["expect"], row["diagnostic"]]) || row["expect"] != in_a_set {
            differences.push(format!("{row}: {found}, in a set {in_a_set}"));
        }
    }
    all_agree("matcher", rows.len(), &differences);
}

#[test]
fn answers_are_decoded_as_they_are_there() {
    let rows = rows("dsh", "codec.json");
    let mut differences = Vec::new();
    for row in &rows {
        let exit = row["exit_code"]
            .as_i64()
            .and_then(|c| i32::try_from(c).ok());
        let bytes = |field: &str| row[field].as_str().expect("a text").as_bytes();
        let output = decode_output(
            Exit::from(exit),
            bytes("stdout"),
            bytes("stderr"),
            row["expected_event"].as_str(),
            Dialect::SHARED.strict(),
        );
        if shown(&output) != row["expect"] {
            differences.push(format!("{row}: {}", shown(&output)));
        }
    }
    all_agree("codec", rows.len(), &differences);
}

#[test]
fn outputs_are_merged_as_they_are_there() {
    let rows = rows("dsh", "merge.json");
    let mut differences = Vec::new();
    for row in &rows {
        let outputs = row["outputs"].as_array().expect("outputs");
        let outputs: Vec<_> = outputs.iter().map(given).collect();
        let merged = shown_merged(&merge(&outputs));
        if merged != row["expect"] {
            differences.push(format!("{row}: {merged}"));
        }
    }
    all_agree("merge", rows.len(), &differences);
}

#[test]
fn standard_error_is_cut_as_it_is_there() {
    let rows = rows("dsh", "summary.json");
    let mut differences = Vec::new();
    for row in &rows {
        let most = row["max_chars"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok());
        let stderr = row["stderr"].as_str().expect("a text");
        let summary = stderr_summary(stderr, most.expect("a number"));
        if json!(summary) != row["expect"] {
            differences.push(format!("{row}: {summary:?}"));
        }
    }
    all_agree("summary", rows.len(), &differences);
}

/// An output with the names of fields that it has there.
fn shown(output: &HookOutput) -> Value {
    let fields = [
        ("exitCode", output.exit_code.map(Value::from)),
        ("stdout", Some(output.stdout.clone().into())),
        ("stderr", Some(output.stderr.clone().into())),
        ("continue", output.continues.map(Value::from)),
        ("stopReason", output.stop_reason.clone().map(Value::from)),
        ("decision", output.decision.map(|d| d.as_str().into())),
        ("reason", output.reason.clone().map(Value::from)),
        (
            "hookEventName",
            output.hook_event_name.clone().map(Value::from),
        ),
        (
            "additionalContext",
            output.additional_context.clone().map(Value::from),
        ),
        (
            "updatedInput",
            output.updated_input.as_ref().map(|j| j.value().clone()),
        ),
        (
            "updatedToolOutput",
            output
                .updated_tool_output
                .as_ref()
                .map(|j| j.value().clone()),
        ),
        (
            "systemMessage",
            output.system_message.clone().map(Value::from),
        ),
        ("suppressOutput", output.suppress_output.map(Value::from)),
    ];
    let there = |(name, value): (&str, Option<Value>)| Some((name.to_owned(), value?));
    Value::Object(fields.into_iter().filter_map(there).collect::<Map<_, _>>())
}

/// The output that is shown so.
fn given(shown: &Value) -> HookOutput {
    let text = |field: &str| shown[field].as_str().map(str::to_owned);
    let value = |field: &str| shown.get(field).cloned().map(Json::from);
    let mut output = HookOutput::default();
    output.exit_code = shown["exitCode"]
        .as_i64()
        .and_then(|c| i32::try_from(c).ok());
    output.stdout = text("stdout").unwrap_or_default();
    output.stderr = text("stderr").unwrap_or_default();
    output.continues = shown["continue"].as_bool();
    output.stop_reason = text("stopReason");
    output.decision = shown["decision"].as_str().map(|word| {
        let all = [
            Decision::Approve,
            Decision::Allow,
            Decision::Block,
            Decision::Deny,
            Decision::Ask,
            Decision::Defer,
        ];
        let found = all.into_iter().find(|decision| decision.as_str() == word);
        found.expect("a decision")
    });
    output.reason = text("reason");
    output.hook_event_name = text("hookEventName");
    output.additional_context = text("additionalContext");
    output.updated_input = value("updatedInput");
    output.updated_tool_output = value("updatedToolOutput");
    output.system_message = text("systemMessage");
    output.suppress_output = shown["suppressOutput"].as_bool();
    output
}

fn shown_merged(merged: &MergedOutcome) -> Value {
    let fields = [
        ("decision", Some(merged.decision.as_str().into())),
        ("reason", merged.reason.clone().map(Value::from)),
        ("stop", Some(merged.stop.into())),
        ("stopReason", merged.stop_reason.clone().map(Value::from)),
        (
            "additionalContext",
            Some(merged.additional_context.clone().into()),
        ),
        (
            "systemMessages",
            Some(merged.system_messages.clone().into()),
        ),
        (
            "updatedInput",
            merged.updated_input.as_ref().map(|j| j.value().clone()),
        ),
    ];
    let there = |(name, value): (&str, Option<Value>)| Some((name.to_owned(), value?));
    Value::Object(fields.into_iter().filter_map(there).collect::<Map<_, _>>())
}
