//! `hookchain stats`.

use crate::desk::{Desk, FILTERS};

#[track_caller]
fn shown(name: &str, desk: &Desk, options: &[&str]) {
    let ran = desk.run(&[&["stats", "records"], options].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let mut filters = FILTERS.to_vec();
    // Which of the two takes longer in all is nobody's rule.
    filters.push((r"hook '(guard|watch)'.*", "hook …"));
    // Columns are as wide as the times in them.
    filters.push((r"  +", "  "));
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!(name, ran.stdout);
    });
}

#[test]
fn a_person_reads_a_table_for_hooks_and_one_for_days() {
    shown("human", &Desk::recorded(&[]), &[]);
}

#[test]
fn a_program_reads_the_sums() {
    let ran = Desk::recorded(&[]).run(&["stats", "records", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        [
            &report["consultations"],
            &report["lost"],
            &report["unreadable"]
        ],
        [4, 0, 0]
    );
    let hooks = report["hooks"].as_array().expect("hooks");
    let mut sums: Vec<_> = hooks
        .iter()
        .map(|hook| {
            let names = ["calls", "denials", "rewrites", "failures", "unanswered"];
            let numbers = names.map(|name| hook[name].as_u64().expect("a number"));
            (hook["name"].as_str().expect("a name"), numbers)
        })
        .collect();
    sums.sort_unstable();
    assert_eq!(
        sums,
        [("guard", [3, 1, 1, 0, 0]), ("watch", [3, 0, 0, 1, 0])]
    );
    let shares: f64 = hooks
        .iter()
        .map(|hook| hook["share"].as_f64().expect("a number"))
        .sum();
    assert!(
        (0.5..=1.001).contains(&shares),
        "hooks are what is waited for: {shares}"
    );
    let day = &report["days"][0];
    assert_eq!(
        [
            &day["consultations"],
            &day["denials"],
            &day["rewrites"],
            &day["failures"]
        ],
        [4, 1, 1, 1]
    );
}

#[test]
fn no_records_are_said_to_be_none() {
    let desk = Desk::recorded(&[]);
    let ran = desk.run(&["stats", "records", "--since", "9999-01-01"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "nothing is recorded\n")
    );
}
