//! 64 bytes in one AVX-512 vector, and comparisons that give masks at once.

use std::arch::x86_64::*;

use crate::json::blocks::{self, Block, numbers};
use crate::json::ends::Ends;

/// See [`blocks::find`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
pub(super) fn find(message: &[u8], ends: &mut Ends) {
    blocks::find::<Avx512>(message, ends);
}

/// See [`numbers::pass`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
pub(super) fn pass_numbers(message: &[u8], at: usize) -> usize {
    numbers::pass::<Avx512>(message, at)
}

/// 64 bytes in one vector. Only the doors of this file may use it.
#[derive(Clone, Copy)]
struct Avx512(__m512i);

impl Avx512 {
    #[inline(always)]
    fn range(self, least: u8, more: u8) -> u64 {
        // SAFETY: within a door.
        unsafe {
            let above = _mm512_sub_epi8(self.0, _mm512_set1_epi8(least.cast_signed()));
            _mm512_cmple_epu8_mask(above, _mm512_set1_epi8(more.cast_signed()))
        }
    }
}

impl Block for Avx512 {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let start: *const u8 = bytes.as_ptr();
        // SAFETY: within a door.
        unsafe { Self(_mm512_loadu_si512(start.cast())) }
    }

    #[inline(always)]
    fn load_part(bytes: &[u8]) -> Self {
        let there = !(u64::MAX << bytes.len().min(63));
        // SAFETY: within a door; only bytes that are there are read.
        unsafe {
            Self(_mm512_mask_loadu_epi8(_mm512_set1_epi8(0x20), there, bytes.as_ptr().cast()))
        }
    }

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: within a door.
        unsafe { Self(_mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: within a door.
        unsafe { Self(_mm512_or_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn is_quiet(self) -> bool {
        self.equal(b'"') | self.equal(b'\\') | self.controls() == 0
    }

    #[inline(always)]
    fn is_odd(self) -> bool {
        self.equal(b'\\') | self.controls() != 0
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: within a door.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte.cast_signed())) }
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        // SAFETY: within a door.
        unsafe { _mm512_cmplt_epu8_mask(self.0, _mm512_set1_epi8(0x20)) }
    }

    #[inline(always)]
    fn high(self) -> u64 {
        // SAFETY: within a door.
        unsafe { _mm512_movepi8_mask(self.0) }
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        // SAFETY: within a door.
        unsafe {
            let by_low = _mm512_broadcast_i32x4(_mm_setr_epi8(
                0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1,
            ));
            let by_high = _mm512_broadcast_i32x4(_mm_setr_epi8(
                0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0,
            ));
            let high = _mm512_and_si512(_mm512_srli_epi16(self.0, 4), _mm512_set1_epi8(0x0f));
            _mm512_test_epi8_mask(
                _mm512_shuffle_epi8(by_low, self.0),
                _mm512_shuffle_epi8(by_high, high),
            )
        }
    }

    #[inline(always)]
    fn letters(self, least: u8, more: u8) -> u64 {
        // SAFETY: within a door.
        Self(unsafe { _mm512_or_si512(self.0, _mm512_set1_epi8(0x20)) }).range(least, more)
    }

    #[inline(always)]
    fn digits(self, least: u8, more: u8) -> u64 {
        self.range(least, more)
    }

    #[inline(always)]
    fn parity(marks: u64) -> u64 {
        super::avx2::parity(marks)
    }

    #[inline(always)]
    fn place(marks: u64, behind: u8, places: &mut [u8; 64]) {
        const EACH: [u8; 64] = {
            let mut each = [0; 64];
            let mut at = 0;
            while at < 64 {
                each[at as usize] = at;
                at += 1;
            }
            each
        };
        // SAFETY: within a door.
        unsafe {
            let each = _mm512_loadu_si512(EACH.as_ptr().cast());
            let each = _mm512_add_epi8(each, _mm512_set1_epi8(behind.cast_signed()));
            let found = _mm512_maskz_compress_epi8(marks, each);
            _mm512_storeu_si512(places.as_mut_ptr().cast(), found);
        }
    }
}

#[cfg(test)]
mod tests;
