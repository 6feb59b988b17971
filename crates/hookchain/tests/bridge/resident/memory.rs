//! Bridges that say much, or nothing, to one server.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
};

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use super::{
    guarded,
    server::{Residence, Server, until},
};

/// The largest body that a server hears.
const LARGEST: usize = 16 << 20;

/// What comes before a body.
fn head(length: usize) -> Vec<u8> {
    let length = u32::try_from(length).expect("small").to_le_bytes();
    [b"hookch\x01\n", &length[..]].concat()
}

fn frame(fields: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for field in fields {
        body.extend(u32::try_from(field.len()).expect("short").to_le_bytes());
        body.extend(*field);
    }
    [head(body.len()), body, b"end\n".to_vec()].concat()
}

fn heard(stream: &mut UnixStream) -> Vec<Vec<u8>> {
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("a head");
    let length = u32::from_le_bytes(start[8..].try_into().expect("four bytes"));
    let mut body = vec![0; usize::try_from(length).expect("small") + 4];
    stream.read_exact(&mut body).expect("a body");
    let mut rest = body.strip_suffix(b"end\n").expect("its end");
    let mut fields = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).expect("small");
        let (field, behind) = behind.split_at(length);
        fields.push(field.to_vec());
        rest = behind;
    }
    fields
}

fn connect(server: &Server<'_>) -> UnixStream {
    UnixStream::connect(&server.socket).expect("connected")
}

fn name(socket: &Path) -> String {
    let name = socket.file_stem().expect("a name");
    name.to_str().expect("UTF-8").to_owned()
}

/// A connection of which the server has seen the greeting, and that has proven who it is.
fn greeted(server: &Server<'_>) -> UnixStream {
    let record = fs::read(server.file("record")).expect("read");
    let record: Value = serde_json::from_slice(&record).expect("JSON");
    let digits = record["secret"].as_str().expect("digits");
    let mut key = [0; 64];
    for (index, byte) in key[..32].iter_mut().enumerate() {
        let pair = digits.get(2 * index..2 * index + 2).expect("64 of them");
        *byte = u8::from_str_radix(pair, 16).expect("digits");
    }
    let mac = |side: u8, last: &[u8], fields: &[&[u8]]| -> Vec<u8> {
        let mut mac = Hmac::<Sha256>::new(&key.into());
        mac.update(&[side]);
        mac.update(last);
        for field in fields {
            mac.update(&u64::try_from(field.len()).expect("small").to_le_bytes());
            mac.update(field);
        }
        mac.finalize().into_bytes().to_vec()
    };
    let (name, nonce) = (name(&server.socket), [7; 32]);
    let mut stream = connect(server);
    let hello = frame(&[b"hello", name.as_bytes(), &nonce]);
    stream.write_all(&hello).expect("heard");
    let fields = heard(&mut stream);
    let [word, of_server, mark] = fields.as_slice() else {
        panic!("{fields:?}");
    };
    assert_eq!(word, b"proof");
    let first = mac(0, &[0; 32], &[name.as_bytes(), &nonce, of_server]);
    assert_eq!(&mac(1, &first, &[b"proof", of_server]), mark);
    stream
}

/// What of the memory of a server is there, and was at most, in bytes.
fn resident(server: &Server<'_>) -> [usize; 2] {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).expect("read");
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let digits = line.and_then(|line| line.split_whitespace().next());
        digits.expect("a line").parse::<usize>().expect("a number") << 10
    })
}

/// Whether the other end has closed the connection.
fn is_closed(stream: &mut UnixStream) -> bool {
    match stream.read(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

#[test]
fn what_has_not_proven_itself_keeps_nothing() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    let [before, _] = resident(&server);
    let mut streams: Vec<UnixStream> = (0..40).map(|_| connect(&server)).collect();
    for stream in &mut streams {
        stream.write_all(&head(60 << 20)).expect("room for it");
        assert!(is_closed(stream), "before it has said more");
    }
    // A name that is not the server's, and a secret that is not.
    let mut stream = connect(&server);
    let hello = frame(&[b"hello", &[b'0'; 32], &[0; 32]]);
    stream.write_all(&hello).expect("heard");
    assert!(is_closed(&mut stream));
    let mut stream = greeted(&server);
    let question = frame(&[b"ask", b"claude", b"attended", b"7", b"{}", &[0; 32]]);
    stream.write_all(&question).expect("heard");
    assert!(is_closed(&mut stream));
    let [_, most] = resident(&server);
    assert!(most < before + (8 << 20), "{before} {most}");
    assert_eq!(residence.worker("claude"), worker);
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn all_connections_together_have_one_bound() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let server = residence.serve(&[]);
    let worker = residence.worker("claude");
    let [before, _] = resident(&server);
    // What is announced is not kept yet.
    let mut streams: Vec<UnixStream> = (0..4).map(|_| greeted(&server)).collect();
    for stream in &mut streams {
        stream.write_all(&head(LARGEST)).expect("heard");
    }
    let refused = |what: &str| {
        let mut stream = greeted(&server);
        stream.write_all(&head(1)).expect("heard");
        let said = heard(&mut stream);
        assert_eq!(
            said.first().map(Vec::as_slice),
            Some(&b"busy"[..]),
            "{what}"
        );
    };
    refused("announced");
    let [announced, _] = resident(&server);
    assert!(announced < before + (8 << 20), "{before} {announced}");
    let body = vec![b'x'; LARGEST - 1];
    for stream in &mut streams {
        stream.write_all(&body).expect("heard");
    }
    refused("said");
    let ran = residence.ask("claude");
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(!ran.stderr.contains(&worker), "{ran:?}");
    assert!(
        ran.stdout.contains("it has no memory left for this call"),
        "{ran:?}"
    );
    let [_, most] = resident(&server);
    // Room for what arrives is made in doubling steps.
    assert!(most < before + 9 * LARGEST, "{before} {most}");
    drop(streams);
    until("memory again", || {
        residence.ask("claude").stderr.contains(&worker)
    });
    // One that is too large is not even waited for.
    let mut stream = greeted(&server);
    stream.write_all(&head(LARGEST + 1)).expect("heard");
    assert!(is_closed(&mut stream));
    assert_eq!(server.end("TERM"), Some(0));
}
