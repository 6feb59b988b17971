//! A server that is lost or stopped, and a place that is not safe.

use std::{
    fs,
    io::{Read, Write},
    mem,
    os::unix::fs::PermissionsExt,
    process::{Child, Stdio},
};

use super::{
    FILES, guarded,
    server::{Residence, until},
};
use crate::desk::{Desk, Ran, before, ran};

/// The hook that waits to be killed when it is asked first, and denies when it is asked again.
fn waiting() -> Desk {
    let script = r#"if mkdir asked 2>/dev/null; then echo $$ > up; exec sleep 600; fi
echo '{"decision":"deny","reason":"asked again"}'"#;
    let desk = Desk::with_hook("pre_tool_use", r#","timeout_ms":600000"#, script);
    let made = desk.program("mkfifo").arg("up").status().expect("started");
    assert!(made.success());
    desk
}

/// A bridge whose hook is being asked, and that hook.
fn asking(desk: &Desk, residence: &Residence<'_>) -> (Child, String) {
    let mut command = residence.command(&["bridge", "claude", "--connect"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("its input");
    let payload = before("ls").to_string();
    stdin.write_all(payload.as_bytes()).expect("read");
    drop(stdin);
    let mut pid = String::new();
    let mut up = fs::File::open(desk.path().join("ws/up")).expect("opened");
    up.read_to_string(&mut pid).expect("read");
    (child, pid.trim().to_owned())
}

#[test]
fn a_server_that_ends_or_is_killed_in_the_middle_of_a_call_decides_nothing() {
    for signal in ["TERM", "KILL"] {
        let desk = waiting();
        let residence = Residence::new(&desk);
        let server = residence.serve(&[]);
        let (child, hook) = asking(&desk, &residence);
        let status = server.end(signal);
        assert_eq!(status, (signal == "TERM").then_some(0));
        let ran = ran(child.wait_with_output().expect("its end"));
        assert_eq!(ran.status, Some(2), "{signal}: {ran:?}");
        assert_eq!(ran.stderr, "denied by hook 'guard': asked again\n");
        if signal == "KILL" {
            residence.signal("KILL", &hook);
        }
        until("the end of the hook", || !residence.lives(&hook));
    }
}

#[test]
fn a_bridge_that_goes_away_takes_its_hooks_with_it() {
    for (signal, status) in [("TERM", Some(2)), ("KILL", None)] {
        let desk = waiting();
        let residence = Residence::new(&desk);
        let server = residence.serve(&[]);
        let (child, hook) = asking(&desk, &residence);
        residence.signal(signal, &child.id().to_string());
        let ran = ran(child.wait_with_output().expect("its end"));
        assert_eq!(ran.status, status, "{ran:?}");
        until("the end of the hook", || !residence.lives(&hook));
        let ran = residence.ask("claude");
        assert_eq!(ran.stderr, "denied by hook 'guard': asked again\n");
        assert_eq!(server.end("TERM"), Some(0));
    }
}

#[test]
fn what_a_dead_server_has_left_is_no_obstacle() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    assert_eq!(server.end("KILL"), None);
    assert_eq!(
        residence.files().len(),
        FILES,
        "a socket that nobody listens on"
    );
    assert_ne!(residence.worker("claude"), worker);
    // It has started the next one.
    let mut before = String::new();
    until("a worker that stays", || {
        let now = residence.worker("claude");
        mem::replace(&mut before, now.clone()) == now
    });
}

#[test]
fn a_place_that_others_could_write_to_is_not_used() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    let directory = server.socket.parent().expect("a directory").to_owned();
    for (path, open, closed) in [(&server.socket, 0o666, 0o600), (&directory, 0o777, 0o700)] {
        let mode = |mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
        mode(open).expect("its mode");
        assert_ne!(residence.worker("claude"), worker);
        mode(closed).expect("its mode");
        assert_eq!(residence.worker("claude"), worker);
    }
    let told = |ran: &Ran| {
        let words = "hookchain has decided this without the resident chain: ";
        ran.stdout.contains(words)
    };
    assert!(!told(&residence.ask("claude")));
    let socket = server.socket.clone();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).expect("its mode");
    let refused = residence.run(&["serve", "--socket"]);
    assert_eq!(refused.status, Some(1));
    let ran = residence.ask("claude");
    assert!(told(&ran), "the user reads it: {ran:?}");
    assert!(
        !ran.stderr.contains("resident"),
        "the model does not: {ran:?}"
    );
    assert!(
        refused
            .stderr
            .contains("is not safe to listen in: its mode"),
        "{refused:?}"
    );
    assert_eq!(server.end("TERM"), Some(0));
    assert!(!socket.exists());
}

#[test]
fn a_server_that_is_stopped_is_not_waited_for() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    residence.signal("STOP", &server.id());
    let ran = residence.ask("claude");
    assert_eq!(ran.status, Some(2));
    assert!(!ran.stderr.contains(&worker), "{ran:?}");
    assert!(
        ran.stdout.contains("it did not take the call in time"),
        "{ran:?}"
    );
    residence.signal("CONT", &server.id());
    assert_eq!(server.end("TERM"), Some(0));
}
