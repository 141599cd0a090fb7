//! Header values that mirror the body of a request, plain or wrapped.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::value::{Form, Value};
use crate::id::Id;
use crate::json::grammar;

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Appends the value of an `Mcp-Name` or `Mcp-Param-*` header that mirrors
/// `text` ([Value Encoding]): `text` itself where it can stand in a header,
/// else its base64 form.
///
/// ```
/// use mcparse::compose::header_value;
///
/// let value = |text| {
///     let mut out = Vec::new();
///     header_value(&mut out, text);
///     String::from_utf8(out).unwrap()
/// };
/// assert_eq!(value("us-west1"), "us-west1");
/// assert_eq!(value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
/// assert_eq!(value(" padded "), "=?base64?IHBhZGRlZCA=?=");
/// ```
///
/// [Value Encoding]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
pub fn header_value(out: &mut Vec<u8>, text: &str) {
    HeaderValue::new(text).write(out);
}

/// The value of a header that mirrors a part of the body: see
/// [`header_value`]. Displayed and written, it is what goes on the wire, always
/// visible ASCII with spaces and tabs only in between.
///
/// ```
/// use mcparse::compose::HeaderValue;
///
/// assert_eq!(HeaderValue::new("a b").to_string(), "a b");
/// assert_eq!(HeaderValue::new("a\nb").to_string(), "=?base64?YQpi?=");
/// ```
#[derive(Clone, Debug)]
pub struct HeaderValue<'a> {
    text: Cow<'a, str>,
}

impl<'a> HeaderValue<'a> {
    /// The value that mirrors `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text) }
    }

    /// The value that mirrors text of a message, which may have been decoded.
    pub(crate) const fn of_text(text: Cow<'a, str>) -> Self {
        Self { text }
    }

    /// The value that mirrors a string, an integer or a boolean of the body,
    /// as `x-mcp-header` asks for; none for `null`, for which no header is
    /// sent, and for what no header mirrors. Allocates for an integer, and for
    /// JSON with escapes.
    ///
    /// ```
    /// use mcparse::compose::HeaderValue;
    ///
    /// assert_eq!(HeaderValue::of((-7).into()).unwrap().to_string(), "-7");
    /// assert_eq!(HeaderValue::of(true.into()).unwrap().to_string(), "true");
    /// assert!(HeaderValue::of(().into()).is_none());
    /// ```
    #[must_use]
    pub fn of(value: Value<'a>) -> Option<Self> {
        let text = match value.form() {
            Form::Text(text) => Cow::Borrowed(text),
            Form::Bool(truth) => Cow::Borrowed(if truth { "true" } else { "false" }),
            Form::Integer(integer) => Cow::Owned(integer.to_string()),
            Form::Lexeme(lexeme) => of_lexeme(lexeme)?,
            Form::Raw(raw) => of_lexeme(raw.lexeme())?,
            _ => return None,
        };
        Some(Self { text })
    }

    /// The value that mirrors `value`, if that is a string.
    pub(super) fn of_string(value: Value<'a>) -> Option<Self> {
        let is_string = match value.form() {
            Form::Text(_) => true,
            Form::Lexeme(lexeme) => lexeme.starts_with(b"\""),
            Form::Raw(raw) => raw.lexeme().starts_with(b"\""),
            _ => false,
        };
        is_string.then(|| Self::of(value))?
    }

    /// What it mirrors.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it goes on the wire as it is.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let text = self.text.as_bytes();
        let is_safe = |&byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
        let looks_wrapped = self.text.starts_with(PREFIX) && self.text.ends_with(SUFFIX);
        text.iter().all(is_safe) && text.trim_ascii().len() == text.len() && !looks_wrapped
    }

    /// Appends what goes on the wire.
    pub fn write(&self, out: &mut Vec<u8>) {
        if self.is_plain() {
            out.extend_from_slice(self.text.as_bytes());
            return;
        }
        out.extend_from_slice(PREFIX.as_bytes());
        out.extend(self.base64());
        out.extend_from_slice(SUFFIX.as_bytes());
    }

    /// The text in base64 ([RFC 4648, section 4]).
    ///
    /// [RFC 4648, section 4]: https://www.rfc-editor.org/rfc/rfc4648#section-4
    fn base64(&self) -> impl Iterator<Item = u8> {
        self.text.as_bytes().chunks(3).flat_map(|chunk| {
            let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            let digit = |at: usize| {
                if at > chunk.len() {
                    return b'=';
                }
                ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]
            };
            [digit(0), digit(1), digit(2), digit(3)]
        })
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl fmt::Display for HeaderValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_plain() {
            return f.write_str(&self.text);
        }
        f.write_str(PREFIX)?;
        self.base64().try_for_each(|digit| f.write_char(digit.into()))?;
        f.write_str(SUFFIX)
    }
}

/// What a JSON scalar stands for, if a header mirrors it.
fn of_lexeme(lexeme: &[u8]) -> Option<Cow<'_, str>> {
    let is_plain = matches!(lexeme, b"true" | b"false") || grammar::is_integer(lexeme);
    if is_plain {
        return Some(String::from_utf8_lossy(lexeme));
    }
    Some(Id::from_lexeme(lexeme)?.as_text()?.decode())
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::super::raw::RawJson;
    use super::*;

    /// What a receiver reads: the specification's words, and another's base64.
    fn decoded(value: &str) -> String {
        match value.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)) {
            Some(base64) => String::from_utf8(STANDARD.decode(base64).unwrap()).unwrap(),
            None => value.to_owned(),
        }
    }

    #[test]
    fn the_examples_of_the_specification_hold() {
        for (text, value) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ] {
            assert_eq!(HeaderValue::new(text).to_string(), value);
        }
    }

    #[test]
    fn what_can_stand_in_a_header_stands_there_as_it_is() {
        for plain in ["", "a", "a b\tc", "file:///x?=", "=?base64?a", "=?BASE64?YQ==?=", "~!"] {
            assert!(HeaderValue::new(plain).is_plain(), "{plain:?}");
        }
        for wrapped in
            ["\t", " a", "a ", "\u{7f}", "\0", "é", "a\r\nb", "=?base64?=", "=?base64??="]
        {
            assert!(!HeaderValue::new(wrapped).is_plain(), "{wrapped:?}");
        }
    }

    #[test]
    fn scalars_are_mirrored_and_nothing_else() {
        let of = |json| {
            let raw = RawJson::new(json).unwrap();
            Some(HeaderValue::of(raw.into())?.to_string())
        };
        assert_eq!(of(r#" "\u0061b" "#).as_deref(), Some("ab"));
        assert_eq!(of("42").as_deref(), Some("42"));
        assert_eq!(of("true").as_deref(), Some("true"));
        for other in ["null", "[]", "{}", "1.5", "1e3"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn every_value_decodes_back_and_is_safe(text in any::<String>()) {
            let mut out = Vec::new();
            header_value(&mut out, &text);
            let value = String::from_utf8(out).unwrap();
            prop_assert_eq!(&HeaderValue::new(&text).to_string(), &value);
            prop_assert!(value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')));
            prop_assert_eq!(value.trim(), &value);
            prop_assert_eq!(decoded(&value), text);
        }
    }
}
