use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use proptest::prelude::*;

use super::*;

fn wrapped(base64: &[u8]) -> Vec<u8> {
    [OPENING, base64, CLOSING].concat()
}

/// What a value stands for by the crate `base64`, which knows nothing of
/// ours, and whether bits are left over.
fn oracle(base64: &[u8]) -> Result<(Vec<u8>, bool), Rule> {
    let lax = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
            .with_decode_allow_trailing_bits(true),
    );
    let bytes = lax.decode(base64).map_err(|_| Rule::HeaderBase64)?;
    std::str::from_utf8(&bytes).map_err(|_| Rule::HeaderBase64Utf8)?;
    Ok((bytes, STANDARD.decode(base64).is_err()))
}

fn agrees(base64: &[u8]) {
    let value = wrapped(base64);
    let ours = Unwrapped::new(&value)
        .map(|unwrapped| (unwrapped.bytes().collect::<Vec<_>>(), unwrapped.has_stray_bits()));
    assert_eq!(ours, oracle(base64), "{:?}", String::from_utf8_lossy(base64));
}

#[test]
fn short_values_are_unwrapped_as_the_oracle_does() {
    let letters = b"AQwg4z+/=-_ \xff?";
    agrees(b"");
    let mut words = vec![Vec::new()];
    for _ in 0..4 {
        words = words
            .iter()
            .flat_map(|word| letters.iter().map(move |&letter| [&word[..], &[letter]].concat()))
            .collect();
        for word in &words {
            agrees(word);
        }
    }
    for first in 0..=255 {
        for second in 0..=255 {
            agrees(&[first, second, b'=', b'=']);
            agrees(&[b'w', first, second, b'=']);
        }
    }
}

#[test]
fn utf8_is_judged_as_the_standard_library_does() {
    let edges = [
        0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
        0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ];
    let mut words = vec![Vec::new()];
    for _ in 0..4 {
        words = words
            .iter()
            .flat_map(|word| edges.iter().map(move |&byte| [&word[..], &[byte]].concat()))
            .collect();
        for word in &words {
            let mut utf8 = Utf8::default();
            let is_utf8 = word.iter().all(|&byte| utf8.push(byte)) && utf8.is_complete();
            assert_eq!(is_utf8, std::str::from_utf8(word).is_ok(), "{word:x?}");
        }
    }
}

#[test]
fn a_wrapper_that_is_not_complete_is_plain_text() {
    for value in [
        &b"=?base64?="[..],
        b"=?base64?",
        b"=?base64?QQ==",
        b"=?BASE64?QQ==?=",
        b"=?Base64?QQ==?=",
        b" =?base64?QQ==?=",
        b"=?base64?QQ==?= ",
        b"?base64?QQ==?=",
        b"",
    ] {
        let equality = compare(value, Text::new(value)).unwrap();
        assert_eq!(equality, Equality { is_equal: true, has_stray_bits: false });
    }
    assert!(compare(b"=?base64??=", Text::new(b"")).unwrap().is_equal);
}

#[test]
fn a_value_is_unwrapped_once() {
    let inner = b"=?base64?QQ==?=";
    let outer = wrapped(STANDARD.encode(inner).as_bytes());
    assert!(compare(&outer, Text::new(inner)).unwrap().is_equal);
    assert!(!compare(&outer, Text::new(b"A")).unwrap().is_equal);
}

#[test]
fn stray_bits_are_told_and_do_not_count() {
    let equality = compare(b"=?base64?QR==?=", Text::new(b"A"));
    assert_eq!(equality, Ok(Equality { is_equal: true, has_stray_bits: true }));
}

#[test]
fn base64_is_judged_before_what_it_holds() {
    assert_eq!(compare(b"=?base64?/w==?=", Text::new(b"")), Err(Rule::HeaderBase64Utf8));
    assert_eq!(compare(b"=?base64?/w=?=", Text::new(b"")), Err(Rule::HeaderBase64));
}

#[test]
fn the_examples_of_the_specification_are_equal() {
    for (text, value) in [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ] {
        assert!(compare(value.as_bytes(), Text::new(text.as_bytes())).unwrap().is_equal, "{text}");
    }
}

#[test]
fn only_visible_ascii_space_and_tab_are_plain() {
    for byte in 0..=255 {
        let expected = byte == 9 || (0x20..0x7f).contains(&byte);
        assert_eq!(is_plain(&[b'a', byte]), expected, "{byte}");
    }
}

proptest! {
    #[test]
    fn what_is_wrapped_comes_out(text in any::<String>()) {
        let value = wrapped(STANDARD.encode(&text).as_bytes());
        let json = serde_json::to_string(&text).unwrap();
        let equality = compare(&value, Text::new(&json.as_bytes()[1..json.len() - 1])).unwrap();
        prop_assert_eq!(equality, Equality { is_equal: true, has_stray_bits: false });
    }

    #[test]
    fn any_wrapped_bytes_are_judged_as_the_oracle_does(bytes: Vec<u8>, digits in "[A-Za-z0-9+/]{0,20}={0,3}") {
        agrees(STANDARD.encode(&bytes).as_bytes());
        agrees(digits.as_bytes());
    }
}
