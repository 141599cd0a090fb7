//! What the proxy counts of itself. What the messages are is counted by the layer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The bounds of the histogram, in milliseconds.
pub(super) const BOUNDS: [u64; 12] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000];

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) connections: AtomicU64,
    pub(super) open: AtomicU64,
    pub(super) requests: AtomicU64,
    pub(super) unreachable: AtomicU64,
    pub(super) broken: AtomicU64,
    pub(super) late: AtomicU64,
    pub(super) foreign: AtomicU64,
    /// How long the heads of the upstream's responses took: one for each bound, and one more.
    durations: [AtomicU64; BOUNDS.len() + 1],
    /// Their sum, in microseconds.
    micros: AtomicU64,
}

impl Counts {
    pub(super) fn took(&self, duration: Duration) {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let at = BOUNDS.iter().position(|&bound| millis < bound).unwrap_or(BOUNDS.len());
        add(&self.durations[at]);
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// How many took up to each bound, how many there were, and the sum in microseconds.
    pub(super) fn durations(&self) -> ([u64; BOUNDS.len() + 1], u64) {
        let mut sum = 0;
        let up_to = self.durations.each_ref().map(|count| {
            sum += get(count);
            sum
        });
        (up_to, get(&self.micros))
    }
}

pub(super) fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

pub(super) fn get(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}

/// Counts something that is there until it is dropped.
pub(super) struct Open<'c>(&'c AtomicU64);

impl<'c> Open<'c> {
    pub(super) fn new(count: &'c AtomicU64) -> Self {
        add(count);
        Self(count)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
