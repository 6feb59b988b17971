//! A server that is lost, stopped, planted or speaks nonsense.

use std::{
    fs,
    io::{Read, Write},
    mem,
    os::unix::{
        fs::PermissionsExt,
        net::{UnixListener, UnixStream},
    },
    process::{Child, Stdio},
    thread,
};

use super::{
    guarded,
    server::{Residence, until},
};
use crate::desk::{Desk, before, ran};

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
        2,
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
    let socket = server.socket.clone();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).expect("its mode");
    let refused = residence.run(&["serve", "--socket", "--within", "5"]);
    assert_eq!(refused.status, Some(1));
    assert!(
        refused
            .stderr
            .contains("is not safe to listen in: its mode"),
        "{refused:?}"
    );
    assert_eq!(server.end("TERM"), Some(0));
    assert!(!socket.exists());
}

/// A message as both sides write it.
fn frame(fields: &[&str]) -> Vec<u8> {
    let mut body = Vec::new();
    for field in fields {
        body.extend(u32::try_from(field.len()).expect("short").to_le_bytes());
        body.extend(field.as_bytes());
    }
    let length = u32::try_from(body.len()).expect("short").to_le_bytes();
    [b"hookch\x01\n", &length[..], &body, b"end\n"].concat()
}

#[test]
fn no_part_of_an_answer_is_one() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let socket = server.socket.clone();
    let allow = frame(&["nothing", ""]);
    let taken = frame(&["taken"]);
    let whole = [taken.clone(), allow.clone()].concat();
    assert_eq!(server.end("TERM"), Some(0));
    let listener = UnixListener::bind(&socket).expect("bound");
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o600)).expect("its mode");
    // One that is whole is believed, so that the others are refused for what they lack.
    assert_eq!(planted(&residence, &listener, &whole), Some(0));
    let cut = (0..whole.len()).step_by(3).map(|end| whole[..end].to_vec());
    let strange = [
        allow.clone(),
        [allow, taken.clone()].concat(),
        [taken.clone(), taken.clone()].concat(),
        [taken.clone(), frame(&["allow"])].concat(),
        [taken, frame(&["nothing"])].concat(),
        b"{\"decision\":\"allow\"}\n".to_vec(),
    ];
    for said in cut.chain(strange) {
        assert_eq!(planted(&residence, &listener, &said), Some(2), "{said:?}");
    }
    // It takes connections and says nothing at all, as one that is stopped.
    assert_eq!(residence.ask("claude").status, Some(2));
}

/// How a bridge ends to which this is said.
fn planted(residence: &Residence<'_>, listener: &UnixListener, said: &[u8]) -> Option<i32> {
    thread::scope(|scope| {
        let bridge = scope.spawn(|| residence.ask("claude").status);
        let (mut stream, _nameless) = listener.accept().expect("connected");
        hear(&mut stream);
        stream.write_all(said).expect("heard");
        drop(stream);
        bridge.join().expect("ended")
    })
}

/// Reads the question.
fn hear(stream: &mut UnixStream) {
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("a head");
    let length = u32::from_le_bytes(head[8..].try_into().expect("four bytes"));
    let mut rest = vec![0; usize::try_from(length).expect("short") + 4];
    stream.read_exact(&mut rest).expect("the rest");
    assert!(rest.ends_with(b"end\n"));
}
