//! Whether the outcome of a call is what it was.

use std::path::Path;

use hook_contract::HookOutcome;
use hook_runner::Consultation;

use super::{
    calls::RecordedCall,
    why::{self, Changed, Said},
};

/// An outcome that is not what it was.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) call: Box<RecordedCall>,
    pub(super) now: HookOutcome,
    /// Who makes the difference. Empty when everybody said the same.
    pub(super) why: Vec<Changed>,
}

impl Difference {
    /// Nothing when the outcome is what it was.
    pub(super) fn between(
        call: Box<RecordedCall>,
        today: Consultation,
        workspace: &Path,
        reasons_count: bool,
    ) -> Option<Self> {
        if is_same(&call.outcome, &today.outcome)
            && (!reasons_count || call.outcome.reason() == today.outcome.reason())
        {
            return None;
        }
        let now: Vec<Said> = today
            .trail
            .iter()
            .map(|step| Said::today(step, workspace))
            .collect();
        Some(Self {
            why: why::changed(&call.said, &now, reasons_count),
            call,
            now: today.outcome,
        })
    }
}

/// Whether the same becomes of a call; the words about it aside.
fn is_same(then: &HookOutcome, now: &HookOutcome) -> bool {
    match (then, now) {
        (HookOutcome::Allow, HookOutcome::Allow) | (HookOutcome::Deny(_), HookOutcome::Deny(_)) => {
            true
        }
        (HookOutcome::Modify { input: then, .. }, HookOutcome::Modify { input: now, .. }) => {
            then == now
        }
        (
            HookOutcome::Replace {
                output: then,
                is_error: then_error,
                ..
            },
            HookOutcome::Replace {
                output: now,
                is_error: now_error,
                ..
            },
        ) => then == now && then_error == now_error,
        _ => false,
    }
}
