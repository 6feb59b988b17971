//! Async runtimes that lack something, or whose clock stands still: a denial, never a crash or a hang.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use hook_contract::{
    HookCall, HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, OnFailure,
    async_trait,
};
use hook_runner::HookRunner;
use tempfile::TempDir;
use tokio::runtime::Builder;

fn workspace(script: &str) -> TempDir {
    let workspace = tempfile::tempdir().expect("a directory");
    let path = workspace.path().join("hook");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    workspace
}

fn hook() -> HookSpec {
    HookSpec::new("guard", ["./hook"]).with_timeout(Duration::from_secs(600))
}

fn call() -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", "{}")
}

#[track_caller]
fn assert_denied(outcome: &HookOutcome, by: &str) {
    let reason = matches!(outcome, HookOutcome::Deny(_)).then(|| outcome.reason());
    let reason = reason.flatten().unwrap_or_default();
    assert!(reason.contains(by), "{outcome:?}");
}

/// Whether a process has this directory as its working directory.
#[cfg(target_os = "linux")]
fn is_anybodys_home(directory: &std::path::Path) -> bool {
    let directory = directory.canonicalize().expect("a directory");
    let processes = fs::read_dir("/proc").expect("processes");
    processes
        .filter_map(Result::ok)
        .any(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == directory))
}

#[test]
fn without_io_in_the_runtime_a_hook_denies_and_its_program_does_not_stay() {
    let workspace = workspace("exec sleep 600");
    let runner = HookRunner::new(workspace.path(), vec![hook()]).with_reporter(|_| ());
    let runtime = Builder::new_current_thread().enable_time().build();
    let outcome = runtime.expect("a runtime").block_on(runner.decide(&call()));
    assert_denied(&outcome, "hook 'guard'");
    #[cfg(target_os = "linux")]
    assert!(!is_anybodys_home(workspace.path()));
}

#[test]
fn without_a_clock_in_the_runtime_a_hook_denies_and_its_program_does_not_stay() {
    let workspace = workspace("exec sleep 600");
    let runner = HookRunner::new(workspace.path(), vec![hook()]).with_reporter(|_| ());
    let runtime = Builder::new_current_thread().enable_io().build();
    let outcome = runtime.expect("a runtime").block_on(runner.decide(&call()));
    assert_denied(&outcome, "hook 'guard'");
    #[cfg(target_os = "linux")]
    assert!(!is_anybodys_home(workspace.path()));
}

/// Agrees with everything.
struct Agrees;

#[async_trait]
impl Interceptor for Agrees {
    fn name(&self) -> &str {
        "agrees"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::Allow)
    }
}

/// Never answers.
struct Hangs;

#[async_trait]
impl Interceptor for Hangs {
    fn name(&self) -> &str {
        "hangs"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        std::future::pending().await
    }
}

#[test]
fn without_a_clock_in_the_runtime_a_budget_is_kept_all_the_same() {
    let runtime = || Builder::new_current_thread().build().expect("a runtime");
    let runner = |budget| {
        HookRunner::builder("/")
            .with_interceptor(Agrees)
            .with_reporter(|_| ())
            .with_budget(budget)
    };
    let agrees = runner(Duration::from_secs(600)).build().expect("a runner");
    assert_eq!(
        runtime().block_on(agrees.decide(&call())),
        HookOutcome::Allow
    );
    let hangs = runner(Duration::from_millis(20)).with_interceptor(Hangs);
    let hangs = hangs.build().expect("a runner");
    assert_denied(
        &runtime().block_on(hangs.decide(&call())),
        "interceptor 'hangs'",
    );
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_to_the_next_deadline_cannot_make_a_hook_agree() {
    let workspace = workspace("read -r call; echo '{\"decision\":\"deny\"}'");
    let runner = HookRunner::new(workspace.path(), vec![hook()]).with_reporter(|_| ());
    assert_denied(&runner.decide(&call()).await, "hook 'guard'");
}

#[tokio::test]
async fn many_at_once_through_one_place_are_all_answered() {
    let workspace = workspace("echo '{\"decision\":\"deny\"}'");
    let runner = HookRunner::builder(workspace.path())
        .with_hooks([hook().with_on_failure(OnFailure::Allow)])
        .with_max_programs(1)
        .build()
        .expect("a runner");
    let asked: Vec<_> = (0..40)
        .map(|_| {
            let runner = runner.clone();
            tokio::spawn(async move { runner.decide(&call()).await })
        })
        .collect();
    for (index, asked) in asked.into_iter().enumerate() {
        if index % 3 == 0 {
            asked.abort();
        } else {
            assert_denied(&asked.await.expect("an outcome"), "hook 'guard'");
        }
    }
}
