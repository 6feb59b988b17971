//! Workers in async runtimes that lack something, or whose clock stands still, and in hosts that forget
//! to end them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use hook_contract::{HookCall, HookMode, HookOutcome, HookSpec};
use hook_runner::HookRunner;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

fn workspace() -> TempDir {
    let workspace = tempfile::tempdir().expect("a directory");
    let path = workspace.path().join("hook");
    let script = "#!/bin/sh\nwhile read -r call; do echo '{\"decision\":\"deny\",\"reason\":\"no\"}'; done\n";
    fs::write(&path, script).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    workspace
}

fn runner(workspace: &TempDir) -> HookRunner {
    let hook = HookSpec::new("guard", ["./hook"])
        .with_timeout(Duration::from_secs(600))
        .with_mode(HookMode::Worker);
    HookRunner::new(workspace.path(), vec![hook]).with_reporter(|_| ())
}

fn call() -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", "{}")
}

fn whole() -> Runtime {
    let built = Builder::new_current_thread().enable_all().build();
    built.expect("a runtime")
}

fn denied() -> HookOutcome {
    HookOutcome::deny("denied by worker 'guard': no")
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

#[cfg(target_os = "linux")]
#[test]
fn a_runtime_that_lacks_something_denies_and_leaves_nothing() {
    for mut lacking in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        for what in ["everything", "a clock", "I/O"] {
            let built = match what {
                "a clock" => lacking.enable_io().build(),
                "I/O" => Builder::new_current_thread().enable_time().build(),
                _ => lacking.build(),
            };
            let workspace = workspace();
            let runner = runner(&workspace);
            let runtime = built.expect("a runtime");
            let outcome = runtime.block_on(runner.decide(&call()));
            let reason = outcome.reason().unwrap_or_default();
            assert!(
                reason.starts_with("denied, because worker 'guard'"),
                "without {what}: {outcome:?}"
            );
            assert!(!is_anybodys_home(workspace.path()), "without {what}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_from_a_whole_runtime_may_meet_one_that_lacks_something() {
    let workspace = workspace();
    let runner = runner(&workspace);
    assert_eq!(whole().block_on(runner.decide(&call())), denied());
    for built in [
        Builder::new_current_thread().build(),
        Builder::new_current_thread().enable_time().build(),
        Builder::new_current_thread().enable_io().build(),
    ] {
        let outcome = built.expect("a runtime").block_on(runner.decide(&call()));
        let reason = outcome.reason().unwrap_or_default();
        assert!(
            reason.starts_with("denied, because worker 'guard'"),
            "{outcome:?}"
        );
        assert_eq!(whole().block_on(runner.decide(&call())), denied());
    }
    drop(runner);
    assert!(!is_anybodys_home(workspace.path()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_runner_may_be_dropped_in_a_runtime_that_lacks_a_clock() {
    let workspace = workspace();
    let runner = runner(&workspace);
    assert_eq!(whole().block_on(runner.decide(&call())), denied());
    let bare = Builder::new_current_thread().build().expect("a runtime");
    bare.block_on(async { drop(runner) });
    drop(bare);
    assert!(!is_anybodys_home(workspace.path()));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_to_the_next_deadline_cannot_make_a_worker_agree() {
    let workspace = workspace();
    let runner = runner(&workspace);
    for _ in 0..3 {
        let outcome = runner.decide(&call()).await;
        assert!(matches!(outcome, HookOutcome::Deny(_)), "{outcome:?}");
    }
    runner.shutdown().await;
}

#[tokio::test]
async fn any_number_of_runners_may_come_and_go() {
    let workspace = workspace();
    for _ in 0..20 {
        let runner = runner(&workspace);
        assert_eq!(runner.decide(&call()).await, denied());
        let clone = runner.clone().with_env("MORE", "1");
        assert_eq!(clone.decide(&call()).await, denied());
        assert_eq!(runner.decide(&call()).await, denied());
    }
}
