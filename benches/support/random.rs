//! A tiny seeded generator of random numbers (`SplitMix64`), so that every run
//! of every benchmark sees the same bytes. Not for anything secret.

/// The state of the generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `from..to`, evenly enough.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from)
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// A number in `-1000.0..1000.0`.
    pub(crate) fn real(&mut self) -> f64 {
        let thousandths = u32::try_from(self.next() >> 32).unwrap_or_default();
        f64::from(thousandths) / f64::from(u32::MAX) * 2000.0 - 1000.0
    }

    /// A place in a list of `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() >> 32).unwrap_or_default() % count
    }

    pub(crate) fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}
