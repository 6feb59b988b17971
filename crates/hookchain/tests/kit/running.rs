//! `hookchain test`: what passes, what fails, and what a person reads.

use crate::desk::{Desk, program, timeless};

/// Denies, rewrites, prints nonsense or agrees, as the command asks for.
const GUARD: &str = r#"read -r call
case $call in
  *nonsense*) echo nonsense; echo 'what is this?' >&2 ;;
  *force*) echo '{"decision":"deny","reason":"no force in '"$PWD"'"}' ;;
  *rewrite*) echo '{"decision":"modify","input":{"command":"ls","id":12345678901234567890.10},"reason":"safer"}' ;;
  *odd*) echo '{"decision":"allow","output":1}' ;;
  *) echo '{"decision":"allow"}' ;;
esac"#;

fn case(name: &str, command: &str, expect: &str) -> String {
    format!(
        r#"{{"name":"{name}","call":{{"tool_name":"shell","input":{{"command":"{command}"}}}},"expect":{expect}}}"#
    )
}

#[test]
fn cases_that_hold_pass() {
    let desk = Desk::with_hook(GUARD);
    desk.cases(
        "guard",
        &[
            &case("denied", "force", r#"{"outcome":"deny","by":"guard","reason_contains":"force in {{workspace}}","asked":["guard"],"max_ms":60000}"#),
            &case("rewritten", "rewrite", r#"{"outcome":"modify","by":"guard","reason_contains":"safer","input":{"id":12345678901234567890.10,"command":"ls"}}"#),
            &case("allowed", "ls", r#"{"outcome":"allow"}"#),
            &case("odd", "odd", r#"{"outcome":"allow"}"#),
            &case("broken", "nonsense", r#"{"outcome":"deny","failed":["guard"]}"#),
            r#"{"name":"not asked","call":{"tool":"read_file","input":{}},"expect":{"outcome":"allow","asked":[]}}"#,
            r#"{"name":"read in two ways","call":{"tool":"shell","input":{"a":1,"a":2}},"expect":{"outcome":"deny","asked":[]}}"#,
        ],
    );
    let ran = desk.test(&[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("passing", timeless(&ran.stdout));
    assert_eq!(ran.stdout.lines().last(), Some("7 passed, 0 failed"));
}

#[test]
fn cases_that_do_not_hold_fail_and_show_why() {
    let desk = Desk::with_hook(GUARD);
    desk.cases(
        "guard",
        &[
            &case("another outcome", "force", r#"{"outcome":"allow"}"#),
            &case("another reason", "force", r#"{"outcome":"deny","by":"other","reason_contains":"{{workspace}}/sub"}"#),
            &case("another input", "rewrite", r#"{"outcome":"modify","input":{"command":"ls -l","id":12345678901234567890.1}}"#),
            &case("fails", "nonsense", r#"{"outcome":"deny"}"#),
            r#"{"name":"not asked","call":{"tool":"Shell","input":{}},"expect":{"outcome":"allow"}}"#,
            &case("allowed", "ls", r#"{"outcome":"allow"}"#),
        ],
    );
    desk.cases(
        "other",
        &[
            r#"{"name":"broken hooks file","files":{".basis/hooks.json":"{\"schema\":1,\"hook\":[]}"},"call":{"tool":"t","input":1},"expect":{"outcome":"allow"}}"#,
            r#"{"name":"a file in place of a directory","files":{"a":"","a/b":""},"call":{"tool":"t","input":1},"expect":{"outcome":"allow"}}"#,
            r#"{"name":"no program","files":{".basis/hooks.json":"{\"schema\":1,\"hooks\":[{\"name\":\"n\",\"command\":[\"./target/hook\"]}]}"},"call":{"tool":"t","input":1},"expect":{"outcome":"deny"}}"#,
        ],
    );
    let ran = desk.test(&[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!("failing", timeless(&ran.stdout));
    assert_eq!(ran.stdout.lines().last(), Some("1 passed, 8 failed"));
}

#[test]
fn a_result_is_reviewed_as_a_call_is() {
    let desk = Desk::empty();
    desk.hook(
        r#""event":"post_tool_use""#,
        r#"read -r call; printf '%s' '{"decision":"replace","output":"a\nb\n","is_error":true}'"#,
    );
    let case = |name: &str, expect: &str| {
        format!(
            r#"{{"name":"{name}","call":{{"event":"post_tool_use","tool":"t","input":{{}},"output":"a"}},"expect":{expect}}}"#
        )
    };
    desk.cases(
        "review",
        &[
            &case(
                "replaced",
                r#"{"outcome":"replace","output":"a\nb\n","is_error":true}"#,
            ),
            &case(
                "other text",
                r#"{"outcome":"replace","output":"a\nc\n","is_error":false}"#,
            ),
            &case(
                "other kind",
                r#"{"outcome":"replace","output":{"text":"a"}}"#,
            ),
        ],
    );
    let ran = desk.test(&[]);
    assert_eq!(ran.status, Some(1));
    insta::assert_snapshot!("review", timeless(&ran.stdout));
    assert_eq!(ran.stdout.lines().last(), Some("1 passed, 2 failed"));
}

#[test]
fn cases_run_at_the_same_time_and_are_told_in_order() {
    // Each case waits for the other: one at a time, the first would wait until it is killed.
    let desk = Desk::empty();
    let meeting = desk.temporary().join("../meeting");
    let meeting = meeting.to_str().expect("UTF-8");
    let made = program("mkfifo").arg(meeting).status();
    assert!(made.expect("started").success());
    desk.hook(
        r#""timeout_ms":60000"#,
        &format!(
            r#"read -r call
case $call in *first*) echo here > '{meeting}' ;; *) read -r here < '{meeting}' ;; esac
echo '{{"decision":"allow"}}'"#
        ),
    );
    desk.cases(
        "a",
        &[
            &case("one", "first", r#"{"outcome":"allow"}"#),
            &case("two", "second", r#"{"outcome":"allow"}"#),
        ],
    );
    let ran = desk.run(&["test", "--jobs", "2"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let one = ran.stdout.find(" one\n").expect("told");
    assert!(
        ran.stdout.find(" two\n").is_some_and(|two| two > one),
        "{}",
        ran.stdout
    );
    assert_eq!(desk.leftovers().len(), 0);
}

#[test]
fn a_filter_looks_at_files_and_names() {
    let desk = Desk::with_hook(GUARD);
    let allow = r#"{"outcome":"allow"}"#;
    desk.cases("push", &[&case("a", "ls", allow), &case("b", "ls", allow)]);
    desk.cases(
        "sub/pull",
        &[&case("b push", "ls", allow), &case("c", "ls", allow)],
    );
    let closing = |filter: &str| {
        let ran = desk.test(&["--filter", filter]);
        (
            ran.status,
            ran.stdout.lines().last().map(str::to_owned),
            ran.stderr,
        )
    };
    let told = |line: &str| Some(line.to_owned());
    assert_eq!(
        closing("push"),
        (
            Some(0),
            told("3 passed, 0 failed, 1 skipped"),
            String::new()
        )
    );
    assert_eq!(
        closing("sub/"),
        (
            Some(0),
            told("2 passed, 0 failed, 2 skipped"),
            String::new()
        )
    );
    let none = "error: no case and no file has a name that holds `PUSH`\n";
    assert_eq!(
        closing("PUSH"),
        (Some(1), told("0 passed, 0 failed, 4 skipped"), none.into())
    );
}

#[test]
fn hooks_of_ones_own_are_asked_only_on_request() {
    let desk = Desk::empty();
    let global = desk.global();
    std::fs::create_dir_all(global.parent().expect("a parent")).expect("made");
    let hooks = r#"{"schema":1,"hooks":[{"name":"mine","command":["sh","-c","echo '{\"decision\":\"deny\"}'"]}]}"#;
    std::fs::write(global, hooks).expect("written");
    desk.cases(
        "a",
        &[r#"{"name":"a","call":{"tool":"t","input":{}},"expect":{"outcome":"allow","asked":[]}}"#],
    );
    assert_eq!(desk.test(&[]).status, Some(0));
    let ran = desk.test(&["--with-global"]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stdout.contains("expected allow, found deny"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_run_without_cases_is_no_success() {
    let desk = Desk::empty();
    let ran = desk.test(&[]);
    let none = "error: there is no case in .basis/tests; a case file ends in .hooktest.json, and `hookchain init` writes a \
                first one\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(1), "", none)
    );
    desk.write("here/a.json", "{}");
    let ran = desk.test(&["here", "."]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.stderr, none.replace(".basis/tests", "here, ."));
    for (path, said) in [
        (
            "missing",
            "error: cannot read missing: No such file or directory (os error 2)\n",
        ),
        ("/dev/null", "error: /dev/null is not a file\n"),
    ] {
        let ran = desk.test(&[path]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), said));
    }
}

#[test]
fn everything_wrong_with_every_case_file_is_told_and_nothing_runs() {
    let desk = Desk::with_hook("echo ran >&2; : > ran");
    desk.cases(
        "a",
        &[r#"{"nam":"n","call":{"tool":"shell","input":1},"expect":{"outcome":"allowed"}}"#],
    );
    desk.cases("b", &[&case("fine", "ls", r#"{"outcome":"allow"}"#)]);
    desk.write(".basis/tests/c.hooktest.json", "{\"schema\":1,\n");
    let ran = desk.test(&[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        ".basis/tests/a.hooktest.json:2:2: `nam` is no key of a case; write `name`\n\
         .basis/tests/a.hooktest.json:2:66: `allowed` is no outcome; the outcomes are allow, deny, ask, modify and replace\n\
         .basis/tests/c.hooktest.json:2:1: not JSON: EOF while parsing an object\n"
    );
}

#[test]
fn a_broken_hooks_file_is_told_once() {
    let desk = Desk::empty();
    desk.write(
        ".basis/hooks.json",
        r#"{"schema":1,"hooks":[{"name":"n"}]}"#,
    );
    let allow = r#"{"outcome":"allow"}"#;
    desk.cases("a", &[&case("a", "ls", allow), &case("b", "ls", allow)]);
    let ran = desk.test(&[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("./.basis/hooks.json:1:22: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_file_that_two_paths_lead_to_is_run_once() {
    let desk = Desk::with_hook(GUARD);
    desk.cases("a", &[&case("a", "ls", r#"{"outcome":"allow"}"#)]);
    std::os::unix::fs::symlink(
        "a.hooktest.json",
        desk.path().join(".basis/tests/b.hooktest.json"),
    )
    .expect("linked");
    let ran = desk.test(&[".basis/tests", ".basis/tests/a.hooktest.json"]);
    assert_eq!(ran.stdout.lines().last(), Some("1 passed, 0 failed"));
}

#[test]
fn the_cases_of_the_demonstration_pass() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/demo");
    let ran = Desk::empty().test(&["--workspace", demo]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.lines().last(), Some("4 passed, 0 failed"));
}
