//! What hooks are told at an event, and what is wrong with it.

use crate::machine::{Machine, assert_reads};

/// Keeps what it is told.
fn listener(event: &str) -> Machine {
    Machine::with_line(event, "cat > told")
}

#[test]
fn facts_come_from_standard_input_a_file_and_options() {
    let machine = listener("UserPromptSubmit");
    machine.file(
        "facts.json",
        r#"{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"from the file"}"#,
    );
    let told = || machine.read("my ws/told");
    let ran = machine.fire_with("UserPromptSubmit", &[], r#"{"prompt":"from \u0062elow"}"#);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(told().contains(r#""prompt":"from below""#));
    let ran = machine.fire("UserPromptSubmit", &["--facts", "facts.json"]);
    assert_eq!(ran.status, Some(0));
    assert!(told().starts_with(r#"{"session_id":"s1","#), "{}", told());
    let both = [
        "--facts",
        "facts.json",
        "--fact",
        "prompt=typed",
        "--fact",
        "session_title:=\"t\"",
    ];
    let ran = machine.fire("UserPromptSubmit", &both);
    assert_eq!(ran.status, Some(0));
    assert!(told().contains(r#""prompt":"typed""#), "{}", told());
}

#[test]
fn what_is_wrong_decides_nothing_and_asks_nobody() {
    let machine = listener("Stop");
    machine.file("twice.json", r#"{"prompt":"a","prompt":"b"}"#);
    let mut said = String::new();
    for (args, status) in [
        (&["Stopp", "--hooks", "claude"][..], 2),
        (&["stop_it", "--hooks", "codex"], 2),
        (&["Stop", "--hooks", "native"], 2),
        (&["Stop"], 2),
        (&["--hooks", "claude"], 2),
        (&["Stop", "--hooks", "claude", "--fact", "prompt"], 2),
        (&["Stop", "--hooks", "claude", "--fact", "promt=x"], 2),
        (
            &[
                "Stop",
                "--hooks",
                "claude",
                "--fact",
                "stop_hook_active:=no",
            ],
            2,
        ),
        (
            &[
                "Stop",
                "--hooks",
                "claude",
                "--fact",
                "hook_event_name=Start",
            ],
            2,
        ),
        (&["Stop", "--hooks", "claude", "--facts", "gone.json"], 1),
        (&["Stop", "--hooks", "claude", "--facts", "twice.json"], 1),
        (&["Stop", "--hooks", "claude"], 1),
    ] {
        let fire = ["fire", "--workspace", "my ws", "--workspace-only"];
        let ran = machine.run(&[&fire[..], args].concat());
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (Some(status), ""),
            "{args:?} {ran:?}"
        );
        said.extend([format!("{args:?}\n"), ran.stderr, "\n".to_owned()]);
    }
    assert!(!machine.has("my ws/told"));
    assert_reads!(said);
}

#[test]
fn what_the_event_has_no_place_for_is_told_to_the_operator() {
    let ran = listener("Stop").fire(
        "Stop",
        &["--fact", "stop_hook_active:=true", "--fact", "prompt=x"],
    );
    assert_eq!(ran.status, Some(0));
    assert_eq!(
        ran.stderr,
        "warning: hooks of Stop are not told `prompt`; it has no effect\n"
    );
}

#[test]
fn help_shows_an_example() {
    let ran = Machine::new().run(&["fire", "--help"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_reads!(ran.stdout);
}

#[test]
fn a_fact_that_is_a_flag_or_a_number_is_told_as_one() {
    let machine = listener("Stop");
    let ran = machine.fire("Stop", &["--fact", "stop_hook_active=false"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let told: serde_json::Value = serde_json::from_str(&machine.read("my ws/told")).expect("JSON");
    assert_eq!(told["stop_hook_active"], false);
    for (fact, wanted) in [
        ("stop_hook_active=no", "`stop_hook_active` is true or false"),
        ("stop_hook_active=1", "`stop_hook_active` is true or false"),
        ("duration_ms=soon", "`duration_ms` is a number"),
    ] {
        let ran = machine.fire("Stop", &["--fact", fact]);
        assert!(
            ran.status == Some(2) && ran.stderr.contains(wanted),
            "{fact}: {ran:?}"
        );
    }
    // In so many words, anything is told.
    let ran = machine.fire("Stop", &["--fact", "stop_hook_active:=\"no\""]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}
