//! Numbers that look random and follow from a seed.

/// A generator (`SplitMix64`). What it gives follows from what it was made of, on every machine.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator of the thing with this number.
    pub(crate) fn of(seed: u64, number: u64) -> Self {
        let mut random = Self(seed ^ number.wrapping_mul(0xa076_1d64_78bd_642f));
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// True so many times in a thousand.
    pub(crate) fn one_in_thousand_of(&mut self, times: u64) -> bool {
        self.below(1000) < times
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let limit = u64::try_from(from.len()).expect("a length");
        &from[usize::try_from(self.below(limit)).expect("an index")]
    }

    /// An index, each as often as its weight says.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> usize {
        let mut left = self.below(weights.clone().sum());
        let mut index = 0;
        for weight in weights {
            if left < weight {
                break;
            }
            left -= weight;
            index += 1;
        }
        index
    }
}
