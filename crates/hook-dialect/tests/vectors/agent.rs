//! Playing all recorded sessions of an agent.

use serde_json::Value;

use crate::{
    differs::{are_written_down, group, grouped},
    machine::{Work, at_once},
    played::Played,
    stored::{all_agree, compared, rows},
};

/// An agent whose sessions were recorded.
pub(crate) struct Agent {
    pub(crate) title: &'static str,
    pub(crate) folder: &'static str,
    /// The events that a session of it has here; rows about others are not played.
    pub(crate) events: &'static [&'static str],
    /// Rows about something that no hook decides, or that were not recorded whole, and why that is so.
    pub(crate) left_out: &'static [LeftOut],
    pub(crate) play: fn(&Value, strict: bool) -> Work<Played>,
    pub(crate) differences: fn(&Value, &Played) -> Vec<String>,
}

/// A reason, and which rows it is one for.
pub(crate) type LeftOut = (&'static str, fn(&Value) -> bool);

/// How often a session that differs is played again, alone: on a busy machine something quick can be slow.
const AGAIN: usize = 2;

/// What came of a session, and what is otherwise than it was recorded.
type Outcome = (Played, Vec<String>);

impl Agent {
    /// Plays every session to the letter, where all must be as it was recorded, and then otherwise, where what differs
    /// must do so by choice.
    #[track_caller]
    pub(crate) fn check(&self) {
        let rows = rows(self.folder, "matrix.json");
        let telling = compared(self.title, &rows, self.events, self.left_out);
        let strict = self.play_all(&telling, true, |_, (_, differences)| {
            !differences.is_empty()
        });
        let mut found = Vec::new();
        for (row, (_, differences)) in telling.iter().zip(&strict) {
            let id = &row["id"];
            found.extend(differences.iter().map(|what| format!("{id}: {what}")));
        }
        all_agree(self.title, telling.len(), &found);

        let guarded = self.play_all(&telling, false, |place, (played, differences)| {
            !differences.is_empty() && group(&strict[place].0, played).is_none()
        });
        let played = telling.iter().zip(strict.iter().zip(&guarded));
        let groups = grouped(played.map(|(row, (strict, guarded))| {
            let (played, differences) = guarded;
            (*row, &strict.0, played, differences)
        }));
        are_written_down(self.title, &groups);
    }

    /// Plays sessions, and those again that are `doubtful`.
    fn play_all(
        &self,
        rows: &[&Value],
        strict: bool,
        doubtful: impl Fn(usize, &Outcome) -> bool,
    ) -> Vec<Outcome> {
        let play = |rows: &[&Value]| {
            let played = at_once(rows.iter(), |row| (self.play)(row, strict));
            let pairs = rows.iter().zip(played);
            let outcomes = pairs.map(|(row, played)| {
                let differences = (self.differences)(row, &played);
                (played, differences)
            });
            outcomes.collect::<Vec<Outcome>>()
        };
        let mut outcomes = play(rows);
        for (place, outcome) in outcomes.iter_mut().enumerate() {
            let mut left = AGAIN;
            while left > 0 && doubtful(place, outcome) {
                *outcome = play(&rows[place..=place]).remove(0);
                left -= 1;
            }
        }
        outcomes
    }
}
