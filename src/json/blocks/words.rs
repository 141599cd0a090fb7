//! A block in plain integers.

use super::Block;

#[derive(Clone, Copy)]
pub(in crate::json) struct Words([u64; 8]);

const HIGH: u64 = 0x8080_8080_8080_8080;
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

impl Words {
    /// One bit for each byte whose high bit `mark` sets.
    #[inline(always)]
    fn mask(self, mark: impl Fn(u64) -> u64) -> u64 {
        self.0.iter().rev().fold(0, |mask, &word| {
            // The product moves the high bit of byte n to bit 56 + n.
            let bits = ((mark(word) & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            mask << 8 | bits
        })
    }

    #[inline(always)]
    fn range(word: u64, least: u8, more: u8) -> u64 {
        let low = word & !HIGH;
        let from = low + all(0x80 - least);
        let beyond = low + all(0x7f - least - more);
        from & !beyond & !word
    }
}

impl Block for Words {
    fn load(bytes: &[u8; 64]) -> Self {
        let mut words = [0; 8];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = chunk.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk));
        }
        Self(words)
    }
    fn zero() -> Self {
        Self([0; 8])
    }
    fn or(self, other: Self) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word |= other;
        }
        Self(words)
    }
    fn is_quiet(self) -> bool {
        self.0.iter().all(|&word| {
            (Self::range(word, b'"', 0) | Self::range(word, b'\\', 0) | Self::range(word, 0, 0x1f))
                & HIGH
                == 0
        })
    }
    fn is_odd(self) -> bool {
        self.0
            .iter()
            .any(|&word| (Self::range(word, b'\\', 0) | Self::range(word, 0, 0x1f)) & HIGH != 0)
    }
    fn equal(self, byte: u8) -> u64 {
        self.mask(|word| Self::range(word, byte, 0))
    }
    fn controls(self) -> u64 {
        self.mask(|word| Self::range(word, 0, 0x1f))
    }
    fn high(self) -> u64 {
        self.mask(|word| word)
    }
    fn escapable(self) -> u64 {
        b"\"\\/bfnrtu".iter().fold(0, |marks, &byte| marks | self.equal(byte))
    }
    fn letters(self, least: u8, more: u8) -> u64 {
        self.mask(|word| Self::range(word | all(0x20), least, more))
    }
    fn digits(self, least: u8, more: u8) -> u64 {
        self.mask(|word| Self::range(word, least, more))
    }
}
