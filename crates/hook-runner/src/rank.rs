//! How much a participant's word weighs against another's.

use hook_contract::HookOrigin;

use crate::Origin;

/// The rank of a participant: the further from the workspace's own data, the higher.
///
/// Interceptors, then hooks of the host, the machine's file, the user's file, and the workspace's files, of which the outer
/// one ranks above the inner one. A rewrite made by a lower rank is shown to every higher rank that judged another form
/// (ADR 0025).
///
/// ```
/// use hook_runner::Rank;
///
/// assert!(Rank::INTERCEPTOR > Rank::HOST);
/// assert!(Rank::USER > Rank::workspace(0));
/// assert!(Rank::workspace(0) > Rank::workspace(1), "the outer file ranks above the inner one");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u32);

impl Rank {
    /// Compiled into the host.
    pub const INTERCEPTOR: Self = Self(4 << 16);
    /// Declared by the host as data.
    pub const HOST: Self = Self(3 << 16);
    /// Declared for every user of the machine.
    pub const MACHINE: Self = Self(2 << 16);
    /// Declared by the user.
    pub const USER: Self = Self(1 << 16);

    /// Declared in a file of the workspace: the outermost has depth 0.
    #[must_use]
    pub const fn workspace(depth: u16) -> Self {
        // Below every other rank, the deeper the lower.
        Self((1 << 16) - 1 - depth as u32)
    }
}

impl Origin {
    /// The rank of a participant that was declared there.
    #[must_use]
    pub const fn rank(&self) -> Rank {
        match self {
            Self::Host => Rank::INTERCEPTOR,
            Self::Declared(HookOrigin::Supplied) => Rank::HOST,
            Self::Declared(HookOrigin::GlobalFile { .. }) => Rank::USER,
            Self::Declared(HookOrigin::WorkspaceFile { .. }) => Rank::workspace(0),
        }
    }
}

/// The two ranks of one participant, which differ for one that speaks for hooks of several origins.
///
/// ```
/// use hook_runner::{Rank, Ranks};
///
/// let merged = Ranks::new(Rank::USER, Rank::workspace(0));
/// assert!(merged.judges > merged.rewrites);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ranks {
    /// The rank of its judgement: the highest of its origins.
    pub judges: Rank,
    /// The rank of its rewrites: the lowest of its origins.
    pub rewrites: Rank,
}

impl Ranks {
    /// A participant whose judgement has the one rank and whose rewrites have the other.
    #[must_use]
    pub const fn new(judges: Rank, rewrites: Rank) -> Self {
        Self { judges, rewrites }
    }

    /// A participant of one origin.
    #[must_use]
    pub const fn both(rank: Rank) -> Self {
        Self::new(rank, rank)
    }
}

#[cfg(test)]
mod tests;
