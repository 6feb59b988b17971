//! The participant that each declared hook becomes: a program, a worker, or what a transport of the host connects to.
//!
//! It knows the settings of the runner. In which order participants are asked is the builder's.

use std::{fmt, path::Path, sync::Arc};

use hook_contract::{COMMAND_KEY, HookMode, HookSpec, Interceptor, ToolKnowledge};
use tokio::sync::Semaphore;

use super::Settings;
use crate::{
    BuildProblem, BuildProblemKind, Origin, Participant, Rank,
    hook::{Hook, Shared},
    interceptor::Declared,
    process::Grounds,
    program,
    worker::Worker,
};

/// A declared hook, and what a transport connected it to.
///
/// A runner that is made from another one keeps the connection: what it holds is not made twice.
#[derive(Clone)]
pub(super) struct Entry {
    spec: HookSpec,
    connected: Option<Arc<dyn Interceptor>>,
}

impl Entry {
    pub(super) fn new(spec: HookSpec) -> Self {
        Self {
            spec,
            connected: None,
        }
    }

    pub(super) fn rank(&self) -> Rank {
        Origin::Declared(self.spec.origin().clone()).rank()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}

impl Settings {
    pub(super) fn shared(&self, grounds: &Arc<Grounds>) -> Shared {
        let max_programs = self.max_programs.unwrap_or_else(program::at_once);
        Shared {
            grounds: Arc::clone(grounds),
            places: Arc::new(Semaphore::new(max_programs.min(Semaphore::MAX_PERMITS))),
            queue_timeout: self.queue_timeout,
            max_answer_bytes: self.max_answer_bytes,
            workers: self.workers,
            clock: Arc::clone(&self.clock),
        }
    }

    /// The participant that a declared hook is.
    pub(super) fn participant(
        &self,
        entry: &mut Entry,
        workspace: &Path,
        shared: &Shared,
        workers: &mut Vec<Arc<Worker>>,
    ) -> Result<Arc<dyn Participant>, BuildProblem> {
        let hook = entry.spec.clone();
        if let Some(field) = self.unknown_to_tools(&hook) {
            return Err(problem(hook, BuildProblemKind::NeedsTools { field }));
        }
        let Some(program) = hook.program().cloned() else {
            let connected = match entry.connected.take() {
                Some(connected) => connected,
                None => self.connect(&hook, workspace)?,
            };
            entry.connected = Some(Arc::clone(&connected));
            return Ok(Arc::new(Declared::new(hook, connected)));
        };
        Ok(match program.mode {
            HookMode::Oneshot => Arc::new(Hook::new(hook, &program, shared)),
            HookMode::Worker => {
                let worker = Arc::new(Worker::new(hook, &program, shared));
                workers.push(Arc::clone(&worker));
                worker
            }
        })
    }

    /// What the hook wants to know of tools and this host does not.
    fn unknown_to_tools(&self, hook: &HookSpec) -> Option<&'static str> {
        let tools = self.tools.as_deref();
        if hook.kinds.is_some() && tools.is_none() {
            return Some("kinds");
        }
        let has_facts = tools.is_some_and(ToolKnowledge::knows_facts);
        (hook.facts && !has_facts).then_some("facts")
    }

    /// What a transport of the host's makes of a hook.
    fn connect(
        &self,
        hook: &HookSpec,
        workspace: &Path,
    ) -> Result<Arc<dyn Interceptor>, BuildProblem> {
        let key = hook.transport.key().to_owned();
        let Some(factory) = self.transports.get(&key) else {
            let command = std::iter::once(COMMAND_KEY.to_owned());
            let known = command.chain(self.transports.keys().cloned()).collect();
            let unknown = BuildProblemKind::UnknownTransport { key, known };
            return Err(problem(hook.clone(), unknown));
        };
        let connected = factory.connect(hook, workspace);
        connected
            .map_err(|source| problem(hook.clone(), BuildProblemKind::Transport { key, source }))
    }
}

fn problem(hook: HookSpec, kind: BuildProblemKind) -> BuildProblem {
    BuildProblem {
        hook: Box::new(hook),
        kind,
    }
}
