//! The environment of each hook of an agent.
//!
//! The agent's settings give variables to its hooks, and a project has settings, too. A variable of a file reaches the hooks
//! of files that rank no higher: what came with a project is not to choose the program, the library or the start file of the
//! user's guard. As at home, every variable reaches every hook.

use std::ffi::{OsStr, OsString};

use hook_runner::program::Environment;

use crate::config::{LoadedHook, Scope};

/// A variable that is added to the environment of hooks.
#[derive(Clone, Debug)]
pub(super) struct Added {
    name: OsString,
    value: OsString,
    /// Whose file sets it; nothing where the host does.
    from: Option<Scope>,
}

impl Added {
    pub(super) const fn new(name: OsString, value: OsString, from: Option<Scope>) -> Self {
        Self { name, value, from }
    }

    /// Its name and value, for hooks of that scope.
    pub(super) fn for_hooks_of(&self, scope: Scope, strict: bool) -> Option<(&OsStr, &OsStr)> {
        let reaches = strict || self.from.is_none_or(|from| from.reaches(scope));
        reaches.then_some((&*self.name, &*self.value))
    }
}

/// The environment of the hooks of each scope that there is.
#[derive(Debug)]
pub(super) struct Environments(Vec<(Scope, Environment)>);

impl Environments {
    /// Of what these hooks are given: each scope once.
    pub(super) fn of_each<'h>(
        hooks: impl Iterator<Item = &'h LoadedHook>,
        environment: impl Fn(Scope) -> Environment,
    ) -> Self {
        let mut scopes: Vec<Scope> = hooks.map(|hook| hook.origin.scope).collect();
        scopes.sort_unstable();
        scopes.dedup();
        let each = scopes.into_iter().map(|scope| (scope, environment(scope)));
        Self(each.collect())
    }

    /// The same, with more variables in each.
    pub(super) fn with<N, V>(&self, variables: &[(N, V)]) -> Self
    where
        N: Clone + Into<OsString>,
        V: Clone + Into<OsString>,
    {
        let more = |environment: &Environment| environment.with(variables.iter().cloned());
        let environments = self.0.iter();
        Self(
            environments
                .map(|(scope, one)| (*scope, more(one)))
                .collect(),
        )
    }

    /// The environment of a hook; the least that a program gets, for a scope of which there is none.
    pub(super) fn of(&self, hook: &LoadedHook) -> Environment {
        let found = self.0.iter().find(|(scope, _)| *scope == hook.origin.scope);
        found.map_or_else(
            || Environment::baseline::<&str, &str>([]),
            |(_, environment)| environment.clone(),
        )
    }
}
