//! Short texts eight bytes at a time: whether any byte of one is of some sort.
//!
//! Plain integers as vectors, one byte to a lane. No lane carries into the next,
//! since the high bit of each is cleared before anything is added to it.

const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether `marks` marks any byte. It is given eight bytes at a time, and sets
/// the high bit of those that it means; it may see a byte more than once.
#[inline]
fn any(bytes: &[u8], marks: impl Fn(u64) -> u64) -> bool {
    let marked = match bytes.last_chunk::<8>() {
        Some(last) => {
            let words = bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk);
            let marked = words.fold(0, |marked, word| marked | marks(u64::from_le_bytes(*word)));
            marked | marks(u64::from_le_bytes(*last))
        }
        None => short(bytes).map_or(0, marks),
    };
    marked & HIGH != 0
}

/// A word of all the bytes of a text of one to seven, and no others. What stands
/// where depends on the length alone.
#[inline]
fn short(bytes: &[u8]) -> Option<u64> {
    let word = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(&[a, b, c, d]), Some(&[e, f, g, h])) => [a, b, c, d, e, f, g, h],
        _ => {
            let (first, last) = (*bytes.first()?, *bytes.last()?);
            let middle = bytes[bytes.len() / 2];
            [first, middle, last, first, first, first, first, first]
        }
    };
    Some(u64::from_le_bytes(word))
}

/// Whether `written`, a string as it stands in JSON, is `text` with nothing
/// escaped.
#[inline]
pub(crate) fn is_written_as(written: &[u8], text: &[u8]) -> bool {
    if written.len() != text.len() {
        return false;
    }
    let differ = |one: u64, other: u64| one ^ other | backslashes(one) & HIGH;
    let differs = match (written.last_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(one), Some(other)) => {
            let words = written.chunks_exact(8).zip(text.chunks_exact(8));
            let differs = words.fold(0, |differs, (one, other)| {
                let (Some(one), Some(other)) = (one.first_chunk(), other.first_chunk()) else {
                    return differs;
                };
                differs | differ(u64::from_le_bytes(*one), u64::from_le_bytes(*other))
            });
            differs | differ(u64::from_le_bytes(*one), u64::from_le_bytes(*other))
        }
        _ => short(written).zip(short(text)).map_or(0, |(one, other)| differ(one, other)),
    };
    differs == 0
}

const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Marks the bytes that are `least` or more, of those below 0x80.
#[inline]
const fn from(low: u64, least: u8) -> u64 {
    low + all(0x80 - least)
}

/// Marks the backslashes.
#[inline]
const fn backslashes(word: u64) -> u64 {
    let differ = word ^ all(b'\\');
    !((differ & !HIGH) + !HIGH | differ)
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
    !any(bytes, |word| {
        let low = word & !HIGH;
        let is_no_tab = (low ^ all(b'\t')) + !HIGH;
        word | from(low, 0x7f) | !from(low, b' ') & is_no_tab
    })
}

/// Whether all are hexadecimal digits, the letters among them in lower case.
#[inline]
pub(crate) fn is_lower_hex(bytes: &[u8]) -> bool {
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
        for len in 0..40 {
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
                        assert_eq!(is_visible(&bytes), bytes.iter().all(visible), "{bytes:?}");
                        assert_eq!(is_lower_hex(&bytes), bytes.iter().all(hex), "{bytes:?}");
                    }
                }
            }
        }
        assert!(!has_backslash(b"") && is_visible(b"") && is_lower_hex(b""));
    }
}
