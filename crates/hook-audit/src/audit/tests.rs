mod beside;

use std::{
    future::pending,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Waker},
    time::UNIX_EPOCH,
};

use hook_contract::{
    HookCall, HookOrigin, HookOutcome, Interceptor, InterceptorError, Json, Subject, async_trait,
};
use hook_runner::{Exit, HookFailure, HookRunner, Identity, Origin, Participant, Question, Reply};
use serde_json::json;

use super::*;
use crate::{Reader, Record, Trouble};

/// As long as it takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An interceptor that does what a function says.
struct With<F>(&'static str, F);

#[async_trait]
impl<F> Interceptor for With<F>
where
    F: Fn(&HookRequest) -> Result<HookOutcome, InterceptorError> + Send + Sync,
{
    fn name(&self) -> &str {
        self.0
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(call)
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        (self.1)(result)
    }
}

/// A program that failed, without one.
struct Broken(Identity);

#[async_trait]
impl Participant for Broken {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        subject.tool_name == "broken"
    }

    async fn ask(&self, _question: &Question) -> Reply {
        Reply::from(HookFailure::Transport("lost API_KEY=hunter2".into()))
            .with_exit(Exit::Code(7), Some("at line 3: password=hunter2".into()))
            .with_bytes(120, 4)
    }
}

/// One that is never done.
struct Endless;

#[async_trait]
impl Interceptor for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        if call.tool_name == "endless" {
            pending::<()>().await;
        }
        Ok(HookOutcome::Allow)
    }
}

fn call(tool: &str, input: &str) -> HookCall {
    HookCall::new("agent-1", tool, "call-1", input)
}

/// A recorder whose clocks stand still, or tick by a millisecond when they are asked.
fn builder(directory: &Path) -> AuditBuilder {
    let start = Instant::now();
    let ticks = AtomicU64::new(0);
    Audit::builder(directory)
        .with_wall_clock(|| UNIX_EPOCH + Duration::from_secs(1_796_040_000))
        .with_clock(move || start + Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed)))
        .with_reporter(|trouble| panic!("{trouble}"))
}

fn runner(audit: &Audit) -> HookRunner {
    let start = Instant::now();
    let ticks = AtomicU64::new(0);
    let origin = HookOrigin::WorkspaceFile {
        path: "/repo/.basis/hooks.json".into(),
        line: 7,
        column: 1,
    };
    let broken = Identity::new("hook", "broken", Origin::Declared(origin))
        .with_matcher(Some("broken".into()))
        .with_command(vec!["./broken.sh".into()]);
    HookRunner::builder("/repo")
        .with_interceptor(With("mask", |request: &HookRequest| {
            Ok(match (&request.output, request.tool_name.as_str()) {
                (None, "shell") if request.input["n"] == 1 => HookOutcome::Modify {
                    input: json!({"n": 2, "token": "t0p"}).into(),
                    reason: Some("TOKEN=t0p is mine".into()),
                },
                (Some(_), "read_file") => HookOutcome::replace(json!("[gone]"), false),
                _ => HookOutcome::Allow,
            })
        }))
        .with_interceptor(With("no", |request: &HookRequest| {
            Ok(if request.input["n"] == 3 {
                HookOutcome::deny("not 3; password: hunter2")
            } else {
                HookOutcome::Allow
            })
        }))
        .with_interceptor(Endless)
        .with_participant(Broken(broken))
        .with_recorder(audit.clone())
        .with_reporter(|_| ())
        .with_clock(move || start + Duration::from_millis(ticks.fetch_add(2, Ordering::Relaxed)))
        .build()
        .expect("a runner")
}

/// Everything that can happen to a call, once.
fn everything(runner: &HookRunner) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        runner
            .decide(&call("shell", r#"{"n":1,"pi":3.1400}"#))
            .await;
        runner.decide(&call("shell", r#"{"n":3}"#)).await;
        runner
            .decide(&call("broken", r#"{"password":"hunter2"}"#))
            .await;
        runner.decide(&call("shell", r#"{"n":1,"n":2}"#)).await;
        let read = call("read_file", r#"{"path":".env"}"#);
        let text = Json::from(json!("TOKEN=t0p"));
        runner.review(&read, text, false).await;
    });
    let endless = call("endless", "{}");
    let mut asking = Box::pin(runner.decide(&endless));
    let polled = asking
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
}

/// The lines of a directory, without what differs from run to run.
fn lines(directory: &Path) -> String {
    let mut reader = Reader::open(directory).expect("a directory");
    let mut text = String::new();
    while let Some(line) = reader.next_line().expect("a line") {
        let record = line.record().expect("a record");
        let line = String::from_utf8_lossy(line.bytes());
        assert_eq!(record.to_line(), line, "it is written as it is read");
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[track_caller]
fn recorded(name: &str, capture: Capture) {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = builder(directory.path())
        .with_capture(capture)
        .with_turn(|request| (request.tool_name == "shell").then(|| "turn-1".into()))
        .start()
        .expect("a thread");
    let runner = runner(&audit);
    everything(&runner);
    let closed = audit.close(PATIENCE);
    let text = lines(directory.path());
    let count = text.lines().count() as u64;
    assert_eq!(
        closed,
        Closed {
            written: count,
            lost: 0,
            is_settled: true
        }
    );
    insta::with_settings!({filters => vec![(r#""[0-9a-f]{12}-\d+""#, r#""(consultation)""#)]}, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn everything_that_happens_is_recorded_as_digests() {
    recorded("digests", Capture::Digests);
}

#[test]
fn everything_that_happens_is_recorded_with_secrets_masked() {
    recorded("redacted", Capture::Redacted);
}

#[test]
fn everything_that_happens_is_recorded_in_full() {
    recorded("full", Capture::Full);
}

#[test]
fn the_last_handle_writes_what_was_recorded_when_it_is_dropped() {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = builder(directory.path()).start().expect("a thread");
    let runner = runner(&audit);
    everything(&runner);
    drop(audit);
    drop(runner);
    assert_eq!(lines(directory.path()).lines().count(), 35);
}

#[test]
fn what_is_asked_after_the_end_is_answered_and_not_recorded() {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = builder(directory.path()).start().expect("a thread");
    let runner = runner(&audit);
    assert!(audit.close(PATIENCE).is_settled);
    everything(&runner);
    assert_eq!((audit.written(), audit.lost()), (0, 35));
    assert_eq!(audit.close(PATIENCE).lost, 35, "closing twice is no harm");
}

#[test]
fn a_reporter_that_panics_ends_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("a file");
    std::fs::write(&place, "").expect("written");
    let audit = builder(&place).start().expect("a thread");
    everything(&runner(&audit));
    let closed = audit.close(PATIENCE);
    assert_eq!(
        (closed.written, closed.lost, closed.is_settled),
        (0, 35, true)
    );
}

#[test]
fn a_directory_that_cannot_be_used_is_found_out_by_a_check_and_reported_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("a file");
    std::fs::write(&place, "").expect("written");
    let said = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&said);
    let builder = Audit::builder(&place).with_reporter(move |trouble: &Trouble| {
        sink.lock().expect("a lock").push(trouble.to_string());
    });
    let error = builder.check().expect_err("no directory");
    assert!(
        error.to_string().starts_with("could not use the directory"),
        "{error}"
    );
    let audit = builder.start().expect("a thread");
    everything(&runner(&audit));
    assert_eq!(audit.close(PATIENCE).lost, 35);
    let said = said.lock().expect("a lock").clone();
    let [first, second] = said.as_slice() else {
        panic!("{said:#?}");
    };
    assert!(
        first.starts_with("records of hooks cannot be written for now: could not "),
        "{first}"
    );
    assert!(
        second.starts_with("35 records of hooks were lost"),
        "{second}"
    );
}

#[test]
fn records_are_paired_by_consultation_and_handler() {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = builder(directory.path()).start().expect("a thread");
    everything(&runner(&audit));
    assert!(audit.close(PATIENCE).is_settled);
    let mut reader = Reader::open(directory.path()).expect("a directory");
    let mut open = Vec::new();
    while let Some(line) = reader.next_line().expect("a line") {
        match line.record().expect("a record") {
            Record::Invoked(invoked) => open.push((invoked.consultation, invoked.handler_id)),
            Record::Result(result) => {
                let asked = (result.consultation, result.handler_id);
                assert_eq!(open.pop(), Some(asked), "an answer follows its question");
            }
            Record::Consultation(_) | Record::Lost(_) => {}
        }
    }
    assert_eq!(open.len(), 1, "the one that was abandoned");
}
