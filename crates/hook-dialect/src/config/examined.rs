//! What was looked for, what was found, and what is wrong with it.

use std::path::PathBuf;

use super::{error::DialectConfigError, loaded::LoadedHooks, origin::Scope};

/// Everything that came of looking at the agents' files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Examined {
    /// What the files that can be used declare.
    pub loaded: LoadedHooks,
    /// Why others cannot be used; where there is one, nobody may be asked.
    pub errors: Vec<DialectConfigError>,
    /// Where files were looked for, in that order.
    pub looked_for: Vec<LookedFor>,
}

/// A place where an agent's file was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LookedFor {
    /// The name of the agent ([`Dialect::name`](crate::Dialect::name)).
    pub dialect: &'static str,
    /// Whose file it would be.
    pub scope: Scope,
    /// The path.
    pub path: PathBuf,
    /// What is there.
    pub place: Place,
}

/// What stands where a file was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Nothing.
    Absent,
    /// The file that an earlier path led to.
    Same(PathBuf),
    /// A text; whether it can be used is another matter.
    Read,
    /// Something that cannot be read.
    Unusable,
}
