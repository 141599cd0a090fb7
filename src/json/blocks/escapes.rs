//! What stands behind backslashes, as bit masks.

use super::Block;

/// The odd places of a block.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// What is to come in the next block of an escape that began in this one, each as
/// bits of the next block.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::json) struct Escape {
    /// The first byte, if it is escaped.
    escaped: u64,
    /// These must be the digits of a `\u`.
    digits: u64,
    /// The first byte, if it is the first digit of a `\u`; or if it is the second,
    /// and the first was a `d`.
    first: u64,
    second: u64,
    /// The second digit of the low half of a surrogate pair must be here.
    low: u64,
    /// Whether any of these is set, and any but the first.
    is_due: bool,
    is_unicode_due: bool,
    /// There was an escape in any block.
    is_seen: bool,
}

impl Escape {
    /// Whether anything is to come.
    #[inline(always)]
    pub(in crate::json) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Whether anything must stand behind the first `bytes`, fewer than a block has.
    pub(super) fn is_due_behind(&self, bytes: usize) -> bool {
        (self.digits | self.second | self.low) >> bytes != 0
    }

    /// Whether there was an escape in any block.
    #[inline(always)]
    pub(in crate::json) fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// The same, with an escape seen if `other` has seen one.
    #[inline(always)]
    pub(super) fn seen_as(self, other: &Self) -> Self {
        Self { is_seen: other.is_seen, ..self }
    }

    /// The bytes that the `backslashes` of a block escape, and those that cannot
    /// stand where they do. Of the block, the first `known` bytes belong to the one
    /// before.
    #[inline(always)]
    pub(super) fn step<B: Block>(
        &mut self,
        block: B,
        backslashes: u64,
        known: usize,
    ) -> (u64, u64) {
        self.is_seen |= backslashes != 0;
        // A backslash that is escaped escapes nothing: in a run of them every other
        // one does, from the first on. Subtracting the starts from the odd places
        // borrows along each run, and so tells runs that start at an odd place.
        let first = self.escaped << known;
        let free = backslashes & !first;
        let runs = ((free << 1) | ODD).wrapping_sub(free) ^ ODD;
        let escaped = runs ^ (backslashes | first);
        self.escaped = (runs & backslashes) >> 63;
        let mut wrong = block.inescapable(escaped);
        let unicode = escaped & block.equal(b'u');
        if unicode != 0 || self.is_unicode_due {
            wrong |= self.unicode(block, unicode, known);
        }
        self.is_due = self.escaped != 0 || self.is_unicode_due;
        (escaped, wrong)
    }

    /// Behind each `\u` four digits must stand, and high and low halves of surrogate
    /// pairs behind one another.
    #[inline(always)]
    fn unicode<B: Block>(&mut self, block: B, unicode: u64, known: usize) -> u64 {
        let [digits, first, second, low] =
            [self.digits, self.first, self.second, self.low].map(|due| due << known);
        let digits = unicode << 1 | unicode << 2 | unicode << 3 | unicode << 4 | digits;
        let mut wrong = digits & !(block.digits(b'0', 9) | block.letters(b'a', 5));
        self.digits = unicode >> 63 | unicode >> 62 | unicode >> 61 | unicode >> 60;

        // Surrogates start with d8 to db and dc to df.
        let first = (unicode << 1 | first) & block.letters(b'd', 0);
        let second = first << 1 | second;
        self.first = unicode >> 63;
        self.second = first >> 63;
        self.low = 0;
        if second | low != 0 {
            let high = second & (block.digits(b'8', 1) | block.letters(b'a', 1));
            wrong |= (high << 6 | low) ^ (second & block.letters(b'c', 3));
            self.low = high >> 58;
        }
        self.is_unicode_due = self.digits | self.first | self.second | self.low != 0;
        wrong
    }
}
