//! The one chain a runtime asks.

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use hook_contract::{
    HookCall, HookEvent, HookOutcome, HookRequest, HookSpec, Interceptor, Json, Kinds, Subject,
};

use crate::{
    Consultation, HookRunnerBuilder, Inspection, Participant, Recorder,
    builder::Settings,
    closing::Closing,
    observe,
    process::{Farewell, Grounds},
    strict, walk,
    worker::Worker,
};

/// Asks every participant of a workspace about a tool call, in order, and gives one answer.
///
/// Cheap to clone and to share; any number of consultations may run at once, on any tokio runtime
/// whose I/O and time drivers are on. None of its methods fails: whatever goes wrong ends as an
/// outcome with words in it.
///
/// Programs of the mode `worker` live as long as the runner and its clones do. When the last of them
/// is dropped, their input ends, they have a second to end by themselves, and then they are killed. In
/// a runtime a task of it sees to that, and they are killed at once if the runtime ends first; outside
/// a runtime the drop waits for it. [`shutdown`](Self::shutdown) does the same where it can be
/// awaited. A runner may be used from one runtime after the other.
///
/// ```
/// use hook_contract::{HookCall, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
/// use hook_runner::HookRunner;
///
/// struct ReadOnly;
///
/// #[async_trait]
/// impl Interceptor for ReadOnly {
///     fn name(&self) -> &str {
///         "read-only"
///     }
///
///     async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
///         Ok(if call.tool_name == "write_file" {
///             HookOutcome::deny("this session only reads")
///         } else {
///             HookOutcome::Allow
///         })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let runner = HookRunner::new("/repo", vec![]).with_interceptor(ReadOnly);
/// let call = HookCall::new("agent-1", "write_file", "call-1", r#"{"path":"a"}"#);
/// assert_eq!(
///     runner.decide(&call).await,
///     HookOutcome::deny("denied by interceptor 'read-only': this session only reads")
/// );
/// # }
/// ```
#[derive(Clone)]
pub struct HookRunner {
    pub(crate) inner: Arc<Inner>,
}

/// What a runner is made of; never changed once it is made.
pub(crate) struct Inner {
    pub(crate) settings: Settings,
    /// The workspace, and what every program gets.
    pub(crate) grounds: Arc<Grounds>,
    /// Everybody there is, in the order in which they are asked.
    pub(crate) participants: Vec<Arc<dyn Participant>>,
    /// Those of them that keep processes.
    pub(crate) workers: Vec<Arc<Worker>>,
    pub(crate) closing: Closing,
}

impl Inner {
    pub(crate) fn is_closed(&self) -> bool {
        self.closing.is_closed()
    }

    /// What a call of that tool is about.
    pub(crate) fn subject<'n>(&self, event: HookEvent, tool_name: &'n str) -> Subject<'n> {
        walk::subject(event, tool_name, strict::kinds(&self.settings, tool_name))
    }

    /// Whether a participant would be asked.
    fn asks(&self, subject: &Subject<'_>) -> bool {
        let mut participants = self.participants.iter();
        participants.any(|participant| strict::applies(&**participant, subject))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // All at once, so that they have the same second.
        let mut farewell = Farewell::default();
        for worker in &self.workers {
            worker.let_idle_go(&mut farewell);
        }
        farewell.see_off();
    }
}

impl HookRunner {
    /// A runner for this workspace with these hooks, after any interceptors that are added.
    ///
    /// Hooks are asked supplied ones first, then those of the global file, then those of the
    /// workspace's, each in the given order. A relative workspace is made absolute here.
    ///
    /// A hook that needs more than a program, such as another transport, denies every call that it is about;
    /// [`builder`](Self::builder) tells of it as an error.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>, hooks: Vec<HookSpec>) -> Self {
        Self::builder(workspace).with_hooks(hooks).build_or_deny()
    }

    /// Everything that can be set about a runner.
    pub fn builder(workspace: impl Into<PathBuf>) -> HookRunnerBuilder {
        HookRunnerBuilder::new(workspace.into())
    }

    /// The same with an interceptor more, asked after those already there and before every program.
    #[must_use]
    pub fn with_interceptor(self, interceptor: impl Interceptor + 'static) -> Self {
        self.into_builder()
            .with_interceptor(interceptor)
            .build_or_deny()
    }

    /// The same with another place for what the operator must hear; see
    /// [`HookRunnerBuilder::with_reporter`].
    #[must_use]
    pub fn with_reporter(self, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.into_builder().with_reporter(report).build_or_deny()
    }

    /// The same with a recorder of each step; see [`Recorder`].
    #[must_use]
    pub fn with_recorder(self, recorder: impl Recorder + 'static) -> Self {
        self.into_builder().with_recorder(recorder).build_or_deny()
    }

    /// The same with a variable more in the environment of programs.
    #[must_use]
    pub fn with_env(self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.into_builder().with_env(name, value).build_or_deny()
    }

    /// The same with these variables of the host's own environment handed on to programs.
    #[must_use]
    pub fn inherit_env<N: Into<OsString>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.into_builder().inherit_env(names).build_or_deny()
    }

    fn into_builder(self) -> HookRunnerBuilder {
        HookRunnerBuilder::from_settings(self.inner.settings.clone(), self.inner.is_closed())
    }

    /// The workspace this runner asks about.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.inner.grounds.workspace()
    }

    /// Whether there is nobody to ask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.participants.is_empty()
    }

    /// Everybody there is, in the order in which they are asked.
    #[must_use]
    pub fn participants(&self) -> &[Arc<dyn Participant>] {
        &self.inner.participants
    }

    /// Looks at the program of a command as a start would meet it, with this runner's workspace and the `PATH` that it
    /// gives to hooks. Starts nothing, and asks nobody.
    ///
    /// ```
    /// use hook_runner::HookRunner;
    ///
    /// let workspace = tempfile::tempdir()?;
    /// let runner = HookRunner::new(workspace.path(), vec![]);
    /// let inspection = runner.inspect(&["./guard.sh".to_owned()]);
    /// assert_eq!(inspection.faults[0].kind.code(), "program_not_found");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn inspect(&self, command: &[String]) -> Inspection {
        self.inspect_in(command, None)
    }

    /// The same for a command that belongs to a folder, as those of the user's own file do
    /// ([`CommandTransport::directory`](hook_contract::CommandTransport::directory)): also which of its files the workspace
    /// would supply.
    ///
    /// ```
    /// use hook_runner::HookRunner;
    ///
    /// let (workspace, own) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// let runner = HookRunner::new(workspace.path(), vec![]);
    /// let guard = workspace.path().join("guard.sh").display().to_string();
    /// std::fs::write(&guard, "exit 1\n")?;
    ///
    /// let inspection = runner.inspect_in(&["/bin/sh".into(), guard], Some(own.path()));
    /// assert_eq!(inspection.faults[0].kind.code(), "in_workspace");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn inspect_in(&self, command: &[String], directory: Option<&Path>) -> Inspection {
        self.inner.grounds.inspect(command, directory)
    }

    /// Starts every worker that is not running, so that the first questions need not wait for it.
    ///
    /// One that cannot be started is reported; the question that then needs it says so again. A runner that is closed
    /// starts nothing.
    ///
    /// # Cancellation
    ///
    /// Dropping the future leaves those that were started, as if they had been asked.
    pub async fn warm_up(&self) {
        let _running = self.inner.closing.enter();
        if self.inner.is_closed() {
            return;
        }
        for worker in &self.inner.workers {
            if let Err(failure) = worker.warm_up().await {
                walk::report(
                    &self.inner.settings,
                    &format!(
                        "{} {failure}; it is tried again when it is asked",
                        worker.identity()
                    ),
                );
            }
        }
    }

    /// Lets every worker go and waits until none is left: those that are being asked answer first, then
    /// the input of all ends, and whoever has not ended within a second is killed.
    ///
    /// A runner may be used afterwards; workers are then started again, also by a question that waited for its turn
    /// meanwhile. [`close`](Self::close) leaves none.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills those whose input has ended, and leaves the others as they were.
    pub async fn shutdown(&self) {
        let mut farewell = Farewell::default();
        for worker in &self.inner.workers {
            worker.let_go(&mut farewell).await;
        }
        farewell.wait().await;
    }

    /// Closes the runner for good: calls that are put from now on are denied, those that are being decided are decided
    /// first, and then everything that the runner keeps running is ended. Closing it again waits for the same. A participant
    /// that has not ended after 5 s, or panics, is reported and left. A runner that is made from a closed one is closed.
    ///
    /// # Cancellation
    ///
    /// Dropping the future leaves the runner closed, and what was not ended yet to the drop of the runner.
    ///
    /// ```
    /// use hook_contract::{HookCall, HookOutcome};
    /// use hook_runner::HookRunner;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let runner = HookRunner::new("/repo", vec![]);
    /// runner.close().await;
    /// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    /// assert!(matches!(runner.decide(&call).await, HookOutcome::Deny(_)));
    /// # }
    /// ```
    pub async fn close(&self) {
        let report = |message: &str| walk::report(&self.inner.settings, message);
        let closing = &self.inner.closing;
        closing.close(&self.inner.participants, report).await;
        self.shutdown().await;
    }

    /// Asks before a call: whether it happens, and in what form.
    ///
    /// What participants say beside their decision is dropped here: words for the model, messages for the user, and the
    /// wish that the turn ends. When a participant asks for a person's agreement, the approver is called, and without one
    /// the call is denied. A host that delivers all of it calls [`consult`](Self::consult).
    ///
    /// [`HookOutcome::Allow`] means that the runtime runs the tool with the very text in
    /// [`HookCall::input_json`].
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills the program that is being asked, with its process group, and
    /// leaves nothing behind.
    pub async fn decide(&self, call: &HookCall) -> HookOutcome {
        let event = HookEvent::PreToolUse;
        let subject = self.inner.subject(event, &call.tool_name);
        if !self.is_asked_about(&subject) {
            return HookOutcome::Allow;
        }
        let request = HookRequest::from_call(event, self.workspace(), call);
        self.walk(request.into(), subject.kinds, false)
            .await
            .outcome
    }

    /// Asks after a call: what the model may see of its result.
    ///
    /// `output` is a JSON string for a text result, otherwise the structured result itself. What participants say beside
    /// their decision is dropped, as by [`decide`](Self::decide).
    ///
    /// # Cancellation
    ///
    /// As for [`decide`](Self::decide).
    pub async fn review(
        &self,
        call: &HookCall,
        output: impl Into<Json>,
        is_error: bool,
    ) -> HookOutcome {
        let subject = self.inner.subject(HookEvent::PostToolUse, &call.tool_name);
        if !self.is_asked_about(&subject) {
            return HookOutcome::Allow;
        }
        let request = HookRequest::from_result(self.workspace(), call, output, is_error);
        self.walk(request.into(), subject.kinds, false)
            .await
            .outcome
    }

    /// Whether a participant would be asked about calls of that tool at that event.
    #[must_use]
    pub fn asks(&self, event: HookEvent, tool_name: &str) -> bool {
        self.inner.asks(&self.inner.subject(event, tool_name))
    }

    /// What a call of that tool at that event is about, as participants are told it before they are asked.
    #[must_use]
    pub fn subject<'n>(&self, event: HookEvent, tool_name: &'n str) -> Subject<'n> {
        self.inner.subject(event, tool_name)
    }

    /// Whether a call of that tool at that event has to be put to the runner: a participant would be asked, a recorder is
    /// told of every call, or the runner is closed.
    ///
    /// [`decide`](Self::decide) and [`review`](Self::review) look at it themselves. A host that calls
    /// [`consult`](Self::consult) looks at it first, so that it makes no request in vain.
    ///
    /// ```
    /// use hook_contract::HookEvent;
    /// use hook_runner::HookRunner;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let runner = HookRunner::new("/repo", vec![]);
    /// assert!(!runner.must_consult(HookEvent::PreToolUse, "shell"));
    /// runner.close().await;
    /// assert!(runner.must_consult(HookEvent::PreToolUse, "shell"), "it denies every call now");
    /// # }
    /// ```
    #[must_use]
    pub fn must_consult(&self, event: HookEvent, tool_name: &str) -> bool {
        self.is_asked_about(&self.inner.subject(event, tool_name))
    }

    fn is_asked_about(&self, subject: &Subject<'_>) -> bool {
        self.inner.settings.recorder.is_some() || self.inner.is_closed() || self.inner.asks(subject)
    }

    /// Asks about a request, and says how the outcome came about.
    ///
    /// A request whose input text has two readings is denied before any participant is asked, unless
    /// none would be.
    ///
    /// # Cancellation
    ///
    /// As for [`decide`](Self::decide).
    pub async fn consult(&self, request: HookRequest) -> Consultation {
        let kinds = strict::kinds(&self.inner.settings, &request.tool_name);
        self.walk(request.into(), kinds, true).await
    }

    /// Asks about a request as [`consult`](Self::consult) does, within this budget in place of the runner's own.
    ///
    /// For a host that keeps one runner for callers of which each has its own limit.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec};
    /// use hook_runner::HookRunner;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let runner = HookRunner::new("/", vec![HookSpec::new("slow", ["sleep", "600"])]);
    /// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    /// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
    /// let consultation = runner.consult_within(request, Duration::from_millis(50)).await;
    /// let outcome = format!("{:?}", consultation.outcome);
    /// assert!(outcome.contains("the budget of the whole consultation, 50 ms, was used up"), "{outcome}");
    /// # }
    /// ```
    ///
    /// # Cancellation
    ///
    /// As for [`decide`](Self::decide).
    pub async fn consult_within(&self, request: HookRequest, budget: Duration) -> Consultation {
        let kinds = strict::kinds(&self.inner.settings, &request.tool_name);
        let request = Arc::new(request);
        self.walk_within(request, kinds, true, Some(budget)).await
    }

    async fn walk(&self, request: Arc<HookRequest>, kinds: Kinds, trail: bool) -> Consultation {
        let budget = self.inner.settings.budget;
        self.walk_within(request, kinds, trail, budget).await
    }

    /// The request is shared at once: it is large, and moving it from one future into the next costs more than that.
    async fn walk_within(
        &self,
        request: Arc<HookRequest>,
        kinds: Kinds,
        trail: bool,
        budget: Option<Duration>,
    ) -> Consultation {
        let _running = self.inner.closing.enter();
        let walk = |request| walk::walk(&self.inner, request, kinds, trail, budget);
        let consultation = observe::spanned(request, walk).await;
        for worker in &self.inner.workers {
            worker.tidy();
        }
        consultation
    }
}

impl fmt::Debug for HookRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self
            .inner
            .participants
            .iter()
            .map(|who| who.identity().to_string());
        f.debug_struct("HookRunner")
            .field("workspace", &self.workspace())
            .field("participants", &names.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
