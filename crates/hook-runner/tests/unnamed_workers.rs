//! Workers whose answers do not say which call they are about: only the order tells, and it must be proven.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{fs, time::Duration};

use hook_contract::{HookCall, HookMode, HookOutcome, HookSpec};
use hook_runner::HookRunner;
use tempfile::TempDir;

/// A worker in Python that denies `rm` and allows everything else.
struct Scene {
    workspace: TempDir,
}

impl Scene {
    fn new(script: &str) -> Self {
        let workspace = tempfile::tempdir().expect("a directory");
        let lines = [
            "import fcntl, json, os, struct, sys, termios, threading, time",
            "def unread():",
            "    return struct.unpack('i', fcntl.ioctl(0, termios.FIONREAD, b'\\0' * 4))[0]",
            "def verdict(call):",
            "    if call['input'].get('command') == 'rm': return {'decision': 'deny', 'reason': 'no'}",
            "    return {'decision': 'allow'}",
            "def say(answer):",
            "    os.write(1, (json.dumps(answer) + '\\n').encode())",
            "",
        ];
        fs::write(
            workspace.path().join("worker.py"),
            lines.join("\n") + script,
        )
        .expect("a file");
        Self { workspace }
    }

    fn runner(&self) -> HookRunner {
        let hook = HookSpec::new("guard", ["python3", "./worker.py"])
            .with_timeout(Duration::from_secs(600))
            .with_mode(HookMode::Worker);
        HookRunner::new(self.workspace.path(), vec![hook]).with_reporter(|_| ())
    }
}

fn is_denied(outcome: &HookOutcome) -> bool {
    matches!(outcome, HookOutcome::Deny { .. })
}

async fn decide(runner: &HookRunner, command: &str) -> HookOutcome {
    let input = format!(r#"{{"command":"{command}"}}"#);
    let call = HookCall::new("agent-1", "shell", "call-1", input.as_str());
    runner.decide(&call).await
}

/// The worst moment: the next question is in the pipe, and is taken right after the line that nothing asked for.
#[tokio::test]
async fn a_line_that_is_printed_just_before_the_question_is_taken_answers_nothing() {
    let scene = Scene::new(
        "
line = sys.stdin.buffer.raw.readline()
say(verdict(json.loads(line)))
while unread() == 0: pass
say({'decision': 'allow'})
for line in sys.stdin:
    say(verdict(json.loads(line)))
",
    );
    for _round in 0..20 {
        let runner = scene.runner();
        assert_eq!(decide(&runner, "ls").await, HookOutcome::Allow);
        let outcome = decide(&runner, "rm").await;
        assert!(is_denied(&outcome), "{outcome:?}");
        let reason = outcome.reason().unwrap_or_default().to_owned();
        assert!(
            reason.contains("printed something before it had read the question"),
            "{reason}"
        );
        runner.shutdown().await;
    }
}

/// Lines that come some microseconds after each allow, in each of many distances.
#[tokio::test]
async fn a_second_allow_is_never_taken_for_the_next_answer() {
    for distance in 0..40 {
        let script = format!(
            "
for line in sys.stdin:
    answer = verdict(json.loads(line))
    say(answer)
    if answer['decision'] == 'allow':
        end = time.perf_counter() + {distance} * 5e-6
        while time.perf_counter() < end: pass
        say(answer)
"
        );
        let scene = Scene::new(&script);
        let runner = scene.runner();
        let _allowed_or_more_than_a_line = decide(&runner, "ls").await;
        let outcome = decide(&runner, "rm").await;
        assert!(is_denied(&outcome), "{outcome:?}");
        runner.shutdown().await;
    }
}

#[tokio::test]
async fn a_worker_that_takes_a_piece_for_the_whole_is_asked_in_one() {
    let scene = Scene::new(
        "
while True:
    piece = os.read(0, 65536)
    if not piece: break
    say(verdict(json.loads(piece)))
",
    );
    let runner = scene.runner();
    for _round in 0..3 {
        assert_eq!(decide(&runner, "ls").await, HookOutcome::Allow);
        assert!(is_denied(&decide(&runner, "rm").await));
    }
    runner.shutdown().await;
}

/// A reader of JSON that is content with the brace, and leaves the line end.
#[tokio::test]
async fn a_worker_that_answers_at_the_brace_is_heard() {
    let scene = Scene::new(
        "
text = ''
while True:
    byte = os.read(0, 1).decode('latin-1')
    if not byte: break
    text += byte
    if byte == '}':
        try: call = json.loads(text)
        except ValueError: continue
        text = ''
        say(verdict(call))
",
    );
    let runner = scene.runner();
    for _round in 0..3 {
        assert_eq!(decide(&runner, "ls").await, HookOutcome::Allow);
        assert!(is_denied(&decide(&runner, "rm").await));
    }
    runner.shutdown().await;
}

#[tokio::test]
async fn an_answer_without_a_name_after_one_with_it_is_a_failure() {
    let scene = Scene::new(
        "
first = True
for line in sys.stdin:
    call = json.loads(line)
    answer = verdict(call)
    if first: answer['tool_call_id'] = call['tool_call_id']
    first = False
    say(answer)
",
    );
    let runner = scene.runner();
    assert_eq!(decide(&runner, "ls").await, HookOutcome::Allow);
    // A denial counts, whomever it is about.
    let denied = HookOutcome::deny("denied by worker 'guard': no");
    assert_eq!(decide(&runner, "rm").await, denied);
    let outcome = decide(&runner, "ls").await;
    let reason = outcome.reason().unwrap_or_default();
    assert!(
        reason.contains("answered without naming the call"),
        "{outcome:?}"
    );
    runner.shutdown().await;
}
