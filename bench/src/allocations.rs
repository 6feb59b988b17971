//! An allocator that counts.

#![expect(
    unsafe_code,
    reason = "an allocator is unsafe to implement; this one passes every call on"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

static COUNT: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count of allocations and of the most bytes that were live.
#[derive(Debug)]
#[non_exhaustive]
pub struct Counting;

impl Counting {
    /// One to be declared `#[global_allocator]`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is made once, in a static")]
    pub const fn new() -> Self {
        Self
    }
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How many allocations there were so far; 0 unless [`Counting`] is the global allocator.
#[must_use]
pub fn count() -> usize {
    COUNT.load(Relaxed)
}

/// The most bytes that were live at once while `work` ran, beyond those live before it.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (result, PEAK.load(Relaxed).saturating_sub(before))
}
