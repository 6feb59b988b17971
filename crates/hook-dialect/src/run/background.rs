//! Hooks that nobody waits for.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::task::JoinSet;

use super::{command::HookRun, together::Work};
use crate::config::Background as Kind;

/// A hook in the background that has ended, and what it said too late to decide anything.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Late {
    /// The hook and its answer. What it decided has no effect; its texts are still to be delivered.
    pub run: HookRun,
    /// Whether the model is to be woken with what the hook printed as errors, or else with what it printed: it is one
    /// that may do so, and ended with exit status 2.
    pub wakes: bool,
}

/// The tasks of hooks that run on, all of which end with this.
#[derive(Debug, Default)]
pub(super) struct Background {
    tasks: Mutex<JoinSet<()>>,
    late: Arc<Mutex<Vec<Late>>>,
}

impl Background {
    /// Lets it run on. Must be called on a runtime.
    pub(super) fn take(&self, work: Work<HookRun>) {
        let late = Arc::clone(&self.late);
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // What has ended meanwhile is not kept.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let run = work.await;
            let may_wake = run.hook.handler.background == Kind::WakesTheModel;
            let wakes = may_wake && run.output.exit_code == Some(2);
            let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
            late.push(Late { run, wakes });
        });
    }

    /// What has ended since this was asked last, in the order of ending.
    pub(super) fn ended(&self) -> Vec<Late> {
        mem::take(&mut self.late.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends everything, and waits until it is gone.
    pub(super) async fn drain(&self) {
        let mut tasks = self.all();
        tasks.shutdown().await;
    }

    /// Waits until everything has ended by itself.
    pub(super) async fn finish(&self) {
        let mut tasks = self.all();
        while tasks.join_next().await.is_some() {}
    }

    fn all(&self) -> JoinSet<()> {
        mem::take(&mut self.tasks.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
