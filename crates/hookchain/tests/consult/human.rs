//! What a person reads.

use crate::workspace::Workspace;

const CALL: &str =
    r#"{"tool":"shell","input":{"command":"git push --force","id":12345678901234567890123}}"#;

/// The consultation in words, without what differs between two runs.
fn human(workspace: &Workspace, call: &str, status: i32) -> String {
    let ran = workspace.consult_with(&["--format", "human"], call);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(status), ""));
    workspace.redacted(&ran.stdout)
}

macro_rules! assert_reads {
    ($workspace:expr, $call:expr, $status:expr) => {
        insta::with_settings!({filters => vec![(r"\d+\.\d+ m?s", "[time]")]}, {
            insta::assert_snapshot!(human(&$workspace, $call, $status));
        });
    };
}

#[test]
fn an_allow() {
    assert_reads!(
        Workspace::answering("pre_tool_use", r#"{"decision":"allow","reason":"fine"}"#),
        CALL,
        0
    );
}

#[test]
fn a_call_about_which_nobody_is_asked() {
    assert_reads!(Workspace::empty(), CALL, 0);
}

#[test]
fn a_denial() {
    let answer = r#"{"decision":"deny","reason":"not today\nask a person"}"#;
    assert_reads!(Workspace::answering("pre_tool_use", answer), CALL, 3);
}

#[test]
fn a_rewrite_by_two_hands_shows_what_each_changed() {
    let workspace = Workspace::with_hooks(&[
        (
            "plain-push",
            "",
            r#"echo '{"decision":"modify","input":{"command":"git push","id":12345678901234567890123},"reason":"no force"}'"#,
        ),
        (
            "remote",
            "",
            r#"echo '{"decision":"modify","input":{"command":"git push","id":12345678901234567890123,"remote":"origin"}}'"#,
        ),
        (
            "same",
            "",
            r#"echo '{"decision":"modify","input":{"command":"git push","id":12345678901234567890123,"remote":"origin"}}'"#,
        ),
    ]);
    assert_reads!(workspace, CALL, 0);
}

#[test]
fn a_replaced_result() {
    let workspace = Workspace::answering(
        "post_tool_use",
        r#"{"decision":"replace","output":"a\ntoken=[removed]\n","is_error":false,"reason":"a token"}"#,
    );
    let call = r#"{"event":"post_tool_use","tool":"shell","input":{"command":"env"},"output":"a\ntoken=abc\n","is_error":true}"#;
    assert_reads!(workspace, call, 0);
}

#[test]
fn failures_and_notes() {
    let workspace = Workspace::with_hooks(&[
        (
            "log",
            r#""on_failure":"allow""#,
            "echo one >&2; echo two >&2; exit 9",
        ),
        ("odd", "", r#"echo '{"decision":"allow","input":{}}'"#),
        ("guard", "", "echo approved"),
    ]);
    assert_reads!(workspace, CALL, 3);
}

#[test]
fn a_call_that_can_be_read_in_two_ways() {
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"allow"}"#);
    assert_reads!(workspace, r#"{"tool":"shell","input":{"a":1,"a":2}}"#, 3);
}

#[test]
fn nothing_of_a_call_or_a_hook_reaches_the_terminal_unescaped() {
    let evil = r"\u001b[2J\u009b31m\u202e\r\u0007";
    let workspace = Workspace::with_hooks(&[(
        &format!("hook{evil}"),
        r#""event":"post_tool_use""#,
        &format!(
            r#"printf '\033[2J\r\007\302\2331m' >&2
cat <<'EOF'
{{"decision":"replace","output":"{evil}","reason":"{evil}"}}
EOF"#
        ),
    )]);
    let call = format!(
        r#"{{"event":"post_tool_use","tool":"t{evil}","agent_id":"a{evil}","tool_call_id":"c{evil}","input":{{"{evil}":"{evil}"}},"output":"x{evil}"}}"#
    );
    let read = human(&workspace, &call, 0);
    let harmful = |c: &char| *c != '\n' && (c.is_control() || *c == '\u{202e}');
    assert_eq!(read.chars().find(harmful), None, "{read:?}");
    assert!(read.contains(r"\u{1b}[2J"), "{read}");
    let json = workspace.consult_with(&["--format", "human"], "\u{1b}[2J");
    assert_eq!(json.stderr.chars().find(harmful), None);
}

#[test]
fn colours_are_for_those_who_want_them() {
    let workspace = Workspace::answering("pre_tool_use", r#"{"decision":"deny"}"#);
    let colours = |args: &[&str]| {
        let args = [&["--format", "human"], args].concat();
        workspace
            .consult_with(&args, CALL)
            .stdout
            .contains('\u{1b}')
    };
    assert!(colours(&["--color", "always"]));
    assert!(!colours(&["--color", "never"]));
    assert!(!colours(&["--color", "auto"]), "a pipe is no terminal");
    let json = workspace.consult_with(&["--color", "always"], CALL);
    assert!(
        !json.stdout.contains('\u{1b}'),
        "a program reads no colours"
    );
}
