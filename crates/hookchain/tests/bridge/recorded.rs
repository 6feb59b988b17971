//! Every payload that the agents were seen to send, through the real program.

use std::{fs, path::Path};

use hook_dialect::bridge::Bridge;
use serde_json::Value;

use crate::desk::Desk;

/// Asks everything that was recorded of an agent; says what was heard at the events at which hooks are asked.
fn each(
    desk: &Desk,
    agent: &str,
    folder: &str,
    look: impl Fn(&str, &hook_dialect::HookOutput, &Value),
) -> usize {
    let bridge = Bridge::named(agent).expect("an agent");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/vectors")
        .join(folder);
    let mut tools = 0;
    for file in fs::read_dir(vectors).expect("the recordings") {
        let path = file.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a recording");
        let payload: Value = serde_json::from_str(&text).expect("JSON");
        let event = payload["hook_event_name"]
            .as_str()
            .expect("an event")
            .to_owned();
        let ran = desk.ask_with(&["bridge", agent], &text);
        let name = path.display().to_string();
        if bridge.row(&event).is_none() {
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
                (Some(0), "", ""),
                "{name}"
            );
            continue;
        }
        tools += 1;
        look(&name, &ran.heard(agent, &event), &payload);
    }
    tools
}

const FOLDERS: [(&str, &str); 2] = [
    ("claude", "oracle-claude/payloads"),
    ("codex", "oracle-codex/payloads/stdin"),
];

#[test]
fn a_guard_that_denies_everything_is_heard_at_every_call() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"never"}'"#,
    );
    for (agent, folder) in FOLDERS {
        let tools = each(&desk, agent, folder, |name, heard, payload| {
            let after = payload["hook_event_name"]
                .as_str()
                .is_some_and(|event| event.starts_with("Post"));
            assert_eq!(heard.refuses(), !after, "{name}: {heard:?}");
        });
        assert!(tools > 15, "{agent}: {tools}");
    }
}

#[test]
fn a_broken_hooks_file_is_heard_at_every_call_and_every_result() {
    let desk = Desk::new();
    desk.write("ws/.basis/hooks.json", "");
    for (agent, folder) in FOLDERS {
        let tools = each(&desk, agent, folder, |name, heard, _| {
            assert!(heard.refuses(), "{name}: {heard:?}");
            let reason = heard.reason.as_deref().expect("a reason");
            assert!(reason.contains("so it is blocked"), "{name}: {reason}");
        });
        assert!(tools > 15, "{agent}: {tools}");
    }
}
