//! The hooks of one agent in one workspace.

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use hook_runner::{Identity, Ranks};

use super::{
    DialectHooksBuilder, Late,
    background::Background,
    command::{Command, Means},
    environments::{Added, Environments},
    host::Host,
};
use crate::{
    Dialect, Fact, Facts, FailurePolicy, MatcherSet, Profile,
    config::LoadedHook,
    dialect::{EventRow, Subject},
};

/// The hooks of one agent in one workspace, ready to be asked.
///
/// It takes part in the chain (give it to
/// [`with_last_participant`](hook_runner::HookRunnerBuilder::with_last_participant), or to
/// [`with_participant`](hook_runner::HookRunnerBuilder::with_participant) to have it asked before the native hooks), and
/// [`fire`](Self::fire) is for every other event. Cheap to clone and to share. When the last clone is dropped, hooks in
/// the background end.
#[derive(Clone)]
pub struct DialectHooks {
    pub(super) inner: Arc<Inner>,
}

/// What the hooks of an agent are made of; never changed once it is made.
pub(super) struct Inner {
    pub(super) profile: Profile,
    pub(super) identity: Identity,
    pub(super) workspace: Arc<Path>,
    pub(super) environments: Environments,
    pub(super) host: Host,
    /// What hooks get beside the host's variables.
    pub(super) added: Vec<Added>,
    pub(super) events: Vec<EventHooks>,
    /// What hooks are told at every event.
    pub(super) session: Facts,
    pub(super) tool_names: HashMap<String, String>,
    pub(super) ranks: Ranks,
    pub(super) waited_for: Means,
    pub(super) in_background: Means,
    pub(super) background: Background,
    /// Where texts are put that are too long for the model.
    pub(super) long_texts: Option<Arc<Path>>,
}

/// The hooks of one event.
pub(super) struct EventHooks {
    pub(super) event: &'static EventRow,
    pub(super) matchers: MatcherSet,
    pub(super) commands: Vec<Arc<Command>>,
}

/// A hook that is asked, with what its failure means.
pub(super) struct Chosen {
    pub(super) command: Arc<Command>,
    pub(super) policy: FailurePolicy,
}

impl DialectHooks {
    /// Everything that can be set about the hooks of an agent in a workspace. A relative workspace is made absolute.
    pub fn builder(
        dialect: &'static Dialect,
        workspace: impl Into<PathBuf>,
    ) -> DialectHooksBuilder {
        DialectHooksBuilder::new(dialect, workspace.into())
    }

    /// Whose hooks they are.
    #[must_use]
    pub fn dialect(&self) -> &'static Dialect {
        self.inner.profile.dialect
    }

    /// Whether there is nobody to ask at any event.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.events.is_empty()
    }

    /// The hooks, event by event, in configured order.
    pub fn hooks(&self) -> impl Iterator<Item = &LoadedHook> {
        let commands = self.inner.events.iter().flat_map(|event| &event.commands);
        commands.map(|command| &*command.hook)
    }

    /// Whether anybody would be asked at an event with these facts.
    #[must_use]
    pub fn asks(&self, event: &str, facts: &Facts) -> bool {
        self.inner.at(event).is_some_and(|hooks| {
            let facts = self.inner.complete(facts.clone(), hooks.event);
            !hooks.chosen(self.dialect(), &facts).is_empty()
        })
    }

    /// How many hooks run on in the background.
    #[must_use]
    pub fn running_in_background(&self) -> usize {
        self.inner.background.running()
    }

    /// The hooks in the background that have ended since this was asked last, in the order of ending.
    #[must_use]
    pub fn ended_in_background(&self) -> Vec<Late> {
        self.inner.background.ended()
    }

    /// Ends all hooks in the background, with their process groups, and waits until they are gone.
    ///
    /// # Cancellation
    ///
    /// They end all the same.
    pub async fn drain(&self) {
        self.inner.background.drain().await;
    }

    /// Waits until all hooks in the background have ended by themselves.
    ///
    /// # Cancellation
    ///
    /// Those that have not ended do then.
    pub async fn finish_background(&self) {
        self.inner.background.finish().await;
    }
}

impl Inner {
    /// The hooks of an event; nothing when there are none.
    pub(super) fn at(&self, event: &str) -> Option<&EventHooks> {
        self.events.iter().find(|hooks| hooks.event.name == event)
    }
}

impl EventHooks {
    /// The places of the hooks whose matcher has one of these names, in configured order.
    pub(super) fn selected(&self, dialect: &Dialect, facts: &Facts) -> Vec<usize> {
        let about = |fact| facts.text(fact).into_iter();
        match self.event.subject {
            Subject::Nothing => self.matchers.select(&[""]),
            Subject::Tool => {
                let tools = about(Fact::ToolName);
                let names: Vec<_> = tools.flat_map(|tool| dialect.names_of(tool)).collect();
                self.matchers.select(&names)
            }
            Subject::Fact(fact) => self.matchers.select(&about(fact).collect::<Vec<_>>()),
            Subject::FileName(fact) => {
                let name = |path| Path::new(path).file_name()?.to_str();
                let names: Vec<_> = about(fact).filter_map(name).collect();
                self.matchers.select(&names)
            }
        }
    }

    /// The hooks that are asked, each once where its agent does not tell its copies apart.
    pub(super) fn chosen(&self, dialect: &Dialect, facts: &Facts) -> Vec<Chosen> {
        let mut chosen: Vec<Chosen> = Vec::new();
        for place in self.selected(dialect, facts) {
            let Some(command) = self.commands.get(place) else {
                continue;
            };
            if !holds(&command.hook, facts) {
                continue;
            }
            let policy = command.hook.handler.on_failure;
            let same = |other: &&mut Chosen| command.hook.is_copy_of(&other.command.hook);
            match chosen.iter_mut().find(same) {
                // A failure costs what the strictest of the copies says.
                Some(other) => other.policy = other.policy.stricter(policy),
                None => chosen.push(Chosen {
                    command: Arc::clone(command),
                    policy,
                }),
            }
        }
        chosen
    }
}

/// Whether the rule of a hook, if it has one, holds for the call that the facts are about.
pub(super) fn holds(hook: &LoadedHook, facts: &Facts) -> bool {
    let Some(rule) = &hook.handler.rule else {
        return true;
    };
    let tool = facts.text(Fact::ToolName);
    let (Some(tool), Some(input)) = (tool, facts.get(Fact::ToolInput)) else {
        // About a call of which nothing is known, the hook is asked; no rule holds for anything else.
        return hook.is_about_a_tool();
    };
    let cwd = facts.text(Fact::Cwd).unwrap_or_default();
    rule.holds(tool, input, Path::new(cwd))
}

impl fmt::Debug for DialectHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialectHooks")
            .field("dialect", &self.inner.profile.dialect.name)
            .field("strict", &self.inner.profile.strict)
            .field("workspace", &self.inner.workspace)
            .field("hooks", &self.hooks().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
