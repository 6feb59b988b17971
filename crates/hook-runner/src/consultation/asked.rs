//! What became of a request for a person's agreement.

use std::sync::Arc;

use hook_contract::{Asker, HookEvent, HookOutcome, HookRequest, Json, shown};

/// How many characters of a command are shown to be run by hand.
const SHOWN_CHARS: usize = 500;

/// Participants asked for a person's agreement, and no participant denied.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, HookSpec};
/// use hook_runner::{HookRunner, Settled};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let asks = r#"echo '{"decision":"ask","reason":"to production"}'"#;
/// let runner = HookRunner::new("/", vec![HookSpec::new("deploys", ["sh", "-c", asks])]);
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"make deploy"}"#);
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
///
/// let asked = runner.consult(request).await.asked.expect("a hook asks");
/// assert_eq!(asked.by[0].reason.as_deref(), Some("to production"));
/// assert_eq!(asked.then, HookOutcome::Allow);
/// assert_eq!(asked.by_hand().as_deref(), Some("a person can run it by hand: make deploy"));
/// assert_eq!(asked.settled, Settled::Unanswered("none can be asked here".into()), "there is no approver");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// Every participant that asks, in the order in which they were asked.
    pub by: Vec<Asker>,
    /// The call as the runtime put it.
    pub first: Arc<HookRequest>,
    /// What comes of the call when a person agrees; never a deny.
    pub then: HookOutcome,
    /// What a person said.
    pub settled: Settled,
}

impl Asked {
    /// How a person does without the agent what the call would do, as one clause: `a person can run it by hand: make
    /// deploy`. The command is that of the final form, escaped for a terminal; one of more than 500 characters is left out.
    /// Nothing after a call.
    #[must_use]
    pub fn by_hand(&self) -> Option<String> {
        let input = match &self.then {
            HookOutcome::Modify { input, .. } => input,
            HookOutcome::Allow | HookOutcome::Deny(_) | HookOutcome::Replace { .. } => {
                &self.first.input
            }
        };
        by_hand(self.first.event, input)
    }
}

/// How a person does by hand what a call with this input would do; nothing after a call.
pub(crate) fn by_hand(event: HookEvent, input: &Json) -> Option<String> {
    if event != HookEvent::PreToolUse {
        return None;
    }
    let command = input.get("command").and_then(|command| command.as_str());
    let shown = command.filter(|command| command.chars().count() <= SHOWN_CHARS);
    Some(match shown {
        Some(command) => format!("a person can run it by hand: {}", shown::line(command)),
        None => "a person can do it by hand".to_owned(),
    })
}

/// What came of asking a person.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec};
/// use hook_runner::{HookRunner, ProgramApprover, Settled, program::Environment};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let says = |words: &str| ["sh".to_owned(), "-c".to_owned(), format!("echo '{words}'")];
/// let hook = HookSpec::new("deploys", says(r#"{"decision":"ask"}"#));
/// let person = says(r#"{"approval":"refused","reason":"not today"}"#);
/// let environment = Environment::baseline([("CHANNEL", "#deploys")]);
/// let approver = ProgramApprover::new(person, std::path::Path::new("/"), &environment);
/// let runner = HookRunner::builder("/").with_hooks([hook]).with_approver(approver).build().expect("a runner");
///
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let settled = runner.consult(request).await.asked.expect("a hook asks").settled;
/// assert_eq!(settled, Settled::Refused(Some("not today".into())));
/// assert_eq!(settled.as_str(), "refused");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an embedder must act on each")]
pub enum Settled {
    /// The person agreed.
    Granted {
        /// Whether the same call need not be asked about again in this session; the host keeps it.
        remember: bool,
    },
    /// The person did not agree, with what the model is told.
    Refused(Option<String>),
    /// No person answered, and why.
    Unanswered(String),
}

impl Settled {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Granted { .. } => "granted",
            Self::Refused(_) => "refused",
            Self::Unanswered(_) => "unanswered",
        }
    }
}
