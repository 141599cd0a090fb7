//! Short texts eight bytes at a time: whether any byte of one is of some sort.
//!
//! Plain integers as vectors, one byte to a lane. No lane carries into the next,
//! since the high bit of each is cleared before anything is added to it.

pub(crate) const HIGH: u64 = all(0x80);

/// Eight times the same byte.
pub(crate) const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Marks the bytes that are `least` or more, of those below 0x80.
#[inline]
const fn from(low: u64, least: u8) -> u64 {
    low + all(0x80 - least)
}

/// Whether `marks` marks any byte. It is given eight bytes at a time, and sets
/// the high bit of those that it means; it may see a byte more than once.
#[inline]
fn any(bytes: &[u8], marks: impl Fn(u64) -> u64) -> bool {
    let marked = match (bytes.split_first_chunk(), bytes.last_chunk()) {
        (Some((front, behind)), Some(back)) => {
            let ends = marks(u64::from_le_bytes(*front)) | marks(u64::from_le_bytes(*back));
            words(behind).fold(ends, |marked, word| marked | marks(word))
        }
        _ => short(bytes).map_or(0, marks),
    };
    marked & HIGH != 0
}

/// Words of all the bytes but the last few.
#[inline]
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk).map(|word| u64::from_le_bytes(*word))
}

/// A word of all the bytes of a text of one to seven, and no others. What stands
/// where depends on the length alone.
#[inline]
fn short(bytes: &[u8]) -> Option<u64> {
    if let (Some(front), Some(back)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [front, back] = [front, back].map(|half| u64::from(u32::from_le_bytes(*half)));
        return Some(front | back << 32);
    }
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    let middle = bytes[bytes.len() / 2];
    Some(u64::from_le_bytes([first, middle, last, first, first, first, first, first]))
}

/// Whether two texts are the same and `marks` marks no byte of them.
#[inline]
fn are_same(one: &[u8], other: &[u8], marks: impl Fn(u64) -> u64) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let differ = |one: u64, other: u64| one ^ other | marks(one) & HIGH;
    let between = |one: &[u8; 8], other: &[u8; 8]| {
        differ(u64::from_le_bytes(*one), u64::from_le_bytes(*other))
    };
    let ends = one.split_first_chunk().zip(other.split_first_chunk());
    let differs = match (ends, one.last_chunk(), other.last_chunk()) {
        (Some(((front, behind), (other_front, other_behind))), Some(back), Some(other_back)) => {
            let ends = between(front, other_front) | between(back, other_back);
            let rest = words(behind).zip(words(other_behind));
            rest.fold(ends, |differs, (one, other)| differs | differ(one, other))
        }
        _ => short(one).zip(short(other)).map_or(0, |(one, other)| differ(one, other)),
    };
    differs == 0
}

/// Whether `written`, a string as it stands in JSON, is `text` with nothing
/// escaped.
#[inline]
pub(crate) fn is_written_as(written: &[u8], text: &[u8]) -> bool {
    are_same(written, text, backslashes)
}

/// The same, all of it visible ASCII and spaces. No string in JSON holds lower
/// bytes as they are, so that they are not looked for.
#[inline]
pub(crate) fn is_visibly_written_as(written: &[u8], text: &[u8]) -> bool {
    are_same(written, text, |word| {
        let low = word & !HIGH;
        word | from(low, 0x7f) | !((low ^ all(b'\\')) + !HIGH)
    })
}

/// Marks what stands in no string as it is: quotes, backslashes and control
/// characters. The lowest mark is right; above it there may be too many.
#[inline]
pub(crate) const fn stops(word: u64) -> u64 {
    has(word, b'"') | has(word, b'\\') | has_control(word)
}

/// Marks the bytes that are `byte`. The lowest mark is right; above it there may be too
/// many.
#[inline]
pub(crate) const fn has(word: u64, byte: u8) -> u64 {
    let differ = word ^ all(byte);
    differ.wrapping_sub(all(1)) & !differ & HIGH
}

/// Marks the control characters. The lowest mark is right; above it there may be too
/// many.
#[inline]
pub(crate) const fn has_control(word: u64) -> u64 {
    word.wrapping_sub(all(b' ')) & !word & HIGH
}

/// Marks what is no digit. The lowest mark is right; above it there may be too many.
#[inline]
pub(crate) const fn non_digits(word: u64) -> u64 {
    let digit = word ^ all(b'0');
    (digit.wrapping_add(all(0x80 - 10)) | digit) & HIGH
}

/// Marks the bytes that are `byte`, and no others.
#[inline]
pub(crate) const fn is(word: u64, byte: u8) -> u64 {
    let differ = word ^ all(byte);
    !(((differ & !HIGH) + !HIGH) | differ) & HIGH
}

/// Marks the backslashes.
#[inline]
const fn backslashes(word: u64) -> u64 {
    is(word, b'\\')
}

/// Marks what is neither visible ASCII nor a space or a tab.
#[inline]
const fn strangers(word: u64) -> u64 {
    let low = word & !HIGH;
    let is_no_tab = (low ^ all(b'\t')) + !HIGH;
    word | from(low, 0x7f) | !from(low, b' ') & is_no_tab
}

/// Whether there is a backslash.
#[inline]
pub(crate) fn has_backslash(bytes: &[u8]) -> bool {
    any(bytes, backslashes)
}

/// Whether there is a letter or a point: whether a JSON number is not written as
/// an integer.
#[inline]
pub(crate) fn has_letter_or_point(number: &[u8]) -> bool {
    any(number, |word| {
        let low = word & !HIGH;
        word | from(low, b'9' + 1) | !((low ^ all(b'.')) + !HIGH)
    })
}

/// Whether all are visible ASCII, spaces and tabs.
#[inline]
pub(crate) fn is_visible(bytes: &[u8]) -> bool {
    !any(bytes, strangers)
}

/// Whether all are hexadecimal digits, the letters among them in lower case.
#[inline]
pub(crate) fn is_lower_hex<const N: usize>(bytes: &[u8; N]) -> bool {
    !any(bytes, |word| {
        let low = word & !HIGH;
        let is_digit = from(low, b'0') & !from(low, b'9' + 1);
        let is_letter = from(low, b'a') & !from(low, b'f' + 1);
        word | !(is_digit | is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_seen_wherever_it_stands() {
        for len in (0..20).chain([24, 31, 33]) {
            for filler in [b'0', b'f', 0x00, 0x09, 0x80, 0xff] {
                for at in 0..len {
                    for byte in 0..=u8::MAX {
                        let mut bytes = vec![filler; len];
                        bytes[at] = byte;
                        let visible = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
                        let hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                        assert_eq!(has_backslash(&bytes), bytes.contains(&b'\\'), "{bytes:?}");
                        let strange = |byte: &u8| *byte == b'.' || *byte > b'9';
                        let is_strange = bytes.iter().any(strange);
                        assert_eq!(has_letter_or_point(&bytes), is_strange, "{bytes:?}");
                        let plain = bytes[at] == filler && byte != b'\\';
                        assert_eq!(is_written_as(&vec![filler; len], &bytes), plain, "{bytes:?}");
                        let seen = |byte: &u8| *byte < 0x7f && *byte != b'\\';
                        let seen = bytes.iter().all(seen);
                        assert_eq!(is_visibly_written_as(&bytes, &bytes), seen, "{bytes:?}");
                        assert_eq!(is_visible(&bytes), bytes.iter().all(visible), "{bytes:?}");
                        if let Some(bytes) = bytes.first_chunk::<32>() {
                            assert_eq!(is_lower_hex(bytes), bytes.iter().all(hex), "{bytes:?}");
                        }
                        if let Some(bytes) = bytes.first_chunk::<4>() {
                            assert_eq!(is_lower_hex(bytes), bytes.iter().all(hex), "{bytes:?}");
                        }
                    }
                }
            }
        }
        assert!(!has_backslash(b"") && is_visible(b""));
    }
}
