//! Several cases at a time, and their results in the order in which they are declared.

use std::{collections::BTreeMap, sync::Arc};

use tokio::task::JoinSet;

use super::{
    case::Case,
    execute::{self, Ran, Setup},
    plan::Plan,
};

/// The cases of a run, on their way.
pub(super) struct Schedule {
    plan: Arc<Plan>,
    setup: Arc<Setup>,
    jobs: usize,
    running: JoinSet<(usize, Ran)>,
}

impl Schedule {
    pub(super) fn new(plan: Plan, setup: Arc<Setup>, jobs: usize) -> Self {
        Self {
            plan: Arc::new(plan),
            setup,
            jobs,
            running: JoinSet::new(),
        }
    }

    /// Runs the cases. `finished` is told each as it ends, `next` in order.
    ///
    /// # Errors
    ///
    /// Those of `next`; then no further case is started.
    pub(super) async fn run<E>(
        &mut self,
        cases: &[Arc<Case>],
        mut finished: impl FnMut(),
        mut next: impl FnMut(usize, Ran) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut waiting = cases.iter().enumerate();
        let mut early = BTreeMap::new();
        let mut due = 0;
        loop {
            while self.running.len() < self.jobs
                && let Some((index, case)) = waiting.next()
            {
                self.start(index, Arc::clone(case));
            }
            let Some(ended) = self.running.join_next().await else {
                return Ok(());
            };
            // A task only ends otherwise by a panic, which has been shown, and which must not pass for a result.
            let (index, ran) = match ended {
                Ok(ended) => ended,
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            };
            finished();
            early.insert(index, ran);
            while let Some(ran) = early.remove(&due) {
                next(due, ran)?;
                due += 1;
            }
        }
    }

    /// Ends what is running: kills what was started, and removes the copies.
    pub(super) async fn shutdown(&mut self) {
        self.setup.stop();
        self.running.shutdown().await;
    }

    fn start(&mut self, index: usize, case: Arc<Case>) {
        let (plan, setup) = (Arc::clone(&self.plan), Arc::clone(&self.setup));
        self.running
            .spawn(async move { (index, execute::run(case, plan, setup).await) });
    }
}
