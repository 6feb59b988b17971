//! How many servers a user has.

use std::fs;

use super::{
    FILES, guarded,
    server::{Residence, Server, until, worker_of},
};

/// As many as there are at most.
const MOST: usize = 4;

/// One more of another environment, and the worker that it keeps.
fn another<'a>(residence: &'a Residence<'_>, number: usize) -> (Server<'a>, String) {
    let language = language(number);
    let server = residence.serve_in(&[("LANG", &language)]);
    (server, worker(residence, number))
}

fn language(number: usize) -> String {
    format!("C.{number}")
}

/// The worker of the server of that environment.
fn worker(residence: &Residence<'_>, number: usize) -> String {
    let mut command = residence.command(&["bridge", "claude", "--connect"]);
    command.env("LANG", language(number));
    worker_of(command)
}

#[test]
fn the_oldest_ends_when_another_one_starts() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let mut servers: Vec<_> = (0..MOST)
        .map(|number| another(&residence, number))
        .collect();
    for (number, (_, known)) in servers.iter().enumerate() {
        assert_eq!(&worker(&residence, number), known);
    }
    for number in MOST..MOST + 2 {
        servers.push(another(&residence, number));
        let (oldest, known) = servers.remove(0);
        assert_eq!(
            oldest.wait(),
            Some(0),
            "it has ended as if it had been told to"
        );
        assert!(!residence.lives(&known));
        assert_eq!(residence.files().len(), MOST * FILES);
    }
    for (number, (server, known)) in servers.into_iter().enumerate() {
        assert_eq!(worker(&residence, number + 2), known);
        assert_eq!(server.end("TERM"), Some(0));
    }
}

#[test]
fn bridges_in_ever_new_environments_start_no_more_than_that() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    for number in 0..12 {
        worker(&residence, number);
    }
    until("no more than there may be", || {
        residence.servers().len() <= MOST && residence.files().len() <= MOST * FILES
    });
}

#[test]
fn what_dead_ones_have_left_is_cleared_away_and_counts_for_nothing() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let kept = another(&residence, 0);
    for number in 1..=MOST {
        let (server, worker) = another(&residence, number);
        assert_eq!(server.end("KILL"), None);
        until("the end of its worker", || !residence.lives(&worker));
    }
    let (last, _) = another(&residence, MOST + 1);
    assert_eq!(residence.files().len(), 2 * FILES);
    assert_eq!(worker(&residence, 0), kept.1);
    for server in [last, kept.0] {
        assert_eq!(server.end("TERM"), Some(0));
    }
}

#[test]
fn one_that_does_not_end_is_passed_over_for_the_next() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let mut servers: Vec<_> = (0..MOST)
        .map(|number| another(&residence, number))
        .collect();
    let (stopped, _) = servers.remove(0);
    residence.signal("STOP", &stopped.id());
    let (last, _) = another(&residence, MOST);
    let (next, _) = servers.remove(0);
    assert_eq!(next.wait(), Some(0));
    residence.signal("CONT", &stopped.id());
    assert_eq!(stopped.wait(), Some(0), "it was told to end as well");
    for server in servers.into_iter().map(|(server, _)| server).chain([last]) {
        assert_eq!(server.end("TERM"), Some(0));
    }
}

#[test]
fn a_record_that_names_another_process_ends_none() {
    let desk = guarded();
    let residence = Residence::new(&desk);
    let servers: Vec<_> = (0..MOST)
        .map(|number| another(&residence, number))
        .collect();
    let (oldest, _) = servers.first().expect("some");
    let record = oldest.file("record");
    let text = fs::read_to_string(&record).expect("read");
    // This process, if it had got the id of the oldest.
    let id = format!(r#""pid":{}"#, oldest.id());
    let own = format!(r#""pid":{}"#, std::process::id());
    assert!(text.contains(&id));
    fs::write(&record, text.replace(&id, &own)).expect("written");
    let (last, _) = another(&residence, MOST);
    let mut servers = servers.into_iter().map(|(server, _)| server);
    let oldest = servers.next().expect("the oldest");
    let next = servers.next().expect("the next");
    assert_eq!(next.wait(), Some(0));
    for server in servers.chain([oldest, last]) {
        assert_eq!(server.end("TERM"), Some(0));
    }
}
