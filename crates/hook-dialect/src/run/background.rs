//! Hooks that nobody waits for.

use std::{
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::task::JoinSet;

use super::{command::HookRun, together::Work};
use crate::{Exit, HookOutput, config::Background as Kind, decode_output};

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

impl Late {
    /// What the hook decided too late against what was about to happen: a refusal, or that a person is asked. Also what a
    /// hook said after it had announced that it goes on in the background.
    #[must_use]
    pub fn objection(&self) -> Option<HookOutput> {
        let output = &self.run.output;
        if output.detached {
            return objection_after_announcement(&self.run);
        }
        objects(output).then(|| output.clone())
    }
}

/// What a hook objects after it has announced that it goes on in the background.
pub(super) fn objection_after_announcement(run: &HookRun) -> Option<HookOutput> {
    let (hook, output) = (&run.hook, &run.output);
    let (_announced, rest) = output.stdout.split_once('\n').unwrap_or_default();
    let (exit, stderr) = (Exit::from(output.exit_code), output.stderr.as_bytes());
    let event = Some(hook.event.name);
    let said = decode_output(exit, rest.as_bytes(), stderr, event, hook.dialect.guarded());
    (output.detached && objects(&said)).then_some(said)
}

fn objects(output: &HookOutput) -> bool {
    output.failure.is_none() && (output.refuses() || output.asks())
}

/// The tasks of hooks that run on, all of which end with this.
#[derive(Debug, Default)]
pub(super) struct Background {
    tasks: Mutex<JoinSet<()>>,
    late: Arc<Mutex<Vec<Late>>>,
    running: Arc<AtomicUsize>,
}

impl Background {
    /// Lets it run on. Must be called on a runtime.
    pub(super) fn take(&self, work: Work<HookRun>) {
        let late = Arc::clone(&self.late);
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // What has ended meanwhile is not kept.
        while tasks.try_join_next().is_some() {}
        let running = Running::new(&self.running);
        tasks.spawn(async move {
            let run = work.await;
            drop(running);
            let may_wake = run.hook.handler.background == Kind::WakesTheModel;
            let wakes = may_wake && run.output.exit_code == Some(2);
            let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
            late.push(Late { run, wakes });
        });
    }

    /// How many have not ended.
    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
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

/// One hook that runs on; counted until it ends or is ended.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
