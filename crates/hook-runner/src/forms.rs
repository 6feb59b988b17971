//! Which form of a call each participant judged, and which participants have to judge the final one (ADR 0025).

use crate::{Identity, Rank, Ranks};

/// The forms that a call went through. Nothing is kept until a participant rewrites.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    /// The participant that made each form after the first, and the rank of its rewrites.
    rewriters: Vec<(Identity, Rank)>,
    /// The form that each participant judged last, by its place in the chain. The form that the runtime put is 0.
    judged: Vec<usize>,
}

impl Forms {
    /// The number of the form that would run.
    pub(crate) const fn current(&self) -> usize {
        self.rewriters.len()
    }

    /// The participant that made the form that would run.
    pub(crate) fn last_rewriter(&self) -> Option<&Identity> {
        self.rewriters.last().map(|(who, _)| who)
    }

    /// The participant at that place has judged the call as it stood.
    pub(crate) fn judged(&mut self, index: usize) {
        let form = self.current();
        if form == 0 {
            return;
        }
        if self.judged.len() <= index {
            self.judged.resize(index + 1, 0);
        }
        if let Some(judged) = self.judged.get_mut(index) {
            *judged = form;
        }
    }

    /// The participant at that place has put another form there. It has judged that form by this, unless hooks of
    /// several ranks speak through it: a higher one among them has seen only what the participant was asked about.
    pub(crate) fn rewritten(&mut self, index: usize, who: &Identity, ranks: Ranks) {
        self.rewriters.push((who.clone(), ranks.rewrites));
        if ranks.judges <= ranks.rewrites {
            self.judged(index);
        }
    }

    /// Whether the participant at that place ranks above one that rewrote since it was asked.
    ///
    /// Not the last rewriter alone counts: what a lower rank wrote may stand in a form that a higher rank made of it.
    pub(crate) fn is_to_be_judged(&self, index: usize, ranks: Ranks) -> bool {
        let judged = self.judged.get(index).copied().unwrap_or(0);
        let since = self.rewriters.get(judged..).unwrap_or_default();
        since.iter().any(|(_, rank)| ranks.judges > *rank)
    }
}

#[cfg(test)]
mod tests;
