//! Writing JSON: strings, integers, and JSON that is there already.
//!
//! Everything is appended to the caller's vector. No line break is ever
//! written, so that what comes out is one line of a stream as it stands.

use std::fmt;
use std::io::Write;

/// Writes `text` as a JSON string.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escaped(out, text.bytes());
    out.push(b'"');
}

/// Writes UTF-8 as the inside of a JSON string ([RFC 8259, section 7]).
///
/// [RFC 8259, section 7]: https://www.rfc-editor.org/rfc/rfc8259#section-7
pub(crate) fn escaped(out: &mut Vec<u8>, text: impl Iterator<Item = u8>) {
    for byte in text {
        match byte {
            b'"' => out.extend_from_slice(br#"\""#),
            b'\\' => out.extend_from_slice(br"\\"),
            b'\n' => out.extend_from_slice(br"\n"),
            b'\r' => out.extend_from_slice(br"\r"),
            b'\t' => out.extend_from_slice(br"\t"),
            0..0x20 => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.extend_from_slice(br"\u00");
                out.push(HEX[usize::from(byte >> 4)]);
                out.push(HEX[usize::from(byte & 15)]);
            }
            _ => out.push(byte),
        }
    }
}

/// Writes what displays itself as JSON: an integer.
pub(crate) fn integer(out: &mut Vec<u8>, integer: impl fmt::Display) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{integer}");
}

/// Writes `json`, which is JSON, without its line breaks. They stand between
/// tokens only, where a bracket, a comma or a colon is next to them, so nothing
/// runs together.
pub(crate) fn json(out: &mut Vec<u8>, json: &[u8]) {
    let mut rest = json;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_its_escaping() {
        let text: String = (0..0x200u32).filter_map(char::from_u32).collect();
        let mut out = Vec::new();
        string(&mut out, &text);
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        assert!(out.iter().all(|&byte| byte >= b' '));
    }

    #[test]
    fn line_breaks_between_tokens_go_and_nothing_else_does() {
        for (given, written) in [
            ("{\r\n  \"a\": [1,\n 2]\n}", r#"{  "a": [1, 2]}"#),
            ("\n\n", ""),
            ("\"\\n\"", "\"\\n\""),
            ("1\n", "1"),
        ] {
            let mut out = Vec::new();
            json(&mut out, given.as_bytes());
            assert_eq!(out, written.as_bytes());
        }
    }
}
