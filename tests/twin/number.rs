//! JSON numbers as schoolbook decimals: written out in full, digit by digit.

use std::collections::VecDeque;

/// Whether the number is written as an integer.
pub(crate) fn is_integer(raw: &str) -> bool {
    raw.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
}

/// Whether the number is an integer by value, in whatever form.
pub(crate) fn is_integral(raw: &str) -> bool {
    let (_, _, fraction) = written_out(raw);
    fraction.is_empty()
}

/// Whether the number is beyond 2^53 - 1 by value.
pub(crate) fn is_unsafe(raw: &str) -> bool {
    const MOST: &str = "9007199254740991";
    let (_, whole, _) = written_out(raw);
    whole.len() > MOST.len() || whole.len() == MOST.len() && whole.as_str() > MOST
}

/// Whether two numbers are equal; unknown if one is too large, or too small,
/// to be written out.
pub(crate) fn equal(left: &str, right: &str) -> Option<bool> {
    let is_absurd = |number: &str| {
        let exponent = number.to_ascii_lowercase().split_once('e').map(|(_, e)| e.parse::<i16>());
        let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
        let is_zero = mantissa.bytes().all(|byte| !matches!(byte, b'1'..=b'9'));
        !is_zero && exponent.is_some_and(|exponent| exponent.is_err())
    };
    (!is_absurd(left) && !is_absurd(right)).then(|| written_out(left) == written_out(right))
}

/// Sign, digits before and digits behind the point, without zeros that say
/// nothing and without an exponent. An exponent beyond 40000 is read as that,
/// which is beyond every mantissa.
fn written_out(raw: &str) -> (bool, String, String) {
    let (negative, unsigned) = match raw.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, raw),
    };
    let lower = unsigned.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let limit = if exponent.starts_with('-') { -40_000 } else { 40_000 };
    let exponent = exponent.parse::<i128>().unwrap_or(limit).clamp(-40_000, 40_000);

    let mut whole: Vec<char> = whole.chars().collect();
    let mut fraction: VecDeque<char> = fraction.chars().collect();
    for _ in 0..exponent {
        whole.push(fraction.pop_front().unwrap_or('0'));
    }
    for _ in exponent..0 {
        fraction.push_front(whole.pop().unwrap_or('0'));
    }
    let whole: String = whole.into_iter().collect();
    let fraction: String = fraction.into_iter().collect();
    let whole = whole.trim_start_matches('0').to_owned();
    let fraction = fraction.trim_end_matches('0').to_owned();
    let is_zero = whole.is_empty() && fraction.is_empty();
    (negative && !is_zero, whole, fraction)
}
