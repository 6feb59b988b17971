//! The distribution of times, in constant memory.

use std::{fmt, time::Duration};

/// How many steps there are from one power of two to the next. A percentile is off by less than one part in as many.
const STEPS: u64 = 64;
const STEPS_BITS: u32 = STEPS.ilog2();

/// Times: how many, how long in all, and how they are distributed.
///
/// ```
/// use std::time::Duration;
///
/// use hook_audit::Times;
///
/// let mut times = Times::default();
/// for millis in 1..=100 {
///     times.add(Duration::from_millis(millis));
/// }
/// assert_eq!(times.max(), Duration::from_millis(100));
/// assert!(times.percentile(50).abs_diff(Duration::from_millis(50)) < Duration::from_millis(1));
/// ```
#[derive(Clone, Default)]
pub struct Times {
    count: u64,
    total: Duration,
    max: Duration,
    /// How many times, in microseconds, fall to each step.
    buckets: Vec<u64>,
}

impl Times {
    /// Adds a time.
    pub fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = bucket(micros);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, 0);
        }
        if let Some(count) = self.buckets.get_mut(bucket) {
            *count += 1;
        }
        self.count += 1;
        self.total = self.total.saturating_add(time);
        self.max = self.max.max(time);
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All of them together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.total
    }

    /// The longest one; zero when there is none.
    #[must_use]
    pub fn max(&self) -> Duration {
        self.max
    }

    /// The time that so many in a hundred do not exceed, to within 1.6 in a hundred; zero when there is none.
    #[must_use]
    pub fn percentile(&self, percent: u8) -> Duration {
        let rank = (self.count * u64::from(percent.min(100)))
            .div_ceil(100)
            .max(1);
        let mut so_far = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            so_far += count;
            if so_far >= rank {
                return Duration::from_micros(middle(bucket)).min(self.max);
            }
        }
        Duration::ZERO
    }
}

/// The step to which so many microseconds belong: each one for itself up to 64, then 64 for each power of two.
fn bucket(micros: u64) -> usize {
    let power = micros.max(1).ilog2();
    let index = match power.checked_sub(STEPS_BITS) {
        None => micros,
        Some(shift) => STEPS * u64::from(shift + 1) + ((micros >> shift) - STEPS),
    };
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// The microseconds in the middle of a step.
fn middle(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    match (bucket / STEPS).checked_sub(1) {
        None => bucket,
        Some(shift) => ((bucket % STEPS + STEPS) << shift) + ((1_u64 << shift) >> 1),
    }
}

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Times")
            .field("count", &self.count)
            .field("total", &self.total)
            .field("p50", &self.percentile(50))
            .field("max", &self.max)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_is_near_every_time_in_it(micros in 0_u64..u64::MAX / 4) {
            let found = middle(bucket(micros));
            prop_assert!(found.abs_diff(micros) <= micros / STEPS, "{} for {}", found, micros);
        }

        #[test]
        fn a_percentile_is_near_the_one_of_a_sorted_list(
            mut micros in prop::collection::vec(0_u64..100_000_000, 1..200),
            percent in 0_u8..=100,
        ) {
            let mut times = Times::default();
            for time in &micros {
                times.add(Duration::from_micros(*time));
            }
            micros.sort_unstable();
            let rank = (micros.len() * usize::from(percent)).div_ceil(100).max(1);
            let exact = Duration::from_micros(micros[rank - 1]);
            let found = times.percentile(percent);
            prop_assert!(found.abs_diff(exact) <= exact / 64, "{:?} for {:?}", found, exact);
        }
    }

    #[test]
    fn no_times_are_no_time() {
        let times = Times::default();
        assert_eq!(
            (times.count(), times.max(), times.percentile(99)),
            (0, Duration::ZERO, Duration::ZERO)
        );
    }

    #[test]
    fn steps_follow_each_other_without_a_gap() {
        let mut last = 0;
        for micros in 0..1 << 16 {
            let bucket = bucket(micros);
            assert!(bucket == last || bucket == last + 1, "{micros}");
            last = bucket;
        }
    }
}
