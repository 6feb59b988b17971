//! The wire of a kept child: whatever a client does, no answer is read for another call.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::{Value, json};

use crate::workspace::Workspace;

/// Denies in the words of the command, allows, or waits for a pipe that nothing is written to.
const GUARD: &str = r#"request=$(cat)
command=${request#*'"command":"'}
command=${command%%'"'*}
case $command in
  deny*) echo "{\"decision\":\"deny\",\"reason\":\"$command\"}" ;;
  hold) echo $$ >started; exec tail -f /dev/null ;;
  *) echo '{"decision":"allow"}' ;;
esac"#;

fn workspace() -> Workspace {
    Workspace::with_hooks(&[("guard", r#""timeout_ms":600000, "tools":["shell"]"#, GUARD)])
}

#[expect(
    clippy::disallowed_methods,
    reason = "a client of the program under test"
)]
fn client(language: &str, workspace: &Workspace, scenario: &str) -> Command {
    let (interpreter, file) = match language {
        "Python" => ("python3", "client.py"),
        _ => ("node", "client.mjs"),
    };
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/consult/wire")
        .join(file);
    let mut command = Command::new(interpreter);
    command
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_hookchain"))
        .arg(workspace.path())
        .arg(scenario)
        .env("HOME", workspace.path())
        .env_remove("BASIS_CONFIG_DIR")
        .env_remove("XDG_CONFIG_HOME");
    command
}

#[track_caller]
fn passes(scenario: &str) {
    for language in ["Python", "Node"] {
        let workspace = workspace();
        let ran = client(language, &workspace, scenario)
            .output()
            .expect("started");
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{language}: {stderr}");
    }
}

#[test]
fn sixty_four_calls_at_once_have_their_own_answers() {
    passes("at_once");
}

#[test]
fn a_call_that_is_cancelled_is_answered_as_that_and_its_hook_is_gone() {
    passes("cancelled");
}

#[test]
fn a_client_that_forks_sees_whose_child_it_is() {
    passes("forked");
}

#[test]
fn a_client_that_is_killed_takes_everything_with_it() {
    for language in ["Python", "Node"] {
        let workspace = workspace();
        let mut client = client(language, &workspace, "killed")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let mut stdout = BufReader::new(client.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("read");
        let mut pids = line.split_whitespace();
        let (program, hook) = (pids.next().expect("one"), pids.next().expect("two"));
        assert!(is_running(program) && is_running(hook), "{language}");
        client.kill().expect("killed");
        client.wait().expect("reaped");
        // The program has the other end of standard error, and ends it.
        let mut stderr = Vec::new();
        let mut pipe = client.stderr.take().expect("piped");
        pipe.read_to_end(&mut stderr).expect("read");
        // Its pipes are closed a moment before a process is gone.
        while is_running(program) || is_running(hook) {
            std::thread::yield_now();
        }
    }
}

/// Whether there is such a process, and it is not only waiting to be reaped.
fn is_running(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = state.rsplit(')').next().unwrap_or_default();
    !matches!(after.split_whitespace().next(), None | Some("Z" | "X"))
}

fn lines(workspace: &Workspace, args: &[&str], lines: &[Value]) -> Vec<Value> {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let text = lines.join("\n");
    let ran = workspace.consult_with(&[&["--each-line"], args].concat(), &text);
    let answers = ran.stdout.lines().map(serde_json::from_str);
    answers.collect::<Result<_, _>>().expect("JSON")
}

fn call(id: &Value, command: &str) -> Value {
    json!({"id": id, "tool_name": "shell", "input": {"command": command}})
}

#[test]
fn calls_without_an_id_are_answered_in_order_beside_the_others() {
    let workspace = workspace();
    let calls: Vec<Value> = (0..40)
        .map(|n| match n % 2 {
            0 => json!({"tool_name": "shell", "input": {"command": format!("deny-{n}")}}),
            _ => call(&json!(n), &format!("deny-{n}")),
        })
        .collect();
    let answers = lines(&workspace, &["--jobs", "3"], &calls);
    assert_eq!(answers.len(), 40);
    let reason = |answer: &Value| answer["reason"].as_str().expect("a reason").to_owned();
    let (named, unnamed): (Vec<_>, Vec<_>) = answers
        .iter()
        .partition(|answer| answer.get("id").is_some());
    let wanted: Vec<String> = (0..40)
        .step_by(2)
        .map(|n| format!("denied by hook 'guard': deny-{n}"))
        .collect();
    assert_eq!(unnamed.into_iter().map(reason).collect::<Vec<_>>(), wanted);
    for answer in named {
        let n = &answer["id"];
        assert_eq!(reason(answer), format!("denied by hook 'guard': deny-{n}"));
        let number = n.as_u64().expect("a number") + 1;
        assert_eq!(answer["tool_call_id"], format!("cli-{number}"));
    }
}

#[test]
fn an_id_that_is_open_or_no_name_is_an_error_of_its_own_line() {
    let workspace = workspace();
    let held = call(&json!("a"), "hold");
    let again = json!({"id": "a", "tool_call_id": "second", "tool_name": "shell", "input": {}});
    let answers = lines(&workspace, &[], &[held, again, json!({"cancel": "a"})]);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0]["tool_call_id"], "second");
    assert!(
        answers[0]["error"]
            .as_str()
            .is_some_and(|error| error.contains("still open"))
    );
    assert_eq!(
        (&answers[1]["tool_call_id"], &answers[1]["outcome"]),
        (&json!("cli-1"), &json!("deny"))
    );
    for (line, id, error) in [
        (
            json!({"id": 1.5, "tool_name": "t", "input": {}}),
            None,
            "`id` is no name of a call",
        ),
        (
            json!({"id": [1], "tool_name": "t", "input": {}}),
            None,
            "`id` is no name of a call",
        ),
        (
            json!({"id": "x", "input": {}}),
            Some("x"),
            "`tool_name` is missing",
        ),
        (json!({"cancel": null}), None, "`cancel` names no call"),
        (
            json!({"cancel": 1, "id": 1}),
            Some("1"),
            "`cancel` names no call",
        ),
    ] {
        let answers = lines(&workspace, &[], std::slice::from_ref(&line));
        assert_eq!(answers.len(), 1, "{line}");
        let answer = &answers[0];
        assert_eq!(answer["outcome"], "deny", "{line}");
        let found = answer["error"].as_str().expect("an error");
        assert!(found.contains(error), "{line}: {found}");
        let given_back = answer.get("id").map(|id| id.to_string().replace('"', ""));
        assert_eq!(given_back.as_deref(), id, "{line}");
    }
    let twice = "{\"id\":1,\"id\":2,\"tool_name\":\"t\",\"input\":{}}\n";
    let ran = workspace.consult_with(&["--each-line"], twice);
    assert!(
        ran.stdout.contains("the key `id` stands twice") && !ran.stdout.contains("\"id\""),
        "{ran:?}"
    );
}

/// However many calls a hook thinks about.
#[test]
fn a_call_that_no_hook_guards_waits_for_no_place() {
    let lines = [
        call(&json!("held"), "hold"),
        call(&json!("waiting"), "hold"),
        json!({"id": "free", "tool_name": "other", "input": {}}),
        json!({"cancel": "waiting"}),
        json!({"cancel": "held"}),
    ];
    let answers = self::lines(&workspace(), &["--jobs", "1"], &lines);
    let order: Vec<_> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(order.len(), 3, "{answers:?}");
    let of = |id: &str| answers.iter().find(|answer| answer["id"] == id).expect(id);
    assert_eq!(of("free")["outcome"], "allow");
    assert_eq!(of("held")["outcome"], "deny");
}

#[test]
fn cancelling_what_is_not_open_is_no_answer() {
    let answers = lines(
        &workspace(),
        &[],
        &[json!({"cancel": 1}), call(&json!(1), "ls")],
    );
    assert_eq!(
        answers,
        [json!({"id": 1, "tool_call_id": "cli-2", "outcome": "allow"})]
    );
}

/// What is not read is not answered without an end: the client is not read any more.
#[test]
fn a_client_that_does_not_read_is_not_read() {
    let workspace = workspace();
    let mut child = workspace.start(&["--each-line"]);
    let mut calls = child.stdin.take().expect("piped");
    let flags = rustix::fs::fcntl_getfl(&calls).expect("flags");
    rustix::fs::fcntl_setfl(&calls, flags | rustix::fs::OFlags::NONBLOCK).expect("set");
    // Far more than the pipes hold and the places for lines take.
    let line = |number: usize| {
        let id = format!("{number:0>4000}");
        format!("{}\n", json!({"id": id, "tool_name": "free", "input": {}}))
    };
    let (mut written, mut lines) = (0_usize, 0_usize);
    while written < 64 << 20 {
        match calls.write(line(lines).as_bytes()) {
            // So long a line is written as a whole or not at all.
            Ok(count) => (written, lines) = (written + count, lines + 1),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                // On a slow machine it may only be slow; then less was written, and the rest of the test is the same.
                let mut pipe = [PollFd::new(&calls, PollFlags::OUT)];
                let moment = Timespec::try_from(Duration::from_millis(500)).expect("a time");
                if poll(&mut pipe, Some(&moment)).expect("polled") == 0 {
                    break;
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(written < 64 << 20, "{written} bytes were taken");
    drop(calls);
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let (mut answers, mut answer) = (0, String::new());
    while stdout.read_line(&mut answer).expect("read") > 0 {
        assert!(answer.contains("\"outcome\":"), "{answer}");
        answer.clear();
        answers += 1;
    }
    assert_eq!(answers, lines);
    child.wait().expect("ended");
}

#[test]
fn the_new_options_belong_to_lines() {
    let workspace = workspace();
    for args in [
        &["--hello"][..],
        &["--jobs", "2"],
        &["--each-line", "--jobs", "0"],
    ] {
        assert_eq!(workspace.consult_with(args, "").status, Some(2), "{args:?}");
    }
}
