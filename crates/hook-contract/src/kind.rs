//! What a tool can do, whatever an agent calls it.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)+) => {
        /// What a tool can do, in words that are the same for every agent.
        ///
        /// One tool may be of several kinds. On the wire and in hooks files a kind is its word in `snake_case`.
        ///
        /// ```
        /// use hook_contract::Kind;
        ///
        /// assert_eq!(Kind::WebSearch.as_str(), "web_search");
        /// assert_eq!(Kind::of_word("shell"), Some(Kind::Shell));
        /// ```
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The word on the wire and in hooks files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                }
            }
        }
    };
}

kinds! {
    /// Runs a command line or a script.
    Shell => "shell",
    /// Types into a command that runs already.
    ShellInput => "shell_input",
    /// Reads what a running command has printed.
    ShellOutput => "shell_output",
    /// Reads files.
    Read => "read",
    /// Writes whole files, new ones or over old ones.
    Write => "write",
    /// Changes a part of a file.
    Edit => "edit",
    /// Removes files.
    Delete => "delete",
    /// Looks for text or names in files.
    Search => "search",
    /// Lists folders.
    List => "list",
    /// Asks a URL.
    Fetch => "fetch",
    /// Asks a search engine.
    WebSearch => "web_search",
    /// Calls a tool of an MCP server.
    Mcp => "mcp",
    /// Starts or steers a sub-agent.
    Agent => "agent",
    /// Loads a skill.
    Skill => "skill",
    /// Changes what the agent remembers.
    Memory => "memory",
    /// Changes the agent's own plan or list of things to do.
    Plan => "plan",
    /// Does something that none of the other kinds names.
    Other => "other",
}

impl Kind {
    /// The kind of exactly that word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of kinds, as small as a number.
///
/// ```
/// use hook_contract::{Kind, Kinds};
///
/// let patch: Kinds = [Kind::Write, Kind::Edit, Kind::Delete].into_iter().collect();
/// assert!(patch.contains(Kind::Delete));
/// assert!(patch.intersects([Kind::Edit, Kind::Read].into_iter().collect()));
/// assert_eq!(patch.into_iter().map(Kind::as_str).collect::<Vec<_>>(), ["write", "edit", "delete"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u32);

impl Kinds {
    /// No kind: nothing is known about the tool.
    pub const NONE: Self = Self(0);

    /// Whether the set holds this kind.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// Whether the two sets have a kind in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set holds no kind.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn bit(kind: Kind) -> u32 {
        1 << kind as u32
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<T: IntoIterator<Item = Kind>>(kinds: T) -> Self {
        Self(
            kinds
                .into_iter()
                .fold(0, |bits, kind| bits | Self::bit(kind)),
        )
    }
}

impl Extend<Kind> for Kinds {
    fn extend<T: IntoIterator<Item = Kind>>(&mut self, kinds: T) {
        self.0 |= Self::from_iter(kinds).0;
    }
}

/// The kinds in the order of [`Kind::ALL`].
impl IntoIterator for Kinds {
    type Item = Kind;
    type IntoIter = KindsIter;

    fn into_iter(self) -> KindsIter {
        KindsIter {
            kinds: self,
            left: Kind::ALL.iter(),
        }
    }
}

/// Goes through a set of kinds; made by [`Kinds::into_iter`](IntoIterator::into_iter).
///
/// ```
/// use hook_contract::{Kind, Kinds};
///
/// let set: Kinds = [Kind::Edit, Kind::Read].into_iter().collect();
/// let mut kinds = set.into_iter();
/// assert_eq!(kinds.next(), Some(Kind::Read), "it stands first in `Kind::ALL`");
/// assert_eq!(kinds.next(), Some(Kind::Edit));
/// assert_eq!(kinds.next(), None);
/// ```
#[derive(Clone, Debug)]
pub struct KindsIter {
    kinds: Kinds,
    left: std::slice::Iter<'static, Kind>,
}

impl Iterator for KindsIter {
    type Item = Kind;

    fn next(&mut self) -> Option<Kind> {
        let kinds = self.kinds;
        self.left
            .by_ref()
            .copied()
            .find(|kind| kinds.contains(*kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_written_as_it_is_read_and_only_its_exact_word_is_one() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).expect("a word"), kind.as_str());
            assert_eq!(Kind::of_word(kind.as_str()), Some(*kind));
        }
        assert_eq!(Kind::of_word("Shell"), None);
    }

    #[test]
    fn a_set_holds_what_was_put_into_it_and_nothing_else() {
        for kind in Kind::ALL {
            let set: Kinds = [*kind].into_iter().collect();
            assert_eq!(set.into_iter().collect::<Vec<_>>(), [*kind]);
        }
        assert!(Kinds::NONE.is_empty());
        assert!(!Kinds::NONE.intersects(Kind::ALL.iter().copied().collect()));
    }
}
