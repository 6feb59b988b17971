//! The hooks that were found, ready to be asked.

use super::{
    beside::Beside,
    finding::Finding,
    handler::{Background, CommandForm, Handler},
    not_run::NotRun,
    origin::Origin,
    source::DialectSource,
};
use crate::{
    Dialect, IfRule, Matcher,
    dialect::{EventRow, Subject},
};

/// One hook of another agent, ready to be asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedHook {
    /// Whose hook it is.
    pub dialect: &'static Dialect,
    /// The event it is asked at.
    pub event: &'static EventRow,
    /// Which of the event's occasions it is asked about.
    pub matcher: Matcher,
    /// The matcher as it is written, if one is.
    pub pattern: Option<String>,
    /// What is started.
    pub handler: Handler,
    /// Where it is declared.
    pub origin: Origin,
    /// Its place among all hooks that were loaded, from 0: the configured order.
    pub order: usize,
    /// Hooks of one event with the same number are one and the same to their agent, which starts it once however many
    /// of them are selected; but never two that differ in what is started, in their rule, or in whether anybody waits.
    /// Where an agent does not look at that, every hook has its own number.
    pub same: usize,
}

/// What makes two hooks of one event copies of each other, for an agent that starts copies once. When it has to have
/// answered and what its failure means are no part of it.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Likeness<'a> {
    event: &'static str,
    command: &'a CommandForm,
    rule: Option<&'a str>,
    background: Background,
}

impl LoadedHook {
    /// A hook at place 0, with the number 0.
    ///
    /// Two that are made so, at one event and with the same command, rule and background, are copies: one of them is
    /// started. [`same`](Self::same) keeps them apart.
    #[must_use]
    pub fn new(
        dialect: &'static Dialect,
        event: &'static EventRow,
        pattern: Option<String>,
        handler: Handler,
        origin: Origin,
    ) -> Self {
        Self {
            dialect,
            event,
            matcher: dialect.matcher(event, pattern.as_deref()),
            pattern,
            handler,
            origin,
            order: 0,
            same: 0,
        }
    }

    pub(super) fn likeness(&self) -> Likeness<'_> {
        Likeness {
            event: self.event.name,
            command: &self.handler.command,
            rule: self.handler.rule.as_ref().map(IfRule::text),
            background: self.handler.background,
        }
    }

    /// Whether its agent takes the two for one.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        self.same == other.same && self.likeness() == other.likeness()
    }

    /// Whether it is asked about tool calls.
    #[must_use]
    pub fn is_about_a_tool(&self) -> bool {
        self.event.subject == Subject::Tool
    }
}

/// Everything that the agents' files declare.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadedHooks {
    /// The hooks that are asked, in configured order: agent by agent, file by file, as they are written.
    pub hooks: Vec<LoadedHook>,
    /// The handlers that are declared and not asked, each with the reason.
    pub not_run: Vec<NotRun>,
    /// Variables that the settings give to hooks, lowest precedence first: of one name, the last counts.
    pub environment: Vec<Variable>,
    /// What guards calls at home beside these hooks and is not looked at here, file by file.
    pub beside: Vec<Beside>,
    /// What is allowed and probably not meant; where the agents are followed to the letter, also what they make nothing of.
    pub findings: Vec<Finding>,
    /// The files that were read; the spans of the findings refer to their texts.
    pub sources: Vec<DialectSource>,
}

/// A variable that the settings give to hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// The name of the agent whose hooks are given it ([`Dialect::name`]).
    pub dialect: &'static str,
    /// Its name: not empty, and without `=`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Where it is set.
    pub origin: Origin,
}

impl LoadedHooks {
    /// The hooks at one event of one agent, in configured order.
    pub fn at<'a>(
        &'a self,
        dialect: &'a Dialect,
        event: &'a str,
    ) -> impl Iterator<Item = &'a LoadedHook> {
        self.hooks
            .iter()
            .filter(move |hook| hook.dialect.name == dialect.name && hook.event.name == event)
    }
}
