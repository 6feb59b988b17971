use std::time::Duration;

use super::*;
use crate::{Dialect, config::Shell};

fn handler(command: &str, timeout: u64) -> Handler {
    let command = CommandForm::Shell {
        text: command.to_owned(),
        shell: Shell::OfUser,
    };
    Handler::new(command, Duration::from_secs(timeout))
}

#[track_caller]
fn check(event: &str, pattern: Option<&str>, handler: &Handler, json: &str, digest: &str) {
    let event = Dialect::CODEX.event(event).expect("an event of Codex");
    assert_eq!(canonical(event, pattern, handler, false), json);
    assert_eq!(
        hash(event, pattern, handler, false),
        format!("sha256:{digest}")
    );
}

#[test]
fn a_hook_has_the_hash_that_codex_gives_it() {
    check(
        "PreToolUse",
        Some("^Bash$"),
        &handler("python3 hooks/pre.py", 30),
        r#"{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"python3 hooks/pre.py","timeout":30,"type":"command"}],"matcher":"^Bash$"}"#,
        "f76ac9a1d284776686b0cbe95d7acf17ccea9794fa9ae7cd363a8b582d63f64d",
    );
    check(
        "PostToolUse",
        Some("Edit|Write"),
        &handler("echo hi", 600).with_status_message("checking"),
        r#"{"event_name":"post_tool_use","hooks":[{"async":false,"command":"echo hi","statusMessage":"checking","timeout":600,"type":"command"}],"matcher":"Edit|Write"}"#,
        "d17727f7615764e1396733b140feb58a431db30e80f37ce40b6c9932cc8bf385",
    );
    check(
        "Stop",
        Some("ignored"),
        &handler("echo stop", 600),
        r#"{"event_name":"stop","hooks":[{"async":false,"command":"echo stop","timeout":600,"type":"command"}]}"#,
        "236335e9e512004a0f5f42af65a07ea9059bd9a23dbb68286ed57fecf2b69ddf",
    );
    check(
        "SessionEnd",
        None,
        &handler("echo bye", 1),
        r#"{"event_name":"session_end","hooks":[{"async":false,"command":"echo bye","timeout":1,"type":"command"}]}"#,
        "46d41f2ca971edc35dddf3e7078698d71ab9d2c554e54eaf8b93eb45f17bf440",
    );
}

#[test]
fn a_limit_on_context_counts_unless_it_is_the_usual_one() {
    let event = Dialect::CODEX.event("PreToolUse").expect("an event");
    let json = |limit| {
        canonical(
            event,
            Some(""),
            &handler("x", 1).with_context_limit(limit),
            true,
        )
    };
    assert!(!json(2500).contains("Limit"));
    assert_eq!(
        json(0),
        r#"{"event_name":"pre_tool_use","hooks":[{"additionalContextLimit":0,"async":true,"command":"x","timeout":1,"type":"command"}],"matcher":""}"#,
    );
}
