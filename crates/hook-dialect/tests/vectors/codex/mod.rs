//! What Codex did with its hooks: every recorded session, played with the hooks of this crate.

mod calls;
mod compare;
mod place;
mod session;

use self::{compare::differences, session::Session};
use crate::agent::Agent;

const CODEX: Agent = Agent {
    title: "Codex",
    folder: "oracle-codex",
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreModelRequest",
        "PostModelRequest",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ],
    left_out: &[
        (
            "a command that runs on after its call belongs to the agent",
            |row| {
                let calls = row["model_turns"].to_string();
                calls.contains("yield_time_ms") || calls.contains("write_stdin")
            },
        ),
        (
            "handlers that are tools of the agent's servers are not run",
            |row| row["config"].to_string().contains("\"mcp_tool\""),
        ),
    ],
    play: |row, strict| {
        let session = Session::new(row.clone(), strict);
        Box::pin(session.play())
    },
    differences,
};

#[test]
fn hooks_lead_to_what_they_led_to_in_codex() {
    CODEX.check();
}
