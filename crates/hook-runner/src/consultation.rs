//! What came out of a consultation, and what each participant said.

mod asked;
mod json;
mod part;

use std::{fmt, sync::Arc, time::Duration};

use hook_contract::{Decision, HookEvent, HookOutcome, HookRequest, OnFailure};

pub(crate) use self::asked::by_hand;
pub use self::{
    asked::{Asked, Settled},
    part::Part,
};
use crate::{HookFailure, Identity, process::Exit};

/// One call put through the chain: the outcome, and how it came about.
///
/// Written as JSON it is the outcome's members, then `trail`, and `notes`, `context` and `asked` where there are any
/// (docs/consult-json.md).
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::{HookCall, HookEvent, HookRequest};
/// use hook_runner::HookRunner;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), serde_json::Error> {
/// let runner = HookRunner::new("/repo", vec![]);
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let consultation = runner.consult(request).await;
/// assert_eq!(serde_json::to_string(&consultation)?, r#"{"outcome":"allow","trail":[]}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Consultation {
    /// What the runtime does.
    pub outcome: HookOutcome,
    /// One step for each participant that was asked, in the order in which they were asked.
    pub trail: Vec<Step>,
    /// What participants have to say beyond their decision, and which of them failed; each names its participant.
    pub notes: Vec<Note>,
    /// Words for the model, to be delivered with every outcome, in order; at most 64 KiB.
    pub context: Vec<Context>,
    /// What became of it when participants asked for a person's agreement; nothing where none did, or one denied.
    pub asked: Option<Asked>,
}

impl Consultation {
    /// An outcome about which no participant was asked.
    ///
    /// ```
    /// use hook_contract::HookOutcome;
    /// use hook_runner::Consultation;
    ///
    /// assert!(Consultation::of(HookOutcome::Allow).trail.is_empty());
    /// ```
    #[must_use]
    pub const fn of(outcome: HookOutcome) -> Self {
        Self {
            outcome,
            trail: Vec::new(),
            notes: Vec::new(),
            context: Vec::new(),
            asked: None,
        }
    }

    /// What the operator was told: which participants failed, and what is odd about the answers of others.
    pub fn reports(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.is_report())
    }
}

/// Words of one participant for the model.
///
/// Shown with attribution: `hook 'lint': two warnings`.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec};
/// use hook_runner::HookRunner;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let says = r#"echo '{"decision":"allow","context":"two warnings"}'"#;
/// let runner = HookRunner::new("/", vec![HookSpec::new("lint", ["sh", "-c", says])]);
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let context = runner.consult(request).await.context;
/// assert_eq!(context[0].to_string(), "hook 'lint': two warnings");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Context {
    /// The participant that said them.
    pub who: Identity,
    /// The words; at most 16 KiB.
    pub text: String,
}

impl Context {
    pub(crate) const fn new(who: Identity, text: String) -> Self {
        Self { who, text }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.who, self.text)
    }
}

/// What one participant said when it was asked.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec};
/// use hook_runner::{Exit, HookRunner};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let script = r#"echo checked >&2; echo '{"decision":"modify","input":{"command":"ls"}}'"#;
/// let runner = HookRunner::new("/", vec![HookSpec::new("rewriter", ["sh", "-c", script])]);
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let step = &runner.consult(request).await.trail[0];
/// assert_eq!((step.who.name(), step.word(), step.pass), ("rewriter", "modify", 1));
/// assert_eq!(step.changed, ["command"]);
/// assert_eq!((step.exit, step.stderr.as_deref()), (Some(Exit::Code(0)), Some("checked")));
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Step {
    /// The participant that was asked.
    pub who: Identity,
    /// At which event.
    pub event: HookEvent,
    /// 1, or more when the participant was asked again about the form that a lower rank left.
    pub pass: u8,
    /// The request as it was put. Kept only where a trail or a recorder was asked for.
    pub request: Option<Arc<HookRequest>>,
    /// What was decided; nothing where the participant failed.
    pub decision: Option<Decision>,
    /// The reason that was given.
    pub reason: Option<String>,
    /// Why there was no decision, where there was none.
    pub failure: Option<HookFailure>,
    /// What a failure means for this participant.
    pub on_failure: OnFailure,
    /// Whether it asked the runtime to end the turn after this call.
    pub stops: bool,
    /// How the program ended, where there was one.
    pub exit: Option<Exit>,
    /// What the program printed as errors: the first and the last 2 KiB, trimmed.
    pub stderr: Option<String>,
    /// How long the question waited for its turn, before it was put.
    pub queued: Duration,
    /// How long the participant took, from the question to the answer, on a monotonic clock.
    pub took: Duration,
    /// The process that was asked, where it is one that is kept.
    pub worker: Option<WorkerLife>,
    /// Bytes sent to the participant.
    pub bytes_sent: usize,
    /// Bytes of its answer.
    pub bytes_received: usize,
    /// The top-level fields that a rewrite added, removed or changed, in alphabetical order. Empty
    /// for a rewrite of something that is not an object.
    pub changed: Vec<String>,
    /// The single hooks behind the participant, where it speaks for several.
    pub parts: Vec<Part>,
    /// How many of them run on in the background.
    pub in_background: usize,
}

impl Step {
    /// The word in records and in JSON output: the decision, or `failed`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self.decision {
            Some(decision) => decision.as_str(),
            None => "failed",
        }
    }
}

/// How far a kept process has come in its life.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookMode, HookRequest, HookSpec};
/// use hook_runner::HookRunner;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let script = r#"while read -r line; do echo '{"decision":"allow"}'; done"#;
/// let worker = HookSpec::new("guard", ["sh", "-c", script]).with_mode(HookMode::Worker);
/// let runner = HookRunner::new("/", vec![worker]);
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// for answered in 1..=2 {
///     let consultation = runner.consult(request.clone()).await;
///     let worker = consultation.trail[0].worker.expect("a process that is kept");
///     assert_eq!(worker.answered, answered);
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerLife {
    /// How long ago it was started.
    pub age: Duration,
    /// How many questions it has answered, this one included.
    pub answered: u64,
}

/// Something that is to be told beside the decisions: what a participant or its transport has to say, or that it failed.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest, HookSpec, OnFailure};
/// use hook_runner::{HookRunner, NoteKind};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let broken = HookSpec::new("guard", ["sh", "-c", "exit 3"]).with_on_failure(OnFailure::Allow);
/// let runner = HookRunner::new("/", vec![broken]).with_reporter(|_report| {});
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, "/".as_ref(), &call);
/// let note = &runner.consult(request).await.notes[0];
/// assert_eq!(note.kind, NoteKind::Failure);
/// assert_eq!(note.to_string(), "hook 'guard' ended with status 3; it was passed over (on_failure is allow)");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The participant that said it, or that it is about.
    pub who: Identity,
    /// Whom it is for.
    pub kind: NoteKind,
    /// What.
    pub text: String,
}

/// Whom a note is for, and what the embedder does with it.
///
/// ```
/// use hook_contract::Answer;
/// use hook_runner::{NoteKind, Reply};
///
/// let reply = Reply::new(Ok(Answer::allow()))
///     .with_delivery(NoteKind::Message, "the policy changes tomorrow")
///     .with_delivery(NoteKind::Remark, "the service is slow today");
/// assert_eq!(reply.deliveries, [(NoteKind::Message, "the policy changes tomorrow".to_owned())]);
/// assert_eq!(reply.notes, ["the service is slow today"], "a remark is for the operator");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an embedder must act on each")]
pub enum NoteKind {
    /// For the operator or the participant's author; it was reported.
    #[default]
    Remark,
    /// For the operator: the participant failed, and what that meant. It was reported.
    Failure,
    /// For the user.
    Message,
    /// For the runtime: the turn ends after this call, and the text says why. It may be empty.
    Stop,
}

impl NoteKind {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Remark => "remark",
            Self::Failure => "failure",
            Self::Message => "message",
            Self::Stop => "stop",
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Note {
    /// Whether the note is for the operator, who was told of it.
    #[must_use]
    pub const fn is_report(&self) -> bool {
        matches!(self.kind, NoteKind::Remark | NoteKind::Failure)
    }
}

/// A failure reads as one sentence: `hook 'guard' did not finish …`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.kind == NoteKind::Failure {
            ""
        } else {
            ":"
        };
        write!(f, "{}{between} {}", self.who, self.text)
    }
}

#[cfg(test)]
mod tests;
