//! What a block tells of its bytes, held against what the words mean, byte by byte.
//!
//! The kernels' own tests, `kernel/*/tests.rs`, come here by a door of their own,
//! since their vectors work only behind one.
//!
//! `MCPARSE_KERNEL_STRIDE` is for slow machines, as valgrind makes them: of the many
//! cases of a test only every so many is tried, here and in `ends/tests.rs`.

use super::words::Words;
use super::*;
use crate::json::kernel::Kernel;

/// What is asked of a block.
#[derive(Clone, Debug)]
pub(in crate::json) struct Question {
    bytes: [u8; BLOCK],
    other: [u8; BLOCK],
    /// Below 0x80, as is all that the scan asks for.
    byte: u8,
    marks: u64,
    behind: u8,
}

/// All that a block tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::json) struct Answer {
    is_quiet: bool,
    is_odd: bool,
    equal: u64,
    controls: u64,
    high: u64,
    escapable: u64,
    digits: [u64; 2],
    letters: [u64; 4],
    /// Of the two blocks, laid over one another.
    both: [u64; 2],
    zero: [u64; 2],
    parity: u64,
    places: Vec<u8>,
}

/// The ranges that are asked for, and some at their limits.
const DIGITS: [(u8, u8); 2] = [(b'0', 9), (b'8', 1)];
const LETTERS: [(u8, u8); 4] = [(b'a', 5), (b'd', 0), (b'a', 1), (b'c', 3)];

impl Question {
    /// Asks `B`. To be compiled in line with the door of its kernel.
    #[inline(always)]
    pub(in crate::json) fn ask<B: Block>(&self) -> Answer {
        let block = B::load(&self.bytes);
        let both = block.or(B::load(&self.other));
        let mut places = [0xee; BLOCK];
        B::place(self.marks, self.behind, &mut places);
        let [digits, more_digits] = DIGITS;
        let [hex, d, high, low] = LETTERS;
        Answer {
            is_quiet: block.is_quiet(),
            is_odd: block.is_odd(),
            equal: block.equal(self.byte),
            controls: block.controls(),
            high: block.high(),
            escapable: block.escapable(),
            digits: [block.digits(digits.0, digits.1), block.digits(more_digits.0, more_digits.1)],
            letters: [
                block.letters(hex.0, hex.1),
                block.letters(d.0, d.1),
                block.letters(high.0, high.1),
                block.letters(low.0, low.1),
            ],
            both: [both.equal(self.byte), both.high()],
            zero: [B::zero().controls(), B::zero().high()],
            parity: B::parity(self.marks),
            places: places[..self.marks.count_ones() as usize].to_vec(),
        }
    }

    /// The same, as the words mean it.
    fn plainly(&self) -> Answer {
        let mark = |is: &dyn Fn(u8) -> bool| {
            (0..BLOCK).fold(0, |mask, at| mask | u64::from(is(self.bytes[at])) << at)
        };
        let both: Vec<_> = self.bytes.iter().zip(self.other).map(|(one, two)| one | two).collect();
        let of_both = |is: &dyn Fn(u8) -> bool| {
            (0..BLOCK).fold(0, |mask, at| mask | u64::from(is(both[at])) << at)
        };
        let range = |(least, more): (u8, u8)| least..=least + more;
        let is_stop = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let is_odd = |byte: &u8| matches!(byte, b'\\' | 0..=0x1f);
        let is_marked = |at: &u8| self.marks >> at & 1 == 1;
        Answer {
            is_quiet: !self.bytes.iter().any(is_stop),
            is_odd: self.bytes.iter().any(is_odd),
            equal: mark(&|byte| byte == self.byte),
            controls: mark(&|byte| byte < 0x20),
            high: mark(&|byte| byte >= 0x80),
            escapable: mark(&|byte| br#""\/bfnrtu"#.contains(&byte)),
            digits: DIGITS.map(|digits| mark(&|byte| range(digits).contains(&byte))),
            letters: LETTERS.map(|letters| {
                mark(&|byte| {
                    byte.is_ascii_alphabetic()
                        && range(letters).contains(&byte.to_ascii_lowercase())
                })
            }),
            both: [of_both(&|byte| byte == self.byte), of_both(&|byte| byte >= 0x80)],
            zero: [u64::MAX, 0],
            parity: (0..64u8).fold(0, |mask, at| {
                mask | u64::from((0..=at).filter(is_marked).count() % 2 == 1) << at
            }),
            places: (0..64u8).filter(is_marked).map(|at| at + self.behind).collect(),
        }
    }
}

/// Of how many cases one is tried.
pub(in crate::json) fn stride() -> usize {
    std::env::var("MCPARSE_KERNEL_STRIDE").map_or(1, |text| text.parse().expect("a number"))
}

/// Numbers that look random and are always the same (xorshift).
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn byte(&mut self) -> u8 {
        // The high ones are the better ones.
        self.word().to_be_bytes()[0]
    }
}

/// Every answer that `ask` gives is right: each byte at each place among others of
/// several kinds, and blocks of random bytes.
pub(in crate::json) fn hold(ask: impl Fn(&Question) -> Answer) {
    let hold = |question: &Question| assert_eq!(ask(question), question.plainly(), "{question:?}");
    let mut draw = Draw(1);
    for value in 0..=u8::MAX {
        for at in (usize::from(value) % stride()..BLOCK).step_by(stride()) {
            // Letters and digits on the one hand, both limits on the other.
            let filler = [b' ', b'a', 0xff, b'\\', 0x00, b'"', 0x7f, 0x80, draw.byte()];
            let filler = filler[(usize::from(value) + at) % 9];
            for filler in [b'!', filler] {
                let mut bytes = [filler; BLOCK];
                bytes[at] = value;
                let mut other = [0; BLOCK];
                other[usize::from(draw.byte() % 64)] = draw.byte();
                let marks = 1 << at | if value % 2 == 0 { 0 } else { draw.word() };
                let behind = draw.byte() % 193;
                hold(&Question { bytes, other, byte: value & 0x7f, marks, behind });
            }
        }
    }
    for round in (0..20_000).step_by(stride()) {
        let bits = [0xff, 0x7f, 0x3f, 0x07][round % 4];
        let mut bytes = [0; BLOCK].map(|_: u8| draw.byte() & bits);
        let other = [0; BLOCK].map(|_: u8| draw.byte() & draw.byte());
        if round % 3 == 0 {
            bytes = bytes.map(|byte| br#""\u/bfnrtdD8bBcC019afAFgG`@: "#[usize::from(byte) % 29]);
        }
        let marks = [draw.word(), draw.word() & draw.word() & draw.word(), u64::MAX, 0];
        let byte = bytes[round % BLOCK] & 0x7f;
        let behind = draw.byte() % 193;
        hold(&Question { bytes, other, byte, marks: marks[round % 4], behind });
    }
}

#[test]
fn words_are_right() {
    hold(Question::ask::<Words>);
}

#[test]
fn the_kernels_are_those_that_this_machine_has() {
    // What the other tests try, for whoever reads their output.
    println!("kernels: {:?}", Kernel::all());
    assert!(Kernel::all().contains(&Kernel::best()));
}
