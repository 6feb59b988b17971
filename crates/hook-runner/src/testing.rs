//! What the tests of this crate share: participants that do what a test says, and what was reported.

use std::{
    future::ready,
    path::Path,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use hook_contract::{
    Answer, HookCall, HookEvent, HookOrigin, HookOutcome, HookRequest, Interceptor,
    InterceptorError, Json, OnFailure, Subject, async_trait,
};

use crate::{
    Consultation, HookRunner, HookRunnerBuilder, Identity, Origin, Participant, Question, Ranks,
    Reply, TimeLimit,
};

/// The workspace of runners that start nothing.
pub(crate) const WORKSPACE: &str = "/ws";

pub(crate) fn call(input_json: &str) -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", input_json)
}

/// The question before a call with this input.
pub(crate) fn before(input_json: &str) -> HookRequest {
    HookRequest::from_call(
        HookEvent::PreToolUse,
        Path::new(WORKSPACE),
        &call(input_json),
    )
}

/// The question after a call that had this result.
pub(crate) fn after(output: impl Into<Json>, is_error: bool) -> HookRequest {
    HookRequest::from_result(Path::new(WORKSPACE), &call("{}"), output, is_error)
}

/// An interceptor that does what a function says.
pub(crate) struct With<F>(pub(crate) &'static str, pub(crate) F);

#[async_trait]
impl<F> Interceptor for With<F>
where
    F: Fn(&HookRequest) -> Result<HookOutcome, InterceptorError> + Send + Sync,
{
    fn name(&self) -> &str {
        self.0
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(call)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(result)
    }
}

/// What a runner reported.
#[derive(Clone, Default)]
pub(crate) struct Reports(Arc<Mutex<Vec<String>>>);

impl Reports {
    pub(crate) fn of(runner: HookRunner) -> (HookRunner, Self) {
        let reports = Self::default();
        let runner = runner.with_reporter(reports.sink());
        (runner, reports)
    }

    /// The runner that is built so, and what it reports.
    pub(crate) fn built(builder: HookRunnerBuilder) -> (HookRunner, Self) {
        let reports = Self::default();
        let runner = builder.with_reporter(reports.sink()).build();
        (runner.expect("a runner"), reports)
    }

    fn sink(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let reports = self.clone();
        move |message| reports.0.lock().expect("a lock").push(message.into())
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().expect("a lock").clone()
    }
}

/// What comes of asking a participant.
pub(crate) type Replying = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// A participant that does what a function says.
pub(crate) struct Mine {
    identity: Identity,
    on_failure: OnFailure,
    ranks: Option<Ranks>,
    limit: TimeLimit,
    how: Box<dyn Fn(&Question) -> Replying + Send + Sync>,
}

impl Mine {
    /// One whose failures deny, and which keeps a deadline of its own.
    pub(crate) fn new(
        identity: Identity,
        how: impl Fn(&Question) -> Replying + Send + Sync + 'static,
    ) -> Self {
        Self {
            identity,
            on_failure: OnFailure::Deny,
            ranks: None,
            limit: TimeLimit::Own,
            how: Box::new(how),
        }
    }

    /// One that answers at once.
    pub(crate) fn saying(
        identity: Identity,
        say: impl Fn(&HookRequest) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::new(identity, move |question| {
            Box::pin(ready(Reply::new(Ok(say(question.request())))))
        })
    }

    pub(crate) fn with_on_failure(self, on_failure: OnFailure) -> Self {
        Self { on_failure, ..self }
    }

    pub(crate) fn with_ranks(self, ranks: Ranks) -> Self {
        Self {
            ranks: Some(ranks),
            ..self
        }
    }

    pub(crate) fn with_limit(self, limit: TimeLimit) -> Self {
        Self { limit, ..self }
    }
}

impl Participant for Mine {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        true
    }

    fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    fn ranks(&self) -> Ranks {
        let own = Ranks::both(self.identity.origin().rank());
        self.ranks.unwrap_or(own)
    }

    fn time_limit(&self) -> TimeLimit {
        self.limit
    }

    fn ask<'life0, 'life1, 'async_trait>(
        &'life0 self,
        question: &'life1 Question,
    ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        (self.how)(question)
    }
}

/// A runner of `policy 'remote'`, whose failures are passed over.
pub(crate) fn mine(how: fn() -> Replying) -> HookRunnerBuilder {
    let remote = Mine::new(policy("remote"), move |_| how()).with_on_failure(OnFailure::Allow);
    HookRunner::builder(WORKSPACE).with_participant(remote)
}

/// A participant of the host's own.
pub(crate) fn policy(name: &str) -> Identity {
    Identity::new("policy", name, Origin::Host)
}

/// A hook that was declared there.
pub(crate) fn declared(name: &str, origin: HookOrigin) -> Identity {
    Identity::new("hook", name, Origin::Declared(origin))
}

/// A hook of the user's own file.
pub(crate) fn user(name: &str) -> Identity {
    let (path, line, column) = ("/home/hooks.json".into(), 2, 3);
    declared(name, HookOrigin::GlobalFile { path, line, column })
}

/// A hook of the workspace's file.
pub(crate) fn workspace(name: &str) -> Identity {
    let (path, line, column) = ("/ws/.basis/hooks.json".into(), 2, 3);
    declared(name, HookOrigin::WorkspaceFile { path, line, column })
}

/// Puts a request to these participants, in this order.
pub(crate) async fn consult(
    request: HookRequest,
    participants: impl IntoIterator<Item = Mine>,
) -> Consultation {
    let mut builder = HookRunner::builder(WORKSPACE);
    for participant in participants {
        builder = builder.with_participant(participant);
    }
    Reports::built(builder).0.consult(request).await
}

/// Panics when it is dropped.
pub(crate) struct Armed(pub(crate) fn() -> Poll<Reply>);

impl Drop for Armed {
    fn drop(&mut self) {
        panic!("on drop");
    }
}

impl Future for Armed {
    type Output = Reply;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Reply> {
        (self.0)()
    }
}
