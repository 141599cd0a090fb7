//! 64 bytes in two AVX2 vectors.

use std::arch::x86_64::*;

use crate::json::blocks::{self, Block, numbers};
use crate::json::ends::Ends;

/// See [`blocks::find`].
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
pub(super) fn find(message: &[u8], ends: &mut Ends) {
    blocks::find::<Avx2>(message, ends);
}

/// See [`numbers::pass`].
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
pub(super) fn pass_numbers(message: &[u8], at: usize) -> usize {
    numbers::pass::<Avx2>(message, at)
}

/// 64 bytes in two vectors. Only the doors of this file may use it: there its functions,
/// which are all compiled in line, become AVX2 code.
#[derive(Clone, Copy)]
struct Avx2(__m256i, __m256i);

impl Avx2 {
    #[inline(always)]
    fn mask(self) -> u64 {
        // SAFETY: within a door.
        let (low, high) = unsafe { (_mm256_movemask_epi8(self.0), _mm256_movemask_epi8(self.1)) };
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << 32
    }

    #[inline(always)]
    fn each(self, one: impl Fn(__m256i) -> __m256i) -> Self {
        Self(one(self.0), one(self.1))
    }

    /// Marks the byte `least`, and as many as `more` behind it.
    #[inline(always)]
    fn range(self, least: u8, more: u8) -> Self {
        // SAFETY: within a door.
        self.each(|bytes| unsafe {
            let above = _mm256_sub_epi8(bytes, _mm256_set1_epi8(least.cast_signed()));
            let most = _mm256_set1_epi8(more.cast_signed());
            _mm256_cmpeq_epi8(_mm256_min_epu8(above, most), above)
        })
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        // SAFETY: within a door.
        self.each(|bytes| unsafe { _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed())) })
    }

    #[inline(always)]
    fn lower(self) -> Self {
        // SAFETY: within a door.
        self.each(|bytes| unsafe { _mm256_or_si256(bytes, _mm256_set1_epi8(0x20)) })
    }
}

impl Block for Avx2 {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let start: *const u8 = bytes.as_ptr();
        // SAFETY: within a door; 64 bytes may be read from `start`, from
        // any address.
        unsafe { Self(_mm256_loadu_si256(start.cast()), _mm256_loadu_si256(start.add(32).cast())) }
    }

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: within a door.
        unsafe { Self(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: within a door.
        unsafe { Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn is_quiet(self) -> bool {
        // By the low half of each byte: the quote or the backslash with that half,
        // or what has another.
        // SAFETY: within a door.
        unsafe {
            let by_low = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                -1, 0, 0x22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5c, 0, 0, 0,
            ));
            let stops = self.each(|bytes| {
                let is_stop = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(by_low, bytes), bytes);
                _mm256_or_si256(is_stop, _mm256_subs_epu8(_mm256_set1_epi8(0x20), bytes))
            });
            let any = _mm256_or_si256(stops.0, stops.1);
            _mm256_testz_si256(any, any) == 1
        }
    }

    #[inline(always)]
    fn is_odd(self) -> bool {
        // SAFETY: within a door.
        unsafe {
            let odd = self.each(|bytes| {
                let is_slash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x5c));
                _mm256_or_si256(is_slash, _mm256_subs_epu8(_mm256_set1_epi8(0x20), bytes))
            });
            let any = _mm256_or_si256(odd.0, odd.1);
            _mm256_testz_si256(any, any) == 0
        }
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
        // By the low half of each byte: the bits of the high halves with which it
        // may be escaped. By the high half: its bit. Rows 2, 5, 6 and 7 hold
        // `"` and `/`, `\`, `b` `f` `n`, and `r` `t` `u`.
        // SAFETY: within a door.
        let strangers = self.each(|bytes| unsafe {
            let by_low = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1,
            ));
            let by_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0,
            ));
            let halves = _mm256_set1_epi8(0x0f);
            let high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), halves);
            let common = _mm256_and_si256(
                _mm256_shuffle_epi8(by_low, bytes),
                _mm256_shuffle_epi8(by_high, high),
            );
            _mm256_cmpeq_epi8(common, _mm256_setzero_si256())
        });
        !strangers.mask()
    }

    #[inline(always)]
    fn letters(self, least: u8, more: u8) -> u64 {
        self.lower().range(least, more).mask()
    }

    #[inline(always)]
    fn digits(self, least: u8, more: u8) -> u64 {
        self.range(least, more).mask()
    }

    #[inline(always)]
    fn parity(marks: u64) -> u64 {
        parity(marks)
    }
}

/// See [`Block::parity`]. Only for functions that are compiled for `pclmulqdq`.
#[inline(always)]
pub(super) fn parity(marks: u64) -> u64 {
    // SAFETY: within the doors of both files, which are compiled for it.
    unsafe {
        let marks = _mm_set_epi64x(0, marks.cast_signed());
        // A product without carries by all ones adds up the bits at and below each.
        let sums = _mm_clmulepi64_si128(marks, _mm_set1_epi8(-1), 0);
        _mm_cvtsi128_si64(sums).cast_unsigned()
    }
}

#[cfg(test)]
mod tests;
