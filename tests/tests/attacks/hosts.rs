//! Hosts that lack something, or that do too much.

use std::{
    fs,
    os::unix::{fs::chown, process::CommandExt},
    path::Path,
    process::Command,
};

use hookchain_tests::{PATIENCE, Workspace, census::assert_nobody_in, fake_hook, program};
use serde_json::{Value, json};

/// Somebody without privileges. There need not be a user of that number.
const NOBODY: u32 = 65_534;

/// A host that asks a hook, started through a command that prepares its state.
struct Host<'a> {
    workspace: &'a Workspace,
    mode: &'a str,
    prepare: &'a str,
    hook: &'a [&'a str],
}

impl Host<'_> {
    /// The command that runs the host's `own` program; one that does not end is ended.
    fn command(&self, own: &Path) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-k", "1", &PATIENCE.as_secs().to_string()]);
        command.args(["/bin/sh", "-c", self.prepare, "sh"]).arg(own);
        command.arg(self.workspace.above().join("outcomes"));
        command.arg(self.mode).arg(self.workspace.path());
        command.args(self.hook);
        command
    }

    /// What came of each question.
    fn outcomes(&self, mut command: Command) -> Vec<Value> {
        let status = command.status().expect("started");
        assert!(status.success(), "{}: {status}", self.mode);
        let file = self.workspace.above().join("outcomes");
        let text = fs::read_to_string(file).expect("outcomes");
        let lines = text.lines().skip(1);
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    fn run(&self) -> Vec<Value> {
        self.outcomes(self.command(&program("embedder")))
    }
}

/// By a program, because a file that this one writes could be open in a child that another test
/// starts meanwhile, and then cannot be run.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg(from).arg(to).status();
    assert!(status.expect("started").success());
}

/// The host as it is.
const AS_IT_IS: &str = r#"exec "$@""#;

#[test]
fn a_host_that_may_start_no_process_gets_a_denial_that_explains_it_and_goes_on() {
    let workspace = Workspace::new();
    // The limit binds only those without privileges, who can reach only what is theirs.
    let own = workspace.above().join("embedder");
    let hook = workspace.above().join("fake-hook");
    copy(&program("embedder"), &own);
    copy(Path::new(&fake_hook()), &hook);
    let is_privileged = rustix::process::geteuid().is_root();
    if is_privileged {
        for path in [workspace.above(), workspace.path(), &own, &hook] {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("given away");
        }
    }
    let host = Host {
        workspace: &workspace,
        mode: "crowded",
        prepare: AS_IT_IS,
        hook: &[hook.to_str().expect("UTF-8"), "read", "allow"],
    };
    let mut command = host.command(&own);
    if is_privileged {
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    let outcomes = host.outcomes(command);
    let reason = "denied, because hook 'hook' could not be started: the system is out of processes (see `ulimit -u`): \
                  Resource temporarily unavailable (os error 11)";
    assert_eq!(
        outcomes,
        [
            json!({"outcome": "deny", "reason": reason}),
            json!({"outcome": "allow"})
        ]
    );
    assert_nobody_in(workspace.path());
}

#[test]
fn nothing_that_is_needed_is_on_a_disk() {
    let workspace = Workspace::new();
    for hook in [
        &["read", "flood-err=300000", "echo"] as &[&str],
        &["spawn-holding=hang", "modify={}"],
    ] {
        let fake = fake_hook();
        let words = [&[fake.as_str()], hook].concat();
        let host = Host {
            workspace: &workspace,
            mode: "diskless",
            prepare: AS_IT_IS,
            hook: &words,
        };
        let outcomes = host.run();
        assert_eq!(outcomes[0], outcomes[1], "without a file and with any");
        assert_eq!(outcomes[0]["outcome"], "modify", "{outcomes:?}");
    }
}

#[test]
fn a_host_that_blocks_every_signal_is_served_and_its_hooks_block_none() {
    let workspace = Workspace::new();
    let script = r#"#!/bin/sh
cat >/dev/null
while read -r name mask; do
    case $name in SigBlk:) echo "{\"decision\":\"deny\",\"reason\":\"$mask\"}" ;; esac
done </proc/$$/status
"#;
    workspace.write("look", script, 0o755);
    let host = |hook| Host {
        workspace: &workspace,
        mode: "consult",
        prepare: r#"exec env --block-signal "$@""#,
        hook,
    };
    let outcomes = host(&["./look"]).run();
    let reason = "denied by hook 'hook': 0000000000000000";
    assert_eq!(outcomes, [json!({"outcome": "deny", "reason": reason})]);
    // Nothing depends on a signal that is not delivered: neither an end nor a broken pipe.
    let outcomes = host(&[&fake_hook(), "close=0", "allow"]).run();
    assert_eq!(outcomes, [json!({"outcome": "allow"})]);
}

#[test]
fn a_host_that_waits_for_every_child_may_take_a_status_and_never_makes_it_consent() {
    let workspace = Workspace::new();
    let unknown = "denied, because hook 'hook' ended with an unknown status";
    for (steps, own) in [
        (&["read", "allow"] as &[&str], json!({"outcome": "allow"})),
        (
            &["allow", "exit=3"],
            json!({"outcome": "deny", "reason": "denied, because hook 'hook' ended with status 3"}),
        ),
    ] {
        let fake = fake_hook();
        let words = [&[fake.as_str()], steps].concat();
        let host = Host {
            workspace: &workspace,
            mode: "reaping",
            prepare: AS_IT_IS,
            hook: &words,
        };
        let outcomes = host.run();
        assert_eq!(outcomes.len(), 50);
        for outcome in &outcomes {
            assert!(*outcome == own || outcome["reason"] == unknown, "{outcome}");
        }
    }
}

#[test]
fn a_host_with_a_huge_environment_hands_none_of_it_on() {
    let workspace = Workspace::new();
    let prepare = r#"
big=$(head -c 100000 /dev/zero | tr '\0' x)
export A=$big B=$big C=$big D=$big E=$big F=$big G=$big H=$big
exec "$@""#;
    let host = Host {
        workspace: &workspace,
        mode: "consult",
        prepare,
        hook: &[&fake_hook(), "read", "report"],
    };
    let outcomes = host.run();
    let environment = outcomes[0]["input"]["environment"].as_object();
    let environment = environment.expect("a report");
    assert!(environment.contains_key("PATH"));
    assert!(!environment.contains_key("A"), "{environment:?}");
}
