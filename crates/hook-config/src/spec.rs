//! One declared hook.

use std::time::Duration;

use hook_contract::HookEvent;
use hook_source::Shown;
use thiserror::Error;

use crate::{HookMode, HookOrigin, OnFailure, ProblemKind};

/// How long a hook gets to answer when it does not say.
///
/// A hook stands in the way of every call it is asked about, so the budget is that of a check, not
/// of a job.
pub const DEFAULT_HOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// The least a hook can be given to answer.
pub const MIN_HOOK_TIMEOUT: Duration = Duration::from_millis(1);

/// The most a hook can be given to answer: a day.
pub const MAX_HOOK_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// How many questions a worker answers before it is replaced, when its hook does not say.
///
/// Far more than it takes to make the start of a process cost nothing, and few enough that one
/// which loses 10 KiB with each question never holds more than 100 MiB of them.
pub const DEFAULT_MAX_QUESTIONS: u64 = 10_000;

/// The most questions that a worker can be given before it is replaced.
pub const MAX_MAX_QUESTIONS: u64 = 1_000_000_000;

/// How old a worker gets before it is replaced, when its hook does not say: an hour.
pub const DEFAULT_MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// How long a worker is kept that nobody asks anything, when its hook does not say: ten minutes.
pub const DEFAULT_MAX_IDLE: Duration = Duration::from_secs(10 * 60);

/// The most that a worker can be given of either: a day.
pub const MAX_WORKER_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The least that a worker can be given of either.
const MIN_WORKER_TIME: Duration = Duration::from_millis(1);

/// One declared hook: a program, and when it is asked.
///
/// ```
/// use std::time::Duration;
/// use hook_config::{HookSpec, OnFailure};
/// use hook_contract::HookEvent;
///
/// let guard = HookSpec::new("no-force-push", ["./.basis/hooks/no-force-push.sh"])
///     .with_tools(["spawn"])
///     .with_timeout(Duration::from_millis(500));
///
/// assert!(guard.applies_to(HookEvent::PreToolUse, "spawn"));
/// assert!(!guard.applies_to(HookEvent::PreToolUse, "Spawn"), "a name is exact");
/// assert_eq!(guard.on_failure, OnFailure::Deny);
/// assert!(guard.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HookSpec {
    /// Who is named in denials and records. Not an identifier: two hooks may share a name, and both
    /// are asked.
    pub name: String,
    /// The program and its arguments, executed as they stand and never handed to a shell. A program
    /// with a `/` in it is relative to the workspace root; a bare one is looked up in the `PATH` the
    /// hook is given.
    pub command: Vec<String>,
    /// The exact names of the tools it is asked about; nothing means every tool.
    pub tools: Option<Vec<String>>,
    /// When it is asked.
    pub event: HookEvent,
    /// The budget for one answer, from [`MIN_HOOK_TIMEOUT`] to [`MAX_HOOK_TIMEOUT`].
    pub timeout: Duration,
    /// What it means when it cannot answer.
    pub on_failure: OnFailure,
    /// How the program is run.
    pub mode: HookMode,
    /// How many questions a worker answers before it is replaced, from 1 to [`MAX_MAX_QUESTIONS`].
    /// Of no meaning in another mode, as the next two.
    pub max_questions: u64,
    /// How old a worker gets before it is replaced, from a millisecond to [`MAX_WORKER_TIME`].
    pub max_age: Duration,
    /// How long a worker is kept that nobody asks anything, in the same limits.
    pub max_idle: Duration,
    origin: HookOrigin,
}

impl HookSpec {
    /// A hook that is asked before every call of every tool, with every setting at its default.
    #[must_use]
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        command: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            name: name.into(),
            command: command.into_iter().map(Into::into).collect(),
            tools: None,
            event: HookEvent::default(),
            timeout: DEFAULT_HOOK_TIMEOUT,
            on_failure: OnFailure::default(),
            mode: HookMode::default(),
            max_questions: DEFAULT_MAX_QUESTIONS,
            max_age: DEFAULT_MAX_AGE,
            max_idle: DEFAULT_MAX_IDLE,
            origin: HookOrigin::default(),
        }
    }

    /// The same hook, asked about these tools only. An empty list means that it is never asked.
    #[must_use]
    pub fn with_tools<S: Into<String>>(self, tools: impl IntoIterator<Item = S>) -> Self {
        Self {
            tools: Some(tools.into_iter().map(Into::into).collect()),
            ..self
        }
    }

    /// The same hook, asked at this event.
    #[must_use]
    pub fn with_event(self, event: HookEvent) -> Self {
        Self { event, ..self }
    }

    /// The same hook with this budget for one answer.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The same hook with this meaning of a failure.
    #[must_use]
    pub fn with_on_failure(self, on_failure: OnFailure) -> Self {
        Self { on_failure, ..self }
    }

    /// The same hook, run in this way.
    #[must_use]
    pub fn with_mode(self, mode: HookMode) -> Self {
        Self { mode, ..self }
    }

    /// The same hook, whose worker is replaced after so many questions.
    #[must_use]
    pub fn with_max_questions(self, max_questions: u64) -> Self {
        Self {
            max_questions,
            ..self
        }
    }

    /// The same hook, whose worker is replaced at this age.
    #[must_use]
    pub fn with_max_age(self, max_age: Duration) -> Self {
        Self { max_age, ..self }
    }

    /// The same hook, whose worker is let go when nobody asked it anything for so long.
    #[must_use]
    pub fn with_max_idle(self, max_idle: Duration) -> Self {
        Self { max_idle, ..self }
    }

    /// The same hook, declared there.
    #[must_use]
    pub fn with_origin(self, origin: HookOrigin) -> Self {
        Self { origin, ..self }
    }

    /// The budget for one answer.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Where it was declared.
    #[must_use]
    pub const fn origin(&self) -> &HookOrigin {
        &self.origin
    }

    /// Whether it is asked about calls of `tool_name` at `event`. Names are compared byte for byte.
    #[must_use]
    pub fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        self.event == event
            && self
                .tools
                .as_ref()
                .is_none_or(|tools| tools.iter().any(|tool| tool == tool_name))
    }

    /// Checks what a hooks file could not have said either.
    ///
    /// Hooks from [`load`](crate::load) have passed; a host that hands hooks over as values calls
    /// this, or lets `load` do it.
    ///
    /// # Errors
    ///
    /// When the name or the command is empty, the program is an empty word, a word of the command
    /// holds a NUL (no operating system can pass it on), or the timeout or a bound of a worker is out
    /// of range. All of it at once.
    pub fn validate(&self) -> Result<(), HookSpecError> {
        let mut problems = Vec::new();
        if self.name.is_empty() {
            problems.push(ProblemKind::EmptyName);
        }
        match self.command.first().map(String::as_str) {
            None => problems.push(ProblemKind::EmptyCommand),
            Some("") => problems.push(ProblemKind::EmptyProgram),
            Some(_) => {}
        }
        for (index, word) in self.command.iter().enumerate() {
            if word.contains('\0') {
                problems.push(ProblemKind::NulInCommand { word: index });
            }
        }
        if !(MIN_HOOK_TIMEOUT..=MAX_HOOK_TIMEOUT).contains(&self.timeout) {
            let found = format!("{:?}", self.timeout);
            problems.push(ProblemKind::TimeoutOutOfRange { found });
        }
        problems.extend(self.bounds_out_of_range());
        if problems.is_empty() {
            return Ok(());
        }
        Err(HookSpecError {
            name: self.name.clone(),
            problems,
        })
    }
}

impl HookSpec {
    /// What is wrong with the bounds of a worker.
    fn bounds_out_of_range(&self) -> impl Iterator<Item = ProblemKind> {
        let out = |field, found| ProblemKind::BoundOutOfRange { field, found };
        let questions = (!(1..=MAX_MAX_QUESTIONS).contains(&self.max_questions))
            .then(|| out("max_questions", self.max_questions.to_string()));
        let times = [("max_age_ms", self.max_age), ("max_idle_ms", self.max_idle)];
        let times = times.into_iter().filter_map(move |(field, time)| {
            let is_within = (MIN_WORKER_TIME..=MAX_WORKER_TIME).contains(&time);
            (!is_within).then(|| out(field, format!("{time:?}")))
        });
        questions.into_iter().chain(times)
    }
}

/// A hook that cannot be run as it was declared.
///
/// Shown with a line for each problem. Correct the value; nothing about it changes by trying again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.lines())]
#[non_exhaustive]
pub struct HookSpecError {
    /// The name of the hook, which may be what is wrong with it.
    pub name: String,
    /// What is wrong, in the order of the fields; at least one.
    pub problems: Vec<ProblemKind>,
}

impl HookSpecError {
    fn lines(&self) -> String {
        let lines = self.problems.iter().map(|problem| {
            let help = problem.help();
            format!("hook `{}`: {problem}; {help}", Shown(&self.name))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests;
