//! What each participant was asked, for whoever shows what each of them changed.

use std::sync::{Arc, Mutex, PoisonError};

use hook_contract::HookRequest;
use hook_runner::{Consultation, Identity, Recorder, Step};

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

/// Two recorders, each of which is told everything.
#[derive(Debug)]
pub(super) struct Both<A, B>(pub(super) A, pub(super) B);

impl<A: Recorder, B: Recorder> Recorder for Both<A, B> {
    fn begun(&self, consultation: u64, request: &HookRequest) {
        self.0.begun(consultation, request);
        self.1.begun(consultation, request);
    }

    fn invoked(&self, consultation: u64, who: &Identity, request: &HookRequest) {
        self.0.invoked(consultation, who, request);
        self.1.invoked(consultation, who, request);
    }

    fn answered(&self, consultation: u64, asked: &HookRequest, step: &Step) {
        self.0.answered(consultation, asked, step);
        self.1.answered(consultation, asked, step);
    }

    fn concluded(&self, consultation: u64, concluded: &Consultation) {
        self.0.concluded(consultation, concluded);
        self.1.concluded(consultation, concluded);
    }

    fn abandoned(&self, consultation: u64) {
        self.0.abandoned(consultation);
        self.1.abandoned(consultation);
    }
}
