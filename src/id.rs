//! The request id: its exact lexeme, for the echo, and what it is equal to.
//!
//! An id is kept as it was written, never as a number, so that
//! `12345678901234567890123` is echoed digit by digit.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::text::Text;
use crate::words;

/// A request id, borrowed from the caller's bytes: a JSON string or integer of
/// any length ([Requests]). Where a policy reports the rule `id-float` instead
/// of refusing by it, also an integer in float form (`1.0`, `1e3`).
///
/// Two ids are equal when both are strings that decode to the same text, or
/// both are numbers of the same value: `-0` equals `0`, and `7` is not `"7"`.
///
/// ```
/// use mcparse::Id;
///
/// let id = Id::from_lexeme(b"-0").unwrap();
/// assert_eq!(id.lexeme(), b"-0");
/// assert_eq!(id, Id::from_lexeme(b"0").unwrap());
/// assert_ne!(id, Id::from_lexeme(br#""0""#).unwrap());
/// assert!(Id::from_lexeme(b"null").is_none());
/// ```
///
/// [Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
#[derive(Clone, Copy)]
pub struct Id<'m> {
    lexeme: &'m [u8],
}

impl<'m> Id<'m> {
    /// `lexeme` is a JSON string or an integral number.
    pub(crate) const fn new(lexeme: &'m [u8]) -> Self {
        Self { lexeme }
    }

    /// The id as it stands in the message, with its quotes if it is a string.
    #[must_use]
    pub const fn lexeme(&self) -> &'m [u8] {
        self.lexeme
    }

    /// The id's text, if it is a string.
    #[must_use]
    pub fn as_text(&self) -> Option<Text<'m>> {
        Some(Text::new(self.lexeme.strip_prefix(b"\"")?.strip_suffix(b"\"")?))
    }

    /// Whether the id is a string; else it is a number.
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.lexeme.first() == Some(&b'"')
    }
}

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.lexeme == other.lexeme
            || match (self.as_text(), other.as_text()) {
                (Some(text), Some(other)) => text == other,
                (None, None) => Decimal::new(self.lexeme) == Decimal::new(other.lexeme),
                _ => false,
            }
    }
}

impl Eq for Id<'_> {}

impl Hash for Id<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.as_text() {
            Some(text) => text.hash(state),
            None => Decimal::new(self.lexeme).hash(state),
        }
    }
}

impl fmt::Debug for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.lexeme))
    }
}

/// A JSON number as sign, significant digits and power of ten, so that equal
/// values compare equal however they are written.
///
/// The digits run from the first to the last one that is not zero and may have
/// a point among them; a zero has no digits, no sign and the exponent 0.
pub(crate) struct Decimal<'m> {
    negative: bool,
    digits: &'m [u8],
    /// The power of ten of the last significant digit. Saturates: such absurd
    /// numbers (beyond 10^(10^18)) are equal only if written alike.
    exponent: i64,
}

impl<'m> Decimal<'m> {
    /// `lexeme` is a JSON number.
    pub(crate) fn new(lexeme: &'m [u8]) -> Self {
        let (negative, unsigned) = match lexeme.strip_prefix(b"-") {
            Some(unsigned) => (true, unsigned),
            None => (false, lexeme),
        };
        let (mantissa, written) = match memchr::memchr2(b'e', b'E', unsigned) {
            Some(at) => (&unsigned[..at], exponent(&unsigned[at + 1..])),
            None => (unsigned, 0),
        };
        let significant = |byte: &u8| !matches!(byte, b'0' | b'.');
        let (Some(first), Some(last)) =
            (mantissa.iter().position(significant), mantissa.iter().rposition(significant))
        else {
            return Self { negative: false, digits: &[], exponent: 0 };
        };
        // The last digit's own power of ten: places between it and the point.
        let point = memchr::memchr(b'.', mantissa).unwrap_or(mantissa.len());
        let places = if last < point { point - last - 1 } else { last - point };
        let places = i64::try_from(places).unwrap_or(i64::MAX);
        let shift = if last < point { places } else { -places };
        Self { negative, digits: &mantissa[first..=last], exponent: written.saturating_add(shift) }
    }

    /// Whether the value is an integer, in whatever form.
    pub(crate) const fn is_integral(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether the value is below zero; `-0` is not.
    pub(crate) const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether an integral value is beyond `most`, which is written in digits.
    pub(crate) fn is_beyond(&self, most: &[u8]) -> bool {
        let places = i64::try_from(self.significant().count()).unwrap_or(i64::MAX);
        let most_places = i64::try_from(most.len()).unwrap_or(i64::MAX);
        match places.saturating_add(self.exponent).cmp(&most_places) {
            Ordering::Less => false,
            Ordering::Equal => {
                let zeros = std::iter::repeat(&b'0');
                self.significant().chain(zeros).take(most.len()).gt(most)
            }
            Ordering::Greater => true,
        }
    }

    /// Which value is greater; `None` where an absurd exponent hides it.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        let sign = |number: &Self| match number.digits {
            [] => 0,
            _ if number.negative => -1,
            _ => 1,
        };
        let (own, theirs) = (sign(self), sign(other));
        if own != theirs || own == 0 {
            return Some(own.cmp(&theirs));
        }
        if self.exponent.unsigned_abs().max(other.exponent.unsigned_abs()) >= ABSURD {
            return None;
        }
        let top = |number: &Self| {
            let places = i64::try_from(number.significant().count()).unwrap_or(i64::MAX);
            number.exponent.saturating_add(places)
        };
        let larger =
            top(self).cmp(&top(other)).then_with(|| self.significant().cmp(other.significant()));
        Some(if own < 0 { larger.reverse() } else { larger })
    }

    fn significant(&self) -> impl Iterator<Item = &u8> {
        self.digits.iter().filter(|&&byte| byte != b'.')
    }
}

/// Whether the value of a JSON number is an integer, in whatever form.
#[inline]
pub(crate) fn is_integral(lexeme: &[u8]) -> bool {
    !words::has_letter_or_point(lexeme) || Decimal::new(lexeme).is_integral()
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative
            && self.exponent == other.exponent
            && self.exponent.unsigned_abs() < ABSURD
            && self.significant().eq(other.significant())
    }
}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        self.exponent.hash(state);
        self.significant().for_each(|&digit| state.write_u8(digit));
    }
}

/// An exponent that may have saturated, and so tells nothing.
const ABSURD: u64 = u64::MAX / 8;

/// The exponent after the `e`: an optional sign and digits.
fn exponent(text: &[u8]) -> i64 {
    let (sign, digits) = match text.split_first() {
        Some((b'-', digits)) => (-1, digits),
        Some((b'+', digits)) => (1, digits),
        _ => (1, text),
    };
    let magnitude = digits.iter().fold(0i64, |value, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    // Half the range is left for the places of the mantissa.
    sign * magnitude.min(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(lexeme: &str) -> Decimal<'_> {
        Decimal::new(lexeme.as_bytes())
    }

    #[test]
    fn equal_numbers_are_equal_in_every_form() {
        for (left, right) in [
            ("0", "-0"),
            ("0", "0.000"),
            ("0", "0e99"),
            ("1000", "1e3"),
            ("1000", "1.000E+3"),
            ("-120", "-1.2e2"),
            ("10", "1e1"),
            ("1", "10e-1"),
            ("12345678901234567890123", "12345678901234567890.123e3"),
        ] {
            assert!(decimal(left) == decimal(right), "{left} {right}");
        }
    }

    #[test]
    fn absurd_numbers_are_equal_only_if_written_alike() {
        let id = |lexeme: &'static str| Id::new(lexeme.as_bytes());
        assert_eq!(id("1e9999999999999999999"), id("1e9999999999999999999"));
        assert_ne!(id("1e9999999999999999999"), id("1e8888888888888888888"));
        assert_ne!(id("1e999999999999999999"), id("1e999999999999999998"));
        assert_eq!(id("1e999999999999999999"), id("10e999999999999999998"));
    }

    #[test]
    fn different_numbers_differ() {
        for (left, right) in [("1", "-1"), ("1", "10"), ("1", "2"), ("101", "11"), ("1", "1.5")] {
            assert!(decimal(left) != decimal(right), "{left} {right}");
        }
    }

    #[test]
    fn numbers_are_ordered_by_value_however_they_are_written() {
        let ordered = [
            "-1e400",
            "-10",
            "-9.99",
            "-2",
            "-1.5",
            "-1",
            "-1e-9",
            "0",
            "1e-400",
            "0.1",
            "0.12",
            "1",
            "1.05",
            "1.5",
            "9",
            "10",
            "99.9",
            "100",
            "9007199254740992",
            "9007199254740993",
            "1e400",
            "1.1e400",
        ];
        for (at, left) in ordered.iter().enumerate() {
            for (other_at, right) in ordered.iter().enumerate() {
                let order = decimal(left).compare(&decimal(right));
                assert_eq!(order, Some(at.cmp(&other_at)), "{left} {right}");
            }
        }
        assert_eq!(decimal("1.50e1").compare(&decimal("15")), Some(Ordering::Equal));
        assert_eq!(decimal("1e9999999999999999999").compare(&decimal("1")), None);
    }

    #[test]
    fn integrality_is_judged_on_the_text() {
        for integral in ["0", "-0", "1.0", "1e3", "0.0", "10e-1", "1.50e1", "1e400", "0.0e-7"] {
            assert!(decimal(integral).is_integral(), "{integral}");
        }
        for fraction in ["1.5", "1e-1", "0.1", "15e-1", "9007199254740992.5", "1e-400"] {
            assert!(!decimal(fraction).is_integral(), "{fraction}");
        }
    }

    #[test]
    fn strings_and_numbers_never_meet() {
        let id = |lexeme: &'static str| Id::new(lexeme.as_bytes());
        assert_ne!(id("7"), id("\"7\""));
        assert_eq!(id(r#""\u0061""#), id("\"a\""));
        assert_ne!(id("\"a\""), id("\"A\""));
    }
}
