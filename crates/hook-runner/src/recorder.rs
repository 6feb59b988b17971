//! Where records of each step go.

use std::sync::Arc;

use hook_contract::HookRequest;

use crate::{Consultation, Identity, Step};

/// Is told what happens in every consultation, as it happens.
///
/// Called on the consulting task: a recorder must hand its work on and return. Nothing it does can
/// change an outcome; a panic in it is caught and dropped. `consultation` tells consultations of
/// one process apart that run at the same time.
///
/// Every call is told of, also one that concerns nobody: [`begun`](Self::begun) first, then
/// [`invoked`](Self::invoked) and [`answered`](Self::answered) by turns for whoever is asked, and at
/// the end exactly one of [`concluded`](Self::concluded) and [`abandoned`](Self::abandoned).
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use hook_contract::HookRequest;
/// use hook_runner::{Recorder, Step};
///
/// #[derive(Default)]
/// struct Count(AtomicUsize);
///
/// impl Recorder for Count {
///     fn answered(&self, _consultation: u64, _asked: &HookRequest, _step: &Step) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
/// ```
pub trait Recorder: Send + Sync {
    /// A call is about to be put through the chain.
    fn begun(&self, consultation: u64, request: &HookRequest) {
        let _ = (consultation, request);
    }

    /// A participant is about to be asked this.
    fn invoked(&self, consultation: u64, who: &Identity, request: &HookRequest) {
        let _ = (consultation, who, request);
    }

    /// A participant answered, or failed to.
    fn answered(&self, consultation: u64, asked: &HookRequest, step: &Step) {
        let _ = (consultation, asked, step);
    }

    /// The chain came to an end.
    fn concluded(&self, consultation: u64, concluded: &Consultation) {
        let _ = (consultation, concluded);
    }

    /// The consultation was dropped before the chain came to an end. Whoever was invoked last and has not
    /// answered never will.
    fn abandoned(&self, consultation: u64) {
        let _ = consultation;
    }
}

impl<T: Recorder + ?Sized> Recorder for Arc<T> {
    fn begun(&self, consultation: u64, request: &HookRequest) {
        (**self).begun(consultation, request);
    }

    fn invoked(&self, consultation: u64, who: &Identity, request: &HookRequest) {
        (**self).invoked(consultation, who, request);
    }

    fn answered(&self, consultation: u64, asked: &HookRequest, step: &Step) {
        (**self).answered(consultation, asked, step);
    }

    fn concluded(&self, consultation: u64, concluded: &Consultation) {
        (**self).concluded(consultation, concluded);
    }
    fn abandoned(&self, consultation: u64) {
        (**self).abandoned(consultation);
    }
}

#[cfg(test)]
mod tests;
