use super::*;
use crate::testing::policy;

/// The lengths of what is delivered, and how many notes there were.
fn added(answers: &[&[String]]) -> (Vec<usize>, usize) {
    let mut contexts = Contexts::default();
    let notes = answers
        .iter()
        .filter_map(|texts| contexts.add(&policy("lint"), texts.to_vec()));
    let notes = notes.count();
    let all = contexts.into_all();
    (
        all.iter().map(|context| context.text.len()).collect(),
        notes,
    )
}

fn long(letter: &str, bytes: usize) -> String {
    letter.repeat(bytes / letter.len())
}

#[test]
fn the_same_words_are_delivered_once_and_all_are_bounded() {
    let who = policy("lint");
    let mut contexts = Contexts::default();
    assert_eq!(contexts.add(&who, vec!["a".into()]), None);
    assert_eq!(contexts.add(&who, vec!["a".into()]), None);
    assert_eq!(contexts.add(&who, vec![" \n".into()]), None);
    for letter in ["b", "c", "d", "e", "f"] {
        contexts.add(&who, vec![letter.repeat(MAX_CONTEXT_BYTES)]);
    }
    let note = contexts
        .add(&who, vec!["\u{e4}".repeat(MAX_CONTEXT_BYTES)])
        .expect("a note");
    assert!(note.contains("are left out"), "{note}");
    let all = contexts.into_all();
    assert_eq!(all.len(), 5);
    assert_eq!(
        all.iter().map(|context| context.text.len()).sum::<usize>(),
        MAX_ALL_BYTES
    );
}

#[test]
fn the_words_of_one_answer_are_bounded_together() {
    let answer = [long("a", 10_000), long("b", 10_000), long("c", 10)];
    assert_eq!(
        added(&[&answer]),
        (vec![10_000, MAX_CONTEXT_BYTES - 10_000], 1)
    );
    // Another answer has its own bound.
    let other = [long("d", 10_000)];
    assert_eq!(added(&[&answer, &other]).0.last(), Some(&10_000));
}

#[test]
fn long_words_that_were_said_before_are_not_delivered_again() {
    let words = [long("a", MAX_CONTEXT_BYTES + 100)];
    let (lengths, notes) = added(&[&words, &words]);
    assert_eq!((lengths, notes), (vec![MAX_CONTEXT_BYTES], 2));
}

#[test]
fn words_are_cut_between_characters() {
    let answer = [long("\u{20ac}", 3 * MAX_CONTEXT_BYTES)];
    let (lengths, notes) = added(&[&answer]);
    assert_eq!((lengths, notes), (vec![MAX_CONTEXT_BYTES / 3 * 3], 1));
}

#[test]
fn what_is_within_the_bounds_is_noted_nowhere() {
    let full = ["a", "b", "c", "d"].map(|letter| [long(letter, MAX_CONTEXT_BYTES)]);
    let full: Vec<&[String]> = full.iter().map(|words| &words[..]).collect();
    assert_eq!(added(&full), (vec![MAX_CONTEXT_BYTES; 4], 0));
}
