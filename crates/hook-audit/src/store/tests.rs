use std::{
    fs,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use proptest::prelude::*;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use super::*;

mod planted;
use crate::{Break, Digest, Reader, Record, RecordsLost, VerifyError, verify};

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn record(text: &str) -> Record {
    Record::Lost(RecordsLost {
        at: day("2026-11-30").start(),
        recorder: text.to_owned(),
        records: 0,
    })
}

fn lines(texts: &[&str]) -> Lines {
    let mut lines = Lines::default();
    for text in texts {
        lines.push(&record(text));
    }
    lines
}

/// A directory, and stores as several processes have them.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn settings(&self) -> Settings {
        Settings {
            directory: self.path().to_owned(),
            max_file_bytes: 1 << 20,
            retention: Retention::default(),
            sync: SyncPolicy::Never,
            is_chained: false,
        }
    }

    fn store(&self) -> Store {
        Store::new(self.settings())
    }

    fn chained(&self) -> Store {
        Store::new(Settings {
            is_chained: true,
            max_file_bytes: 700,
            ..self.settings()
        })
    }

    fn names(&self) -> Vec<String> {
        let names = files(self.path()).expect("a directory");
        names.iter().map(ToString::to_string).collect()
    }

    /// The records that are read back, and how many lines are none.
    fn read(&self) -> (Vec<String>, usize) {
        let mut reader = Reader::open(self.path()).expect("a directory");
        let mut found = Vec::new();
        let mut bad = 0;
        while let Some(line) = reader.next_line().expect("a line") {
            match line.record() {
                Ok(Record::Lost(record)) => found.push(record.recorder),
                Ok(other) => panic!("{other:?}"),
                Err(_) => bad += 1,
            }
        }
        (found, bad)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Adds bytes as somebody does who is killed before the end of the line.
    fn tear(&self, name: &str, bytes: &str) {
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(self.file(name))
            .expect("a file");
        file.write_all(bytes.as_bytes()).expect("written");
    }
}

const FIRST: &str = "hooks-2026-11-30.0001.jsonl";
const SECOND: &str = "hooks-2026-11-30.0002.jsonl";

#[track_caller]
fn append(store: &mut Store, texts: &[&str], date: &str) {
    let mut lines = lines(texts);
    store.append(&mut lines, day(date)).expect("written");
    assert!(lines.is_empty());
}

#[test]
fn several_stores_append_to_the_same_file_and_each_day_has_its_own() {
    let place = Place::new();
    let (mut one, mut other) = (place.store(), place.store());
    append(&mut one, &["a", "b"], "2026-11-30");
    append(&mut other, &["c"], "2026-11-30");
    append(&mut one, &["d"], "2026-11-30");
    append(&mut other, &["e"], "2026-12-01");
    append(&mut one, &["f"], "2026-12-01");
    assert_eq!(place.names(), [FIRST, "hooks-2026-12-01.0001.jsonl"]);
    let read = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).to_vec();
    assert_eq!(place.read(), (read, 0));
}

#[test]
fn a_line_that_was_cut_off_is_passed_over_and_spoils_no_other() {
    let place = Place::new();
    let mut store = place.store();
    append(&mut store, &["a"], "2026-11-30");
    place.tear(FIRST, r#"{"hook_record":1,"type":"lost","at":"20"#);
    assert_eq!(place.read(), (vec!["a".into()], 1));
    append(&mut store, &["b"], "2026-11-30");
    assert_eq!(place.read(), (vec!["a".into(), "b".into()], 1));
    // A line that lacks nothing but its end is a record.
    place.tear(FIRST, &record("c").to_line());
    append(&mut place.store(), &["d"], "2026-11-30");
    let read = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    assert_eq!(place.read(), (read, 1));
}

#[test]
fn a_file_that_is_full_has_a_next_part_which_all_go_on_with() {
    let place = Place::new();
    let small = || {
        Store::new(Settings {
            max_file_bytes: 250,
            ..place.settings()
        })
    };
    let (mut one, mut other) = (small(), small());
    append(&mut other, &["a"], "2026-11-30");
    append(&mut one, &["b", "c", "d"], "2026-11-30");
    append(&mut other, &["e"], "2026-11-30");
    let sizes = place.names().into_iter().map(|name| {
        let text = fs::read_to_string(place.file(&name)).expect("a file");
        (name, text.lines().count())
    });
    let sizes: Vec<_> = sizes.collect();
    assert_eq!(
        sizes,
        [
            (FIRST.into(), 1),
            (SECOND.into(), 2),
            ("hooks-2026-11-30.0003.jsonl".into(), 2),
        ]
    );
    let read = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
    assert_eq!(place.read(), (read, 0));
}

#[test]
fn nothing_is_added_to_a_part_once_there_is_a_next_one() {
    let place = Place::new();
    let mut one = place.store();
    append(&mut one, &["a"], "2026-11-30");
    fs::write(place.file(SECOND), "").expect("written");
    append(&mut one, &["b"], "2026-11-30");
    let second = fs::read_to_string(place.file(SECOND)).expect("a file");
    assert_eq!(second, format!("{}\n", record("b").to_line()));
}

#[test]
fn a_line_that_is_longer_than_a_file_has_one_for_itself() {
    let place = Place::new();
    let mut store = Store::new(Settings {
        max_file_bytes: 250,
        ..place.settings()
    });
    let long = "x".repeat(1000);
    append(&mut store, &["a", &long, "b"], "2026-11-30");
    assert_eq!(place.read(), (vec!["a".into(), long, "b".into()], 0));
    assert_eq!(place.names().len(), 3);
}

#[test]
fn a_file_that_was_removed_or_replaced_is_made_again() {
    let place = Place::new();
    let mut store = place.store();
    append(&mut store, &["a"], "2026-11-30");
    fs::remove_file(place.file(FIRST)).expect("removed");
    append(&mut store, &["b"], "2026-11-30");
    assert_eq!(place.read(), (vec!["b".into()], 0));
    fs::rename(place.file(FIRST), place.file("elsewhere")).expect("moved");
    fs::write(place.file(FIRST), "").expect("written");
    append(&mut store, &["c"], "2026-11-30");
    assert_eq!(place.read(), (vec!["c".into()], 0));
}

#[test]
fn a_directory_that_vanished_is_not_made_again_and_used_when_it_is_back() {
    let place = Place::new();
    let directory = place.path().join("records");
    let mut store = Store::new(Settings {
        directory: directory.clone(),
        ..place.settings()
    });
    store.make_directory().expect("made");
    append(&mut store, &["a"], "2026-11-30");
    fs::remove_dir_all(&directory).expect("removed");
    let mut waiting = lines(&["b", "c"]);
    let error = store
        .append(&mut waiting, day("2026-11-30"))
        .expect_err("no directory");
    assert_eq!(error.kind, StoreErrorKind::Directory);
    assert_eq!(
        error.to_string(),
        format!(
            "could not use the directory `{}`; the directory is gone: make it, or mount what it is on, and recording \
             goes on by itself",
            directory.display()
        )
    );
    assert_eq!((waiting.len(), directory.exists()), (2, false));
    fs::create_dir(&directory).expect("made");
    store
        .append(&mut waiting, day("2026-11-30"))
        .expect("written");
    assert!(waiting.is_empty() && directory.join(FIRST).exists());
}

#[test]
fn records_are_their_owners() {
    let place = Place::new();
    let directory = place.path().join("a/b");
    let mut store = Store::new(Settings {
        directory: directory.clone(),
        ..place.settings()
    });
    store.check(day("2026-11-30")).expect("usable");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join(FIRST)), 0o600);
}

#[test]
fn a_link_or_a_pipe_in_place_of_the_lock_is_refused_without_waiting() {
    let place = Place::new();
    let lock = place.file(".chain.lock");
    let refused = || {
        let mut waiting = lines(&["a"]);
        let appended = place.chained().append(&mut waiting, day("2026-11-30"));
        appended.expect_err("refused").kind
    };
    symlink(place.file("elsewhere"), &lock).expect("a link");
    assert_eq!(refused(), StoreErrorKind::Open);
    assert!(!place.file("elsewhere").exists());
    fs::remove_file(&lock).expect("removed");
    mknodat(CWD, &lock, FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
    assert_eq!(refused(), StoreErrorKind::Open);
}

#[test]
fn old_files_are_removed_when_a_new_one_is_begun() {
    let place = Place::new();
    for date in ["2026-11-27", "2026-11-28", "2026-11-29"] {
        append(&mut place.store(), &["a"], date);
    }
    let keep = |retention| Settings {
        retention,
        ..place.settings()
    };
    let mut days = Store::new(keep(Retention::default().keep_days(3)));
    append(&mut days, &["b"], "2026-11-30");
    assert_eq!(
        place.names(),
        [
            "hooks-2026-11-28.0001.jsonl",
            "hooks-2026-11-29.0001.jsonl",
            FIRST
        ]
    );
    let line = record("a").to_line().len() as u64 + 1;
    let mut bytes = Store::new(keep(Retention::default().keep_bytes(line * 2)));
    append(&mut bytes, &["c"], "2026-12-01");
    assert_eq!(
        place.names(),
        [
            "hooks-2026-11-29.0001.jsonl",
            FIRST,
            "hooks-2026-12-01.0001.jsonl"
        ]
    );
    fs::write(place.file("notes.txt"), "x".repeat(1000)).expect("written");
    let mut none = Store::new(keep(Retention::default().keep_bytes(0)));
    append(&mut none, &["d"], "2026-12-02");
    assert_eq!(place.names(), ["hooks-2026-12-02.0001.jsonl"]);
    assert!(place.file("notes.txt").exists(), "it is no record file");
}

#[test]
fn what_is_synchronised_is_written() {
    let place = Place::new();
    for sync in [SyncPolicy::Always, SyncPolicy::Every(Duration::ZERO)] {
        let mut store = Store::new(Settings {
            sync,
            ..place.settings()
        });
        append(&mut store, &["a"], "2026-11-30");
        assert!(!store.is_dirty);
        store.sync().expect("nothing to do");
    }
    assert_eq!(place.read().0.len(), 2);
}

/// Stores that take turns in a chain over several files, and what they leave.
fn chain() -> (Place, Vec<String>) {
    let place = Place::new();
    let mut stores = [place.chained(), place.chained()];
    for (index, text) in ["a", "b", "c", "d", "e", "f", "g"].iter().enumerate() {
        let date = if index < 5 {
            "2026-11-30"
        } else {
            "2026-12-01"
        };
        append(&mut stores[index % 2], &[text, "-"], date);
    }
    let text = |name: &String| fs::read_to_string(place.file(name)).expect("a file");
    let all = place.names().iter().map(text).collect::<String>();
    let lines = all.lines().map(str::to_owned).collect();
    (place, lines)
}

/// Writes the lines anew, as many to each file as there were.
fn rewrite(place: &Place, lines: &[String]) {
    let mut rest = lines.iter();
    for name in place.names() {
        let path = place.file(&name);
        let count = fs::read_to_string(&path).expect("a file").lines().count();
        let is_last = place.names().last() == Some(&name);
        let kept = rest
            .by_ref()
            .take(if is_last { usize::MAX } else { count })
            .map(|line| format!("{line}\n"));
        fs::write(&path, kept.collect::<String>()).expect("written");
    }
}

#[test]
fn a_chain_goes_through_all_files_whoever_wrote_them() {
    let (place, lines) = chain();
    assert!(place.names().len() > 3, "{:?}", place.names());
    let verified = verify(place.path(), None).expect("it holds");
    assert_eq!((verified.links, verified.cut_off), (14, 0));
    assert_eq!(verified.first, Digest::NONE);
    let last = lines.last().expect("a line");
    assert_eq!(verified.last, Digest::of(last.as_bytes()));
    append(&mut place.chained(), &["h"], "2026-12-01");
    assert_eq!(verify(place.path(), None).expect("it holds").links, 15);
}

#[test]
fn a_chain_without_its_oldest_files_holds_and_says_so() {
    let (place, _) = chain();
    fs::remove_file(place.file(&place.names()[0])).expect("removed");
    let verified = verify(place.path(), None).expect("it holds");
    assert_ne!(verified.first, Digest::NONE);
}

#[test]
fn a_chain_goes_on_after_a_line_that_was_cut_off_and_speaks_for_it() {
    let (place, _) = chain();
    let last = || place.names().last().expect("a file").clone();
    place.tear(&last(), "{\"hook_record\":1,\"ty");
    append(&mut place.chained(), &["h"], "2026-12-01");
    let last = last();
    place.tear(&last, "{\"hook");
    append(&mut place.chained(), &["i"], "2026-12-01");
    let verified = verify(place.path(), None).expect("it holds");
    assert_eq!((verified.links, verified.cut_off), (16, 2));
    let text = fs::read_to_string(place.file(&last)).expect("a file");
    let text = text
        .strip_suffix("{\"hook\n")
        .map_or_else(|| text.replace("{\"hook\n", ""), str::to_owned);
    fs::write(place.file(&last), text).expect("written");
    let error = verify(place.path(), None).expect_err("a line is missing");
    assert!(matches!(error, VerifyError::Broken { .. }), "{error}");
}

#[test]
fn the_first_line_of_a_chain_that_does_not_hold_is_found() {
    #[track_caller]
    fn broken(change: impl FnOnce(&mut Vec<String>)) -> String {
        let (place, mut lines) = chain();
        change(&mut lines);
        rewrite(&place, &lines);
        let error = verify(place.path(), None).expect_err("it does not hold");
        assert!(matches!(error, VerifyError::Broken { .. }), "{error}");
        error
            .to_string()
            .replace(&format!("{}/", place.path().display()), "")
    }
    let beginning = "it is the first line of a chain: the lines before it were added, or put into another order";
    let altered_or_missing = "the line before it was altered, or lines between the two are missing";
    assert_eq!(
        broken(|lines| lines[2] = lines[2].replace("\"b\"", "\"x\"")),
        format!("{FIRST}:4: {altered_or_missing}")
    );
    assert_eq!(
        broken(|lines| drop(lines.remove(2))),
        format!("{FIRST}:3: {altered_or_missing}")
    );
    assert_eq!(
        broken(|lines| lines.swap(0, 1)),
        format!("{FIRST}:2: {beginning}")
    );
    assert_eq!(
        broken(|lines| lines.swap(1, 2)),
        format!(
            "{FIRST}:2: it was written after line 3 of `{FIRST}`: lines were put into another order"
        )
    );
    assert_eq!(
        broken(|lines| {
            let copy = lines[0].clone();
            lines.insert(1, copy);
        }),
        format!("{FIRST}:2: {beginning}")
    );
    assert_eq!(
        broken(|lines| {
            let copy = lines[3].clone();
            lines.insert(1, copy);
        }),
        format!(
            "{FIRST}:2: it was written after line 4 of `{FIRST}`: lines were put into another order"
        )
    );
}

#[test]
fn an_end_that_was_cut_off_is_found_by_a_digest_that_was_kept() {
    let (place, mut lines) = chain();
    let kept = Some(verify(place.path(), None).expect("it holds").last);
    append(&mut place.chained(), &["h"], "2026-12-01");
    assert!(verify(place.path(), kept).is_ok(), "it is there still");
    lines.pop();
    rewrite(&place, &lines);
    let error = verify(place.path(), kept).expect_err("it is not there");
    assert!(matches!(error, VerifyError::Cut { .. }), "{error}");
    assert!(verify(place.path(), None).is_ok());
    rewrite(&place, &[]);
    let error = verify(place.path(), kept).expect_err("nothing is there");
    assert!(matches!(error, VerifyError::Cut { .. }), "{error}");
}

#[test]
fn a_first_line_that_is_made_one_without_a_link_is_found() {
    let (place, mut lines) = chain();
    lines[0] = lines[0].replace("\"prev\"", "\"pr0v\"");
    rewrite(&place, &lines);
    let error = verify(place.path(), None).expect_err("altered");
    assert!(
        matches!(
            error,
            VerifyError::Broken {
                number: 2,
                what: Break::AlteredOrMissing,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn lines_of_a_time_without_a_chain_may_stand_before_it() {
    let place = Place::new();
    append(&mut place.store(), &["a"], "2026-11-30");
    append(&mut place.chained(), &["b", "c"], "2026-11-30");
    assert_eq!(verify(place.path(), None).expect("it holds").links, 2);
}

#[test]
fn a_record_that_somebody_added_without_a_link_is_found() {
    #[track_caller]
    fn unlinked(go_on: bool) {
        let (place, _) = chain();
        let last = place.names().last().expect("a file").clone();
        let forged = lines(&["forged"]);
        let forged = String::from_utf8(forged.first(usize::MAX).bytes.to_vec()).expect("text");
        let path = place.file(&last);
        let before = fs::read_to_string(&path).expect("a file");
        fs::write(&path, before.clone() + &forged).expect("written");
        if go_on {
            // Its link speaks for the line as well.
            append(&mut place.chained(), &["h"], "2026-12-01");
        }
        let error = verify(place.path(), None).expect_err("it is no part of the chain");
        let wanted = before.lines().count() as u64 + 1;
        assert!(
            matches!(&error, VerifyError::Broken { path: found, number, what: Break::Unlinked, .. }
                if *found == path && *number == wanted),
            "{error}"
        );
    }
    unlinked(false);
    unlinked(true);
}

#[test]
fn records_without_a_chain_are_no_chain_that_holds() {
    let place = Place::new();
    append(&mut place.store(), &["a"], "2026-11-30");
    let error = verify(place.path(), None).expect_err("no chain");
    assert!(matches!(error, VerifyError::NoChain { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_line_that_is_altered_moved_or_taken_out_is_found(
        kind in 0_u8..4, at in 0_usize..13, to in 0_usize..13, position in 0_usize..1000,
    ) {
        let (place, mut lines) = chain();
        let before = lines.clone();
        match kind {
            // Whether the first lines are missing is for whoever knows when recording began.
            0 => { lines.remove(at.max(1)); }
            1 => lines.swap(at, to),
            2 => { let line = lines[at].clone(); lines.insert(to, line); }
            _ => {
                let mut bytes = lines[at].clone().into_bytes();
                // Without its last character the first line would be one that was cut off when older files were there.
                let place = position % (bytes.len() - 1);
                bytes[place] = if bytes[place] == b'0' { b'1' } else { b'0' };
                lines[at] = String::from_utf8(bytes).expect("ASCII");
            }
        }
        prop_assume!(lines != before);
        rewrite(&place, &lines);
        prop_assert!(verify(place.path(), None).is_err());
    }
}
