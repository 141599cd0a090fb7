//! Header values that may be wrapped in base64, compared with what they mirror.

use crate::rule::Rule;

/// What comparing a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Equality {
    pub(crate) equal: bool,
    /// The base64 ends in bits that are not zero.
    pub(crate) stray_bits: bool,
}

/// Compares `value`, unwrapped once if it is wrapped, with `body`. Fails with
/// [`Rule::HeaderBase64`] or [`Rule::HeaderBase64Utf8`].
pub(crate) fn compare(value: &[u8], body: impl Iterator<Item = u8>) -> Result<Equality, Rule> {
    let inside = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?="));
    let Some(base64) = inside else {
        return Ok(Equality { equal: body.eq(value.iter().copied()), stray_bits: false });
    };
    if base64.len() % 4 != 0 {
        return Err(Rule::HeaderBase64);
    }
    let digits = base64.strip_suffix(b"=").unwrap_or(base64);
    let digits = digits.strip_suffix(b"=").unwrap_or(digits);
    if !digits.iter().all(|&byte| digit(byte).is_some()) {
        return Err(Rule::HeaderBase64);
    }
    if !is_utf8(decoded(digits)) {
        return Err(Rule::HeaderBase64Utf8);
    }
    let spare = digits.len() * 6 % 8;
    let last = digits.last().and_then(|&byte| digit(byte)).unwrap_or_default();
    let stray_bits = last & ((1 << spare) - 1) != 0;
    Ok(Equality { equal: decoded(digits).eq(body), stray_bits })
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

fn decoded(digits: &[u8]) -> impl Iterator<Item = u8> {
    let (mut bits, mut held) = (0, 0);
    digits.iter().filter_map(move |&byte| {
        held = held << 6 | digit(byte)?;
        bits += 6;
        if bits < 8 {
            return None;
        }
        bits -= 8;
        let byte = (held >> bits) & 0xff;
        held &= (1 << bits) - 1;
        u8::try_from(byte).ok()
    })
}

fn is_utf8(bytes: impl Iterator<Item = u8>) -> bool {
    // At most a character is held at a time.
    let mut held = [0; 4];
    let mut len = 0;
    for byte in bytes {
        let Some(free) = held.get_mut(len) else { return false };
        *free = byte;
        len += 1;
        match std::str::from_utf8(held.get(..len).unwrap_or_default()) {
            Ok(_) => len = 0,
            Err(error) if error.error_len().is_some() => return false,
            Err(_) => {}
        }
    }
    len == 0
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn equality(value: &str, body: &str) -> Result<(bool, bool), Rule> {
        compare(value.as_bytes(), body.bytes()).map(|found| (found.equal, found.stray_bits))
    }

    #[test]
    fn wrapped_values_are_unwrapped_once() {
        for body in ["", "a", "ab", "abc", "caf\u{e9} \u{1f389}", " padded ", "=?base64?YQ==?="] {
            let wrapped = format!("=?base64?{}?=", STANDARD.encode(body));
            assert_eq!(equality(&wrapped, body), Ok((true, false)), "{body}");
            assert_eq!(equality(&wrapped, &format!("{body}x")), Ok((false, false)), "{body}");
        }
        assert_eq!(equality("a", "a"), Ok((true, false)));
        assert_eq!(equality("=?base64?=", "a"), Ok((false, false)));
        assert_eq!(equality("=?base64?YR==?=", "a"), Ok((true, true)));
    }

    #[test]
    fn what_is_no_base64_and_no_utf8_is_an_error() {
        for inside in ["Y", "YQ", "YQ=", "YQ===", "Y*==", "Y===", "====", "YQ==YQ==", "literal"] {
            let wrapped = format!("=?base64?{inside}?=");
            assert_eq!(equality(&wrapped, "a"), Err(Rule::HeaderBase64), "{inside}");
        }
        for bytes in [&b"\xff"[..], b"a\xc3", b"\xed\xa0\x80", b"\xc0\x80"] {
            let wrapped = format!("=?base64?{}?=", STANDARD.encode(bytes));
            assert_eq!(equality(&wrapped, "\u{fffd}"), Err(Rule::HeaderBase64Utf8));
        }
    }
}
