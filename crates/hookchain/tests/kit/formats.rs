//! Results for programs, and for a terminal.

use serde_json::Value;

use crate::desk::{Desk, timeless};

fn desk() -> Desk {
    let desk = Desk::with_hook(
        r#"read -r call
case $call in
  *force*) echo '{"decision":"deny","reason":"no <force> & no \u001b[31mcolour"}' ;;
  *) printf '{"decision":"modify","input":{"path":"%s","n":1.10}}\n' "$PWD" ;;
esac"#,
    );
    let case = |name: &str, input: &str, expect: &str| {
        format!(
            r#"{{"name":"{name}","call":{{"tool":"shell","input":{input}}},"expect":{expect}}}"#
        )
    };
    desk.cases(
        "a",
        &[
            &case("denied", r#"{"command":"force"}"#, r#"{"outcome":"deny"}"#),
            &case(
                "not <this> one",
                r#"{"command":"force"}"#,
                r#"{"outcome":"allow"}"#,
            ),
            &case(
                "rewritten",
                "{}",
                r#"{"outcome":"modify","input":{"path":"{{workspace}}/x","n":1.1}}"#,
            ),
        ],
    );
    desk.cases(
        "b",
        &[
            r#"{"name":"cannot be run","files":{".basis/hooks.json":"[]"},"call":{"tool":"t","input":1},"expect":{"outcome":"allow"}}"#,
        ],
    );
    desk
}

#[test]
fn one_object_says_everything() {
    let ran = desk().test(&["--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(
        ran.stdout
            .contains(r#""expected":{"n":1.1,"path":"{{workspace}}/x"}"#),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains(r#""found":{"n":1.10,"path":"{{workspace}}"}"#),
        "{}",
        ran.stdout
    );
    let mut value: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hook-tests.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let cases = value["cases"].as_array().expect("cases");
    for object in cases.iter().chain([&value, &cases[1]["mismatches"][0]]) {
        for key in object.as_object().expect("an object").keys() {
            assert!(
                page.contains(&format!("`{key}`")),
                "{key} is not documented"
            );
        }
    }
    without_times(&mut value);
    value.sort_all_objects();
    insta::assert_snapshot!("json", timeless(&format!("{value:#}")));
}

/// Checks that what is measured is a number, and takes it out.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name.ends_with("_ms") {
                    assert!(
                        member.as_f64().is_some_and(|time| time >= 0.0),
                        "{name}: {member}"
                    );
                    *member = "[time]".into();
                } else if name.starts_with("bytes_") {
                    assert!(member.is_u64(), "{name}: {member}");
                    *member = "[bytes]".into();
                } else {
                    without_times(member);
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_times),
        // Other crates of a build decide whether a value keeps its last digit; the text above does.
        Value::Number(number) if !number.is_u64() => *value = "[decimal]".into(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn build_servers_read_junit() {
    let desk = desk();
    let ran = desk.test(&["--junit", "results.xml"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    let mut xml = String::new();
    for part in timeless(&desk.read("results.xml")).split(" time=\"") {
        // The first part has no time in front.
        let rest = if xml.is_empty() {
            part
        } else {
            part.split_once('"').expect("a time").1
        };
        xml.push_str(rest);
    }
    insta::assert_snapshot!("junit", xml);

    let ran = desk.test(&["--filter", "denied", "--junit", "missing/results.xml"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.stderr,
        "error: cannot write missing/results.xml: No such file or directory (os error 2)\n"
    );
}

#[test]
fn junit_holds_no_character_that_xml_has_not() {
    let desk = desk();
    let odd = r"\u001b[31m\u0001\ufffe\uffff";
    desk.cases(
        "odd",
        &[&format!(
            r#"{{"name":"odd {odd}","call":{{"tool":"shell","input":{{"command":"force"}}}},
               "expect":{{"outcome":"deny","reason_contains":"{odd}"}}}}"#
        )],
    );
    let ran = desk.test(&["--filter", "odd", "--junit", "results.xml"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    let xml = desk.read("results.xml");
    let forbidden =
        |c: &char| matches!(c, '\u{fffe}' | '\u{ffff}') || (c.is_control() && !"\n\t".contains(*c));
    assert_eq!(xml.chars().find(forbidden), None, "{xml}");
    // In the name, in the message and in what follows it: nothing of it is left out.
    let shown = r"\u{1b}[31m\u{1}\u{fffe}\u{ffff}";
    assert_eq!(xml.matches(shown).count(), 3, "{xml}");
}

#[test]
fn colours_are_for_those_who_want_them() {
    let desk = desk();
    let escapes = |ran: &str| ran.matches('\u{1b}').count();
    assert_eq!(escapes(&desk.test(&[]).stdout), 0);
    let coloured = desk.test(&["--color", "always"]).stdout;
    assert!(escapes(&coloured) > 20);
    // The hook's own escape sequence is shown and not obeyed.
    assert!(!coloured.contains("\u{1b}[31mcolour"), "{coloured}");
    assert!(coloured.contains(r"\u{1b}[31mcolour"), "{coloured}");
}
