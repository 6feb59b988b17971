//! A recorded call that comes out otherwise today.

use std::path::Path;

use hook_runner::Consultation;

use super::{
    calls::RecordedCall,
    upshot::Upshot,
    why::{self, Changed, Said},
};

/// A call of which something else becomes.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) call: Box<RecordedCall>,
    pub(super) now: Upshot,
    /// Who makes the difference. Empty when everybody said the same.
    pub(super) why: Vec<Changed>,
}

impl Difference {
    /// Nothing when the same becomes of the call, for the same reasons where they count.
    pub(super) fn between(
        call: Box<RecordedCall>,
        today: &Consultation,
        workspace: &Path,
        reasons_count: bool,
    ) -> Option<Self> {
        let now = Upshot::today(today);
        let is_same = call.upshot.is_same(&now);
        if is_same && !reasons_count {
            return None;
        }
        let steps = today.trail.iter();
        let said: Vec<Said> = steps.map(|step| Said::today(step, workspace)).collect();
        let has_same_reasons = call.upshot.has_reason_of(&now)
            && (now.agreement.is_none() || why::asks_the_same(&call.said, &said));
        if is_same && has_same_reasons {
            return None;
        }
        Some(Self {
            why: why::changed(&call.said, &said, reasons_count),
            call,
            now,
        })
    }
}
