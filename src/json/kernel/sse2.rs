//! 64 bytes in four SSE2 vectors, which every x86-64 has.

use std::arch::x86_64::*;

use crate::json::blocks::{self, Block, numbers};
use crate::json::ends::Ends;

/// See [`blocks::find`].
#[inline(never)]
pub(super) fn find(message: &[u8], ends: &mut Ends) {
    blocks::find::<Sse2>(message, ends);
}

/// See [`numbers::pass`].
#[inline(never)]
pub(super) fn pass_numbers(message: &[u8], at: usize) -> usize {
    numbers::pass::<Sse2>(message, at)
}

/// 64 bytes in four vectors, as every x86-64 has them.
#[derive(Clone, Copy)]
struct Sse2([__m128i; 4]);

impl Sse2 {
    #[inline(always)]
    fn mask(self) -> u64 {
        // SAFETY: SSE2 is part of x86-64.
        let mask = |bytes| u64::from(unsafe { _mm_movemask_epi8(bytes) }.cast_unsigned());
        let [a, b, c, d] = self.0.map(mask);
        a | b << 16 | c << 32 | d << 48
    }

    #[inline(always)]
    fn range(self, least: u8, more: u8) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(self.0.map(|bytes| unsafe {
            let above = _mm_sub_epi8(bytes, _mm_set1_epi8(least.cast_signed()));
            let most = _mm_set1_epi8(more.cast_signed());
            _mm_cmpeq_epi8(_mm_min_epu8(above, most), above)
        }))
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(
            self.0.map(|bytes| unsafe { _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed())) }),
        )
    }

    #[inline(always)]
    fn lower(self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(self.0.map(|bytes| unsafe { _mm_or_si128(bytes, _mm_set1_epi8(0x20)) }))
    }
}

impl Block for Sse2 {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let start: *const u8 = bytes.as_ptr();
        // SAFETY: SSE2 is part of x86-64; 64 bytes may be read from `start`, from
        // any address.
        Self([0, 16, 32, 48].map(|at| unsafe { _mm_loadu_si128(start.add(at).cast()) }))
    }

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self([unsafe { _mm_setzero_si128() }; 4])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let (own, other) = (self.0, other.0);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            Self([
                _mm_or_si128(own[0], other[0]),
                _mm_or_si128(own[1], other[1]),
                _mm_or_si128(own[2], other[2]),
                _mm_or_si128(own[3], other[3]),
            ])
        }
    }

    #[inline(always)]
    fn is_quiet(self) -> bool {
        self.is(b'"').or(self.is(b'\\')).or(self.range(0, 0x1f)).mask() == 0
    }

    #[inline(always)]
    fn is_odd(self) -> bool {
        self.is(b'\\').or(self.range(0, 0x1f)).mask() != 0
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        self.is(byte).mask()
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.range(0, 0x1f).mask()
    }

    #[inline(always)]
    fn high(self) -> u64 {
        self.mask()
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        let is = |byte| self.is(byte);
        let marks = is(b'"').or(is(b'\\')).or(is(b'/')).or(is(b'b'));
        marks.or(is(b'f')).or(is(b'n')).or(is(b'r')).or(is(b't')).or(is(b'u')).mask()
    }

    #[inline(always)]
    fn letters(self, least: u8, more: u8) -> u64 {
        self.lower().range(least, more).mask()
    }

    #[inline(always)]
    fn digits(self, least: u8, more: u8) -> u64 {
        self.range(least, more).mask()
    }
}

#[cfg(test)]
mod tests;
