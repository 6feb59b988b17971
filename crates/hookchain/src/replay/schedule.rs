//! Several calls at a time, and what came of them in the order in which they were recorded.

use std::collections::BTreeMap;

use hook_runner::{Consultation, HookRunner};
use tokio::task::JoinSet;

use super::{calls::RecordedCall, report::Report};
use crate::{command_error::CommandError, progress::Progress};

/// How many calls for each job may be done before one that takes long is; they wait in memory.
const AHEAD: usize = 64;

/// The calls on their way.
pub(super) struct Schedule {
    runner: HookRunner,
    jobs: usize,
    running: JoinSet<(usize, Box<RecordedCall>, Consultation)>,
}

impl Schedule {
    pub(super) fn new(runner: HookRunner, jobs: usize) -> Self {
        Self {
            runner,
            jobs,
            running: JoinSet::new(),
        }
    }

    /// Asks about the calls.
    ///
    /// # Errors
    ///
    /// Those of reading and of the report; then no further call is asked about.
    pub(super) async fn run(
        &mut self,
        calls: impl Iterator<Item = Result<Box<RecordedCall>, CommandError>>,
        progress: &Progress,
        report: &mut Report<'_>,
    ) -> Result<(), CommandError> {
        let mut waiting = calls.enumerate();
        let mut early = BTreeMap::new();
        let mut due = 0;
        loop {
            while self.running.len() < self.jobs
                && self.running.len() + early.len() < self.jobs * AHEAD
                && let Some((index, call)) = waiting.next()
            {
                self.start(index, call?);
            }
            let Some(ended) = self.running.join_next().await else {
                return Ok(());
            };
            // A task only ends otherwise by a panic, which has been shown, and which must not pass for a result.
            let (index, call, today) = match ended {
                Ok(ended) => ended,
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            };
            progress.advance();
            early.insert(index, (call, today));
            while let Some((call, today)) = early.remove(&due) {
                let workspace = self.runner.workspace();
                let difference = report.add(call, &today, workspace);
                let told = difference.map(|found| progress.aside(|| report.tell(&found)));
                told.unwrap_or(Ok(()))?;
                due += 1;
            }
        }
    }

    /// Kills what was started.
    pub(super) async fn shutdown(&mut self) {
        self.running.shutdown().await;
    }

    fn start(&mut self, index: usize, call: Box<RecordedCall>) {
        let runner = self.runner.clone();
        let request = call.request(runner.workspace());
        self.running.spawn(async move {
            let today = runner.consult(request).await;
            (index, call, today)
        });
    }
}
