//! What records say beside decisions: a person's agreement, words for the model, single hooks, further passes.

use crate::desk::{Desk, FILTERS};

#[track_caller]
fn shown(name: &str, desk: &Desk) {
    let ran = desk.run(&["log", "records"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let mut filters = FILTERS.to_vec();
    // A question may find its place at once.
    filters.push((r" \(queued \(number\)\)", ""));
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!(name, ran.stdout);
    });
}

#[test]
fn a_person_reads_who_asked_what_came_of_it_and_what_the_model_was_told() {
    let desk = Desk::of_several();
    desk.record_command("make deploy", &["--record-capture", "redacted"]);
    desk.record_command("git push", &["--record-capture", "redacted"]);
    desk.record_command("make deploy", &[]);
    shown("log_beside", &desk);
}

#[test]
fn a_person_reads_whether_a_person_agreed() {
    let desk = Desk::of_several();
    desk.record_asked("publish", "y", &[]);
    desk.record_asked("make deploy", "y", &[]);
    desk.record_asked("publish", "no", &[]);
    shown("log_settled", &desk);
    desk.change_records(
        r#""settled":"granted"}"#,
        r#""settled":"granted","remember":true}"#,
    );
    let told = desk.run(&["log", "records"]).stdout;
    let agreed = "a person agreed, for the rest of the session  (asked by 'releases')\n";
    assert_eq!(told.matches(agreed).count(), 2, "{told}");
}

#[test]
fn a_program_reads_all_of_it_as_it_was_recorded() {
    let desk = Desk::of_several();
    desk.record_command("make deploy", &["--record-capture", "full"]);
    let printed = desk.run(&["log", "records", "--format", "json"]).stdout;
    assert_eq!(printed, desk.text());
    for member in [
        r#""pass":2"#,
        r#""decision":"ask""#,
        r#""in_background":1"#,
        r#""hooks":[{"command":"#,
        r#""approval":{"by":["releases"],"then":"modify","rewrite":"#,
        r#""settled":"unanswered""#,
        r#""context":[{"handler_id":"#,
    ] {
        assert!(printed.contains(member), "{member}: {printed}");
    }
}
