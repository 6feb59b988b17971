//! From what the agent sent to what it is answered.

use std::{
    any::Any,
    io::{self, Read},
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex, PoisonError},
};

use hook_config::HooksConfig;
use hook_contract::HookOutcome;
use hook_dialect::bridge::{Answer, Asked, Bridge, Reading};
use hook_runner::HookRunner;

use super::{args::AnswerArgs, error::BridgeError, workspace};
use crate::signals::Signals;

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
        Reading::Tool(asked) => Ok(judge(bridge, &asked, args)
            .unwrap_or_else(|error| asked.answer(&HookOutcome::Deny(error.reason()), &[]))),
    }
}

fn judge(bridge: &Bridge, asked: &Asked, args: &AnswerArgs) -> Result<Answer, BridgeError> {
    let workspace = workspace::of(bridge, args.workspace.as_deref())?;
    let loaded =
        hook_config::load(&workspace, &HooksConfig::default()).map_err(BridgeError::Config)?;
    let told = Told::default();
    let runner = HookRunner::builder(workspace)
        .with_hooks(loaded.hooks)
        .with_budget(args.within())
        .with_reporter(told.reporter())
        // One call is judged, one program after the other; how many cores there are need not be found out.
        .with_max_programs(1)
        .build();
    // Most calls are of tools that nobody guards.
    if !runner.asks(asked.event(), asked.tool_name()) {
        return Ok(asked.answer(&HookOutcome::Allow, &[]));
    }
    let request = match asked.request(runner.workspace()) {
        Ok(request) => request,
        Err(unreadable) => {
            return Ok(asked.answer(&HookOutcome::Deny(unreadable.to_string()), &[]));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(BridgeError::Setup)?;
    let outcome = runtime.block_on(async {
        let mut signals = Signals::listen().map_err(BridgeError::Setup)?;
        // What was started is killed when the consultation is dropped.
        let outcome = tokio::select! {
            biased;
            signal = signals.received() => Err(BridgeError::Signal(signal)),
            consultation = runner.consult(request) => Ok(consultation.outcome),
        };
        runner.shutdown().await;
        outcome
    })?;
    Ok(asked.answer(&outcome, &told.take()))
}

/// What the chain reports about participants that broke.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    fn reporter(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let told = self.clone();
        move |text: &str| {
            let mut told = told.0.lock().unwrap_or_else(PoisonError::into_inner);
            told.push(text.to_owned());
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
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
