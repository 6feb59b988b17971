//! Why a participant gave no answer that counts.

use std::{fmt, time::Duration};

use hook_contract::{
    Decision, HookEvent, InterceptorError,
    json::{DigitsLost, JsonError},
};
use hook_wire::{DecodeError, DecodeErrorKind, EncodeError};
use thiserror::Error;

use crate::{StartError, WorkerFailure, process::Exit};

/// Why a participant gave no answer that counts.
///
/// What it means for the call is the participant's [`OnFailure`](hook_contract::OnFailure); that it
/// is reported is certain. The text ends a sentence that begins with the participant's name, and is
/// for the operator: it may quote what was printed. What the model reads is
/// [`for_model`](Self::for_model).
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec};
/// use hook_runner::HookRunner;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let broken = HookSpec::new("redactor", ["sh", "-c", "echo token=abc"]);
/// let runner = HookRunner::new("/", vec![broken]).with_reporter(|_report| {});
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let consultation = runner.consult(request).await;
/// let failure = consultation.trail[0].failure.as_ref().expect("that is no answer");
/// assert!(failure.to_string().contains("token=abc"), "the operator reads what was printed");
/// assert!(failure.for_model().starts_with("gave no answer: "));
/// assert!(!failure.for_model().contains("token=abc"), "the model does not");
/// # }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HookFailure {
    /// An interceptor returned an error.
    #[error("answered with an error: {0}")]
    Interceptor(InterceptorError),
    /// An interceptor, or a transport of one's own, did not answer in time, and its work was dropped.
    #[error("did not answer within {} ms", .timeout.as_millis())]
    #[non_exhaustive]
    Unanswered {
        /// The time it had.
        timeout: Duration,
    },
    /// The question waited too long for its turn, because as many programs as may run at once did.
    #[error(
        "was not asked: no place became free within {} ms, because every program that may run at once was running; \
         raise the number of programs, or lower what they cost",
        .waited.as_millis()
    )]
    #[non_exhaustive]
    NoPlace {
        /// How long it waited.
        waited: Duration,
    },
    /// The hook is declared, and this runner could not be built with it.
    #[error("cannot be asked: {0}")]
    Unbuilt(String),
    /// A participant inside the process panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The request could not be encoded.
    #[error("could not be asked: {0}")]
    Request(#[source] EncodeError),
    /// The program could not be started.
    #[error("could not be started: {}", chain(.0))]
    Start(#[source] StartError),
    /// The program did not finish in time, and was killed. What it had printed does not count.
    #[error("did not finish within {} ms and was killed", .timeout.as_millis())]
    #[non_exhaustive]
    TimedOut {
        /// The time it had.
        timeout: Duration,
    },
    /// The program ended with another status than 0. What it had printed does not count.
    #[error("ended with {exit}{}", .hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default())]
    #[non_exhaustive]
    Exited {
        /// How it ended.
        exit: Exit,
        /// What probably is the matter, where it is known.
        hint: Option<String>,
    },
    /// What the program printed is no answer.
    #[error("gave no answer: {0}")]
    NotAnAnswer(#[source] DecodeError),
    /// The answer does not fit the event.
    #[error("answered {}", unfit(decision, *event))]
    #[non_exhaustive]
    WrongEvent {
        /// The decision.
        decision: &'static str,
        /// The event it was asked at.
        event: HookEvent,
    },
    /// The rewritten input is not a JSON object.
    #[error("answered `{decision}` with an input that is not a JSON object; a tool's input is one")]
    #[non_exhaustive]
    InputNotAnObject {
        /// The decision: `modify`, or `ask` with a rewrite beside it.
        decision: &'static str,
    },
    /// The rewrite, a value made in the process, has more than one reading or none: others would see
    /// something else than the participant meant.
    #[error("answered with a rewrite that cannot be passed on: {}", .0.kind())]
    RewriteUnreadable(#[source] JsonError),
    /// The rewrite lost digits that nobody can restore.
    #[error("answered with a rewrite that cannot be passed on: {0}")]
    DigitsLost(#[source] DigitsLost),
    /// The consultation's own budget was used up while this participant was being asked.
    #[error("had not answered when the budget of the whole consultation, {} ms, was used up", .budget.as_millis())]
    #[non_exhaustive]
    OutOfBudget {
        /// The budget.
        budget: Duration,
    },
    /// A worker did something else than answer with one line in time.
    #[error(transparent)]
    Worker(WorkerFailure),
    /// A failure of a transport of one's own, in its words.
    #[error("{0}")]
    Transport(String),
}

/// The error and its causes: a failure's text is read by people who see nothing else.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// What does not fit the event about the answer, and what would.
fn unfit(decision: &str, event: HookEvent) -> String {
    // Before a call and after it a person may be asked; the rewrite beside the ask is what belongs to the other event.
    let (when, words, own, other) = match event {
        HookEvent::PreToolUse => (
            "before the call",
            "allow, deny, ask and modify",
            "input",
            "output",
        ),
        HookEvent::PostToolUse => (
            "after the call",
            "allow, deny, ask and replace",
            "output",
            "input",
        ),
        _ => return format!("`{decision}`, which is no answer at this event"),
    };
    if decision == Decision::Ask.as_str() {
        return format!("`ask` about an `{other}`, which is no rewrite {when}; an `{own}` is");
    }
    format!("`{decision}`, which is no answer {when}; {words} are")
}

/// The kinds of [`HookFailure`], for whoever counts or compares them.
///
/// ```
/// use hook_runner::{FailureKind, HookFailure};
///
/// let failures = [HookFailure::Panicked("index out of bounds".into()), HookFailure::Transport("502".into())];
/// assert_eq!(failures.each_ref().map(HookFailure::kind), [FailureKind::Panic, FailureKind::Transport]);
/// assert_eq!(failures[1].kind().to_string(), "transport");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// An interceptor returned an error.
    Error,
    /// A participant inside the process panicked.
    Panic,
    /// The request could not be encoded.
    Request,
    /// The program could not be started.
    Start,
    /// Hooks are nested too deep.
    Recursion,
    /// The program did not finish in time.
    Timeout,
    /// The program ended with another status than 0.
    Exit,
    /// A signal ended the program.
    Signal,
    /// The program printed more than it may.
    TooLarge,
    /// What the program printed is no answer.
    NotAnAnswer,
    /// A worker did not keep to one line for each question.
    Protocol,
    /// A worker failed so often that it is left alone for a moment.
    LeftAlone,
    /// The answer does not fit the event, or cannot be taken.
    Unfit,
    /// The consultation's budget was used up.
    Budget,
    /// No place among the programs that may run at once became free in time.
    Queue,
    /// The hook is declared in a way that this host cannot reach.
    Unbuilt,
    /// A transport of one's own failed.
    Transport,
}

impl FailureKind {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Request => "request",
            Self::Start => "start",
            Self::Recursion => "recursion",
            Self::Timeout => "timeout",
            Self::Exit => "exit",
            Self::Signal => "signal",
            Self::TooLarge => "too_large",
            Self::NotAnAnswer => "not_an_answer",
            Self::Protocol => "protocol",
            Self::LeftAlone => "left_alone",
            Self::Unfit => "unfit",
            Self::Budget => "budget",
            Self::Queue => "queue",
            Self::Unbuilt => "unbuilt",
            Self::Transport => "transport",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl HookFailure {
    /// The failure without anything that a program printed, a panic said by accident, or an interceptor's error holds.
    ///
    /// A denial is read by the model. A redactor that breaks has often printed what it was to take
    /// out, and an error of a remote service may hold a URL with a token; such words go to the operator's report and into
    /// the trail only. So does what the author of a hook is to change, and where the host looks for programs.
    #[must_use]
    pub fn for_model(&self) -> String {
        match self {
            Self::Panicked(_) => "panicked".into(),
            Self::NotAnAnswer(error) => format!("gave no answer: {}", error.kind().summary()),
            Self::Worker(failure) => failure.for_model(),
            Self::Interceptor(_) | Self::Transport(_) => "could not answer".into(),
            Self::Unbuilt(_) => "cannot be asked by this host".into(),
            Self::Start(error) => format!("could not be started: {}", error.for_model()),
            Self::Exited { exit, .. } => format!("ended with {exit}"),
            Self::Request(_)
            | Self::TimedOut { .. }
            | Self::WrongEvent { .. }
            | Self::InputNotAnObject { .. }
            | Self::RewriteUnreadable(_)
            | Self::DigitsLost(_)
            | Self::Unanswered { .. }
            | Self::OutOfBudget { .. } => self.to_string(),
            Self::NoPlace { waited } => format!(
                "was not asked: no place became free within {} ms",
                waited.as_millis()
            ),
        }
    }

    /// Which kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Interceptor(_) => FailureKind::Error,
            Self::Panicked(_) => FailureKind::Panic,
            Self::Request(_) => FailureKind::Request,
            Self::Start(StartError::Recursion { .. }) => FailureKind::Recursion,
            Self::Start(_) => FailureKind::Start,
            Self::TimedOut { .. } | Self::Unanswered { .. } => FailureKind::Timeout,
            Self::NoPlace { .. } => FailureKind::Queue,
            Self::Unbuilt(_) => FailureKind::Unbuilt,
            Self::Exited {
                exit: Exit::Signal(_),
                ..
            } => FailureKind::Signal,
            Self::Exited { .. } => FailureKind::Exit,
            Self::NotAnAnswer(error)
                if matches!(error.kind(), DecodeErrorKind::TooLarge { .. }) =>
            {
                FailureKind::TooLarge
            }
            Self::NotAnAnswer(_) => FailureKind::NotAnAnswer,
            Self::WrongEvent { .. }
            | Self::InputNotAnObject { .. }
            | Self::RewriteUnreadable(_)
            | Self::DigitsLost(_) => FailureKind::Unfit,
            Self::OutOfBudget { .. } => FailureKind::Budget,
            Self::Worker(failure) => failure.kind(),
            Self::Transport(_) => FailureKind::Transport,
        }
    }
}
