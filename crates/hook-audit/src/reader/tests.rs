use std::{fs, path::Path};

use super::*;
use crate::{Record, RecordsLost};

fn line(text: &str) -> String {
    let record = Record::Lost(RecordsLost {
        at: "2026-11-30".parse().expect("a day"),
        recorder: text.to_owned(),
        records: 0,
    });
    record.to_line() + "\n"
}

fn add(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    let before = fs::read_to_string(&path).unwrap_or_default();
    fs::write(path, before + text).expect("written");
}

/// What is there to be read, one word for each line.
fn read(reader: &mut Reader) -> Vec<String> {
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().expect("a line") {
        let place = line.place().number;
        let word = match line.record() {
            Ok(Record::Lost(record)) => record.recorder,
            Ok(other) => panic!("{other:?}"),
            Err(error) => error.to_string(),
        };
        let mark = if line.is_whole() { "" } else { "…" };
        found.push(format!("{place}:{word}{mark}"));
    }
    found
}

const FIRST: &str = "hooks-2026-11-30.0001.jsonl";
const SECOND: &str = "hooks-2026-11-30.0002.jsonl";
const THIRD: &str = "hooks-2026-12-01.0001.jsonl";
const NO_RECORD: &str = "not a record; the line was cut off when it was written, or altered since";

#[test]
fn lines_are_read_from_the_oldest_file_to_the_newest() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    add(place, THIRD, &line("c"));
    add(place, FIRST, &format!("\n{}\n\n{}", line("a"), line("b")));
    add(place, SECOND, "");
    add(place, "notes.txt", "no record\n");
    let mut reader = Reader::open(place).expect("a directory");
    assert_eq!(read(&mut reader), ["2:a", "5:b", "1:c"]);
    let since = "2026-12-01".parse().expect("a day");
    let mut reader = Reader::open(place).expect("a directory").since(since);
    assert_eq!(read(&mut reader), ["1:c"]);
}

#[test]
fn what_is_no_record_is_said_and_passed_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    add(place, FIRST, &format!("{{\"hook_rec\n{}[]\n", line("a")));
    fs::write(place.join(SECOND), b"{\"\xff\n").expect("written");
    add(
        place,
        THIRD,
        "{\"hook_record\":2,\"type\":\"lost\"}\n{\"hook_record\":1,\"type\":\"new\"}\n{\"hook_record\":1,",
    );
    let mut reader = Reader::open(place).expect("a directory");
    assert_eq!(
        read(&mut reader),
        [
            &format!("1:{NO_RECORD}"),
            "2:a",
            &format!("3:{NO_RECORD}"),
            "1:not text, so no record; the line was altered since it was written",
            "1:a record of version 2, and this program reads version 1; use a newer one",
            "2:a record of the type `new`, which this program does not know; use a newer one",
            &format!("3:{NO_RECORD}…"),
        ]
    );
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let long = "x".repeat(MAX_LINE_BYTES + 1);
    add(directory.path(), FIRST, &format!("{long}\n{}", line("a")));
    let mut reader = Reader::open(directory.path()).expect("a directory");
    let too_long = "1:longer than any record that is read, which is 64 MiB…";
    assert_eq!(read(&mut reader), [too_long, "2:a"]);
    assert!(
        reader.line.capacity() < BUFFER_BYTES,
        "{}",
        reader.line.capacity()
    );
}

#[test]
fn whoever_follows_is_given_what_comes() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    let mut reader = Reader::open(place).expect("a directory").following();
    assert!(read(&mut reader).is_empty());
    add(place, FIRST, &line("a"));
    assert_eq!(read(&mut reader), ["1:a"]);
    let whole = line("b");
    let (begin, end) = whole.split_at(10);
    add(place, FIRST, begin);
    assert!(read(&mut reader).is_empty(), "half a line is none yet");
    append(place, FIRST, end);
    assert_eq!(read(&mut reader), ["2:b"]);
    append(place, FIRST, begin);
    add(place, SECOND, &line("c"));
    assert!(
        read(&mut reader).is_empty(),
        "somebody may still write to the first file"
    );
    assert_eq!(read(&mut reader), [format!("3:{NO_RECORD}…"), "1:c".into()]);
    assert!(read(&mut reader).is_empty());
}

fn append(directory: &Path, name: &str, text: &str) {
    use std::io::Write;
    let file = OpenOptions::new().append(true).open(directory.join(name));
    file.expect("a file")
        .write_all(text.as_bytes())
        .expect("written");
}

#[test]
fn a_directory_that_is_none_is_an_error_that_says_what_to_do() {
    let directory = tempfile::tempdir().expect("a directory");
    let error = Reader::open(directory.path().join("gone")).expect_err("no directory");
    assert_eq!(
        error
            .to_string()
            .replace(&directory.path().display().to_string(), "(place)"),
        "could not read `(place)/gone`; it must be a directory of records, or one of its files, that this user may read"
    );
}

#[test]
fn one_file_is_read_alone_whatever_its_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    add(place, FIRST, &line("a"));
    add(place, SECOND, &line("b"));
    add(place, "picked.jsonl", &(line("c") + &line("d")));
    let since = "2027-01-01".parse().expect("a day");
    for (name, expected) in [(SECOND, vec!["1:b"]), ("picked.jsonl", vec!["1:c", "2:d"])] {
        let mut reader = Reader::open(place.join(name)).expect("a file").since(since);
        assert_eq!(read(&mut reader), expected);
    }
    let mut reader = Reader::open(place.join(FIRST)).expect("a file").following();
    assert_eq!(read(&mut reader), ["1:a"]);
    add(place, FIRST, &line("e"));
    assert_eq!(read(&mut reader), ["2:e"]);
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    rustix::fs::mkfifoat(rustix::fs::CWD, place.join(FIRST), rustix::fs::Mode::RWXU)
        .expect("a pipe");
    add(place, SECOND, &line("b"));
    let mut reader = Reader::open(place).expect("a directory");
    let error = reader.next_line().expect_err("no file");
    assert_eq!(error.source.to_string(), "it is not a regular file");
    assert_eq!(read(&mut reader), ["1:b"], "the file after it is read");
    let error = Reader::open(place.join(FIRST)).expect_err("no directory");
    assert_eq!(error.path, place.join(FIRST));
}
