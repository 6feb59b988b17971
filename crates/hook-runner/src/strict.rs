//! What participants and the host's tools say of themselves, where a panic is the strictest thing that could be said.
//!
//! Each of these functions is code of a third party that the chain calls outside of a question. A panic in one of them would
//! take the host down, or let a call through.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hook_contract::{Kind, Kinds, OnFailure, Subject};

use crate::{Participant, Rank, Ranks, TimeLimit, builder::Settings};

/// Whether a participant is asked; yes where it does not say.
pub(crate) fn applies(participant: &dyn Participant, subject: &Subject<'_>) -> bool {
    said(|| participant.applies_to(subject)).unwrap_or(true)
}

/// What its failure means; a denial where it does not say.
pub(crate) fn on_failure(participant: &dyn Participant) -> OnFailure {
    said(|| participant.on_failure()).unwrap_or(OnFailure::Deny)
}

/// What bounds its time; the host where it does not say.
pub(crate) fn time_limit(participant: &dyn Participant) -> TimeLimit {
    said(|| participant.time_limit()).unwrap_or(TimeLimit::OfHost)
}

/// Its ranks. One that does not say judges what every other one wrote, and every other one judges what it wrote.
pub(crate) fn ranks(participant: &dyn Participant) -> Ranks {
    said(|| participant.ranks())
        .unwrap_or_else(|| Ranks::new(Rank::INTERCEPTOR, Rank::workspace(u16::MAX)))
}

/// What the host knows of the tool. Where its code panics, the tool could be of any kind, and every hook that names a kind is
/// asked.
pub(crate) fn kinds(settings: &Settings, tool_name: &str) -> Kinds {
    let Some(tools) = &settings.tools else {
        return Kinds::NONE;
    };
    said(|| tools.kinds(tool_name)).unwrap_or_else(|| Kind::ALL.iter().copied().collect())
}

fn said<T>(say: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(say)).ok()
}
