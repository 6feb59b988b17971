//! How an agent starts its hooks.

use std::time::Duration;

use super::field::Fact;

/// How an agent starts its hooks, and what it waits for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Running {
    /// The variables that hooks get beside those of the agent itself.
    pub variables: &'static [Variable],
    /// The variable that names the file for exports, at events whose hooks may have one.
    pub exports: Option<&'static str>,
    /// Which texts are too long for the model, and what it is shown of them.
    pub long: LongTexts,
    /// Whether hooks run where the session is at the moment; otherwise in the project.
    pub follows_cwd: bool,
    /// Whether the standard streams of hooks are sockets, which cannot be opened by a path such as `/dev/stdin`. They are
    /// where the agent is followed to the letter; otherwise they are pipes.
    pub sockets: bool,
    /// What something does that outlives its hook and holds the output open.
    pub held_open: HeldOpen,
    /// How many hooks run in the background at once; further ones wait.
    pub background_at_once: usize,
    /// Whether a hook in the background has a time limit.
    pub background_timed: bool,
}

/// A variable of a hook's environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub value: VariableValue,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableValue {
    /// Always the same.
    Fixed(&'static str),
    /// The project's directory. In a command without a shell, `${NAME}` stands for it as well.
    Project,
    /// The directory that the hook runs in.
    WorkingDirectory,
    /// Something that the hook is told, too; the variable is not set where it is not.
    Fact(Fact),
    /// A member of something that the hook is told, likewise.
    Member(Fact, &'static str),
}

/// Which texts of a hook are too long for the model. Each text of each hook is measured on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LongTexts {
    /// Contexts and messages of more than `most` characters; the first `shown` of them are shown.
    Characters {
        /// How many may be shown.
        most: usize,
        /// How many are shown of one that is longer.
        shown: usize,
    },
    /// Contexts of more than that many tokens, of four bytes each, unless the settings of the hook say another number; as
    /// much is shown, from both ends.
    Tokens(u64),
}

/// What something does that outlives its hook and holds the output open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldOpen {
    /// It is waited for this long, and the answer counts.
    Waits(Duration),
    /// It is waited for until the time limit of the hook, and the answer is lost.
    Loses,
}

impl Variable {
    pub(super) const fn new(name: &'static str, value: VariableValue) -> Self {
        Self { name, value }
    }
}
