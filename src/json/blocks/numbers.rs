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
        // Adding the place behind each point to the digits carries to behind the last
        // digit there. If that is a point, the number has two.
        let ends = (points << 1).wrapping_add(digits) & !digits;
        // No digit where the first must be, a sign elsewhere, a zero before a digit, a
        // point or a comma without its digits.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::stride;
    use super::BLOCK;
    use crate::json::kernel::Kernel;
    #[cfg(unix)]
    use crate::json::kernel::guard::Guarded;

    /// What `pass` is to give, one byte after the other.
    fn expected(message: &[u8], mut at: usize) -> usize {
        while let Some(block) = message.get(at..at + BLOCK) {
            let plain = |byte: &&u8| matches!(byte, b'0'..=b'9' | b',' | b'.' | b'-');
            let before = block.iter().take_while(plain).count();
            let Some(last) = block[..before].iter().rposition(|&byte| byte == b',') else { break };
            if !block[..last].split(|&byte| byte == b',').all(is_number) {
                break;
            }
            at += last + 1;
        }
        at
    }

    /// `[ minus ] int [ frac ]`
    fn is_number(text: &[u8]) -> bool {
        let text = text.strip_prefix(b"-").unwrap_or(text);
        let mut parts = text.split(|&byte| byte == b'.');
        let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let whole = parts.next().unwrap_or_default();
        let is_whole = is_digits(whole) && (whole.len() == 1 || whole[0] != b'0');
        is_whole && parts.next().is_none_or(is_digits) && parts.next().is_none()
    }

    fn compare(message: &[u8]) -> Result<(), TestCaseError> {
        for kernel in Kernel::all() {
            for at in [0, 1, message.len() / 2, message.len()] {
                let (got, wanted) = (kernel.pass_numbers(message, at), expected(message, at));
                let text = String::from_utf8_lossy(message);
                prop_assert_eq!(got, wanted, "{:?} from {} of {}", kernel, at, text);
            }
        }
        Ok(())
    }

    #[test]
    #[cfg(unix)]
    fn nothing_beyond_the_message_is_read() {
        let mut guarded = Guarded::new(1000);
        for len in (0..301).step_by(stride()) {
            let text: Vec<u8> = b"-1.5,0,20,0.25,".iter().copied().cycle().take(len).collect();
            for kernel in Kernel::all() {
                for at in [0, len / 2, len] {
                    let wanted = expected(&text, at);
                    assert_eq!(kernel.pass_numbers(guarded.at_end(&text), at), wanted);
                    assert_eq!(kernel.pass_numbers(guarded.at_start(&text), at), wanted);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096 / u32::try_from(stride()).unwrap_or(1)))]

        #[test]
        fn numbers_are_passed_as_a_plain_reader_passes_them(
            message in r"((-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,20})?,){0,30}[-0-9.,]{0,6}[] ,eE0-9]{0,3}){0,3}"
        ) {
            compare(message.as_bytes())?;
        }

        #[test]
        fn whatever_stands_between_commas_is_judged_alike(message in "[-01.,]{60,200}") {
            compare(message.as_bytes())?;
        }

        #[test]
        fn one_fault_among_numbers_is_seen_wherever_it_stands(
            place in 0..200_usize,
            byte in any::<u8>(),
        ) {
            let mut message = "-1.5,0,20,0.25,-3,".repeat(12).into_bytes();
            message[place] = byte;
            compare(&message)?;
        }
    }
}
