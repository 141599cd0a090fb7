//! Where the strings of a message end, as the scan asks for it.
//!
//! The kernel finds the ends a few blocks ahead; they are kept as places in a
//! window of [`WINDOW`] bytes. No more than that is kept, however long the message.

#![allow(clippy::inline_always, reason = "the kernels' vectors work only in line with their door")]

use super::blocks::Escape;
use super::kernel::Kernel;
use super::scan::Stop;

/// How many bytes are looked at from the block on that has the next end.
pub(super) const WINDOW: usize = 256;

/// The ends of the strings of one message.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    /// Those that were found, counted from `base`. A string takes two bytes or more.
    /// Behind the last one there is room for what a kernel writes in one go.
    pub(super) places: [u8; WINDOW / 2 + 64],
    pub(super) base: usize,
    /// Of `places`, the next to give, and how many there are.
    next: usize,
    pub(super) count: usize,
    /// Those before were given already.
    from: usize,
    /// The first byte that no full block has covered, and what the blocks before it
    /// say of it: whether it is inside a string (all bits, or none), and what of an
    /// escape is to come.
    pub(super) at: usize,
    pub(super) inside: u64,
    pub(super) escape: Escape,
    /// The length of the message once its end was looked at; less before.
    pub(super) seen: usize,
    /// Whether the bytes at hand are all of the message.
    pub(super) is_whole: bool,
    /// Something in a string is not JSON.
    pub(super) is_broken: bool,
    /// A byte was not ASCII.
    pub(super) has_high: bool,
    kernel: Kernel,
}

impl Ends {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            places: [0; WINDOW / 2 + 64],
            base: 0,
            next: 0,
            count: 0,
            from: 0,
            at: 0,
            inside: 0,
            escape: Escape::default(),
            seen: 0,
            is_whole: false,
            is_broken: false,
            has_high: false,
            kernel,
        }
    }

    /// Begins with another message.
    #[inline]
    pub(crate) fn restart(&mut self, is_whole: bool) {
        (self.base, self.next, self.count) = (0, 0, 0);
        (self.from, self.at, self.seen) = (0, 0, 0);
        (self.inside, self.escape) = (0, Escape::default());
        (self.is_whole, self.is_broken, self.has_high) = (is_whole, false, false);
    }

    /// Goes on when there is more of the message. All that was found was given, up
    /// to `from`.
    pub(crate) fn resume(&mut self, from: usize) {
        (self.next, self.count, self.from) = (0, 0, from);
    }

    /// The place of the next quote that closes a string.
    #[inline(always)]
    pub(crate) fn next(&mut self, message: &[u8]) -> Result<usize, Stop> {
        if self.next == self.count && !self.find(message) {
            return Err(Stop::More);
        }
        let place = *self.places.get(self.next).ok_or(Stop::AskTape)?;
        self.next += 1;
        Ok(self.base + usize::from(place))
    }

    /// Looks for more of them.
    #[inline(never)]
    fn find(&mut self, message: &[u8]) -> bool {
        while self.seen < message.len() && !self.is_broken {
            self.kernel.find(message, self);
            self.next = 0;
            if self.base < self.from {
                self.pass_over_given();
            }
            if self.next < self.count {
                return true;
            }
        }
        (self.next, self.count) = (0, 0);
        false
    }

    #[cold]
    fn pass_over_given(&mut self) {
        let found = self.places.get(..self.count).unwrap_or_default();
        let is_given = |&&place: &&u8| self.base + usize::from(place) < self.from;
        self.next = found.iter().take_while(is_given).count();
    }

    /// With all of the message at hand: whether its strings are JSON, and UTF-8.
    #[inline]
    pub(crate) fn are_json(&mut self, message: &[u8]) -> bool {
        if !self.is_whole {
            // The last bytes were looked at as if more would come.
            self.is_whole = true;
            self.seen = 0;
            while self.seen < message.len() {
                self.kernel.find(message, self);
            }
        }
        // The half of a surrogate pair may stand at the end of the last string, and
        // nothing was looked at behind it.
        let is_broken = self.is_broken || self.escape.is_due();
        !is_broken && (!self.has_high || simdutf8::basic::from_utf8(message).is_ok())
    }

    /// What the ends are found by.
    #[inline]
    pub(super) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Whether there was a backslash so far.
    #[inline]
    pub(crate) fn has_backslash(&self) -> bool {
        self.escape.is_seen()
    }
}

#[cfg(test)]
mod tests;
