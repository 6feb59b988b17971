//! The one trait through which the chain reaches everybody it asks.
//!
//! The chain knows nothing of how a participant is reached; a participant knows nothing of the
//! others, of their order, or of what a failure means for the call.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use hook_contract::{HookEvent, HookOrigin, HookRequest, HookSpec, OnFailure, async_trait};
use hook_wire::{EncodeError, HookResponse, RequestLine};

use crate::{HookFailure, NoteKind, WorkerLife, process::Exit};

/// Somebody the chain asks about a call: an interceptor, a program, or a transport of one's own.
///
/// Most transports need only [`Interceptor`](hook_contract::Interceptor). This trait is for those
/// with more to say than an outcome: exit codes, bytes, notes for the embedder.
///
/// ```
/// use hook_contract::{HookEvent, async_trait};
/// use hook_runner::{Answer, Identity, Origin, Participant, Question};
/// use hook_wire::HookResponse;
///
/// struct Remote {
///     identity: Identity,
/// }
///
/// #[async_trait]
/// impl Participant for Remote {
///     fn identity(&self) -> &Identity {
///         &self.identity
///     }
///
///     fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
///         event == HookEvent::PreToolUse && tool_name == "shell"
///     }
///
///     async fn ask(&self, question: &Question) -> Answer {
///         let bytes = question.encoded().map_or(0, |line| line.len());
///         Answer::new(Ok(HookResponse::allow())).with_bytes(bytes, 0)
///     }
/// }
///
/// let remote = Remote { identity: Identity::new("remote", "policy", Origin::Host) };
/// assert_eq!(remote.identity().to_string(), "remote 'policy'");
/// ```
#[async_trait]
pub trait Participant: Send + Sync {
    /// Who this is, in denials, reports and records.
    fn identity(&self) -> &Identity;

    /// Whether this participant is asked about calls of that tool at that event. Called for every
    /// call, so it must cost no more than a comparison.
    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool;

    /// What it means for the call when this participant cannot answer.
    fn on_failure(&self) -> OnFailure {
        OnFailure::Deny
    }

    /// What declares this participant in a hooks file, for whoever explains why it is asked or passed over.
    fn declaration(&self) -> Option<&HookSpec> {
        None
    }

    /// Puts one question.
    ///
    /// # Cancellation
    ///
    /// The future may be dropped at any `.await`; nothing it started may outlive it.
    async fn ask(&self, question: &Question) -> Answer;
}

/// Who a participant is. Cloning it shares it: every step of a trail holds one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(Arc<Who>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Who {
    kind: Cow<'static, str>,
    name: String,
    origin: Origin,
    dialect: Cow<'static, str>,
    matcher: Option<String>,
    command: Vec<String>,
}

/// The dialect of whoever speaks the contract itself.
const NATIVE: &str = "native";

impl Identity {
    /// A participant of this kind and name, declared there.
    #[must_use]
    pub fn new(
        kind: impl Into<Cow<'static, str>>,
        name: impl Into<String>,
        origin: Origin,
    ) -> Self {
        Self(Arc::new(Who {
            kind: kind.into(),
            name: name.into(),
            origin,
            dialect: Cow::Borrowed(NATIVE),
            matcher: None,
            command: Vec::new(),
        }))
    }

    /// A participant of this kind that was declared so: with its name and origin, its tools as the matcher, and its
    /// command.
    #[must_use]
    pub fn declared(kind: impl Into<Cow<'static, str>>, spec: &HookSpec) -> Self {
        let origin = Origin::Declared(spec.origin().clone());
        Self::new(kind, spec.name.clone(), origin)
            .with_matcher(spec.tools.as_ref().map(|tools| tools.join("|")))
            .with_command(spec.command().unwrap_or_default().to_vec())
    }

    /// The same, whose answers are read in another dialect than the contract's own.
    #[must_use]
    pub fn with_dialect(self, dialect: impl Into<Cow<'static, str>>) -> Self {
        let dialect = dialect.into();
        self.with(|who| who.dialect = dialect)
    }

    /// The same with what chooses the tools it is asked about, as it was declared; nothing means every tool.
    #[must_use]
    pub fn with_matcher(self, matcher: Option<String>) -> Self {
        self.with(|who| who.matcher = matcher)
    }

    /// The same with the words of the command that asks it.
    #[must_use]
    pub fn with_command(self, command: Vec<String>) -> Self {
        self.with(|who| who.command = command)
    }

    fn with(mut self, change: impl FnOnce(&mut Who)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// How a denial calls it, one lower-case word: `interceptor`, `hook`, and so on.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.0.kind
    }

    /// Its name; need not be unique.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Where it was declared.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.0.origin
    }

    /// In which vocabulary it is asked and answers: `native` for the contract's own.
    #[must_use]
    pub fn dialect(&self) -> &str {
        &self.0.dialect
    }

    /// What chooses the tools it is asked about, as it was declared; nothing means every tool.
    #[must_use]
    pub fn matcher(&self) -> Option<&str> {
        self.0.matcher.as_deref()
    }

    /// The words of the command that asks it; none for whoever is in the process.
    #[must_use]
    pub fn command(&self) -> &[String] {
        &self.0.command
    }
}

/// As in a denial: `hook 'guard'`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.kind(), self.name())
    }
}

/// Where a participant was declared. The further from the workspace's own data, the earlier it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// Compiled into the host.
    Host,
    /// Declared as data: by the host as a value, or in a hooks file.
    Declared(HookOrigin),
}

/// `host`, or the scope of the declaration.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Declared(origin) => origin.fmt(f),
        }
    }
}

/// One question as it stands for the participant at hand: the request, and its encoding.
///
/// The encoding is made when it is first wanted and shared by everybody who is asked until
/// somebody rewrites the request.
#[derive(Debug)]
pub struct Question {
    request: HookRequest,
    encoded: OnceLock<Result<RequestLine, EncodeError>>,
}

impl Question {
    /// The question about this request.
    #[must_use]
    pub fn new(request: HookRequest) -> Self {
        Self {
            request,
            encoded: OnceLock::new(),
        }
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &HookRequest {
        &self.request
    }

    /// The request as one line of JSON, as it is written to a program.
    ///
    /// # Errors
    ///
    /// When the request has no encoding: its workspace path is not UTF-8.
    pub fn encoded(&self) -> Result<&RequestLine, &EncodeError> {
        let encoded = self.encoded.get_or_init(|| RequestLine::new(&self.request));
        encoded.as_ref()
    }

    pub(crate) fn into_request(self) -> HookRequest {
        self.request
    }
}

/// What a participant answered, and what only its transport knows.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The answer, or why there is none.
    pub response: Result<HookResponse, HookFailure>,
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
    /// What is to be delivered beside the answer, in order. It is not reported.
    pub deliveries: Vec<(NoteKind, String)>,
}

impl Answer {
    /// An answer about whose transport nothing is known.
    #[must_use]
    pub fn new(response: Result<HookResponse, HookFailure>) -> Self {
        Self {
            response,
            exit: None,
            stderr: None,
            bytes_sent: 0,
            bytes_received: 0,
            queued: Duration::ZERO,
            worker: None,
            notes: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    /// The same with the number of bytes sent and received.
    #[must_use]
    pub fn with_bytes(self, sent: usize, received: usize) -> Self {
        Self {
            bytes_sent: sent,
            bytes_received: received,
            ..self
        }
    }

    /// The same with how the program ended and what it printed as errors.
    #[must_use]
    pub fn with_exit(self, exit: Exit, stderr: Option<String>) -> Self {
        Self {
            exit: Some(exit),
            stderr,
            ..self
        }
    }

    /// The same with one more note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same with something more to deliver; a remark is a note like any other.
    #[must_use]
    pub fn with_delivery(mut self, kind: NoteKind, text: impl Into<String>) -> Self {
        match kind {
            NoteKind::Remark => return self.with_note(text),
            NoteKind::Context | NoteKind::Message | NoteKind::Stop => {}
        }
        self.deliveries.push((kind, text.into()));
        self
    }
}

impl From<HookFailure> for Answer {
    fn from(failure: HookFailure) -> Self {
        Self::new(Err(failure))
    }
}
