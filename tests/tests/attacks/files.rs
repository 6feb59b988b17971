//! Programs that change while they are used.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
};

use hook_config::HookSpec;
use hook_contract::HookOutcome;
use hookchain_tests::{
    Bench, PATIENCE, Workspace,
    census::{assert_gone, assert_nobody_in},
    denial, fake_hook,
};

const ALLOW: &str = "#!/bin/sh\nread -r line\necho '{\"decision\":\"allow\"}'\n";
const DENY: &str = "#!/bin/sh\nread -r line\necho '{\"decision\":\"deny\",\"reason\":\"now\"}'\n";

/// A hook that is a file of the workspace.
fn guard() -> HookSpec {
    HookSpec::new("guard", ["./guard"]).with_timeout(PATIENCE * 6)
}

fn denied(reason: &str) -> HookOutcome {
    HookOutcome::deny(format!("denied by hook 'guard': {reason}"))
}

async fn start_failure(bench: &Bench, workspace: &Workspace) -> String {
    let outcome = bench.decide("{}").await;
    assert!(
        denial(&outcome).starts_with("denied, because hook 'guard' could not be started: "),
        "{outcome:?}"
    );
    let reports = bench.reports();
    let said = reports.last().and_then(|report| {
        let report = report.strip_prefix("hook 'guard' could not be started: ")?;
        report.strip_suffix("; the call was denied")
    });
    let said = said.unwrap_or_else(|| panic!("{reports:?}"));
    said.replace(&workspace.path().display().to_string(), "<ws>")
}

#[tokio::test]
async fn a_program_is_what_it_is_when_it_is_asked() {
    let workspace = Workspace::new();
    let path = workspace.write("guard", ALLOW, 0o755);
    let bench = Bench::new(&workspace, [guard()]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);

    // Another file in its place, as editors and package managers put it.
    fs::rename(workspace.write("new", DENY, 0o755), &path).expect("renamed");
    assert_eq!(bench.decide("{}").await, denied("now"));
    // The same file with another text.
    fs::write(&path, ALLOW).expect("written");
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    // A link, and the same link to elsewhere.
    for (target, expected) in [("deny", denied("now")), ("allow", HookOutcome::Allow)] {
        let text = if target == "deny" { DENY } else { ALLOW };
        workspace.write(target, text, 0o755);
        fs::remove_file(&path).expect("removed");
        symlink(target, &path).expect("a link");
        assert_eq!(bench.decide("{}").await, expected, "{target}");
    }
    // Another kind of program.
    fs::remove_file(&path).expect("removed");
    symlink(fake_hook(), &path).expect("a link");
    let said = "gave no answer: it printed nothing, and silence is not consent";
    let outcome = bench.decide("{}").await;
    assert!(denial(&outcome).ends_with(said), "{outcome:?}");
}

#[tokio::test]
async fn a_program_that_is_gone_or_spoilt_denies_until_it_is_back() {
    let workspace = Workspace::new();
    let path = workspace.write("guard", ALLOW, 0o755);
    let bench = Bench::new(&workspace, [guard()]);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);

    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
    let said = "<ws>/./guard is not executable (mode 0600); run `chmod +x` on it";
    assert_eq!(start_failure(&bench, &workspace).await, said);
    fs::remove_file(&path).expect("removed");
    let said = "there is no file <ws>/./guard";
    assert_eq!(start_failure(&bench, &workspace).await, said);
    symlink("guard", &path).expect("a link to itself");
    start_failure(&bench, &workspace).await;
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a directory");
    let said = "<ws>/./guard is a directory, not a program";
    assert_eq!(start_failure(&bench, &workspace).await, said);
    fs::remove_dir(&path).expect("removed");
    for (text, said) in [
        ("", "does not start with a `#!` line"),
        ("#!\n", "could not be started"),
        ("\x7fELF", "could not be started"),
    ] {
        workspace.write("guard", text, 0o755);
        let outcome = bench.decide("{}").await;
        assert!(denial(&outcome).contains(said), "{text:?}: {outcome:?}");
    }
    workspace.write("guard", ALLOW, 0o755);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
}

#[tokio::test]
async fn a_program_may_remove_itself_and_the_workspace_under_the_call() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [guard()]);
    let removing = |what: &str| ALLOW.replace("read", &format!("rm -rf {what}\nread"));
    workspace.write("guard", removing("\"$0\""), 0o755);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    let said = "there is no file <ws>/./guard";
    assert_eq!(start_failure(&bench, &workspace).await, said);

    workspace.write("guard", removing("\"$PWD\""), 0o755);
    assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    let said = "the workspace <ws> is not a directory any more";
    assert_eq!(start_failure(&bench, &workspace).await, said);
    // Another directory of the same path is a workspace again.
    workspace.write("guard", DENY, 0o755);
    assert_eq!(bench.decide("{}").await, denied("now"));
}

#[tokio::test]
async fn a_program_that_is_stopped_and_goes_on_later_has_not_ended() {
    let workspace = Workspace::new();
    let script = "#!/bin/sh
read -r line
self=$$
(echo $self >stopped
while ! grep -q '^State:.T' /proc/$self/status; do :; done
kill -CONT $self) >/dev/null 2>&1 </dev/null &
kill -STOP $self
echo '{\"decision\":\"deny\",\"reason\":\"awake\"}'
";
    workspace.write("guard", script, 0o755);
    let bench = Bench::new(&workspace, [guard()]);
    assert_eq!(bench.decide("{}").await, denied("awake"));
    assert_eq!(bench.reports(), Vec::<String>::new());
    assert_gone(&workspace.lines("stopped").concat());
    assert_nobody_in(workspace.path());
}

#[tokio::test]
async fn a_program_is_not_kept_from_being_written_by_having_been_asked() {
    let workspace = Workspace::new();
    let path = workspace.path().join("guard");
    for round in 0..5 {
        // A program that still ran, or was held open, could not be written.
        fs::copy(fake_hook(), &path).unwrap_or_else(|error| panic!("round {round}: {error}"));
        let hook = HookSpec::new("guard", ["./guard", "read", "allow"]);
        let bench = Bench::new(&workspace, [hook.with_timeout(PATIENCE * 6)]);
        assert_eq!(bench.decide("{}").await, HookOutcome::Allow);
    }
}
