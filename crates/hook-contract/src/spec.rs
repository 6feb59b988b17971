//! One declared hook.

use std::{path::PathBuf, time::Duration};

use serde_json::Value;

use crate::{
    CommandTransport, HookEvent, HookMode, HookOrigin, Json, Kind, Kinds, OnFailure, Subject,
    Transport,
};

/// How long a hook gets to answer when it does not say.
///
/// A hook stands in the way of every call it is asked about, so the time is that of a check, not
/// of a job.
pub const DEFAULT_HOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// The least a hook can be given to answer.
pub const MIN_HOOK_TIMEOUT: Duration = Duration::from_millis(1);

/// The most a hook can be given to answer: a day.
pub const MAX_HOOK_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// One declared hook: how it is reached, and when it is asked.
///
/// ```
/// use std::time::Duration;
/// use hook_contract::{HookEvent, HookSpec, OnFailure};
///
/// let guard = HookSpec::new("no-force-push", ["./.basis/hooks/no-force-push.sh"])
///     .with_tools(["spawn"])
///     .with_timeout(Duration::from_millis(500));
///
/// assert!(guard.applies_to(HookEvent::PreToolUse, "spawn"));
/// assert!(!guard.applies_to(HookEvent::PreToolUse, "Spawn"), "a name is exact");
/// assert_eq!(guard.on_failure, OnFailure::Deny);
/// assert_eq!(guard.command().unwrap()[0], "./.basis/hooks/no-force-push.sh");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HookSpec {
    /// The name in denials and records. Not an identifier: two hooks may share a name, and both
    /// are asked.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// The exact names of the tools it is asked about; `None` means every tool, unless there are kinds.
    pub tools: Option<Vec<String>>,
    /// The kinds of tools it is asked about, beside `tools`; a call that either fits is put to it.
    ///
    /// A host needs [`ToolKnowledge`](crate::ToolKnowledge) for them: without it, a runner with such a hook cannot be
    /// built.
    pub kinds: Option<Vec<Kind>>,
    /// Whether its requests carry what is known about the call: `cwd`, `session_id`, `extensions`, `tool`, `facts` and
    /// `again`. A host needs [`ToolKnowledge`](crate::ToolKnowledge) with facts for it.
    pub facts: bool,
    /// When it is asked.
    pub event: HookEvent,
    /// The time for one answer, from [`MIN_HOOK_TIMEOUT`] to [`MAX_HOOK_TIMEOUT`].
    pub timeout: Duration,
    /// What it means when it cannot answer.
    pub on_failure: OnFailure,
    origin: HookOrigin,
}

impl HookSpec {
    /// A program that is asked before every call of every tool, with every setting at its default.
    #[must_use]
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        command: impl IntoIterator<Item = S>,
    ) -> Self {
        Self::reached_by(name, Transport::Command(CommandTransport::new(command)))
    }

    /// A hook reached by the transport that the host registered under `key`, with its settings.
    ///
    /// ```
    /// use hook_contract::HookSpec;
    /// use serde_json::json;
    ///
    /// let remote = HookSpec::over("policy", "http", json!({"url": "https://policy.example/ask"}));
    /// assert_eq!(remote.transport.key(), "http");
    /// ```
    #[must_use]
    pub fn over(name: impl Into<String>, key: impl Into<String>, config: impl Into<Json>) -> Self {
        Self::reached_by(name, Transport::other(key, config))
    }

    /// A hook reached so, with every other setting at its default.
    #[must_use]
    pub fn reached_by(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            tools: None,
            kinds: None,
            facts: false,
            event: HookEvent::default(),
            timeout: DEFAULT_HOOK_TIMEOUT,
            on_failure: OnFailure::default(),
            origin: HookOrigin::default(),
        }
    }

    /// Asks it about these tools only. An empty list means that it is never asked.
    #[must_use]
    pub fn with_tools<S: Into<String>>(self, tools: impl IntoIterator<Item = S>) -> Self {
        Self {
            tools: Some(tools.into_iter().map(Into::into).collect()),
            ..self
        }
    }

    /// Asks it about tools of these kinds, beside the tools that it names.
    #[must_use]
    pub fn with_kinds(self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self {
            kinds: Some(kinds.into_iter().collect()),
            ..self
        }
    }

    /// Sends it what is known about the call.
    #[must_use]
    pub fn with_facts(self) -> Self {
        Self {
            facts: true,
            ..self
        }
    }

    /// Asks it at this event.
    #[must_use]
    pub fn with_event(self, event: HookEvent) -> Self {
        Self { event, ..self }
    }

    /// Gives it this time for one answer.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Gives its failure this meaning.
    #[must_use]
    pub fn with_on_failure(self, on_failure: OnFailure) -> Self {
        Self { on_failure, ..self }
    }

    /// Has its command belong to this folder, and its program run there, in place of the workspace. A hook without a program
    /// stays as it is.
    ///
    /// ```
    /// use hook_contract::HookSpec;
    ///
    /// let guard = HookSpec::new("guard", ["./guard.sh"]).with_directory("/home/ada/.config/basis");
    /// assert_eq!(guard.program().unwrap().directory.as_deref(), Some("/home/ada/.config/basis".as_ref()));
    /// ```
    #[must_use]
    pub fn with_directory(self, directory: impl Into<PathBuf>) -> Self {
        self.with_program(|program| program.directory = Some(directory.into()))
    }

    /// Runs its program in this mode. A hook without a program stays as it is.
    #[must_use]
    pub fn with_mode(self, mode: HookMode) -> Self {
        self.with_program(|program| program.mode = mode)
    }

    /// Replaces its worker after so many questions. A hook without a program stays as it is.
    #[must_use]
    pub fn with_max_questions(self, max_questions: u64) -> Self {
        self.with_program(|program| program.max_questions = max_questions)
    }

    /// Replaces its worker at this age. A hook without a program stays as it is.
    #[must_use]
    pub fn with_max_age(self, max_age: Duration) -> Self {
        self.with_program(|program| program.max_age = max_age)
    }

    /// Lets its worker go after so long without a question. A hook without a program stays as it is.
    #[must_use]
    pub fn with_max_idle(self, max_idle: Duration) -> Self {
        self.with_program(|program| program.max_idle = max_idle)
    }

    /// Says where it was declared.
    #[must_use]
    pub fn with_origin(self, origin: HookOrigin) -> Self {
        Self { origin, ..self }
    }

    fn with_program(mut self, change: impl FnOnce(&mut CommandTransport)) -> Self {
        if let Transport::Command(program) = &mut self.transport {
            change(program);
        }
        self
    }

    /// The program and its arguments; `None` for a hook that is reached by another transport.
    #[must_use]
    pub fn command(&self) -> Option<&[String]> {
        self.program().map(|program| &*program.argv)
    }

    /// The program and how it is run; `None` for a hook that is reached by another transport.
    #[must_use]
    pub fn program(&self) -> Option<&CommandTransport> {
        match &self.transport {
            Transport::Command(program) => Some(program),
            Transport::Other { .. } => None,
        }
    }

    /// The settings of a transport that is no program: what stands under its key in the hooks file.
    #[must_use]
    pub fn config(&self) -> Option<&Value> {
        match &self.transport {
            Transport::Command(_) => None,
            Transport::Other { config, .. } => Some(config.value()),
        }
    }

    /// The time for one answer.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Where it was declared.
    #[must_use]
    pub const fn origin(&self) -> &HookOrigin {
        &self.origin
    }

    /// Whether it is asked about calls of `tool_name` at `event`, as far as names tell. Names are compared byte for
    /// byte; kinds are not looked at, see [`concerns`](Self::concerns).
    #[must_use]
    pub fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        self.concerns(&Subject::new(event, tool_name))
    }

    /// Whether it is asked about this subject: the event is its own, and the tool's name or one of its kinds is listed,
    /// or neither list is there.
    ///
    /// ```
    /// use hook_contract::{HookEvent, HookSpec, Kind, Subject};
    ///
    /// let guard = HookSpec::new("guard", ["./guard"]).with_kinds([Kind::Shell]);
    /// let subject = Subject::new(HookEvent::PreToolUse, "Bash").with_kinds([Kind::Shell]);
    /// assert!(guard.concerns(&subject));
    /// ```
    #[must_use]
    pub fn concerns(&self, subject: &Subject<'_>) -> bool {
        if self.event != subject.event {
            return false;
        }
        let by_name = |tools: &Vec<String>| tools.iter().any(|tool| tool == subject.tool_name);
        let by_kind = |kinds: &Vec<Kind>| {
            let kinds: Kinds = kinds.iter().copied().collect();
            kinds.intersects(subject.kinds)
        };
        match (&self.tools, &self.kinds) {
            (None, None) => true,
            (tools, kinds) => {
                tools.as_ref().is_some_and(by_name) || kinds.as_ref().is_some_and(by_kind)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> HookSpec {
        HookSpec::new("guard", ["./guard.sh", "-x"])
    }

    #[test]
    fn a_hook_is_asked_before_every_call_unless_it_says_otherwise() {
        let hook = guard();
        assert_eq!(hook.event, HookEvent::PreToolUse);
        assert_eq!(hook.timeout(), DEFAULT_HOOK_TIMEOUT);
        assert_eq!(hook.on_failure, OnFailure::Deny);
        assert_eq!(hook.program().expect("a program").mode, HookMode::Oneshot);
        assert_eq!(hook.origin(), &HookOrigin::Supplied);
        assert!(hook.applies_to(HookEvent::PreToolUse, "anything"));
        assert!(!hook.applies_to(HookEvent::PostToolUse, "anything"));
    }

    #[test]
    fn a_tool_is_meant_by_its_exact_name_or_by_its_kind() {
        let hook = guard().with_tools(["spawn"]).with_kinds([Kind::Write]);
        let subject = |name| Subject::new(HookEvent::PreToolUse, name);
        assert!(hook.concerns(&subject("spawn")));
        assert!(!hook.concerns(&subject("Spawn")));
        assert!(hook.concerns(&subject("Write").with_kinds([Kind::Edit, Kind::Write])));
        assert!(!hook.concerns(&subject("Read").with_kinds([Kind::Read])));
    }

    #[test]
    fn no_tools_is_no_tool_and_no_list_is_every_tool() {
        assert!(
            !guard()
                .with_tools([""; 0])
                .applies_to(HookEvent::PreToolUse, "spawn")
        );
        assert!(guard().applies_to(HookEvent::PreToolUse, "spawn"));
        let by_kind = guard().with_kinds([Kind::Shell]);
        assert!(
            !by_kind.applies_to(HookEvent::PreToolUse, "spawn"),
            "kinds are not known"
        );
    }

    #[test]
    fn settings_of_a_program_leave_another_transport_alone() {
        let remote = HookSpec::over("policy", "http", serde_json::json!({"url": "u"}));
        assert_eq!(remote.clone().with_mode(HookMode::Worker), remote);
        assert_eq!(remote.config().expect("settings")["url"], "u");
    }
}
