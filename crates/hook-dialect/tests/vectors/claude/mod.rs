//! What Claude Code did with its hooks: every recorded session, played with the hooks of this crate.

mod calls;
mod compare;
mod permissions;
mod place;
mod session;
mod tools;
mod turns;

use serde_json::Value;

use self::{compare::differences, session::Session};
use crate::{
    differs::{are_written_down, grouped},
    machine::at_once,
    played::Played,
    stored::{all_agree, compared, rows},
};

/// Rows about something that no hook decides, or that was not recorded whole.
const LEFT_OUT: [(&str, fn(&Value) -> bool); 3] = [
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
];

fn play(rows: &[&Value], strict: bool) -> Vec<Played> {
    at_once(rows.iter().copied(), |row| {
        let session = Session::new(row.clone(), strict);
        Box::pin(session.play())
    })
}

#[test]
fn hooks_lead_to_what_they_led_to_in_claude_code() {
    let rows = rows("oracle-claude", "matrix.json");
    let telling = compared("Claude Code", &rows, &LEFT_OUT);
    let strict = play(&telling, true);
    let mut found = Vec::new();
    for (row, played) in telling.iter().zip(&strict) {
        let id = &row["id"];
        let differences = differences(row, played);
        found.extend(differences.iter().map(|what| format!("{id}: {what}")));
    }
    all_agree("Claude Code", telling.len(), &found);

    let guarded = play(&telling, false);
    let played = telling.iter().zip(strict.iter().zip(&guarded));
    let groups = grouped(played.map(|(row, (strict, guarded))| {
        let differences = differences(row, guarded);
        (*row, strict, guarded, differences)
    }));
    are_written_down("Claude Code", &groups);
}
