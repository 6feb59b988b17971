//! From what the agent sent to what it is answered.

use std::{
    any::Any,
    ffi::OsString,
    io::{self, Read},
    panic::{self, AssertUnwindSafe},
};

use hook_config::HooksConfig;
use hook_dialect::bridge::{Answer, Asked, Bridge, Reading};
use hook_runner::HookRunner;

use super::{
    args::AnswerArgs,
    connect::{self, Heard, Put},
    error::BridgeError,
    judge::Prepared,
    workspace,
};
use crate::{approver, signals::Signals};

/// The answer, also when looking for it fails or panics.
pub(super) fn guarded(decide: impl FnOnce() -> Result<Answer, BridgeError>) -> Answer {
    // What a hook prints on standard error reaches the model; the words for it are below.
    panic::set_hook(Box::new(|_| {}));
    let decided = panic::catch_unwind(AssertUnwindSafe(decide));
    match decided {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => blocked(&error),
        Err(payload) => blocked(&BridgeError::Panic(said(&*payload))),
    }
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    hook_contract::shown::line(text.or(owned).unwrap_or("no reason was given"))
}

/// A refusal of something of which nothing is known.
pub(super) fn blocked(error: &BridgeError) -> Answer {
    Answer::Refused {
        stdout: String::new(),
        stderr: format!("{}\n", error.reason()),
    }
}

/// Reads the question and judges it.
pub(super) fn decide(bridge: &'static Bridge, args: &AnswerArgs) -> Result<Answer, BridgeError> {
    let mut payload = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut payload)
        .map_err(BridgeError::Stdin)?;
    match bridge.read(&payload)? {
        Reading::NothingToSay { .. } => Ok(Answer::Nothing {
            stdout: String::new(),
        }),
        // From here on it is known what is asked, and a refusal is said in the words for it.
        Reading::Tool(asked) => {
            let attendance = bridge.attendance(variable);
            let mut asked = asked.with_attendance(attendance);
            let question = Put {
                bridge,
                attendance,
                payload,
            };
            let judged = judge(&mut asked, args, &question);
            Ok(judged.unwrap_or_else(|error| asked.refusal(error.reason())))
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the agent tells its hooks there whether a person sits before it"
)]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

fn judge(asked: &mut Asked, args: &AnswerArgs, question: &Put) -> Result<Answer, BridgeError> {
    let workspace = workspace::of(question.bridge, args.workspace.as_deref())?;
    if args.connect {
        match connect::ask(question, &workspace, args.within())? {
            Heard::Answer(answer) => return Ok(answer),
            Heard::Nothing => {}
            Heard::Doubt(doubt) => asked.remark(doubt.remark()),
        }
    }
    let loaded =
        hook_config::load(&workspace, &HooksConfig::default()).map_err(BridgeError::Config)?;
    let runner = approver::equip(HookRunner::builder(workspace), loaded.approver.as_ref())
        .with_approval_within_budget()
        .with_hooks(loaded.hooks)
        .with_budget(args.within())
        .with_reporter(|_told_with_the_call| ())
        // One call is judged, one program after the other; how many cores there are need not be found out.
        .with_max_programs(1)
        .build()
        .map_err(BridgeError::Build)?;
    let request = match Prepared::of(asked, &runner) {
        Prepared::Answered(answer) => return Ok(answer),
        Prepared::Request(request) => *request,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(BridgeError::Setup)?;
    let consultation = runtime.block_on(async {
        let mut signals = Signals::listen().map_err(BridgeError::Setup)?;
        // What was started is killed when the consultation is dropped.
        let outcome = tokio::select! {
            biased;
            signal = signals.received() => Err(BridgeError::Signal(signal)),
            consultation = runner.consult(request) => Ok(consultation),
        };
        runner.shutdown().await;
        outcome
    })?;
    Ok(asked.answer(&consultation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_refusal() {
        let answer = guarded(|| panic!("at {}", "once"));
        let Answer::Refused { stdout, stderr } = answer else {
            panic!("a refusal")
        };
        assert_eq!(stdout, "");
        assert_eq!(
            stderr,
            "hookchain cannot judge this, and so it is blocked: it broke inside: at once; that is a mistake in \
             hookchain, please report it\n"
        );
    }
}
