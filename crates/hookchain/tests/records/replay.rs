//! `hookchain replay`.

use std::{collections::BTreeSet, fmt::Write as _, fs};

use serde_json::Value;

use crate::desk::{CALLS, Desk, FILTERS, Ran};

const FULL: [&str; 2] = ["--record-capture", "full"];

fn replay(desk: &Desk, options: &[&str]) -> Ran {
    desk.run(&[&["replay", "records", "--workspace", "ws"], options].concat())
}

#[track_caller]
fn report(desk: &Desk, options: &[&str], status: i32) -> Value {
    let ran = replay(desk, &[options, &["--format", "json"]].concat());
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(status), ""),
        "{ran:?}"
    );
    serde_json::from_str(&ran.stdout).expect("one JSON object")
}

#[track_caller]
fn shown(name: &str, desk: &Desk, options: &[&str]) {
    let ran = replay(desk, options);
    let mut filters = FILTERS.to_vec();
    filters.push((r"hooks-\(day\)", "hooks-(day)"));
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!(
            name,
            format!("{}{}exit status: {:?}\n", ran.stdout, ran.stderr, ran.status)
        );
    });
}

/// A thousand calls of every kind: one in ten is denied, one rewritten, and one breaks a hook.
fn a_thousand() -> String {
    let mut calls = String::new();
    for number in 0..1000 {
        let word = match number % 10 {
            0 => "stop",
            1 => "secret",
            2 => "break",
            3 => "push",
            _ => "ls",
        };
        writeln!(
            calls,
            r#"{{"tool_call_id":"call-{number}","tool_name":"shell","input":{{"command":"{word}","n":{number}.0}}}}"#
        )
        .expect("written");
    }
    calls
}

#[test]
fn a_thousand_calls_come_out_the_same_and_then_exactly_as_the_policy_was_changed() {
    let desk = Desk::new();
    desk.record(&a_thousand(), &FULL);
    let unchanged = report(&desk, &[], 0);
    assert_eq!(
        [&unchanged["replayed"], &unchanged["different"]],
        [1000, 0],
        "{unchanged}"
    );
    assert_eq!(unchanged["differences"], Value::Array(Vec::new()));

    desk.change_guard("*stop*)", "*push*)");
    let changed = report(&desk, &[], 1);
    assert_eq!([&changed["replayed"], &changed["different"]], [1000, 200]);
    let differences = changed["differences"].as_array().expect("a list");
    let found: Vec<(&str, &str, &str)> = differences
        .iter()
        .map(|difference| {
            let text = |value: &'_ Value| -> &'static str {
                match value.as_str() {
                    Some("allow") => "allow",
                    Some("deny") => "deny",
                    _ => "another",
                }
            };
            (
                difference["tool_call_id"].as_str().expect("an id"),
                text(&difference["then"]["outcome"]),
                text(&difference["now"]["outcome"]),
            )
        })
        .collect();
    let number = |id: &str| -> u32 {
        let digits = id.strip_prefix("call-").expect("an id");
        digits.parse().expect("a number")
    };
    let expected: Vec<(u32, &str, &str)> = (0..1000)
        .filter_map(|number| match number % 10 {
            0 => Some((number, "deny", "allow")),
            3 => Some((number, "allow", "deny")),
            _ => None,
        })
        .collect();
    let found: Vec<_> = found
        .into_iter()
        .map(|(id, then, now)| (number(id), then, now))
        .collect();
    assert_eq!(found, expected, "all of them, in the order of the records");
    let names: BTreeSet<&str> = differences
        .iter()
        .flat_map(|difference| difference["why"].as_array().expect("a list"))
        .map(|why| why["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, BTreeSet::from(["guard"]));
}

#[test]
fn a_person_reads_a_table_with_the_reasons() {
    let desk = Desk::recorded(&FULL);
    shown("replay_same", &desk, &["--jobs", "1"]);
    desk.change_guard(r#"{"command":"true"}"#, r#"{"command":"false"}"#);
    desk.change_guard("*break*) echo", "*ls*) echo");
    shown("replay_different", &desk, &["--jobs", "1"]);
}

#[test]
fn a_program_reads_who_makes_the_difference() {
    let desk = Desk::recorded(&FULL);
    desk.change_guard("*stop*)", "*ls*)");
    let filters = FILTERS.to_vec();
    let ran = replay(&desk, &["--jobs", "1", "--format", "json"]);
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!("replay_json", ran.stdout);
    });
}

#[test]
fn calls_that_were_not_recorded_in_full_are_refused_and_named() {
    let desk = Desk::new();
    desk.record(CALLS, &[]);
    desk.record(CALLS, &FULL);
    let secret = r#"{"tool_name":"shell","input":{"command":"ls","password":"hunter2"}}"#;
    desk.record(&format!("{secret}\n"), &["--record-capture", "redacted"]);
    shown("replay_refused", &desk, &[]);
    let rest = report(&desk, &["--skip-incomplete"], 0);
    assert_eq!(
        [&rest["replayed"], &rest["incomplete"], &rest["different"]],
        [4, 5, 0]
    );
}

#[test]
fn an_altered_record_is_not_replayed() {
    let desk = Desk::recorded(&FULL);
    let file = desk.file();
    let text = fs::read_to_string(&file).expect("records");
    let altered = text.replace(
        r#""value":{"command":"stop"}"#,
        r#""value":{"command":"halt"}"#,
    );
    assert_ne!(text, altered);
    fs::write(file, altered).expect("written");
    let ran = replay(&desk, &[]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stderr
            .contains("its input: it does not have the digest that was recorded with it"),
        "{ran:?}"
    );
}

#[test]
fn without_a_call_there_is_nothing_to_be_sure_of() {
    let desk = Desk::recorded(&FULL);
    for options in [
        ["--tool", "no_such_tool"],
        ["--since", "9999-01-01"],
        ["--recorded-in", "/elsewhere"],
    ] {
        let ran = replay(&desk, &options);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(1), "error: no call to replay\n")
        );
    }
}

#[test]
fn a_call_with_two_readings_is_denied_again() {
    let desk = Desk::new();
    let calls = concat!(
        r#"{"tool_name":"shell","input":{"command":"ls","command":"stop"}}"#,
        "\n",
        r#"{"tool_name":"read_file","event":"post_tool_use","input":{},"output":{"n":1.00},"is_error":true}"#,
        "\n",
    );
    desk.record(calls, &FULL);
    let again = report(&desk, &[], 0);
    assert_eq!([&again["replayed"], &again["different"]], [2, 0]);
    let one_file = desk.file();
    let one_file = one_file.to_str().expect("UTF-8");
    let ran = desk.run(&["replay", one_file, "--workspace", "ws"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "2 outcomes as they were, 0 different\n")
    );
}

#[test]
fn another_reason_counts_only_when_it_is_to() {
    let desk = Desk::recorded(&FULL);
    desk.change_guard("TOKEN=hunter2 says stop", "no");
    assert_eq!(report(&desk, &[], 0)["different"], 0);
    let strict = report(&desk, &["--reasons"], 1);
    assert_eq!(strict["different"], 1);
    assert_eq!(
        strict["differences"][0]["now"]["reason"],
        "denied by hook 'guard': no"
    );
}

#[test]
fn whether_the_model_is_told_of_a_failure_is_part_of_an_outcome() {
    let desk = Desk::new();
    let hooks = r#"{"schema":1,"hooks":[{"name":"guard","command":["./.basis/guard.sh"],"event":"post_tool_use"}]}"#;
    fs::write(desk.path("ws/.basis/hooks.json"), hooks).expect("a hooks file");
    let replace = |is_error: bool| {
        format!(
            r#"{{"decision":"replace","output":"x","is_error":{is_error},"reason":"a secret"}}"#
        )
    };
    let modify = r#"{"decision":"modify","input":{"command":"true"},"reason":"a secret"}"#;
    desk.change_guard(modify, &replace(false));
    let call = r#"{"event":"post_tool_use","tool_name":"shell","input":{},"output":"secret"}"#;
    desk.record(&format!("{call}\n"), &FULL);
    assert_eq!(report(&desk, &[], 0)["different"], 0);

    desk.change_guard(&replace(false), &replace(true));
    let changed = report(&desk, &[], 1);
    let outcomes = &changed["differences"][0];
    assert_eq!(outcomes["then"]["is_error"], false, "{changed}");
    assert_eq!(outcomes["now"]["is_error"], true, "{changed}");
    let ran = replay(&desk, &[]);
    let shown = "\n     - is_error: false\n     + is_error: true\n     records/";
    assert!(ran.stdout.contains(shown), "{}", ran.stdout);
}
