//! What there is to say beside the decisions, as JSON (docs/consult-json.md).

use hook_runner::{Consultation, NoteKind};
use serde::Serialize;

/// What a participant or its transport had to say beyond its decision.
#[derive(Debug, Serialize)]
pub(crate) struct NoteLine<'a> {
    kind: &'a str,
    name: &'a str,
    note: &'static str,
    text: &'a str,
}

/// Everything there is to be said beside the decisions: that a person is to be asked, and then the notes. A failure stands
/// in its step, and words for the model stand apart.
pub(super) fn notes(consultation: &Consultation) -> Vec<NoteLine<'_>> {
    let asked = consultation.asked.iter().flat_map(|asked| &asked.by);
    let asked = asked.map(|asker| NoteLine {
        kind: &asker.kind,
        name: &asker.name,
        note: "ask",
        text: asker.reason.as_deref().unwrap_or_default(),
    });
    let notes = consultation.notes.iter();
    let notes = notes.filter(|note| note.kind != NoteKind::Failure);
    let notes = notes.map(|note| NoteLine {
        kind: note.who.kind(),
        name: note.who.name(),
        note: note.kind.as_str(),
        text: &note.text,
    });
    asked.chain(notes).collect()
}
