//! A linear-time engine, with a bound on the work that is known before it starts.

use regex_automata::{Input, PatternSet, meta::Regex, nfa::thompson};
use regex_syntax::hir::Hir;

use super::MatcherProblem;

/// How many states a pattern may have.
const MAX_STATES: usize = 4000;
/// How many pairs of state and place a search may look at. Each is a few comparisons, and most are never looked at.
pub(super) const MAX_VISITS: usize = 1_000_000;
/// What the engine may use to build one pattern.
const MAX_BYTES: usize = 1 << 20;

/// One or several patterns for the engine.
#[derive(Clone, Debug)]
pub(super) struct Bounded {
    regex: Regex,
    states: usize,
    hirs: Vec<Hir>,
}

impl Bounded {
    pub(super) fn parse(pattern: &str) -> Result<Self, MatcherProblem> {
        let hir = regex_syntax::parse(pattern).map_err(|error| {
            let what = match &error {
                regex_syntax::Error::Parse(error) => error.kind().to_string(),
                regex_syntax::Error::Translate(error) => error.kind().to_string(),
                other => other.to_string(),
            };
            MatcherProblem::Invalid { what }
        })?;
        Self::build(vec![hir]).ok_or(MatcherProblem::TooLarge)
    }

    /// The engine for these patterns; nothing when they are too large together.
    pub(super) fn build(hirs: Vec<Hir>) -> Option<Self> {
        let config = thompson::Config::new().nfa_size_limit(Some(MAX_BYTES));
        let states = thompson::Compiler::new()
            .configure(config)
            .build_many_from_hir(&hirs)
            .ok()?
            .states()
            .len();
        if states > MAX_STATES {
            return None;
        }
        let config = Regex::config()
            .nfa_size_limit(Some(MAX_BYTES))
            .match_kind(regex_automata::MatchKind::All);
        let regex = Regex::builder()
            .configure(config)
            .build_many_from_hir(&hirs)
            .ok()?;
        Some(Self {
            regex,
            states,
            hirs,
        })
    }

    /// How many pairs of state and place there are for a text of that length.
    pub(super) fn visits(&self, length: usize) -> usize {
        self.states.saturating_mul(length.saturating_add(1))
    }

    /// Whether a pattern matches; nothing when the text is too long to find out.
    pub(super) fn is_match(&self, text: &str) -> Option<bool> {
        (self.visits(text.len()) <= MAX_VISITS).then(|| self.regex.is_match(text))
    }

    /// Which of the patterns match; nothing when the text is too long to find out.
    pub(super) fn which(&self, text: &str) -> Option<impl Iterator<Item = usize>> {
        (self.visits(text.len()) <= MAX_VISITS).then(|| {
            let mut found = PatternSet::new(self.regex.pattern_len());
            self.regex
                .which_overlapping_matches(&Input::new(text), &mut found);
            found
                .iter()
                .map(|id| id.as_usize())
                .collect::<Vec<_>>()
                .into_iter()
        })
    }

    pub(super) fn hirs(&self) -> &[Hir] {
        &self.hirs
    }
}
