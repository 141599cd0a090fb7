//! JSON that the caller has already: checked once, then written as it is.

use std::fmt;

use crate::json::grammar;

/// One JSON value, borrowed from the caller, that has been checked against
/// [RFC 8259]: nothing composed with it can be anything but JSON.
///
/// It is written as it stands, but for line breaks between its tokens, which
/// would cut the message in two where a message is a line.
///
/// ```
/// use mcparse::compose::RawJson;
///
/// let arguments = RawJson::new(r#"{"city": "Oslo"}"#).unwrap();
/// assert_eq!(arguments.as_bytes(), br#"{"city": "Oslo"}"#);
///
/// let error = RawJson::new(r#"{"city": }"#).unwrap_err();
/// assert_eq!(error.offset, 9);
/// ```
///
/// Members given twice are not looked for; a strict receiver refuses them.
///
/// [RFC 8259]: https://www.rfc-editor.org/rfc/rfc8259
#[derive(Clone, Copy, Debug)]
pub struct RawJson<'j> {
    json: &'j [u8],
}

impl<'j> RawJson<'j> {
    /// How many arrays and objects may stand inside each other: 496, which
    /// leaves room for the message around them in
    /// [`Limits::depth`](crate::Limits::depth).
    pub const MOST_DEPTH: usize = 496;

    /// `json` as a value, with or without white space around it. Takes text
    /// and bytes. Reads `json` once and allocates nothing.
    ///
    /// # Errors
    ///
    /// [`NotJson`] if it is no JSON value, is not UTF-8, starts with a byte
    /// order mark, has an unpaired surrogate or is nested too deep.
    pub fn new(json: &'j (impl AsRef<[u8]> + ?Sized)) -> Result<Self, NotJson> {
        let json = json.as_ref();
        match grammar::fault(json, Self::MOST_DEPTH) {
            Some(fault) => Err(NotJson { offset: fault.offset, reason: fault.reason }),
            None => Ok(Self { json }),
        }
    }

    /// The value as it was given.
    #[must_use]
    pub const fn as_bytes(&self) -> &'j [u8] {
        self.json
    }

    /// The value without white space around it.
    pub(super) fn lexeme(&self) -> &'j [u8] {
        self.json.trim_ascii()
    }
}

/// A [`RawJson`] that is an object, where the protocol asks for one:
/// capabilities, the params of a question.
///
/// ```
/// use mcparse::compose::RawObject;
///
/// assert!(RawObject::new(r#"{"elicitation":{}}"#).is_ok());
/// assert!(RawObject::new("[]").is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RawObject<'j> {
    raw: RawJson<'j>,
}

impl<'j> RawObject<'j> {
    /// `json` as an object: see [`RawJson::new`].
    ///
    /// # Errors
    ///
    /// [`NotJson`] as for [`RawJson::new`], and if it is another value.
    pub fn new(json: &'j (impl AsRef<[u8]> + ?Sized)) -> Result<Self, NotJson> {
        let raw = RawJson::new(json)?;
        if raw.lexeme().starts_with(b"{") {
            return Ok(Self { raw });
        }
        let offset = raw.json.len() - raw.json.trim_ascii_start().len();
        Err(NotJson { offset, reason: "the value is not an object" })
    }

    /// The object as it was given.
    #[must_use]
    pub const fn as_bytes(&self) -> &'j [u8] {
        self.raw.json
    }
}

impl<'j> From<RawObject<'j>> for RawJson<'j> {
    fn from(object: RawObject<'j>) -> Self {
        object.raw
    }
}

/// Why some text is not the JSON that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotJson {
    /// The byte that cannot stand where it stands.
    pub offset: usize,
    /// Why not, as a clause in lower case.
    pub reason: &'static str,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.offset)
    }
}

impl std::error::Error for NotJson {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_whole_json_value_is_taken() {
        for json in ["0", " null ", "\"\"", "[]", "{\"a\":[1.5e3,true]}\n", "1e999"] {
            assert!(RawJson::new(json).is_ok(), "{json}");
        }
        let no_json: [&[u8]; 10] = [
            b"",
            b"1 2",
            b"{}}",
            b"{\"a\":1,}",
            b"nul",
            b"\xff",
            b"\"\xc0\x80\"",
            b"\xef\xbb\xbf{}",
            br#""\ud800""#,
            b"\"\n\"",
        ];
        for json in no_json {
            assert!(RawJson::new(json).is_err(), "{}", String::from_utf8_lossy(json));
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(RawJson::new(&nested(RawJson::MOST_DEPTH)).is_ok());
        assert!(RawJson::new(&nested(RawJson::MOST_DEPTH + 1)).is_err());
    }

    #[test]
    fn an_object_is_an_object() {
        assert!(RawObject::new(" \n{} ").is_ok());
        let error = RawObject::new("  [{}]").unwrap_err();
        assert_eq!(error.to_string(), "the value is not an object at byte 2");
    }
}
