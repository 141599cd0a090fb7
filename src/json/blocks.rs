//! Where strings end, 64 bytes at a time and without a branch for each byte: the
//! bytes become bit masks, the masks are computed with, and what is left is a bit
//! for each closing quote.
//!
//! On the way every string is checked: no control character stands in one, each
//! backslash escapes something that may be escaped, `\u` has its four digits, and
//! no half of a surrogate pair stands alone. What is between the strings is for
//! the scan to read.

#![allow(clippy::inline_always, reason = "the kernels' vectors work only in line with their door")]

mod escapes;
pub(super) mod numbers;
pub(super) mod words;

pub(super) use escapes::Escape;

use super::ends::{Ends, WINDOW};

/// How many bytes a block has.
pub(super) const BLOCK: usize = 64;

/// A block, as something that tells which of its bytes are what. In a mask, bit
/// `n` is the byte `n`.
pub(super) trait Block: Copy {
    fn load(bytes: &[u8; BLOCK]) -> Self;

    /// Of fewer bytes, and spaces behind them.
    #[inline(always)]
    fn load_part(bytes: &[u8]) -> Self {
        let mut padded = [b' '; BLOCK];
        padded[..bytes.len()].copy_from_slice(bytes);
        Self::load(&padded)
    }

    fn zero() -> Self;

    /// The bits that either block has set.
    fn or(self, other: Self) -> Self;

    /// Whether there is no quote, backslash or control character.
    fn is_quiet(self) -> bool;

    /// Whether there is a backslash or a control character.
    fn is_odd(self) -> bool;

    /// A byte of ASCII, as in all of these.
    fn equal(self, byte: u8) -> u64;

    /// Below the space.
    fn controls(self) -> u64;

    /// Not ASCII.
    fn high(self) -> u64;

    /// What may stand behind a backslash.
    fn escapable(self) -> u64;

    /// Of the `escaped` bytes, those that may not be.
    #[inline(always)]
    fn inescapable(self, escaped: u64) -> u64 {
        escaped & !self.escapable()
    }

    /// The digit `least`, and as many as `more` behind it.
    fn digits(self, least: u8, more: u8) -> u64;

    /// The lower case letter `least`, and as many as `more` behind it, in any case.
    fn letters(self, least: u8, more: u8) -> u64;

    /// Of each bit, whether an odd number of `marks` is set at and below it.
    #[inline(always)]
    fn parity(mut marks: u64) -> u64 {
        for distance in [1, 2, 4, 8, 16, 32] {
            marks ^= marks << distance;
        }
        marks
    }

    /// Writes the place of each mark, counted from `behind`, one behind the other.
    /// What stands behind the last one means nothing.
    #[inline(always)]
    fn place(mut marks: u64, behind: u8, places: &mut [u8; BLOCK]) {
        let behind = u64::from_le_bytes([behind; 8]);
        // Eight at a time, whether or not there are as many: nearly always once, so
        // that the branch is foreseen. Packed by hand, since the compiler would
        // otherwise put them one after the other into a vector.
        for places in places.as_chunks_mut().0 {
            let mut packed = 0;
            for place in 0..8 {
                packed |= u64::from(marks.trailing_zeros()) << (8 * place);
                marks &= marks.wrapping_sub(1);
            }
            *places = packed.wrapping_add(behind).to_le_bytes();
            if marks == 0 {
                break;
            }
        }
    }
}

/// Finds the next ends of strings: those in the next block that has any, and in the
/// few behind it.
#[inline(always)]
pub(super) fn find<B: Block>(message: &[u8], ends: &mut Ends) {
    let Ends { mut at, mut inside, .. } = *ends;
    let mut count = 0;
    let mut high = B::zero();
    let mut wrong = 0;
    while count == 0 && ends.seen < message.len() {
        // Over what has no end in it.
        while !ends.escape.is_due()
            && let Some(bytes) = full(message, at)
        {
            let block = B::load(bytes);
            if !block.is_quiet() {
                break;
            }
            high = high.or(block);
            at += BLOCK;
        }
        ends.base = at;
        for _ in 0..WINDOW / BLOCK {
            let Some(bytes) = full(message, at) else {
                ends.seen = message.len();
                if at < message.len() {
                    let (found, fault, block) = last::<B>(message, at, &mut inside, ends, count);
                    high = high.or(block);
                    wrong |= fault;
                    count = found;
                }
                break;
            };
            let block = B::load(bytes);
            high = high.or(block);
            let (found, fault) = step(block, 0, &mut inside, &mut ends.escape);
            wrong |= fault;
            count = note::<B>(found, at - ends.base, &mut ends.places, count);
            at += BLOCK;
        }
    }
    (ends.at, ends.inside, ends.count) = (at, inside, count);
    ends.is_broken |= wrong != 0;
    ends.has_high |= high.high() != 0;
}

#[inline(always)]
fn full(message: &[u8], at: usize) -> Option<&[u8; BLOCK]> {
    message.get(at..)?.first_chunk()
}

/// The same for the bytes from `at` on, which do not fill a block.
#[inline(always)]
fn last<B: Block>(
    message: &[u8],
    at: usize,
    inside: &mut u64,
    ends: &mut Ends,
    count: usize,
) -> (usize, u64, B) {
    // The last 64 bytes, of which the first are known; or all that there are.
    let (block, start) = match message.last_chunk() {
        Some(bytes) => (B::load(bytes), message.len() - BLOCK),
        None => (B::load_part(message), 0),
    };
    let (before, escape) = (*inside, ends.escape);
    let is_cut = escape.is_due_behind(message.len() - at);
    let (found, mut wrong) = step(block, at - start, inside, &mut ends.escape);
    if ends.is_whole {
        wrong |= u64::from(is_cut);
    } else {
        // What is missing may come, and then these bytes are read again.
        wrong &= u64::MAX >> (BLOCK - message.len().min(BLOCK));
        *inside = before;
        ends.escape = escape.seen_as(&ends.escape);
    }
    // Before the base only if this is the first block of the window.
    ends.base = ends.base.min(start);
    (note::<B>(found, start - ends.base, &mut ends.places, count), wrong, block)
}

/// The ends of strings in one block, and the bytes that cannot stand where they
/// do. The first `known` bytes belong to the block before.
#[inline(always)]
fn step<B: Block>(block: B, known: usize, carry: &mut u64, escape: &mut Escape) -> (u64, u64) {
    let new = u64::MAX << known;
    let mut quotes = block.equal(b'"') & new;
    let mut wrong = 0;
    let is_odd = block.is_odd() || escape.is_due();
    if is_odd {
        let backslashes = block.equal(b'\\') & new;
        if backslashes != 0 || escape.is_due() {
            let (escaped, fault) = escape.step(block, backslashes, known);
            quotes &= !escaped;
            wrong = fault;
        }
    }
    // From each opening quote on, to before the closing one.
    let mut inside = *carry;
    if quotes != 0 {
        inside ^= B::parity(quotes);
        *carry = (inside.cast_signed() >> 63).cast_unsigned();
    }
    if is_odd {
        wrong |= block.controls() & inside & new;
    }
    (quotes & !inside, wrong)
}

/// Notes the ends that were found in the block that is `behind` bytes behind the
/// base, and gives how many there are then.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "within the window")]
fn note<B: Block>(found: u64, behind: usize, places: &mut [u8], count: usize) -> usize {
    match places.get_mut(count..).and_then(<[u8]>::first_chunk_mut) {
        Some(places) if found != 0 => {
            B::place(found, behind as u8, places);
            count + found.count_ones() as usize
        }
        _ => count,
    }
}

#[cfg(test)]
pub(super) mod tests;
