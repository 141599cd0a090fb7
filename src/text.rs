//! A JSON string as it stands in the message: compared and decoded on demand.
//!
//! Most strings that a gateway looks at hold no escape and are compared as
//! they are. Those that do are decoded one byte at a time, so that comparing
//! never allocates. Nothing here checks the grammar: a `Text` is only made of
//! a string that a lane has already accepted.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::words;

/// The contents of a JSON string, borrowed from the caller's bytes with its
/// escapes left as they were written.
///
/// Two texts are equal when they decode to the same string, however each is
/// spelled ([RFC 8259, section 8.3]).
///
/// ```
/// use mcparse::{Message, Policy, Sender, Validator};
///
/// let message = br#"{"jsonrpc":"2.0","method":"notifications\/initialized"}"#;
/// let mut validator = Validator::new(Policy::strict());
/// let Message::Notification(call) = validator.check(Sender::Client, message)? else { panic!() };
/// assert_eq!(call.method(), "notifications/initialized");
/// assert_eq!(call.method().raw(), br"notifications\/initialized");
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// [RFC 8259, section 8.3]: https://www.rfc-editor.org/rfc/rfc8259#section-8.3
#[derive(Clone, Copy)]
pub struct Text<'m> {
    /// Valid UTF-8, and a valid string in JSON between two quotes, except that
    /// a surrogate escape may stand alone.
    raw: &'m [u8],
}

impl<'m> Text<'m> {
    /// `raw` is what stands between the quotes.
    pub(crate) const fn new(raw: &'m [u8]) -> Self {
        Self { raw }
    }

    /// What stands between the quotes, escapes and all.
    #[must_use]
    pub const fn raw(&self) -> &'m [u8] {
        self.raw
    }

    /// Whether any character is written as an escape.
    #[must_use]
    #[inline]
    pub fn is_escaped(&self) -> bool {
        // A search is worth its while only in a longer one.
        if self.raw.len() <= 64 {
            words::has_backslash(self.raw)
        } else {
            memchr::memchr(b'\\', self.raw).is_some()
        }
    }

    /// The string itself: borrowed where nothing is escaped, else a new one.
    /// A surrogate escape without its other half (a policy may let it pass)
    /// becomes U+FFFD.
    #[must_use]
    pub fn decode(&self) -> Cow<'m, str> {
        if !self.is_escaped() {
            return String::from_utf8_lossy(self.raw);
        }
        let decoded: Vec<u8> = self.bytes().collect();
        Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
    }

    /// Whether it decodes to these bytes.
    #[inline]
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        words::is_written_as(self.raw, bytes) || self.is_escaped_as(bytes)
    }

    /// Whether it is written as these bytes, all of them visible ASCII and
    /// spaces.
    #[inline]
    pub(crate) fn is_visibly(&self, bytes: &[u8]) -> bool {
        words::is_visibly_written_as(self.raw, bytes)
    }

    #[cold]
    fn is_escaped_as(&self, bytes: &[u8]) -> bool {
        self.is_escaped() && self.bytes().eq(bytes.iter().copied())
    }

    /// How many bytes of the front, as it is written, stand for `prefix`; none
    /// if it does not start so.
    pub(crate) fn written_prefix(&self, prefix: &str) -> Option<usize> {
        let mut decoded = Decoded { rest: self.raw, pending: [0; 4], from: 4 };
        if !prefix.bytes().all(|byte| decoded.next() == Some(byte)) {
            return None;
        }
        // `prefix` ends with a whole character, so nothing of an escape is left.
        let len = self.raw.len() - decoded.rest.len();
        // What decodes to U+FFFD may be half a surrogate pair, which is not the
        // same text to every reader.
        let is_sure = !prefix.contains(char::REPLACEMENT_CHARACTER)
            || !Text::new(self.raw.get(..len)?).is_escaped();
        is_sure.then_some(len)
    }

    /// The UTF-8 bytes of the decoded string, one by one, without allocating.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + use<'m> {
        Decoded { rest: self.raw, pending: [0; 4], from: 4 }
    }
}

impl PartialEq<str> for Text<'_> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        // An escape is always longer than what it stands for.
        match self.raw.len().cmp(&other.len()) {
            Ordering::Less => false,
            Ordering::Equal => words::is_written_as(self.raw, other.as_bytes()),
            Ordering::Greater => {
                // The first byte tells most apart.
                let may_start = |byte| byte == b'\\' || Some(&byte) == other.as_bytes().first();
                self.raw.first().copied().is_some_and(may_start)
                    && self.is_escaped_as(other.as_bytes())
            }
        }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw || self.bytes().eq(other.bytes())
    }
}

impl Eq for Text<'_> {}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().for_each(|byte| state.write_u8(byte));
        state.write_u8(0xff);
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decode().fmt(f)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decode())
    }
}

/// Decodes from the front of `rest`; a character that an escape stands for
/// waits in `pending[from..]`.
struct Decoded<'m> {
    rest: &'m [u8],
    pending: [u8; 4],
    from: usize,
}

impl Decoded<'_> {
    /// Lays `decoded` at the end of `pending` and gives its first byte.
    fn hold(&mut self, decoded: char) -> u8 {
        let mut utf8 = [0; 4];
        let len = decoded.encode_utf8(&mut utf8).len();
        self.from = 4 - len + 1;
        self.pending[4 - len..].copy_from_slice(&utf8[..len]);
        utf8[0]
    }

    /// The four hex digits of a `\u` escape at the front, taken off.
    fn code_unit(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_first_chunk::<4>()?;
        let unit = digits
            .iter()
            .try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))?;
        self.rest = rest;
        Some(unit)
    }

    fn unicode_escape(&mut self) -> Option<char> {
        let unit = self.code_unit()?;
        if (0xd800..0xdc00).contains(&unit) {
            let behind = self.rest;
            if let Some(rest) = behind.strip_prefix(br"\u") {
                self.rest = rest;
                if let Some(low @ 0xdc00..0xe000) = self.code_unit() {
                    return char::from_u32(0x1_0000 + (unit - 0xd800) * 0x400 + (low - 0xdc00));
                }
                self.rest = behind;
            }
        }
        char::from_u32(unit)
    }
}

impl Iterator for Decoded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(&byte) = self.pending.get(self.from) {
            self.from += 1;
            return Some(byte);
        }
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        if byte != b'\\' {
            return Some(byte);
        }
        let (&escape, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(match escape {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let decoded = self.unicode_escape().unwrap_or(char::REPLACEMENT_CHARACTER);
                self.hold(decoded)
            }
            // A quote, a backslash or a slash stands for itself.
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_agrees_with_serde_json() {
        for raw in [
            "",
            "plain",
            r"\u006dethod",
            r"a\/b\\c\u0022",
            r"\ud83c\udf89 done",
            "caf\u{e9} \u{1f389}",
            r"\b\f\n\r\t\u0000",
            r"\uD834\uDD1E",
        ] {
            let expected: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
            let text = Text::new(raw.as_bytes());
            assert_eq!(text.decode(), expected, "{raw}");
            assert_eq!(text, expected.as_str(), "{raw}");
        }
    }

    #[test]
    fn a_lone_surrogate_decodes_to_the_replacement_character() {
        assert_eq!(Text::new(br"a\ud83db").decode(), "a\u{fffd}b");
        assert_eq!(Text::new(br"\ud83d\n").decode(), "\u{fffd}\n");
        assert_eq!(Text::new(br"\ud83d\u0041").decode(), "\u{fffd}A");
        assert_eq!(Text::new(br"\udc00").decode(), "\u{fffd}");
    }

    #[test]
    fn a_prefix_is_found_however_it_is_written() {
        for (raw, prefix, written) in [
            ("docs/read", "docs/", Some(5)),
            (r"d\u006fcs\/read", "docs/", Some(11)),
            (r"\ud83c\udf89x", "\u{1f389}", Some(12)),
            (r"\u00e9", "\u{e9}", Some(6)),
            ("\u{e9}x", "\u{e9}", Some(2)),
            ("docs", "docs", Some(4)),
            ("docs", "", Some(0)),
            ("doc", "docs", None),
            ("Docs/", "docs/", None),
            (r"\ud83dx", "\u{fffd}", None),
            (r"\ufffdx", "\u{fffd}", None),
            ("\u{fffd}x", "\u{fffd}", Some(3)),
        ] {
            assert_eq!(Text::new(raw.as_bytes()).written_prefix(prefix), written, "{raw}");
        }
    }

    #[test]
    fn spelling_does_not_matter_to_equality() {
        assert_eq!(Text::new(br"\u0061b"), Text::new(b"ab"));
        assert_ne!(Text::new(br"\\u0061b"), Text::new(b"ab"));
        assert_ne!(Text::new(br"\u0061b"), "a");
    }
}
