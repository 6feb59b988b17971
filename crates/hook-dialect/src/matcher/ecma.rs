//! ECMAScript regular expressions without flags, answered in a bounded number of steps.
//!
//! A pattern is parsed once ([`syntax`]) and compiled to a small program ([`program`]) that runs on UTF-16 code units,
//! as it does at home ([`run`]). Patterns without look-around and back-references are also given to a linear-time
//! engine ([`linear`]), so that many of them can be looked for in one pass. ADR 0016 says why there is an engine here.

mod class;
mod linear;
mod parser;
mod program;
mod run;
mod syntax;

use regex_syntax::hir::Hir;

pub(super) use self::run::{MAX_STEPS, Room};
use self::{program::Program, syntax::SyntaxError};

/// A pattern, ready to be looked for.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    program: Program,
    linear: Option<Hir>,
}

/// Why a pattern cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatternError {
    /// It is not a regular expression.
    Syntax(SyntaxError),
    /// Its program would be too large.
    TooLarge,
}

/// What looking took, and what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// Whether the pattern is somewhere in the text; nothing when the steps were used up first.
    pub(super) found: Option<bool>,
    /// How many steps it took.
    pub(super) steps: usize,
}

impl Pattern {
    pub(super) fn parse(pattern: &str) -> Result<Self, PatternError> {
        let units: Vec<u16> = pattern.encode_utf16().collect();
        let parsed = parser::parse(&units).map_err(|error| match error {
            parser::ParseError::Syntax(error) => PatternError::Syntax(error),
            parser::ParseError::TooDeep => PatternError::TooLarge,
        })?;
        let program = Program::compile(&parsed).ok_or(PatternError::TooLarge)?;
        let linear = linear::hir(&parsed.node);
        Ok(Self { program, linear })
    }

    /// Looks for the pattern anywhere in the text.
    pub(super) fn search(&self, text: &str) -> Search {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.search_units(&units, &mut Room::default())
    }

    /// The same in code units, with room that was used before.
    pub(super) fn search_units(&self, units: &[u16], room: &mut Room) -> Search {
        run::search(&self.program, units, MAX_STEPS, room)
    }

    /// The same pattern for the linear-time engine, when it has one. It answers for texts without characters beyond
    /// the first 65,536: those are two units here and one character there.
    pub(super) fn linear(&self) -> Option<&Hir> {
        self.linear.as_ref()
    }
}
