//! One file of an agent's settings.

use std::path::{Path, PathBuf};

use hook_source::{Diagnostic, Table};

use super::{
    finding::{AtHome, Finding},
    not_run::WhyNotRun,
    origin::{Origin, Scope},
    settings::DialectConfig,
};
use crate::{
    Dialect, FailurePolicy,
    config::{groups::Declared, handler::Handler},
};

/// A file of an agent's settings, as it was read.
///
/// Its text has been read once and is not read again, so that what is checked is what is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DialectSource {
    /// The name of the agent ([`Dialect::name`]).
    pub dialect: &'static str,
    /// Whose file it is.
    pub scope: Scope,
    /// The file, as it was looked for.
    pub path: PathBuf,
    /// What is in it, without a byte order mark.
    pub text: String,
}

/// What a file says about hooks.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub(super) source: DialectSource,
    pub(super) declared: Vec<Declared>,
    pub(super) findings: Vec<Finding>,
    /// Why the agent uses nothing of it.
    pub(super) dropped: Option<String>,
}

/// The surroundings in which a file is read.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) dialect: &'static Dialect,
    pub(super) scope: Scope,
    pub(super) path: &'a Path,
    pub(super) config: &'a DialectConfig,
    /// The folder that `/…` in a rule begins at.
    pub(super) root: Option<&'a Path>,
    pub(super) habits: &'static Habits,
}

/// What an agent calls things in its settings, and what it does about mistakes.
pub(super) struct Habits {
    /// The types of handlers.
    pub(super) types: &'static [&'static str],
    /// The fields of a command.
    pub(super) fields: Table,
    /// Fields of a command that another agent has, and which.
    pub(super) foreign: &'static [&'static str],
    /// The fields of a group.
    pub(super) group: Table,
    /// Whether a group may be without hooks.
    pub(super) group_may_be_empty: bool,
    /// What a mistake in a handler does at an event.
    pub(super) on_mistake: fn(event: &str) -> AtHome,
    /// What a mistake in a group does at an event.
    pub(super) on_group_mistake: fn(event: &str) -> AtHome,
    /// What a matcher that is no expression does.
    pub(super) on_matcher: AtHome,
    /// Reads a command.
    pub(super) command: fn(&mut super::commands::Commands<'_, '_, '_>) -> Option<Handler>,
}

impl Ground<'_> {
    pub(super) fn origin(&self, line: usize) -> Origin {
        Origin::new(self.scope, self.path.to_owned(), line)
    }

    /// What a failure means, when the file says `written`: the stricter of that and what the embedder says. Where one of
    /// them says nothing, the other counts.
    pub(super) fn on_failure(&self, written: FailurePolicy) -> FailurePolicy {
        let said = self.config.on_failure(self.dialect, self.scope);
        match (written, said) {
            (FailurePolicy::Unwritten, other) | (other, FailurePolicy::Unwritten) => other,
            (written, said) => written.stricter(said),
        }
    }

    /// Why a handler with a mistake is not run, where the agent is followed to the letter.
    pub(super) fn dropped(&self, told: &Diagnostic) -> WhyNotRun {
        WhyNotRun::DroppedAtHome {
            agent: self.dialect.title,
            what: told.message.clone(),
        }
    }
}
