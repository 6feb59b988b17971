//! Everything that can be set about the hooks of an agent.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf, absolute},
    sync::Arc,
    time::Instant,
};

use hook_contract::HookOrigin;
use hook_runner::{
    Identity, Origin,
    program::{self, Environment},
};
use hook_wire::MAX_RESPONSE_BYTES;
use tokio::sync::Semaphore;

use super::{
    Credentials, DialectHooks,
    background::Background,
    command::{Command, Means},
    environments::{Added, Environments},
    hooks::{EventHooks, Inner},
    host::Noting,
    ranks::ranks_of,
    times::Times,
};
use crate::{
    Dialect, Fact, Facts, MatcherSet, Profile,
    config::{LoadedHook, LoadedHooks, Scope, Variable},
};

/// How much a hook may print where the agent is followed to the letter. At home it is all read, however much it is.
const MOST_AT_HOME: usize = 64 * 1024 * 1024;

/// Sets up [`DialectHooks`].
#[must_use = "a builder does nothing until it is built"]
pub struct DialectHooksBuilder {
    dialect: &'static Dialect,
    workspace: PathBuf,
    strict: bool,
    hooks: Vec<Arc<LoadedHook>>,
    session: Facts,
    tool_names: HashMap<String, String>,
    credentials: Credentials,
    added: Vec<Added>,
    max_programs: Option<usize>,
    max_output_bytes: Option<usize>,
    long_texts: Option<PathBuf>,
    clock: Arc<dyn Fn() -> Instant + Send + Sync>,
}

impl DialectHooksBuilder {
    pub(super) fn new(dialect: &'static Dialect, workspace: PathBuf) -> Self {
        Self {
            dialect,
            workspace,
            strict: false,
            hooks: Vec::new(),
            session: Facts::new(),
            tool_names: HashMap::new(),
            credentials: Credentials::default(),
            added: Vec::new(),
            max_programs: None,
            max_output_bytes: None,
            long_texts: None,
            clock: Arc::new(Instant::now),
        }
    }

    /// Adds hooks, in configured order. Those of another agent are left out.
    pub fn with_hooks(mut self, hooks: impl IntoIterator<Item = LoadedHook>) -> Self {
        let hooks = hooks.into_iter();
        let own = hooks.filter(|hook| hook.dialect.name == self.dialect.name);
        self.hooks.extend(own.map(Arc::new));
        self
    }

    /// Adds what the agent's own files declare: its hooks, and the variables that its settings give to hooks. What is there
    /// of another agent is left out.
    pub fn with_loaded(self, loaded: &LoadedHooks) -> Self {
        self.with_hooks(loaded.hooks.iter().cloned())
            .with_variables(&loaded.environment)
    }

    /// Adds variables that the agent's settings give to hooks, lowest precedence first. Those of another agent are left
    /// out. A variable reaches the hooks of files that rank no higher than its own: what came with a project sets nothing
    /// for the user's hooks, unless everything is [as at home](Self::with_strict). What is added after them counts.
    pub fn with_variables<'v>(self, variables: impl IntoIterator<Item = &'v Variable>) -> Self {
        let name = self.dialect.name;
        let variables = variables.into_iter();
        let own = variables.filter(|variable| variable.dialect == name);
        own.fold(self, |mut builder, variable| {
            let (name, value) = (variable.name.clone(), variable.value.clone());
            let from = Some(variable.origin.scope);
            builder
                .added
                .push(Added::new(name.into(), value.into(), from));
            builder
        })
    }

    /// Whether everything is as the agent itself has it, also where that lets a call pass that a guard meant to stop.
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Something that hooks are told whenever their event has a place for it, such as where the transcript is. What an
    /// event itself knows goes before it.
    pub fn with_fact(mut self, fact: Fact, value: impl Into<serde_json::Value>) -> Self {
        self.session = self.session.with(fact, value);
        self
    }

    /// What the agent calls a tool of this runtime: its hooks are matched with that name, and told it.
    pub fn with_tool_name(mut self, own: impl Into<String>, theirs: impl Into<String>) -> Self {
        self.tool_names.insert(own.into(), theirs.into());
        self
    }

    /// What of the host's environment looks like a credential, and stays with the host.
    pub fn with_credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    /// Adds a variable to the environment of hooks; the last one of a name counts, and one that the agent itself sets goes
    /// before it.
    pub fn with_env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.added.push(Added::new(name.into(), value.into(), None));
        self
    }

    /// How many hooks may run at once, those in the background aside; further ones wait, which is not their own time. At
    /// least 1; unless set, 16 for each core.
    pub fn with_max_programs(mut self, programs: usize) -> Self {
        self.max_programs = Some(programs.max(1));
        self
    }

    /// How many bytes a hook may print; past it, it is killed. Unless set, 8 MiB; where the agent is followed to the
    /// letter, which reads whatever is printed, 64 MiB.
    pub fn with_max_output_bytes(mut self, bytes: usize) -> Self {
        self.max_output_bytes = Some(bytes);
        self
    }

    /// Cuts contexts and messages to the agent's own size, and puts what is longer into files of this folder, which has to
    /// be there; the model is told where. Unless set, they are passed on whole. Nobody removes the files.
    pub fn with_long_texts_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.long_texts = Some(folder.into());
        self
    }

    /// The monotonic clock that times runs; for tests. Time limits do not use it.
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// How many bytes a hook may print.
    fn most_output(&self) -> usize {
        self.max_output_bytes.unwrap_or(if self.strict {
            MOST_AT_HOME
        } else {
            MAX_RESPONSE_BYTES
        })
    }

    const fn profile(&self) -> Profile {
        if self.strict {
            self.dialect.strict()
        } else {
            self.dialect.guarded()
        }
    }

    /// The hooks, ready to be asked. The host's environment is read here.
    #[must_use]
    pub fn build(self) -> DialectHooks {
        let (profile, max_output_bytes) = (self.profile(), self.most_output());
        // Without a working directory there is no absolute form; every start will then say that it is gone.
        let workspace = absolute(&self.workspace).unwrap_or(self.workspace);
        let workspace: Arc<Path> = workspace.into();
        let credentials = self.credentials;
        let times = Times::default();
        let noting = Noting::default();
        let keep = |name: &OsStr, value: &OsStr| {
            times.look(self.dialect.events, name, value);
            !noting.note(name, credentials.withholds(name, value))
        };
        let strict = self.strict;
        let of_scope = |scope: Scope| {
            let added = self.added.iter();
            let added = added.filter_map(|added| added.for_hooks_of(scope, strict));
            let added = added.map(|(name, value)| (name.to_owned(), value.to_owned()));
            Environment::inherited(keep, added)
        };
        let hooks = self.hooks.iter().map(|hook| &**hook);
        let environments = Environments::of_each(hooks, of_scope);
        for added in &self.added {
            // One time is for all hooks of an event, those of the highest rank included.
            if let Some((name, value)) = added.for_hooks_of(Scope::Managed, strict) {
                times.look(self.dialect.events, name, value);
            }
        }
        let events = self.dialect.events.iter().filter_map(|event| {
            let of_event = |hook: &&Arc<LoadedHook>| hook.event.name == event.name;
            let hooks: Vec<_> = self.hooks.iter().filter(of_event).collect();
            let together = times.together(event, &hooks);
            let commands = hooks.into_iter().map(|hook| {
                let hook = Arc::clone(hook);
                let timeout =
                    together.map_or(hook.handler.timeout, |together| together.of(&hook.handler));
                let limits = (timeout, max_output_bytes);
                let environment = environments.of(&hook);
                Arc::new(Command::new(
                    hook,
                    profile,
                    &workspace,
                    &environment,
                    limits,
                ))
            });
            let commands: Vec<_> = commands.collect();
            let matchers = commands.iter().map(|command| command.hook.matcher.clone());
            let matchers = MatcherSet::new(matchers);
            (!commands.is_empty()).then_some(EventHooks {
                event,
                matchers,
                commands,
            })
        });
        let programs = self.max_programs.unwrap_or_else(program::at_once);
        let means = |places: usize| Means {
            places: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            clock: Arc::clone(&self.clock),
        };
        let origin = Origin::Declared(HookOrigin::Supplied);
        DialectHooks {
            inner: Arc::new(Inner {
                events: events.collect(),
                identity: Identity::new("dialect", self.dialect.name, origin)
                    .with_dialect(self.dialect.name),
                waited_for: means(programs),
                in_background: means(self.dialect.running.background_at_once),
                background: Background::default(),
                ranks: ranks_of(&self.hooks),
                session: self.session,
                tool_names: self.tool_names,
                environments,
                host: noting.noted(),
                added: self.added,
                workspace,
                profile,
                long_texts: self.long_texts.map(Into::into),
            }),
        }
    }
}

impl fmt::Debug for DialectHooksBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialectHooksBuilder")
            .field("dialect", &self.dialect.name)
            .field("workspace", &self.workspace)
            .field("hooks", &self.hooks)
            .finish_non_exhaustive()
    }
}
