//! Texts to try: rich in what strings may hold and in what breaks them.

/// Pieces of well-formed strings.
const INSIDE: [&[u8]; 16] = [
    b"a",
    b"u",
    b"{\"",
    b"0123456789",
    b"a longer run of text, without anything in it that matters, so that blocks are quiet",
    b" \x7f",
    "é".as_bytes(),
    "𝄞".as_bytes(),
    br#"\""#,
    br"\\",
    br"\\\\\\\\\\\\\\\",
    br"\/\b\f\n\r\t",
    br"\u00e9",
    br"\uD7ff",
    br"\uE000",
    br"\ud83d\uDE00",
];

/// Pieces of what stands between strings, as far as the kernels care.
const OUTSIDE: [&[u8]; 6] = [b",", b":", b"  \n\t", b"", b"[{}]", b"u1234567890"];

/// Pieces that mostly break strings.
const ODD: [&[u8]; 16] = [
    b"\"",
    b"\\",
    b"\"\"",
    b"\x00",
    b"\x1f",
    b"\n",
    b"\xff",
    b"\x80",
    br"\u",
    br"\ud83d",
    br"\ude00",
    br"\uDBFF\n",
    br"\u12",
    br"\x",
    br"\U0041",
    br"\u00g0",
];

/// A sequence of numbers that looks random and is always the same (`SplitMix64`).
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("it is below a usize")
    }

    pub(super) fn one<'p>(&mut self, pieces: &[&'p [u8]]) -> &'p [u8] {
        pieces[self.below(pieces.len())]
    }

    /// A text of `len` bytes: strings and what is between them, most of them
    /// well-formed, cut off at the end. In half of them one place is odd.
    pub(super) fn text(&mut self, len: usize) -> Box<[u8]> {
        let mut text = Vec::with_capacity(len + 100);
        while text.len() < len {
            text.extend(self.one(&OUTSIDE));
            text.push(b'"');
            for _ in 0..self.below(9) {
                text.extend_from_slice(self.piece());
            }
            text.push(b'"');
        }
        text.truncate(len);
        if len > 0 && self.below(2) == 0 {
            let at = self.below(len);
            for (byte, odd) in text[at..].iter_mut().zip(self.one(&ODD)) {
                *byte = *odd;
            }
        }
        text.into_boxed_slice()
    }

    fn piece(&mut self) -> &'static [u8] {
        // The last have backslashes.
        match self.below(3) {
            0 => self.one(&INSIDE[..8]),
            _ => self.one(&INSIDE),
        }
    }

    /// Bytes of which nearly all matter, and so nearly always broken.
    pub(super) fn noise(&mut self, len: usize) -> Box<[u8]> {
        (0..len).map(|_| br#"""""\\\uudD8cC00a"#[self.below(17)]).collect()
    }
}
