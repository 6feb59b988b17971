//! What records say beside decisions: a person's agreement, words for the model, single hooks, further passes.

use serde_json::Value;

use crate::{
    desk::{Desk, FILTERS, Ran},
    several::SOURCES,
};

const FULL: [&str; 2] = ["--record-capture", "full"];

/// The hook of the workspace.
const RELEASES: &str = "ws/.basis/releases.sh";

fn replay(desk: &Desk, options: &[&str]) -> Ran {
    let words = ["replay", "records", "--workspace", "ws", "--jobs", "1"];
    desk.run(&[&words[..], &SOURCES, options].concat())
}

/// A person agreed to two calls and not to a third; to a fourth, no person could agree.
fn settled() -> Desk {
    let desk = Desk::of_several();
    desk.record_asked("publish", "y", &FULL);
    desk.record_asked("make deploy", "y", &FULL);
    desk.record_asked("publish later", "no", &FULL);
    desk.record_command("make deploy later", &FULL);
    desk.record_command("ls", &FULL);
    desk
}

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
fn a_call_that_is_left_to_the_caller_is_recorded_as_that_and_not_as_a_denial() {
    let desk = Desk::of_several();
    let handed_on = [&FULL[..], &["--on-ask", "report"]].concat();
    desk.record_command("make deploy", &handed_on);
    desk.record_command("ls", &handed_on);
    desk.record_command("publish", &FULL);
    let recorded = desk.text();
    for member in [
        r#""outcome":"ask","approval":{"#,
        r#""settled":"handed_on"}"#,
    ] {
        assert_eq!(recorded.matches(member).count(), 1, "{recorded}");
    }
    assert_eq!(recorded.matches("the call was not made").count(), 1);

    let needed_a_person = desk.run(&["log", "records", "--outcome", "ask"]).stdout;
    assert_eq!(needed_a_person.matches("pre_tool_use").count(), 2);
    let left = "left to the caller to ask a person  (asked by 'releases'; after a yes: modify)\n";
    assert!(needed_a_person.contains(left), "{needed_a_person}");
    assert!(!needed_a_person.contains("call was not made\n"));
    let denied = desk.run(&["log", "records", "--outcome", "deny"]).stdout;
    assert_eq!(denied.matches("pre_tool_use").count(), 1, "{denied}");

    let ran = desk.run(&["stats", "records", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let day = &report["days"][0];
    assert_eq!((&day["denials"], &day["asks"]), (&1.into(), &2.into()));

    let ran = replay(&desk, &[]);
    let same = "3 outcomes as they were, 0 different\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), same),
        "{ran:?}"
    );
    desk.change(RELEASES, "make -n deploy", "make test");
    let ran = replay(&desk, &["--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let then = &report["differences"][0]["then"];
    assert_eq!(then["outcome"], "ask", "{report}");
    assert_eq!(then["asked"]["settled"], "handed_on", "{report}");
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

#[test]
fn a_replay_without_a_person_finds_every_call_as_it_was() {
    let desk = settled();
    for options in [&[][..], &["--reasons"]] {
        let ran = replay(&desk, options);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (Some(0), "5 outcomes as they were, 0 different\n"),
            "{ran:?}"
        );
    }
}

#[test]
fn an_ask_that_appeared_disappeared_or_is_about_another_form_is_told() {
    let desk = settled();
    desk.change(RELEASES, "*publish*)", "*ls*)");
    desk.change(RELEASES, "make -n deploy", "make test");
    let mut filters = FILTERS.to_vec();
    filters.push((r"hooks-\(day\)", "hooks-(day)"));
    let ran = replay(&desk, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    insta::with_settings!({filters => filters.clone()}, {
        insta::assert_snapshot!("replay_asks", ran.stdout);
    });
    let ran = replay(&desk, &["--format", "json"]);
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!("replay_asks_json", ran.stdout);
    });
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let differences = report["differences"].as_array().expect("a list");
    let changes: Vec<_> = differences
        .iter()
        .map(|difference| difference["ask"].as_str())
        .collect();
    let (appeared, disappeared) = (Some("appeared"), Some("disappeared"));
    assert_eq!(
        changes,
        [disappeared, None, disappeared, None, appeared],
        "in the order of the records"
    );
}

#[test]
fn an_ask_that_is_about_the_call_as_it_stands_is_another_than_one_about_a_rewrite() {
    let desk = Desk::of_several();
    desk.record_command("make deploy", &FULL);
    desk.change(RELEASES, r#""input":{"command":"make -n deploy"},"#, "");
    let ran = replay(&desk, &[]);
    let told = "     a person has to agree, after a yes: modify before, allow now\n";
    assert!(ran.stdout.contains(told), "{ran:?}");
    assert_eq!(ran.status, Some(1));
}

#[test]
fn another_reason_to_ask_counts_only_when_it_is_to() {
    let desk = settled();
    desk.change(RELEASES, "for everyone", "for all");
    assert_eq!(replay(&desk, &[]).status, Some(0));
    let ran = replay(&desk, &["--reasons", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.status, &report["different"]), (Some(1), &2.into()));
    let why = &report["differences"][0]["why"][0];
    assert_eq!(why["then"]["because"], "for everyone", "{report}");
    assert_eq!(why["now"]["because"], "for all", "{report}");
}

#[test]
fn what_a_hook_says_when_it_is_asked_again_is_compared_with_the_same_pass() {
    let desk = settled();
    desk.change(
        "home/.config/basis/judge.sh",
        "*deploy*)",
        "*'-n deploy'*) echo '{\"decision\":\"deny\",\"reason\":\"no rehearsals\"}' ;;\n*deploy*)",
    );
    let ran = replay(&desk, &[]);
    let told = "hook 'judge' (asked again, pass 2) said allow, now deny: no rehearsals\n";
    assert_eq!(ran.stdout.matches(told).count(), 2, "{ran:?}");
    let ran = replay(&desk, &["--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let differences = report["differences"].as_array().expect("a list");
    assert_eq!(differences.len(), 2, "{report}");
    for difference in differences {
        assert_eq!(difference["ask"], "disappeared", "{report}");
        assert_eq!(difference["why"][0]["pass"], 2, "{report}");
    }
}

#[test]
fn an_agreement_without_the_form_that_it_was_about_is_not_replayed() {
    let desk = Desk::of_several();
    desk.record_command("make deploy", &FULL);
    desk.change_records(
        r#""value":{"command":"make -n deploy"}},"settled""#,
        r#""value":{"command":"make -k deploy"}},"settled""#,
    );
    let ran = replay(&desk, &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    let named = "the rewrite that a person was asked about: it does not have the digest";
    assert!(ran.stderr.contains(named), "{ran:?}");
}
