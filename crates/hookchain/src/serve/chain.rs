//! The hooks of the workspace, as its files say now.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use hook_config::{HooksConfig, HooksSource};
use hook_runner::HookRunner;

use crate::{approver, bridge::BridgeError};

/// The chain of one workspace.
///
/// The hooks files are read for each call, and compared: no clock is so fine that a change could not hide behind a time and a
/// size, and reading them is a small part of what a call costs.
#[derive(Debug)]
pub(super) struct Chain {
    workspace: PathBuf,
    config: HooksConfig,
    edition: Mutex<Option<Edition>>,
}

/// What was made of files with these texts.
#[derive(Debug)]
struct Edition {
    sources: Vec<HooksSource>,
    runner: HookRunner,
}

/// More than one call at a time is put to hooks for sure, and most of the time they wait.
const PROGRAMS: usize = 64;

/// Calls of several agents need not wait for each other's. The one asked last is asked first, so that more are only
/// started when they are needed.
const WORKERS: usize = 4;

impl Chain {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            workspace: workspace.to_owned(),
            config: HooksConfig::default(),
            edition: Mutex::default(),
        }
    }

    /// Whom to ask now. The workers of hooks that were declared before are let go when their last call is over.
    pub(super) fn runner(&self) -> Result<HookRunner, BridgeError> {
        let mut edition = self.edition.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edition) = &*edition
            && let Ok(sources) = hook_config::discover(&self.workspace, &self.config)
            && sources == edition.sources
        {
            return Ok(edition.runner.clone());
        }
        let loaded =
            hook_config::load(&self.workspace, &self.config).map_err(BridgeError::Config)?;
        let builder = HookRunner::builder(self.workspace.clone());
        let runner = approver::equip(builder, loaded.approver.as_ref())
            .with_approval_within_budget()
            .with_hooks(loaded.hooks)
            .with_reporter(|_told_with_the_call| ())
            .with_max_programs(PROGRAMS)
            .with_workers(WORKERS)
            .build()
            .map_err(BridgeError::Build)?;
        *edition = Some(Edition {
            sources: loaded.sources,
            runner: runner.clone(),
        });
        Ok(runner)
    }

    /// Lets the workers go.
    pub(super) async fn shutdown(&self) {
        let edition = self
            .edition
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(edition) = edition {
            edition.runner.shutdown().await;
        }
    }
}
