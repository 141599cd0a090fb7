//! Many numbers at once: the elements of an array that are nothing but digits, a
//! point and a sign.

use super::{BLOCK, Block, full};

/// Steps over the numbers from `at` on, each with the comma behind it, as long as
/// they are JSON, have no exponent, and nothing stands between. Gives where the first
/// one starts that was not stepped over.
#[inline(always)]
pub(in crate::json) fn pass<B: Block>(message: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = full(message, at) {
        let block = B::load(bytes);
        let digits = block.digits(b'0', 9);
        let [commas, points, signs] = [b',', b'.', b'-'].map(|byte| block.equal(byte));
        // Up to the last comma before anything else.
        let others = !(digits | commas | points | signs);
        let before = others.wrapping_sub(1) & !others;
        let commas = commas & before;
        if commas == 0 {
            break;
        }
        let last = BLOCK - 1 - commas.leading_zeros() as usize;

        let starts = commas << 1 | 1;
        let firsts = starts & !signs | (starts & signs) << 1;
        let zeros = firsts & block.equal(b'0');
        // Adding the first digit behind each point to the digits carries to behind
        // the last one.
        let ends = (points << 1).wrapping_add(digits) & !digits;
        let wrong = firsts & !digits
            | signs & !starts
            | zeros << 1 & digits
            | points & !(digits << 1 & digits >> 1)
            | points & ends
            | commas & !(digits << 1);
        if wrong << (BLOCK - 1 - last) != 0 {
            break;
        }
        at += last + 1;
    }
    at
}
