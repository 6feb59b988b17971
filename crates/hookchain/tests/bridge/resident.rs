//! A chain that stays: whatever becomes of it, the decision is the one of the hooks, and nothing is left of it.

mod accidents;
mod approver;
pub(crate) mod server;

use std::{fs, mem, os::unix::fs::PermissionsExt, process::Command, thread};

use self::server::{Residence, WORKER, until, worker_of};
use crate::desk::{Desk, before, ran};

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
    until("a server", || residence.files().len() == 2);
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
        residence.files().len() == 2 && residence.servers().len() == 1
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
fn another_environment_limit_or_program_has_another_server() {
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
    other(&|command| command.args(["--within", "60"]));
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
