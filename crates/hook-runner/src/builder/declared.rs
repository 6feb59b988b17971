//! The participant that each declared hook becomes: a program, a worker, or what a transport of the host connects to.
//!
//! It knows the settings of the runner. In which order participants are asked is the builder's.

use std::{path::Path, sync::Arc};

use hook_contract::{COMMAND_KEY, HookMode, HookSpec, ToolKnowledge};
use tokio::sync::Semaphore;

use super::Settings;
use crate::{
    BuildProblem, BuildProblemKind, Participant,
    hook::{Hook, Shared},
    interceptor::Declared,
    process::Environment,
    program,
    worker::Worker,
};

impl Settings {
    pub(super) fn shared(&self, workspace: &Arc<Path>, environment: &Arc<Environment>) -> Shared {
        let max_programs = self.max_programs.unwrap_or_else(program::at_once);
        Shared {
            workspace: Arc::clone(workspace),
            environment: Arc::clone(environment),
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
        hook: HookSpec,
        workspace: &Path,
        shared: &Shared,
        workers: &mut Vec<Arc<Worker>>,
    ) -> Result<Arc<dyn Participant>, BuildProblem> {
        if let Some(field) = self.unknown_to_tools(&hook) {
            return Err(problem(hook, BuildProblemKind::NeedsTools { field }));
        }
        let Some(program) = hook.program().cloned() else {
            return self.connected(hook, workspace);
        };
        Ok(match program.mode {
            HookMode::Oneshot => Arc::new(Hook::new(hook, &program.argv, shared)),
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

    /// A hook that is reached by a transport of the host's.
    fn connected(
        &self,
        hook: HookSpec,
        workspace: &Path,
    ) -> Result<Arc<dyn Participant>, BuildProblem> {
        let key = hook.transport.key().to_owned();
        let Some(factory) = self.transports.get(&key) else {
            let command = std::iter::once(COMMAND_KEY.to_owned());
            let known = command.chain(self.transports.keys().cloned()).collect();
            return Err(problem(
                hook,
                BuildProblemKind::UnknownTransport { key, known },
            ));
        };
        match factory.connect(&hook, workspace) {
            Ok(interceptor) => Ok(Arc::new(Declared::new(hook, interceptor))),
            Err(source) => Err(problem(hook, BuildProblemKind::Transport { key, source })),
        }
    }
}

fn problem(hook: HookSpec, kind: BuildProblemKind) -> BuildProblem {
    BuildProblem {
        hook: Box::new(hook),
        kind,
    }
}
