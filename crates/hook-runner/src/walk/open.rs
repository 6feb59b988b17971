//! What the recorder is told of one consultation.

use super::contained;
use crate::{Consultation, Recorded, Recorder};

/// A consultation that the recorder has been told of, until it is told of its end.
pub(super) struct Open<'a> {
    recorder: Option<&'a dyn Recorder>,
    id: u64,
}

impl<'a> Open<'a> {
    pub(super) fn new(recorder: Option<&'a dyn Recorder>, id: u64) -> Self {
        Self { recorder, id }
    }

    pub(super) fn record<'e>(&self, event: impl FnOnce(u64) -> Recorded<'e>) {
        if let Some(recorder) = self.recorder {
            contained(|| recorder.record(event(self.id)));
        }
    }

    /// Tells of the end that a consultation is meant to have.
    pub(super) fn conclude(mut self, result: &Consultation) {
        self.record(|consultation| Recorded::Concluded {
            consultation,
            result,
        });
        self.recorder = None;
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.record(|consultation| Recorded::Abandoned { consultation });
    }
}
