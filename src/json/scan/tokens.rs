//! The tokens of the scan lane: strings, numbers, literals and white space, as
//! RFC 8259 has them.
//!
//! Eight bytes at a time within strings, in plain Rust. Nothing is decoded; a
//! `\u` escape is read only to see that no half of a surrogate pair stands alone.

use memchr::memchr2;

use super::{AskTape, Scan};
use crate::envelope::JsonType;

impl<'s> Scan<'s> {
    /// From behind the opening quote to behind the closing one.
    #[inline]
    pub(super) fn string(&mut self) -> Result<(), AskTape> {
        loop {
            self.plain();
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                _ => return Err(AskTape),
            }
        }
    }

    /// The rest of an escape; a surrogate pair is one.
    fn escape(&mut self) -> Result<(), AskTape> {
        match self.next()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => match self.code_unit()? {
                0xd800..0xdc00 => {
                    self.take(b'\\')?;
                    self.take(b'u')?;
                    let is_low = (0xdc00..0xe000).contains(&self.code_unit()?);
                    if is_low { Ok(()) } else { Err(AskTape) }
                }
                0xdc00..0xe000 => Err(AskTape),
                _ => Ok(()),
            },
            _ => Err(AskTape),
        }
    }

    fn code_unit(&mut self) -> Result<u32, AskTape> {
        let digits = self.rest().first_chunk::<4>().ok_or(AskTape)?;
        self.at += 4;
        let [a, b, c, d] = digits.map(|digit| u32::from(HEX[usize::from(digit)]));
        // No digit is worth more than 15, so what is none shows in the sum.
        if (a | b | c | d) > 15 { Err(AskTape) } else { Ok(a << 12 | b << 8 | c << 4 | d) }
    }

    /// Steps over characters that stand for themselves, up to a quote, a
    /// backslash, a control character, or the end of the message.
    #[inline]
    pub(super) fn plain(&mut self) {
        // Most runs are short; longer ones are read on out of line.
        if self.ends_in_word() != Some(true) {
            self.plain_on();
        }
    }

    /// The same behind the first eight bytes.
    #[inline(never)]
    fn plain_on(&mut self) {
        // The most that is worth reading so before the longer stride pays off.
        for _ in 1..16 {
            match self.ends_in_word() {
                Some(true) => return,
                Some(false) => {}
                None => break,
            }
        }
        self.long_plain();
    }

    /// Steps over eight bytes, or up to where the run ends in them: whether it
    /// does. None, and no step, where fewer are left.
    #[inline]
    fn ends_in_word(&mut self) -> Option<bool> {
        let chunk = self.rest().first_chunk()?;
        let word = u64::from_le_bytes(*chunk);
        let stops = stops(word);
        if stops == 0 {
            self.is_ascii &= word & HIGH == 0;
            self.at += 8;
            return Some(false);
        }
        let run = stops.trailing_zeros() / 8;
        self.is_ascii &= word & !(u64::MAX << (8 * run)) & HIGH == 0;
        self.at += run as usize;
        Some(true)
    }

    /// The same for what is left of a long run, or for the last few bytes.
    fn long_plain(&mut self) {
        let rest = self.rest();
        let end = memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        let run = &rest[..end];
        let (least, all) =
            run.iter().fold((u8::MAX, 0), |(least, all), &byte| (least.min(byte), all | byte));
        let control = (least < b' ').then(|| run.iter().position(|&byte| byte < b' '));
        let end = control.flatten().unwrap_or(end);
        self.is_ascii &= all < 0x80;
        self.at += end;
    }

    /// A number or a literal.
    #[inline]
    pub(super) fn scalar(&mut self) -> Result<JsonType, AskTape> {
        let (literal, json): (&[u8], _) = match self.peek() {
            Some(b'-' | b'0'..=b'9') => return self.number().map(|()| JsonType::Number),
            Some(b't') => (b"true", JsonType::Bool),
            Some(b'f') => (b"false", JsonType::Bool),
            _ => (b"null", JsonType::Null),
        };
        if !self.rest().starts_with(literal) {
            return Err(AskTape);
        }
        self.at += literal.len();
        Ok(json)
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`
    #[inline]
    fn number(&mut self) -> Result<(), AskTape> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// One digit or more.
    #[inline]
    fn digits(&mut self) -> Result<(), AskTape> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(AskTape) }
    }

    /// Steps over white space.
    #[inline]
    pub(super) fn white(&mut self) {
        // Nearly always there is none; and nothing else is as low as a space.
        if let Some(..=b' ') = self.peek() {
            self.white_run();
        }
    }

    #[cold]
    fn white_run(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Result<(), AskTape> {
        if self.next()? == byte { Ok(()) } else { Err(AskTape) }
    }

    #[inline]
    fn next(&mut self) -> Result<u8, AskTape> {
        let byte = self.peek().ok_or(AskTape)?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.message.get(self.at).copied()
    }

    #[inline]
    fn rest(&self) -> &'s [u8] {
        self.message.get(self.at..).unwrap_or_default()
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is a quote, a backslash or a control
/// character. The lowest bit set is right; those above it may be too many.
#[inline]
pub(in crate::json) const fn stops(word: u64) -> u64 {
    const fn is(word: u64, byte: u8) -> u64 {
        let difference = word ^ (ONES * byte as u64);
        difference.wrapping_sub(ONES) & !difference
    }
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    (is(word, b'"') | is(word, b'\\') | below_space) & HIGH
}

/// The worth of each hex digit, and 255 of any other byte.
const HEX: [u8; 256] = {
    let mut worth = [u8::MAX; 256];
    let mut digit = 0u8;
    while digit < 16 {
        let lower = b"0123456789abcdef"[digit as usize];
        worth[lower as usize] = digit;
        worth[lower.to_ascii_uppercase() as usize] = digit;
        digit += 1;
    }
    worth
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::Envelope;

    fn scan<'s>(message: &'s [u8], envelope: &'s mut Envelope) -> Scan<'s> {
        Scan { message, at: 0, is_ascii: true, depth: 1, members: 1, envelope }
    }

    #[test]
    fn a_run_stops_where_a_plain_reader_stops() {
        let stops = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        // Every byte, behind runs of every length that the strides treat apart.
        for byte in 0..=u8::MAX {
            for before in (0..=34).chain(120..=145) {
                for filler in [b'a', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                    let mut message = vec![filler; before];
                    message.extend([byte, filler, b'"', byte, 0x1f, b'x', b'y', b'z', 0xa2]);
                    let end = message.iter().position(|&byte| stops(byte)).unwrap_or(message.len());
                    let mut envelope = Envelope::default();
                    let mut scan = scan(&message, &mut envelope);
                    scan.plain();
                    assert_eq!(scan.at, end, "{byte:#x} behind {before} of {filler:#x}");
                    assert_eq!(scan.is_ascii, message[..end].is_ascii());
                }
            }
        }
    }

    #[test]
    fn tokens_are_read_as_serde_json_reads_them() {
        for token in [
            "0",
            "-0",
            "01",
            "-",
            "1.",
            "1.5",
            ".5",
            "1e",
            "1e+",
            "1e5",
            "1E-05",
            "0.0e0",
            "00",
            "-1",
            "true",
            "false",
            "null",
            "tru",
            "nul",
            "True",
            "\"\"",
            "\"\\\"\"",
            r#""\u00e9""#,
            r#""\u00g9""#,
            r#""\ud83d\ude00""#,
            r#""\ud83d""#,
            r#""\ude00""#,
            r#""\ud83d\u0041""#,
            r#""\x""#,
            "\"a\nb\"",
        ] {
            let mut envelope = Envelope::default();
            let mut scan = scan(token.as_bytes(), &mut envelope);
            let is_read = scan.value(0).is_ok() && scan.at == token.len();
            let expected = serde_json::from_str::<serde_json::Value>(token).is_ok();
            assert_eq!(is_read, expected, "{token}");
        }
    }
}
