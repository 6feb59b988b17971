//! What Claude Code did with its hooks: every recorded session, played with the hooks of this crate.

mod calls;
mod compare;
mod permissions;
mod place;
mod session;
mod tools;
mod turns;

use self::{compare::differences, session::Session};
use crate::agent::Agent;

const CLAUDE: Agent = Agent {
    title: "Claude Code",
    folder: "oracle-claude",
    events: &[
        "Setup",
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ],
    left_out: &[
        (
            "a command changes the settings, and its text was not recorded",
            |row| row["turns"].to_string().contains("sh change.sh"),
        ),
        (
            "a prompt that a hook makes up belongs to the agent",
            |row| row["script"].to_string().contains("initialUserMessage"),
        ),
        (
            "permissions that a hook changes belong to the agent",
            |row| row["script"].to_string().contains("updatedPermissions"),
        ),
    ],
    play: |row, strict| {
        let session = Session::new(row.clone(), strict);
        Box::pin(session.play())
    },
    differences,
};

#[test]
fn hooks_lead_to_what_they_led_to_in_claude_code() {
    CLAUDE.check();
}
