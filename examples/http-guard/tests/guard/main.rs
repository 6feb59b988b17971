//! The guard in a real chain, asked over real connections, in both ways in which a host can put it there.

mod server;

use std::{
    net::{SocketAddr, TcpListener},
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use hook_contract::{
    Approval, ApprovalRequest, Approver, Asker, HookCall, HookEvent, HookOutcome, HookRequest,
    HookSpec, InterceptorError, async_trait,
};
use hook_runner::{Consultation, HookRunner, HookRunnerBuilder, Settled};
use hookchain_http_guard::{HttpGuard, http};
use serde_json::{Value, json};

use crate::server::{Ending, Manner, PATIENCE, Server};

/// What stands in the URL and must not reach the model.
const TOKEN: &str = "s3cr3t";

/// The time for an answer where it does not come, and where it does.
const SHORT: Duration = Duration::from_millis(300);

/// The two ways to put the guard into a chain.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// As an interceptor of the host.
    Interceptor,
    /// As an entry that names the transport.
    Entry,
}

const WAYS: [Way; 2] = [Way::Interceptor, Way::Entry];

impl Way {
    fn builder(self, url: &str, timeout: Duration) -> HookRunnerBuilder {
        let builder = HookRunner::builder("/repo");
        match self {
            Self::Interceptor => builder.with_interceptor(HttpGuard {
                name: "policy".into(),
                url: url.to_owned(),
                timeout,
            }),
            Self::Entry => {
                let entry = HookSpec::over("policy", "http", json!({"url": url}))
                    .with_tools(["shell"])
                    .with_timeout(timeout);
                builder.with_transport("http", http).with_hooks([entry])
            }
        }
    }
}

/// What came of a call, and what the operator was told.
struct Came {
    consultation: Consultation,
    reports: Vec<String>,
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}/ask?token={TOKEN}")
}

fn request(tool: &str) -> HookRequest {
    let call = HookCall::new("agent-1", tool, "call-1", r#"{"command":"make deploy"}"#)
        .with_cwd("/repo/sub");
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call)
}

/// Puts a call of this tool through the chain, on one thread: a guard that blocked it could not be cut.
fn consult(builder: HookRunnerBuilder, tool: &str) -> Came {
    let reports = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&reports);
    let builder = builder.with_reporter(move |report| {
        sink.lock().expect("no panic").push(report.to_owned());
    });
    let runner = builder.build().expect("a runner");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let consultation = runtime.block_on(runner.consult(request(tool)));
    let reports = reports.lock().expect("no panic").clone();
    Came {
        consultation,
        reports,
    }
}

/// What comes of a call of the shell when the service says this.
fn said(way: Way, body: &'static str) -> Came {
    let server = Server::start(Manner::says(body));
    let came = consult(way.builder(&url(server.address), PATIENCE), "shell");
    assert_eq!(server.end(), Ending::Sent);
    came
}

/// The guard gave no answer: the call is denied in these words, and the operator alone reads the rest.
#[track_caller]
fn check_failed(came: &Came, reason: &str, report: &[&str]) {
    assert_eq!(came.consultation.outcome, HookOutcome::deny(reason));
    let [told] = came.reports.as_slice() else {
        panic!("one report, not {:?}", came.reports);
    };
    for part in report {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert!(!reason.contains(TOKEN) && !reason.contains("127.0.0.1"));
}

/// A failure that the guard itself noticed: its text has the URL.
#[track_caller]
fn check_error(came: &Came, address: SocketAddr, error: &str) {
    check_failed(
        came,
        "denied, because http 'policy' could not answer",
        &[
            &format!("http 'policy' answered with an error: {}: ", url(address)),
            error,
            "the call was denied",
        ],
    );
}

#[test]
fn the_service_is_posted_the_request() {
    for way in WAYS {
        let server = Server::start(Manner::says(r#"{"decision":"allow"}"#));
        let came = consult(way.builder(&url(server.address), PATIENCE), "shell");
        assert_eq!(came.consultation.outcome, HookOutcome::Allow);
        assert!(came.reports.is_empty());
        let asked = server.asked();
        let line = format!("post /ask?token={TOKEN} http/1.1\r\n");
        assert!(asked.head.starts_with(&line), "{}", asked.head);
        assert!(asked.head.contains("content-type: application/json\r\n"));
        let body: Value = serde_json::from_slice(&asked.body).expect("JSON");
        let expected = json!({
            "hook_schema": 1,
            "event": "pre_tool_use",
            "workspace": "/repo",
            "agent_id": "agent-1",
            "tool_call_id": "call-1",
            "tool_name": "shell",
            "input": {"command": "make deploy"},
            "cwd": "/repo/sub",
        });
        assert_eq!(body, expected);
    }
}

#[test]
fn a_denial_is_given_in_the_services_words() {
    for way in WAYS {
        let came = said(way, r#"{"decision":"deny","reason":"not on a Friday"}"#);
        assert_eq!(
            came.consultation.outcome,
            HookOutcome::deny("denied by http 'policy': not on a Friday")
        );
    }
}

#[test]
fn a_rewrite_is_what_runs() {
    for way in WAYS {
        let came = said(
            way,
            r#"{"decision":"modify","input":{"command":"make -n"}}"#,
        );
        let HookOutcome::Modify { input, .. } = came.consultation.outcome else {
            panic!("{way:?}: {:?}", came.consultation.outcome);
        };
        assert_eq!(input.text(), r#"{"command":"make -n"}"#);
    }
}

/// A person, or a policy that stands in for one.
struct Agrees;

#[async_trait]
impl Approver for Agrees {
    async fn approve(&self, _request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        Ok(Approval::granted())
    }
}

#[test]
fn an_ask_is_put_to_the_hosts_approver_and_denied_without_one() {
    const ASK: &str = r#"{"decision":"ask","reason":"this deploys"}"#;
    for way in WAYS {
        let server = Server::start(Manner::says(ASK));
        let builder = way.builder(&url(server.address), PATIENCE);
        let came = consult(builder.with_approver(Agrees), "shell");
        assert_eq!(came.consultation.outcome, HookOutcome::Allow);
        let asked = came.consultation.asked.expect("asked");
        assert_eq!(
            asked.by,
            [Asker::new("http", "policy").with_reason("this deploys")]
        );
        assert_eq!(asked.settled, Settled::Granted { remember: false });

        let HookOutcome::Deny(reason) = said(way, ASK).consultation.outcome else {
            panic!("{way:?}: a denial");
        };
        assert!(reason.contains("http 'policy': this deploys"), "{reason}");
    }
}

#[test]
fn a_service_that_hangs_is_cut_and_its_thread_ends() {
    for way in WAYS {
        let server = Server::start(Manner::Hangs);
        let since = Instant::now();
        let came = consult(way.builder(&url(server.address), SHORT), "shell");
        assert!(since.elapsed() < PATIENCE);
        check_failed(
            &came,
            "denied, because http 'policy' did not answer within 300 ms",
            &["the call was denied"],
        );
        server.asked();
        assert_eq!(server.end(), Ending::GivenUp);
    }
}

/// Each byte comes in time, so a limit for each read would never cut it.
#[test]
fn a_service_that_drips_is_cut_and_its_thread_ends() {
    for way in WAYS {
        let server = Server::start(Manner::Drips(r#"{"decision":"allow"}"#));
        let since = Instant::now();
        let came = consult(way.builder(&url(server.address), SHORT), "shell");
        assert!(since.elapsed() < PATIENCE);
        check_failed(
            &came,
            "denied, because http 'policy' did not answer within 300 ms",
            &["the call was denied"],
        );
        assert_eq!(server.end_by_itself(), Ending::GivenUp);
    }
}

#[test]
fn a_service_that_fails_denies_whatever_else_it_says() {
    const BODY: &str = r#"{"decision":"allow"}"#;
    for way in WAYS {
        let manner = Manner::Answers("500 Internal Server Error", String::new(), BODY);
        let server = Server::start(manner);
        let came = consult(way.builder(&url(server.address), PATIENCE), "shell");
        check_error(&came, server.address, "http status: 500");
    }
}

#[test]
fn an_answer_that_is_none_denies() {
    for way in WAYS {
        for (body, error) in [
            ("hello", "expected value at line 1 column 1"),
            ("", "EOF while parsing"),
            (r#"{"decision":"Allow"}"#, "unknown variant `Allow`"),
            (r#"{"decision":"modify"}"#, "missing field `input`"),
            (r#"{"decision":"allow"} and more"#, "trailing characters"),
        ] {
            let server = Server::start(Manner::says(body));
            let came = consult(way.builder(&url(server.address), PATIENCE), "shell");
            check_error(&came, server.address, error);
        }
    }
}

#[test]
fn a_service_that_is_gone_denies() {
    for way in WAYS {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        drop(listener);
        let came = consult(way.builder(&url(address), PATIENCE), "shell");
        check_error(&came, address, "Connection refused");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").expect("a port");
    elsewhere.set_nonblocking(true).expect("a setting");
    let to = elsewhere.local_addr().expect("its number");
    let headers = format!("location: http://{to}/\r\n");
    let server = Server::start(Manner::Answers("307 Temporary Redirect", headers, ""));
    let came = consult(
        Way::Interceptor.builder(&url(server.address), PATIENCE),
        "shell",
    );
    check_error(&came, server.address, "EOF while parsing");
    let contacted = elsewhere.accept().map(|(_stream, from)| from);
    assert_eq!(
        contacted.expect_err("no connection").kind(),
        std::io::ErrorKind::WouldBlock
    );
}

#[test]
fn the_service_is_asked_about_shells_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its number");
    drop(listener);
    for way in WAYS {
        let came = consult(way.builder(&url(address), PATIENCE), "read_file");
        assert_eq!(came.consultation.outcome, HookOutcome::Allow);
        assert!(came.consultation.trail.is_empty());
    }
}

#[test]
fn an_entry_without_a_url_and_a_host_without_the_transport_are_errors() {
    let error = |builder: HookRunnerBuilder| builder.build().expect_err("no runner").to_string();
    let entry = HookSpec::over("policy", "http", json!({"uri": "x"}));
    let builder = HookRunner::builder("/repo").with_hooks([entry]);
    let unknown = error(builder.clone());
    assert!(
        unknown.contains("it is reached by `http`, and this host reaches hooks by `command`"),
        "{unknown}"
    );
    let refused = error(builder.with_transport("http", http));
    assert!(
        refused.contains("its `http` cannot be used: it needs a `url`"),
        "{refused}"
    );
}

#[test]
fn the_whole_transport_is_sixty_lines_and_knows_the_contract_alone() {
    assert!(include_str!("../../src/lib.rs").lines().count() <= 60);
    let manifest = include_str!("../../Cargo.toml");
    let (_, after) = manifest.split_once("[dependencies]").expect("a table");
    let (dependencies, _) = after.split_once("\n[").expect("another table");
    let ours: Vec<&str> = dependencies
        .lines()
        .filter(|line| line.contains("path"))
        .collect();
    assert_eq!(
        ours,
        [r#"hook-contract = { path = "../../crates/hook-contract" }"#]
    );
}
