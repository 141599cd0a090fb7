//! The tokens of the scan lane that are not strings: numbers, literals and white
//! space, as RFC 8259 has them. Each is given where it starts and says where the
//! next byte is.
//!
//! A token that may go on behind the bytes at hand is not read: [`Stop::More`].

use super::Stop;
use crate::envelope::JsonType;
use crate::words::non_digits;

/// The byte at `at`.
#[inline(always)]
pub(super) fn peek(bytes: &[u8], at: usize) -> Result<u8, Stop> {
    bytes.get(at).copied().ok_or(Stop::More)
}

/// Steps over white space, and gives the byte behind it.
#[inline(always)]
pub(super) fn next(bytes: &[u8], at: &mut usize) -> Result<u8, Stop> {
    let byte = peek(bytes, *at)?;
    // Nearly always there is none; and nothing else is as low as a space.
    if byte > b' ' {
        return Ok(byte);
    }
    *at = white_run(bytes, *at);
    peek(bytes, *at)
}

/// If a colon is next and a value right behind it: the byte that the value starts
/// with.
#[inline(always)]
pub(super) fn colon_and(bytes: &[u8], at: usize) -> Option<u8> {
    let [colon, first] = *bytes.get(at..)?.first_chunk()?;
    (colon == b':' && first > b' ').then_some(first)
}

#[inline(never)]
pub(super) fn white_run(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// A number or a literal that starts with `first`.
#[inline(always)]
pub(super) fn scalar(bytes: &[u8], at: usize, first: u8) -> Result<(JsonType, usize), Stop> {
    match first {
        b'-' | b'0'..=b'9' => number(bytes, at).map(|end| (JsonType::Number, end)),
        b't' => literal(bytes, at, b"true").map(|end| (JsonType::Bool, end)),
        b'f' => literal(bytes, at, b"false").map(|end| (JsonType::Bool, end)),
        b'n' => literal(bytes, at, b"null").map(|end| (JsonType::Null, end)),
        _ => Err(Stop::NotJson),
    }
}

#[inline(always)]
fn literal(bytes: &[u8], at: usize, literal: &[u8]) -> Result<usize, Stop> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(literal) {
        Ok(at + literal.len())
    } else if literal.starts_with(rest) {
        Err(Stop::More)
    } else {
        Err(Stop::NotJson)
    }
}

/// `number = [ minus ] int [ frac ] [ exp ]`
#[inline(always)]
fn number(bytes: &[u8], start: usize) -> Result<usize, Stop> {
    let mut at = start;
    if peek(bytes, at)? == b'-' {
        at += 1;
    }
    at = if peek(bytes, at)? == b'0' { at + 1 } else { digits(bytes, at)? };
    let mut next = peek(bytes, at)?;
    if next == b'.' {
        at = digits(bytes, at + 1)?;
        next = peek(bytes, at)?;
    }
    if next | 0x20 == b'e' {
        at += 1;
        if let b'+' | b'-' = peek(bytes, at)? {
            at += 1;
        }
        at = digits(bytes, at)?;
        peek(bytes, at)?;
    }
    Ok(at)
}

/// One digit or more.
#[inline(always)]
fn digits(bytes: &[u8], start: usize) -> Result<usize, Stop> {
    let mut at = start;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let others = non_digits(u64::from_le_bytes(*chunk));
        if others != 0 {
            at += others.trailing_zeros() as usize / 8;
            return if at > start { Ok(at) } else { Err(Stop::NotJson) };
        }
        at += 8;
    }
    while peek(bytes, at)?.is_ascii_digit() {
        at += 1;
    }
    if at > start { Ok(at) } else { Err(Stop::NotJson) }
}
