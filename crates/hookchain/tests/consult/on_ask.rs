//! A hook wants a person to be asked.

use std::process::{Command, Stdio};

use crate::workspace::{Ran, Workspace, finish, program};

const CALL: [&str; 4] = ["--tool", "shell", "--input", r#"{"command":"make deploy"}"#];

fn asking() -> Workspace {
    let answer = r#"{"decision":"ask","reason":"this deploys\u001b[2J to production"}"#;
    Workspace::answering("pre_tool_use", answer)
}

fn consult(workspace: &Workspace, args: &[&str]) -> Ran {
    workspace.consult(&[&CALL[..], args].concat())
}

#[test]
fn without_a_person_the_call_is_denied_with_how_to_run_it_by_hand() {
    let denied = "{\"outcome\":\"deny\",\"reason\":\"the call was not made, because a person has to agree, and none can \
                  be asked here (asked by hook 'guard': this deploys\\u001b[2J to production); a person can run it by hand: \
                  make deploy\"}\n";
    for args in [&[][..], &["--on-ask", "deny"]] {
        let ran = consult(&asking(), args);
        assert_eq!(
            (ran.status, &*ran.stdout, &*ran.stderr),
            (Some(3), denied, "")
        );
    }
}

#[test]
fn a_caller_that_asks_a_person_itself_is_told_what_then_happens() {
    let ran = consult(&asking(), &["--on-ask", "report"]);
    let said = r#"{"outcome":"ask","reason":"hook 'guard': this deploys\u001b[2J to production","then":{"outcome":"allow"}}"#;
    assert_eq!((ran.status, ran.stdout.trim_end()), (Some(4), said));
    let answer =
        r#"{"decision":"ask","reason":"careful","input":{"command":"make -n deploy","n":1.10}}"#;
    let ran = consult(
        &Workspace::answering("pre_tool_use", answer),
        &["--on-ask", "report"],
    );
    let said = r#"{"outcome":"ask","reason":"hook 'guard': careful","then":{"outcome":"modify","input":{"command":"make -n deploy","n":1.10},"reason":"hook 'guard'"}}"#;
    assert_eq!((ran.status, ran.stdout.trim_end()), (Some(4), said));
}

#[test]
fn of_many_calls_each_is_reported_and_the_status_is_that_of_reading_them() {
    let call = r#"{"tool_name":"shell","input":{}}"#;
    let ran = asking().consult_with(
        &["--each-line", "--on-ask", "report"],
        &format!("{call}\n{call}\n"),
    );
    assert_eq!(ran.status, Some(0));
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines
            .iter()
            .all(|line| line.starts_with(r#"{"outcome":"ask""#)),
        "{ran:?}"
    );
}

#[test]
fn the_environment_may_say_it_and_the_option_counts_before_it() {
    let with = |value: &str, args: &[&str]| {
        let workspace = asking();
        let mut command = workspace.command(&[&CALL[..], args].concat());
        command.env("HOOKCHAIN_ON_ASK", value);
        finish(command.spawn().expect("started"), "")
    };
    assert_eq!(with("report", &[]).status, Some(4));
    assert_eq!(with("report", &["--on-ask", "deny"]).status, Some(3));
    assert_eq!(with("", &[]).status, Some(3));
    let ran = with("ask", &[]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr
            .contains("HOOKCHAIN_ON_ASK is 'ask'; set it to deny, report or prompt"),
        "{ran:?}"
    );
}

#[test]
fn no_person_is_asked_where_an_agent_could_answer() {
    for (variable, says) in [
        ("HOOKCHAIN_DEPTH", "inside a hook (HOOKCHAIN_DEPTH is set)"),
        ("CLAUDECODE", "by a command of an agent (CLAUDECODE is set)"),
    ] {
        let workspace = asking();
        let mut command = workspace.command(&[&CALL[..], &["--on-ask", "prompt"]].concat());
        command.env(variable, "1");
        let ran = finish(command.spawn().expect("started"), "y\n");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains(says), "{ran:?}");
    }
    let ran = asking().consult_with(&["--each-line", "--on-ask", "prompt"], "");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("about one call of many (--each-line)"),
        "{ran:?}"
    );
}

#[test]
fn without_a_terminal_a_prompt_is_a_denial() {
    let workspace = asking();
    // A session of its own has no terminal, whatever the tests run on.
    let mut command = program("setsid");
    let consult = workspace.command(&[&CALL[..], &["--on-ask", "prompt"]].concat());
    command
        .arg("--wait")
        .arg(consult.get_program())
        .args(consult.get_args())
        .env_clear()
        .envs(
            consult
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(consult.get_current_dir().expect("a directory"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("started"), "y\n");
    assert_eq!(ran.status, Some(3));
    assert!(
        ran.stdout.contains("the host's way to ask one failed"),
        "{ran:?}"
    );
    let says = "the approver failed: there is no terminal to ask a person at";
    assert!(ran.stderr.contains(says), "{ran:?}");
    assert!(
        ran.stderr
            .contains("choose --on-ask deny or --on-ask report"),
        "{ran:?}"
    );
}

/// Runs the command on a terminal of its own on which these keys are pressed when it asks; gives its standard output, which
/// is apart, and what the terminal showed.
fn at_a_terminal(workspace: &Workspace, args: &[&str], keys: &str) -> (Ran, String) {
    let consult = workspace.command(&[&CALL[..], args].concat());
    on_terminal(workspace, &consult, keys, &[])
}

/// The same of any command, with variables for the script that presses the keys.
fn on_terminal(
    workspace: &Workspace,
    run: &Command,
    keys: &str,
    variables: &[(&str, &str)],
) -> (Ran, String) {
    const TERMINAL: &str = include_str!("../terminal.py");
    let printed = workspace.file("printed", "");
    let mut command = program("python3");
    command
        .args(["-c", TERMINAL, keys, &printed])
        .arg(run.get_program())
        .args(run.get_args())
        .env_clear()
        .envs(
            run.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .envs(variables.iter().copied())
        .current_dir(run.get_current_dir().expect("a directory"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut ran = finish(command.spawn().expect("started"), "");
    let printed = std::fs::read_to_string(&printed).expect("a file");
    let shown = std::mem::replace(&mut ran.stdout, printed);
    (ran, shown)
}

/// A shell that runs the command as `"$@"` in this script.
fn shell(workspace: &Workspace, script: &str) -> Command {
    let consult = workspace.command(&[&CALL[..], &["--on-ask", "prompt"]].concat());
    let mut shell = program("/bin/sh");
    shell
        .args(["-c", script, "sh"])
        .arg(consult.get_program())
        .args(consult.get_args())
        .envs(
            consult
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(consult.get_current_dir().expect("a directory"));
    shell
}

#[test]
fn what_was_typed_before_the_question_is_no_answer_to_it() {
    let workspace = asking();
    let consult = workspace.command(&[&CALL[..], &["--on-ask", "prompt"]].concat());
    let (ran, shown) = on_terminal(&workspace, &consult, "n", &[("AHEAD", "y\ny\n")]);
    assert_eq!(ran.status, Some(3), "{ran:?} {shown}");
    // Two lines at the first of two questions answer the first alone.
    let twice = shell(&workspace, r#""$@"; "$@"; true"#);
    let (ran, shown) = on_terminal(&workspace, &twice, "y\ny;n", &[]);
    let outcomes: Vec<_> = ran.stdout.lines().collect();
    let [first, second] = outcomes[..] else {
        panic!("{ran:?} {shown}")
    };
    assert_eq!(first, r#"{"outcome":"allow"}"#);
    assert!(
        second.contains("the person at the terminal said no"),
        "{second}"
    );
}

#[test]
fn questions_on_one_terminal_take_turns_and_say_so() {
    let workspace = asking();
    let both = shell(&workspace, r#""$@" & "$@"; wait; true"#);
    let waits = "another question waits on this terminal";
    let (ran, shown) = on_terminal(&workspace, &both, "y;n", &[("UNTIL", waits)]);
    let allowed = ran.stdout.matches(r#"{"outcome":"allow"}"#).count();
    let denied = ran.stdout.matches("said no").count();
    assert_eq!((allowed, denied), (1, 1), "{ran:?} {shown}");
}

#[test]
fn a_question_on_one_terminal_holds_up_no_other() {
    // While the first question is open, a second one is asked and answered on a terminal of its own.
    const TWO: &str = r#"
import os, pty, subprocess, sys
script, *consult = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(consult[0], consult)
shown = b""
while b"[y/N]" not in shown:
    shown += os.read(terminal, 4096)
other = subprocess.run([sys.executable, "-c", script, "y", "", *consult], capture_output=True, timeout=60)
sys.stdout.buffer.write(other.stdout)
os.write(terminal, b"n\n")
while True:
    try:
        if not os.read(terminal, 4096):
            break
    except OSError:
        break
os.waitpid(pid, 0)
"#;
    let workspace = asking();
    let mut command = shell(&workspace, r#"exec python3 -c "$TWO" "$TERMINAL" "$@""#);
    command
        .env("TWO", TWO)
        .env("TERMINAL", include_str!("../terminal.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("started"), "");
    assert!(ran.stdout.contains(r#"{"outcome":"allow"}"#), "{ran:?}");
}

#[test]
fn below_a_long_question_the_call_stands_once_more() {
    let workspace = asking();
    let list = "0,".repeat(500);
    let input = format!(r#"{{"command":"make deploy\u001b[2J","list":[{list}1]}}"#);
    let args = ["--tool", "shell", "--input", &input, "--on-ask", "prompt"];
    let consult = workspace.command(&args);
    let (_, shown) = on_terminal(&workspace, &consult, "n", &[]);
    let (_, below) = shown.rsplit_once("lines above").expect("a note");
    assert!(below.contains(r"runs   make deploy\u{1b}[2J"), "{below}");
    assert!(below.contains("asks   hook 'guard'"), "{below}");
}

#[test]
fn the_person_at_the_terminal_sees_the_whole_call_and_only_a_yes_is_one() {
    let (ran, shown) = at_a_terminal(&asking(), &["--on-ask", "prompt"], "y");
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "{\"outcome\":\"allow\"}\n"),
        "{shown}"
    );
    assert!(
        shown.contains("asks   hook 'guard': this deploys\\u{1b}[2J to production"),
        "{shown:?}"
    );
    assert!(shown.contains(r#""command": "make deploy""#), "{shown:?}");
    assert!(!shown.contains("\u{1b}[2J"), "{shown:?}");
    for keys in ["", "n", "yess", "no"] {
        let (ran, shown) = at_a_terminal(&asking(), &["--on-ask", "prompt"], keys);
        assert_eq!(ran.status, Some(3), "{keys}: {shown}");
        assert!(
            ran.stdout
                .contains("not approved: the person at the terminal said no"),
            "{ran:?}"
        );
    }
}

#[test]
fn at_a_terminal_the_person_is_asked_unless_something_else_was_chosen() {
    let (ran, _) = at_a_terminal(&asking(), &[], "yes");
    assert_eq!(
        (ran.status, &*ran.stdout),
        (Some(0), "{\"outcome\":\"allow\"}\n")
    );
    let (ran, _) = at_a_terminal(&asking(), &["--on-ask", "deny"], "yes");
    assert_eq!(ran.status, Some(3));
}

#[test]
fn a_page_says_what_became_of_the_ask() {
    let page = |args: &[&str]| {
        let ran = consult(&asking(), &[&["--format", "human"], args].concat());
        (ran.status, ran.stdout)
    };
    let (status, text) = page(&["--on-ask", "report"]);
    assert_eq!(status, Some(4));
    let end = "\nask: hook 'guard': this deploys\\u{1b}[2J to production\nafter a yes:\nallow\n";
    assert!(text.ends_with(end), "{text}");
    assert!(!text.contains("deny"), "{text}");
    let (status, text) = page(&[]);
    assert_eq!(status, Some(3));
    assert!(
        text.contains("\nno person answered: none can be asked here\ndeny: "),
        "{text}"
    );
    for (keys, said) in [
        ("y", "a person agreed\nallow\n"),
        ("n", "a person did not agree\ndeny: "),
    ] {
        let args = ["--format", "human", "--on-ask", "prompt"];
        let (ran, shown) = at_a_terminal(&asking(), &args, keys);
        assert!(ran.stdout.contains(said), "{ran:?} {shown}");
    }
}

#[test]
fn words_for_the_model_are_printed_with_every_outcome() {
    let answer = r#"{"decision":"allow","context":"2 warnings"}"#;
    let ran = consult(&Workspace::answering("pre_tool_use", answer), &[]);
    let said =
        r#"{"outcome":"allow","context":[{"kind":"hook","name":"guard","text":"2 warnings"}]}"#;
    assert_eq!((ran.status, ran.stdout.trim_end()), (Some(0), said));
    let ran = consult(
        &Workspace::answering("pre_tool_use", answer),
        &["--format", "human"],
    );
    assert!(
        ran.stdout
            .contains("for the model: hook 'guard': 2 warnings"),
        "{ran:?}"
    );
}
