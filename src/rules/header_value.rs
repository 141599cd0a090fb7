//! The value of a header that mirrors a value of the body, and whether they
//! are equal: `Mcp-Name` and `Mcp-Param-*` ([Value encoding]).
//!
//! A value is plain text, or it wraps text in base64: `=?base64?...?=`. It is
//! unwrapped once, byte by byte, into no memory of its own.
//!
//! [Value encoding]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding

use crate::rule::Rule;
use crate::text::Text;
use crate::words;

const OPENING: &[u8] = b"=?base64?";
const CLOSING: &[u8] = b"?=";

/// Whether a header's value may stand on the wire: visible ASCII, space and tab.
#[inline]
pub(crate) fn is_plain(value: &[u8]) -> bool {
    words::is_visible(value)
}

/// How a header's value stands to the body's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Equality {
    pub(crate) is_equal: bool,
    /// The base64 ends in bits that are not zero, and that stand for nothing.
    pub(crate) has_stray_bits: bool,
}

/// Compares `value`, trimmed of spaces and tabs, with the text of the body;
/// fails by `header-base64` or `header-base64-utf8`.
#[inline]
pub(crate) fn compare(value: &[u8], body: Text<'_>) -> Result<Equality, Rule> {
    let unwrapped = Unwrapped::new(value)?;
    Ok(Equality { is_equal: unwrapped.says(body), has_stray_bits: unwrapped.has_stray_bits() })
}

/// The text that a header's value stands for.
#[derive(Clone, Copy)]
pub(crate) enum Unwrapped<'v> {
    /// The value itself, also where a wrapper is not complete.
    Literal(&'v [u8]),
    Wrapped(Base64<'v>),
}

impl<'v> Unwrapped<'v> {
    pub(crate) fn new(value: &'v [u8]) -> Result<Self, Rule> {
        let wrapped = value.strip_prefix(OPENING).and_then(|rest| rest.strip_suffix(CLOSING));
        Ok(match wrapped {
            Some(wrapped) => Self::Wrapped(Base64::new(wrapped)?),
            None => Self::Literal(value),
        })
    }

    /// Whether it stands for `text`, byte for byte.
    #[inline]
    pub(crate) fn says(&self, text: Text<'_>) -> bool {
        match self {
            Self::Literal(value) => text.is(value),
            Self::Wrapped(_) => self.bytes().eq(text.bytes()),
        }
    }

    pub(crate) fn has_stray_bits(&self) -> bool {
        matches!(self, Self::Wrapped(base64) if base64.has_stray_bits)
    }

    pub(crate) fn bytes(&self) -> impl Iterator<Item = u8> + use<'v> {
        let (literal, digits) = match *self {
            Self::Literal(literal) => (literal, &[][..]),
            Self::Wrapped(base64) => (&[][..], base64.digits),
        };
        literal.iter().copied().chain(decoded(digits))
    }
}

/// UTF-8 in padded base64 ([RFC 4648, section 4]).
///
/// [RFC 4648, section 4]: https://www.rfc-editor.org/rfc/rfc4648#section-4
#[derive(Clone, Copy)]
pub(crate) struct Base64<'v> {
    /// All of the alphabet, without the padding. The last four may lack one or
    /// two.
    digits: &'v [u8],
    has_stray_bits: bool,
}

impl<'v> Base64<'v> {
    fn new(wrapped: &'v [u8]) -> Result<Self, Rule> {
        let digits = wrapped.strip_suffix(b"=").unwrap_or(wrapped);
        let digits = digits.strip_suffix(b"=").unwrap_or(digits);
        if !wrapped.len().is_multiple_of(4) || !digits.iter().all(|&digit| sextet(digit).is_some())
        {
            return Err(Rule::HeaderBase64);
        }
        let mut utf8 = Utf8::default();
        if !decoded(digits).all(|byte| utf8.push(byte)) || !utf8.is_complete() {
            return Err(Rule::HeaderBase64Utf8);
        }
        // Two digits carry 12 bits for one byte, three carry 18 for two.
        let unused = match digits.len() % 4 {
            2 => 0b1111,
            3 => 0b11,
            _ => 0,
        };
        let last = digits.last().and_then(|&digit| sextet(digit)).unwrap_or(0);
        Ok(Self { digits, has_stray_bits: last & unused != 0 })
    }
}

/// The bytes that `digits` stand for: one less than digits, of each four.
fn decoded(digits: &[u8]) -> impl Iterator<Item = u8> {
    digits.chunks(4).flat_map(|group| {
        let sextets = group.iter().map(|&digit| sextet(digit).unwrap_or(0));
        let bits = sextets.chain([0; 3]).take(4).fold(0, |bits, six| bits << 6 | u32::from(six));
        let [_, bytes @ ..] = bits.to_be_bytes();
        bytes.into_iter().take(group.len() - 1)
    })
}

/// The six bits that a digit stands for.
fn sextet(digit: u8) -> Option<u8> {
    Some(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Checks UTF-8 byte by byte: the table of [Unicode, section 3.9], as what may
/// follow.
///
/// [Unicode, section 3.9]: https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506
struct Utf8 {
    /// Bytes that the character still needs.
    needed: u8,
    /// What the next of them may be.
    least: u8,
    most: u8,
}

impl Default for Utf8 {
    fn default() -> Self {
        Self { needed: 0, least: 0x80, most: 0xbf }
    }
}

impl Utf8 {
    /// Takes a byte; false if it may not stand there.
    fn push(&mut self, byte: u8) -> bool {
        if self.needed > 0 {
            let fits = (self.least..=self.most).contains(&byte);
            *self = Self { needed: self.needed - 1, ..Self::default() };
            return fits;
        }
        let (needed, least, most) = match byte {
            0..=0x7f => return true,
            0xc2..=0xdf => (1, 0x80, 0xbf),
            // No overlong forms, no surrogates, nothing past U+10FFFF.
            0xe0 => (2, 0xa0, 0xbf),
            0xed => (2, 0x80, 0x9f),
            0xe1..=0xef => (2, 0x80, 0xbf),
            0xf0 => (3, 0x90, 0xbf),
            0xf1..=0xf3 => (3, 0x80, 0xbf),
            0xf4 => (3, 0x80, 0x8f),
            _ => return false,
        };
        *self = Self { needed, least, most };
        true
    }

    fn is_complete(&self) -> bool {
        self.needed == 0
    }
}

#[cfg(test)]
mod tests;
