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

#[test]
fn how_often_a_hook_asks_for_a_persons_agreement_is_counted() {
    let desk = Desk::of_several();
    for command in ["publish", "make deploy", "ls"] {
        desk.record_command(command, &[]);
    }
    let ran = desk.run(&["stats", "records", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let hooks = report["hooks"].as_array().expect("hooks");
    let mut sums: Vec<_> = hooks
        .iter()
        .map(|hook| {
            let numbers = ["calls", "denials", "asks"].map(|name| hook[name].as_u64());
            (hook["name"].as_str().expect("a name"), numbers)
        })
        .collect();
    sums.sort_unstable();
    let numbers = |numbers: [u64; 3]| numbers.map(Some);
    assert_eq!(
        sums,
        [
            ("claude", numbers([3, 0, 0])),
            // Once more about the other form of a deployment.
            ("judge", numbers([4, 0, 0])),
            ("releases", numbers([3, 0, 2])),
        ]
    );

    let ran = desk.run(&["stats", "records", "--html", "page.html"]);
    let columns = |what: &str| -> Vec<String> {
        let line = ran.stdout.lines().find(|line| line.contains(what));
        let line = line.unwrap_or_else(|| panic!("{what}: {}", ran.stdout));
        let cells = line.split("  ").filter(|cell| !cell.is_empty());
        cells.take(4).map(|cell| cell.trim().to_owned()).collect()
    };
    assert_eq!(columns("calls  "), ["calls", "denied", "asks", "changed"]);
    assert_eq!(columns("'releases'"), ["hook 'releases'", "3", "0", "2"]);
    assert_eq!(columns("'judge'"), ["hook 'judge'", "4", "0", "0"]);
    // All calls: three, of which two were denied, because no person could be asked.
    assert_eq!(columns("all calls"), ["all calls", "3", "2", "2"]);
    assert_eq!(report["days"][0]["asks"], 2);
    let page = std::fs::read_to_string(desk.path("page.html")).expect("a page");
    assert!(page.contains("<th scope=\"col\">asks</th>"), "{page}");
    let cell = "data-title=\"asks\"";
    // Of the hook, and of the day.
    assert_eq!(page.matches(&format!("{cell}>2</td>")).count(), 2, "{page}");
    assert_eq!(
        page.matches(&format!("{cell} class=\"none\">0</td>"))
            .count(),
        2
    );
}
