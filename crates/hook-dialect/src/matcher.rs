//! Which calls a group of hooks is asked about.

use std::fmt;

mod bounded;
mod ecma;
mod problem;
mod set;

use self::{bounded::Bounded, ecma::Pattern};
pub use self::{problem::MatcherProblem, set::MatcherSet};

/// How long a pattern may be.
pub(crate) const MAX_PATTERN_BYTES: usize = 4096;

/// How a dialect reads the text of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatcherMode {
    /// A text made only of ASCII letters, digits and these characters is a list of exact names; any other is a regular
    /// expression that may match anywhere.
    #[non_exhaustive]
    LiteralOrRegex {
        /// The characters beside letters and digits that a list of names may have. The separators are among them.
        literal_chars: &'static str,
        /// The characters that divide the names.
        separators: &'static [char],
        /// Whether blanks around a name are left out.
        trim: bool,
        /// The language of the regular expression.
        language: RegexLanguage,
    },
    /// Always a regular expression that may match anywhere.
    #[non_exhaustive]
    Regex {
        /// The language of the regular expression.
        language: RegexLanguage,
    },
}

/// The language of a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegexLanguage {
    /// That of JavaScript's `new RegExp(text)`, without flags.
    EcmaScript,
    /// That of the crate `regex`: no look-around, no back-references, flags inside.
    Rust,
}

impl MatcherMode {
    /// A list of names where only these characters and letters and digits are used; otherwise a regular expression.
    #[must_use]
    pub const fn literal_or_regex(
        literal_chars: &'static str,
        separators: &'static [char],
        trim: bool,
        language: RegexLanguage,
    ) -> Self {
        Self::LiteralOrRegex {
            literal_chars,
            separators,
            trim,
            language,
        }
    }

    /// Always a regular expression.
    #[must_use]
    pub const fn regex(language: RegexLanguage) -> Self {
        Self::Regex { language }
    }

    fn language(self) -> RegexLanguage {
        match self {
            Self::LiteralOrRegex { language, .. } | Self::Regex { language } => language,
        }
    }
}

/// A matcher, compiled once.
///
/// Absent, empty and `*` match everything. Looking takes a bounded number of steps whatever the pattern: a hostile one
/// cannot hang a call.
///
/// ```
/// use hook_dialect::{Dialect, Matcher};
///
/// let matcher = Matcher::parse(Some("Edit|Write"), Dialect::CLAUDE.matcher);
/// assert!(matcher.matches("Write"));
/// assert!(!matcher.matches("NotebookEdit"));
///
/// let matcher = Matcher::parse(Some("^(?!Read$)"), Dialect::CLAUDE.matcher);
/// assert!(matcher.matches("Bash"));
/// assert!(!matcher.matches("Read"));
/// ```
#[derive(Clone, Debug)]
pub struct Matcher {
    kind: Kind,
    problem: Option<MatcherProblem>,
}

#[derive(Clone, Debug)]
enum Kind {
    All,
    Nothing,
    Names(Vec<Box<str>>),
    EcmaScript(Box<Pattern>),
    Rust(Box<Bounded>),
}

impl Matcher {
    /// Reads a matcher; nothing is what a group without one has.
    ///
    /// It always succeeds: what is wrong is in [`problem`](Self::problem), and says what the matcher does then.
    #[must_use]
    pub fn parse(pattern: Option<&str>, mode: MatcherMode) -> Self {
        let pattern = pattern.unwrap_or_default();
        if matches!(pattern, "" | "*") {
            return Self::all();
        }
        if let Some(names) = names(pattern, mode) {
            return Kind::Names(names).into();
        }
        let kind = if pattern.len() > MAX_PATTERN_BYTES {
            Err(MatcherProblem::TooLarge)
        } else {
            compile(pattern, mode.language())
        };
        match kind {
            Ok(kind) => kind.into(),
            Err(problem) => Self {
                kind: match problem {
                    MatcherProblem::Invalid { .. } => Kind::Nothing,
                    MatcherProblem::TooLarge => Kind::All,
                },
                problem: Some(problem),
            },
        }
    }

    /// A matcher that matches everything.
    #[must_use]
    pub fn all() -> Self {
        Kind::All.into()
    }

    /// Whether the text is matched.
    ///
    /// A pattern that could not be decided within the bounds counts as a match: a hook that is asked once too often
    /// takes time, and one that is not asked guards nothing.
    #[must_use]
    pub fn matches(&self, query: &str) -> bool {
        match &self.kind {
            Kind::All => true,
            Kind::Nothing => false,
            Kind::Names(names) => names.iter().any(|name| &**name == query),
            Kind::EcmaScript(pattern) => pattern.search(query).found.unwrap_or(true),
            Kind::Rust(pattern) => pattern.is_match(query).unwrap_or(true),
        }
    }

    /// Whether everything is matched, so that there is nothing to look at.
    #[must_use]
    pub fn is_all(&self) -> bool {
        matches!(self.kind, Kind::All)
    }

    /// The exact names, when it is a list of them.
    #[must_use]
    pub fn names(&self) -> Option<impl Iterator<Item = &str>> {
        match &self.kind {
            Kind::Names(names) => Some(names.iter().map(|name| &**name)),
            Kind::All | Kind::Nothing | Kind::EcmaScript(_) | Kind::Rust(_) => None,
        }
    }

    /// What is wrong with the pattern, if anything is.
    #[must_use]
    pub fn problem(&self) -> Option<&MatcherProblem> {
        self.problem.as_ref()
    }
}

impl From<Kind> for Matcher {
    fn from(kind: Kind) -> Self {
        let problem = None;
        Self { kind, problem }
    }
}

impl fmt::Display for RegexLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EcmaScript => "JavaScript regular expression, without flags",
            Self::Rust => "regular expression of the crate regex",
        })
    }
}

fn compile(pattern: &str, language: RegexLanguage) -> Result<Kind, MatcherProblem> {
    Ok(match language {
        RegexLanguage::EcmaScript => Kind::EcmaScript(Box::new(Pattern::parse(pattern)?)),
        RegexLanguage::Rust => Kind::Rust(Box::new(Bounded::parse(pattern)?)),
    })
}

/// The names, when the text is a list of them.
fn names(pattern: &str, mode: MatcherMode) -> Option<Vec<Box<str>>> {
    let MatcherMode::LiteralOrRegex {
        literal_chars,
        separators,
        trim,
        ..
    } = mode
    else {
        return None;
    };
    let literal = |c: char| c.is_ascii_alphanumeric() || literal_chars.contains(c);
    pattern.chars().all(literal).then(|| {
        let names = pattern.split(separators);
        names
            .map(|name| if trim { name.trim() } else { name })
            .map(Box::from)
            .collect()
    })
}

#[cfg(test)]
mod tests;
