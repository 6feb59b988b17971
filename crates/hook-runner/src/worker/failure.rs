//! Why a worker gave no answer that counts.

use std::time::Duration;

use hook_wire::DecodeError;
use thiserror::Error;

use crate::{
    FailureKind,
    process::{Exit, Unanswered},
};

/// What a worker did in place of answering with one line in time. Its process was ended, and a new
/// one answers the next question.
///
/// The text ends a sentence that begins with the worker's name and tells its author what to change.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookMode, HookRequest, HookSpec};
/// use hook_runner::{Exit, HookFailure, HookRunner, WorkerFailure};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let worker = HookSpec::new("guard", ["sh", "-c", "read -r line; exit 3"]).with_mode(HookMode::Worker);
/// let runner = HookRunner::new("/", vec![worker]).with_reporter(|_report| {});
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let consultation = runner.consult(request).await;
/// let Some(HookFailure::Worker(failure)) = &consultation.trail[0].failure else {
///     panic!("it reads the question and ends");
/// };
/// assert!(matches!(failure, WorkerFailure::Ended { exit: Exit::Code(3), begun: false, .. }));
/// assert_eq!(failure.to_string(), "ended with status 3 before it answered");
/// # }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkerFailure {
    /// It did not answer in time. What it may still print reaches nobody.
    #[error("did not answer within {} ms and was killed{}", .timeout.as_millis(), .delay.advice())]
    #[non_exhaustive]
    Late {
        /// The time it had.
        timeout: Duration,
        /// How far it got.
        delay: Delay,
    },
    /// It ended while it was being asked.
    #[error("ended with {exit} {}{}", ended(*exit, *begun), .hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default())]
    #[non_exhaustive]
    Ended {
        /// How it ended.
        exit: Exit,
        /// Whether it had printed a part of a line.
        begun: bool,
        /// What probably is the matter, where it is known.
        hint: Option<String>,
    },
    /// It closed its standard output and went on.
    #[error(
        "closed its standard output before it answered; a worker keeps it open until its input ends"
    )]
    Closed,
    /// It printed something before it had read the question: what may be the answer to an earlier
    /// question must not be taken for the answer to this one.
    #[error(
        "printed `{printed}` before it had read the question; a worker reads one line from its standard input, answers \
         it with one line, and reads the next; logs belong on stderr"
    )]
    #[non_exhaustive]
    Unasked {
        /// The beginning of it, on one line.
        printed: String,
    },
    /// More than one line came for one question.
    #[error(
        "printed more than one line for a question; after the answer came `{rest}`; print one line for each question, \
         logs belong on stderr"
    )]
    #[non_exhaustive]
    MoreThanALine {
        /// The beginning of what came after the answer, on one line.
        rest: String,
    },
    /// The answer says that it is about another call.
    #[error(
        "answered another call than it was asked about: its `tool_call_id` is `{found}`, and the question's is \
         \"{expected}\"; answer each question before the next one is read"
    )]
    #[non_exhaustive]
    OtherCall {
        /// The value in the answer, as it was written.
        found: String,
        /// The call that was asked about.
        expected: String,
    },
    /// The answer does not say which call it is about, and earlier ones did.
    #[error(
        "answered without `tool_call_id`, which its earlier answers had, so that this may be the answer to another question; copy \
         `tool_call_id` into every answer, or into none"
    )]
    Unnamed,
    /// The answer is an object over several lines.
    #[error(
        "gave no answer: a worker's answer is one line, and this one goes on; print it without line breaks (printed: `{}`)",
        .0.printed()
    )]
    OverLines(#[source] DecodeError),
    /// It failed so often that it is left alone for a moment.
    #[error(
        "has failed {failures} times in a row and is left alone for another {} ms; the last time it {last}",
        .left.as_millis().max(1)
    )]
    #[non_exhaustive]
    LeftAlone {
        /// How often in a row it failed.
        failures: u32,
        /// For how long nobody asks it.
        left: Duration,
        /// What it did the last time.
        last: String,
    },
    /// The system can no longer tell when it answers. Try again with fewer programs at once.
    #[error("can no longer be listened to: {error}")]
    #[non_exhaustive]
    Lost {
        /// What the system said.
        error: String,
    },
}

/// How far a worker got with a question that it did not answer in time.
///
/// ```
/// use std::time::Duration;
///
/// use hook_contract::{HookCall, HookEvent, HookMode, HookRequest, HookSpec};
/// use hook_runner::{Delay, HookFailure, HookRunner, WorkerFailure};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let sleeps = HookSpec::new("guard", ["sleep", "600"]).with_mode(HookMode::Worker);
/// let hooks = vec![sleeps.with_timeout(Duration::from_millis(100))];
/// let runner = HookRunner::new("/", hooks).with_reporter(|_report| {});
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let consultation = runner.consult(request).await;
/// assert!(matches!(
///     consultation.trail[0].failure,
///     Some(HookFailure::Worker(WorkerFailure::Late { delay: Delay::Unread, .. }))
/// ));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Delay {
    /// It read nothing of the question.
    Unread,
    /// It read its first question and printed nothing.
    Silent,
    /// It printed a part of a line.
    Unfinished,
    /// It has answered before; this time it was too slow.
    Slow,
}

impl Delay {
    pub(super) fn of(unanswered: Unanswered, answered: u64) -> Self {
        match unanswered {
            Unanswered { begun: true, .. } => Self::Unfinished,
            Unanswered { taken: false, .. } => Self::Unread,
            Unanswered { .. } if answered == 0 => Self::Silent,
            Unanswered { .. } => Self::Slow,
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::Unread => {
                "; it has read nothing of the question: a worker reads one line from its standard input for each"
            }
            Self::Silent => {
                "; it has read the question and printed nothing: if it reads to the end of its input, let it read one \
                 line at a time, because a worker's input stays open; if it prints through a buffer, let it flush \
                 after each answer; a program that answers once is declared without a mode"
            }
            Self::Unfinished => {
                "; what it has printed is no whole line: end each answer with a line end, and flush"
            }
            Self::Slow => "",
        }
    }
}

fn ended(exit: Exit, begun: bool) -> &'static str {
    match (begun, exit) {
        (true, _) => "in the middle of its answer; an answer ends with a line end",
        (false, Exit::Code(0)) => {
            "before it answered; a worker answers one line after the other until the end of its input"
        }
        (false, _) => "before it answered",
    }
}

impl WorkerFailure {
    /// The failure without anything that the program printed; see
    /// [`HookFailure::for_model`](crate::HookFailure::for_model).
    #[must_use]
    pub fn for_model(&self) -> String {
        match self {
            Self::Unasked { .. } => "printed something before it had read the question".into(),
            Self::MoreThanALine { .. } => "printed more than one line for a question".into(),
            Self::OtherCall { .. } => "answered another call than it was asked about".into(),
            Self::Unnamed => "answered without naming the call".into(),
            Self::OverLines(_) => "gave no answer: its answer is not on one line".into(),
            Self::LeftAlone { failures, .. } => {
                format!("has failed {failures} times in a row and is left alone for a moment")
            }
            Self::Late { .. } | Self::Ended { .. } | Self::Closed | Self::Lost { .. } => {
                self.to_string()
            }
        }
    }

    /// Which kind of failure this is.
    #[must_use]
    pub const fn kind(&self) -> FailureKind {
        match self {
            Self::Late { .. } => FailureKind::Timeout,
            Self::Ended {
                exit: Exit::Signal(_),
                ..
            } => FailureKind::Signal,
            Self::Ended { .. } => FailureKind::Exit,
            Self::Closed
            | Self::Unasked { .. }
            | Self::MoreThanALine { .. }
            | Self::Unnamed
            | Self::OtherCall { .. } => FailureKind::Protocol,
            Self::OverLines(_) => FailureKind::NotAnAnswer,
            Self::LeftAlone { .. } => FailureKind::LeftAlone,
            Self::Lost { .. } => FailureKind::Start,
        }
    }
}
