//! Records as several processes write them, and as processes leave them that are killed, or whose disk is full.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead, BufReader},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
};

use hook_audit::{Reader, Record, stderr_summary, verify};
use hookchain_tests::program;
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How many records each of eight processes writes, unless set; the design's number is 100 000.
const RECORDS: u64 = 3_000;
const PROCESSES: usize = 8;

/// One consultation of the `recorder` program: asked, answered, ended.
const RECORDS_EACH: u64 = 3;

fn records_each() -> u64 {
    env::var("HOOKCHAIN_RECORDS").map_or(RECORDS, |text| text.parse().expect("a number"))
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn recorder(directory: &Path, consultations: u64, options: &[&str]) -> Command {
    let mut command = Command::new(program("recorder"));
    command.arg(directory).arg(consultations.to_string());
    command.args(options).stdout(Stdio::piped());
    command
}

/// What a recorder said at its end.
fn said(child: Child) -> Value {
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

fn record(directory: &Path, consultations: u64, options: &[&str]) -> Value {
    said(
        recorder(directory, consultations, options)
            .spawn()
            .expect("started"),
    )
}

/// What is in a directory of records.
#[derive(Debug, Default)]
struct Found {
    /// The records of each consultation, by letters.
    consultations: BTreeMap<String, String>,
    records: u64,
    lost: u64,
    cut_off: u64,
}

impl Found {
    fn of(directory: &Path) -> Self {
        let mut reader = Reader::open(directory).expect("a directory");
        let mut found = Self::default();
        while let Some(line) = reader.next_line().expect("a line") {
            let Ok(record) = line.record() else {
                found.cut_off += 1;
                continue;
            };
            let letter = match &record {
                Record::Invoked(_) => 'i',
                Record::Result(_) => 'r',
                Record::Consultation(_) => 'c',
                Record::Lost(lost) => {
                    found.lost += lost.records;
                    continue;
                }
                _ => panic!("{record:?}"),
            };
            found.records += 1;
            let id = record.consultation().expect("an id").to_owned();
            found.consultations.entry(id).or_default().push(letter);
        }
        found
    }

    /// Every consultation that is there has all its records, in order.
    #[track_caller]
    fn assert_whole(&self) {
        for (id, letters) in &self.consultations {
            assert_eq!(letters, "irc", "{id}");
        }
    }
}

#[test]
fn eight_processes_record_to_one_directory_and_no_line_is_torn_or_lost() {
    let directory = directory();
    let consultations = records_each().div_ceil(RECORDS_EACH);
    // Parts are small, so that many are begun while others write.
    let start = |_| {
        let options = ["part=1000000", "flush=500"];
        let mut command = recorder(directory.path(), consultations, &options);
        command.spawn().expect("started")
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    for child in children {
        let said = said(child);
        assert_eq!(
            (&said["written"], &said["lost"], &said["reports"]),
            (&json!(consultations * RECORDS_EACH), &json!(0), &json!([]))
        );
    }
    let found = Found::of(directory.path());
    assert_eq!((found.cut_off, found.lost), (0, 0));
    assert_eq!(
        found.consultations.len() as u64,
        consultations * PROCESSES as u64
    );
    found.assert_whole();
    let recorders = found
        .consultations
        .keys()
        .filter_map(|id| id.split_once('-'));
    let mut recorders: Vec<_> = recorders.map(|(recorder, _)| recorder).collect();
    recorders.dedup();
    assert_eq!(recorders.len(), PROCESSES);
}

#[test]
fn eight_processes_make_one_chain() {
    let directory = directory();
    let start = |_| {
        let options = ["chain", "part=100000", "flush=10"];
        let mut command = recorder(directory.path(), 200, &options);
        command.spawn().expect("started")
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    for child in children {
        assert_eq!(said(child)["lost"], 0);
    }
    let verified = verify(directory.path(), None).expect("it holds");
    assert_eq!(verified.links, 200 * RECORDS_EACH * PROCESSES as u64);
    assert_eq!(verified.cut_off, 0);
}

#[test]
fn a_process_that_is_killed_in_the_middle_of_writing_leaves_what_was_written() {
    for options in [
        &["full", "input=300000", "flush=5"][..],
        &["chain", "flush=20"],
    ] {
        let directory = directory();
        let mut promised = 0;
        for _ in 0..8 {
            promised += killed_while_writing(directory.path(), options);
        }
        // Whoever comes next goes on after what was left.
        let is_chain = options.contains(&"chain");
        let next = record(directory.path(), 10, &options[..1]);
        assert_eq!((&next["written"], &next["lost"]), (&json!(30), &json!(0)));
        let found = Found::of(directory.path());
        assert!(
            found.records >= promised + 30,
            "{promised} were promised: {found:?}"
        );
        assert!(found.cut_off <= 8, "{found:?}");
        for (id, letters) in &found.consultations {
            assert!("irc".starts_with(letters.as_str()), "{id}: {letters}");
        }
        if is_chain {
            let verified = verify(directory.path(), None).expect("it holds");
            assert_eq!(verified.links, found.records);
        }
    }
}

/// Runs a recorder until it says for the third time that something is written, and kills it in what it does next. Gives
/// how many records it said are written.
fn killed_while_writing(directory: &Path, options: &[&str]) -> u64 {
    let mut child = recorder(directory, 1_000_000, options)
        .spawn()
        .expect("started");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut written = 0;
    for line in lines.take(3) {
        written = line.expect("a line").parse().expect("a number");
    }
    child.kill().expect("killed");
    child.wait().expect("an end");
    written
}

/// The only outcome of a call that nobody objects to.
fn allowed(times: u64) -> Value {
    json!({"{\"outcome\":\"allow\"}": times})
}

#[track_caller]
fn assert_lost_and_reported(said: &Value, consultations: u64, written: u64, problem: &str) {
    let records = consultations * RECORDS_EACH;
    assert_eq!(said["outcomes"], allowed(consultations));
    assert_eq!(
        (&said["written"], &said["lost"], &said["settled"]),
        (&json!(written), &json!(records - written), &json!(true)),
        "{said}"
    );
    assert_reported_once(said, problem);
}

/// What is in the way was said once, and every lost record was told of.
#[track_caller]
fn assert_reported_once(said: &Value, problem: &str) {
    let reports = said["reports"].as_array().expect("reports");
    let texts = reports.iter().map(|text| text.as_str().expect("text"));
    let (lost, unwritable): (Vec<_>, Vec<_>) =
        texts.partition(|text| text.contains(" records of hooks were lost, "));
    let [unwritable] = unwritable.as_slice() else {
        panic!("{reports:#?}");
    };
    assert!(unwritable.contains(problem), "{unwritable}");
    // The second time at the end, if something was lost since.
    assert!(lost.len() <= 2, "{reports:#?}");
    let counts = lost
        .iter()
        .map(|text| text.split(' ').next().expect("a word"));
    let counts = counts.map(|word| word.parse::<u64>().expect("a number"));
    assert_eq!(json!(counts.sum::<u64>()), said["lost"]);
}

#[test]
fn a_limit_on_the_size_of_files_ends_no_process_and_changes_no_outcome() {
    let directory = directory();
    // Not a byte may be written; the system's answer to trying is a signal that ends the process.
    let said = record(directory.path(), 1000, &["fsize=0"]);
    assert_lost_and_reported(
        &said,
        1000,
        0,
        "a limit of the process or of the file system",
    );
    // With room for a few lines in a file, there are many files.
    let said = record(directory.path(), 100, &["fsize=2000"]);
    assert_eq!((&said["written"], &said["lost"]), (&json!(300), &json!(0)));
    Found::of(directory.path()).assert_whole();
}

#[test]
fn a_disk_that_is_full_changes_no_outcome_and_the_loss_is_counted_and_reported_once() {
    let directory = directory();
    let place = directory.path().display();
    // A file system of its own, in a name space of its own, so that no rights are needed.
    let script = format!("mount -t tmpfs -o size=64k none {place} && exec \"$@\"");
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        &script,
        "sh",
    ]);
    command
        .arg(program("recorder"))
        .arg(directory.path())
        .arg("2000");
    // All that is lost is lost to the disk, however slow the writer is.
    let command = command.args(["waiting=100000000"]).stdout(Stdio::piped());
    let said = match command.spawn() {
        Ok(child) => child.wait_with_output().expect("an end"),
        Err(error) => return eprintln!("not looked at: no program `unshare`: {error}"),
    };
    if !said.status.success() {
        return eprintln!(
            "not looked at: this system gives nobody name spaces: {}",
            said.status
        );
    }
    let said: Value = serde_json::from_slice(&said.stdout).expect("JSON");
    let written = said["written"].as_u64().expect("a number");
    assert!((50..400).contains(&written), "{said}");
    assert_lost_and_reported(&said, 2000, written, "the disk is full");
}

#[test]
fn a_directory_that_may_not_be_written_changes_no_outcome() {
    const NOBODY: u32 = 65_534;
    let directory = directory();
    let place = directory.path();
    fs::set_permissions(place, fs::Permissions::from_mode(0o555)).expect("read-only");
    let mut command = recorder(place, 1000, &[]);
    if rustix::process::geteuid().is_root() {
        // Nothing is read-only to the superuser.
        command.uid(NOBODY).gid(NOBODY);
    }
    let said = said(command.spawn().expect("started"));
    assert_lost_and_reported(&said, 1000, 0, "give this user the right to write there");
}

#[test]
fn a_directory_that_vanishes_changes_no_outcome() {
    let directory = directory();
    let place = directory.path().join("records");
    let said = record(&place, 1000, &["vanish"]);
    assert_lost_and_reported(&said, 1000, 1500, "the directory is gone");
    assert!(!place.exists());
}

#[test]
fn records_are_kept_until_a_directory_is_back_and_what_was_too_much_is_recorded_as_lost() {
    let directory = directory();
    let place = directory.path().join("records");
    let said = record(&place, 1000, &["vanish", "back"]);
    assert_eq!((&said["written"], &said["lost"]), (&json!(3000), &json!(0)));
    let found = Found::of(&place);
    assert_eq!((found.records, found.lost), (1500, 0));
    found.assert_whole();

    let place = directory.path().join("others");
    let said = record(&place, 1000, &["vanish", "back", "waiting=100000"]);
    let lost = said["lost"].as_u64().expect("a number");
    assert!(lost > 0, "{said}");
    assert_reported_once(&said, "the directory is gone");
    let found = Found::of(&place);
    assert_eq!(said["written"].as_u64(), Some(3000 - lost));
    // What was recorded of losses before the directory vanished, vanished too.
    assert!((1..=lost).contains(&found.lost), "{said}: {found:?}");
    found.assert_whole();
}

#[test]
fn nobody_waits_for_a_lock_that_somebody_keeps() {
    let directory = directory();
    let holder = fs::File::create(directory.path().join(".chain.lock")).expect("a file");
    flock(&holder, FlockOperation::LockExclusive).expect("the lock");
    // More than may wait to be written, so that it would wait for ever if it waited at all.
    let mut command = recorder(directory.path(), 20_000, &["chain", "waiting=100000"]);
    let child = command.spawn().expect("started");
    assert_lost_and_reported(&said(child), 20_000, 0, "another process holds its lock");
    drop(holder);
    assert_eq!(record(directory.path(), 1, &["chain"])["lost"], 0);
}

#[test]
fn what_is_kept_of_standard_error_is_what_the_shared_cases_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/dsh/summary.json");
    let cases: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(path).expect("the cases")).expect("JSON");
    assert_eq!(cases.len(), 40);
    for case in cases {
        let stderr = case["stderr"].as_str().expect("text");
        let most = usize::try_from(case["max_chars"].as_u64().expect("a number")).expect("a size");
        assert_eq!(
            stderr_summary(stderr, most).as_deref(),
            case["expect"].as_str(),
            "{stderr:?}"
        );
    }
}
