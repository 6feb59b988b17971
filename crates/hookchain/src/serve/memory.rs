//! How much all bridges together may have a server keep for them.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::frame::MAX_BODY;

/// The memory for all bodies together: those that arrive, and those about which hooks are asked.
#[derive(Clone, Debug)]
pub(super) struct Memory(Arc<Semaphore>);

/// Four of the largest.
const MAX_BYTES: usize = 4 * MAX_BODY;

/// What is counted.
const PIECE: usize = 1024;

/// How long memory is waited for. A bridge waits a little longer until its call is taken.
const WAIT: Duration = Duration::from_millis(250);

impl Memory {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MAX_BYTES / PIECE)))
    }

    /// Memory for a body of so many bytes, until it is dropped; nothing when there is none in time. Those that came
    /// first get it first, so that a large one gets it at last.
    pub(super) async fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let pieces = u32::try_from(bytes.div_ceil(PIECE)).ok()?;
        let memory = Arc::clone(&self.0).acquire_many_owned(pieces);
        timeout(WAIT, memory).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_there_again_when_it_is_dropped() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.expect("a runtime").block_on(async {
            let memory = Memory::new();
            let mut taken = Vec::new();
            for _ in 0..4 {
                taken.push(memory.take(MAX_BODY).await.expect("there"));
            }
            assert!(memory.take(1).await.is_none());
            assert!(memory.take(0).await.is_some());
            taken.pop();
            let (small, large) = tokio::join!(memory.take(1), memory.take(MAX_BODY));
            assert!(small.is_some() && large.is_none());
            drop((small, taken));
            assert!(memory.take(MAX_BYTES).await.is_some());
            assert!(memory.take(MAX_BYTES + 1).await.is_none());
        });
    }
}
