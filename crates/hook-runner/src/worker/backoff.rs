//! Leaving a hook alone that fails and fails.

use std::time::{Duration, Instant};

use crate::process::Edition;

/// So many failures in a row are chance; from here on they are a rule.
const PATIENCE: u32 = 3;

/// How long a hook is left alone after that many, and at most. Each further failure doubles it.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);

/// How often in a row a worker has failed, and until when nobody asks it.
///
/// It has no clock: whoever asks says what time it is.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    pause: Option<Pause>,
}

#[derive(Debug)]
struct Pause {
    until: Instant,
    /// What happened the last time.
    last: String,
    /// What failed; a program that was changed deserves to be asked.
    edition: Edition,
}

/// What whoever asks meanwhile is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeftAlone {
    pub(super) failures: u32,
    pub(super) left: Duration,
    pub(super) last: String,
}

impl Backoff {
    /// A failure; `what` says which.
    ///
    /// While nobody asks, those fail that were asked before: with several processes, one cause may fail several questions,
    /// and is one failure too many and not all of them.
    pub(super) fn failed(&mut self, now: Instant, what: String, edition: &Edition) {
        if self.pause.is_some() {
            return;
        }
        self.failures = self.failures.saturating_add(1);
        self.pause = self.length().map(|length| Pause {
            until: now + length,
            last: what,
            edition: edition.clone(),
        });
    }

    /// An answer: all is well again.
    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// Whether nobody asks at the moment.
    pub(super) fn left_alone(&mut self, now: Instant) -> Option<LeftAlone> {
        let pause = self.pause.as_ref()?;
        let left = pause.until.saturating_duration_since(now);
        if left.is_zero() {
            // The failures count on: one more, and the next pause is longer.
            self.pause = None;
            return None;
        }
        if pause.edition.changed().is_some() {
            self.succeeded();
            return None;
        }
        Some(LeftAlone {
            failures: self.failures,
            left,
            last: pause.last.clone(),
        })
    }

    fn length(&self) -> Option<Duration> {
        let doublings = self.failures.checked_sub(PATIENCE)?;
        let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
        Some(FIRST.saturating_mul(factor).min(LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pause after each of so many failures, in milliseconds.
    fn pauses(failures: usize) -> Vec<u128> {
        let mut backoff = Backoff::default();
        let mut now = Instant::now();
        let pauses = (0..failures).map(|_| {
            backoff.failed(now, "ended".into(), &Edition::default());
            let left = backoff
                .left_alone(now)
                .map_or(Duration::ZERO, |alone| alone.left);
            now += left;
            assert_eq!(backoff.left_alone(now), None, "it is over");
            left.as_millis()
        });
        pauses.collect()
    }

    #[test]
    fn from_the_third_failure_on_the_pause_doubles_up_to_ten_seconds() {
        let expected = [0, 0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000];
        assert_eq!(pauses(11), expected);
        assert_eq!(pauses(100).last(), Some(&10_000));
    }

    #[test]
    fn whoever_asks_meanwhile_is_told_how_long_and_why() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        for what in ["a", "b", "c"] {
            backoff.failed(now, what.into(), &Edition::default());
        }
        let alone = backoff.left_alone(now + Duration::from_millis(60));
        let expected = LeftAlone {
            failures: 3,
            left: Duration::from_millis(40),
            last: "c".into(),
        };
        assert_eq!(alone, Some(expected));
    }

    #[test]
    fn what_was_asked_before_the_pause_and_fails_in_it_does_not_prolong_it() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        for _ in 0..50 {
            backoff.failed(now, "a".into(), &Edition::default());
        }
        let alone = backoff.left_alone(now).expect("a pause");
        assert_eq!((alone.failures, alone.left), (3, FIRST));
        assert_eq!(backoff.left_alone(now + FIRST), None);
        backoff.failed(now + FIRST, "b".into(), &Edition::default());
        let alone = backoff.left_alone(now + FIRST).expect("a longer pause");
        assert_eq!((alone.failures, alone.left), (4, 2 * FIRST));
    }

    #[test]
    fn an_answer_makes_up_for_all_failures() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        for _ in 0..2 {
            for _ in 0..2 {
                backoff.failed(now, String::new(), &Edition::default());
            }
            assert_eq!(backoff.left_alone(now), None);
            backoff.succeeded();
        }
    }
}
