//! The kernels: 64 bytes of JSON as bit masks, by the vectors of the processor. The
//! only room with `unsafe` code.
//!
//! A [`Kernel`] is chosen once, when a validator is made: AVX-512 or AVX2 where the
//! processor has it, SSE2 on every other x86-64, and the plain integers of
//! `blocks/words.rs` anywhere else, or everywhere if the crate is built with
//! `--cfg mcparse_scalar`. What is done with the masks is the same code for all of
//! them, in `blocks.rs`; here are only the few comparisons that vectors are good at.
//!
//! What must hold is little. The functions of a processor's vectors are called only
//! where the processor has them: each file has two doors, `find` and `pass_numbers`,
//! compiled for its features, and the rest of it is compiled in line there. Memory is
//! read and written only through references to arrays of 64 bytes; or to a shorter
//! slice, by a load that is masked to it.

#![allow(unsafe_code, reason = "this is the room for it")]
#![allow(clippy::inline_always, reason = "vectors work only in line with their door")]
#![allow(clippy::wildcard_imports, reason = "the processor's names say what they are")]

#[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
mod avx512;
#[cfg(all(test, unix))]
pub(super) mod guard;
#[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
mod sse2;

use super::blocks::words::Words;
use super::blocks::{self, numbers};
use super::ends::Ends;

/// The vectors that are worked with. A value is the proof that the processor has
/// them: there is no way to one but [`Kernel::best`] and [`Kernel::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel(Vectors);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vectors {
    /// None: plain integers.
    #[allow(dead_code, reason = "on x86-64 only tests use it")]
    Words,
    #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
    Sse2,
    #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
    Avx512,
}

impl Kernel {
    /// The best that this processor has.
    #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
    pub(crate) fn best() -> Self {
        if has_avx512() {
            Self(Vectors::Avx512)
        } else if has_avx2() {
            Self(Vectors::Avx2)
        } else {
            Self(Vectors::Sse2)
        }
    }

    /// Plain integers: there are no kernels for this processor, or they are not
    /// wanted.
    #[cfg(not(all(target_arch = "x86_64", not(mcparse_scalar))))]
    pub(crate) fn best() -> Self {
        Self(Vectors::Words)
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let all = [
            Some(Self(Vectors::Words)),
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Some(Self(Vectors::Sse2)),
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            has_avx2().then_some(Self(Vectors::Avx2)),
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            has_avx512().then_some(Self(Vectors::Avx512)),
        ];
        all.into_iter().flatten().collect()
    }

    /// See [`blocks::find`].
    #[inline]
    pub(super) fn find(self, message: &[u8], ends: &mut Ends) {
        match self.0 {
            Vectors::Words => find_words(message, ends),
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Sse2 => sse2::find(message, ends),
            // SAFETY: an `Avx2` is only made where `has_avx2` has found all the
            // features that `avx2::find` is compiled for.
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Avx2 => unsafe { avx2::find(message, ends) },
            // SAFETY: an `Avx512` is only made where `has_avx512` has found all the
            // features that `avx512::find` is compiled for.
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Avx512 => unsafe { avx512::find(message, ends) },
        }
    }

    /// See [`numbers::pass`].
    #[inline]
    pub(super) fn pass_numbers(self, message: &[u8], at: usize) -> usize {
        match self.0 {
            Vectors::Words => numbers::pass::<Words>(message, at),
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Sse2 => sse2::pass_numbers(message, at),
            // SAFETY: as for `find`.
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Avx2 => unsafe { avx2::pass_numbers(message, at) },
            // SAFETY: as in `find`.
            #[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
            Vectors::Avx512 => unsafe { avx512::pass_numbers(message, at) },
        }
    }
}

/// Out of line, as the others are.
#[inline(never)]
fn find_words(message: &[u8], ends: &mut Ends) {
    blocks::find::<Words>(message, ends);
}

#[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("pclmulqdq")
}

#[cfg(all(target_arch = "x86_64", not(mcparse_scalar)))]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
}
