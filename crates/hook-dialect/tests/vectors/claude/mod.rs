//! What Claude Code did with its hooks: every recorded session, played with the hooks of this crate.

mod calls;
mod compare;
mod permissions;
mod place;
mod session;
mod tools;

use serde_json::Value;

use self::{compare::differences, session::Session};
use crate::{
    machine::at_once,
    stored::{all_agree, rows},
};

/// Why a row is about something that no hook decides, or that was not recorded whole.
fn left_out(row: &Value) -> Option<&'static str> {
    let text = row.to_string();
    if text.contains("sh change.sh") {
        Some("a command whose text was not recorded changes the settings")
    } else if text.contains("initialUserMessage") {
        Some("a prompt that a hook makes up belongs to the agent")
    } else if text.contains("updatedPermissions") {
        Some("permissions that a hook changes belong to the agent")
    } else {
        None
    }
}

#[test]
fn hooks_lead_to_what_they_led_to_in_claude_code() {
    let rows = rows("oracle-claude", "matrix.json");
    let telling: Vec<&Value> = rows.iter().filter(|row| left_out(row).is_none()).collect();
    let played = at_once(telling.iter().copied(), |row| {
        let session = Session::new(row.clone(), true);
        Box::pin(session.play())
    });
    let mut found = Vec::new();
    for (row, played) in telling.iter().zip(&played) {
        let id = &row["id"];
        found.extend(
            differences(row, played)
                .iter()
                .map(|what| format!("{id}: {what}")),
        );
    }
    all_agree("claude", telling.len(), &found);
}
