//! Processes of the same user that would answer in a server's place.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::Path,
    thread,
};

use serde_json::{Value, json};

use super::{
    AGENTS, guarded,
    server::{Residence, Server, until},
};
use crate::desk::{Ran, answered, before, ran};

/// What a bridge does with this in the place of a server: it decides by itself, tells the user these words, and the model
/// none of them.
#[track_caller]
fn decided_alone(residence: &Residence<'_>, worker: &str, words: &str) {
    for agent in AGENTS {
        alone(&residence.ask(agent), worker, words);
    }
}

#[track_caller]
fn alone(ran: &Ran, worker: &str, words: &str) {
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(
        ran.stderr.starts_with("denied by worker 'guard': "),
        "{ran:?}"
    );
    assert!(
        !ran.stderr.contains(worker),
        "the server has asked: {ran:?}"
    );
    assert!(!ran.stderr.contains("resident"), "{ran:?}");
    let told: Value = serde_json::from_str(&ran.stdout).expect("an object");
    let told = told["systemMessage"].as_str().unwrap_or_default();
    let prefix = "hookchain has decided this without the resident chain: ";
    assert!(told.starts_with(prefix) && told.contains(words), "{ran:?}");
}

/// A server, and the worker that it keeps.
fn served<'a>(residence: &'a Residence<'_>) -> (Server<'a>, String) {
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    (server, worker)
}

/// Listens in the place of the socket, as this process.
fn plant(socket: &Path) -> UnixListener {
    fs::remove_file(socket).expect("removed");
    let listener = UnixListener::bind(socket).expect("bound");
    fs::set_permissions(socket, fs::Permissions::from_mode(0o600)).expect("its mode");
    listener
}

/// What a bridge says to this listener, which agrees to everything in the words of the version before.
fn overheard(residence: &Residence<'_>, listener: &UnixListener, worker: &str) -> Vec<u8> {
    let frame = |fields: &[&str]| {
        let mut body = Vec::new();
        for field in fields {
            body.extend(u32::try_from(field.len()).expect("short").to_le_bytes());
            body.extend(field.as_bytes());
        }
        let length = u32::try_from(body.len()).expect("short").to_le_bytes();
        [b"hookch\x01\n", &length[..], &body, b"end\n"].concat()
    };
    let agreed = [frame(&["taken"]), frame(&["nothing", ""])].concat();
    thread::scope(|scope| {
        let bridge = scope.spawn(|| residence.ask("claude"));
        let (mut stream, _nameless) = listener.accept().expect("connected");
        let _gone_or_heard = stream.write_all(&agreed);
        let mut heard = Vec::new();
        // A bridge that hangs up has not read what was said to it.
        if let Err(error) = stream.read_to_end(&mut heard) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        }
        let ran = bridge.join().expect("ended");
        alone(&ran, worker, "another process than the one of the record");
        heard
    })
}

#[test]
fn a_socket_that_was_replaced_is_not_believed_and_not_told_of_the_call() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let listener = plant(&server.socket);
    assert_eq!(overheard(&residence, &listener, &worker), b"");
    // The server that it was taken from leaves what is not its own, and the next one takes the place.
    let socket = server.socket.clone();
    assert_eq!(server.end("TERM"), Some(0));
    assert!(socket.exists());
    drop(listener);
    let server = residence.serve(&[]);
    residence.worker("claude");
    assert_eq!(server.end("TERM"), Some(0));
    assert!(!socket.exists());
}

#[test]
fn a_link_in_the_place_of_the_socket_is_not_followed() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let moved = server.socket.with_extension("moved");
    fs::rename(&server.socket, &moved).expect("moved");
    symlink(&moved, &server.socket).expect("linked");
    decided_alone(&residence, &worker, "something else than is expected there");
    fs::remove_file(&server.socket).expect("removed");
    fs::rename(&moved, &server.socket).expect("moved back");
    assert_eq!(residence.worker("claude"), worker);
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn a_record_counts_only_as_the_server_has_left_it() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let record = server.file("record");
    let text = fs::read_to_string(&record).expect("read");
    assert_eq!(
        fs::metadata(&record).expect("there").permissions().mode() & 0o777,
        0o600
    );
    for mode in [0o640, 0o604, 0o660] {
        fs::set_permissions(&record, fs::Permissions::from_mode(mode)).expect("its mode");
        decided_alone(&residence, &worker, "its mode lets other users in");
    }
    fs::set_permissions(&record, fs::Permissions::from_mode(0o600)).expect("its mode");
    for wrong in ["", "{}", "not JSON", &text.replace('{', r#"{"more":1,"#)] {
        fs::write(&record, wrong).expect("written");
        decided_alone(&residence, &worker, "cannot be used");
    }
    fs::write(&record, &text).expect("written");
    let moved = record.with_extension("moved");
    fs::rename(&record, &moved).expect("moved");
    decided_alone(&residence, &worker, "cannot be used");
    symlink(&moved, &record).expect("linked");
    decided_alone(&residence, &worker, "something else than is expected there");
    fs::rename(&moved, &record).expect("moved back");
    assert_eq!(residence.worker("claude"), worker);
    assert_eq!(server.end("TERM"), Some(0));
    assert!(!record.exists());
}

/// The record with other values.
fn change(server: &Server<'_>, changes: &Value) {
    let record = server.file("record");
    let text = fs::read_to_string(&record).expect("read");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    for (name, changed) in changes.as_object().expect("members") {
        value[name] = changed.clone();
    }
    fs::write(&record, value.to_string()).expect("written");
}

#[test]
fn a_server_without_the_secret_of_the_record_is_not_believed() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let record = fs::read_to_string(server.file("record")).expect("read");
    change(&server, &json!({"secret": "0".repeat(64)}));
    decided_alone(&residence, &worker, "does not prove that it has the secret");
    change(&server, &json!({"secret": "0".repeat(63)}));
    decided_alone(&residence, &worker, "cannot be used");
    fs::write(server.file("record"), record).expect("written");
    change(&server, &json!({"limits": ""}));
    decided_alone(&residence, &worker, "it has other limits");
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn other_limits_are_told_of_and_start_no_other_server() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let line = r#"ulimit -c 0; ulimit -s 4096; exec "$0" bridge claude --connect"#;
    let sh = residence.program("sh", &["-c", line, env!("CARGO_BIN_EXE_hookchain")]);
    let ran = answered(sh, before("ls").to_string().as_bytes());
    alone(&ran, &worker, "it has other limits");
    assert_eq!(residence.servers(), [server.id()]);
    assert_eq!(server.end("TERM"), Some(0));
}

/// When a process began, as the record has it.
fn began(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("read");
    let (_, rest) = stat.rsplit_once(')').expect("a name");
    let began = rest.split_whitespace().nth(19).expect("its begin");
    began.parse().expect("a number")
}

#[test]
fn the_record_of_a_dead_server_is_not_that_of_the_process_with_its_id() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, worker) = served(&residence);
    let (socket, record) = (server.socket.clone(), server.file("record"));
    let pid = std::process::id();
    // This process has got the id, and has begun later than the record says.
    change(&server, &json!({"pid": pid, "started": began(pid) - 1}));
    let reused = fs::read(&record).expect("read");
    // And the same as if it had begun then: it is another program.
    change(&server, &json!({"pid": pid, "started": began(pid)}));
    let planted = fs::read(&record).expect("read");
    assert_eq!(server.end("KILL"), None);
    let listener = plant(&socket);
    for record_of_this in [reused, planted] {
        fs::write(&record, record_of_this).expect("written");
        assert_eq!(overheard(&residence, &listener, &worker), b"");
    }
}

#[test]
fn no_server_listens_where_an_agent_could_put_another() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    // A workspace outside of the folder for temporary files, which is refused for itself.
    let outside = residence.path().join("workspace");
    fs::create_dir_all(outside.join(".basis")).expect("made");
    for file in [".basis/hooks.json", "guard.sh"] {
        fs::copy(desk.path().join("ws").join(file), outside.join(file)).expect("copied");
    }
    let workspace = outside.to_str().expect("UTF-8");
    let in_open = desk.path().join("home/state");
    let cases = [
        (outside.join("state"), "where the workspace is"),
        // Everybody may write to the folder for temporary files, in which the home of this test is.
        (in_open.clone(), "where everybody may write"),
        ("state".into(), "no absolute path"),
    ];
    for (state, words) in cases {
        let with = |args: &[&str]| {
            let mut command = residence.command(args);
            command
                .args(["--workspace", workspace])
                .env("XDG_STATE_HOME", &state);
            command
        };
        let serve = ran(with(&["serve", "--socket"]).output().expect("started"));
        assert_eq!(serve.status, Some(1), "{serve:?}");
        assert!(serve.stderr.contains(words), "{serve:?}");
        let bridge = with(&["bridge", "claude", "--connect"]);
        let ran = answered(bridge, before("ls").to_string().as_bytes());
        alone(&ran, "no worker", words);
        assert!(!desk.path().join("ws").join(&state).exists());
    }
    assert!(residence.servers().is_empty());
}

#[test]
fn a_record_without_a_socket_is_no_reason_to_warn() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let (server, _worker) = served(&residence);
    let socket = server.socket.clone();
    assert_eq!(server.end("KILL"), None);
    // As a server leaves it that is about to listen, or has just ended.
    fs::remove_file(&socket).expect("removed");
    let ran = residence.ask("claude");
    assert!(!ran.stdout.contains("systemMessage"), "{ran:?}");
    until("a server again", || socket.exists());
}

#[test]
fn a_socket_without_a_record_is_told_of_and_cleared_away() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    for text in [None, Some("no record")] {
        let server = residence.serve(&[]);
        let worker = residence.worker("claude");
        let record = server.file("record");
        assert_eq!(server.end("KILL"), None);
        match text {
            None => fs::remove_file(&record).expect("removed"),
            Some(text) => fs::write(&record, text).expect("written"),
        }
        alone(&residence.ask("claude"), &worker, "cannot be used");
        until("a server again", || {
            let ran = residence.ask("claude");
            assert_eq!(ran.status, Some(2), "{ran:?}");
            !ran.stdout.contains("systemMessage")
        });
        for server in residence.servers() {
            residence.signal("TERM", &server);
        }
        until("its end", || residence.servers().is_empty());
    }
}
