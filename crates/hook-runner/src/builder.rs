//! Everything that can be set about a runner.

mod declared;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt,
    path::{Path, PathBuf, absolute},
    sync::Arc,
    time::{Duration, Instant},
};

use hook_contract::{Approver, HookSpec, Interceptor, ToolKnowledge, TransportFactory, shown};
use hook_wire::MAX_RESPONSE_BYTES;

use self::declared::Entry;
use crate::{
    BuildError, BuildProblem, HookRunner, Participant, Recorder,
    closing::Closing,
    hook::Clock,
    interceptor::InProcess,
    process::{Environment, Grounds},
    runner::Inner,
    unbuilt::Unbuilt,
};

/// How long an interceptor may take for one answer that says nothing of it: 5 s.
pub const DEFAULT_INTERCEPTOR_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a question waits for its turn among the programs that may run at once: 30 s.
pub const DEFAULT_QUEUE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a person has to answer: ten minutes.
pub const DEFAULT_APPROVAL_TIMEOUT: Duration = Duration::from_secs(600);

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
///     .build()?;
/// assert!(!runner.is_empty());
/// # Ok::<(), hook_runner::BuildError>(())
/// ```
#[derive(Clone)]
#[must_use = "a builder does nothing until it is built"]
pub struct HookRunnerBuilder {
    settings: Settings,
    /// Whether the runner is closed from the start, as the one that it is made from.
    is_closed: bool,
}

/// What a runner is built from, kept so that a runner can be made into a builder again.
#[derive(Clone)]
pub(crate) struct Settings {
    workspace: PathBuf,
    /// Interceptors and participants of the host's own, as registered.
    host: Vec<Arc<dyn Participant>>,
    hooks: Vec<Entry>,
    /// Participants of the host's own that are asked last.
    last: Vec<Arc<dyn Participant>>,
    inherited: Vec<OsString>,
    added: Vec<(OsString, OsString)>,
    max_programs: Option<usize>,
    max_answer_bytes: usize,
    workers: usize,
    pub(crate) budget: Option<Duration>,
    /// How long an interceptor may take that does not say; nothing for as long as it wants.
    pub(crate) interceptor_timeout: Option<Duration>,
    /// How long a question waits for its turn among the programs.
    queue_timeout: Duration,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) approval_timeout: Duration,
    /// Whether a person has no longer than the budget leaves.
    pub(crate) approval_within_budget: bool,
    pub(crate) tools: Option<Arc<dyn ToolKnowledge>>,
    transports: BTreeMap<String, Arc<dyn TransportFactory>>,
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
                interceptor_timeout: Some(DEFAULT_INTERCEPTOR_TIMEOUT),
                queue_timeout: DEFAULT_QUEUE_TIMEOUT,
                approver: None,
                approval_timeout: DEFAULT_APPROVAL_TIMEOUT,
                approval_within_budget: false,
                tools: None,
                transports: BTreeMap::new(),
                report: Arc::new(report_on_stderr),
                recorder: None,
                clock: Arc::new(Instant::now),
            },
            is_closed: false,
        }
    }

    /// For another runner with these settings. One that is made from a closed runner is closed, because it has the same
    /// participants, and they were told to end.
    pub(crate) fn from_settings(settings: Settings, is_closed: bool) -> Self {
        Self {
            settings,
            is_closed,
        }
    }

    /// The workspace, as it was given.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.settings.workspace
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
        self.settings
            .hooks
            .extend(hooks.into_iter().map(Entry::new));
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

    /// How long an interceptor may take for one answer that says nothing of it ([`Interceptor::timeout`]). Then its work is
    /// dropped, and it has failed. Unless set, [`DEFAULT_INTERCEPTOR_TIMEOUT`]. Code that blocks its thread cannot be cut.
    pub fn with_interceptor_timeout(mut self, timeout: Duration) -> Self {
        self.settings.interceptor_timeout = Some(timeout);
        self
    }

    /// Lets an interceptor that says nothing of it take as long as it wants. One that hangs then hangs the agent, unless
    /// there is a budget.
    pub fn without_interceptor_timeout(mut self) -> Self {
        self.settings.interceptor_timeout = None;
        self
    }

    /// How long a question waits for its turn when as many programs run as may. Then the hook has failed, by name. Unless
    /// set, [`DEFAULT_QUEUE_TIMEOUT`].
    pub fn with_queue_timeout(mut self, timeout: Duration) -> Self {
        self.settings.queue_timeout = timeout;
        self
    }

    /// The host's callback for participants that ask for a person's agreement. Without one such a call is denied.
    ///
    /// ```
    /// use hook_contract::{Approval, ApprovalRequest, Approver, InterceptorError, async_trait};
    /// use hook_runner::HookRunner;
    ///
    /// struct OnTheTerminal;
    ///
    /// #[async_trait]
    /// impl Approver for OnTheTerminal {
    ///     async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
    ///         Ok(Approval::refused(format!("no terminal to show {} on", request.reasons())))
    ///     }
    /// }
    ///
    /// let runner = HookRunner::builder("/repo").with_approver(OnTheTerminal).build()?;
    /// # Ok::<(), hook_runner::BuildError>(())
    /// ```
    pub fn with_approver(mut self, approver: impl Approver + 'static) -> Self {
        self.settings.approver = Some(Arc::new(approver));
        self
    }

    /// How long a person has to answer; past it the call is denied. It counts towards no budget, but
    /// [`with_approval_within_budget`](Self::with_approval_within_budget). Unless set, [`DEFAULT_APPROVAL_TIMEOUT`].
    pub fn with_approval_timeout(mut self, timeout: Duration) -> Self {
        self.settings.approval_timeout = timeout;
        self
    }

    /// Gives a person no longer than the budget leaves, for a host that has to have answered by then.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hook_runner::HookRunner;
    ///
    /// // The agent waits for 60 seconds. A person has what the hooks leave of 55, and two minutes at most.
    /// let builder = HookRunner::builder("/repo")
    ///     .with_budget(Duration::from_secs(55))
    ///     .with_approval_timeout(Duration::from_secs(120))
    ///     .with_approval_within_budget();
    /// # builder.build().map(drop)?;
    /// # Ok::<(), hook_runner::BuildError>(())
    /// ```
    pub fn with_approval_within_budget(mut self) -> Self {
        self.settings.approval_within_budget = true;
        self
    }

    /// What the host knows of its tools. Hooks that name kinds of tools, or want facts, cannot be built without it.
    pub fn with_tools(mut self, tools: Arc<dyn ToolKnowledge>) -> Self {
        self.settings.tools = Some(tools);
        self
    }

    /// Reaches hooks whose entry has this key by this transport. `command` is there already and cannot be replaced.
    ///
    /// ```
    /// use std::{path::Path, sync::Arc};
    ///
    /// use hook_contract::{
    ///     HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, async_trait,
    /// };
    /// use hook_runner::HookRunner;
    /// use serde_json::json;
    ///
    /// struct Fixed(String);
    ///
    /// #[async_trait]
    /// impl Interceptor for Fixed {
    ///     fn name(&self) -> &str {
    ///         "fixed"
    ///     }
    ///
    ///     async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
    ///         Ok(HookOutcome::deny(self.0.clone()))
    ///     }
    /// }
    ///
    /// let fixed = |spec: &HookSpec, _workspace: &Path| -> Result<Arc<dyn Interceptor>, InterceptorError> {
    ///     let settings = spec.config().and_then(|settings| settings.as_str());
    ///     let words = settings.ok_or("`fixed` must be the words of the denial, a string")?;
    ///     Ok(Arc::new(Fixed(words.to_owned())))
    /// };
    /// let hook = HookSpec::over("no", "fixed", json!("not today"));
    /// let runner = HookRunner::builder("/repo").with_transport("fixed", fixed).with_hooks([hook]).build()?;
    /// assert!(!runner.is_empty());
    /// # Ok::<(), hook_runner::BuildError>(())
    /// ```
    pub fn with_transport(
        mut self,
        key: impl Into<String>,
        factory: impl TransportFactory + 'static,
    ) -> Self {
        self.settings
            .transports
            .insert(key.into(), Arc::new(factory));
        self
    }

    /// The runner. The host's environment is read here, and nothing is started.
    ///
    /// # Errors
    ///
    /// When a hook is reached by a transport that this host does not have or that refuses its settings, or wants to know
    /// more of tools than the host does; every such hook at once.
    pub fn build(self) -> Result<HookRunner, BuildError> {
        let (runner, problems) = self.assemble();
        if problems.is_empty() {
            Ok(runner)
        } else {
            Err(BuildError { problems })
        }
    }

    /// The runner, in which a hook that cannot be built denies every call that it is about.
    #[must_use]
    pub(crate) fn build_or_deny(self) -> HookRunner {
        self.assemble().0
    }

    fn assemble(self) -> (HookRunner, Vec<BuildProblem>) {
        let mut settings = self.settings;
        // Without a working directory there is no absolute form; every start will then say that it is gone.
        let workspace =
            absolute(&settings.workspace).unwrap_or_else(|_| settings.workspace.clone());
        // A runner made from this one has the same workspace, wherever the host has gone meanwhile.
        settings.workspace.clone_from(&workspace);
        let workspace: Arc<Path> = workspace.into();
        let environment = Environment::new(&settings.inherited, &settings.added);
        let grounds = Grounds::new(Arc::clone(&workspace), environment);
        let shared = settings.shared(&grounds);
        let mut hooks = std::mem::take(&mut settings.hooks);
        // The higher rank is asked first; a stable sort keeps the order within one.
        hooks.sort_by_key(|hook| std::cmp::Reverse(hook.rank()));
        let mut participants = settings.host.clone();
        let (mut workers, mut problems) = (Vec::new(), Vec::new());
        for hook in &mut hooks {
            match settings.participant(hook, &workspace, &shared, &mut workers) {
                Ok(participant) => participants.push(participant),
                Err(problem) => {
                    participants.push(Arc::new(Unbuilt::new(&problem)));
                    problems.push(problem);
                }
            }
        }
        participants.extend(settings.last.iter().cloned());
        settings.hooks = hooks;
        let inner = Inner {
            settings,
            grounds,
            participants,
            workers,
            closing: Closing::new(self.is_closed),
        };
        let runner = HookRunner {
            inner: Arc::new(inner),
        };
        (runner, problems)
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
mod tests;
