//! Which form of a call each participant judged, and which participants have to judge the final one.

use crate::{Identity, Rank, Ranks};

/// The forms that a call went through. Nothing is kept until a participant rewrites.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    /// How many rewrites there were.
    current: u32,
    /// The form that each participant judged last, by its place in the chain.
    judged: Vec<u32>,
    last: Option<(Identity, Rank)>,
}

impl Forms {
    /// The number of the form that would run.
    pub(crate) const fn current(&self) -> u32 {
        self.current
    }

    /// The participant that made the form that would run.
    pub(crate) fn last_rewriter(&self) -> Option<&Identity> {
        self.last.as_ref().map(|(who, _)| who)
    }

    /// The participant at that place has judged the call as it stood.
    pub(crate) fn judged(&mut self, index: usize) {
        if self.current > 0 {
            self.set(index);
        }
    }

    /// The participant at that place has put another form there, which it has judged by that.
    pub(crate) fn rewritten(&mut self, index: usize, who: &Identity, ranks: Ranks) {
        self.current += 1;
        self.last = Some((who.clone(), ranks.rewrites));
        self.set(index);
    }

    /// Whether the participant at that place ranks above the last rewriter and has judged another form.
    pub(crate) fn is_to_be_judged(&self, index: usize, ranks: Ranks) -> bool {
        let Some((_, rank)) = &self.last else {
            return false;
        };
        ranks.judges > *rank && self.judged.get(index) != Some(&self.current)
    }

    fn set(&mut self, index: usize) {
        if self.judged.len() <= index {
            self.judged.resize(index + 1, 0);
        }
        if let Some(form) = self.judged.get_mut(index) {
            *form = self.current;
        }
    }
}
