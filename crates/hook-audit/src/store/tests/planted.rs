//! Files that were put where records go.

use std::os::unix::fs::chown;

use super::*;

const TODAY: &str = "2026-11-30";
const THIRD: &str = "hooks-2026-11-30.0003.jsonl";

/// What went wrong beside writing: of which kind, where, and why.
fn troubles(store: &mut Store) -> Vec<(StoreErrorKind, String, String)> {
    let mut found = Vec::new();
    while let Some(error) = store.trouble() {
        let name = error.path.file_name().unwrap_or_default();
        found.push((
            error.kind,
            name.to_string_lossy().into_owned(),
            error.source.to_string(),
        ));
    }
    found
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

fn stores(place: &Place) -> [Store; 2] {
    [place.store(), place.chained()]
}

#[test]
fn a_link_a_pipe_or_a_folder_is_not_written_to_and_recording_goes_on_without_waiting() {
    let plants: [fn(&Path); 4] = [
        |path| symlink("/dev/null", path).expect("a link"),
        |path| symlink(path.with_extension("victim"), path).expect("a link"),
        |path| mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).expect("a pipe"),
        |path| fs::create_dir(path).expect("a folder"),
    ];
    for plant in plants {
        for is_chained in [false, true] {
            let place = Place::new();
            plant(&place.file(FIRST));
            let [plain, chained] = stores(&place);
            let mut store = if is_chained { chained } else { plain };
            append(&mut store, &["a"], TODAY);
            append(&mut store, &["b"], TODAY);
            let written = fs::read_to_string(place.file(SECOND)).expect("records");
            assert_eq!(written.lines().count(), 2);
            assert!(!place.file(FIRST).with_extension("victim").exists());
            let why = "it is not a regular file".to_owned();
            assert_eq!(
                troubles(&mut store),
                [(StoreErrorKind::Foreign, FIRST.to_owned(), why)]
            );
        }
    }
}

#[test]
fn a_file_that_others_may_write_to_is_left_as_it_is() {
    for bits in [0o666, 0o620, 0o602, 0o777] {
        for is_chained in [false, true] {
            let place = Place::new();
            fs::write(place.file(FIRST), "theirs\n").expect("a file");
            mode(&place.file(FIRST), bits);
            let [plain, chained] = stores(&place);
            let mut store = if is_chained { chained } else { plain };
            append(&mut store, &["a"], TODAY);
            assert_eq!(
                fs::read_to_string(place.file(FIRST)).expect("a file"),
                "theirs\n"
            );
            assert_eq!(place.names(), [FIRST, SECOND]);
            let why = format!("others may write to it (mode {bits:04o})");
            assert_eq!(
                troubles(&mut store),
                [(StoreErrorKind::Foreign, FIRST.to_owned(), why)]
            );
        }
    }
    let place = Place::new();
    fs::write(place.file(FIRST), "").expect("a file");
    mode(&place.file(FIRST), 0o644);
    append(&mut place.store(), &["a"], TODAY);
    assert_eq!(place.names(), [FIRST]);
}

#[test]
fn a_file_of_another_user_is_not_written_to() {
    let place = Place::new();
    let path = place.file(FIRST);
    fs::write(&path, "").expect("a file");
    if chown(&path, Some(65_534), None).is_err() {
        eprintln!("skipped: only root can give a file away");
        return;
    }
    let mut store = place.store();
    append(&mut store, &["a"], TODAY);
    assert_eq!(fs::read(&path).expect("a file"), b"");
    assert_eq!(place.read(), (vec!["a".into()], 0));
    let why = "it belongs to another user".to_owned();
    assert_eq!(
        troubles(&mut store),
        [(StoreErrorKind::Foreign, FIRST.to_owned(), why)]
    );
}

#[test]
fn a_file_that_others_come_to_own_or_a_next_part_that_they_made_is_left_while_recording_goes_on() {
    let place = Place::new();
    let mut store = place.store();
    append(&mut store, &["a"], TODAY);
    mode(&place.file(FIRST), 0o666);
    append(&mut store, &["b"], TODAY);
    assert_eq!(place.names(), [FIRST, SECOND]);
    fs::write(place.file(THIRD), "").expect("a file");
    mode(&place.file(THIRD), 0o666);
    append(&mut store, &["c"], TODAY);
    append(&mut store, &["d"], TODAY);
    assert_eq!(fs::read(place.file(THIRD)).expect("a file"), b"");
    assert_eq!(place.read().0, ["a", "b", "c", "d"]);
    let told: Vec<_> = troubles(&mut store)
        .into_iter()
        .map(|(_, name, _)| name)
        .collect();
    assert_eq!(told, [FIRST, THIRD]);
}

#[test]
fn many_planted_parts_do_not_stop_recording() {
    let place = Place::new();
    let [mut plain, mut chained] = stores(&place);
    append(&mut plain, &["a"], TODAY);
    for part in 2..40 {
        let path = place.file(&format!("hooks-2026-11-30.{part:04}.jsonl"));
        fs::write(&path, "").expect("a file");
        mode(&path, 0o666);
    }
    append(&mut plain, &["b"], TODAY);
    for number in 0..8 {
        append(&mut chained, &[&number.to_string()], TODAY);
    }
    assert_eq!(place.read().0.len(), 10);
}

#[test]
fn a_part_at_the_end_of_the_counter_is_passed_over_and_told_of_once() {
    for part in ["4294967295", "4294967294", "1000000"] {
        for is_chained in [false, true] {
            let place = Place::new();
            let stray = format!("hooks-2026-11-30.{part}.jsonl");
            fs::write(place.file(&stray), "").expect("a file");
            let [plain, chained] = stores(&place);
            let mut store = if is_chained { chained } else { plain };
            append(&mut store, &["a", "b", "c", "d", "e", "f", "g", "h"], TODAY);
            append(&mut store, &["i"], TODAY);
            assert_eq!(place.read().0.len(), 9);
            assert_eq!(fs::read(place.file(&stray)).expect("a file"), b"");
            let told = troubles(&mut store);
            assert_eq!(told.len(), 1, "{told:?}");
            assert_eq!(
                (told[0].0, told[0].1.as_str()),
                (StoreErrorKind::Stray, stray.as_str())
            );
        }
    }
}

#[test]
fn the_last_part_grows_and_a_planted_one_does_not_stop_recording() {
    let last = "hooks-2026-11-30.999999.jsonl";
    let place = Place::new();
    fs::write(place.file(last), "").expect("a file");
    mode(&place.file(last), 0o600);
    let mut store = place.chained();
    for _ in 0..8 {
        append(&mut store, &["a", "b"], TODAY);
    }
    assert_eq!(place.names(), [last]);
    assert_eq!(place.read().0.len(), 16);
    verify(place.path(), None).expect("a chain");

    let place = Place::new();
    fs::write(place.file(last), "").expect("a file");
    mode(&place.file(last), 0o666);
    for is_chained in [false, true] {
        let [plain, chained] = stores(&place);
        let mut store = if is_chained { chained } else { plain };
        append(&mut store, &["a"], TODAY);
        append(&mut store, &["b"], TODAY);
        assert_eq!(place.names(), ["hooks-2026-11-30.999998.jsonl", last]);
    }
}

#[test]
fn a_file_of_the_future_does_not_take_the_chain_over() {
    for future in ["2026-12-03", "2027-01-01", "9999-12-31"] {
        let place = Place::new();
        append(&mut place.chained(), &["a"], TODAY);
        let stray = format!("hooks-{future}.0001.jsonl");
        fs::write(place.file(&stray), "").expect("a file");
        let mut store = place.chained();
        append(&mut store, &["b"], TODAY);
        append(&mut store, &["c"], "2026-12-01");
        assert_eq!(
            place.names(),
            [FIRST, "hooks-2026-12-01.0001.jsonl", &stray]
        );
        assert_eq!(fs::read(place.file(&stray)).expect("a file"), b"");
        verify(place.path(), None).expect("a chain");
        assert_eq!(
            troubles(&mut store).first().map(|told| told.0),
            Some(StoreErrorKind::Stray)
        );
    }
    // A clock that is a day ahead is a clock.
    let place = Place::new();
    append(&mut place.chained(), &["a"], "2026-12-01");
    append(&mut place.chained(), &["b"], TODAY);
    assert_eq!(place.names(), ["hooks-2026-12-01.0001.jsonl"]);
}

#[test]
fn a_large_file_of_the_future_takes_no_room_from_records() {
    let place = Place::new();
    append(&mut place.store(), &["a"], "2026-11-29");
    fs::write(
        place.file("hooks-9999-12-31.0001.jsonl"),
        "x".repeat(10_000),
    )
    .expect("a file");
    let mut store = Store::new(Settings {
        retention: Retention::default().keep_bytes(5_000),
        ..place.settings()
    });
    append(&mut store, &["b"], TODAY);
    let kept = place.names();
    assert!(
        kept.contains(&"hooks-2026-11-29.0001.jsonl".to_owned()),
        "{kept:?}"
    );
}
