//! The bodies of the fuzz targets, on random bytes and on seeds with slips in them.

use std::{fs, path::Path};

use hookchain_tests::fuzz;
use proptest::prelude::*;

/// What must hold for any bytes.
type Body = fn(&[u8]);

/// The inputs under version control for one target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/seeds")
        .join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("seeds")
        .map(|entry| entry.expect("a seed").path())
        .collect();
    files.sort();
    assert!(files.len() >= 5, "{target} has {} seeds", files.len());
    files
        .iter()
        .map(|path| fs::read(path).expect("a seed"))
        .collect()
}

/// One slip: a byte changed, left out, added, or a part of the whole repeated.
#[derive(Clone, Debug)]
enum Slip {
    Change(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Insert(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
}

fn slip() -> impl Strategy<Value = Slip> {
    let byte = || {
        prop_oneof![
            any::<u8>(),
            prop::sample::select(&b"{}[]\",:\\n0-e. \n\xff"[..])
        ]
    };
    let place = any::<prop::sample::Index>;
    prop_oneof![
        4 => (place(), byte()).prop_map(|(place, byte)| Slip::Change(place, byte)),
        3 => place().prop_map(Slip::Remove),
        4 => (place(), byte()).prop_map(|(place, byte)| Slip::Insert(place, byte)),
        1 => place().prop_map(Slip::Cut),
        2 => (place(), place()).prop_map(|(from, to)| Slip::Repeat(from, to)),
    ]
}

fn slipped(mut bytes: Vec<u8>, slips: &[Slip]) -> Vec<u8> {
    for slip in slips.iter().cloned() {
        let end = bytes.len() + 1;
        match slip {
            Slip::Insert(place, byte) => bytes.insert(place.index(end), byte),
            Slip::Cut(place) => bytes.truncate(place.index(end)),
            Slip::Repeat(from, to) => {
                let (from, to) = (from.index(end), to.index(end));
                let part = bytes[from.min(to)..from.max(to)].to_vec();
                bytes.extend(part);
            }
            _ if bytes.is_empty() => {}
            Slip::Change(place, byte) => {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            Slip::Remove(place) => drop(bytes.remove(place.index(bytes.len()))),
        }
    }
    bytes
}

fn inputs(target: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let spoilt = (
        prop::sample::select(seeds(target)),
        prop::collection::vec(slip(), 0..6),
    );
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..200),
        4 => spoilt.prop_map(|(seed, slips)| slipped(seed, &slips)),
    ]
}

#[test]
fn every_seed_holds() {
    let bodies: [(&str, Body); 5] = [
        ("chain", fuzz::chain),
        ("hooks_file", fuzz::hooks_file),
        ("request", fuzz::request),
        ("response", fuzz::response),
        ("source", fuzz::source),
    ];
    for (target, body) in bodies {
        for seed in seeds(target) {
            body(&seed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_response(bytes in inputs("response")) {
        fuzz::response(&bytes);
    }

    #[test]
    fn a_hooks_file(bytes in inputs("hooks_file")) {
        fuzz::hooks_file(&bytes);
    }

    #[test]
    fn a_request(bytes in inputs("request")) {
        fuzz::request(&bytes);
    }

    #[test]
    fn a_text_that_a_person_writes(bytes in inputs("source")) {
        fuzz::source(&bytes);
    }

    #[test]
    fn a_chain(bytes in inputs("chain")) {
        fuzz::chain(&bytes);
    }
}
