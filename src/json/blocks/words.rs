//! A block in plain integers, for processors without kernels and as their twin: a
//! word is eight bytes at a time, and its high bits say which are marked.

use super::{BLOCK, Block};
use crate::words::{HIGH, all, has, has_control, is};

/// 64 bytes as eight words.
#[derive(Clone, Copy)]
pub(in crate::json) struct Words([u64; BLOCK / 8]);

/// Marks the byte `least`, and as many as `more` behind it, all ASCII.
#[inline(always)]
const fn range(word: u64, least: u8, more: u8) -> u64 {
    let low = word & !HIGH;
    let from = low + all(0x80 - least);
    let beyond = low + all(0x7f - least - more);
    from & !beyond & !word & HIGH
}

impl Words {
    /// One bit for each byte that `mark` marks.
    #[inline(always)]
    fn mask(self, mark: impl Fn(u64) -> u64) -> u64 {
        self.0.iter().rev().fold(0, |mask, &word| {
            // The product moves the mark of byte n to bit 56 + n.
            let bits = (mark(word) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            mask << 8 | bits
        })
    }

    #[inline(always)]
    fn any(self, mark: impl Fn(u64) -> u64) -> bool {
        self.0.iter().fold(0, |marks, &word| marks | mark(word)) != 0
    }

    #[inline(always)]
    fn byte(self, at: u32) -> u8 {
        let word = self.0.get(at as usize / 8).copied().unwrap_or_default();
        word.to_le_bytes()[at as usize % 8]
    }
}

impl Block for Words {
    #[inline(always)]
    fn load(bytes: &[u8; BLOCK]) -> Self {
        let mut words = [0; BLOCK / 8];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self(words)
    }

    #[inline(always)]
    fn zero() -> Self {
        Self([0; BLOCK / 8])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word |= other;
        }
        Self(words)
    }

    #[inline(always)]
    fn is_quiet(self) -> bool {
        !self.any(|word| has(word, b'"') | has(word, b'\\') | has_control(word))
    }

    #[inline(always)]
    fn is_odd(self) -> bool {
        self.any(|word| has(word, b'\\') | has_control(word))
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        self.mask(|word| is(word, byte))
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.mask(|word| range(word, 0, 0x1f))
    }

    #[inline(always)]
    fn high(self) -> u64 {
        self.mask(|word| word & HIGH)
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        !self.inescapable(u64::MAX)
    }

    /// One by one: there are few of them.
    #[inline(always)]
    fn inescapable(self, escaped: u64) -> u64 {
        let (mut left, mut wrong) = (escaped, 0);
        while left != 0 {
            let byte = self.byte(left.trailing_zeros());
            let is_right =
                matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u');
            wrong |= if is_right { 0 } else { left & left.wrapping_neg() };
            left &= left - 1;
        }
        wrong
    }

    #[inline(always)]
    fn letters(self, least: u8, more: u8) -> u64 {
        self.mask(|word| range(word | all(0x20), least, more))
    }

    #[inline(always)]
    fn digits(self, least: u8, more: u8) -> u64 {
        self.mask(|word| range(word, least, more))
    }
}
