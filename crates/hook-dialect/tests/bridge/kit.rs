//! A chain that says what a test wants, and an agent that hears it.

use std::path::{Path, PathBuf};

use hook_contract::{
    Answer as Said, Approval, ApprovalRequest, Approver, HookOutcome, HookRequest, Interceptor,
    InterceptorError, OnFailure, async_trait,
};
use hook_dialect::{
    Exit, HookOutput,
    bridge::{Answer, Asked, Bridge, Reading},
    decode_output,
};
use hook_runner::{Consultation, HookRunner, HookRunnerBuilder};

/// A participant that always says the same.
pub(crate) struct Speaker {
    name: String,
    says: Result<Said, String>,
}

impl Speaker {
    /// One by the name of `speaker`.
    pub(crate) fn says(says: Said) -> Self {
        Self::named("speaker", says)
    }

    pub(crate) fn named(name: &str, says: Said) -> Self {
        Self {
            name: name.to_owned(),
            says: Ok(says),
        }
    }

    /// One that breaks and is passed over.
    pub(crate) fn broken(why: &str) -> Self {
        Self {
            name: "broken".to_owned(),
            says: Err(why.to_owned()),
        }
    }
}

#[async_trait]
impl Interceptor for Speaker {
    fn name(&self) -> &str {
        &self.name
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Allow
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Said::without_a_person)
    }

    async fn review(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Said::without_a_person)
    }

    async fn answer(&self, _call: &HookRequest) -> Result<Said, InterceptorError> {
        self.says.clone().map_err(Into::into)
    }
}

/// A person that says this.
pub(crate) struct Person(pub(crate) Approval);

#[async_trait]
impl Approver for Person {
    async fn approve(&self, _request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        Ok(self.0.clone())
    }
}

/// A way to ask a person that does not work.
pub(crate) struct Failing;

#[async_trait]
impl Approver for Failing {
    async fn approve(&self, _request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        Err("the chat is down".into())
    }
}

/// What a chain of these says to the question.
pub(crate) fn consulted(asked: &Asked, chain: impl IntoIterator<Item = Speaker>) -> Consultation {
    consulted_with(asked, chain, |builder| builder)
}

/// What a chain of these says to the question, when this is set about it.
pub(crate) fn consulted_with(
    asked: &Asked,
    chain: impl IntoIterator<Item = Speaker>,
    set: impl FnOnce(HookRunnerBuilder) -> HookRunnerBuilder,
) -> Consultation {
    let builder = HookRunner::builder("/repo").with_reporter(|_| ());
    let builder = chain
        .into_iter()
        .fold(builder, HookRunnerBuilder::with_interceptor);
    let runner = set(builder).build().expect("built");
    let request = asked.request(runner.workspace()).expect("a question");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(runner.consult(request))
}

/// The question in this payload.
pub(crate) fn question(bridge: &'static Bridge, payload: &str) -> Asked {
    match bridge.read(payload.as_bytes()) {
        Ok(Reading::Tool(asked)) => *asked,
        other => panic!("{other:?}: {payload}"),
    }
}

/// Which of the streams takes what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    Both,
    NoStdout,
    NoStderr,
}

/// What the agent makes of an answer.
pub(crate) fn heard(
    bridge: &'static Bridge,
    event: &str,
    answer: &Answer,
    streams: Streams,
) -> HookOutput {
    let none = &String::new();
    let (code, stdout, stderr) = match (answer, streams) {
        (Answer::Nothing { .. }, Streams::NoStdout) => (0, none, none),
        (Answer::Said { otherwise, .. }, Streams::NoStdout) => (2, none, otherwise),
        (Answer::Nothing { stdout } | Answer::Said { stdout, .. }, _)
        | (Answer::Refused { stdout, .. }, Streams::NoStderr) => (0, stdout, none),
        (Answer::Refused { stdout, stderr }, Streams::Both) => (2, stdout, stderr),
        (Answer::Refused { stderr, .. }, Streams::NoStdout) => (2, none, stderr),
    };
    let profile = bridge.dialect.strict();
    let (stdout, stderr) = (stdout.as_bytes(), stderr.as_bytes());
    decode_output(Exit::Code(code), stdout, stderr, Some(event), profile)
}

/// A folder of recordings: of the workspace, or of the place that the variable names.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment of the tests chooses the recordings"
)]
pub(crate) fn vectors(name: &str) -> PathBuf {
    let chosen = std::env::var_os("HOOKCHAIN_VECTORS").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    chosen.unwrap_or(own).join(name)
}
