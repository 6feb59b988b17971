//! What a participant replied, and what only its transport knows.

use std::time::Duration;

use hook_contract::{Answer, Decision};

use crate::{HookFailure, NoteKind, Part, WorkerLife, process::Exit};

/// What a participant replied to one question: its answer, or why there is none, and what its transport saw.
///
/// ```
/// use hook_contract::Answer;
/// use hook_runner::Reply;
///
/// let reply = Reply::new(Ok(Answer::allow())).with_bytes(212, 20).with_note("the service is slow today");
/// assert_eq!((reply.bytes_sent, reply.notes.len()), (212, 1));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The answer, or why there is none.
    pub answer: Result<Answer, HookFailure>,
    /// How the program ended, where there was one.
    pub exit: Option<Exit>,
    /// What the program printed as errors: the first and the last 2 KiB, trimmed.
    pub stderr: Option<String>,
    /// Bytes sent to the participant.
    pub bytes_sent: usize,
    /// Bytes of its answer.
    pub bytes_received: usize,
    /// How long the question waited for its turn, before it was put.
    pub queued: Duration,
    /// The process that was asked, where it is one that is kept.
    pub worker: Option<WorkerLife>,
    /// What the embedder or the participant's author should know although there is an answer. It is reported.
    pub notes: Vec<String>,
    /// Messages for the user and stops, in order. They are not reported.
    pub deliveries: Vec<(NoteKind, String)>,
    /// The single hooks behind this participant, where it speaks for several.
    pub parts: Vec<Part>,
    /// How many of its hooks run on in the background.
    pub in_background: usize,
}

impl Reply {
    /// A reply about whose transport nothing is known.
    #[must_use]
    pub fn new(answer: Result<Answer, HookFailure>) -> Self {
        Self {
            answer,
            exit: None,
            stderr: None,
            bytes_sent: 0,
            bytes_received: 0,
            queued: Duration::ZERO,
            worker: None,
            notes: Vec::new(),
            deliveries: Vec::new(),
            parts: Vec::new(),
            in_background: 0,
        }
    }

    /// Whether it is an allow with nothing beside it that anything would come of.
    pub(crate) fn only_agrees(&self) -> bool {
        let agrees =
            |answer: &Answer| answer.decision() == Decision::Allow && answer.context().is_empty();
        self.answer.as_ref().is_ok_and(agrees)
            && self.notes.is_empty()
            && self.deliveries.is_empty()
    }

    /// Adds the number of bytes sent and received.
    #[must_use]
    pub fn with_bytes(self, sent: usize, received: usize) -> Self {
        Self {
            bytes_sent: sent,
            bytes_received: received,
            ..self
        }
    }

    /// Adds how the program ended and what it printed as errors.
    #[must_use]
    pub fn with_exit(self, exit: Exit, stderr: Option<String>) -> Self {
        Self {
            exit: Some(exit),
            stderr,
            ..self
        }
    }

    /// Adds a note for the operator.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds something to deliver; a remark or a failure is a note for the operator.
    #[must_use]
    pub fn with_delivery(mut self, kind: NoteKind, text: impl Into<String>) -> Self {
        match kind {
            NoteKind::Remark | NoteKind::Failure => return self.with_note(text),
            NoteKind::Message | NoteKind::Stop => {}
        }
        self.deliveries.push((kind, text.into()));
        self
    }

    /// Adds the single hooks behind this participant, and how many of them run on in the background.
    #[must_use]
    pub fn with_parts(self, parts: Vec<Part>, in_background: usize) -> Self {
        Self {
            parts,
            in_background,
            ..self
        }
    }
}

impl From<HookFailure> for Reply {
    fn from(failure: HookFailure) -> Self {
        Self::new(Err(failure))
    }
}
