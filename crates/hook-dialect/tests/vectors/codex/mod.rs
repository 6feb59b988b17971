//! What Codex did with its hooks: every recorded session, played with the hooks of this crate.

mod calls;
mod compare;
mod place;
mod session;

use serde_json::Value;

use self::{compare::differences, session::Session};
use crate::{
    differs::{are_written_down, grouped},
    machine::at_once,
    played::Played,
    stored::{all_agree, compared, rows},
};

/// Rows about something that no hook decides, or that was not recorded whole.
const LEFT_OUT: [(&str, fn(&Value) -> bool); 2] = [
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
];

fn play(rows: &[&Value], strict: bool) -> Vec<Played> {
    at_once(rows.iter().copied(), |row| {
        let session = Session::new(row.clone(), strict);
        Box::pin(session.play())
    })
}

#[test]
fn hooks_lead_to_what_they_led_to_in_codex() {
    let rows = rows("oracle-codex", "matrix.json");
    let telling = compared("Codex", &rows, &LEFT_OUT);
    let strict = play(&telling, true);
    let mut found = Vec::new();
    for (row, played) in telling.iter().zip(&strict) {
        let id = &row["id"];
        let differences = differences(row, played);
        found.extend(differences.iter().map(|what| format!("{id}: {what}")));
    }
    all_agree("Codex", telling.len(), &found);

    let guarded = play(&telling, false);
    let played = telling.iter().zip(strict.iter().zip(&guarded));
    let groups = grouped(played.map(|(row, (strict, guarded))| {
        let differences = differences(row, guarded);
        (*row, strict, guarded, differences)
    }));
    are_written_down("Codex", &groups);
}
