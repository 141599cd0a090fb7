//! A few bytes of a message that outlive it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::text::Text;

/// A lexeme of a message: the bytes themselves while they are few, and in any
/// case a fingerprint of them.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    bytes: [u8; Self::MOST],
    /// Of all of it; beyond `MOST`, `bytes` holds nothing.
    len: u32,
    fingerprint: u64,
}

impl Kept {
    /// The most bytes that are kept.
    pub(crate) const MOST: usize = 64;
    pub(crate) const NOTHING: Self = Self { bytes: [0; Self::MOST], len: 0, fingerprint: 0 };

    /// Keeps `lexeme`, under the fingerprint of what it means.
    pub(crate) fn new(lexeme: &[u8], meaning: impl Hash) -> Self {
        let mut bytes = [0; Self::MOST];
        if let Some(room) = bytes.get_mut(..lexeme.len()) {
            room.copy_from_slice(lexeme);
        }
        let len = u32::try_from(lexeme.len()).unwrap_or(u32::MAX);
        Self { bytes, len, fingerprint: fingerprint(meaning) }
    }

    /// The lexeme, if it was short enough to be kept.
    pub(crate) fn lexeme(&self) -> Option<&[u8]> {
        self.bytes.get(..self.len as usize)
    }

    pub(crate) const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lexeme() {
            Some(lexeme) => write!(f, "{}", lexeme.escape_ascii()),
            None => write!(f, "{} bytes", self.len),
        }
    }
}

/// A JSON value, whatever the white space between its tokens and the escapes in
/// its strings.
pub(crate) struct Meaning<'m>(pub(crate) &'m [u8]);

/// Only for [`fingerprint`], to which bytes are the same in one piece or in several.
impl Hash for Meaning<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut rest = self.0;
        while !rest.is_empty() {
            let is_special = |byte: &u8| matches!(byte, b'"' | b' ' | b'\t' | b'\n' | b'\r');
            let plain = rest.iter().position(is_special).unwrap_or(rest.len());
            let (tokens, behind) = rest.split_at(plain);
            state.write(tokens);
            let Some((&first, behind)) = behind.split_first() else { return };
            rest = behind;
            if first == b'"' {
                let string = behind.get(..end_of_string(behind)).unwrap_or(behind);
                rest = behind.get(string.len() + 1..).unwrap_or_default();
                // Set apart from tokens that are written the same.
                state.write_u8(first);
                if memchr::memchr(b'\\', string).is_some() {
                    Text::new(string).hash(state);
                } else {
                    state.write(string);
                    state.write_u8(0xff);
                }
            }
        }
    }
}

/// How far it is to the quote that ends a string.
fn end_of_string(string: &[u8]) -> usize {
    let mut at = 0;
    while let Some(stop) = string.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += stop;
        if string.get(at) == Some(&b'"') {
            return at;
        }
        at += 2;
    }
    string.len()
}

/// A number that equal things share and different ones hardly ever do. It is for
/// telling what has changed, not against somebody who looks for collisions.
pub(crate) fn fingerprint(meaning: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    meaning.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_the_same_has_one_fingerprint_however_it_is_written() {
        let of = |json: &str| fingerprint(Meaning(json.as_bytes()));
        let plain = of(r#"{"a":[1,"bc",true],"d":{}}"#);
        assert_eq!(plain, of("{ \"a\" :[1,\t\"bc\", true ]\n,\"d\":{ } }"));
        assert_eq!(plain, of(r#"{"\u0061":[1,"b\u0063",true],"d":{}}"#));
        for other in [
            r#"{"a":[1,"bc",true],"d":[]}"#,
            r#"{"a":[1,"b","c",true],"d":{}}"#,
            r#"{"a":[1,"true",true],"d":{}}"#,
        ] {
            assert_ne!(plain, of(other), "{other}");
        }
        assert_ne!(of(r#""1""#), of("1"));
    }
}
