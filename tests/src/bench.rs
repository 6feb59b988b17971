//! A runner to try, and what it is asked.

use std::{
    env,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hook_config::{HookMode, HookSpec};
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::{Consultation, HookRunner, HookRunnerBuilder};

use crate::Workspace;

/// An upper bound that no test which passes comes near, and far below what a fake hook lives.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The path of one of this package's programs. They are built together with its tests, next to the
/// running program or to the directory in which the running test is.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let own = env::current_exe().expect("a path");
    let places = own.ancestors().skip(1).take(2);
    places
        .map(|directory| directory.join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{name} is not built next to {}", own.display()))
}

/// The program that does what its arguments say.
#[must_use]
pub fn fake_hook() -> String {
    program("fake-hook")
        .into_os_string()
        .into_string()
        .expect("a path in UTF-8")
}

/// A hook that takes these steps; see the fake hook's own page.
#[must_use]
pub fn fake(name: &str, steps: &[&str]) -> HookSpec {
    let mut words = vec![fake_hook()];
    words.extend(steps.iter().map(ToString::to_string));
    HookSpec::new(name, words).with_timeout(Duration::from_secs(60))
}

/// A worker that takes these steps; see the fake hook's own page.
#[must_use]
pub fn worker(name: &str, steps: &[&str]) -> HookSpec {
    fake(name, steps).with_mode(HookMode::Worker)
}

/// A hook that reads the question and prints this.
#[must_use]
pub fn say(name: &str, text: &str) -> HookSpec {
    fake(name, &["read", &format!("print={text}")])
}

/// A call of the tool `shell` with this input.
#[must_use]
pub fn call(input: &str) -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", input)
}

/// The question before a call with this input.
#[must_use]
pub fn before(workspace: &Workspace, input: &str) -> HookRequest {
    HookRequest::from_call(HookEvent::PreToolUse, workspace.path(), &call(input))
}

/// The question after a call that had this result.
#[must_use]
pub fn after(workspace: &Workspace, output: &str, is_error: bool) -> HookRequest {
    let output = Json::parse(output).expect("JSON");
    HookRequest::from_result(
        workspace.path(),
        &call(r#"{"command":"ls"}"#),
        output,
        is_error,
    )
}

/// What a future gives, which must not take longer than patience has.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    let result = tokio::time::timeout(PATIENCE, future).await;
    result.expect("it returns long before a hook that hangs would end by itself")
}

/// A runner whose reports are kept.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The runner.
    pub runner: HookRunner,
    reports: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    /// A runner of these hooks.
    #[must_use]
    pub fn new(workspace: &Workspace, hooks: impl IntoIterator<Item = HookSpec>) -> Self {
        Self::of(HookRunner::builder(workspace.path()).with_hooks(hooks))
    }

    /// A runner that is set up further.
    #[must_use]
    pub fn of(builder: HookRunnerBuilder) -> Self {
        let reports = Arc::new(Mutex::new(Vec::<String>::new()));
        let sink = Arc::clone(&reports);
        let runner = builder
            .with_reporter(move |message| {
                sink.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(message.to_owned());
            })
            .build()
            .expect("a runner");
        Self { runner, reports }
    }

    /// Everything that was reported so far.
    #[must_use]
    pub fn reports(&self) -> Vec<String> {
        self.reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Asks, and expects an answer in time.
    pub async fn consult(&self, request: HookRequest) -> Consultation {
        in_time(self.runner.consult(request)).await
    }

    /// Asks before a call with this input.
    pub async fn decide(&self, input: &str) -> HookOutcome {
        in_time(self.runner.decide(&call(input))).await
    }
}
