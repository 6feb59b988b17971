//! Timing things by turns.

use std::time::{Duration, Instant};

/// Rounds that are not counted, while caches and files warm up.
const WARM_UP: usize = 5;

/// The median time of each piece of work, done by turns for that many rounds.
pub fn by_turns<const N: usize>(rounds: usize, mut work: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times: [Vec<Duration>; N] = std::array::from_fn(|_| Vec::with_capacity(rounds));
    for round in 0..rounds + WARM_UP {
        for (work, times) in work.iter_mut().zip(&mut times) {
            let since = Instant::now();
            work();
            let took = since.elapsed();
            if round >= WARM_UP {
                times.push(took);
            }
        }
    }
    times.map(median)
}

/// The median time of one repetition of something short.
pub fn each(repetitions: u32, rounds: usize, mut work: impl FnMut()) -> Duration {
    let [batch] = by_turns(rounds, [&mut || (0..repetitions).for_each(|_| work())]);
    batch / repetitions
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// How many times as long.
#[must_use]
pub fn ratio(time: Duration, floor: Duration) -> f64 {
    time.as_secs_f64() / floor.as_secs_f64()
}
