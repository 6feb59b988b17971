//! Handlers that are declared and not asked.

use std::fmt;

use hook_contract::shown;
use hook_source::Shown;
use thiserror::Error;

use super::origin::Origin;
use crate::Dialect;

/// How much of a command, prompt or address is shown on one line with its reason.
const SHOWN_CHARS: usize = 120;

/// A handler that is declared and not asked, and why.
///
/// Shown as origin, event and the beginning of the command, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotRun {
    /// The name of the agent ([`Dialect::name`]).
    pub dialect: &'static str,
    /// The event, as it is written.
    pub event: String,
    /// The matcher of its group, as it is written.
    pub matcher: Option<String>,
    /// The type of the handler, as it is written.
    pub handler_type: String,
    /// What it would run or ask, on one line.
    pub shown: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Why it is not asked.
    pub why: WhyNotRun,
}

impl NotRun {
    /// A command of a dialect at an event that is not asked.
    #[must_use]
    pub fn new(
        dialect: &Dialect,
        event: impl Into<String>,
        shown: impl Into<String>,
        origin: Origin,
        why: WhyNotRun,
    ) -> Self {
        Self {
            dialect: dialect.name,
            event: event.into(),
            matcher: None,
            handler_type: "command".into(),
            shown: shown.into(),
            origin,
            why,
        }
    }
}

impl WhyNotRun {
    /// Whether it is asked as soon as the user says that it, or its project, is to be trusted.
    #[must_use]
    pub const fn waits_for_trust(&self) -> bool {
        matches!(
            self,
            Self::NotTrusted { .. }
                | Self::ChangedSinceTrusted { .. }
                | Self::ProjectNotTrusted { .. }
        )
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            event,
            shown,
            origin,
            why,
            ..
        } = self;
        let event = Shown(event);
        let mut shown = shown::line(shown);
        if let Some((end, _)) = shown.char_indices().nth(SHOWN_CHARS) {
            shown.truncate(end);
            shown.push('…');
        }
        write!(f, "{origin}: {event} hook `{shown}` is not run: {why}")
    }
}

/// Why a handler is not asked. Each says what would have it asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyNotRun {
    /// It is not a command.
    #[error("handlers of type `{}` need the agent itself; only commands are run here", Shown(.handler_type))]
    #[non_exhaustive]
    HandlerType {
        /// The type.
        handler_type: String,
    },
    /// The agent does not run this type at this event.
    #[error(
        "{agent} runs no handler of type `{}` at this event; write it as a command", Shown(.handler_type)
    )]
    #[non_exhaustive]
    TypeAtEvent {
        /// The name of the agent.
        agent: &'static str,
        /// The type.
        handler_type: String,
    },
    /// The event is not known.
    #[error(
        "the event is not known to {agent} {checked_against}; correct its name, or use a version that knows it"
    )]
    #[non_exhaustive]
    UnknownEvent {
        /// The name of the agent.
        agent: &'static str,
        /// The version whose events are known.
        checked_against: &'static str,
    },
    /// It has a rule (`if`) at an event that is not about a tool call, where no rule ever holds.
    #[error("a rule (`if`) holds for tool calls only, and this event is none; remove the rule")]
    RuleWithoutTool,
    /// Hooks are switched off.
    #[error("`{switch}` in {origin} switches it off; change it there")]
    #[non_exhaustive]
    SwitchedOff {
        /// The setting.
        switch: &'static str,
        /// Where it is set.
        origin: Origin,
    },
    /// Nobody has said that this hook is to be trusted.
    #[error(
        "nobody has trusted it; review it, and trust it in Codex (`/hooks`) or write trusted_hash = \"{hash}\" under [hooks.state.\"{}\"] in the user's config.toml",
        shown::line(.key)
    )]
    #[non_exhaustive]
    NotTrusted {
        /// The name under which trust is kept.
        key: String,
        /// What would be trusted.
        hash: String,
    },
    /// It is not what somebody trusted.
    #[error(
        "it is not the hook that was trusted; review it, and write trusted_hash = \"{hash}\" under [hooks.state.\"{}\"] in the user's config.toml",
        shown::line(.key)
    )]
    #[non_exhaustive]
    ChangedSinceTrusted {
        /// The name under which trust is kept.
        key: String,
        /// What would be trusted.
        hash: String,
    },
    /// It is switched off one by one.
    #[error(
        "`enabled = false` under [hooks.state.\"{}\"] switches it off; remove it there",
        shown::line(.key)
    )]
    #[non_exhaustive]
    Disabled {
        /// The name under which its state is kept.
        key: String,
    },
    /// The project is not trusted.
    #[error(
        "the project is not trusted; review it, and write trust_level = \"trusted\" under [projects.\"{}\"] in the user's config.toml",
        shown::line(.project)
    )]
    #[non_exhaustive]
    ProjectNotTrusted {
        /// The folder that would be trusted.
        project: String,
    },
    /// What is wrong with it makes the agent drop it, and the agent is followed to the letter.
    #[error("{agent} drops it: {}", shown::line(.what))]
    #[non_exhaustive]
    DroppedAtHome {
        /// The name of the agent.
        agent: &'static str,
        /// What is wrong.
        what: String,
    },
}
