//! One case, from the copy of the workspace to what is not as it must be.

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hook_config::{HookConfigError, HooksConfig};
use hook_runner::{Consultation, FailureKind, HookRunner, Step};
use thiserror::Error;
use tokio::task;

use super::{
    case::{Case, WORKSPACE},
    copy::Copy,
    judge::{self, Mismatch},
    plan::{CopyError, Extent, Plan},
};
use crate::{
    command_error::with_causes,
    consult::{Call, judge as put},
};

/// What all cases of one run share.
#[derive(Debug)]
pub(super) struct Setup {
    workspace: PathBuf,
    config: HooksConfig,
    extent: Extent,
    /// Set when the run is to end: whoever copies stops.
    stop: AtomicBool,
}

/// What became of a case.
#[derive(Debug)]
pub(super) struct Ran {
    /// What the hooks made of the call; nothing when they could not be asked.
    pub(super) judged: Option<Consultation>,
    /// How long they took together.
    pub(super) took: Duration,
    /// Where the case ran, as it stands in texts; that place is gone.
    pub(super) copy: String,
    pub(super) verdict: Verdict,
    /// A hook could not be started, and not everything was copied.
    pub(super) may_lack_ignored: bool,
}

#[derive(Debug)]
pub(super) enum Verdict {
    Passed,
    /// At least one.
    Failed(Vec<Mismatch>),
    /// The hooks could not be asked.
    Broken(String),
}

/// Why the hooks could not be asked.
#[derive(Debug, Error)]
enum CaseError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error("cannot create the file `{}` of the case", .path.display())]
    Create { path: PathBuf, source: io::Error },
    #[error("the call cannot be read once `{WORKSPACE}` is the path of the copy: {0}")]
    Call(String),
    #[error("{0}")]
    Config(String),
    #[error("the case could not be run: {0}")]
    Task(String),
}

impl Setup {
    pub(super) fn new(workspace: PathBuf, config: HooksConfig, extent: Extent) -> Self {
        Self {
            workspace,
            config,
            extent,
            stop: AtomicBool::new(false),
        }
    }

    /// Whoever copies stops, and removes what it has copied.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Hooks that cannot be used, with the place where a person finds the file.
    fn unusable(&self, error: &HookConfigError, copy: &str) -> CaseError {
        let errors = error.each().iter().map(|error| with_causes(error));
        let message = errors.collect::<Vec<_>>().join("\n");
        CaseError::Config(self.shown(&message, copy))
    }

    /// The text with the files of the workspace in place of those of the copy, which are gone.
    pub(super) fn shown(&self, text: &str, copy: &str) -> String {
        let root = self.workspace.join("");
        let root = root.strip_prefix(".").unwrap_or(&root).display();
        text.replace(&format!("{copy}/"), &root.to_string())
            .replace(copy, WORKSPACE)
    }

    /// Looks at what there is to copy.
    pub(super) fn plan(&self) -> Result<Plan, CopyError> {
        Plan::make(&self.workspace, self.extent, &self.stop)
    }
}

/// Runs a case.
///
/// Dropping the future kills what was started and removes the copy.
pub(super) async fn run(case: Arc<Case>, plan: Arc<Plan>, setup: Arc<Setup>) -> Ran {
    let mut ran = Ran {
        judged: None,
        took: Duration::ZERO,
        copy: String::new(),
        verdict: Verdict::Passed,
        may_lack_ignored: false,
    };
    match asked(case.clone(), plan, &setup).await {
        Ok((judged, copy)) => {
            let mismatches = judge::compare(&case.expect, &judged, &copy);
            ran.may_lack_ignored =
                !setup.extent.with_ignored && judged.trail.iter().any(could_not_start);
            ran.took = judge::took(&judged);
            ran.judged = Some(judged);
            ran.copy = copy;
            if !mismatches.is_empty() {
                ran.verdict = Verdict::Failed(mismatches);
            }
        }
        Err(error) => ran.verdict = Verdict::Broken(with_causes(&error)),
    }
    ran
}

async fn asked(
    case: Arc<Case>,
    plan: Arc<Plan>,
    setup: &Arc<Setup>,
) -> Result<(Consultation, String), CaseError> {
    let prepared = {
        let (case, setup) = (Arc::clone(&case), Arc::clone(setup));
        task::spawn_blocking(move || prepare(&case, &plan, &setup)).await
    };
    // Before the runner, so that it is dropped after it: what hooks left running writes to it.
    let copy = prepared.map_err(|error| CaseError::Task(error.to_string()))??;
    let call = case.call.json(copy.shown());
    let call = Call::parse(call.as_bytes()).map_err(|error| CaseError::Call(error.sentence()))?;
    let loaded = hook_config::load(copy.root(), &setup.config)
        .map_err(|error| setup.unusable(&error, copy.shown()))?;
    let runner =
        HookRunner::new(copy.root(), loaded.hooks).with_reporter(|_shown_with_the_case| ());
    let judged = put(&runner, &call).await;
    // Workers live in the copy.
    runner.shutdown().await;
    drop(runner);
    let shown = copy.shown().to_owned();
    let removed = task::spawn_blocking(move || drop(copy)).await;
    removed.map_err(|error| CaseError::Task(error.to_string()))?;
    Ok((judged, shown))
}

fn prepare(case: &Case, plan: &Plan, setup: &Setup) -> Result<Copy, CaseError> {
    let copy = Copy::of(plan, &setup.stop)?;
    for file in &case.files {
        copy.create(file).map_err(|source| CaseError::Create {
            path: file.path.clone(),
            source,
        })?;
    }
    Ok(copy)
}

fn could_not_start(step: &Step) -> bool {
    step.failure
        .as_ref()
        .is_some_and(|failure| failure.kind() == FailureKind::Start)
}
