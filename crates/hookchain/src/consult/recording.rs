//! What each participant was asked, for whoever shows what each of them changed.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::HookRequest;
use hook_runner::{Identity, Recorder};

/// The requests of one consultation, in the order in which they were put.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording(Arc<Mutex<Vec<HookRequest>>>);

impl Recording {
    /// Takes what was recorded, and begins anew.
    pub(super) fn take(&self) -> Vec<HookRequest> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Recorder for Recording {
    fn invoked(&self, _consultation: u64, _who: &Identity, request: &HookRequest) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(request.clone());
    }
}
