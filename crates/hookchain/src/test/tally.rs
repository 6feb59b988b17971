//! What came of a whole run.

use std::{path::Path, time::Duration};

use super::{
    case::Case,
    execute::{Ran, Verdict},
};

/// A case with its file and what became of it.
pub(super) struct Result<'a> {
    pub(super) file: &'a Path,
    pub(super) case: &'a Case,
    pub(super) ran: Ran,
}

impl Result<'_> {
    pub(super) const fn passed(&self) -> bool {
        matches!(self.ran.verdict, Verdict::Passed)
    }
}

/// Everything that is to be said at the end.
pub(super) struct Tally<'a> {
    pub(super) results: Vec<Result<'a>>,
    /// How many cases the filter left out.
    pub(super) skipped: usize,
    pub(super) took: Duration,
}

impl Tally<'_> {
    pub(super) fn passed(&self) -> usize {
        self.results.iter().filter(|result| result.passed()).count()
    }

    pub(super) fn failed(&self) -> usize {
        self.results.len() - self.passed()
    }

    /// Whether there was something to run, and all of it passed.
    pub(super) fn is_success(&self) -> bool {
        !self.results.is_empty() && self.failed() == 0
    }

    /// The line at the end of a run.
    pub(super) fn closing(&self) -> String {
        let line = format!("{} passed, {} failed", self.passed(), self.failed());
        match self.skipped {
            0 => line,
            skipped => format!("{line}, {skipped} skipped"),
        }
    }
}
