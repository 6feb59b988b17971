//! The one trait through which the chain reaches every participant.
//!
//! The chain knows nothing of how a participant is reached; a participant knows nothing of the
//! others, of their order, or of what a failure means for the call.

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use hook_contract::{HookOrigin, HookSpec, OnFailure, Subject, Transport, async_trait};

use crate::{Question, Ranks, Reply};

/// One that the chain asks about a call: an interceptor, a program, or a transport of one's own.
///
/// Most transports need only [`Interceptor`](hook_contract::Interceptor). This trait is for those
/// with more to say than an outcome: exit codes, bytes, notes for the embedder.
///
/// ```
/// use hook_contract::{Answer, HookEvent, Subject, async_trait};
/// use hook_runner::{Identity, Origin, Participant, Question, Reply};
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
///     fn applies_to(&self, subject: &Subject<'_>) -> bool {
///         subject.event == HookEvent::PreToolUse && subject.tool_name == "shell"
///     }
///
///     async fn ask(&self, question: &Question) -> Reply {
///         let bytes = question.encoded().map_or(0, |line| line.len());
///         Reply::new(Ok(Answer::allow())).with_bytes(bytes, 0)
///     }
/// }
///
/// let remote = Remote { identity: Identity::new("remote", "policy", Origin::Host) };
/// assert_eq!(remote.identity().to_string(), "remote 'policy'");
/// ```
#[async_trait]
pub trait Participant: Send + Sync {
    /// The name, kind and origin, for denials, reports and records.
    fn identity(&self) -> &Identity;

    /// Whether this participant is asked about calls of that subject. Called for every
    /// call, so it must cost no more than a comparison.
    fn applies_to(&self, subject: &Subject<'_>) -> bool;

    /// What it means for the call when this participant cannot answer.
    fn on_failure(&self) -> OnFailure {
        OnFailure::Deny
    }

    /// How much its judgement and its rewrites weigh. Unless implemented: as its origin does.
    fn ranks(&self) -> Ranks {
        Ranks::both(self.identity().origin().rank())
    }

    /// Whether the chain bounds its time. Unless implemented, the participant keeps a deadline of its own, and no second
    /// timer races it.
    fn time_limit(&self) -> TimeLimit {
        TimeLimit::Own
    }

    /// Whether it wants to be told what is known of the call; see [`Question::known`].
    fn wants_facts(&self) -> bool {
        false
    }

    /// What declares this participant in a hooks file, for commands that explain why it is asked or passed over.
    fn declaration(&self) -> Option<&HookSpec> {
        None
    }

    /// Puts one question.
    ///
    /// # Cancellation
    ///
    /// The future may be dropped at any `.await`; nothing it started may outlive it.
    async fn ask(&self, question: &Question) -> Reply;

    /// Ends what it keeps running between questions. Called when a runner that has it is closed: once for each such runner,
    /// and again when the future was dropped before it was done. It has 5 s.
    ///
    /// # Cancellation
    ///
    /// The future may be dropped at any `.await`.
    async fn close(&self) {}
}

/// Forwards every method: a wrapper that left one to its default would silence a participant.
macro_rules! forward_participant {
    ($($pointer:ident),+) => {$(
        #[async_trait]
        impl<T: Participant + ?Sized> Participant for $pointer<T> {
            fn identity(&self) -> &Identity {
                (**self).identity()
            }

            fn applies_to(&self, subject: &Subject<'_>) -> bool {
                (**self).applies_to(subject)
            }

            fn on_failure(&self) -> OnFailure {
                (**self).on_failure()
            }

            fn ranks(&self) -> Ranks {
                (**self).ranks()
            }

            fn time_limit(&self) -> TimeLimit {
                (**self).time_limit()
            }

            fn wants_facts(&self) -> bool {
                (**self).wants_facts()
            }

            fn declaration(&self) -> Option<&HookSpec> {
                (**self).declaration()
            }

            async fn ask(&self, question: &Question) -> Reply {
                (**self).ask(question).await
            }

            async fn close(&self) {
                (**self).close().await;
            }
        }
    )+};
}

forward_participant!(Arc, Box);

/// Whether, and how, the chain bounds the time of one question.
///
/// ```
/// use hook_contract::HookSpec;
/// use hook_runner::{HookRunner, TimeLimit};
///
/// let runner = HookRunner::new("/repo", vec![HookSpec::new("guard", ["./guard.sh"])]);
/// assert_eq!(runner.participants()[0].time_limit(), TimeLimit::Own, "its program is killed at its deadline");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeLimit {
    /// The participant keeps a deadline of its own, as programs and workers do.
    Own,
    /// As long as the host gives every interceptor.
    OfHost,
    /// This long.
    After(Duration),
}

/// The name, kind and origin of a participant. Cloning it shares it: every step of a trail holds one.
///
/// ```
/// use hook_contract::{HookSpec, Kind};
/// use hook_runner::Identity;
///
/// let spec = HookSpec::new("guard", ["./guard.sh"]).with_tools(["run"]).with_kinds([Kind::Shell]);
/// let identity = Identity::declared("hook", &spec);
/// assert_eq!(identity.to_string(), "hook 'guard'");
/// assert_eq!(identity.matcher(), Some("run|<shell>"));
/// assert_eq!((identity.command(), identity.dialect()), (&["./guard.sh".to_owned()][..], "native"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Identity(Arc<Who>);

#[derive(Clone, PartialEq, Eq)]
struct Who {
    kind: Cow<'static, str>,
    name: String,
    origin: Origin,
    dialect: Cow<'static, str>,
    matcher: Option<String>,
    command: Vec<String>,
    transport: Option<Transport>,
}

/// The dialect of a participant that speaks the contract itself.
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
            transport: None,
        }))
    }

    /// A participant of this kind that was declared so: with its name and origin, its tools and kinds as the matcher, and
    /// its command.
    #[must_use]
    pub fn declared(kind: impl Into<Cow<'static, str>>, spec: &HookSpec) -> Self {
        let origin = Origin::Declared(spec.origin().clone());
        Self::new(kind, spec.name.clone(), origin)
            .with_matcher(matcher(spec))
            .with_command(spec.command().unwrap_or_default().to_vec())
            .with(|who| who.transport = Some(spec.transport.clone()))
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

    /// How it is reached, as it was declared; nothing for a participant that no entry declares. Its settings may hold a
    /// secret: compare them, and do not show them.
    #[must_use]
    pub fn transport(&self) -> Option<&Transport> {
        self.0.transport.as_ref()
    }

    /// The words of the command that asks it; none for a participant in the process.
    #[must_use]
    pub fn command(&self) -> &[String] {
        &self.0.command
    }
}

/// Without the settings of its transport, which may hold a secret.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("kind", &self.kind())
            .field("name", &self.name())
            .field("origin", self.origin())
            .finish_non_exhaustive()
    }
}

/// The tools, and the kinds in angle brackets.
fn matcher(spec: &HookSpec) -> Option<String> {
    let tools = spec.tools.iter().flatten().cloned();
    let kinds = spec.kinds.iter().flatten();
    let kinds = kinds.map(|kind| format!("<{kind}>"));
    let is_there = spec.tools.is_some() || spec.kinds.is_some();
    is_there.then(|| tools.chain(kinds).collect::<Vec<_>>().join("|"))
}

/// As in a denial: `hook 'guard'`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.kind(), self.name())
    }
}

/// Where a participant was declared. The further from the workspace's own data, the earlier it is asked.
///
/// ```
/// use hook_contract::HookOrigin;
/// use hook_runner::Origin;
///
/// let path = "/repo/.basis/hooks.json".into();
/// let file = Origin::Declared(HookOrigin::WorkspaceFile { path, line: 4, column: 1 });
/// assert_eq!(Origin::Host.to_string(), "host");
/// assert_eq!(file.to_string(), "workspace /repo/.basis/hooks.json:4");
/// assert!(Origin::Host.rank() > file.rank());
/// ```
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

#[cfg(test)]
mod tests;
