//! Everything that can be set about a runner.

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf, absolute},
    sync::Arc,
    time::{Duration, Instant},
};

use hook_contract::{HookMode, HookOrigin, HookSpec, Interceptor, shown};
use hook_wire::MAX_RESPONSE_BYTES;
use tokio::sync::Semaphore;

use crate::{
    HookRunner, Participant, Recorder,
    hook::{Clock, Hook, Shared},
    interceptor::InProcess,
    process::Environment,
    program,
    runner::Inner,
    unbuilt::Unbuilt,
    worker::Worker,
};

/// Sets up a [`HookRunner`].
///
/// ```
/// use std::time::Duration;
///
/// use hook_contract::HookSpec;
/// use hook_runner::HookRunner;
///
/// let guard = HookSpec::new("guard", ["./.basis/hooks/guard.sh"]);
/// let runner = HookRunner::builder("/repo")
///     .with_hooks(vec![guard])
///     .with_env("POLICY", "strict")
///     .inherit_env(["SSH_AUTH_SOCK"])
///     .with_budget(Duration::from_secs(20))
///     .build();
/// assert!(!runner.is_empty());
/// ```
#[derive(Clone)]
#[must_use = "a builder does nothing until it is built"]
pub struct HookRunnerBuilder {
    settings: Settings,
}

/// What a runner is built from, kept so that a runner can be made into a builder again.
#[derive(Clone)]
pub(crate) struct Settings {
    workspace: PathBuf,
    /// Interceptors and participants of the host's own, as registered.
    host: Vec<Arc<dyn Participant>>,
    hooks: Vec<HookSpec>,
    /// Participants of the host's own that are asked last.
    last: Vec<Arc<dyn Participant>>,
    inherited: Vec<OsString>,
    added: Vec<(OsString, OsString)>,
    max_programs: Option<usize>,
    max_answer_bytes: usize,
    workers: usize,
    pub(crate) budget: Option<Duration>,
    pub(crate) report: Arc<dyn Fn(&str) + Send + Sync>,
    pub(crate) recorder: Option<Arc<dyn Recorder>>,
    pub(crate) clock: Clock,
}

impl HookRunnerBuilder {
    pub(crate) fn new(workspace: PathBuf) -> Self {
        Self {
            settings: Settings {
                workspace,
                host: Vec::new(),
                hooks: Vec::new(),
                last: Vec::new(),
                inherited: Vec::new(),
                added: Vec::new(),
                max_programs: None,
                max_answer_bytes: MAX_RESPONSE_BYTES,
                workers: 1,
                budget: None,
                report: Arc::new(report_on_stderr),
                recorder: None,
                clock: Arc::new(Instant::now),
            },
        }
    }

    pub(crate) fn from_settings(settings: Settings) -> Self {
        Self { settings }
    }

    /// Adds an interceptor, asked after those already there and before every program.
    pub fn with_interceptor(self, interceptor: impl Interceptor + 'static) -> Self {
        self.with_participant(InProcess::new(interceptor))
    }

    /// Adds a participant of the host's own, in line with the interceptors.
    pub fn with_participant(mut self, participant: impl Participant + 'static) -> Self {
        self.settings.host.push(Arc::new(participant));
        self
    }

    /// Adds a participant of the host's own that is asked after every hook, and after those added so before.
    pub fn with_last_participant(mut self, participant: impl Participant + 'static) -> Self {
        self.settings.last.push(Arc::new(participant));
        self
    }

    /// Adds hooks after those already there. Whatever the order here, supplied ones are asked
    /// first, then those of the global file, then those of the workspace's.
    pub fn with_hooks(mut self, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        self.settings.hooks.extend(hooks);
        self
    }

    /// Where what the operator must hear goes: a participant that broke (whatever that meant for
    /// the call), or an answer that probably means something else. One message a call, without a
    /// line end; it may hold lines the program printed. Unless set, standard error.
    ///
    /// Called on the consulting task; it must not block.
    pub fn with_reporter(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.settings.report = Arc::new(report);
        self
    }

    /// Where records of each step go. Unless set, nowhere.
    pub fn with_recorder(mut self, recorder: impl Recorder + 'static) -> Self {
        self.settings.recorder = Some(Arc::new(recorder));
        self
    }

    /// Adds a variable to the environment of programs; the last one of a name counts. Of a `PATH`, whoever
    /// gives it, only the absolute entries are kept.
    pub fn with_env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.settings.added.push((name.into(), value.into()));
        self
    }

    /// Hands these variables of the host's own environment on to programs, beyond PATH, HOME,
    /// TMPDIR, TMP, TEMP, LANG, `LC_ALL`, TZ, USER and LOGNAME. They are read once, when the runner
    /// is built.
    pub fn inherit_env<N: Into<OsString>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.settings
            .inherited
            .extend(names.into_iter().map(Into::into));
        self
    }

    /// How many programs may run at once for this runner and its clones; further questions wait,
    /// at the cost of the caller's patience and not of the hook's time. A worker counts while it is
    /// asked, and not while it waits. At least 1; unless set, 4 for each core.
    pub fn with_max_programs(mut self, programs: usize) -> Self {
        self.settings.max_programs = Some(programs.max(1));
        self
    }

    /// How many processes each hook of the mode `worker` may have. Each is asked one question at a
    /// time, and further questions wait. They are started as they are needed; what they remember, each
    /// remembers for itself. At least 1, which it is unless set.
    pub fn with_workers(mut self, workers: usize) -> Self {
        self.settings.workers = workers.max(1);
        self
    }

    /// How many bytes an answer may have; past it the program is killed. Unless set, 8 MiB.
    pub fn with_max_answer_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_answer_bytes = bytes;
        self
    }

    /// How long a whole consultation may take; past it the call is denied, whatever the `on_failure` of whoever was
    /// being asked. Only a denial counts after it. Unless set, as long as its hooks may.
    pub fn with_budget(mut self, budget: Duration) -> Self {
        self.settings.budget = Some(budget);
        self
    }

    /// The monotonic clock that times the steps of the trail, how old workers are, how long nobody
    /// asked them, and how long one that fails is left alone; for tests. Deadlines do not use it.
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// The runner. The host's environment is read here.
    #[must_use]
    pub fn build(self) -> HookRunner {
        let mut settings = self.settings;
        // Without a working directory there is no absolute form; every start will then say that it is gone.
        let workspace =
            absolute(&settings.workspace).unwrap_or_else(|_| settings.workspace.clone());
        // A runner made from this one has the same workspace, wherever the host has gone meanwhile.
        settings.workspace.clone_from(&workspace);
        let workspace: Arc<Path> = workspace.into();
        let max_programs = settings.max_programs.unwrap_or_else(program::at_once);
        let environment = Arc::new(Environment::new(&settings.inherited, &settings.added));
        let shared = Shared {
            workspace: Arc::clone(&workspace),
            environment: Arc::clone(&environment),
            places: Arc::new(Semaphore::new(max_programs.min(Semaphore::MAX_PERMITS))),
            max_answer_bytes: settings.max_answer_bytes,
            workers: settings.workers,
            clock: Arc::clone(&settings.clock),
        };
        let mut hooks = settings.hooks.clone();
        hooks.sort_by_key(|hook| distance(hook.origin()));
        let mut participants = settings.host.clone();
        let mut workers = Vec::new();
        for hook in hooks {
            let Some(program) = hook.program().cloned() else {
                participants.push(Arc::new(Unbuilt::new(hook)));
                continue;
            };
            match program.mode {
                HookMode::Oneshot => {
                    participants.push(Arc::new(Hook::new(hook, &program.argv, &shared)));
                }
                HookMode::Worker => {
                    let worker = Arc::new(Worker::new(hook, &program, &shared));
                    workers.push(Arc::clone(&worker));
                    participants.push(worker);
                }
            }
        }
        participants.extend(settings.last.iter().cloned());
        HookRunner {
            inner: Arc::new(Inner {
                settings,
                workspace,
                environment,
                participants,
                workers,
            }),
        }
    }
}

/// How near a declaration is to the workspace's own data; the nearer, the later it is asked.
fn distance(origin: &HookOrigin) -> u8 {
    match origin {
        HookOrigin::Supplied => 0,
        HookOrigin::GlobalFile { .. } => 1,
        HookOrigin::WorkspaceFile { .. } => 2,
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the documented default of a host that sets no reporter"
)]
fn report_on_stderr(message: &str) {
    eprintln!("hookchain: {}", shown::lines(message));
}

impl fmt::Debug for HookRunnerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookRunnerBuilder")
            .field("workspace", &self.settings.workspace)
            .field("hooks", &self.settings.hooks)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_made_from_another_keeps_its_workspace() {
        let runner = HookRunnerBuilder::new("relative".into()).build();
        assert!(runner.workspace().is_absolute());
        assert_eq!(runner.inner.settings.workspace, runner.workspace());
    }
}
