//! What payloads hold.

use serde_json::json;

use super::*;

#[test]
fn what_is_missing_is_named() {
    let facts = Facts::new()
        .with(Fact::SessionId, "s")
        .with(Fact::Cwd, "/repo");
    let error = payload("SessionEnd", &facts, Dialect::CODEX).expect_err("no reason");
    assert_eq!(
        error.to_string(),
        "hooks of SessionEnd are always told `reason`, and it is not known; set it"
    );
    let error = payload("sessionEnd", &facts, Dialect::CODEX).expect_err("no event");
    assert_eq!(
        error.to_string(),
        "Codex has no event `sessionEnd`; name one that it has"
    );
}

#[test]
fn every_event_has_a_payload_when_everything_is_known() {
    let mut facts = Facts::new();
    for fact in Fact::ALL {
        facts.set(*fact, Json::from(json!("x")));
    }
    for dialect in Dialect::ALL {
        for row in dialect.events {
            let bytes = payload(row.name, &facts, dialect).expect("a payload");
            let value: Value = serde_json::from_slice(&bytes).expect("JSON");
            assert_eq!(value["hook_event_name"], row.name);
            assert_eq!(
                value.as_object().map(serde_json::Map::len),
                Some(row.payload.len())
            );
            assert_eq!(bytes.ends_with(b"\n"), dialect.newline);
        }
    }
}

#[test]
fn a_hook_that_looks_for_a_word_finds_it_however_it_was_written() {
    let input = Json::parse(r#"{"command":"\u0072m -rf \/", "n": 1.00}"#).expect("JSON");
    let facts = Facts::new()
        .with(Fact::SessionId, "s")
        .with(Fact::TurnId, "t")
        .with(Fact::Cwd, "/repo")
        .with(Fact::Model, "m")
        .with(Fact::PermissionMode, "default")
        .with(Fact::ToolName, "Bash")
        .with_json(Fact::ToolInput, input)
        .with(Fact::ToolUseId, "c");
    let bytes = payload("PreToolUse", &facts, Dialect::CODEX).expect("a payload");
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(
        text.contains(r#""tool_input":{"command":"rm -rf /","n":1.00}"#),
        "{text}"
    );
}

#[test]
fn what_an_event_has_no_place_for_is_known() {
    let facts = Facts::new()
        .with(Fact::Prompt, "a")
        .with(Fact::Reason, "b")
        .with(Fact::Prompt, "c");
    let event = Dialect::CODEX.event("SessionEnd").expect("an event");
    assert_eq!(facts.untold(event).collect::<Vec<_>>(), [Fact::Prompt]);
    assert_eq!(facts.text(Fact::Prompt), Some("c"));
}
