//! How much the hooks of an agent weigh in the chain.

use std::sync::Arc;

use hook_runner::{Rank, Ranks};

use crate::config::{LoadedHook, Scope};

/// All hooks of an agent speak as one participant: it judges as the highest of their sources, and rewrites as the lowest.
pub(super) fn ranks_of(hooks: &[Arc<LoadedHook>]) -> Ranks {
    let ranks = || hooks.iter().map(|hook| rank_of(hook.origin.scope));
    let lowest = Rank::workspace(0);
    Ranks::new(
        ranks().max().unwrap_or(lowest),
        ranks().min().unwrap_or(lowest),
    )
}

/// A file in the project came with the project, also the one that is meant to be the user's own there.
const fn rank_of(scope: Scope) -> Rank {
    match scope {
        Scope::Managed | Scope::System => Rank::MACHINE,
        Scope::User => Rank::USER,
        Scope::Project | Scope::Local => Rank::workspace(0),
    }
}
