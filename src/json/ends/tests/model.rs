//! The strings in some bytes, by RFC 8259, section 7, and nothing else: one byte
//! after the other, one state. It shares no code with what it is held against.
//!
//! ```text
//! Outside -- " --> Text -- " --> Outside
//! Text -- \ --> Escape -- one of "\/bfnrt --> Text
//!               Escape -- u --> Unit -- four hexadecimal digits --> Text
//! ```
//!
//! The first half of a surrogate pair is remembered through `Text`, `Escape` and
//! `Unit`: nothing but the second half may follow.

/// What became of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every string is well-formed, as far as it goes: the last one may not be
    /// closed, if it does not end within an escape or a pair.
    Good,
    /// A string is not.
    Broken,
    /// Before any string was broken, a backslash stood outside of all. It is for
    /// the scan to refuse; of what is behind it `Ends` promises nothing.
    Stray,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// The quotes, opening and closing, of the closed strings before the first
    /// that is broken, or before the stray backslash.
    pub(super) strings: Vec<(usize, usize)>,
    pub(super) outcome: Outcome,
    /// The opening quote of the string that is not closed.
    pub(super) open: Option<usize>,
}

#[derive(Clone, Copy)]
enum State {
    Outside,
    Text { is_half: bool },
    Escape { is_half: bool },
    Unit { is_half: bool, digits: u32, value: u32 },
}

impl Model {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut strings = Vec::new();
        let mut start = 0;
        let mut state = State::Outside;
        for (at, &byte) in bytes.iter().enumerate() {
            let next = match state {
                State::Outside if byte == b'\\' => {
                    return Self { strings, outcome: Outcome::Stray, open: None };
                }
                State::Outside if byte == b'"' => {
                    start = at;
                    Some(State::Text { is_half: false })
                }
                State::Outside => Some(State::Outside),
                State::Text { is_half: false } if byte == b'"' => {
                    strings.push((start, at));
                    Some(State::Outside)
                }
                State::Text { is_half } if byte == b'\\' => Some(State::Escape { is_half }),
                State::Text { is_half: false } if byte >= 0x20 => Some(state),
                State::Escape { is_half } if byte == b'u' => {
                    Some(State::Unit { is_half, digits: 0, value: 0 })
                }
                State::Escape { is_half: false } => {
                    br#""\/bfnrt"#.contains(&byte).then_some(State::Text { is_half: false })
                }
                State::Text { .. } | State::Escape { is_half: true } => None,
                State::Unit { is_half, digits, value } => {
                    char::from(byte).to_digit(16).and_then(|digit| {
                        let value = value * 16 + digit;
                        match (digits, value, is_half) {
                            (..3, ..) => Some(State::Unit { is_half, digits: digits + 1, value }),
                            (_, 0xdc00..=0xdfff, true) => Some(State::Text { is_half: false }),
                            (_, 0xdc00..=0xdfff, false) | (_, _, true) => None,
                            (_, 0xd800..=0xdbff, false) => Some(State::Text { is_half: true }),
                            (_, _, false) => Some(State::Text { is_half: false }),
                        }
                    })
                }
            };
            match next {
                Some(next) => state = next,
                None => return Self { strings, outcome: Outcome::Broken, open: Some(start) },
            }
        }
        let (outcome, open) = match state {
            State::Outside => (Outcome::Good, None),
            State::Text { is_half: false } => (Outcome::Good, Some(start)),
            _ => (Outcome::Broken, Some(start)),
        };
        Self { strings, outcome, open }
    }

    pub(super) fn ends(&self) -> Vec<usize> {
        self.strings.iter().map(|&(_, end)| end).collect()
    }

    /// From behind the last of the first `given` strings, how many bytes there are
    /// before the next one.
    pub(super) fn gap(&self, given: usize, len: usize) -> usize {
        let behind = given.checked_sub(1).map_or(0, |last| self.strings[last].1 + 1);
        let next = self.strings.get(given).map(|&(start, _)| start);
        next.or(self.open).unwrap_or(len).saturating_sub(behind)
    }
}

#[test]
fn the_model_knows_strings() {
    use Outcome::{Broken, Good, Stray};
    for (text, ends, outcome) in [
        (r#"{"a":"b"}"#, &[3, 7][..], Good),
        (r#""""""#, &[1, 3], Good),
        (r#""\"\\""#, &[5], Good),
        (r#""\/\b\f\n\r\t""#, &[13], Good),
        (r#""\u00Ff" "#, &[7], Good),
        (r#""\ud83d\uDE00""#, &[13], Good),
        (r#""\udbff\udfff\ud800\udc00""#, &[25], Good),
        (r#""a" "b"#, &[2], Good),
        ("\n\"\u{7f}é\"", &[5], Good),
        ("\"a\"\"\n\"", &[2], Broken),
        (r#""a" "\x""#, &[2], Broken),
        (r#""\u12g4""#, &[], Broken),
        (r#""\u123""#, &[], Broken),
        (r#""\ud83d""#, &[], Broken),
        (r#""\ud83d\n""#, &[], Broken),
        (r#""\ud83dx\ude00""#, &[], Broken),
        (r#""\ud83d\u0041""#, &[], Broken),
        (r#""\ud83d\ud83d\ude00""#, &[], Broken),
        (r#""\ude00""#, &[], Broken),
        (r#""\"#, &[], Broken),
        (r#""\u"#, &[], Broken),
        (r#""\ud83d"#, &[], Broken),
        (r#""a"\"b""#, &[2], Stray),
    ] {
        let model = Model::of(text.as_bytes());
        assert_eq!((model.ends().as_slice(), model.outcome), (ends, outcome), "{text}");
    }
}
