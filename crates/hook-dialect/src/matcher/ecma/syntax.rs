//! What a pattern says.

use std::{fmt, ops::Range};

use super::class::Class;

/// A parsed pattern.
#[derive(Clone, Debug)]
pub(super) struct Parsed {
    pub(super) node: Node,
    /// How many capturing groups there are.
    pub(super) groups: u16,
}

/// One part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Nothing: it matches everywhere.
    Empty,
    /// One code unit.
    Unit { unit: u16, fold: bool },
    /// One of many code units.
    Class { class: Class, fold: bool },
    /// Any code unit; those that end a line only on request.
    Any { line_ends: bool },
    /// `^`: at the start, or of any line.
    Start { lines: bool },
    /// `$`: at the end, or of any line.
    End { lines: bool },
    /// `\b`, or `\B`.
    WordBoundary { inverted: bool },
    /// A group that is remembered, counted from 1.
    Capture { index: u16, node: Box<Node> },
    /// What one of these groups matched; several share a name.
    Back { groups: Vec<u16>, fold: bool },
    /// Look-around.
    Look {
        ahead: bool,
        negated: bool,
        node: Box<Node>,
    },
    /// A quantifier.
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        /// The capturing groups in it, which each round forgets.
        groups: Range<u16>,
    },
    /// One after the other.
    Sequence(Vec<Node>),
    /// One or the other.
    Choice(Vec<Node>),
}

/// Why a pattern is not a regular expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::matcher) struct SyntaxError {
    /// What is wrong, in a few words.
    pub(in crate::matcher) what: &'static str,
    /// How many code units stand before the place.
    pub(in crate::matcher) at: usize,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.what, self.at + 1)
    }
}
