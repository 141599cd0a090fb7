//! What was read of a source at once, taken apart and held, so that it can be
//! judged while the next is read.

use std::io::{self, Read};
use std::ops::Range;

use mcparse::{Frame, Violation};

use super::super::judge::Place;

/// The most pieces that are held: whoever judges them holds more for each than a
/// short message has bytes.
const MOST: usize = 4096;
/// As how many pieces an array counts: as a batch it may come to many messages.
const ARRAY: usize = 256;
/// Room that is kept when a longer message has gone.
const KEPT: usize = 2 << 20;

/// What comes out of a source.
#[derive(Clone, Copy)]
pub(in super::super) enum Piece<'p> {
    /// A message, and where it begins.
    Message(Place, &'p [u8]),
    /// A rule that the stream breaks, at an offset and a line in it.
    Fault(Violation<'static>),
    /// An event of another name, which holds no message.
    Other(Place),
}

/// Pieces in their order. All of them are of one read, but that the first may have
/// begun in those before: so there are no more bytes than are read at once, and
/// the longest message.
#[derive(Default)]
pub(in super::super) struct Frames {
    bytes: Vec<u8>,
    held: Vec<Held>,
    /// Of all that is held, in pieces.
    weight: usize,
}

/// A piece whose bytes are in `bytes`.
enum Held {
    Message(Place, Range<usize>),
    Fault(Violation<'static>),
    Other(Place),
}

impl Frames {
    pub(in super::super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.held.clear();
        self.weight = 0;
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(in super::super) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.weight >= MOST
    }

    pub(super) fn push(&mut self, framed: Result<Frame<'_>, Violation<'static>>) {
        let is_array = matches!(&framed, Ok(frame) if frame.bytes().starts_with(b"["));
        self.weight += if is_array { ARRAY } else { 1 };
        self.held.push(match framed {
            Ok(frame) => {
                let place = Place { line: frame.line(), offset: frame.offset() };
                if frame.is_message() {
                    let start = self.bytes.len();
                    self.bytes.extend_from_slice(frame.bytes());
                    Held::Message(place, start..self.bytes.len())
                } else {
                    Held::Other(place)
                }
            }
            Err(violation) => Held::Fault(violation),
        });
    }

    /// The one message of a source. Of one that is too long, no more is read than
    /// shows that it is.
    pub(super) fn read_whole(&mut self, reader: &mut impl Read, limit: usize) -> io::Result<()> {
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        reader.take(most).read_to_end(&mut self.bytes)?;
        self.held.push(Held::Message(Place { line: 1, offset: 0 }, 0..self.bytes.len()));
        Ok(())
    }

    pub(in super::super) fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        self.held.iter().map(|held| match held {
            Held::Message(place, range) => Piece::Message(*place, &self.bytes[range.clone()]),
            Held::Fault(violation) => Piece::Fault(*violation),
            Held::Other(place) => Piece::Other(*place),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::args::Framing;
    use super::super::Cut;
    use super::*;

    /// How many pieces are held at once.
    fn held(line: &str) -> Vec<usize> {
        let lines = line.repeat(2 * MOST);
        let mut cut = Cut::new(lines.as_bytes(), Framing::Lines, 100, lines.len());
        let mut frames = Frames::default();
        let mut held = Vec::new();
        while cut.next(&mut frames).unwrap() {
            held.push(frames.len());
        }
        held
    }

    #[test]
    fn so_many_pieces_are_held_at_once() {
        assert_eq!(held("1\n"), [MOST; 2]);
        assert_eq!(held("[1,1]\n"), [MOST / ARRAY; 2 * ARRAY]);
    }

    #[test]
    fn what_is_held_does_not_depend_on_how_much_is_read_at_once() {
        let lines = "{}\r\n\n[1]\nmuch too long\n\"end\"";
        let told = |chunk| {
            let mut cut = Cut::new(lines.as_bytes(), Framing::Lines, 9, chunk);
            let (mut frames, mut told, mut goes_on) = (Frames::default(), Vec::new(), true);
            while goes_on {
                goes_on = cut.next(&mut frames).unwrap();
                told.extend(frames.pieces().map(|piece| match piece {
                    Piece::Message(place, bytes) => (place.line, place.offset, bytes.to_vec()),
                    Piece::Fault(violation) => (0, violation.offset(), Vec::new()),
                    Piece::Other(place) => (place.line, place.offset, Vec::new()),
                }));
            }
            told
        };
        assert_eq!(told(100).len(), 4);
        for chunk in 1..lines.len() {
            assert_eq!(told(chunk), told(100), "{chunk}");
        }
    }
}
