//! A program that stands in for a person: a chat, a phone, a ticket.

use std::{path::Path, sync::Arc, time::Duration};

use hook_contract::{
    Approval, ApprovalRequest, Approver, Asker, HOOK_SCHEMA_VERSION, HookOutcome, HookRequest,
    InterceptorError, Json, async_trait,
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    Exit,
    builder::DEFAULT_APPROVAL_TIMEOUT,
    program::{Ending, Environment, Limits, Program},
};

/// Asks a person through a program.
///
/// The program is started for each request. It reads one JSON object, one line, and the end of its input: `hook_schema`,
/// `by` (each asker with `kind`, `name` and perhaps `reason`), `first` and `call` (the call as the agent made it and as it
/// would run, as hooks get it) and `then` (what comes of the call when the person agrees). It prints one object
/// and ends with status 0: `{"approval":"granted"}`, with `"remember": true` when the same call need not be asked about
/// again, or `{"approval":"refused","reason":"…"}`. Whatever else it does is no answer, and the call is denied.
///
/// ```
/// use std::path::Path;
///
/// use hook_runner::{HookRunner, ProgramApprover, program::Environment};
///
/// let environment = Environment::baseline([("CHANNEL", "#deploys")]);
/// let approver = ProgramApprover::new(["/usr/local/bin/ask-in-chat"], Path::new("/"), &environment);
/// let runner = HookRunner::builder("/repo").with_approver(approver).build()?;
/// # Ok::<(), hook_runner::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgramApprover {
    program: Program,
    timeout: Duration,
}

impl ProgramApprover {
    /// This command, started in that directory. It has ten minutes, unless [`with_timeout`](Self::with_timeout) says
    /// otherwise.
    #[must_use]
    pub fn new(
        command: impl IntoIterator<Item = impl Into<String>>,
        directory: impl Into<Arc<Path>>,
        environment: &Environment,
    ) -> Self {
        Self {
            program: Program::new(command, directory, environment),
            timeout: DEFAULT_APPROVAL_TIMEOUT,
        }
    }

    /// Gives the program this time; then it is killed, and no person has answered.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }
}

/// What the program reads.
#[derive(Serialize)]
struct Asked<'a> {
    hook_schema: u32,
    by: &'a [Asker],
    first: &'a HookRequest,
    call: &'a HookRequest,
    then: &'a HookOutcome,
}

/// The answer that a program printed: one object with one reading. A refusal stays one, whatever its reason is.
fn read(printed: &[u8]) -> Result<Approval, InterceptorError> {
    let said = Json::parse(std::str::from_utf8(printed)?)?;
    let word = |name| said.get(name).and_then(Value::as_str);
    match (word("approval"), said.get("remember")) {
        (Some("granted"), None | Some(Value::Null)) => Ok(Approval::granted()),
        (Some("granted"), Some(Value::Bool(remember))) => Ok(Approval::Granted {
            remember: *remember,
        }),
        (Some("granted"), _) => Err("`remember` must be true or false".into()),
        (Some("refused"), _) => Ok(Approval::Refused(word("reason").map(str::to_owned))),
        (Some(_) | None, _) => Err("`approval` must be \"granted\" or \"refused\"".into()),
    }
}

#[async_trait]
impl Approver for ProgramApprover {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        let mut line = serde_json::to_vec(&Asked {
            hook_schema: HOOK_SCHEMA_VERSION,
            by: &request.by,
            first: &request.first,
            call: &request.call,
            then: &request.then,
        })?;
        line.push(b'\n');
        let run = self.program.run(&line, Limits::new(self.timeout)).await?;
        match run.ending {
            Ending::Exited(Exit::Code(0)) => {}
            Ending::Exited(exit) => {
                let stderr = run.stderr.map(|text| format!(": {text}"));
                let stderr = stderr.unwrap_or_default();
                return Err(format!("the approver's program ended with {exit}{stderr}").into());
            }
            Ending::TimedOut => {
                let seconds = self.timeout.as_secs_f64();
                return Err(
                    format!("the approver's program had not ended within {seconds} s").into(),
                );
            }
            Ending::TooMuchOutput => {
                return Err("the approver's program printed more than is read".into());
            }
        }
        read(&run.stdout).map_err(|error| {
            let how = r#"print {"approval":"granted"} or {"approval":"refused","reason":"…"}"#;
            format!("the approver's program gave no answer ({error}); {how}").into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hook_contract::{HookCall, HookEvent};

    async fn asked(script: &str) -> Result<Approval, String> {
        let environment = Environment::baseline([("A", "b")]);
        let approver =
            ProgramApprover::new(["/bin/sh", "-c", script], Path::new("/"), &environment)
                .with_timeout(Duration::from_secs(60));
        let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"make deploy"}"#);
        let call = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
        let by = vec![Asker::new("hook", "deploys").with_reason("to production")];
        let request = ApprovalRequest::new(by, call.clone(), call, HookOutcome::Allow);
        let answer = approver.approve(&request).await;
        answer.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_program_says_yes_or_no_after_it_has_read_what_it_is_about() {
        let reads = |word: &str| {
            format!(
                "read -r line; case $line in *'\"by\":[{{\"kind\":\"hook\",\"name\":\"deploys\",\"reason\":\"to \
                 production\"}}]'*'make deploy'*'\"then\":{{\"outcome\":\"allow\"}}'*) echo '{word}';; esac"
            )
        };
        assert_eq!(
            asked(&reads(r#"{"approval":"granted"}"#)).await,
            Ok(Approval::granted())
        );
        assert_eq!(
            asked(&reads(r#"{"approval":"granted","remember":true}"#)).await,
            Ok(Approval::Granted { remember: true })
        );
        assert_eq!(
            asked(&reads(r#"{"approval":"refused","reason":"not today"}"#)).await,
            Ok(Approval::refused("not today"))
        );
        assert_eq!(
            asked(&reads(r#"{"approval":"refused","reason":["no"]}"#)).await,
            Ok(Approval::Refused(None)),
            "a refusal stays one"
        );
    }

    #[tokio::test]
    async fn whatever_else_a_program_does_is_no_answer() {
        for (script, says) in [
            ("true", "gave no answer"),
            ("echo yes", "gave no answer"),
            (r#"echo '{"approval":"Granted"}'"#, "gave no answer"),
            (r#"echo '{"approval":"granted"}{}'"#, "gave no answer"),
            (r#"echo '["granted",false]'"#, "gave no answer"),
            (r#"echo '[{"approval":"granted"}]'"#, "gave no answer"),
            (r#"echo '{"approval":{"granted":null}}'"#, "gave no answer"),
            (r#"echo '{"approval":0}'"#, "gave no answer"),
            (
                r#"echo '{"approval":"refused","approval":"granted"}'"#,
                "gave no answer",
            ),
            (
                r#"echo '{"approval":"granted","remember":"yes"}'"#,
                "`remember` must be true or false",
            ),
            (
                r#"echo '{"approval":"granted"}'; echo why >&2; exit 1"#,
                "status 1: why",
            ),
            ("kill -9 $$", "signal"),
            ("exec /no/such/program", "ended with"),
        ] {
            let error = asked(script).await.expect_err(script);
            assert!(error.contains(says), "{script}: {error}");
        }
    }
}
