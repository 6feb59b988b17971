//! How much may be under way: lines that were read and whose answers are not written yet.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many lines, and how many bytes of them. A single line may be longer, alone.
const LINES: usize = 1024;
const BYTES: usize = 64 << 20;

#[derive(Debug, Default)]
struct Taken {
    lines: usize,
    bytes: usize,
}

/// The places of all lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Arc<(Mutex<Taken>, Condvar)>);

/// The place of one line. Dropping it gives the place back.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    bytes: usize,
}

impl Places {
    /// Waits for a place for a line of so many bytes.
    pub(super) fn take(&self, bytes: usize) -> Place {
        let (taken, freed) = &*self.0;
        let taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut Taken| {
            taken.lines > 0 && (taken.lines >= LINES || taken.bytes.saturating_add(bytes) > BYTES)
        };
        let waited = freed.wait_while(taken, is_full);
        let mut taken = waited.unwrap_or_else(PoisonError::into_inner);
        taken.lines += 1;
        taken.bytes = taken.bytes.saturating_add(bytes);
        drop(taken);
        Place {
            places: self.clone(),
            bytes,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (taken, freed) = &*self.places.0;
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.lines = taken.lines.saturating_sub(1);
        taken.bytes = taken.bytes.saturating_sub(self.bytes);
        drop(taken);
        freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;

    #[test]
    fn a_place_is_waited_for_when_all_are_taken_and_a_long_line_is_alone() {
        let places = Places::default();
        let mut held: Vec<Place> = (0..LINES).map(|_| places.take(1)).collect();
        let (sender, receiver) = mpsc::channel();
        let other = places.clone();
        let waiting = thread::spawn(move || {
            sender.send("waits").expect("heard");
            drop(other.take(2 * BYTES));
            sender.send("has one").expect("heard");
        });
        assert_eq!(receiver.recv(), Ok("waits"));
        while held.pop().is_some() {
            assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Empty));
            if held.len() == 1 {
                break;
            }
        }
        held.clear();
        assert_eq!(receiver.recv(), Ok("has one"));
        waiting.join().expect("ended");
        let all = places.0.0.lock().expect("not poisoned");
        assert_eq!((all.lines, all.bytes), (0, 0));
    }
}
