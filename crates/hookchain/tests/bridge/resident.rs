//! A chain that stays: whatever becomes of it, the decision is the one of the hooks, and nothing is left of it.

mod accidents;
mod approver;
mod impostors;
mod memory;
mod room;
pub(crate) mod server;

use std::{fs, mem, os::unix::fs::PermissionsExt, process::Command, thread};

use self::server::{Residence, WORKER, until, worker_of};
use crate::desk::{Desk, answered, before, ran};

/// A socket, a record and a lock.
const FILES: usize = 3;

const AGENTS: [&str; 2] = ["claude", "codex"];

/// The hook that denies with its process id.
fn guarded() -> Desk {
    Desk::with_hook("pre_tool_use", r#","mode":"worker""#, WORKER)
}

#[test]
fn workers_stay_warm_and_go_with_the_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let first = residence.worker("claude");
    for agent in AGENTS {
        assert_eq!(residence.worker(agent), first, "{agent}");
    }
    assert_eq!(server.end("TERM"), Some(0));
    assert!(!residence.lives(&first));
    assert_eq!(residence.files(), [""; 0]);
}

#[test]
fn what_no_hook_guards_passes_and_what_is_no_call_blocks_as_without_it() {
    let desk = Desk::with_hook("post_tool_use", "", "exit 1");
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    for agent in AGENTS {
        let ran = residence.ask(agent);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""), "{agent}");
        let ran = residence.bridge(agent, b"{");
        assert_eq!(ran.status, Some(2), "{agent}");
        assert_eq!(ran.stderr, desk.ask_with(&["bridge", agent], "{").stderr);
    }
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn every_recorded_failure_is_told_in_the_same_words() {
    for script in ["exit 1", "echo nonsense", "kill -9 $$"] {
        let fields = r#","on_failure":"allow""#;
        for fields in ["", fields] {
            let desk = Desk::with_hook("pre_tool_use", fields, script);
            let residence = Residence::new(&desk);
            let server = residence.serve(&[]);
            for agent in AGENTS {
                let here = desk.ask(agent, &before("ls"));
                let there = residence.ask(agent);
                assert_eq!(
                    (there.status, there.stdout, there.stderr),
                    (here.status, here.stdout, here.stderr),
                    "{agent} {script} {fields}"
                );
            }
            assert_eq!(server.end("TERM"), Some(0));
        }
    }
}

#[test]
fn the_first_call_decides_by_itself_and_the_later_ones_find_a_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let first = residence.worker("claude");
    until("a server", || residence.files().len() == FILES);
    let mut before = first.clone();
    until("a worker that stays", || {
        let now = residence.worker("claude");
        mem::replace(&mut before, now.clone()) == now
    });
    assert_ne!(before, first);
}

#[test]
fn fifty_at_once_get_fifty_answers_and_one_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    thread::scope(|scope| {
        let asked: Vec<_> = (0..50)
            .map(|_| scope.spawn(|| residence.worker("codex")))
            .collect();
        for asked in asked {
            asked.join().expect("denied by the worker");
        }
    });
    until("one server", || {
        residence.files().len() == FILES && residence.servers().len() == 1
    });
}

#[test]
fn many_at_once_are_answered_by_one_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let mut workers = thread::scope(|scope| {
        let asked: Vec<_> = (0..40)
            .map(|_| scope.spawn(|| residence.worker("claude")))
            .collect();
        let workers = asked.into_iter().map(|asked| asked.join().expect("denied"));
        workers.collect::<Vec<_>>()
    });
    workers.sort();
    workers.dedup();
    assert!(workers.len() <= 40, "{workers:?}");
    assert_eq!(server.end("TERM"), Some(0));
    assert!(workers.iter().all(|worker| !residence.lives(worker)));
}

#[test]
fn a_change_of_the_hooks_files_counts_at_the_next_call() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let file = "ws/.basis/hooks.json";
    let text = desk.read(file);
    let worker = residence.worker("claude");
    // As large as before, and perhaps within one tick of the file system's clock.
    desk.write(file, &text.replace("pre_tool_use", "pre_tool_usX"));
    let ran = residence.ask("claude");
    assert!(ran.stderr.contains("hooks.json:1:"), "{ran:?}");
    desk.write(file, &text.replace("guard\"", "other\""));
    let ran = residence.ask("claude");
    assert!(ran.stderr.contains("worker 'other'"), "{ran:?}");
    until("the worker of before is gone", || !residence.lives(&worker));
    fs::remove_file(desk.path().join(file)).expect("removed");
    assert_eq!(residence.ask("claude").status, Some(0));
    // One that was not there, with a program of its own.
    desk.write("home/.config/basis/guard.sh", "");
    let of_user = desk.path().join("home/.config/basis/guard.sh");
    fs::copy(desk.path().join("ws/guard.sh"), of_user).expect("copied");
    desk.write("home/.config/basis/hooks.json", &text);
    residence.worker("claude");
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn a_hook_that_comes_to_ask_for_kinds_or_facts_blocks_every_call() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    residence.worker("claude");
    let file = "ws/.basis/hooks.json";
    let text = desk.read(file);
    for field in [r#""kinds":["write"]"#, r#""facts":true"#] {
        let with_field = format!(r#""name":"guard",{field}"#);
        desk.write(file, &text.replace(r#""name":"guard""#, &with_field));
        for agent in AGENTS {
            let ran = residence.ask(agent);
            assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
            assert!(
                ran.stderr
                    .contains("hooks.json:1:38: hook `guard`: this host "),
                "{agent}: {ran:?}"
            );
        }
    }
    desk.write(file, &text);
    residence.worker("claude");
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn another_environment_or_program_has_another_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    let other = |change: &dyn for<'a> Fn(&'a mut Command) -> &'a mut Command| {
        let mut command = residence.command(&["bridge", "claude", "--connect"]);
        change(&mut command);
        assert_ne!(worker_of(command), worker);
    };
    other(&|command| command.env("LANG", "C.UTF-8"));
    other(&|command| command.env("HOOKCHAIN_DEPTH", "1"));
    // Another version of the program in the same place.
    let copy = desk.path().join("hookchain");
    let replaced = desk.path().join("new");
    for to in [&copy, &replaced] {
        fs::copy(env!("CARGO_BIN_EXE_hookchain"), to).expect("copied");
        fs::set_permissions(to, fs::Permissions::from_mode(0o755)).expect("its mode");
    }
    let name = copy.to_str().expect("UTF-8");
    let old = residence.serve_with(name, &[]);
    let bridge = || residence.program(name, &["bridge", "claude", "--connect"]);
    let before = worker_of(bridge());
    assert_eq!(worker_of(bridge()), before);
    fs::rename(&replaced, &copy).expect("replaced");
    assert_ne!(worker_of(bridge()), before);
    assert_eq!(old.end("TERM"), Some(0));
    assert_eq!(residence.worker("claude"), worker);
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn what_differs_from_call_to_call_needs_no_other_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    for (within, temporary) in [("60", "one"), ("90", "two"), ("570", "gone")] {
        let folder = desk.path().join(temporary);
        if temporary != "gone" {
            fs::create_dir(&folder).expect("made");
        }
        let mut command = residence.command(&["bridge", "claude", "--connect"]);
        command.args(["--within", within]);
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, &folder);
        }
        assert_eq!(worker_of(command), worker, "{within} {temporary}");
    }
    assert_eq!(residence.servers(), [server.id()]);
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn a_server_that_a_bridge_starts_has_no_folder_of_a_call() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"cat >/dev/null; echo "{\"decision\":\"deny\",\"reason\":\"$PPID $TMPDIR\"}""#,
    );
    let residence = Residence::new(&desk);
    let folder = desk.path().join("temporary");
    fs::create_dir(&folder).expect("made");
    let said = || {
        let mut command = residence.command(&["bridge", "codex", "--connect"]);
        command.env("TMPDIR", &folder);
        answered(command, before("ls").to_string().as_bytes()).stderr
    };
    assert!(said().ends_with(&format!(" {}\n", folder.display())));
    until("an answer of the server", || {
        let servers = residence.servers();
        let [server] = servers.as_slice() else {
            return false;
        };
        said() == format!("denied by hook 'guard': {server} /tmp\n")
    });
}

#[test]
fn the_limit_is_the_one_of_the_call() {
    let script = "cat >/dev/null; exec sleep 600";
    let desk = Desk::with_hook("pre_tool_use", r#","timeout_ms":600000"#, script);
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let payload = before("ls").to_string();
    let here = desk.ask_with(&["bridge", "claude", "--within", "1"], &payload);
    let there = residence.command(&["bridge", "claude", "--connect", "--within", "1"]);
    let there = answered(there, payload.as_bytes());
    assert_eq!(there, here);
    assert!(there.stderr.contains("1000 ms"), "{there:?}");
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn a_server_that_nobody_asks_ends() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&["--idle", "1"]);
    let worker = residence.worker("claude");
    assert_eq!(server.wait(), Some(0));
    assert!(!residence.lives(&worker));
    assert_eq!(residence.files(), [""; 0]);
    residence.worker("claude");
}

#[test]
fn there_is_one_server_and_none_within_a_hook() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let second = residence.run(&["serve", "--socket"]);
    assert_eq!(second.status, Some(1));
    assert!(
        second
            .stderr
            .contains("another resident chain serves this workspace already"),
        "{second:?}"
    );
    let mut nested = residence.command(&["serve", "--socket"]);
    nested.env("HOOKCHAIN_DEPTH", "1");
    let nested = ran(nested.output().expect("started"));
    assert_eq!(nested.status, Some(1));
    assert!(
        nested.stderr.contains("HOOKCHAIN_DEPTH is set"),
        "{nested:?}"
    );
    assert_eq!(residence.run(&["serve"]).status, Some(2));
    residence.worker("claude");
    assert_eq!(server.end("INT"), Some(0));
}

#[test]
fn the_settings_say_that_it_connects() {
    let desk = guarded();
    for (agent, file, scope) in [
        ("claude", "ws/.claude/settings.json", "project"),
        ("codex", "home/.codex/hooks.json", "user"),
    ] {
        let args = ["--scope", scope, "--within", "60", "--connect"];
        let program = ["--program", env!("CARGO_BIN_EXE_hookchain")];
        desk.run(&[&["bridge", "install", agent], &args[..], &program].concat());
        let settings = desk.read(file);
        assert!(settings.contains("--connect"), "{settings}");
        let ran = desk.run(&["bridge", "uninstall", agent, "--scope", scope]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(!desk.path().join(file).exists(), "{}", desk.read(file));
    }
}
