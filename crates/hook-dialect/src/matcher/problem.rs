//! What is wrong with a matcher.

use thiserror::Error;

use super::ecma::PatternError;

/// What is wrong with the pattern of a matcher.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MatcherProblem {
    /// It is not a regular expression. It matches nothing, so that the hooks behind it are never asked: correct it.
    #[error(
        "not a regular expression: {what}; write exact names divided by `|`, or correct the expression"
    )]
    #[non_exhaustive]
    Invalid {
        /// What is wrong with it, and where.
        what: String,
    },
    /// It is too large to be looked for in a bounded time. It matches everything: divide it.
    #[error(
        "too large to be looked for in a bounded time, and taken to match everything; divide it into several matchers"
    )]
    TooLarge,
}

impl From<PatternError> for MatcherProblem {
    fn from(error: PatternError) -> Self {
        match error {
            PatternError::Syntax(error) => Self::Invalid {
                what: error.to_string(),
            },
            PatternError::TooLarge => Self::TooLarge,
        }
    }
}
